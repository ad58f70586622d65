"""Zones: cover, contents, body, appendices, signature, as stretches that cover the whole text.

Takes the document, its headings, contents blocks and a profile, gives zones in order. Never
leaves a code point without a zone. The profile names the states and what moves one to another.
"""

import re
from collections.abc import Mapping, Sequence

from headworks.model.document import Block, Document
from headworks.model.outline import Heading, Zone, ZoneKind
from headworks.model.place import PagePlace, PartPlace, Span
from headworks.structure.profiles import ProfileRules
from headworks.structure.signing import signs
from headworks.structure.wording import is_form_line, reading

_SENTENCE = re.compile(r"[。；;]\s*$")
_LONG = 60
# An appendix whose heading is its number, or that and an aside, is named by the line below.
_UNNAMED = re.compile(r"\s*(?:[(（][^()（）]{2,12}[)）])?\s*[:：]?\s*$")
_MAX_NAME = 60
# With so few lines above its text, an attachment has no cover of its own.
_FEW = 2


def cover_end(
    document: Document,
    contents: frozenset[int],
    heads: Sequence[int],
    lines: frozenset[int],
    rules: ProfileRules,
) -> int:
    """Give where the cover ends: at the contents, the first heading or the first running text.

    ``heads`` are starts of what will surely be a heading, ``lines`` blocks set like one: such a
    line right above running text heads it and is no part of the cover. Zero where there is none.
    """
    first = min(heads, default=len(document.text))
    seen = 0
    above = -1
    for index, block in enumerate(document.blocks):
        if block.role != "body":
            continue
        if (
            index in contents
            or block.span.end > first
            or _runs(document, block)
            or seen >= rules.cover_blocks
            or (_page(block) or 1) > rules.cover_pages
        ):
            if above in lines and index not in contents and block.span.end <= first:
                return document.blocks[above].span.start if seen > 2 else 0
            return block.span.start if seen > 1 else 0
        seen += 1
        above = index
    return 0


def _runs(document: Document, block: Block) -> bool:
    """Tell whether a block is running text."""
    if block.kind != "paragraph":
        return False
    length = len(block.span)
    if length >= 16 and _SENTENCE.search(document.text, block.span.start, block.span.end):
        return True
    return length >= _LONG and any(
        mark in document.text[block.span.start : block.span.end] for mark in "。，；"
    )


def _page(block: Block) -> int | None:
    if isinstance(block.place, PagePlace):
        return block.place.page
    return block.place.page if isinstance(block.place, PartPlace) else None


def zones(
    document: Document,
    headings: Sequence[Heading],
    contents: frozenset[int],
    cover: int,
    rules: ProfileRules,
) -> tuple[Zone, ...]:
    """Give the zones, which cover the text."""
    if not document.blocks:
        whole = Span(0, len(document.text))
        return (Zone("body", None, whole),) if document.text else ()
    first = next((heading for heading in headings if heading.kind == "title"), None)
    by_block = {heading.block: heading for heading in reversed(headings) if heading is not first}
    edges = [heading.span.start for heading in headings if heading.level == 0][1:]
    if sum(block.span.start < cover for block in document.blocks) <= _FEW and _is_attached(
        document, by_block
    ):
        cover = 0
    state: ZoneKind = "cover" if cover else "body"
    name: str | None = None
    found: list[Zone] = []
    start, level = 0, 1
    for index, block in enumerate(document.blocks):
        if block.role not in ("body", "contents"):
            continue
        trigger = _trigger(document, index, contents, cover, (by_block, level, edges))
        moves = rules.moves.get(state, {})
        if trigger == "text" and "running" in moves and _runs(document, block):
            trigger = "running"
        target = moves.get(trigger)
        if target is None or (target == state and target != "appendix"):
            continue
        at = _first_furniture(document, index) if start < block.span.start else block.span.start
        if at > start:
            found.append(Zone(state, name, Span(start, at)))
        start, state = at, target
        opens = target == "appendix" and index in by_block
        name = _name(document, by_block[index], index) if opens else None
        # A file that begins as an attachment is one, to its end.
        level = 0 if opens and not found else by_block[index].level if opens else 1
    found.append(Zone(state, name, Span(start, len(document.text))))
    return tuple(found)


def _is_attached(document: Document, by_block: Mapping[int, Heading]) -> bool:
    """Tell whether the file itself is an attachment: 附件一 stands above its title."""
    first = next((i for i, block in enumerate(document.blocks) if block.role == "body"), 0)
    return first in by_block and by_block[first].kind == "appendix"


def _name(document: Document, heading: Heading, index: int) -> str:
    """Give an appendix its name: its heading, with the title on the next line where it has none."""
    if not _UNNAMED.fullmatch(heading.title):
        return heading.text
    named = [heading.text]
    for after in document.blocks[index + 1 : index + 5]:
        start, end = after.span.start, after.span.end
        if after.role != "body" or start < heading.span.end:
            continue
        if after.kind != "paragraph" or end - start > _MAX_NAME:
            break
        words = " ".join(document.slice(after.span).split())
        if _UNNAMED.fullmatch(words):
            named.append(words)
            continue
        form = is_form_line(document.folded, start, end)
        if not form and reading(document.folded, start, end, bold=True) == "title":
            named.append(words)
        break
    return " ".join(named)


def _first_furniture(document: Document, index: int) -> int:
    """Give where a zone begins that opens with this block: page headers before it go with it."""
    at = index
    while at and document.blocks[at - 1].role in ("page_header",):
        at -= 1
    return document.blocks[at].span.start


def _trigger(
    document: Document,
    index: int,
    contents: frozenset[int],
    cover: int,
    around: tuple[dict[int, Heading], int, Sequence[int]],
) -> str:
    block = document.blocks[index]
    if index in contents:
        return "contents"
    if block.span.start < cover:
        return "cover"
    by_block, level, edges = around
    heading = by_block.get(index)
    if heading is not None:
        if heading.kind == "appendix":
            return "appendix"
        return "part" if heading.level <= level else "heading"
    if signs(document, index, by_block, edges):
        return "signature"
    return "text"
