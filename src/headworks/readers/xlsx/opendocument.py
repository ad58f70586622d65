"""ODS: sheets of the OpenDocument format, whose cells hold what a person sees.

Takes a path, gives for each sheet its name, state and rows. Never repeats the empty rows and cells
that the format counts by the million.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lxml import etree

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.xlsx.formats import general
from headworks.readers.xlsx.grid import Grid, Shape
from headworks.readers.xlsx.notes import Note
from headworks.readers.xlsx.scan import Formulas, SheetScan
from headworks.readers.xlsx.shown import Clean
from headworks.readers.xlsx.workbook import State, refuse_document_type

_NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
_TABLE = f"{{{_NAMES}table:1.0}}"
_TEXT = f"{{{_NAMES}text:1.0}}"
_OFFICE = f"{{{_NAMES}office:1.0}}"
_STYLE = f"{{{_NAMES}style:1.0}}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_CELLS = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_NUMBERS = frozenset({"float", "percentage", "currency", "date", "time"})
_MOST_REPEATED = 10_000
_MAX_COLUMN = 16_383
_MOST_FORMULAS = 500


def read_opendocument(
    path: Path, clean: Clean, settings: ReadSettings
) -> Iterator[tuple[str, State, SheetScan]]:
    """Give the sheets in order. Raises E_ENCRYPTED or E_CORRUPT."""
    with zipfile.ZipFile(path) as package:
        names = set(package.namelist())
        if "META-INF/manifest.xml" in names:
            manifest = package.read("META-INF/manifest.xml")
            if b"encryption-data" in manifest:
                raise InputError("E_ENCRYPTED", "an OpenDocument file with a password")
        if "content.xml" not in names:
            raise InputError("E_CORRUPT", "the package has no content")
        with package.open("content.xml") as stream:
            refuse_document_type(stream.read(4096))
        with package.open("content.xml") as stream:
            yield from _Content(clean, settings.max_cells).sheets(stream)


class _Content:
    """The content part read as a stream; elements are let go of row by row."""

    def __init__(self, clean: Clean, max_cells: int) -> None:
        self._clean = clean
        self._max_cells = max_cells
        self._cells = 0
        self._hidden_styles: set[str] = set()
        self._shapes: dict[tuple[tuple[int, ...], int], Shape] = {}
        self._begin()

    def _begin(self) -> None:
        self._scan = SheetScan(Grid(), Grid(), [], None, Formulas(), [])
        self._row = 0
        self._column = 0
        self._veiled: set[int] = set()

    def sheets(self, stream: IO[bytes]) -> Iterator[tuple[str, State, SheetScan]]:
        tags = [f"{_TABLE}table", f"{_TABLE}table-row", f"{_TABLE}table-column", f"{_STYLE}style"]
        events = etree.iterparse(
            stream, events=("end",), tag=tags, resolve_entities=False, no_network=True
        )
        try:
            for _, element in events:
                tag = element.tag
                if tag == f"{_STYLE}style":
                    self._note_style(element)
                elif tag == f"{_TABLE}table-column":
                    self._take_column(element)
                elif tag == f"{_TABLE}table-row":
                    self._take_row(element)
                    element.clear()
                elif _is_sheet(element):
                    style = element.get(f"{_TABLE}style-name") or ""
                    state: State = "hidden" if style in self._hidden_styles else "visible"
                    yield element.get(f"{_TABLE}name") or "", state, self._scan
                    self._begin()
                    element.clear()
        except etree.XMLSyntaxError as fault:
            raise InputError("E_CORRUPT", "the content is not well-formed") from fault

    def _note_style(self, style: etree._Element) -> None:
        properties = style.find(f"{_STYLE}table-properties")
        if properties is not None and properties.get(f"{_TABLE}display") == "false":
            self._hidden_styles.add(style.get(f"{_STYLE}name") or "")

    def _take_column(self, column: etree._Element) -> None:
        count = _count(column, "number-columns-repeated")
        if column.get(f"{_TABLE}visibility") in ("collapse", "filter"):
            self._veiled.update(range(self._column, min(self._column + count, _MAX_COLUMN + 1)))
        self._column += count

    def _take_row(self, row: etree._Element) -> None:
        repeated = _count(row, "number-rows-repeated")
        texts, numeric = self._cells_of(row)
        if texts:
            hidden = row.get(f"{_TABLE}visibility") in ("collapse", "filter")
            veiled = set(texts) if hidden else self._veiled
            shown = {column: text for column, text in texts.items() if column not in veiled}
            unseen = {column: text for column, text in texts.items() if column in veiled}
            for _ in range(min(repeated, _MOST_REPEATED)):
                self._cells += len(texts)
                if self._cells > self._max_cells:
                    raise LimitError("E_TOO_LARGE", f"over {self._max_cells} cells")
                self._add(self._scan.grid, shown, numeric)
                self._add(self._scan.hidden, unseen, numeric)
                self._row += 1
            repeated = max(0, repeated - _MOST_REPEATED)
        self._row += repeated

    def _add(self, grid: Grid, texts: dict[int, str], numeric: int) -> None:
        if not texts:
            return
        columns = tuple(texts)
        filled = 0
        for column in columns:
            filled |= 1 << column
        key = (columns, numeric & filled)
        if key not in self._shapes:
            self._shapes[key] = Shape(columns, filled, numeric & filled)
        grid.add(self._row, self._shapes[key], list(texts.values()))

    def _cells_of(self, row: etree._Element) -> tuple[dict[int, str], int]:
        """Give the texts of a row by column, and the mask of those that are numbers or dates."""
        texts: dict[int, str] = {}
        numeric, column = 0, 0
        for cell in row.iterchildren(*_CELLS):
            repeated = _count(cell, "number-columns-repeated")
            text = self._shown(cell) if len(cell) or cell.get(f"{_OFFICE}value") else ""
            if text:
                is_number = cell.get(f"{_OFFICE}value-type") in _NUMBERS
                for at in range(column, min(column + repeated, _MAX_COLUMN + 1)):
                    texts[at] = text
                    numeric |= is_number << at
                self._note_span(cell, column)
            self._note_extras(cell, column, text)
            column += repeated
        return texts, numeric

    def _note_span(self, cell: etree._Element, column: int) -> None:
        down, right = _count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned")
        if down > 1 or right > 1:
            area = (self._row, column, self._row + down - 1, column + right - 1)
            self._scan.merges.append(area)

    def _note_extras(self, cell: etree._Element, column: int, text: str) -> None:
        formula = cell.get(f"{_TABLE}formula")
        name = f"{_letters(column)}{self._row + 1}"
        if formula:
            found = self._scan.formulas
            found.count += 1
            if len(found.texts) < _MOST_FORMULAS:
                found.texts.append(f"{name}={formula.partition('=')[2]}")
            if not text and cell.get(f"{_OFFICE}value-type") is None:
                found.unvalued.append(name)
        annotation = cell.find(f"{_OFFICE}annotation")
        if annotation is not None:
            author = annotation.findtext(f"{_DC}creator") or ""
            said = self._clean(_paragraphs(annotation))
            who = f"[批注] {author}: " if author else "[批注] "
            date = annotation.findtext(f"{_DC}date")
            note = Note(self._row, column, who + said, author=author or None, date=date)
            self._scan.notes.append(note)

    def _shown(self, cell: etree._Element) -> str:
        text = self._clean(_paragraphs(cell))
        value = cell.get(f"{_OFFICE}value")
        if value and (not text or ("E+" in text and cell.get(f"{_OFFICE}value-type") == "float")):
            return general(value)
        return text


def _is_sheet(table: etree._Element) -> bool:
    parent = table.getparent()
    return parent is not None and parent.tag == f"{_OFFICE}spreadsheet"


def _paragraphs(holder: etree._Element) -> str:
    return "\n".join(_flat(paragraph) for paragraph in holder.iterchildren(f"{_TEXT}p"))


def _flat(element: etree._Element) -> str:
    """Give a paragraph's text with its blanks, tabs and line ends."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * min(_count(child, "c", _TEXT), 1000))
        elif child.tag == f"{_TEXT}tab":
            parts.append(" ")
        elif child.tag == f"{_TEXT}line-break":
            parts.append("\n")
        elif isinstance(child.tag, str) and child.tag != f"{_OFFICE}annotation":
            parts.append(_flat(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _count(element: etree._Element, name: str, space: str = _TABLE) -> int:
    value = element.get(f"{space}{name}") or "1"
    return max(1, int(value)) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
