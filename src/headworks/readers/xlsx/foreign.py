"""XLS, XLSB and ODS through calamine: values without their number formats.

Takes a path, gives for each sheet its name, state and rows. Never gives a date as a number: where
the file marks it as one it is shown as year-month-day.
"""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import python_calamine as calamine

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.xlsx.formats import general
from headworks.readers.xlsx.grid import Area, Grid, Shape
from headworks.readers.xlsx.scan import Formulas, SheetScan
from headworks.readers.xlsx.shown import Clean
from headworks.readers.xlsx.workbook import State

_STATES: dict[str, State] = {"Hidden": "hidden", "VeryHidden": "veryHidden"}
Value = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


def read_foreign(
    path: Path, clean: Clean, settings: ReadSettings
) -> Iterator[tuple[str, State, SheetScan]]:
    """Give the sheets in order. Raises E_ENCRYPTED or E_CORRUPT."""
    try:
        with calamine.CalamineWorkbook.from_path(path) as workbook:
            for sheet in workbook.sheets_metadata:
                state = _STATES.get(str(sheet.visible).rpartition(".")[2], "visible")
                found = workbook.get_sheet_by_name(sheet.name)
                yield sheet.name, state, _scan(found, clean, settings.max_cells)
    except calamine.PasswordError as fault:
        raise InputError("E_ENCRYPTED", "a workbook with a password") from fault
    except calamine.CalamineError as fault:
        raise InputError("E_CORRUPT", f"the workbook is broken: {type(fault).__name__}") from fault


def _scan(sheet: calamine.CalamineSheet, clean: Clean, max_cells: int) -> SheetScan:
    grid = Grid()
    if sheet.start is not None:
        if sheet.height * sheet.width > max_cells:
            raise LimitError("E_TOO_LARGE", f"{sheet.height * sheet.width} cells")
        shapes: dict[tuple[tuple[int, ...], int], Shape] = {}
        first_row, first_column = sheet.start
        for number, row in enumerate(sheet.iter_rows(), first_row):
            _add_row(grid, shapes, number, first_column, [_shown(value, clean) for value in row])
    merges: list[Area] = [
        (top, left, bottom, right)
        for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()
    ]
    return SheetScan(grid, Grid(), merges, None, Formulas())


def _add_row(
    grid: Grid,
    shapes: dict[tuple[tuple[int, ...], int], Shape],
    number: int,
    first_column: int,
    cells: list[tuple[str, bool]],
) -> None:
    columns, numeric, filled, texts = [], 0, 0, []
    for column, (text, is_number) in enumerate(cells, first_column):
        if text:
            columns.append(column)
            texts.append(text)
            filled |= 1 << column
            numeric |= is_number << column
    if not texts:
        return
    key = (tuple(columns), numeric)
    if key not in shapes:
        shapes[key] = Shape(key[0], filled, numeric)
    grid.add(number, shapes[key], texts)


def _shown(value: Value, clean: Clean) -> tuple[str, bool]:
    """Give a value as text, and whether it is a number or a date."""
    if isinstance(value, str):
        return (clean(value), False) if value else ("", False)
    if isinstance(value, bool):
        return ("TRUE" if value else "FALSE"), False
    if isinstance(value, dt.datetime):
        if value.time() == dt.time():
            return value.date().isoformat(), True
        return value.isoformat(sep=" ", timespec="seconds"), True
    if isinstance(value, dt.date | dt.time):
        return value.isoformat(), True
    if isinstance(value, dt.timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}", True
    return general(repr(value)), True
