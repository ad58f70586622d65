"""Signing: where the parties put their names under a text.

Takes a document, a block and the headings by block, tells whether the signatures begin with the
block. Never takes the parties named at a contract's head for its signatures, nor a table that
only asks for a seal.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from headworks.model.document import Block, Document
from headworks.model.outline import Heading
from headworks.structure.wording import is_form_line

_PARTY = (
    r"(?:甲|乙|丙|买|卖|需|供|出租|承租|发包|承包|委托|受托|采购|出让|受让|转让|定作|承揽)\s*(?:方|人)\s*"
    r"(?:\([^()]{0,12}\))?"
)
_SIGNING = re.compile(
    r"\s*(?:(?:\(\s*)?(?:以下无正文|此页无正文|本页无正文|签署页|签字页|签章页)|"
    rf"{_PARTY}\s*[:(]?[^。]{{0,30}}(?:\(?\s*(?:盖章|签章|签字|公章|签名|盖公章|签字盖章|印章))|"
    rf"{_PARTY}\s*:|"
    r"(?:法定代表人|授权代表|委托代理人|法人代表|签约代表)[^。]{0,20}(?:签字|签章|签名|盖章)?\s*[:(]|"
    r"in witness whereof|(?:signed|signature)s?\b)"
)
_SEAL = re.compile(r"盖章|签章|签字|公章|签名|印章|无正文|签署页|\bsigned\b|\bsignature")
_PARTY_CELL = re.compile(rf"^\s*{_PARTY}")
_SEAL_CELL = re.compile(r"盖章|签章|签字|公章|签名|代表人?\s*[:(]")
# What a table of requirements says of the seal that it asks for.
_ASKS = re.compile(r"评审|审查|资格|符合|评分|得分|提供|要求|证明")
_RUNS_ON = re.compile(r"[。;,]")
# A signature opens only where most of the text has gone by, or a heading's text ended.
_LEAST_BEFORE = 0.3
_MAX_LINE, _MAX_TABLE, _MAX_CELL, _MIN_RUNNING = 160, 600, 40, 30
_AHEAD, _NEAR = 18, 8


def signs(
    document: Document, index: int, headings: Mapping[int, Heading], edges: Sequence[int] = ()
) -> bool:
    """Tell whether a block opens the signatures: it signs, and the lines after it do too.

    ``edges`` are where further documents of the file begin.
    """
    block = document.blocks[index]
    if block.kind == "table":
        small = len(block.span) < _MAX_TABLE and _is_late(document, block, edges)
        return small and _table_signs(document, index, headings)
    if block.kind != "paragraph" or len(block.span) > _MAX_LINE:
        return False
    if _SIGNING.match(document.folded, block.span.start, block.span.end) is None:
        return False
    if not _is_late(document, block, edges):
        return False
    return _goes_on(document, index, headings) and not _names_parties(document, index, headings)


def _is_late(document: Document, block: Block, edges: Sequence[int]) -> bool:
    """Tell whether most of the text has gone by: of each of several documents in a file."""
    after = bisect_right(edges, block.span.start)
    begun = edges[after - 1] if after else 0
    end = edges[after] if after < len(edges) else len(document.text)
    return block.span.start - begun > (end - begun) * _LEAST_BEFORE


def _folded(document: Document, block: Block) -> str:
    return document.folded[block.span.start : block.span.end]


def _after(document: Document, index: int, count: int) -> Iterator[tuple[int, Block]]:
    """Give the body blocks after one, as many as asked for at most."""
    for at in range(index + 1, min(len(document.blocks), index + 1 + count)):
        if document.blocks[at].role == "body":
            yield at, document.blocks[at]


def _goes_on(document: Document, index: int, headings: Mapping[int, Heading]) -> bool:
    """Tell whether more lines sign, date or address, or none follow before an appendix."""
    lines = near = 0
    for at, after in _after(document, index, _NEAR):
        if at in headings and headings[at].kind in ("appendix", "title"):
            break
        if after.kind != "paragraph":
            continue
        lines += 1
        near += len(after.span) < 80 and (
            is_form_line(document.folded, after.span.start, after.span.end)
            or _SIGNING.match(document.folded, after.span.start, after.span.end) is not None
        )
    return near >= 1 or lines <= 1


def _names_parties(document: Document, index: int, headings: Mapping[int, Heading]) -> bool:
    """Tell whether parties are named at a contract's head: clauses follow, and no seal before."""
    if _SEAL.search(_folded(document, document.blocks[index])):
        return False
    for at, after in _after(document, index, _AHEAD):
        heading = headings.get(at)
        if heading is not None:
            return heading.kind != "appendix" and heading.number in (None, 1)
        words = _folded(document, after)
        if after.kind == "paragraph" and len(words) >= _MIN_RUNNING and _RUNS_ON.search(words):
            return True
        if _SEAL.search(words):
            return False
    return False


def _table_signs(document: Document, index: int, headings: Mapping[int, Heading]) -> bool:
    words = _folded(document, document.blocks[index])
    cells = [cell for cell in re.split(r"[\t\n]", words) if cell.strip()]
    parties = sum(_PARTY_CELL.match(cell) is not None for cell in cells)
    if not parties or any("。" in cell or len(cell) > 3 * _MAX_CELL for cell in cells):
        return False
    seals = sum(len(cell) <= _MAX_CELL and _SEAL_CELL.search(cell) is not None for cell in cells)
    if seals and not _ASKS.search(words):
        return True
    # The parties side by side at the very end.
    last = all(
        after.kind != "table" and len(after.span) < _MAX_CELL
        for _, after in _after(document, index, _AHEAD)
    )
    return parties >= 2 and last and not any(at > index for at in headings)
