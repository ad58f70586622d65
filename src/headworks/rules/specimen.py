"""A small document made from an example's text and context, to run rules on.

Takes a text and where it is supposed to stand, gives a document with chunks. Never reads a file.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from headworks.model.chunk import Chunk, ChunkKind
from headworks.model.document import Block, BlockKind, Document, Metadata, Role, Source
from headworks.model.folding import fold
from headworks.model.outline import CrossRef, Heading, Zone, ZoneKind
from headworks.model.place import PagePlace, Span
from headworks.rules.corpus import read_corpus, write_corpus
from headworks.rules.fingerprint import fingerprints
from headworks.rules.view import View

_ZONES: dict[str, ZoneKind] = {
    "附件": "appendix", "附录": "appendix", "appendix": "appendix", "封面": "cover",
    "cover": "cover", "目录": "contents", "contents": "contents", "签署页": "signature",
    "签字页": "signature", "signature": "signature", "正文": "body", "body": "body",
    "条款": "body", "clause": "body",
}  # fmt: skip
_KINDS: dict[str, ChunkKind] = {
    "table": "table", "表格": "table", "sheet": "sheet", "clause": "clause", "list": "list",
    "figure": "figure", "code": "code", "slide": "slide", "note": "note",
}  # fmt: skip
_FEATURES: dict[str, tuple[BlockKind, Role]] = {
    "comment": ("comment", "body"), "批注": ("comment", "body"),
    "figure": ("figure", "body"), "图片": ("figure", "body"),
    "revision": ("paragraph", "deleted_revision"), "修订": ("paragraph", "deleted_revision"),
    "formula": ("formula", "body"), "code": ("code", "body"), "table": ("table", "body"),
}  # fmt: skip


def specimen(text: str, context: Mapping[str, Any]) -> tuple[Document, list[Chunk], int]:
    """Give a document, its chunks, and which of them is the example's."""
    before, after = str(context.get("previous", "")), str(context.get("next", ""))
    section = str(context.get("section", "") or context.get("title", ""))
    pieces = [piece for piece in (before, section, text, after) if piece]
    whole = "\n".join(pieces)
    at = len(before) + 1 if before else 0
    own_start = at + (len(section) + 1 if section else 0)
    place = str(context.get("place") or context.get("zone") or "")
    zone: ZoneKind = next((kind for name, kind in _ZONES.items() if place.startswith(name)), "body")
    headings = _headings(section, at, own_start + len(text), in_clause=place in ("条款", "clause"))
    page = _whole(context.get("page"), 1)
    document = Document(
        source=Source("0" * 64, str(context.get("filename", "example.txt")), "text/plain", 0),
        text=whole,
        blocks=tuple(_blocks(whole, own_start, text, context, page)),
        metadata=Metadata(pages=_whole(context.get("pages"), max(1, page))),
        zones=(Zone(zone, place if zone == "appendix" else None, Span(0, len(whole))),),
        headings=headings,
        refs=tuple(_refs(context.get("references", ()), own_start, text)),
    )
    spans = _spans(before, own_start, text, after)
    own = 1 if before else 0
    kind = _KINDS.get(str(context.get("kind", "")), "clause" if place in ("", "条款") else "text")
    chunks = [
        Chunk(
            f"example-{number}", "", number, (span,), kind if number == own else "text", zone,
            tuple(heading.id for heading in headings), len(span), 0,
        )
        for number, span in enumerate(spans)
    ]  # fmt: skip
    return document, chunks, own


def set_scene(view: View, context: Mapping[str, Any]) -> None:
    """Give an example's view the tags and the other files that its context names."""
    tags = context.get("tags", ())
    view.tags = frozenset([tags] if isinstance(tags, str) else [str(tag) for tag in tags])
    others = context.get("elsewhere", ())
    texts = [others] if isinstance(others, str) else [str(text) for text in others]
    prints = {f"other {number}": fingerprints(fold(text)) for number, text in enumerate(texts)}
    view.surroundings.memo["corpus"] = read_corpus(write_corpus(prints), "elsewhere")


def _spans(before: str, own_start: int, text: str, after: str) -> list[Span]:
    spans = [Span(0, len(before) + 1)] if before else []
    end = own_start + len(text)
    spans.append(Span(own_start, end + (1 if after else 0)))
    if after:
        spans.append(Span(end + 1, end + 1 + len(after)))
    return spans


def _headings(section: str, at: int, end: int, *, in_clause: bool) -> tuple[Heading, ...]:
    if not section and not in_clause:
        return ()
    said = section or "条款"
    span = Span(at, at + len(section))
    return (Heading(0, None, 1, "clause", 0, span, Span(at, end), said, said),)


def _blocks(
    whole: str, own_start: int, text: str, context: Mapping[str, Any], page: int
) -> Sequence[Block]:
    has = context.get("has", ())
    features = [has] if isinstance(has, str) else list(has)
    kind: BlockKind = (
        "table" if _KINDS.get(str(context.get("kind", ""))) == "table" else "paragraph"
    )
    role: Role = "body"
    for feature in features:
        kind, role = _FEATURES.get(str(feature), (kind, role))
    found: list[Block] = []
    position = 0
    for line in whole.split("\n"):
        span = Span(position, position + len(line))
        own = own_start <= position < own_start + max(1, len(text))
        found.append(
            Block(
                len(found), kind if own else "paragraph", span, PagePlace(page, page),
                role if own else "body",
            )
        )  # fmt: skip
        position += len(line) + 1
    return found


def _refs(references: Any, start: int, text: str) -> list[CrossRef]:
    listed = [references] if isinstance(references, str) else list(references)
    span = Span(start, start + len(text))
    return [
        CrossRef(
            span, str(said), str(said).strip("《》"),
            "external" if str(said).startswith("《") else "resolved",
        )
        for said in listed
    ]  # fmt: skip


def _whole(value: Any, default: int) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        return default
