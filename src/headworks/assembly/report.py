"""``report.html``: one self-contained page over a document's records.

Takes the records and page pictures, gives HTML. Never fetches anything, never trusts a document's
words: they travel as escaped JSON, are shown as text, and the page runs its own script alone.
"""

import html
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from headworks.assembly.page_frame import embedded, hashed
from headworks.assembly.shapes import (
    ChunkRecord,
    DocumentRecord,
    LedgerRecord,
    WarningRecord,
)
from headworks.codes import CODES
from headworks.details import in_chinese
from headworks.model.document import PageSize
from headworks.privacy.veil import Veil

# A page that a browser opens at once: beyond it chunks.jsonl is the place to look.
_MOST_CHUNKS = 3000
_MOST_CHARS = 3_000_000
_MOST_LINES = 500


def report(
    document: DocumentRecord,
    chunks: Sequence[ChunkRecord],
    ledger: Sequence[LedgerRecord],
    sizes: Sequence[PageSize] = (),
    pictures: Mapping[int, bytes] | None = None,
    veil: Veil | None = None,
) -> bytes:
    """Give the page. ``pictures`` are PNG by page number; pages without one show their boxes.

    With a ``veil`` no word that was redacted is on it.
    """
    if veil is not None:
        document, ledger = veil.over(document), [veil.over(entry) for entry in ledger[:_MOST_LINES]]
    kept = _kept(chunks)
    content = {
        **_told(document),
        "outline": _outline(document, kept),
        "references": _references(document, kept),
        "chunks": [
            {**_card(chunk), "start": start}
            for chunk, start in zip(kept, _own_starts(kept), strict=True)
        ],
        "left": len(chunks) - len(kept),
        "ledger": ledger[:_MOST_LINES],
        "sizes": [(size.width, size.height) for size in sizes],
        "pictures": {
            number: "data:image/png;base64," + b64encode(picture).decode()
            for number, picture in (pictures or {}).items()
        },
    }
    before, between, after = _frame()
    title = html.escape(content["title"] or document.source.name)
    return b"".join((before, title.encode("utf-8", "replace"), between, embedded(content), after))


def renewed(
    page: bytes, before: DocumentRecord, document: DocumentRecord, chunks: Sequence[ChunkRecord]
) -> bytes:
    """Give a page with references that lead to other files, and without what was warned of them.

    ``before`` is the record that the page was made of. All words that stand on it stay: of some
    the records have the originals, and the page has what stands for them.
    """
    _, between, after = _frame()
    start = page.index(between) + len(between)
    content = msgspec.json.decode(page[start : len(page) - len(after)])
    kept = {id(warning) for warning in document.warnings}
    content["warnings"] = [
        shown
        for shown, one in zip(content["warnings"], before.warnings, strict=False)
        if id(one) in kept
    ]
    for shown, ref in zip(content["references"], document.references, strict=False):
        if ref.folder:
            shown |= {"target": ref.target, "resolved": True, "status": ref.status}
            shown["folder"] = ref.folder
    for card, chunk in zip(content["chunks"], chunks, strict=False):
        card["references"], card["referenced_by"] = chunk.references, chunk.referenced_by
    return page[:start] + embedded(content) + after


