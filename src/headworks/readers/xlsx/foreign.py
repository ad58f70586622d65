"""XLS and XLSB: values through calamine, what it does not tell from the file itself.

Takes a path, gives for each sheet its name, state and rows. Never gives a date as a number: where
no number format is known it is shown as year-month-day.
"""

import datetime as dt
import struct
from collections.abc import Iterator
from pathlib import Path

import python_calamine as calamine
from lxml import etree

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.compound import CompoundFile
from headworks.readers.container import BROKEN
from headworks.readers.xlsx.biff import BiffBook, BiffNote, BiffSheet, read_biff
from headworks.readers.xlsx.binary import read_binary
from headworks.readers.xlsx.formats import general
from headworks.readers.xlsx.grid import Area, Grid, Shape, mask_of
from headworks.readers.xlsx.notes import Note
from headworks.readers.xlsx.scan import Formulas, SheetScan
from headworks.readers.xlsx.shown import Clean
from headworks.readers.xlsx.workbook import State

_STATES: dict[str, State] = {"Hidden": "hidden", "VeryHidden": "veryHidden"}
_BROKEN = (struct.error, ValueError, IndexError, etree.XMLSyntaxError, KeyError, *BROKEN)
Value = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


def read_foreign(
    path: Path, clean: Clean, settings: ReadSettings
) -> Iterator[tuple[str, State, SheetScan]]:
    """Give the sheets in order. Raises E_ENCRYPTED or E_CORRUPT."""
    book = _biff_book(path)
    try:
        with calamine.CalamineWorkbook.from_path(path) as workbook:
            for sheet in workbook.sheets_metadata:
                if str(sheet.typ).rpartition(".")[2] != "WorkSheet":
                    continue
                state = _STATES.get(str(sheet.visible).rpartition(".")[2], "visible")
                found = workbook.get_sheet_by_name(sheet.name)
                yield sheet.name, state, _Sheet(found, clean, book).scan(settings.max_cells)
    except calamine.PasswordError as fault:
        raise InputError("E_ENCRYPTED", "a workbook with a password") from fault
    except calamine.CalamineError as fault:
        raise InputError("E_CORRUPT", f"the workbook is broken: {type(fault).__name__}") from fault
    except OSError as fault:
        if fault.errno is not None:  # the disk's; calamine's own words for an early end have none
            raise
        raise InputError("E_CORRUPT", "the workbook is broken") from fault
    except BaseException as fault:
        if type(fault).__module__ != "pyo3_runtime":  # a panic in calamine's Rust is no Exception
            raise
        raise InputError("E_CORRUPT", "the workbook is broken") from fault


def _biff_book(path: Path) -> BiffBook | None:
    """Give what a file tells beside its values; none for what is too old."""
    with path.open("rb") as file:
        packed = file.read(4) != b"\xd0\xcf\x11\xe0"
    try:
        if packed:
            return read_binary(path)
        stream = CompoundFile(path.read_bytes()).stream("Workbook")
        return read_biff(stream) if stream else None
    except _BROKEN:  # the values alone are better than none
        return None


class _Sheet:
    """A sheet: calamine's values with the numbers as its cells show them."""

    def __init__(self, sheet: calamine.CalamineSheet, clean: Clean, book: BiffBook | None) -> None:
        self._sheet, self._clean = sheet, clean
        self._styles = book.styles if book else None
        self._extra = (book.sheets.get(sheet.name) if book else None) or BiffSheet(
            {}, set(), set(), []
        )
        self._shapes: dict[tuple[tuple[int, ...], int], Shape] = {}

    def scan(self, max_cells: int) -> SheetScan:
        sheet, extra = self._sheet, self._extra
        grid, hidden = Grid(), Grid()
        if sheet.start is not None:
            if sheet.height * sheet.width > max_cells:
                raise LimitError("E_TOO_LARGE", f"{sheet.height * sheet.width} cells")
            first_row, first_column = sheet.start
            for number, row in enumerate(sheet.iter_rows(), first_row):
                cells = self._cells(number, first_column, row)
                veiled = extra.hidden_columns
                if number in extra.hidden_rows:
                    veiled = {column for column, _, _ in cells}
                self._add(grid, number, [cell for cell in cells if cell[0] not in veiled])
                self._add(hidden, number, [cell for cell in cells if cell[0] in veiled])
        merges: list[Area] = [
            (top, left, bottom, right)
            for (top, left), (bottom, right) in sheet.merged_cell_ranges or ()
        ] or extra.merges
        notes = [note for note in map(self._note, extra.notes) if note is not None]
        return SheetScan(grid, hidden, merges, None, Formulas(), notes)

    def _cells(
        self, number: int, first_column: int, row: list[Value]
    ) -> list[tuple[int, str, bool]]:
        """Give column, text and whether it is a number for each cell with text."""
        cells = []
        for column, value in enumerate(row, first_column):
            stored = self._extra.numbers.get((number, column))
            if stored is not None and self._styles is not None and not isinstance(value, str):
                text, is_number = self._styles.numbers(stored[1])[stored[0]], True
            else:
                text, is_number = _shown(value, self._clean)
            if text:
                cells.append((column, text, is_number))
        return cells

    def _add(self, grid: Grid, number: int, cells: list[tuple[int, str, bool]]) -> None:
        if not cells:
            return
        columns = tuple(column for column, _, _ in cells)
        numeric = mask_of(column for column, _, is_number in cells if is_number)
        key = (columns, numeric)
        if key not in self._shapes:
            self._shapes[key] = Shape(columns, mask_of(columns), numeric)
        grid.add(number, self._shapes[key], [text for _, text, _ in cells])

    def _note(self, note: BiffNote) -> Note | None:
        text, author = self._clean(note.text), self._clean(note.author)
        if author and text.startswith(author):
            text = text[len(author) :].lstrip(":：\n ")
        if not text:
            return None
        who = f"[批注] {author}: " if author else "[批注] "
        return Note(note.row, note.column, who + text, author=author or None)


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
