"""The OFD reader keeps its promises on files built by hand."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document
from headworks.model.place import PagePlace
from headworks.readers.base import read
from tests.build import ofd
from tests.build.ofd import words
from tests.build.packages import zipped

_POINT = 72 / 25.4


def _texts(document: Document, role: str = "body") -> list[str]:
    return [document.slice(block.span) for block in document.blocks if block.role == role]


def test_text_has_page_boxes(tmp_path: Path) -> None:
    """B067: text objects give text with boxes on their pages, in points."""
    path = ofd.write(
        tmp_path / "a.ofd",
        [[words("第一条 货物", (20, 30))], [words("第二条 价款", (20, 40))]],
    )
    document = read(path, ReadSettings())
    assert document.text == "第一条 货物\n第二条 价款"
    assert [block.place for block in document.blocks] == [PagePlace(1, 1), PagePlace(2, 2)]
    (_, _, box), *_ = document.lines.within(document.blocks[1].span)
    assert box.page == 2
    assert box.x0 == pytest.approx(20 * _POINT, abs=0.5)
    assert box.x1 == pytest.approx(44 * _POINT, abs=2)
    assert box.y0 < 40 * _POINT < box.y1
    assert document.page_sizes[0].width == pytest.approx(210 * _POINT)
    assert document.metadata.title == "电子发票"
    assert document.metadata.more["custom"] == ["发票号码=01234567"]


def test_lines_are_joined_to_paragraphs(tmp_path: Path) -> None:
    """The lines of a paragraph that fills its width are one block."""
    line = "甲方应当按照本合同约定的时间和方式向乙方支付价款并承担由此"  # 28 characters
    rows = [
        words("　　" + line[2:], (20, 40)),
        words(line, (20, 47)),
        words("产生的费用。", (20, 54)),
    ]
    rows += [
        words("　　" + line[2:], (20, 61)),
        words(line, (20, 68)),
        words("产生的费用。", (20, 75)),
    ]
    document = read(ofd.write(tmp_path / "a.ofd", [rows], box="0 0 160 250"), ReadSettings())
    assert len(document.blocks) == 2
    assert document.slice(document.blocks[0].span).endswith("承担由此产生的费用。")


def test_single_characters_make_words(tmp_path: Path) -> None:
    """Characters that are objects of their own, in any order, are read as the line they make."""
    line = [words(char, (20 + 4 * index, 30)) for index, char in enumerate("开户行及账号")]
    document = read(ofd.write(tmp_path / "a.ofd", [line[::-1]]), ReadSettings())
    assert document.text == "开户行及账号"


def test_an_invoice_is_a_table(tmp_path: Path) -> None:
    """The words of a template stand in the cells of its lines, beside what the page fills in."""
    columns, rows = [10, 60, 110, 160], [40, 50, 60, 70]
    template = [
        *ofd.ruled(columns, rows),
        words("电子发票", (80, 20), size=6),
        words("项目名称", (15, 46)),
        words("数量", (65, 46)),
        words("金额", (115, 46)),
    ]
    page = [
        words("水泵", (15, 56)), words("2", (70, 56)), words("300.00", (120, 56), steps="g 5 2"),
        words("阀门", (15, 66)), words("1", (70, 66)), words("80.00", (120, 66), steps="g 4 2"),
    ]  # fmt: skip
    path = ofd.write(tmp_path / "a.ofd", [page], template=template, box="0 0 210 140")
    document = read(path, ReadSettings())
    table = next(block for block in document.blocks if block.kind == "table")
    assert document.slice(table.span) == "项目名称\t数量\t金额\n水泵\t2\t300.00\n阀门\t1\t80.00"
    assert _texts(document)[0] == "电子发票"


def test_a_column_of_characters_is_a_word(tmp_path: Path) -> None:
    """Characters set one under the other are read as one word in their cell."""
    down = (
        '<ofd:TextObject ID="1" Boundary="12 42 4 20" Font="2" Size="4"><ofd:TextCode X="0" Y="4" '
        'DeltaY="g 2 5">购买方</ofd:TextCode></ofd:TextObject>'
    )
    page = [*ofd.ruled([10, 20, 110], [40, 62, 70]), down, words("名称：甲公司", (25, 50)),
            words("1", (14, 68)), words("合计", (25, 68))]  # fmt: skip
    document = read(ofd.write(tmp_path / "a.ofd", [page]), ReadSettings())
    assert document.text == "购买方\t名称：甲公司\n1\t合计"


def test_what_a_template_repeats_at_the_edges_is_furniture(tmp_path: Path) -> None:
    """A template's line at the top of each page is a page header, not body."""
    pages = [
        [words(f"第{number}条 条款的内容各不相同{number}。", (20, 60 + 9 * number))]
        for number in range(1, 5)
    ]
    path = ofd.write(tmp_path / "a.ofd", pages, template=[words("内部资料", (90, 10))])
    document = read(path, ReadSettings())
    assert _texts(document, "page_header") == ["内部资料"] * 4
    assert len(_texts(document)) == 4


