"""The measures of a document's pages: margins of the text, distance of lines, size of the body.

Takes all regions of all pages, gives the edges lines run to. Never looks at words.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from headworks.readers.pdf.layout import Line, Region

EDGE = 3.0  # points: ends this near to each other are at one edge
ENOUGH_STEPS = 5
SAME_SETTING = 5.0  # points: pages whose right edges are this near are set alike


class Measure(msgspec.Struct, frozen=True, gc=False):
    """Where the text of a region begins and ends, in points."""

    left: float
    right: float


class PageLayout(msgspec.Struct, frozen=True):
    """A page's regions with its number and size."""

    page: int
    width: float
    height: float
    regions: list[Region]


class Measures(msgspec.Struct, frozen=True):
    """Margins by page, line distances by page and text size, and the body's size and font."""

    margins: dict[int, Measure]
    pitches: dict[tuple[int, int], float]
    starts: frozenset[int]  # whole points from the left margin at which many lines begin
    size: float
    font: str

    def of(self, layout: PageLayout, region: Region) -> Measure:
        """Give a region's margins: a column's own, or those of its page."""
        if region.left is not None and region.right is not None:
            return Measure(region.left, region.right)
        found = self.margins.get(layout.page)
        return found or Measure(0.1 * layout.width, 0.9 * layout.width)

    def pitch(self, page: int, size: float) -> float:
        """Give the usual distance of two lines of a size on a page (0 is the whole document)."""
        twice = round(size * 2)
        return self.pitches.get((page, twice)) or self.pitches.get((0, twice)) or 1.7 * size


def measure(layouts: Sequence[PageLayout]) -> Measures:
    """Measure a document."""
    steps: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for layout in layouts:
        for region in layout.regions:
            lines = [thing for thing in region.things if isinstance(thing, Line)]
            _steps(lines, steps)
            for line in lines:
                sizes[line.size] += len(line.text)
                fonts[line.font] += len(line.text)
    margins = _margins(layouts)
    return Measures(
        margins,
        {
            key: _usual(counts)
            for key, counts in steps.items()
            if key[0] == 0 or counts.total() >= ENOUGH_STEPS
        },
        _starts(layouts, margins),
        sizes.most_common(1)[0][0] if sizes else 10.0,
        fonts.most_common(1)[0][0] if fonts else "",
    )


def _margins(layouts: Sequence[PageLayout]) -> dict[int, Measure]:
    """Give each page's margins: its own right edge, or that of the pages before it."""
    lines_of = {layout.page: _single_column(layout) for layout in layouts}
    ends: dict[int, list[float]] = defaultdict(list)
    for layout in layouts:
        ends[round(layout.width)].extend(line.x1 for line in lines_of[layout.page])
    common = {width: _right_edge(found, 4) or max(found) for width, found in ends.items() if found}
    kind = {layout.page: round(layout.width) for layout in layouts if lines_of[layout.page]}
    own = {page: _right_edge([line.x1 for line in lines_of[page]], 4) for page in kind}
    before = _neighbours(kind, own, list(kind))
    after = _neighbours(kind, own, list(reversed(kind)))
    rights: dict[int, tuple[int, float]] = {}
    for page, width in kind.items():
        edge = own[page]
        if edge is None:
            reach = max(line.x1 for line in lines_of[page]) - EDGE
            fits = [e for e in (before[page], after[page]) if e is not None and e >= reach]
            edge = min(fits, default=max(common[width], reach))
        rights[page] = (width, edge)
    return _with_lefts(rights, lines_of)


def _neighbours(
    kind: dict[int, int], own: dict[int, float | None], pages: list[int]
) -> dict[int, float | None]:
    """Give for each page the right edge of the last page of its width before it in the order."""
    last: dict[int, float | None] = {}
    found: dict[int, float | None] = {}
    for page in pages:
        found[page] = last.get(kind[page])
        last[kind[page]] = own[page] or found[page]
    return found


def _with_lefts(
    rights: dict[int, tuple[int, float]], lines_of: dict[int, list[Line]]
) -> dict[int, Measure]:
    """Give the margins with the left edge that pages of one setting share."""
    settings: list[tuple[int, float, list[float]]] = []
    of_page: dict[int, int] = {}
    for page, (width, right) in rights.items():
        alike = (
            index
            for index, (wide, edge, _) in enumerate(settings)
            if wide == width and abs(edge - right) <= SAME_SETTING
        )
        of_page[page] = next(alike, len(settings))
        if of_page[page] == len(settings):
            settings.append((width, right, []))
        settings[of_page[page]][2].extend(line.x0 for line in lines_of[page])
    lefts = [_left_edge(starts) for _, _, starts in settings]
    return {page: Measure(lefts[of_page[page]], right) for page, (_, right) in rights.items()}


def _starts(layouts: Sequence[PageLayout], margins: dict[int, Measure]) -> frozenset[int]:
    """Give the indents of a document: a line that begins at one is not centred by chance."""
    counts: Counter[int] = Counter()
    for layout in layouts:
        if layout.page in margins:
            left = margins[layout.page].left
            indents = (round(line.x0 - left) for line in _single_column(layout))
            counts.update(x for x in indents if x < 0.2 * layout.width)
    need = max(4, counts.total() // 40)
    near = {x: counts[x - 1] + counts[x] + counts[x + 1] for x in counts}
    return frozenset(x for x, count in near.items() if count >= need)


def _single_column(layout: PageLayout) -> list[Line]:
    return [
        thing
        for region in layout.regions
        if region.left is None
        for thing in region.things
        if isinstance(thing, Line)
    ]


def _right_edge(ends: list[float], need: int) -> float | None:
    """Give the place where most lines end, if it is near the outermost one; else none."""
    ordered = sorted(ends)
    best, best_count = 0.0, 0
    for index, place in enumerate(ordered):
        count = bisect_right(ordered, place + EDGE) - index
        if count >= best_count:
            best, best_count = ordered[index + count - 1], count
    if best_count < need or best < ordered[-1] - 40:
        return None
    return best


def _left_edge(starts: list[float]) -> float:
    """Give the outermost place at which several lines begin."""
    ordered = sorted(starts)
    need = max(2, min(len(ordered) // 25, 40))
    for index, place in enumerate(ordered):
        if bisect_right(ordered, place + EDGE) - index >= need:
            return place
    return ordered[0]


def _steps(lines: list[Line], steps: dict[tuple[int, int], Counter[int]]) -> None:
    for before, after in pairwise(lines):
        down = after.base - before.base
        if 0.8 * after.size < down < 3.2 * after.size and abs(after.size - before.size) < 0.3:
            twice, step = round(after.size * 2), round(down)
            steps[after.page, twice][step] += 1
            steps[0, twice][step] += 1


def _usual(counts: Counter[int]) -> float:
    """Give the smallest distance that is common: larger ones are those between paragraphs."""
    most = counts.most_common(1)[0][1]
    return float(min(step for step, count in counts.items() if count >= 0.4 * most))