@cache
def _frame() -> tuple[bytes, bytes, bytes]:
    """Give the page around title and content, with the hashes its policy asks for."""
    here = files("headworks.assembly") / "page"
    page, style, script = (
        (here / f"report.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
    )
    page = page.replace("{{style-hash}}", hashed(style)).replace("{{script-hash}}", hashed(script))
    page = page.replace("{{style}}", style).replace("{{script}}", script)
    before, _, rest = page.partition("{{title}}")
    between, _, after = rest.partition("{{content}}")
    return before.encode(), between.encode(), after.encode()


def _kept(chunks: Sequence[ChunkRecord]) -> list[ChunkRecord]:
    kept: list[ChunkRecord] = []
    chars = 0
    for chunk in chunks[:_MOST_CHUNKS]:
        chars += len(chunk.text) + len(chunk.markdown) * chunk.has_table
        if chars > _MOST_CHARS and kept:
            break
        kept.append(chunk)
    return kept


def _told(document: DocumentRecord) -> dict[str, Any]:
    metadata = msgspec.structs.asdict(document.metadata)
    # Office programs fill in a title that nobody wrote; the one on the page is the one meant.
    titles = [heading.text for heading in document.outline if heading.level == 0]
    return {
        "name": document.source.name,
        "title": " ".join(titles[0].split()) if titles else metadata["title"],
        "media_type": document.source.media_type,
        "sha256": document.source.sha256,
        "pages": metadata.pop("pages"),
        "metadata": {**metadata, **metadata.pop("more")},
        "profile": document.profile,
        "zones": document.zones,
        "warnings": [_warning(warning) for warning in document.warnings[:_MOST_LINES]],
        "lost": document.lost,
        "versions": document.versions,
        "chars": document.chars,
        "count": document.chunks,
    }


def _warning(warning: WarningRecord) -> dict[str, Any]:
    """Give a warning with its title, its detail and its hint in Chinese and English."""
    entry = CODES.get(warning.code)
    titles = (entry.title_zh, entry.title_en) if entry else ("", "")
    hints = (entry.hint_zh, entry.hint_en) if entry else ("", "")
    return {
        "code": warning.code,
        "place": warning.place,
        "title": titles,
        "message": (in_chinese(warning.message), warning.message),
        "hint": (warning.hint, warning.hint) if warning.hint else hints,
    }


def _card(chunk: ChunkRecord) -> dict[str, Any]:
    """Give what a card shows; the Markdown only where it holds a table."""
    card = msgspec.structs.asdict(chunk)
    for unused in ("document", "previous", "next", "context_before", "context_after", "paragraphs"):
        del card[unused]
    if not chunk.has_table:
        del card["markdown"]
    del card["delivered"]
    if chunk.delivered is not None:
        card["text"] = chunk.delivered
        card["moves"] = _moves(chunk)
    return card


def _moves(chunk: ChunkRecord) -> list[tuple[int, int, int]]:
    """Give, for each range that a token stands for, start and end in the text and its length."""
    moves: list[tuple[int, int, int]] = []
    done: set[int] = set()
    base = 0
    for start, end in chunk.spans:
        for edit in chunk.redactions:
            if edit.start < end and start < edit.end:
                size = 0 if edit.start in done else len(edit.token)
                done.add(edit.start)
                first, last = max(edit.start, start), min(edit.end, end)
                moves.append((base + first - start, base + last - start, size))
        base += end - start
    return moves


def _outline(document: DocumentRecord, chunks: Sequence[ChunkRecord]) -> list[dict[str, Any]]:
    """Give the headings, each with the position of the chunk it begins in."""
    starts = _own_starts(chunks)
    return [
        {
            "id": heading.id,
            "level": heading.level,
            "text": heading.text,
            "start": heading.start,
            "extent": heading.extent,
            "page": heading.page,
            "chunk": _position(starts, chunks, heading.start),
        }
        for heading in document.outline
    ]


def _references(document: DocumentRecord, chunks: Sequence[ChunkRecord]) -> list[dict[str, Any]]:
    starts = _own_starts(chunks)
    return [
        {
            "text": ref.text,
            "target": ref.target,
            "resolved": ref.resolved,
            "status": ref.status,
            "chunk": _position(starts, chunks, ref.target_span[0]) if ref.target_span else -1,
        }
        for ref in document.references[:_MOST_LINES]
    ]


def _own_starts(chunks: Sequence[ChunkRecord]) -> list[int]:
    """Give where each chunk's own text begins: a repeated header stands further up."""
    starts: list[int] = []
    for chunk in chunks:
        header = chunk.part.header if chunk.part else None
        begins = [start for start, end in chunk.spans if (start, end) != header]
        starts.append(max(begins[0] if begins else chunk.start, starts[-1] if starts else 0))
    return starts


def _position(starts: list[int], chunks: Sequence[ChunkRecord], offset: int) -> int:
    """Give the position of the chunk at an offset, or the next one; -1 where there is none."""
    index = bisect_right(starts, offset) - 1
    if index >= 0 and offset < chunks[index].end:
        return index
    return index + 1 if index + 1 < len(chunks) else -1
