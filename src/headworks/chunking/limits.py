"""The ceilings: in characters, in tokens where asked for, and by zone.

Takes settings and a document, gives what holds at an offset. Never loosens a ceiling that is set
for the whole document but where its zone has one of its own.
"""

from bisect import bisect_right

import msgspec

from headworks.chunking.tokens import Weight, weight
from headworks.config import ChunkSettings
from headworks.model.document import Document
from headworks.model.outline import ZoneKind

# A Han character weighs most in the estimate; other tokenizers are tried and tightened.
_TENTHS_A_CHARACTER = 6


class Limits:
    """Settings by zone, and the weight of texts where tokens have a ceiling."""

    def __init__(self, document: Document, settings: ChunkSettings) -> None:
        self.settings = settings
        self.varied = bool(settings.zones)
        self.starts = [zone.span.start for zone in document.zones] if self.varied else []
        self.by_zone = [_within(settings, zone.kind) for zone in document.zones]
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

    def too_heavy(self, text: str) -> bool:
        """Tell whether a text has more tokens than the ceiling."""
        return self.weigh is not None and self.weigh(text) > self.max_weight

    def light_enough(self, ceiling: int) -> int:
        """Give a ceiling in characters under which Han text keeps the ceiling in tokens."""
        if self.weigh is None:
            return ceiling
        return max(1, min(ceiling, self.max_weight // _TENTHS_A_CHARACTER))


def _within(settings: ChunkSettings, kind: ZoneKind) -> ChunkSettings:
    own = settings.zones.get(kind)
    if own is None:
        return settings
    return msgspec.structs.replace(
        settings,
        max_chars=settings.max_chars if own.max_chars is None else own.max_chars,
        min_chars=settings.min_chars if own.min_chars is None else own.min_chars,
    )
