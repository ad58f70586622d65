"""The codec: a document comes back as it was, whatever it holds."""

from array import array

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.model import codec
from headworks.model.document import Document, Source, Style
from headworks.model.outline import Zone
from headworks.model.place import Box, CellPlace, PagePlace, PartPlace, SlidePlace, Span
from headworks.readers.builder import DocumentBuilder

PLACES = st.one_of(
    st.builds(PartPlace, st.just("word/document.xml"), st.integers(0, 9)),
    st.builds(PagePlace, st.integers(1, 5), st.integers(5, 9)),
    st.builds(CellPlace, st.just("表"), st.integers(0, 9), st.integers(0, 9), st.booleans()),
    st.builds(SlidePlace, st.integers(1, 9), st.just("标题")),
)
STYLES = st.builds(
    Style,
    name=st.sampled_from([None, "heading 1"]),
    size=st.sampled_from([None, 10.5, 16.0]),
    bold=st.booleans(),
)


def source() -> Source:
    """Give a source."""
    return Source("0" * 64, "合同.docx", "text/plain", 12)


@given(
    st.lists(st.tuples(st.text("甲乙ab\n", min_size=1), PLACES, STYLES, st.integers(0, 3))),
    st.lists(st.lists(st.text("值x", max_size=3), min_size=1, max_size=3), max_size=3),
)
def test_round_trip(
    paragraphs: list[tuple[str, object, Style, int]], rows: list[list[str]]
) -> None:
    """Encode and decode are each other's inverse."""
    builder = DocumentBuilder(source())
    for text, place, style, lead in paragraphs:
        builder.paragraph(text, place, style=style, lead_bold=lead)  # type: ignore[arg-type]
    if rows:
        builder.table(rows, PagePlace(1, 1), grid={"header_rows": 1, "merges": [(0, 0, 1, 1)]})
    builder.lined_paragraph([("行一", Box(1, 0.0, 1.0, 2.0, 3.0))], PagePlace(1, 1))
    builder.problem("W_HIDDEN", "x")
    document = builder.finish()
    assert codec.decode(codec.encode(document)) == document


def test_later_layers_come_along() -> None:
    """What the passes added is kept too, and equal looks are one value afterwards."""
    builder = DocumentBuilder(source())
    for number in range(3):
        builder.paragraph("文", PartPlace("p", number), style=Style(bold=True))
    builder.grid_text(["a\tb"], array("I", [0, 2]), CellPlace("表", 0, 0), columns=2)
    document = msgspec.structs.replace(
        builder.finish(), zones=(Zone("body", None, Span(0, 9)),), steps=("read", "structure")
    )
    back = codec.decode(codec.encode(document))
    assert back == document
    assert back.blocks[0].style is back.blocks[1].style


def test_every_field_of_a_block_is_carried() -> None:
    """A field that somebody adds to blocks is not lost on the way."""
    builder = DocumentBuilder(source())
    builder.paragraph(
        "批注", PartPlace("p", 0), kind="comment", author="王", date="2024", confidence=0.5
    )
    document = builder.finish()
    assert codec.decode(codec.encode(document)).blocks == document.blocks


@pytest.mark.parametrize("raw", [b"", b"\x00", msgspec.msgpack.encode([2, 1])])
def test_other_bytes_are_refused(raw: bytes) -> None:
    """Bytes of another layout are a DecodeError."""
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(raw)


def test_version_is_checked() -> None:
    """A document of another version of the layout is refused."""
    document = Document(source(), "", ())
    raw = bytearray(codec.encode(document))
    raw[1] = codec.VERSION + 1
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(raw)
