"""Regions: whatever the sheet looks like, each of its cells is in one place of the document."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from headworks.readers.xlsx.grid import Area, Grid, Shape
from headworks.readers.xlsx.regions import CellText, SheetLayout

PLACES = st.dictionaries(
    st.tuples(st.integers(0, 30), st.integers(0, 14)), st.booleans(), min_size=1, max_size=60
)
AREAS = st.lists(
    st.tuples(st.integers(0, 28), st.integers(0, 12), st.integers(0, 4), st.integers(0, 4)),
    max_size=5,
)


def grid_of(places: dict[tuple[int, int], bool]) -> Grid:
    """Give a grid whose cells name their places."""
    grid = Grid()
    for row in sorted({row for row, _ in places}):
        columns = tuple(sorted(column for at, column in places if at == row))
        numeric = sum(1 << column for column in columns if places[row, column])
        shape = Shape(columns, sum(1 << column for column in columns), numeric)
        grid.add(row, shape, [f"r{row}c{column}" for column in columns])
    return grid


@given(places=PLACES, areas=AREAS)
def test_each_cell_once(
    places: dict[tuple[int, int], bool], areas: list[tuple[int, int, int, int]]
) -> None:
    """Every cell with text is in exactly one paragraph or table, and nothing else is."""
    grid = grid_of(places)
    merges: list[Area] = [(row, left, row + down, left + right) for row, left, down, right in areas]
    found: Counter[str] = Counter()
    for region in SheetLayout(grid, merges, None, ()).regions():
        if isinstance(region, CellText):
            found[region.text] += 1
            assert region.text == f"r{region.row}c{region.column}"
            continue
        pieces, starts = grid.table_text(region.rows, region.columns)
        text = "\n".join(pieces)
        assert len(starts) == len(region.rows) * len(region.columns)
        cells = [cell for line in text.split("\n") for cell in line.split("\t")]
        for index, (start, cell) in enumerate(zip(starts, cells, strict=True)):
            assert text[start : start + len(cell)] == cell
            row, column = divmod(index, len(region.columns))
            if cell:
                number = grid.numbers[region.rows.start + row]
                assert cell == f"r{number}c{region.columns.start + column}"
                found[cell] += 1
        assert 0 <= region.header_rows < len(region.rows) or region.header_rows == 0
        for merge in region.merges:
            assert merge.row + merge.row_span <= len(region.rows)
            assert merge.column + merge.column_span <= len(region.columns)
    assert found == Counter(f"r{row}c{column}" for row, column in places)
