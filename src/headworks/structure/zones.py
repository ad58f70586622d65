"""Zones: cover, contents, body, appendices, signature, as stretches that cover the whole text.

Takes the document, its headings, contents blocks and a profile, gives zones in order. Never
leaves a code point without a zone. The profile names the states and what moves one to another.
"""

import re
from collections.abc import Sequence

from headworks.model.document import Block, Document
from headworks.model.outline import Heading, Zone, ZoneKind
from headworks.model.place import PagePlace, PartPlace, Span
from headworks.structure.profiles import ProfileRules
from headworks.structure.wording import is_form_line

_SENTENCE = re.compile(r"[。；;]\s*$")
_LONG = 60
# A signature block opens only where most of the text has gone by, or a heading's text ended.
_SIGNING = re.compile(
    r"^\s*(?:\(\s*)?(?:以下无正文|此页无正文|本页无正文|签署页|签字页|签章页)|"
    r"^\s*(?:甲|乙|丙|买|卖|需|供|出租|承租|发包|承包|委托|受托|采购|出让|受让|转让|定作|承揽)\s*(?:方|人)\s*"
    r"(?:\([^()]{0,12}\))?\s*[:(]?[^。]{0,30}(?:\(?\s*(?:盖章|签章|签字|公章|签名|盖公章|签字盖章|印章))|"
    r"^\s*(?:甲|乙|买|卖|需|供|出租|承租|发包|承包|委托|受托)\s*(?:方|人)\s*(?:\([^()]{0,12}\))?\s*:|"
    r"^\s*(?:法定代表人|授权代表|委托代理人|法人代表|签约代表)[^。]{0,20}(?:签字|签章|签名|盖章)?\s*[:(]|"
    r"^\s*in witness whereof|^\s*(?:signed|signature)s?\b"
)


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
    state: ZoneKind = "cover" if cover else "body"
    name: str | None = None
    found: list[Zone] = []
    start, level = 0, 1
    by_block = {heading.block: heading for heading in reversed(headings) if heading.kind != "title"}
    for index, block in enumerate(document.blocks):
        if block.role not in ("body", "contents"):
            continue
        trigger = _trigger(document, index, contents, cover, (by_block, level))
        target = rules.moves.get(state, {}).get(trigger)
        if target is None or (target == state and target != "appendix"):
            continue
        at = _first_furniture(document, index) if start < block.span.start else block.span.start
        if at > start:
            found.append(Zone(state, name, Span(start, at)))
        start, state = at, target
        name = by_block[index].text if target == "appendix" and index in by_block else None
        level = by_block[index].level if name is not None else 1
    found.append(Zone(state, name, Span(start, len(document.text))))
    return tuple(found)


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
    around: tuple[dict[int, Heading], int],
) -> str:
    block = document.blocks[index]
    if index in contents:
        return "contents"
    if block.span.start < cover:
        return "cover"
    by_block, level = around
    heading = by_block.get(index)
    if heading is not None:
        if heading.kind == "appendix":
            return "appendix"
        return "part" if heading.level <= level else "heading"
    if _signs(document, index):
        return "signature"
    return "text"


def _signs(document: Document, index: int) -> bool:
    """Tell whether a block opens the signatures: it signs, and the lines after it do too."""
    block = document.blocks[index]
    text, folded = document.text, document.folded
    if block.kind == "table":
        if len(block.span) >= 600 or block.span.start <= len(text) * 0.3:
            return False
        cells = folded[block.span.start : block.span.end]
        return bool(re.search(r"盖章|签字|签章|公章", cells)) and bool(
            re.search(r"[甲乙]\s*方|代表|委托人", cells)
        )
    if block.kind != "paragraph" or len(block.span) > 160:
        return False
    if block.span.start < len(text) * 0.3:
        return False
    if _SIGNING.search(folded[block.span.start : block.span.end]) is None:
        return False
    lines = near = 0
    for after in document.blocks[index + 1 : index + 9]:
        if after.role != "body" or after.kind != "paragraph":
            continue
        lines += 1
        near += len(after.span) < 80 and (
            is_form_line(folded, after.span.start, after.span.end)
            or _SIGNING.search(folded[after.span.start : after.span.end]) is not None
        )
    return near >= 1 or lines <= 1
