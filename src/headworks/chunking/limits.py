"""The ceilings: in characters, in tokens where asked for, by zone and by kind.

Takes settings and a document, gives what holds at an offset. Never loosens a ceiling that is set
for the whole document but where its zone or kind has one of its own.
"""

from bisect import bisect_left, bisect_right

import msgspec

from headworks.chunking.tokens import Weight, weight
from headworks.config import ChunkSettings, Lengths
from headworks.model.document import Block, Document
from headworks.model.place import CellPlace, SlidePlace, Span

# A Han character weighs most in the estimate; other tokenizers are tried and tightened.
_TENTHS_A_CHARACTER = 6


class Limits:
    """Settings by zone and kind, and the weight of texts where tokens have a ceiling."""

    def __init__(self, document: Document, settings: ChunkSettings) -> None:
        self.settings = settings = _of_source(document, settings)
        self.document = document
        self.starts = [zone.span.start for zone in document.zones] if settings.zones else []
        self.by_zone = [_within(settings, settings.zones.get(z.kind)) for z in document.zones]
        self.weigh: Weight | None = None
        self.max_weight = 0
        if settings.max_tokens is not None:
            self.weigh = weight(settings.tokens)
            self.max_weight = 10 * settings.max_tokens

    def at(self, offset: int) -> ChunkSettings:
        """Give the settings that hold at an offset."""
        if not self.starts:
            return self.settings
        return self.by_zone[max(0, bisect_right(self.starts, offset) - 1)]

    def ceiling(self, block: Block) -> int:
        """Give the ceiling of what is made of one block: tables and code may have their own."""
        own = self._own(block)
        return self.at(block.span.start).max_chars if own is None else own

    def ceiling_over(self, span: Span) -> int:
        """Give the ceiling of a chunk that is a range: that of its block where it is of one."""
        if self.settings.kinds:
            block = self.document.block_at(span.start)
            if block is not None and span.end <= block.span.end:
                return self.ceiling(block)
        return self.at(span.start).max_chars

    def parts_in(self, span: Span) -> bool:
        """Tell whether a range holds something that is cut by a ceiling of its own kind."""
        if not self.settings.kinds:
            return False
        first = max(0, bisect_right(self.document.block_starts, span.start) - 1)
        last = bisect_left(self.document.block_starts, span.end)
        blocks = self.document.blocks[first:last]
        return any(len(one.span) > (self._own(one) or len(one.span)) for one in blocks)

    def _own(self, block: Block) -> int | None:
        if block.kind not in ("table", "code") or isinstance(block.place, CellPlace | SlidePlace):
            return None
        own = self.settings.kinds.get(block.kind)
        if own is None or own.max_chars is None:
            return None
        # Lines of code join up to what text may have: only a longer ceiling says anything.
        general = self.at(block.span.start).max_chars
        return max(own.max_chars, general) if block.kind == "code" else own.max_chars

    def too_heavy(self, text: str) -> bool:
        """Tell whether a text has more tokens than the ceiling."""
        return self.weigh is not None and self.weigh(text) > self.max_weight

    def light_enough(self, ceiling: int) -> int:
        """Give a ceiling in characters under which Han text keeps the ceiling in tokens."""
        if self.weigh is None:
            return ceiling
        return max(1, min(ceiling, self.max_weight // _TENTHS_A_CHARACTER))


def _of_source(document: Document, settings: ChunkSettings) -> ChunkSettings:
    """Give the settings of a workbook's sheets or a presentation's slides."""
    place = document.blocks[0].place if document.blocks and settings.kinds else None
    if isinstance(place, CellPlace):
        return _within(settings, settings.kinds.get("sheet"))
    return _within(settings, settings.kinds.get("slide") if isinstance(place, SlidePlace) else None)


def _within(settings: ChunkSettings, own: Lengths | None) -> ChunkSettings:
    if own is None:
        return settings
    return msgspec.structs.replace(
        settings,
        max_chars=settings.max_chars if own.max_chars is None else own.max_chars,
        min_chars=settings.min_chars if own.min_chars is None else own.min_chars,
    )
