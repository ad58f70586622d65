"""Spreadsheets whole: every sheet, its tables, what is hidden, what people noted on cells.

Takes an XLSX, XLSB, XLS or ODS file, gives tables with their place in the sheet. Never shows a
formula or a stored number where a person sees a value or a date.
"""

import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import IO

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Role, Source, Style
from headworks.model.place import CellPlace, a1
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.held import held_files
from headworks.readers.docx.salvage import recover_parts
from headworks.readers.xlsx.foreign import read_foreign
from headworks.readers.xlsx.grid import Grid
from headworks.readers.xlsx.notes import Note
from headworks.readers.xlsx.opendocument import read_opendocument
from headworks.readers.xlsx.properties import read_properties
from headworks.readers.xlsx.regions import CellText, Region, SheetLayout, TableArea
from headworks.readers.xlsx.scan import SheetScan, scan_sheet
from headworks.readers.xlsx.tables import add_table
from headworks.readers.xlsx.workbook import Workbook

_SHEET_STYLE = Style(name="sheet", bold=True, outline_level=1)
_GENERIC_NAME = re.compile(r"(?:sheet|工作表|表)\s*\d*", re.I)
_PACKAGED, _OPEN = "spreadsheetml.sheet", "opendocument.spreadsheet"
_MOST_SHOWN = 5
_MOST_KEPT = 500
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError)


