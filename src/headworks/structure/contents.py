"""Contents pages: which blocks list the headings instead of being them.

Takes the document and its looks, gives the indices of contents blocks. Never takes a line out of
the text: the zone is named, nothing more.
"""

import re
from collections.abc import Sequence

import msgspec

from headworks.model.document import Block, Document
from headworks.structure import labels
from headworks.structure.looks import Looks
from headworks.structure.wording import is_contents_head

# A leader and a page number, or a page number set off from the words.
_LEADER = re.compile(
    r"(?:[.…·]\s?){3,}\s*[-(]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-)]?(?=\s*$|\s+\D)|\t\s*\d{1,4}\s*$|"
    r"(?:[.…·]\s?){6,}|_{4,}\s*\d{1,4}\s*$"
)
_PAGE_END = re.compile(r"\s*(?:\d{1,4}|[ivxlc]{1,5})\s*$")
_PAGE_TAIL = frozenset("0123456789ivxlc \t\u2003")
_SPACES = re.compile(r"\s+")
_TRAILING = re.compile(r"[\s.…·_\-]*(?:\d{1,4}|[ivxlc]{1,5})?\s*$")

# A contents page longer than this share of the document is a list, no contents page.
_MAX_SHARE = 0.5


def contents_blocks(document: Document, looks: Looks) -> frozenset[int]:
    """Give the indices of the blocks that belong to a contents page, its head included."""
    blocks, folded = document.blocks, document.folded
    found = _without_strays(
        blocks,
        folded,
        {
            index
            for index, block in enumerate(blocks)
            if block.role == "contents"
            or (block.kind == "paragraph" and block.role == "body" and looks.of(block).contents)
        },
    )
    repeated = _Repeated(document)
    index = 0
    while index < len(blocks):
        block = blocks[index]
        if _is_text(block) and _heads(block, folded):
            end = _entries_end(document, looks, index + 1, repeated)
            if end > index + 1 or folded.find("\n", block.span.start, block.span.end) > 0:
                found.update(range(index, end))
            index = end
        else:
            index += 1
    found.update(_leader_rows(blocks, folded, found))
    _take_heads(blocks, folded, found)
    return frozenset(found)


def _without_strays(blocks: Sequence[Block], folded: str, found: set[int]) -> set[int]:
    """Leave out a line that has the style of an entry but no page number and no entry beside it."""
    kept: set[int] = set()
    for index in found:
        span = blocks[index].span
        beside = any(index + step in found for step in (-2, -1, 1, 2))
        if beside or _is_entry(folded, span.start, span.end) or _heads(blocks[index], folded):
            kept.add(index)
    return kept


def with_strays(document: Document, contents: frozenset[int]) -> Document:
    """Give the document with the lines as body that a reader took for entries and are none."""
    strays = {
        index
        for index, block in enumerate(document.blocks)
        if block.role == "contents" and index not in contents
    }
    if not strays:
        return document
    blocks = tuple(
        msgspec.structs.replace(block, role="body") if index in strays else block
        for index, block in enumerate(document.blocks)
    )
    return msgspec.structs.replace(document, blocks=blocks)


def _is_text(block: Block) -> bool:
    return block.kind in ("paragraph", "table") and block.role in ("body", "contents")


def _heads(block: Block, folded: str) -> bool:
    start, end = block.span.start, block.span.end
    line_end = folded.find("\n", start, end)
    if line_end > 0:
        head = is_contents_head(folded, start, line_end)
        return head and _is_entry(folded, line_end + 1, end)
    return is_contents_head(folded, start, end)


def _entries_end(document: Document, looks: Looks, index: int, repeated: "_Repeated") -> int:
    """Give the index after the last entry of a contents page that begins at ``index``."""
    blocks, folded = document.blocks, document.folded
    last, misses, paged = index, 0, 0
    position = index
    first_key: str | None = None
    while position < len(blocks) and misses < 3:
        block = blocks[position]
        if not _is_text(block):
            if block.role == "body" and block.kind not in ("figure", "caption"):
                break
            position += 1
            continue
        start, end = block.span.start, block.span.end
        key = _key(folded, start, end)
        has_page = _is_entry(folded, start, end) or block.role == "contents"
        # The first entry's words again, or a line in a heading style, is the text itself.
        if not has_page and (key == first_key or looks.of(block).outline is not None):
            break
        paged += has_page
        # Where entries have page numbers, a line without one is an entry's rest at most.
        bare = paged < 2 and len(key) <= 60 and repeated.later(key, position)
        if has_page or bare:
            last, misses = position + 1, 0
        else:
            misses += 1
        if first_key is None and last == position + 1:
            first_key = key
        position += 1
    if last - index > max(6, len(blocks) * _MAX_SHARE):
        return index
    return last


def _is_entry(folded: str, start: int, end: int) -> bool:
    if _LEADER.search(folded, start, end):
        return True
    if end - start > 80:
        return False
    match = _PAGE_END.search(folded, max(start, end - 8), end)
    if match is None or match.start() == start:
        return False
    before = folded[match.start() - 1]
    digits = match.group().strip()
    if folded[match.start()].isspace() or not digits.isdigit():
        return digits.isdigit() and before not in ":-/"
    # 第一章  投标邀请1: the number is stuck to words that begin with a label.
    return before not in ":-/.(0123456789" and labels.read(folded, folded, start, end) is not None


class _Repeated:
    """Whether a line's words come again later in the document: an entry points to its heading."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._last: dict[str, int] | None = None

    def later(self, key: str, position: int) -> bool:
        """Tell whether the words stand again in a block after ``position``."""
        if self._last is None:
            folded = self._document.folded
            self._last = {}
            for index, block in enumerate(self._document.blocks):
                if len(block.span) <= 90 and block.kind == "paragraph":
                    self._last[_key(folded, block.span.start, block.span.end)] = index
        return bool(key) and self._last.get(key, -1) > position


def _key(folded: str, start: int, end: int) -> str:
    text = _TRAILING.sub("", folded[start:end])
    return _SPACES.sub("", text)


def _leader_rows(blocks: Sequence[Block], folded: str, found: set[int]) -> set[int]:
    """Give runs of three or more blocks with leaders and page numbers under no head."""
    rows: set[int] = set()
    run: list[int] = []
    for index, block in enumerate(blocks):
        if not _is_text(block):
            continue
        if index in found or (
            block.kind == "paragraph"
            and len(block.span) < 2000
            and folded[block.span.end - 1] in _PAGE_TAIL
            and _PAGE_END.search(folded, max(block.span.start, block.span.end - 8), block.span.end)
            and _LEADER.search(folded, block.span.start, block.span.end)
        ):
            run.append(index)
            continue
        if len(run) >= 3:
            rows.update(run)
        run = []
    if len(run) >= 3:
        rows.update(run)
    return rows


def _take_heads(blocks: Sequence[Block], folded: str, found: set[int]) -> None:
    """Take the word 目录 above entries that were found by style or leaders."""
    for index in sorted(found):
        before = index - 1
        while before >= 0 and not _is_text(blocks[before]):
            before -= 1
        if before >= 0 and before not in found and _heads(blocks[before], folded):
            found.add(before)
