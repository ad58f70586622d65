"""The ledger's check finds every kind of fault, by itself."""

from collections.abc import Callable

import msgspec
import pytest

from headworks.chunking.base import Cut
from headworks.chunking.cut import cut
from headworks.chunking.joining import join
from headworks.chunking.ledger import check, renew
from headworks.config import ChunkSettings
from headworks.errors import FaultError
from headworks.model.chunk import Chunk, LedgerEntry
from headworks.model.document import Document, Removed
from headworks.model.place import Span
from tests.build.document import build

LINES = "# 第一条 甲\n甲方付款。\n^机密\n乙方交货。\n# 第二条 乙\n丙方验收。"
SETTINGS = ChunkSettings()


def _cut() -> tuple[Document, Cut]:
    document = build(LINES)
    return document, cut(document, SETTINGS)


def _with_span(chunk: Chunk, change: int) -> Chunk:
    last = chunk.spans[-1]
    spans = (*chunk.spans[:-1], Span(last.start, last.end + change))
    return msgspec.structs.replace(chunk, spans=spans, chars=chunk.chars + change)


BROKEN: list[tuple[str, Callable[[Cut], Cut]]] = [
    ("a chunk lost", lambda r: msgspec.structs.replace(r, chunks=r.chunks[:1])),
    ("a ledger entry lost", lambda r: msgspec.structs.replace(r, ledger=())),
    (
        "a character lost",
        lambda r: msgspec.structs.replace(r, chunks=(_with_span(r.chunks[0], -1), r.chunks[1])),
    ),
    (
        "a character twice",
        lambda r: msgspec.structs.replace(r, chunks=(_with_span(r.chunks[0], 3), r.chunks[1])),
    ),
    ("a chunk twice", lambda r: msgspec.structs.replace(r, chunks=(*r.chunks, r.chunks[1]))),
    ("out of order", lambda r: msgspec.structs.replace(r, chunks=r.chunks[::-1])),
    (
        "miscounted",
        lambda r: msgspec.structs.replace(
            r, chunks=(msgspec.structs.replace(r.chunks[0], chars=3), r.chunks[1])
        ),
    ),
    (
        "overlap that is none",
        lambda r: msgspec.structs.replace(
            r, ledger=(*r.ledger, LedgerEntry("overlap", 0, 3, 3, ""))
        ),
    ),
    (
        "outside the text",
        lambda r: msgspec.structs.replace(
            r, ledger=(*r.ledger, LedgerEntry("page_header", 0, 10_000, 3, ""))
        ),
    ),
]


@pytest.mark.parametrize(("name", "breaking"), BROKEN, ids=[name for name, _ in BROKEN])
def test_each_fault_is_found(name: str, breaking: Callable[[Cut], Cut]) -> None:
    """Lost, doubled, unordered and miscounted text is E_LEDGER."""
    document, result = _cut()
    broken = breaking(result)
    with pytest.raises(FaultError) as caught:
        check(document, broken.chunks, broken.ledger)
    assert caught.value.code == "E_LEDGER", name


def test_a_clause_cut_that_fits_is_found() -> None:
    """Chunks made for a smaller ceiling break the promise of a larger one."""
    document = build(LINES)
    small = cut(document, ChunkSettings(max_chars=8, min_chars=0))
    check(document, small.chunks, small.ledger)
    with pytest.raises(FaultError, match="clause"):
        check(document, small.chunks, small.ledger, SETTINGS)


def test_a_chunk_over_the_ceiling_is_found() -> None:
    """Chunks made for a larger ceiling break the promise of a smaller one."""
    document, result = _cut()
    with pytest.raises(FaultError, match="over 5"):
        check(document, result.chunks, result.ledger, ChunkSettings(max_chars=5, min_chars=0))


def test_removed_characters_are_counted_without_a_range() -> None:
    """What a reader took out of the text is in the ledger, with its count and no range."""
    document = msgspec.structs.replace(build(LINES), removed=(Removed("invisible", 3, "page 1"),))
    result = cut(document, SETTINGS)
    assert result.ledger[-1] == LedgerEntry("invisible", None, None, 3, "page 1")


def test_joined_chunks_balance_again() -> None:
    """Two chunks joined by a rule give one with a new id, and the ledger still balances."""
    document, result = _cut()
    one = join(document, SETTINGS, *result.chunks)
    assert one is not None
    assert one.id not in {chunk.id for chunk in result.chunks}
    assert one.text_in(document.text).endswith("乙方交货。\n第二条 乙\n丙方验收。")
    check(document, [one], renew(document, result.ledger, [one]), SETTINGS)


def test_no_join_over_the_ceiling_across_zones_or_over_text() -> None:
    """A join that would break a promise is refused."""
    document, result = _cut()
    assert join(document, ChunkSettings(max_chars=20, min_chars=0), *result.chunks) is None
    assert join(document, SETTINGS, *result.chunks[::-1]) is None
    zoned = build("# 第一条 甲\n一。\n@appendix 附件一\n# 附件一 乙\n二。")
    assert join(zoned, SETTINGS, *cut(zoned, SETTINGS).chunks) is None
    three = build("# 第一条 甲\n一。\n# 第二条 乙\n二。\n# 第三条 丙\n三。")
    first, _, third = cut(three, SETTINGS).chunks
    assert join(three, SETTINGS, first, third) is None