def read_xlsx(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a workbook of any of the spreadsheet formats."""
    if not source.media_type.endswith(_PACKAGED):
        opened = read_opendocument if source.media_type.endswith(_OPEN) else read_foreign
        sheets = _Sheets(DocumentBuilder(source), settings)
        for name, state, scan in opened(path, sheets.clean, settings):
            sheets.add(name, state, scan)
        return sheets.finish()
    try:
        return _read_package(path, source, settings, damaged=False)
    except (InputError, *_BROKEN) as fault:
        if not settings.salvage or getattr(fault, "code", "E_CORRUPT") != "E_CORRUPT":
            raise
    return _read_package(_recovered(path, settings), source, settings, damaged=True)


def _read_package(
    package: Path | IO[bytes], source: Source, settings: ReadSettings, damaged: bool
) -> Document:
    builder = DocumentBuilder(source)
    sheets = _Sheets(builder, settings)
    workbook = Workbook(package, damaged)
    try:
        strings, styles = workbook.strings(sheets.clean), workbook.styles()
        builder.metadata = read_properties(workbook)
        for sheet in workbook.sheets:
            sheets.reading = sheet.name
            if damaged and not workbook.has(sheet.part):
                workbook.unread.append(f"{sheet.name} ({sheet.part or 'no part'})")
                continue
            scan = scan_sheet(workbook, sheet, strings, styles, sheets.clean, settings.max_cells)
            sheets.add(sheet.name, sheet.state, scan)
            del scan  # of a giant sheet it takes as much room as is left for the text
        files, objects = held_files(workbook.names(), workbook.content)
        workbook.unread += objects
    finally:
        workbook.close()
    if files:
        builder.metadata.more["attachments"] = files
    if workbook.pictures:
        builder.metadata.more["figures"] = workbook.pictures
    if workbook.unread:
        builder.lost(unread_parts=tuple(workbook.unread))
        for part in workbook.unread:
            builder.problem("W_PART", "a part beside the cells was not read", place=part)
    if damaged:
        builder.problem("W_SALVAGED", "the package is damaged: what could be read was kept")
    return sheets.finish()


def _recovered(path: Path, settings: ReadSettings) -> IO[bytes]:
    """Give a whole package made of what can be unpacked of a damaged one."""
    parts = recover_parts(path.read_bytes(), settings.max_unpacked_bytes)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return whole


class _Sheets:
    """The sheets on their way into the document, and what the report has to tell of them."""

    def __init__(self, builder: DocumentBuilder, settings: ReadSettings) -> None:
        self.builder = builder
        self._settings = settings
        self._names: list[str] = []
        self._hidden_sheets: list[str] = []
        self._hidden_parts: list[str] = []
        self._formulas: list[str] = []
        self._formula_count = 0
        self._stored: list[str] = []
        self._unvalued: list[str] = []
        self._unvalued_count = 0
        self.reading = "(shared strings)"

    def clean(self, text: str) -> str:
        """Give a cell's text as the document holds it."""
        text = self.builder.clean(text, CellPlace(self.reading, 0, 0))
        return text.replace("\t", " ").strip()

    def add(self, name: str, state: str, scan: SheetScan) -> None:
        """Add a sheet: its name, tables, comments, and apart from them what is hidden."""
        hidden = state != "visible"
        self._names.append(name if state == "visible" else f"{name} ({state})")
        if hidden:
            self._hidden_sheets.append(name)
        self._note_formulas(name, scan)
        layout = SheetLayout(scan.grid, scan.merges, scan.filter_row, scan.hidden.numbers)
        regions = layout.regions()
        if not regions and not len(scan.hidden) and not scan.notes:
            return
        role: Role = "hidden_text" if hidden else "body"
        place = CellPlace(name, 0, 0, hidden)
        self.builder.paragraph(name, place, style=_SHEET_STYLE, role=role)
        waiting = sorted(scan.notes, key=lambda note: (note.row, note.column))
        for region, needed_from in zip(regions, _needed_after(regions, scan.grid), strict=True):
            scan.grid.needed_from = needed_from
            self._add_region(name, region, scan.grid, role)
            waiting = self._add_notes(name, waiting, _last_row(region, scan.grid), role)
        self._add_notes(name, waiting, None, role)
        for part, text in scan.furniture:
            self.builder.paragraph(text, place, role=part)
        self._add_hidden(name, scan)

    def finish(self) -> Document:
        """Tell what was hidden, computed and left without a value; give the document."""
        builder = self.builder
        more: dict[str, str | int | float | list[str]] = {"sheets": self._names}
        if self._formulas:
            more["formulas"] = self._formulas
            more["formula_count"] = self._formula_count
        if self._stored:
            more["stored_values"] = self._stored
        if self._hidden_parts:
            more["hidden"] = self._hidden_parts
        builder.metadata = msgspec.structs.replace(
            builder.metadata, more={**builder.metadata.more, **more}
        )
        if self._hidden_sheets:
            builder.lost(hidden_sheets=tuple(self._hidden_sheets))
            builder.problem("W_HIDDEN", f"hidden sheets: {', '.join(self._hidden_sheets)}")
        for part in self._hidden_parts:
            builder.problem("W_HIDDEN", part, place=part.partition(":")[0])
        if self._unvalued:
            shown = ", ".join(self._unvalued)
            rest = " …" if self._unvalued_count > len(self._unvalued) else ""
            message = f"{self._unvalued_count} formulas without a value"
            builder.problem("W_FORMULA", message, place=f"{shown}{rest}")
        return builder.finish()

    def _add_region(self, name: str, region: Region, grid: Grid, role: Role) -> None:
        hidden = role != "body"
        if isinstance(region, CellText):
            place = CellPlace(name, region.row, region.column, hidden)
            self.builder.paragraph(region.text, place, role=role)
            return
        add_table(self.builder, name, region, grid, role, self._settings.max_cells)

    def _add_notes(
        self, name: str, notes: list[Note], last_row: int | None, role: Role
    ) -> list[Note]:
        """Add the comments on cells down to a row; give those that are still to come."""
        for index, note in enumerate(notes):
            if last_row is not None and note.row > last_row:
                return notes[index:]
            self.builder.paragraph(
                note.text,
                CellPlace(name, note.row, note.column, role != "body"),
                kind=note.kind,
                role=role,
                author=note.author,
                date=note.date,
            )
        return []

    def _add_hidden(self, name: str, scan: SheetScan) -> None:
        grid = scan.hidden
        if not len(grid):
            return
        used = 0
        for shape in set(grid.shapes):
            used |= shape.filled
        columns = range((used & -used).bit_length() - 1, used.bit_length())
        area = TableArea(range(len(grid)), columns, 0, ())
        add_table(self.builder, name, area, grid, "hidden_text", self._settings.max_cells)
        first = a1(grid.numbers[0], columns.start)
        last = a1(grid.numbers[-1], columns.stop - 1)
        self._hidden_parts.append(f"{name}: hidden rows or columns in {first}:{last}")

    def _note_formulas(self, name: str, scan: SheetScan) -> None:
        found = scan.formulas
        self._formula_count += found.count
        room = _MOST_KEPT - len(self._formulas)
        self._formulas.extend(f"{name}!{text}" for text in found.texts[:room])
        room = _MOST_KEPT - len(self._stored)
        self._stored.extend(f"{name}!{text}" for text in scan.stored[:room])
        self._unvalued_count += len(found.unvalued)
        room = _MOST_SHOWN - len(self._unvalued)
        self._unvalued.extend(f"{name}!{cell}" for cell in found.unvalued[:room])


def _needed_after(regions: list[Region], grid: Grid) -> list[int]:
    """Give, after each region, from which row of the grid on tables are still to come."""
    needed, least = [], len(grid)
    for region in reversed(regions):
        needed.append(least)
        if isinstance(region, TableArea):
            least = min(least, region.rows.start)
    return needed[::-1]


def _last_row(region: Region, grid: Grid) -> int:
    if isinstance(region, CellText):
        return region.row
    return grid.numbers[region.rows.stop - 1]
