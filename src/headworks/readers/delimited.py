"""CSV, TSV and their kin: rows of cells in a text file.

Takes such a file in any encoding, gives tables with their place in it. Never turns a cell into a
number: 00123 stays 00123.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, Source
from headworks.model.place import CellPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.text import load_text
from headworks.readers.xlsx.grid import Grid, Shape
from headworks.readers.xlsx.regions import CellText, SheetLayout
from headworks.readers.xlsx.tables import add_table

_DELIMITERS = (",", "\t", ";", "|", "，")
_NUMBER = re.compile(
    r"[-+(]?[¥$￥€]?\s?\d[\d,]*(?:\.\d+)?%?\)?|\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
)
_SAMPLE_LINES = 50
_JUDGED_ROWS = 20
_MAX_FIELD_CHARS = 1 << 24


def read_delimited(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a file of delimited rows."""
    builder = DocumentBuilder(source)
    name = Path(source.name).stem
    text = load_text(path, builder)
    text = builder.clean(text, CellPlace(name, 0, 0))
    try:
        grid = _grid(text, settings.max_cells)
    except csv.Error as fault:
        raise InputError("E_CORRUPT", f"not delimited rows: {fault}") from fault
    layout = SheetLayout(grid, (), None, ())
    for region in layout.regions():
        if isinstance(region, CellText):
            builder.paragraph(region.text, CellPlace(name, region.row, region.column))
        else:
            add_table(builder, name, region, grid, "body", settings.max_cells)
    return builder.finish()


def _grid(text: str, max_cells: int) -> Grid:
    grid = Grid()
    csv.field_size_limit(_MAX_FIELD_CHARS)
    shapes: dict[tuple[tuple[int, ...], int], Shape] = {}
    cells = 0
    for number, row in enumerate(_rows(text)):
        filled = [(column, _cell(cell)) for column, cell in enumerate(row)]
        filled = [(column, cell) for column, cell in filled if cell]
        if not filled:
            continue
        cells += len(row)
        if cells > max_cells:
            raise LimitError("E_TOO_LARGE", f"over {max_cells} cells")
        columns, texts = zip(*filled, strict=True)
        numeric = _numeric(columns, texts) if number < _JUDGED_ROWS else 0
        key = (columns, numeric)
        if key not in shapes:
            shapes[key] = Shape(columns, sum(1 << column for column in columns), numeric)
        grid.add(number, shapes[key], texts)
    return grid


def _rows(text: str) -> "csv._reader | list[list[str]]":  # type: ignore[name-defined]
    delimiter = _delimiter(text)
    if len(delimiter) == 1 and delimiter.isascii():
        return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [line.split(delimiter) for line in text.split("\n")]


def _cell(text: str) -> str:
    return text.replace("\t", " ").strip() if "\t" in text else text.strip()


def _numeric(columns: Sequence[int], texts: Sequence[str]) -> int:
    mask = 0
    for column, text in zip_longest(columns, texts):
        mask |= bool(_NUMBER.fullmatch(text)) << column
    return mask


def _delimiter(text: str) -> str:
    """Give the delimiter that splits most of the first lines into the same number of cells."""
    lines = [line for line in text[:100_000].split("\n")[:_SAMPLE_LINES] if line.strip()]
    if lines and lines[0].lower().startswith("sep=") and len(lines[0]) == 5:
        return lines[0][4]
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        counts = Counter(_count(line, delimiter) for line in lines)
        counts.pop(0, None)
        if not counts:
            continue
        number, agreeing = counts.most_common(1)[0]
        score = agreeing + min(number, 20) / 100
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _count(line: str, delimiter: str) -> int:
    if '"' in line:
        line = re.sub(r'"[^"]*"', "", line)
    return line.count(delimiter)
