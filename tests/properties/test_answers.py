import json

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.assembly.answer_page import escaped
from headworks.assembly.answers import read_answer
from headworks.assembly.figures import comparable, missing
from headworks.assembly.join import overlapped
from headworks.assembly.leaving import Leaving
from headworks.assembly.locating import Library, bare
from headworks.assembly.prompts import schema_of
from headworks.assembly.shapes import RedactionRecord
from headworks.assembly.statements import statements
from headworks.model.place import Span
from headworks.model.verdict import Edit
from headworks.privacy.tokens import apply
from tests.build.delivery import chunks_of

WORDS = st.text(alphabet="甲乙丙方付款交货违约金10%万元，。 \nabＡ１", min_size=1, max_size=80)
SECOND = chunks_of()[1]
SCHEMA = schema_of("answer")


@st.composite
def redacted(draw: st.DrawFn) -> tuple[str, list[Span], list[Edit]]:
    """Give a text, ranges of it that make a chunk, and edits without overlaps."""
    text = draw(WORDS)
    edges = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=6)))
    spans = [Span(*pair) for pair in zip(edges[::2], edges[1::2], strict=False)]
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=6)))
    edits = [
        Edit(Span(*pair), "X", f"[X_{number}]", "r")
        for number, pair in enumerate(zip(cuts[::2], cuts[1::2], strict=False))
    ]
    return text, spans, edits


@given(redacted())
@settings(max_examples=120, deadline=None)
def test_delivered_text_leads_back_to_its_characters(
    case: tuple[str, list[Span], list[Edit]],
) -> None:
    """Each character outside a token leads to itself, each token's to a range of its edit."""
    text, spans, edits = case
    inside = [edit for edit in edits if any(edit.span.meets(span) for span in spans)]
    delivered = apply(text, inside, spans)
    chunk = msgspec.structs.replace(
        SECOND,
        text="".join(text[span.start : span.end] for span in spans),
        spans=[(span.start, span.end) for span in spans],
        delivered=delivered,
        redactions=[
            RedactionRecord("X", edit.span.start, edit.span.end, edit.token, "r") for edit in inside
        ],
    )
    leaving = Leaving(chunk)
    assert leaving.text == delivered
    for at, char in enumerate(delivered):
        for span in leaving.ranges(Span(at, at + 1)):
            hidden = any(edit.span.start <= span.start < edit.span.end for edit in inside)
            assert hidden or text[span.start : span.end] == char


@given(WORDS, st.data())
@settings(max_examples=80, deadline=None)
def test_any_stretch_of_a_chunk_is_found_where_it_stands(text: str, data: st.DataObject) -> None:
    """A quote taken from a chunk is located exactly, in the same words."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    chunk = msgspec.structs.replace(SECOND, text=text, delivered=None, redactions=[],
                                    spans=[(0, len(text))])  # fmt: skip
    found = Library([Leaving(chunk)]).locate(quote, [chunk.id])
    if found is not None and found.how == "exact" and len(found.spans) == 1:
        there = text[found.spans[0].start : found.spans[0].end]
        assert bare(there) in bare(quote)


@given(WORDS, WORDS, WORDS)
@settings(max_examples=80, deadline=None)
def test_joined_answers_begin_and_end_as_theirs(first: str, shared: str, second: str) -> None:
    """Whatever is joined begins with the first and ends with the second; nothing is added."""
    left, right = first + shared, shared + second
    joined = overlapped(left, right)
    if joined is not None:
        assert len(joined) <= len(left) + len(right)
        assert joined.endswith(right[-1])
        assert joined.startswith(left[0])


@given(st.text(max_size=200))
@settings(max_examples=80, deadline=None)
def test_no_answer_breaks_its_reader(body: str) -> None:
    """Any text is read in some layer, and statements can be made of it."""
    for schema in (None, SCHEMA):
        statements(read_answer(body, schema))


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=9)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=12,
)


@given(JSON)
@settings(max_examples=80, deadline=None)
def test_any_json_can_be_said(content: object) -> None:
    """Statements can be made of an answer in any form."""
    for statement in statements(read_answer(json.dumps(content, ensure_ascii=False))):
        assert statement


@given(WORDS)
@settings(max_examples=80, deadline=None)
def test_a_text_lacks_no_number_of_its_own(text: str) -> None:
    """What is said in the source's own words is never marked for its numbers."""
    assert missing(text, text) == []
    assert comparable(text) == comparable(text.replace(" ", "  "))


@given(st.text(max_size=80))
@settings(max_examples=80, deadline=None)
def test_no_text_opens_markup(text: str) -> None:
    """In answer.md no bracket, star or angle of a text is without its backslash."""
    shown = escaped(text)
    at = 0
    while at < len(shown):
        if shown[at] == "\\":
            at += 2
            continue
        assert shown[at] not in "`*_[]<>|#~"
        at += 1
