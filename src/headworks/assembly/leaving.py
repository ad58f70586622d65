"""The text of a chunk as it leaves, and the way back from each of its characters.

Takes a chunk's record, gives its delivered text with the ranges of the document that any part of
it stands for. Never holds an original that rules took out.
"""

import re
from bisect import bisect_right
from functools import cached_property

import msgspec

from headworks.assembly.formats import leaving
from headworks.assembly.shapes import ChunkRecord, RedactionRecord
from headworks.model.folding import fold
from headworks.model.place import Span

_INK = re.compile(r"\S+")


class _Stretch(msgspec.Struct, frozen=True, gc=False):
    """A stretch of the delivered text and the range it stands for; a token stands for it whole."""

    at: int
    start: int
    end: int
    token: bool


class Leaving(msgspec.Struct, frozen=True, dict=True):
    """A chunk as models saw it. ``bare`` is its folded text without white space."""

    chunk: ChunkRecord

    @cached_property
    def text(self) -> str:
        """The delivered text."""
        return leaving(self.chunk)

    @cached_property
    def folded(self) -> str:
        """The delivered text as matching sees it."""
        return fold(self.text)

    @cached_property
    def bare(self) -> str:
        """The folded text without white space."""
        return "".join(self.folded[start:end] for start, end in self._pieces)

    @cached_property
    def _pieces(self) -> list[tuple[int, int]]:
        return [found.span() for found in _INK.finditer(self.folded)]

    @cached_property
    def _piece_starts(self) -> list[int]:
        starts, length = [], 0
        for start, end in self._pieces:
            starts.append(length)
            length += end - start
        return starts

    def unpacked(self, start: int, end: int) -> Span:
        """Give the range of ``text`` that a range of ``bare`` stands in."""
        return Span(self._offset(start), self._offset(end - 1) + 1)

    def _offset(self, at: int) -> int:
        piece = bisect_right(self._piece_starts, at) - 1
        return self._pieces[piece][0] + at - self._piece_starts[piece]

    @cached_property
    def _stretches(self) -> list[_Stretch]:
        chunk = self.chunk
        found: list[_Stretch] = []
        at = 0
        done: set[tuple[int, int]] = set()
        for start, end in chunk.spans:
            begun = start
            for edit in chunk.redactions if chunk.delivered is not None else ():
                if edit.end <= start or edit.start >= end:
                    continue
                at = _plain(found, at, begun, max(begun, edit.start))
                if (edit.start, edit.end) not in done:
                    at = _token(found, at, edit)
                    done.add((edit.start, edit.end))
                begun = max(begun, edit.end)
            at = _plain(found, at, begun, max(begun, end))
        return found

    @cached_property
    def _begins(self) -> list[int]:
        return [stretch.at for stretch in self._stretches]

    def ranges(self, span: Span) -> list[Span]:
        """Give the ranges of the document that a range of ``text`` stands for, in order."""
        found: list[Span] = []
        first = max(0, bisect_right(self._begins, span.start) - 1)
        for position in range(first, len(self._stretches)):
            stretch = self._stretches[position]
            if stretch.at >= span.end:
                break
            last = self._begins[position + 1] if position + 1 < len(self._begins) else None
            if last is not None and last <= span.start:
                continue
            start, end = stretch.start, stretch.end
            if not stretch.token:
                start += max(0, span.start - stretch.at)
                end = min(end, stretch.start + span.end - stretch.at)
            if start >= end:
                continue
            if found and found[-1].end == start:
                found[-1] = Span(found[-1].start, end)
            else:
                found.append(Span(start, end))
        return found


def _plain(found: list[_Stretch], at: int, start: int, end: int) -> int:
    if end > start:
        found.append(_Stretch(at, start, end, False))
    return at + end - start


def _token(found: list[_Stretch], at: int, edit: RedactionRecord) -> int:
    found.append(_Stretch(at, edit.start, edit.end, True))
    return at + len(edit.token)
