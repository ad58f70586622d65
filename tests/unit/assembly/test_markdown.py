from headworks.assembly.boxes import blocks_in
from headworks.assembly.markdown import markdown, table_markdown
from headworks.model.document import Document, Source
from headworks.model.outline import Heading
from headworks.model.place import PartPlace, Span
from headworks.readers.builder import DocumentBuilder
from tests.build.outcome import built, table_part

SOURCE = Source("0" * 64, "a.docx", "application/docx", 1)
PLACE = PartPlace("word/document.xml", 0)


def _whole(document: Document) -> str:
    return markdown(document, document.blocks, [Span(0, len(document.text))], {})


def test_headings_carry_their_level() -> None:
    """A heading's line is marked by its level; the title is the first."""
    outcome = built()
    heads: dict[int, Heading] = {head.block: head for head in outcome.document.headings}
    shown = markdown(
        outcome.document,
        blocks_in(outcome.document, outcome.chunks[0].spans),
        outcome.chunks[0].spans,
        heads,
    )
    assert shown.startswith("# 设备采购合同\n\n## 第一条 货物\n\n乙方")


def test_a_table_is_a_markdown_table() -> None:
    """Pipes are escaped and line ends within cells become blanks, so that the grid stays one."""
    document = built().document
    table = next(block for block in document.blocks if block.table)
    assert table.table is not None
    lines = table_markdown(document.text, table.table, [table.span]).split("\n")
    assert lines[:3] == ["| 序号 | 名称 | 说明 |", "| --- | --- | --- |", lines[2]]
    assert lines[2].startswith("| 1 | 水泵\\|甲型 | ")
    assert lines[3] == "| 2 | 阀门 | 两行 说明 |"


def test_a_part_of_a_table_repeats_the_header() -> None:
    """A later piece of a cut table is one table with the header rows, as its text is."""
    document, chunk = table_part()
    shown = markdown(document, blocks_in(document, chunk.spans), chunk.spans, {})
    assert shown.split("\n") == [
        "| 序号 | 名称 | 说明 |",
        "| --- | --- | --- |",
        "| 2 | 阀门 | 两行 说明 |",
    ]


def test_code_is_fenced_past_its_own_fences() -> None:
    """A code block's fence is longer than any run of marks within it."""
    builder = DocumentBuilder(SOURCE)
    builder.paragraph("x = '```'", PLACE, kind="code")
    assert _whole(builder.finish()) == "````\nx = '```'\n````"


def test_pictures_quotes_and_comments_have_their_marks() -> None:
    """A figure gives its description, a quotation and a comment a quote mark on each line."""
    builder = DocumentBuilder(SOURCE)
    builder.paragraph("[图]", PLACE, kind="figure", alt="接线图")
    builder.paragraph("甲\n乙", PLACE, kind="quote")
    assert _whole(builder.finish()) == "![接线图]()\n\n> 甲\n> 乙"
