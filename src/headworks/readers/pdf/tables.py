"""Ruled tables: fragments into the cells of a grid.

Takes grids and the page's fragments, gives tables with text and box for each cell, and the
fragments that stand in none. Never takes turned text into a cell, never loses a fragment.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise

import msgspec

from headworks.model.document import Merge
from headworks.readers.pdf.glyphs import WIDE
from headworks.readers.pdf.grids import Grid, Slot
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.rulings import Rectangle

_SENTENCE_END = re.compile("[。！？；：:;!?]$")
_ITEM = re.compile(
    "[（(]?[一二三四五六七八九十\\d]+[）)、.．]|第.{1,4}[条章节]|[^，。；：:]{1,8}[：:](?![/\\d])"
)
_CHOICE = re.compile("[□☑☐■●•①-⑳]")
_WIDE_CHAR = re.compile(f"[{WIDE}]")
Cut = Callable[[Fragment, Sequence[float]], list[Fragment]]


class PageTable(msgspec.Struct, frozen=True):
    """A table on one page: rows of cell texts and rectangles, its outer box and column edges."""

    page: int
    box: Rectangle
    xs: tuple[float, ...]
    rows: list[list[str]]
    boxes: list[list[Rectangle]]
    merges: list[Merge]
    fragments: list[Fragment]
    size: float = 10.0
    head_bold: bool = False


def fill(
    page: int, cut: Cut, found: Sequence[Grid], fragments: list[Fragment]
) -> tuple[list[PageTable], list[Fragment]]:
    """Give the tables and the fragments that stand outside them all.

    ``cut`` gives a fragment's parts between vertical lines.
    """
    tables, left = [], fragments
    for grid in found:
        inside, outside = _parted(grid, left)
        cells = _cells(cut, grid, inside)
        if len(cells) < 2 and len(grid.slots) < 4:
            continue  # a frame around text, not a table
        if not cells:
            continue
        tables.append(_table(page, grid, cells))
        left = outside
    return tables, left


def _parted(grid: Grid, fragments: list[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    x0, y0, x1, y1 = grid.box
    inside: list[Fragment] = []
    outside: list[Fragment] = []
    for fragment in fragments:
        x, y = (fragment.x0 + fragment.x1) / 2, (fragment.y0 + fragment.y1) / 2
        within = x0 - 2 <= x <= x1 + 2 and y0 - 1 <= y <= y1 + 1 and not fragment.angle
        (inside if within else outside).append(fragment)
    return inside, outside


def _cells(
    cut: Cut, grid: Grid, fragments: list[Fragment]
) -> dict[tuple[int, int], tuple[Slot, list[Fragment]]]:
    """Give the fragments by slot; one that crosses a line between slots is split there."""
    cells: dict[tuple[int, int], tuple[Slot, list[Fragment]]] = {}
    for fragment in fragments:
        y = min(max((fragment.y0 + fragment.y1) / 2, grid.ys[0] + 0.1), grid.ys[-1] - 0.1)
        for part in _parts(cut, grid, fragment, y):
            x = min(max((part.x0 + part.x1) / 2, grid.xs[0] + 0.1), grid.xs[-1] - 0.1)
            slot = grid.slot_at(x, y)
            if slot is not None:
                cells.setdefault((slot.row, slot.column), (slot, []))[1].append(part)
    return cells


def _parts(cut: Cut, grid: Grid, fragment: Fragment, y: float) -> list[Fragment]:
    if not fragment.font:
        return [fragment]  # a field's value is no text of the page that could be split
    slack = 0.35 * fragment.size
    left = grid.slot_at(max(fragment.x0 + slack, grid.xs[0] + 0.1), y)
    right = grid.slot_at(min(fragment.x1 - slack, grid.xs[-1] - 0.1), y)
    if left is right or left is None or right is None:
        return [fragment]
    edges = [
        slot.box[0]
        for slot in grid.slots
        if slot.box[1] <= y < slot.box[3] and fragment.x0 < slot.box[0] < fragment.x1
    ]
    return cut(fragment, sorted(edges)) or [fragment]


def _table(
    page: int, grid: Grid, cells: dict[tuple[int, int], tuple[Slot, list[Fragment]]]
) -> PageTable:
    rows, columns = len(grid.ys) - 1, len(grid.xs) - 1
    texts = [[""] * columns for _ in range(rows)]
    boxes: list[list[Rectangle]] = [
        [(grid.xs[c], grid.ys[r], grid.xs[c + 1], grid.ys[r + 1]) for c in range(columns)]
        for r in range(rows)
    ]
    merges = []
    for slot in grid.slots:
        boxes[slot.row][slot.column] = slot.box
        if slot.row_span > 1 or slot.column_span > 1:
            merges.append(Merge(slot.row, slot.column, slot.row_span, slot.column_span))
    sizes = []
    for (row, column), (slot, fragments) in cells.items():
        texts[row][column] = cell_text(fragments, slot.box[2] - slot.box[0])
        sizes.append(fragments[0].size)
    first = [fragments for (row, _), (_, fragments) in cells.items() if row == 0]
    table = PageTable(
        page=page,
        box=grid.box,
        xs=grid.xs,
        rows=texts,
        boxes=boxes,
        merges=merges,
        fragments=[part for _, parts in cells.values() for part in parts],
        size=sorted(sizes)[len(sizes) // 2],
        head_bold=bool(first) and all(fragments[0].bold for fragments in first),
    )
    return _without_empty_columns(table)


def table_lines(table: PageTable) -> list[list[Fragment]]:
    """Give a table's text as printed lines (a page header set in boxes)."""
    return visual_lines(table.fragments)


