"""A table area put into the document.

Takes a grid and an area of it, gives nothing: the block goes into the builder. Never adds a table
of more cells than the bound allows.
"""

from array import array

from headworks.errors import LimitError
from headworks.model.document import Role
from headworks.model.place import CellPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.xlsx.grid import Grid
from headworks.readers.xlsx.regions import TableArea


def add_table(
    builder: DocumentBuilder, name: str, area: TableArea, grid: Grid, role: Role, max_cells: int
) -> None:
    """Add the area as a table block of the sheet ``name``. Raises E_TOO_LARGE."""
    cells = len(area.rows) * len(area.columns)
    if cells > max_cells:
        raise LimitError("E_TOO_LARGE", f"a table of {cells} cells", place=f"sheet {name}")
    pieces, starts = grid.table_text(area.rows, area.columns, builder.length)
    numbers = grid.numbers[area.rows.start : area.rows.stop]
    gapless = numbers[-1] - numbers[0] + 1 == len(numbers)
    builder.grid_text(
        pieces,
        starts,
        CellPlace(name, numbers[0], area.columns.start, role != "body"),
        columns=len(area.columns),
        grid={
            "header_rows": area.header_rows,
            "merges": area.merges,
            "name": name,
            "row": numbers[0],
            "column": area.columns.start,
            "row_numbers": None if gapless else array("I", numbers).tobytes(),
        },
        role=role,
    )
