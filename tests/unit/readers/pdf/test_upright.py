"""Text set downwards in columns from right to left."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import HEIGHT, SIZE, WIDTH, pdf, vertical, write
from tests.unit.readers.pdf.conftest import Read, body, of_role

TITLE = "设备采购合同"
CLAUSES = [
    "第一条 甲方向乙方采购低压配电柜十二台，乙方应当按照约定的时间和地点交付全部货物，"
    "并承担交付之前的一切风险和费用。",
    "第二条 合同总价款为人民币壹佰贰拾万元整，甲方应当在货物验收合格之日起三十日内付清。",
    "第三条 质量保证期为二十四个月，自验收合格之日起计算；出现故障的，由乙方免费修理。",
]


def columns(rows: int = 20) -> list[tuple[float, float, str]]:
    """Give title and clauses as columns (x, y, text), the first at the right."""
    found = [(WIDTH - 90, 100.0, TITLE)]
    for clause in CLAUSES:
        rest, indent = clause, 2
        while rest:
            room = rows - indent
            while rest[room : room + 1] and rest[room] in "，。；":
                room += 1
            found.append((WIDTH - 90 - 20 * len(found), 100 + indent * SIZE, rest[:room]))
            rest, indent = rest[room:], 0
    return found


def test_columns_of_a_vertical_font_are_read_from_right_to_left(read: Read) -> None:
    """Columns set by an Identity-V or UCS2-V font come back as their paragraphs."""
    document = read(vertical([columns()]))
    assert body(document) == [TITLE, *CLAUSES]
    ((_, _, box),) = document.lines.within(document.blocks[0].span)
    assert document.page_sizes[0].width < document.page_sizes[0].height
    assert abs(box.x1 - (WIDTH - 84)) < 6
    assert abs(box.y0 - 100) < 6
    assert box.y1 - box.y0 > 5 * SIZE > 3 * (box.x1 - box.x0)


def test_single_glyphs_placed_below_each_other_are_columns(read: Read) -> None:
    """Columns of glyphs that are placed one by one by an ordinary font are columns too."""

    def page(canvas: Canvas) -> None:
        for x, y, text in columns():
            for index, char in enumerate(text.replace(" ", "　")):
                write(canvas, x, y + index * 15, char)

    said = [text.replace(" ", "").replace("　", "") for text in body(read(pdf([page])))]
    assert said == [TITLE, *(clause.replace(" ", "") for clause in CLAUSES)]


def test_a_vertical_paragraph_goes_on_over_pages_past_their_numbers(read: Read) -> None:
    """The number set across below the columns is no text; the clause it stands in is whole."""
    first, second = columns()[:2], [(x + 40, y, text) for x, y, text in columns()[2:]]
    document = read(vertical([first, second], foot="第#页"))
    assert body(document) == [TITLE, *CLAUSES]
    assert of_role(document, "page_number") == ["第1页", "第2页"]


def test_a_page_with_one_vertical_line_is_read_across(read: Read) -> None:
    """A column of a few characters beside running text does not turn the page."""

    def page(canvas: Canvas) -> None:
        for index, char in enumerate("附件三设备清单"):
            write(canvas, 40, 100 + 15 * index, char)
        for index, clause in enumerate(CLAUSES):
            write(canvas, 90, 100 + 40 * index, clause[:30])

    document = read(pdf([page]))
    assert [text for text in body(document) if text.startswith("第")] == [c[:30] for c in CLAUSES]
    assert "附件三设备清单" in body(document)
    assert document.page_sizes[0].height == pytest.approx(HEIGHT, abs=0.1)
