"""Grids from rulings: which lines make a table, which of its places are merged.

Takes the straight lines of a page, gives grids with their cells as rectangles. Never reads text.
"""

from bisect import bisect_right

import msgspec

from headworks.readers.pdf.rulings import Rectangle, Ruling

TOUCH = 3.0  # points: lines that come this near meet
SAME = 3.5  # points: edges nearer than this are one edge
MANY_LINES = 700  # more rulings than this are a drawing, not a table


class Slot(msgspec.Struct, frozen=True, gc=False):
    """A cell of a grid: its place, how far it reaches, its rectangle."""

    row: int
    column: int
    row_span: int
    column_span: int
    box: Rectangle


class Grid(msgspec.Struct, frozen=True):
    """A table's skeleton: edges from left to right and top to bottom, and its slots by row."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    slots: tuple[Slot, ...]
    lookup: tuple[int, ...]  # the slot that covers each place, row by row

    @property
    def box(self) -> Rectangle:
        """The outer rectangle."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def slot_at(self, x: float, y: float) -> Slot | None:
        """Give the slot that holds a point."""
        columns = len(self.xs) - 1
        column, row = bisect_right(self.xs, x) - 1, bisect_right(self.ys, y) - 1
        if not (0 <= column < columns and 0 <= row < len(self.ys) - 1):
            return None
        return self.slots[self.lookup[row * columns + column]]


def grids(across: list[Ruling], down: list[Ruling]) -> list[Grid]:
    """Give the grids that the lines make, from the page's top to its bottom."""
    if len(across) < 2 or not down or len(across) + len(down) > MANY_LINES:
        return []
    found = []
    for horizontal, vertical in _connected(across, down):
        grid = _grid(horizontal, vertical)
        if grid is not None:
            found.append(grid)
    found.sort(key=lambda grid: (grid.ys[0], grid.xs[0]))
    return _outermost(found)


def _connected(across: list[Ruling], down: list[Ruling]) -> list[tuple[list[Ruling], list[Ruling]]]:
    """Give the groups of lines that hang together by crossing or touching."""
    parent = list(range(len(across) + len(down)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for place, line in enumerate(down, len(across)):
        low, high, x = line.start - TOUCH, line.end + TOUCH, line.at
        for index, other in enumerate(across):
            if low <= other.at <= high and other.start - TOUCH <= x <= other.end + TOUCH:
                parent[root(index)] = root(place)
    groups: dict[int, tuple[list[Ruling], list[Ruling]]] = {}
    for index, line in enumerate(across):
        groups.setdefault(root(index), ([], []))[0].append(line)
    for index, line in enumerate(down, len(across)):
        groups.setdefault(root(index), ([], []))[1].append(line)
    return [group for group in groups.values() if len(group[0]) >= 2 and group[1]]


def _grid(across: list[Ruling], down: list[Ruling]) -> Grid | None:
    # A table without outer lines at its sides is still closed by the ends of its rulings.
    left, right = min(line.start for line in across), max(line.end for line in across)
    top, bottom = min(line.start for line in down), max(line.end for line in down)
    xs = _edges([line.at for line in down], left, right)
    ys = _edges([line.at for line in across], top, bottom)
    if len(xs) < 2 or len(ys) < 2:
        return None
    walls = _walls(down, xs, ys)
    floors = _walls(across, ys, xs)
    slots = _slots(xs, ys, walls, floors)
    columns = len(xs) - 1
    lookup = [0] * (columns * (len(ys) - 1))
    for index, slot in enumerate(slots):
        for row in range(slot.row, slot.row + slot.row_span):
            start = row * columns + slot.column
            lookup[start : start + slot.column_span] = [index] * slot.column_span
    return Grid(tuple(xs), tuple(ys), tuple(slots), tuple(lookup))


def _edges(places: list[float], low: float, high: float) -> list[float]:
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > SAME:
            edges.append(place)
    if edges[0] - low > 2 * SAME:
        edges.insert(0, low)
    if high - edges[-1] > 2 * SAME:
        edges.append(high)
    return edges


def _walls(lines: list[Ruling], edges: list[float], along: list[float]) -> list[list[bool]]:
    """Tell for each edge and each stretch along it if a line covers it."""
    walls = [[False] * (len(along) - 1) for _ in edges]
    for line in lines:
        wall = walls[_nearest(edges, line.at)]
        for index in range(len(along) - 1):
            low, high = along[index], along[index + 1]
            overlap = min(high, line.end) - max(low, line.start)
            if overlap >= 0.6 * (high - low):
                wall[index] = True
    return walls


def _nearest(edges: list[float], place: float) -> int:
    index = bisect_right(edges, place)
    if index == 0:
        return 0
    if index == len(edges) or place - edges[index - 1] <= edges[index] - place:
        return index - 1
    return index


def _slots(
    xs: list[float], ys: list[float], walls: list[list[bool]], floors: list[list[bool]]
) -> list[Slot]:
    """Give the slots row by row: a slot grows right, then down, until a line stops it."""
    rows, columns = len(ys) - 1, len(xs) - 1
    taken = [[False] * columns for _ in range(rows)]
    slots = []
    for row in range(rows):
        for column in range(columns):
            if taken[row][column]:
                continue
            right = column + 1
            while right < columns and not walls[right][row] and not taken[row][right]:
                right += 1
            low = row + 1
            while low < rows and _open_below(low, (column, right), walls, floors):
                low += 1
            for y in range(row, low):
                taken[y][column:right] = [True] * (right - column)
            box = (xs[column], ys[row], xs[right], ys[low])
            slots.append(Slot(row, column, low - row, right - column, box))
    return slots


def _open_below(
    row: int, reach: tuple[int, int], walls: list[list[bool]], floors: list[list[bool]]
) -> bool:
    """Tell whether a slot over columns ``reach`` may grow into a row: no floor, no inner wall."""
    first, last = reach
    if any(floors[row][first:last]):
        return False
    if any(walls[x][row] for x in range(first + 1, last)):
        return False
    # A wall at both sides, as above: otherwise the row is another one's.
    return (first == 0 or walls[first][row]) and (last == len(walls) - 1 or walls[last][row])


def _outermost(found: list[Grid]) -> list[Grid]:
    """Give the grids without those of one cell; a grid inside another's cell stays apart."""
    return [grid for grid in found if len(grid.slots) > 1 and _is_for_text(grid)]


def _is_for_text(grid: Grid) -> bool:
    """Tell a table from an icon or a drawing: its cells have room for characters."""
    x0, y0, x1, y1 = grid.box
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    return x1 - x0 >= 40 and (y1 - y0) / rows >= 7 and (x1 - x0) / columns >= 7
