"""Heads inside the tables of forms."""

from headworks.chunking.cut import cut
from headworks.chunking.ledger import check
from headworks.config import ChunkSettings, StructureSettings
from headworks.model.document import Document
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_ROWS = (
    "一、项目基本情况;/名称;渠首改造/负责人;张三/二、项目内容;/内容;新建进水闸"
    "/三、资金来源;/中央;1000万"
)
_FORM = f"|c b 18| 项目申报书\n|t| {_ROWS}\n|t| 填表人;李四/日期;2024年5月"


def _structured(lines: str) -> Document:
    return structure(read_lines(lines), StructureSettings(profile="auto"))


def _outline(document: Document) -> list[str]:
    return [heading.text for heading in document.headings]


def test_a_numbered_row_of_a_form() -> None:
    """A row of a form that is one numbered line heads the rows below it."""
    document = _structured(_FORM)

    assert _outline(document) == ["项目申报书", "一、项目基本情况", "二、项目内容", "三、资金来源"]
    assert document.slice(document.headings[2].extent).endswith("内容\t新建进水闸")


def test_a_form_of_one_column() -> None:
    """Where a form has one column, its numbered rows head the others."""
    document = _structured(
        "|c b 18| 合同审批表\n|t| 第一部分 基本信息/名称：渠首合同/第二部分 审批意见/同意。"
    )

    assert _outline(document)[1:] == ["第一部分 基本信息", "第二部分 审批意见"]


def test_a_table_of_a_document() -> None:
    """A numbered row of a table in a document that is no form heads nothing."""
    body = "|b| 第一条 概况\n" + "本项目新建进水闸一座，改建渠道三公里，并配套建设管理用房。\n" * 9
    document = _structured(
        "|c b 18| 供水合同\n" + body + _FORM.split("\n")[2] + "\n|b| 第二条 其他\n无。"
    )

    assert _outline(document) == ["供水合同", "第一条 概况", "第二条 其他"]


def test_a_form_too_large_is_cut_before_its_heads() -> None:
    """A group of rows that is half full ends before a head rather than after it."""
    document = _structured(_FORM)
    settings = ChunkSettings(max_chars=50, min_chars=10)
    result = cut(document, settings)
    check(document, result.chunks, result.ledger, settings)
    texts = [chunk.text_in(document.text) for chunk in result.chunks]

    assert any(text.startswith("三、资金来源") for text in texts)


def test_a_clause_ends_before_a_table_that_goes_on_with_the_next() -> None:
    """A clause whose successor stands inside a table ends in front of the table, not in a row."""
    document = _structured("第一条 货物\n说明。\n|t| A;乙/第一条 货物;")
    settings = ChunkSettings()
    result = cut(document, settings)
    check(document, result.chunks, result.ledger, settings)
    tables = [block.span for block in document.blocks if block.table is not None]
    for heading in document.headings:
        inside = [
            table
            for table in tables
            if heading.span.start < table.start < heading.extent.end < table.end
        ]
        assert not inside
