"""Recognised lines as fragments: sizes, spaces, marks, cells."""

import pytest

from headworks.readers.ocr.layout import as_printed, placed
from headworks.readers.ocr.seen import Scan, SeenLine

SCALE = 72 / 200
EM = 200 / 72 * 12  # pixels of a twelve point character


def line(
    text: str,
    x: float,
    y: float,
    *,
    em: float = EM,
    gaps: dict[int, float] | None = None,
    stroke: float = 4.0,
    score: float = 0.99,
) -> SeenLine:
    """Give a line of full-width characters; ``gaps`` add ems of white behind some of them."""
    centres, at = [], x
    for index, _ in enumerate(text):
        centres.append(at + em / 2)
        at += em * (1 + (gaps or {}).get(index, 0.0))
    high = 0.925 * em
    box = (x, y - 1.2 * em, at, y + 0.2 * em)
    return SeenLine(text, score, box, tuple(centres), y, high, stroke)


def page(*lines: SeenLine, **more: object) -> Scan:
    """Give an A4 page at 200 dots an inch."""
    return Scan(1654.0, 2339.0, lines=list(lines), **more)  # type: ignore[arg-type]


def test_sizes_come_from_the_characters_width() -> None:
    """Lines of nearly one size get the same one, a title keeps its own."""
    lines = [
        line("采购合同书", 600, 300, em=2 * EM),
        line("第一条合同标的及其数量", 250, 400),
        line("甲方向乙方采购电缆一批", 250, 460, em=EM * 1.02),
        line("乙方按期交付并负责安装", 250, 520, em=EM * 0.985),
    ]
    [read] = placed([(1, page(*lines), SCALE)])
    sizes = [fragment.size for fragment in read.fragments]
    assert sizes[1:] == [sizes[1]] * 3
    assert sizes[1] == pytest.approx(12.0, abs=0.3)
    assert sizes[0] == pytest.approx(24.0, abs=0.5)


def test_white_between_characters_is_a_space_and_wide_white_parts_a_line() -> None:
    """A gap of an em is a space, one of three ems parts two fields; a word may be set apart."""
    [read] = placed(
        [
            (
                1,
                page(
                    line("签订日期年月日", 250, 300, gaps={3: 1.0, 4: 1.0, 5: 1.0}),
                    line("甲方乙方丙方丁方", 250, 400, gaps={3: 3.0}),
                    line("采购合同", 600, 500, gaps={0: 1.0, 1: 1.0, 2: 1.0}),
                ),
                SCALE,
            )
        ]
    )
    texts = [fragment.text for fragment in read.fragments]
    assert texts == ["签订日期 年 月 日", "甲方乙方", "丙方丁方", "采购合同"]


def test_thick_strokes_are_bold() -> None:
    """A line whose strokes are much thicker than the usual is bold."""
    lines = [line("双方应当按照约定履行义务", 250, 300 + 60 * n) for n in range(5)]
    heavy = line("违约责任的承担", 250, 700, stroke=6.5)
    [read] = placed([(1, page(*lines, heavy), SCALE)])
    assert [fragment.bold for fragment in read.fragments] == [False] * 5 + [True]


def test_straight_lines_make_a_table() -> None:
    """Lines that cross are a grid; a line read over a wall is cut there."""
    across = [(float(y), 200.0, 1400.0) for y in (500, 580, 660)]
    down = [(float(x), 500.0, 660.0) for x in (200, 800, 1400)]
    words = "名称规格型号数量"
    wide = line(words, 530, 555)  # its fourth and fifth characters stand beside the middle wall
    scan = page(wide, line("电缆", 240, 635), line("两台", 840, 635), across=across, down=down)
    [read] = placed([(1, scan, SCALE)])
    [table] = read.tables
    assert [[cell.replace(" ", "") for cell in row] for row in table.rows] == [
        [words[: 8 - sum(c > 800 for c in wide.centres)],
         words[8 - sum(c > 800 for c in wide.centres) :]],
        ["电缆", "两台"],
    ]  # fmt: skip
    assert read.fragments == []


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("出租方:(甲方)", "出租方：（甲方）"),
        ("总价1,690,720.00元,含税", "总价1,690,720.00元，含税"),
        ("每天9:00至17:30", "每天9:00至17:30"),
        ("Section 4.2 (a), Exhibit B", "Section 4.2 (a), Exhibit B"),
        ("金额(元)", "金额（元）"),
    ],
)
def test_marks_between_han_characters_are_wide(said: str, printed: str) -> None:
    """Half-width marks that an engine mixes in are as they are printed; numbers stay."""
    assert as_printed(said) == printed
