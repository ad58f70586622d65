"""Where quoted words stand: exactly on the folded text, else by likeness.

Takes words and chunks as they left, gives ranges in a chunk's delivered text. Never takes words for
found whose numbers are not there.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec

from headworks.assembly.figures import missing
from headworks.assembly.leaving import Leaving
from headworks.model.folding import fold
from headworks.model.place import Span

Way = Literal["exact", "near", "words"]

# A shorter quote stands somewhere by chance, unless it is looked for in its own chunk.
_LEAST = 1
_LEAST_NEAR = 8
_LEAST_ELSEWHERE = 8
_LIKENESS = 84.0
_MOST_QUOTE = 4000
_INK = re.compile(r"\S+")
_LEFT_OUT = re.compile(r"(?:\.{3,}|…+|。{3,}|\[\s*(?:\.{3}|…+)\s*\])")
_EDGES = " \t\n\"'“”‘’「」『』《》…。.,，;；:："
# Marks that models put in for one another, and Markdown's.
_LOOSE = re.compile(r"[\s,，.。;；:：、!！?？\"'“”‘’()（）\[\]【】《》*_`|\\-]+")


class Found(msgspec.Struct, frozen=True):
    """A place of quoted words: ranges of one chunk's delivered text, how sure, 0 to 100."""

    leaving: Leaving
    spans: tuple[Span, ...]
    how: Way
    score: float


class Library:
    """The chunks of a document as they left, searched for what an answer quotes."""

    def __init__(self, leavings: Iterable[Leaving]) -> None:
        self.by_id = {leaving.chunk.id: leaving for leaving in leavings}
        self._order = list(self.by_id.values())

    def lend(self, leaving: Leaving) -> bool:
        """Add a chunk of another file, looked in only where it is named; tell whether it is new."""
        if leaving.chunk.id in self.by_id:
            return False
        self.by_id[leaving.chunk.id] = leaving
        return True

    def locate(self, quote: str, first: Sequence[str]) -> Found | None:
        """Give where a quote stands: in the chunks named first, then anywhere exactly."""
        parts = _parts(quote)
        if not parts:
            return None
        named = [self.by_id[chunk] for chunk in first if chunk in self.by_id]
        for leaving in named:
            spans = [_exactly(part, leaving) for part in parts]
            if all(spans):
                return Found(leaving, tuple(span for span in spans if span), "exact", 100.0)
        if len(bare(quote)) >= _LEAST_ELSEWHERE:
            for leaving in self._holding(parts[0]):
                spans = [_exactly(part, leaving) for part in parts]
                if all(spans):
                    return Found(leaving, tuple(span for span in spans if span), "exact", 100.0)
        return self._nearly(parts, quote, named)

    def _nearly(self, parts: Sequence[str], quote: str, named: Sequence[Leaving]) -> Found | None:
        best: Found | None = None
        for leaving in named:
            found = [_likely(part, leaving) for part in parts]
            spans = tuple(one[0] for one in found if one is not None)
            if len(spans) < len(parts):
                continue
            score = min(one[1] for one in found if one is not None)
            there = "\n".join(leaving.text[span.start : span.end] for span in spans)
            if (best is None or score > best.score) and not missing(quote, there):
                best = Found(leaving, spans, "near", round(score, 1))
        return best

    def _holding(self, part: str) -> list[Leaving]:
        """Give the chunks that hold a part, by one search over all of them."""
        found: dict[int, None] = {}
        at = self._joined.find(part)
        while at >= 0 and len(found) < 4:
            found.setdefault(self._joined.count("\n", 0, at))
            at = self._joined.find(part, at + 1)
        return [self._order[index] for index in found]

    @cached_property
    def _joined(self) -> str:
        return "\n".join(leaving.bare for leaving in self._order)


def bare(words: str) -> str:
    """Give words as they are searched for: folded, without white space."""
    return "".join(_INK.findall(fold(words)))


def _parts(quote: str) -> list[str]:
    """Give the stretches of a quote that leaves words out (……), bare."""
    found = []
    for piece in _LEFT_OUT.split(quote[:_MOST_QUOTE]):
        part = bare(piece.strip(_EDGES))
        if len(part) >= _LEAST:
            found.append(part)
    return found


def _exactly(part: str, leaving: Leaving) -> Span | None:
    at = leaving.bare.find(part)
    while at >= 0:
        if not _cuts_number(leaving.bare, at, at + len(part)):
            return leaving.unpacked(at, at + len(part))
        at = leaving.bare.find(part, at + 1)
    return None


def _cuts_number(text: str, start: int, end: int) -> bool:
    """Tell whether a range begins or ends within a number: 10% does not stand in 110%."""
    before = start > 0 and text[start].isdigit() and text[start - 1] in "0123456789."
    after = end < len(text) and text[end - 1].isdigit() and text[end].isdigit()
    return before or after


def _likely(part: str, leaving: Leaving) -> tuple[Span, float] | None:
    """Give the stretch that is most like the words, marks aside, where it is like enough."""
    exact = _exactly(part, leaving)
    if exact is not None:
        return exact, 100.0
    words, kept = _loose(part)[0], _loose(leaving.bare)
    if len(words) < _LEAST_NEAR or not kept[0]:
        return None
    found = _fuzz().partial_ratio_alignment(words, kept[0], score_cutoff=_LIKENESS)
    # Where the source is the shorter one, it is the source that was found in the words.
    if found is None or len(kept[0]) < len(words) * 0.8 or found.dest_end <= found.dest_start:
        return None
    start, end = kept[1][found.dest_start], kept[1][found.dest_end - 1] + 1
    return leaving.unpacked(start, end), float(found.score)


def _loose(text: str) -> tuple[str, list[int]]:
    """Give a text without marks, and where each of its characters stood."""
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for mark in [*_LOOSE.finditer(text), None]:
        start, end = mark.span() if mark is not None else (len(text), len(text))
        pieces.append(text[at:start])
        places.extend(range(at, start))
        at = end
    return "".join(pieces), places


def _fuzz() -> Any:
    """The likeness of rapidfuzz, imported where a quote is not found letter by letter."""
    from rapidfuzz import fuzz

    return fuzz
