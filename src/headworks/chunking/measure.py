"""How long a run of units is as a chunk's text.

Takes units and the ranges left out, gives lengths and spans of runs. Never counts what a chunk
would not hold.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from headworks.chunking.base import LeftOut, Unit
from headworks.chunking.limits import Limits
from headworks.chunking.tokens import Weight
from headworks.model.place import Span


class Measure:
    """Lengths of runs of units in constant time, and their spans."""

    def __init__(
        self, text: str, units: Sequence[Unit], out: Sequence[LeftOut], limits: Limits
    ) -> None:
        self.text = text
        self.limits = limits
        self.units = units
        self.starts = [unit.start for unit in units]
        self.broken = _broken(units, out)
        # ``before[k]``: the characters of all units before k, as they stand in one chunk.
        self.before = [0]
        total = 0
        for index, unit in enumerate(units):
            total += self._stop(index) - unit.start
            self.before.append(total)
        # The same in tenths of a token, where tokens have a ceiling.
        self.weights: list[int] | None = None
        self.own_weights: list[int] = []
        if limits.weigh is not None:
            self.weights = self._weights(limits.weigh)

    def chars(self, first: int, last: int) -> int:
        """Give the length of the text of units ``first`` to ``last`` (inclusive)."""
        end = self.units[last]
        return self.before[last] - self.before[first] + end.end - end.start

    def fits(self, first: int, last: int) -> bool:
        """Tell whether units ``first`` to ``last`` keep the ceilings of their zone."""
        if self.chars(first, last) > self.limits.at(self.units[first].start).max_chars:
            return False
        return self.weights is None or self.weight(first, last) <= self.limits.max_weight

    def weight(self, first: int, last: int) -> int:
        """Give the tenths of a token of units ``first`` to ``last``."""
        if self.weights is None:
            return 0
        return self.weights[last] - self.weights[first] + self.own_weights[last]

    def spans(self, first: int, last: int) -> list[Span]:
        """Give the largest ranges that hold units ``first`` to ``last`` and nothing left out."""
        spans = []
        start = self.units[first].start
        for index in range(first + 1, last + 1):
            if self.broken[index]:
                spans.append(Span(start, self._stop(index - 1)))
                start = self.units[index].start
        spans.append(Span(start, self.units[last].end))
        return spans

    def at(self, offset: int) -> int:
        """Give the first unit that begins at or after an offset."""
        return bisect_left(self.starts, offset)

    def over(self, offset: int) -> int:
        """Give the unit that holds an offset, or the next one."""
        index = max(0, bisect_right(self.starts, offset) - 1)
        if index < len(self.units) and self.units[index].end <= offset:
            index += 1
        return index

    def _weights(self, weigh: Weight) -> list[int]:
        total, weights = 0, [0]
        for index, unit in enumerate(self.units):
            own = weigh(self.text[unit.start : unit.end])
            self.own_weights.append(own)
            total += own + weigh(self.text[unit.end : self._stop(index)])
            weights.append(total)
        return weights

    def _stop(self, index: int) -> int:
        """Give where the next unit begins, or the line end before what is left out."""
        following = index + 1
        if following < len(self.units) and not self.broken[following]:
            return self.units[following].start
        end = self.units[index].end
        return end + 1 if self.text[end : end + 1] == "\n" else end


def _broken(units: Sequence[Unit], out: Sequence[LeftOut]) -> bytearray:
    """Tell for each unit whether something left out stands between it and the one before."""
    broken = bytearray(len(units) + 1)
    starts = [unit.start for unit in units]
    for entry in out:
        index = bisect_left(starts, entry.start)
        if 0 < index < len(units):
            broken[index] = 1
    return broken