def test_annotations_are_comments_and_watermarks_are_none(tmp_path: Path) -> None:
    """What an annotation says is a comment, what it draws is text; a watermark is furniture."""
    path = ofd.write(
        tmp_path / "a.ofd",
        [[words("正文内容", (20, 60))]],
        notes={
            0: [ofd.annotation("已核", "金额核对无误"), ofd.annotation("样张", "", "Watermark")]
        },
    )
    document = read(path, ReadSettings())
    assert [document.slice(b.span) for b in document.blocks if b.kind == "comment"] == [
        "[批注] 王芳: 金额核对无误"
    ]
    assert "已核" in _texts(document)
    assert _texts(document, "watermark") == ["样张"]


def test_transforms_move_turn_and_scale(tmp_path: Path) -> None:
    """A transform scales an object's text; slanted text is a watermark."""
    path = ofd.write(
        tmp_path / "a.ofd",
        [[
            words("放大", (20, 40), more='CTM="2 0 0 2 0 0"'),
            words("绝密", (80, 90), more='CTM="0.7 0.7 -0.7 0.7 0 0"'),
        ]],
    )  # fmt: skip
    document = read(path, ReadSettings())
    assert _texts(document) == ["放大"]
    assert document.blocks[0].style.size == pytest.approx(8 * _POINT, abs=0.1)
    assert _texts(document, "watermark") == ["绝密"]


def test_a_page_that_is_a_picture_is_told(tmp_path: Path) -> None:
    """A page with a picture and no text is listed as lost and stands as a placeholder."""
    picture = '<ofd:ImageObject ID="9" Boundary="0 0 210 297" ResourceID="8"/>'
    path = ofd.write(tmp_path / "a.ofd", [[words("第一页", (20, 30))], [picture]])
    document = read(path, ReadSettings(ocr="off"))
    assert document.lost.picture_only_pages == (2,)
    assert [problem.code for problem in document.problems] == ["W_NO_TEXT"]
    assert document.blocks[-1].confidence == 0.0


def test_broken_and_long_files_are_refused(tmp_path: Path) -> None:
    """A file without its document is E_CORRUPT, one over the limit of pages E_TOO_LARGE."""
    path = ofd.write(tmp_path / "a.ofd", [[words("一", (20, 30))], [words("二", (20, 30))]])
    with pytest.raises(LimitError) as caught:
        read(path, ReadSettings(max_pages=1))
    assert caught.value.code == "E_TOO_LARGE"
    broken = zipped(
        tmp_path / "b.ofd", {"OFD.xml": "<OFD><DocBody><DocRoot>x.xml</DocRoot></DocBody></OFD>"}
    )
    with pytest.raises(InputError) as refused:
        read(broken, ReadSettings())
    assert refused.value.code == "E_CORRUPT"
