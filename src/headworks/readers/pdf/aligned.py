"""Tables without lines: rows whose pieces stand in the same columns.

Takes the fragments of a page that no ruled table holds, gives tables found by alignment and the
fragments left. Never takes columns of running text, contents pages, or fields beside their labels.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from headworks.readers.pdf.labels import label
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.rulings import Rectangle
from headworks.readers.pdf.tables import PageTable, cell_text, visual_lines

LEAST_ROWS = 3
FAR = 2.6  # ems: rows further apart than this are not of one table
LEAST_GAP = 0.8  # ems of white between two columns
COVERAGE = 0.66  # share of a table's places that hold something
LONG_NAME = 22  # characters: a first column of longer pieces is text
RUNNING_TEXT = 14  # characters: columns of longer pieces are text, not cells

_FIELD = re.compile("[：:]$|^[^：:]{1,14}[：:]")
_BLANK = re.compile("^[年月日时分元。，；、至]$|盖.{0,4}章|签字|签名|签章")
_PAGE = re.compile("[-–(（]?[\\dIVXivx]{1,4}[-–)）]?")
_LEADERS = re.compile("[.·…．_]{4}")

Row = list[Fragment]


class Band(msgspec.Struct, frozen=True, gc=False):
    """A column: from where to where its pieces reach."""

    left: float
    right: float


def aligned(page: int, fragments: list[Fragment]) -> tuple[list[PageTable], list[Fragment]]:
    """Give the tables found by alignment and the fragments that stand in none."""
    bases = sorted(fragment.base for fragment in fragments)
    beside = sum(1 for a, b in pairwise(bases) if b - a < 3)
    if beside < LEAST_ROWS:
        return [], fragments
    tables: list[PageTable] = []
    taken: set[int] = set()
    for rows in _runs(visual_lines(fragments)):
        table = _table(page, rows)
        if table is not None:
            tables.append(table)
            taken.update(id(part) for row in rows for part in row)
    if not tables:
        return [], fragments
    return tables, [fragment for fragment in fragments if id(fragment) not in taken]


def _runs(rows: list[Row]) -> list[list[Row]]:
    """Give stretches of rows that may be a table: several pieces each, or one under a column."""
    runs: list[list[Row]] = []
    run: list[Row] = []
    for row in rows:
        near = not run or row[0].base - run[-1][0].base <= FAR * row[0].size
        if near and (len(row) > 1 or (run and _stands_under(row[0], run))):
            run.append(row)
        else:
            runs.append(run)
            run = [row] if len(row) > 1 else []
    runs.append(run)
    return [_trimmed(run) for run in runs if sum(len(row) > 1 for row in run) >= LEAST_ROWS]


def _stands_under(piece: Fragment, run: list[Row]) -> bool:
    """Tell whether a lone piece is the rest of a cell above, not a paragraph."""
    for above in reversed(run):
        if len(above) > 1:
            inner = [part for part in above if abs(part.x0 - piece.x0) < 0.6 * piece.size]
            return bool(inner) and piece.x1 <= max(part.x1 for part in above) + 4 * piece.size
    return False


def _trimmed(run: list[Row]) -> list[Row]:
    while run and len(run[-1]) == 1 and run[-1][0].x0 <= min(row[0].x0 for row in run) + 2:
        run = run[:-1]  # a line at the left below the last row is the text that follows
    return run


def _table(page: int, rows: list[Row]) -> PageTable | None:
    bands = _bands(rows)
    if len(bands) < 2 or not _is_table(rows, bands):
        return None
    grid: list[list[list[Fragment]]] = []
    for row in rows:
        cells: list[list[Fragment]] = [[] for _ in bands]
        for part in row:
            cells[_band_of(part, bands)].append(part)
        if grid and _goes_on(cells, grid[-1], row[0]):
            for cell, more in zip(grid[-1], cells, strict=True):
                cell.extend(more)
        else:
            grid.append(cells)
    if len(grid) < LEAST_ROWS:
        return None
    texts = [[cell_text(cell, 0.0) if cell else "" for cell in cells] for cells in grid]
    boxes = [[_hull(cell, band) for cell, band in zip(cells, bands, strict=True)] for cells in grid]
    parts = [part for row in rows for part in row]
    return PageTable(
        page=page,
        box=_hull(parts, bands[0]),
        xs=(*(band.left for band in bands), bands[-1].right),
        rows=texts,
        boxes=boxes,
        merges=[],
        fragments=parts,
        size=parts[0].size,
        head_bold=all(cell[0].bold for cell in grid[0] if cell),
    )


def _bands(rows: list[Row]) -> list[Band]:
    """Give the columns: what pieces cover, parted by white that runs through all rows."""
    parts = sorted((part for row in rows for part in row), key=lambda part: part.x0)
    gap = LEAST_GAP * parts[0].size
    bands = [[parts[0].x0, parts[0].x1]]
    for part in parts[1:]:
        if part.x0 - bands[-1][1] >= gap:
            bands.append([part.x0, part.x1])
        else:
            bands[-1][1] = max(bands[-1][1], part.x1)
    return [Band(left, right) for left, right in bands]


def _band_of(part: Fragment, bands: Sequence[Band]) -> int:
    return max(index for index, band in enumerate(bands) if band.left <= part.x0 + 0.1)


def _is_table(rows: list[Row], bands: list[Band]) -> bool:
    several = [row for row in rows if len({_band_of(part, bands) for part in row}) > 1]
    if len(several) < LEAST_ROWS or 10 * len(several) < 6 * len(rows):
        return False
    parts = [part for row in rows for part in row]
    if any(_LEADERS.search(part.text) for part in parts):
        return False
    lengths = sorted(len(part.text) for part in parts)
    middle, fill = lengths[len(lengths) // 2], _fill(parts, bands)
    if (middle > RUNNING_TEXT and fill > 0.6) or (middle > 7 and fill > 0.88 and len(rows) > 4):
        return False
    if sum(bool(_FIELD.search(part.text)) for part in parts) * 3 > len(parts):
        return False  # 甲方： … 乙方： …
    if sum(bool(_BLANK.search(part.text)) for part in parts) * 6 > len(parts):
        return False  # 年 月 日 （盖单位章）
    if len(parts) < COVERAGE * len(rows) * len(bands):
        return False
    first = sorted(len(row[0].text) for row in several)
    if first[len(first) // 2] > LONG_NAME:
        return False
    if len(bands) > 2:
        return True
    firsts = [row[0].text for row in several]
    lasts = [row[-1].text for row in several]
    if all(_PAGE.fullmatch(text) for text in lasts):
        return False
    if sum(label(f"{text} 甲") is not None for text in firsts) * 2 > len(firsts):
        return False
    return len(several) >= LEAST_ROWS + 1 and max(map(len, firsts)) <= RUNNING_TEXT


def _fill(parts: list[Fragment], bands: list[Band]) -> float:
    """Give how far the middle piece fills its column."""
    shares = sorted(
        (part.x1 - part.x0) / max(1.0, band.right - band.left)
        for part in parts
        for band in [bands[_band_of(part, bands)]]
    )
    return shares[len(shares) // 2]


def _goes_on(cells: list[list[Fragment]], above: list[list[Fragment]], first: Fragment) -> bool:
    """Tell whether a row holds only the rest of the cells above it."""
    filled = [index for index, cell in enumerate(cells) if cell]
    if cells[0] or not all(above[index] for index in filled):
        return False
    last = max(part.base for index in filled for part in above[index])
    return first.base - last <= 1.7 * first.size


def _hull(parts: list[Fragment], band: Band) -> Rectangle:
    if not parts:
        return (band.left, 0.0, band.right, 0.0)
    return (
        min(part.x0 for part in parts),
        min(part.y0 for part in parts),
        max(part.x1 for part in parts),
        max(part.y1 for part in parts),
    )
