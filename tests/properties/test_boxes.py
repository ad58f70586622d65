from hypothesis import given
from hypothesis import strategies as st

from headworks.assembly.boxes import boxes, pages
from headworks.model.document import Document, Source
from headworks.model.place import Box, PagePlace, Span
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("0" * 64, "a.pdf", "application/pdf", 1)


@st.composite
def paged(draw: st.DrawFn) -> Document:
    """Give a document of lines with boxes, down one page after another."""
    builder = DocumentBuilder(SOURCE)
    page, top = 1, 50.0
    for text in draw(st.lists(st.text("甲乙，a1 （）", min_size=1, max_size=30), max_size=30)):
        if draw(st.booleans()) and draw(st.booleans()):
            page, top = page + 1, 50.0
        left = draw(st.floats(0, 300))
        box = Box(page, left, top, left + 10.0 * len(text), top + 12)
        builder.lined_paragraph([(text, box)], PagePlace(page, page))
        top += draw(st.floats(10, 60))
    return builder.finish()


@given(paged(), st.data())
def test_boxes_lie_within_the_lines_they_cover(document: Document, drawn: st.DataObject) -> None:
    """Each rectangle lies on a page of the range, within the hull of the lines it touches."""
    size = len(document.text)
    start = drawn.draw(st.integers(0, size))
    span = Span(start, drawn.draw(st.integers(start, size)))
    found = boxes(document, [span])
    touched = [box for _, _, box in document.lines.within(span)]
    assert {box.page for box in found} == {box.page for box in touched}
    for box in found:
        own = [line for line in touched if line.page == box.page]
        assert min(line.x0 for line in own) - 0.1 <= box.x0 <= box.x1 + 0.1
        assert box.x1 <= max(line.x1 for line in own) + 0.1
        assert min(line.y0 for line in own) - 0.1 <= box.y0
        assert box.y1 <= max(line.y1 for line in own) + 0.1


@given(paged(), st.integers(0, 400))
def test_two_halves_cover_what_the_whole_does(document: Document, cut: int) -> None:
    """Cutting a range in two loses no page: every line is under a box of one half or the other."""
    size = len(document.text)
    cut = min(cut, size)
    whole = boxes(document, [Span(0, size)])
    halves = [*boxes(document, [Span(0, cut)]), *boxes(document, [Span(cut, size)])]
    assert set(pages(document.blocks, whole)) == {box.page for box in halves}
    for box in whole:
        own = [half for half in halves if half.page == box.page]
        assert min(half.x0 for half in own) <= box.x0 + 0.1
        assert max(half.x1 for half in own) >= box.x1 - 0.1
