from headworks.assembly.boxes import blocks_in, boxes, pages, width
from headworks.assembly.shapes import BoxRecord
from headworks.model.document import Document, Source
from headworks.model.place import Box, PagePlace, PartPlace, Span
from headworks.readers.builder import DocumentBuilder
from tests.build.outcome import BODY_2, built, structured

SOURCE = Source("0" * 64, "a.pdf", "application/pdf", 1)


def _paged(*lines: tuple[str, Box]) -> Document:
    builder = DocumentBuilder(SOURCE)
    for text, box in lines:
        builder.lined_paragraph([(text, box)], PagePlace(box.page, box.page))
    return builder.finish()


def test_a_sentence_gets_its_own_box() -> None:
    """A range within a line is narrowed by the width of its characters, Han twice as wide."""
    document = _paged(("甲方ab乙方", Box(1, 100, 10, 200, 20)))
    assert boxes(document, [Span(0, 2)]) == [BoxRecord(1, 100, 10, 140, 20)]
    assert boxes(document, [Span(2, 4)]) == [BoxRecord(1, 140, 10, 160, 20)]
    assert boxes(document, [Span(4, 6)]) == [BoxRecord(1, 160, 10, 200, 20)]


def test_lines_of_a_paragraph_become_one_rectangle() -> None:
    """Lines that follow one another on a page are shown as one rectangle."""
    document = _paged(
        ("第一行", Box(1, 90, 100, 300, 112)),
        ("第二行", Box(1, 90, 118, 260, 130)),
        ("远处", Box(1, 90, 500, 200, 512)),
    )
    found = boxes(document, [Span(0, len(document.text))])
    assert found == [BoxRecord(1, 90, 100, 300, 130), BoxRecord(1, 90, 500, 200, 512)]


def test_columns_stay_apart() -> None:
    """The top of the next column is not joined with the bottom of the one before."""
    document = _paged(
        ("左栏末行", Box(1, 50, 700, 250, 712)), ("右栏首行", Box(1, 300, 80, 500, 92))
    )
    assert len(boxes(document, [Span(0, len(document.text))])) == 2


def test_cells_of_a_row_become_one_rectangle() -> None:
    """A table's cells, side by side and row under row, are shown as the table."""
    document = structured()
    table = next(block for block in document.blocks if block.table)
    assert boxes(document, [table.span]) == [BoxRecord(2, 90, 120, 390, 180)]
    assert table.table is not None
    assert boxes(document, [table.table.row_span(1, 2)]) == [BoxRecord(2, 90, 140, 390, 160)]


def test_a_clause_over_two_pages_has_boxes_on_both() -> None:
    """A range that goes on overleaf has a box on each page, and both page numbers."""
    document = structured()
    start = document.text.index(BODY_2)
    span = Span(start, start + len(BODY_2))
    found = boxes(document, [span])
    assert [box.page for box in found] == [1, 2]
    assert pages(blocks_in(document, [span]), found) == [1, 2]


def test_a_box_lies_on_every_page_of_its_chunk() -> None:
    """Each chunk of a paged document has boxes on just the pages it names."""
    outcome = built()
    for chunk in outcome.chunks:
        found = boxes(outcome.document, chunk.spans)
        assert {box.page for box in found} == set(
            pages(blocks_in(outcome.document, chunk.spans), found)
        )


def test_pages_of_a_flowing_source_are_the_rendered_ones() -> None:
    """Where a paragraph knows its rendered page it is given; where none does, there is no page."""
    builder = DocumentBuilder(SOURCE)
    builder.paragraph("一", PartPlace("word/document.xml", 0, 3))
    builder.paragraph("二", PartPlace("word/document.xml", 1))
    document = builder.finish()
    assert pages(document.blocks[:1], []) == [3]
    assert pages(document.blocks[1:], []) == []


def test_each_block_is_met_once() -> None:
    """A block that two ranges of a chunk touch is given once."""
    document = _paged(("甲乙丙丁", Box(1, 0, 0, 40, 10)), ("戊己", Box(1, 0, 12, 20, 22)))
    ids = [block.id for block in blocks_in(document, [Span(0, 1), Span(3, 4), Span(5, 6)])]
    assert ids == [0, 1]


def test_width_counts_columns() -> None:
    """Han characters are two columns wide, Latin ones one."""
    assert width("ab中文") == 6
