"""Captions: the lines that name tables and figures, and what they name.

Takes the document's blocks, gives captions with their label, number and the block they belong to.
Never binds a sentence that speaks of a table: a caption stands alone and is short.
"""

import re
from collections.abc import Sequence

import msgspec

from headworks.model.document import Block, Document
from headworks.model.folding import fold
from headworks.model.outline import Heading
from headworks.model.place import Span

_CAPTION = re.compile(
    r"\s*(?:\[?续\]?\s*)?(图|表|figure|fig\.|table)\s{0,3}((?:[a-z]\s?[.\-]\s?)?\d{1,3}(?:\s?[.\-]\s?\d{1,3}){0,3}|[一二三四五六七八九十]{1,3})"
    r"(?![\d%])(?:[\s:.、]|(?=[^\W\d_]))"
)
# [TABLE: 附件一-采购清单]: the words are its number and its name.
_BRACKETED = re.compile(r"\s*\[\s*(图|表|figure|table)\s*:\s*([^\[\]\n]{1,60})\]\s*$")
_SPEAKS = re.compile(r"^(?:所示|中|的|为|给出|列出|示出|是|可|中的|和|及|与|至|、|以及)")
_SPACES = re.compile(r"\s+")
_MAX_CAPTION, _MAX_ENGLISH = 80, 700


class Caption(msgspec.Struct, frozen=True):
    """A caption: what it labels (图 or 表), the number without spaces, and its places."""

    kind: str
    number: str
    span: Span
    block: int
    target: int | None


def find_captions(document: Document, skipped: frozenset[int]) -> tuple[Caption, ...]:
    """Give the captions in order, and with them the lines of forms such as 表1 授权书."""
    found: list[Caption] = []
    folded = document.folded
    for index, block in enumerate(document.blocks):
        if index in skipped or block.kind not in ("paragraph", "caption") or block.role != "body":
            continue
        if folded[block.span.start] not in " 图表[续ft" or len(block.span) > _MAX_ENGLISH:
            continue
        match = _CAPTION.match(folded, block.span.start, block.span.end)
        marked = _BRACKETED.match(folded, block.span.start, block.span.end)
        if match is None and marked is not None:
            kind = "图" if marked[1] in ("图", "figure") else "表"
            words = document.text[marked.start(2) : marked.end(2)].strip()
            found.append(Caption(kind, words, block.span, index, _target(document, index, kind)))
        if match is None or _SPEAKS.match(folded[match.end() : block.span.end]):
            continue
        english = match[1].isascii() and folded[match.end() - 1] in ":."
        if not english and (len(block.span) > _MAX_CAPTION or folded[block.span.end - 1] in "。;"):
            continue
        kind = "图" if match[1] in ("图", "figure", "fig.") else "表"
        number = _SPACES.sub("", match[2]).replace(".", "-").upper()
        found.append(Caption(kind, number, block.span, index, _target(document, index, kind)))
    return tuple(found)


def with_names(
    document: Document, captions: Sequence[Caption], headings: Sequence[Heading]
) -> tuple[Block, ...]:
    """Give the blocks with tables named by their captions, or by the attachment that they are."""
    blocks = document.blocks
    names = {
        at: " ".join(heading.text.split())
        for heading in headings
        if heading.kind == "appendix" and (at := _table_under(document, heading)) is not None
    }
    for caption in captions:
        if caption.target is not None:
            words = " ".join(document.slice(caption.span).split())
            names[caption.target] = caption.number if caption.number in _marked(words) else words
    if not names:
        return blocks
    return tuple(
        msgspec.structs.replace(
            block, table=msgspec.structs.replace(block.table, name=names[index])
        )
        if index in names and block.table is not None and block.table.name is None
        else block
        for index, block in enumerate(blocks)
    )


def _marked(words: str) -> str:
    """Give what stands in the brackets of [TABLE: 附件一-采购清单]; nothing elsewhere."""
    marked = _BRACKETED.match(fold(words))
    return words[marked.start(2) : marked.end(2)] if marked is not None else ""


def _table_under(document: Document, heading: Heading) -> int | None:
    """Give the table that stands right under an attachment's heading, or none."""
    for at in range(heading.block + 1, len(document.blocks)):
        block = document.blocks[at]
        if block.role == "body" and block.span.start >= heading.span.end:
            return at if block.table is not None else None
    return None


def without_forms(found: Sequence[Caption]) -> tuple[Caption, ...]:
    """Leave out 表1 授权书 of a tender, which heads a form and no table.

    Where most lines that begin with 表 have a table beside them, all are captions (a table that
    was not recognised has a caption too).
    """
    tables = [caption for caption in found if caption.kind == "表"]
    bound = sum(caption.target is not None for caption in tables)
    if bound * 2 >= len(tables):
        return tuple(found)
    return tuple(caption for caption in found if caption.kind == "图")


def _target(document: Document, index: int, kind: str) -> int | None:
    """Give the block a caption names: a table below (else above), a figure above (else below)."""
    wanted = "table" if kind == "表" else "figure"
    steps = (1, -1) if kind == "表" else (-1, 1)
    for step in steps:
        at = index + step
        passed = 0
        while 0 <= at < len(document.blocks) and passed < 2:
            block: Block = document.blocks[at]
            if block.kind == wanted:
                return at
            if block.role == "body":
                passed += 1
            at += step
    return None
