"""The exact optimum: which boundaries of a segment to cut at.

Takes the costs of boundaries and the lengths of runs of units, gives the cuts whose total cost is
least, by dynamic programming. Never gives a run over the ceiling but a single unit.
"""

from collections.abc import Sequence
from itertools import accumulate
from operator import add

from headworks.chunking.boundaries import ITEM_RANK, WEAK_RANK, Boundaries
from headworks.config import ChunkSettings

# What a chunk costs by its length: small ones much, those under the target a little.
_EACH = 0.5
_SMALL = 6.0
_SMALLEST = 12.0
_UNDER_TARGET = 1.5
_OVER_TARGET = 0.3
_TARGET = 0.8
# No room is left for the overlap that was asked for.
_NO_ROOM = 10.0
# A chunk that begins or ends inside a part of the tree and reaches beyond it.
_ACROSS = 8.0
_HELD = 400.0


def length_costs(settings: ChunkSettings) -> list[float]:
    """Give the cost of a chunk of each length from 0 to the ceiling."""
    ceiling, least = settings.max_chars, settings.min_chars
    target = max(1, min(int(ceiling * _TARGET), ceiling - settings.overlap), least)
    costs = []
    for chars in range(ceiling + 1):
        cost = _EACH
        if chars < least:
            cost += _SMALL + (_SMALLEST - _SMALL) * (least - chars) / least
        if chars < target:
            cost += _UNDER_TARGET * (target - chars) / target
        elif ceiling > target:
            cost += _OVER_TARGET * (chars - target) / (ceiling - target)
        if chars > ceiling - settings.overlap:
            cost += _NO_ROOM
        costs.append(cost)
    return costs


class Optimum:
    """Finds the best cuts of segments, the stretches between forced cuts."""

    def __init__(self, boundaries: Boundaries, settings: ChunkSettings) -> None:
        self.boundaries = boundaries
        self.measure = boundaries.measure
        self.settings = settings
        self.ceiling = settings.max_chars
        self.costs = length_costs(settings)

    def runs(self, first: int, last: int) -> list[tuple[int, int]]:
        """Give the runs of units (first and last, inclusive) that segment's chunks are made of."""
        return [(first, last)] if self._is_whole(first, last) else self.solve(first, last)

    def solve(self, first: int, last: int) -> list[tuple[int, int]]:
        """Give the runs whose total cost, as ``cost_of`` counts it, is least."""
        came_from = self._solve(first, last)
        runs = []
        at = last - first
        while at >= 0:
            start = came_from[at]
            runs.append((first + start, first + at))
            at = start - 1
        return runs[::-1]

    def _is_whole(self, first: int, last: int) -> bool:
        """Tell whether the segment is one chunk without weighing anything."""
        if first == last:
            return True
        if not self.measure.fits(first, last):
            return False
        inner = slice(first + 1, last + 1)
        if min(self.boundaries.rank[inner]) >= ITEM_RANK:
            return True
        return min(self.boundaries.cut[inner]) >= _HELD

    def _solve(self, first: int, last: int) -> list[int]:
        """Give for each unit the first unit of the best chunk that ends with it."""
        boundaries, costs, ceiling = self.boundaries, self.costs, self.ceiling
        count = last - first + 1
        before = self.measure.before[first : last + 2]
        units = self.measure.units[first : last + 1]
        weighed = self.measure.weights is not None
        stops = [before[at] + unit.end - unit.start for at, unit in enumerate(units)]
        rank = [0, *boundaries.rank[first + 1 : last + 1], 0]
        over = list(accumulate(boundaries.over[first + 1 : last + 1], initial=0.0))
        boundaries.weigh_cohesion(first, last)
        cut = boundaries.cut[first : last + 1]
        # ``begin[k]``: all before unit k cut at its best, and a cut there; ``over`` taken off in
        # advance, so that the sum over the boundaries inside a chunk is one addition.
        begin = [0.0] * count
        came_from = [0] * count
        reach = graded = 0
        for end, stop in enumerate(stops):
            while reach < end and stop - before[reach] > ceiling:
                reach += 1
            if weighed:
                reach = self._light_enough(first, reach, end)
            if rank[end] < WEAK_RANK:
                graded = end
            lengths = [stop - start for start in before[reach : end + 1]]
            if lengths[0] > ceiling:
                lengths = [ceiling]
            totals = list(map(add, begin[reach : end + 1], map(costs.__getitem__, lengths)))
            if graded > reach:
                _charge_across(totals, rank, reach, end)
            total = min(totals)
            came_from[end] = reach + totals.index(total)
            if end + 1 < count:
                begin[end + 1] = total + over[end] + cut[end + 1] - over[end + 1]
        return came_from

    def _light_enough(self, first: int, reach: int, end: int) -> int:
        """Move the earliest unit of a chunk on until its tokens keep their ceiling."""
        while reach < end and (
            self.measure.weight(first + reach, first + end) > self.measure.limits.max_weight
        ):
            reach += 1
        return reach


def _charge_across(totals: list[float], rank: Sequence[int], reach: int, end: int) -> None:
    """Add the cost of chunks that hold a boundary stronger than one of their own ends."""
    inner, edge = WEAK_RANK, rank[end + 1]
    for at in range(end - 1, reach - 1, -1):
        inner = min(inner, rank[at + 1])
        if inner < rank[at] or inner < edge:
            totals[at - reach] += _ACROSS


def cost_of(
    boundaries: Boundaries, settings: ChunkSettings, runs: Sequence[tuple[int, int]]
) -> float | None:
    """Give what cutting a segment into runs costs, counted one by one; none over the ceiling.

    This is the definition that ``Optimum`` finds the least of.
    """
    costs = length_costs(settings)
    first, last = runs[0][0], runs[-1][1]
    rank = {first: 0, last + 1: 0}
    total = 0.0
    for begin, end in runs:
        chars = boundaries.measure.chars(begin, end)
        if chars > settings.max_chars or not boundaries.measure.fits(begin, end):
            if begin < end:
                return None
            chars = settings.max_chars
        inside = range(begin + 1, end + 1)
        total += costs[chars] + sum(boundaries.over[at] for at in inside)
        total += boundaries.cut[begin] if begin > first else 0.0
        strongest = min((boundaries.rank[at] for at in inside), default=WEAK_RANK)
        edges = [rank.get(at, boundaries.rank[at]) for at in (begin, end + 1)]
        if strongest < max(edges):
            total += _ACROSS
    return total
