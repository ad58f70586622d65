"""The reading order of a page: columns, then lines from the top, fragments of a line together.

Takes a page's fragments and tables, gives regions of lines and tables in the order a person reads.
Never joins lines into paragraphs.
"""

from collections.abc import Sequence

import msgspec

from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.rulings import Rectangle
from headworks.readers.pdf.tables import PageTable, line_text, visual_lines

LEAST_COLUMN_LINES = 4
COLUMN_WIDTH = 0.2  # of the page
COLUMN_FILL = 0.55  # most lines of a text column fill it at least this far


class Line(msgspec.Struct, frozen=True, gc=False):
    """A line as printed. ``parts`` counts the fragments with wide gaps between, ``tail`` is the
    last one's left edge; ``hyphen``, ``start``, ``reach``, ``level`` and ``score`` are as in
    Fragment.
    """

    text: str
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: str
    bold: bool
    bold_end: bool
    lead: int
    parts: int
    tail: float
    hyphen: bool
    start: float
    reach: float
    level: int
    score: float = 1.0


class Picture(msgspec.Struct, frozen=True, gc=False):
    """A picture on a page; ``says`` stands for it where it is more than a picture (a seal)."""

    page: int
    box: Rectangle
    says: str = ""


class Region(msgspec.Struct, frozen=True):
    """Lines, tables and pictures that share a column (or the page's width), in reading order.

    ``left`` and ``right`` are the column's own where the page has several, else none.
    """

    things: list[Line | PageTable | Picture]
    left: float | None = None
    right: float | None = None


Framed = PageTable | Picture
Thing = Fragment | PageTable | Picture


def regions(fragments: list[Fragment], framed: Sequence[Framed], width: float) -> list[Region]:
    """Give the page's regions in reading order."""
    gutter = _gutter(fragments, 0.3 * width, 0.7 * width)
    if gutter is None:
        return [Region(_in_order(fragments, framed))]
    things: list[Thing] = sorted([*fragments, *framed], key=_middle)
    found: list[Region] = []
    plain: list[Thing] = []
    for band in _bands(things, gutter):
        columns = _columns(band, gutter, width)
        if columns:
            if plain:
                found.append(Region(_parted(plain)))
            found.extend(columns)
            plain = []
        else:
            plain.extend(band)
    if plain:
        found.append(Region(_parted(plain)))
    return found


def _middle(thing: Thing) -> float:
    if isinstance(thing, Fragment):
        return thing.base - 0.3 * thing.size
    return thing.box[1]


def _reach(thing: Thing) -> tuple[float, float]:
    if isinstance(thing, Fragment):
        return thing.x0, thing.x1
    return thing.box[0], thing.box[2]


def _gutter(fragments: list[Fragment], low: float, high: float) -> float | None:
    """Give the x, between two bounds, of a white band between two text columns, or none."""
    starts = sorted(fragment.x0 for fragment in fragments if low < fragment.x0 < high)
    if len(starts) < LEAST_COLUMN_LINES:
        return None
    best, best_score = None, 0
    for index, start in enumerate(starts):
        if index and start - starts[index - 1] < 1:
            continue
        near = sum(1 for other in starts if 0 <= other - start <= 24)
        edge = start - 3
        crossing = sum(1 for fragment in fragments if fragment.x0 < edge < fragment.x1)
        left = sum(1 for fragment in fragments if fragment.x1 <= edge)
        score = min(near, left) - crossing
        if near >= LEAST_COLUMN_LINES and score > best_score:
            best, best_score = edge, score
    return best


def _bands(things: list[Thing], gutter: float) -> list[list[Thing]]:
    """Give the things in stretches: those across the gutter apart from those beside it."""
    bands: list[list[Thing]] = []
    across = None
    for thing in things:
        left, right = _reach(thing)
        over = left < gutter < right
        if over != across:
            bands.append([])
            across = over
        bands[-1].append(thing)
    return bands


def _columns(band: list[Thing], gutter: float, width: float) -> list[Region]:
    """Give a band's columns, or nothing where it has none."""
    left = [thing for thing in band if _reach(thing)[1] <= gutter]
    right = [thing for thing in band if _reach(thing)[0] >= gutter]
    if len(left) + len(right) < len(band):
        return []
    first, second = _side(left, width), _side(right, width)
    return [*first, *second] if first and second else []


def _side(things: list[Thing], width: float) -> list[Region]:
    """Give one side of a gutter: a column, or several (three columns have two gutters)."""
    if _is_column(things, width):
        return [_column(things)]
    lines = [thing for thing in things if isinstance(thing, Fragment)]
    if len(lines) < 2 * LEAST_COLUMN_LINES:
        return []
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    reach = right - left
    gutter = _gutter(lines, left + 0.25 * reach, left + 0.75 * reach)
    return _columns(things, gutter, width) if gutter is not None else []


def _is_column(things: list[Thing], width: float) -> bool:
    """Tell whether the things are a column of running text, not numbers beside it."""
    lines = [thing for thing in things if isinstance(thing, Fragment)]
    if len(lines) < LEAST_COLUMN_LINES:
        return False
    wide = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    if wide < COLUMN_WIDTH * width:
        return False
    widths = [line.x1 - line.x0 for line in lines]
    long = [extent for extent in widths if extent >= COLUMN_FILL * wide]
    return len(long) >= LEAST_COLUMN_LINES and 2 * sum(long) >= sum(widths)


def _column(things: list[Thing]) -> Region:
    left, right = min(_reach(t)[0] for t in things), max(_reach(t)[1] for t in things)
    return Region(_parted(things), left, right)


def _parted(things: list[Thing]) -> list[Line | PageTable | Picture]:
    return _in_order(
        [thing for thing in things if isinstance(thing, Fragment)],
        [thing for thing in things if not isinstance(thing, Fragment)],
    )


def _in_order(
    fragments: list[Fragment], framed: Sequence[Framed]
) -> list[Line | PageTable | Picture]:
    lines: list[Line | PageTable | Picture] = [as_line(parts) for parts in visual_lines(fragments)]
    if not framed:
        return lines
    return sorted(
        [*lines, *framed],
        key=lambda thing: (thing.y0 + thing.y1) / 2 if isinstance(thing, Line) else thing.box[1],
    )


def as_line(parts: list[Fragment]) -> Line:
    """Give fragments on one baseline as a line, a space between."""
    first = parts[0]
    if len(parts) == 1:
        return Line(
            first.text, first.page, first.x0, first.y0, first.x1, first.y1, first.base,
            first.size, first.font, first.bold, first.bold_end, first.lead, 1, first.x0,
            first.hyphen, first.start, first.reach, first.level, first.score,
        )  # fmt: skip
    widest = max(parts, key=lambda part: len(part.text))
    bold_end = parts[-1].bold_end
    lead = 0
    if first.bold and not bold_end:
        lead = first.lead or len(first.text)
    return Line(
        line_text(parts),
        first.page,
        first.x0,
        min(part.y0 for part in parts),
        max(part.x1 for part in parts),
        max(part.y1 for part in parts),
        first.base,
        widest.size,
        widest.font,
        first.bold,
        bold_end,
        lead,
        len(parts),
        parts[-1].x0,
        parts[-1].hyphen,
        first.start,
        parts[-1].reach,
        first.level,
        min(part.score for part in parts),
    )
