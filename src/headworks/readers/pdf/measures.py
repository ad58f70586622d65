"""The measures of a document's pages: margins of the text, distance of lines, size of the body.

Takes all regions of all pages, gives the edges lines run to. Never looks at words.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from headworks.readers.pdf.layout import Line, Region

EDGE = 3.0


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
    """Margins by page width, line distances by text size, and the body's size and font."""

    margins: dict[int, Measure]
    pitches: dict[int, float]
    size: float
    font: str

    def of(self, layout: PageLayout, region: Region) -> Measure:
        """Give a region's margins: a column's own, or those of its kind of page."""
        if region.left is not None and region.right is not None:
            return Measure(region.left, region.right)
        common = self.margins.get(round(layout.width))
        if common is None:
            return Measure(0.1 * layout.width, 0.9 * layout.width)
        own = [thing.x1 for thing in region.things if isinstance(thing, Line)]
        if len(own) >= 8:  # a page set to a margin of its own (odd and even, another chapter)
            edge = _edge(own, last=True)
            near = sum(1 for x in own if abs(x - edge) <= EDGE)
            if near >= 5:
                left = _edge([t.x0 for t in region.things if isinstance(t, Line)], last=False)
                return Measure(min(left, common.left + 2 * self.size), edge)
        return common

    def pitch(self, size: float) -> float:
        """Give the usual distance of two lines of a size."""
        return self.pitches.get(round(size * 2), 1.7 * size)


def measure(layouts: Sequence[PageLayout]) -> Measures:
    """Measure a document."""
    starts: dict[int, list[float]] = {}
    ends: dict[int, list[float]] = {}
    steps: dict[int, Counter[int]] = {}
    sizes: Counter[float] = Counter()
    fonts: Counter[str] = Counter()
    for layout in layouts:
        for region in layout.regions:
            lines = [thing for thing in region.things if isinstance(thing, Line)]
            _steps(lines, steps)
            for line in lines:
                sizes[line.size] += len(line.text)
                fonts[line.font] += len(line.text)
            if region.left is None:
                width = round(layout.width)
                starts.setdefault(width, []).extend(line.x0 for line in lines)
                ends.setdefault(width, []).extend(line.x1 for line in lines)
    margins = {
        width: Measure(_edge(starts[width], last=False), _edge(ends[width], last=True))
        for width in starts
        if starts[width]
    }
    pitches = {size: _usual(counts) for size, counts in steps.items()}
    return Measures(
        margins,
        pitches,
        sizes.most_common(1)[0][0] if sizes else 10.0,
        fonts.most_common(1)[0][0] if fonts else "",
    )


def _steps(lines: list[Line], steps: dict[int, Counter[int]]) -> None:
    for before, after in zip(lines, lines[1:], strict=False):
        down = after.base - before.base
        if 0.8 * after.size < down < 3.2 * after.size and abs(after.size - before.size) < 0.3:
            steps.setdefault(round(after.size * 2), Counter())[round(down)] += 1


def _usual(counts: Counter[int]) -> float:
    """Give the smallest distance that is common: larger ones are those between paragraphs."""
    most = counts.most_common(1)[0][1]
    return float(min(step for step, count in counts.items() if count >= 0.4 * most))


def _edge(places: list[float], *, last: bool) -> float:
    """Give the outermost place at which several lines end (or begin)."""
    ordered = sorted(places, reverse=last)
    need = max(2, min(len(ordered) // 25, 40))
    for index, place in enumerate(ordered):
        count = 0
        for other in ordered[index:]:
            if abs(other - place) > EDGE:
                break
            count += 1
        if count >= need:
            return place
    return ordered[0]