def cell_text(fragments: list[Fragment], width: float) -> str:
    """Give a cell's text: its lines, joined where the cell's edge broke them."""
    if len(fragments) == 1:
        return fragments[0].text
    lines = visual_lines(fragments)
    widest = max(line[-1].x1 - line[0].x0 for line in lines)
    size = fragments[0].size
    limit = max(widest, width - 14) - 1.6 * size
    text = ""
    for index, line in enumerate(lines):
        said = line_text(line)
        if not index:
            text = said
            continue
        previous = lines[index - 1]
        full = previous[-1].x1 - previous[0].x0 >= limit
        if full and not _begins_item(text, said):
            text += ("" if _tight_joint(text, said) else " ") + said
        else:
            text += "\n" + said
    return text


def _begins_item(before: str, said: str) -> bool:
    if _CHOICE.match(said):
        return True
    if not _ITEM.match(said):
        return False
    first = before.rpartition("\n")[2]
    return bool(_SENTENCE_END.search(before)) or bool(_ITEM.match(first))


def visual_lines(fragments: list[Fragment]) -> list[list[Fragment]]:
    """Give fragments as lines: those on one baseline together, left to right."""
    lines: list[list[Fragment]] = []
    for fragment in sorted(fragments, key=lambda fragment: fragment.base):
        if lines and fragment.base - lines[-1][0].base <= 0.45 * fragment.size:
            lines[-1].append(fragment)
        else:
            lines.append([fragment])
    for line in lines:
        line.sort(key=lambda fragment: fragment.x0)
    return lines


def line_text(parts: list[Fragment]) -> str:
    """Give the text of a line's fragments: those that touch are one word (m and its ²)."""
    text = parts[0].text
    for before, after in pairwise(parts):
        gap, size = after.x0 - before.x1, min(before.size, after.size)
        latin = before.text[-1:].isascii() and after.text[:1].isascii()
        text += ("" if gap < (0.12 if latin else 0.25) * size else " ") + after.text
    return text


def _tight_joint(before: str, after: str) -> bool:
    return bool(_WIDE_CHAR.match(before[-1:]) or _WIDE_CHAR.match(after[:1]))


def _without_empty_columns(table: PageTable) -> PageTable:
    """Give the table without the columns and rows that double lines and frames make."""
    rows, columns = len(table.rows), len(table.xs) - 1
    reached: dict[str, set[int]] = defaultdict(set)
    for merge in table.merges:
        reached["columns"].update(range(merge.column, merge.column + merge.column_span))
        reached["rows"].update(range(merge.row, merge.row + merge.row_span))
    narrow = [
        column
        for column in range(columns)
        if table.xs[column + 1] - table.xs[column] < 6
        and not any(row[column] for row in table.rows)
        and column not in reached["columns"]
    ]
    flat = [
        row
        for row in range(rows)
        if table.boxes[row][0][3] - table.boxes[row][0][1] < 5
        and not any(table.rows[row])
        and row not in reached["rows"]
    ]
    if not narrow and not flat:
        return table
    kept = [column for column in range(columns) if column not in narrow]
    stay = [row for row in range(rows) if row not in flat]
    return msgspec.structs.replace(
        table,
        xs=(*(table.xs[column] for column in kept), table.xs[-1]),
        rows=[[table.rows[row][column] for column in kept] for row in stay],
        boxes=[[table.boxes[row][column] for column in kept] for row in stay],
        merges=[
            Merge(stay.index(m.row), kept.index(m.column), m.row_span, m.column_span)
            for m in table.merges
        ],
    )
