"""One sheet of an XLSX package: its rows as shown text, what is hidden, merged and computed.

Takes a workbook and a sheet, gives a ``SheetScan``. Never shows a formula as a value, never loses a
digit of a number that the file holds whole.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, compress, repeat
from typing import IO

import msgspec

from headworks.errors import LimitError
from headworks.model.document import Role
from headworks.readers.xlsx.cells import (
    IrregularError,
    SheetEnds,
    Stretch,
    column_number,
    damaged_stretches,
    fast_stretches,
    formula_text,
    slow_stretches,
    split_content,
)
from headworks.readers.xlsx.formats import shows_as_stored
from headworks.readers.xlsx.grid import Area, Grid, Shape, mask_of
from headworks.readers.xlsx.notes import Note, notes_of
from headworks.readers.xlsx.shown import Clean, Shown, Strings, Tables, unescaped
from headworks.readers.xlsx.styles import Styles
from headworks.readers.xlsx.uniform import UniformRows
from headworks.readers.xlsx.workbook import Sheet, Workbook

_ROW_NUMBER = re.compile(r'<row r="(\d+)"')
_NUMBER_ANYWHERE = re.compile(r'\sr="(\d+)"')
_HIDDEN = re.compile(r'\shidden="(?:1|true)"|\sht="0"|\swidth="0"')
_COLUMN = re.compile(r"<(?:\w+:)?col(?=\s)([^>]*)>")
_BOUND = re.compile(r'\s(min|max)="(\d+)"')
_MERGE = re.compile(r'mergeCell ref="\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)"')
_FILTER = re.compile(r'autoFilter ref="\$?[A-Z]+\$?(\d+)')
_HEADER_FOOTER = re.compile(r"<(?:odd|even|first)(Header|Footer)>([^<]*)<")
_PART_CODE = re.compile("&[LCR]")
_CODE = re.compile(r'&(?:"[^"]*"|\d+|K[0-9A-F]{6}|[PNDTFAGZBIUSEXYHO&](?:[+-]\d+)?)', re.I)
_LETTER = re.compile(r"[^\W\d_]")
_MAX_COLUMN = 16_383
_MOST_FORMULAS = 500
_MOST_STORED = 500


class Formulas(msgspec.Struct):
    """The formulas of a sheet: how many, the first texts, and the cells without a cached value."""

    count: int = 0
    texts: list[str] = []
    unvalued: list[str] = []


class SheetScan(msgspec.Struct):
    """What a sheet holds: rows to show, rows and columns that are hidden, merged areas."""

    grid: Grid
    hidden: Grid
    merges: list[Area]
    filter_row: int | None
    formulas: Formulas
    notes: list[Note] = []
    furniture: list[tuple[Role, str]] = []
    stored: list[str] = []


class _Plan(msgspec.Struct):
    """What the rows of one look have in common: which of their cells are shown, which hidden."""

    shape: Shape
    kept: list[int] | None  # positions of the cells in columns that are shown; none for all
    kept_shape: Shape
    veiled: list[int]
    veiled_shape: Shape


def scan_sheet(
    workbook: Workbook, sheet: Sheet, strings: Strings, styles: Styles, clean: Clean, max_cells: int
) -> SheetScan:
    """Read a sheet."""
    if sheet.charts_only:
        notes = notes_of(workbook, sheet, clean)
        return SheetScan(Grid(), Grid(), [], None, Formulas(), notes)
    for way in ("damaged",) if workbook.damaged else ("fast", "slow"):
        ends = SheetEnds()
        scan = _Scanner(strings, styles, clean, max_cells)
        try:
            with workbook.open(sheet.part) as stream:
                scan.read(way, stream, ends)
        except IrregularError:
            continue
        found = scan.finish(ends)
        found.notes = notes_of(workbook, sheet, clean)
        return found
    raise IrregularError


class _Scanner:
    def __init__(self, strings: Strings, styles: Styles, clean: Clean, max_cells: int) -> None:
        self._max_cells = max_cells
        self._tables = Tables(strings, styles, clean)
        self._plans: dict[tuple[str, ...], _Plan] = {}
        self._shapes: dict[tuple[tuple[int, ...], int, int, int], Shape] = {}
        self._columns: dict[str, int] = {}
        self._veiled: set[int] = set()
        self._number = -1
        self._scan = SheetScan(Grid(), Grid(), [], None, Formulas())

    def read(self, way: str, stream: IO[bytes], ends: SheetEnds) -> None:
        cells_so_far = 0
        for stretch in self._stretches(way, stream, ends):
            if self._number < 0:
                self._veiled = set(_hidden_columns(ends.head))
            cells_so_far += stretch.cell_count()
            if cells_so_far > self._max_cells:
                raise LimitError("E_TOO_LARGE", f"over {self._max_cells} cells")
            if isinstance(stretch, UniformRows):
                self._add_uniform(stretch)
            else:
                self._add_rows(stretch, self._texts(stretch))

    def _stretches(
        self, way: str, stream: IO[bytes], ends: SheetEnds
    ) -> Iterator[Stretch | UniformRows]:
        if way == "fast":
            return fast_stretches(stream, ends, self._tables.alike)
        return (slow_stretches if way == "slow" else damaged_stretches)(stream, ends)

    def finish(self, ends: SheetEnds) -> SheetScan:
        scan = self._scan
        if len(scan.grid) or len(scan.hidden):
            scan.merges = [
                (int(top) - 1, column_number(left), int(bottom) - 1, column_number(right))
                for left, top, right, bottom in _MERGE.findall(ends.tail)
            ]
        found = _FILTER.search(ends.tail)
        scan.filter_row = int(found[1]) - 1 if found else None
        scan.furniture = list(_furniture(ends.tail))
        return scan

    def _texts(self, stretch: Stretch) -> list[str]:
        """Show some thousand cells at once: what is done once a stretch costs next to nothing."""
        looks = self._tables
        tables = [looks[attribute] for attribute in stretch.attributes]
        values = stretch.values
        if stretch.formulas is not None and stretch.contents is not None:
            values = self._computed(stretch, stretch.formulas, stretch.contents, tables)
        looks.prepare(tables, values)
        texts = [table[value] for table, value in zip(tables, values, strict=True)]
        if len(self._scan.stored) < _MOST_STORED and looks.has_formats():
            self._note_stored(stretch, tables, values, texts)
        return texts

    def _note_stored(
        self,
        stretch: Stretch,
        tables: list[Shown | Strings],
        values: tuple[str, ...],
        texts: list[str],
    ) -> None:
        """Keep what the first cells store where their format shows something else."""
        name, stored = self._namer(stretch), self._scan.stored
        for index, table in enumerate(tables):
            plainly = table.plainly if isinstance(table, Shown) else None
            if plainly is None or not values[index]:
                continue
            plain = plainly(values[index])
            if plain != texts[index]:
                stored.append(f"{name(index)}={plain}")
                if len(stored) >= _MOST_STORED:
                    return

    def _add_uniform(self, rows: UniformRows) -> None:
        """Add rows of the same cells, column by column."""
        texts = self._tables.columns(rows.attributes, rows.values)
        self._count_formulas(rows)
        if len(self._scan.stored) < _MOST_STORED and self._tables.has_formats():
            self._note_stored_of(rows, texts)
        plan = self._plan_of(rows.letters, rows.attributes)
        numbers = [int(number) - 1 for number in rows.numbers]
        self._number = numbers[-1]
        if plan.kept is not None or any(map(_HIDDEN.search, set(rows.tags))):
            for number, tag, *line in zip(numbers, rows.tags, *texts, strict=True):
                self._add(number, plan, line, tag)
            return
        lines = list(map("\t".join, zip(*texts, strict=True)))
        holes = [n for n, column in enumerate(texts) if "" in column]
        if not holes:
            self._scan.grid.extend(numbers, repeat(plan.shape, len(numbers)), lines)
            return
        shapes = self._shapes_of(plan.shape, holes, texts)
        kept = [shape.filled != 0 for shape in shapes]
        self._scan.grid.extend(
            compress(numbers, kept), compress(shapes, kept), list(compress(lines, kept))
        )

    def _shapes_of(self, shape: Shape, holes: list[int], texts: list[Sequence[str]]) -> list[Shape]:
        """Give each row's shape, where some columns (``holes``) have empty cells."""
        bits = [1 << shape.columns[n] for n in holes]
        known: dict[tuple[bool, ...], Shape] = {}
        shapes = []
        for present in zip(*(map(bool, texts[n]) for n in holes), strict=True):
            found = known.get(present)
            if found is None:
                empty = sum(
                    bit for bit, is_there in zip(bits, present, strict=True) if not is_there
                )
                filled = shape.filled & ~empty
                found = known[present] = self._shape(
                    shape.columns, filled, shape.numeric & filled, shape.bold & filled
                )
            shapes.append(found)
        return shapes

    def _count_formulas(self, rows: UniformRows) -> None:
        found = self._scan.formulas
        for elements in rows.formulas.values():
            found.count += len(elements) - elements.count("")
        if len(found.texts) >= _MOST_FORMULAS or not rows.formulas:
            return
        letters = [rows.letters[index] for index in rows.formulas]
        for number, *row in zip(rows.numbers, *rows.formulas.values(), strict=True):
            for column, element in zip(letters, row, strict=True):
                text = formula_text(element) if element[-2:] != "/>" else ""
                if text and len(found.texts) < _MOST_FORMULAS:
                    found.texts.append(f"{column}{number}={unescaped(text)}")

    def _note_stored_of(self, rows: UniformRows, texts: list[Sequence[str]]) -> None:
        """Keep what the first cells store where their format shows something else."""
        columns = [
            (letters, values, shown, table.plainly)
            for letters, attributes, values, shown in zip(
                rows.letters, rows.attributes, rows.values, texts, strict=True
            )
            if isinstance(table := self._tables[attributes], Shown)
            and table.plainly is not None
            and (list(values) != list(shown) or not shows_as_stored(values))
        ]
        stored = self._scan.stored
        for row, number in enumerate(rows.numbers if columns else ()):
            for letters, values, shown, plainly in columns:
                if values[row] and (plain := plainly(values[row])) != shown[row]:
                    stored.append(f"{letters}{number}={plain}")
                    if len(stored) >= _MOST_STORED:
                        return

    def _add_rows(self, stretch: Stretch, texts: list[str]) -> None:
        letters, attributes = stretch.letters, stretch.attributes
        add = self._scan.grid.add
        start = 0
        last_letters: tuple[str, ...] = ()
        last_attributes: tuple[str, ...] = ()
        plan = None
        for tag, count in zip(stretch.tags, stretch.counts, strict=True):
            end = start + count
            row_letters, row_attributes = letters[start:end], attributes[start:end]
            if plan is None or row_attributes != last_attributes or row_letters != last_letters:
                plan = self._plan_of(row_letters, row_attributes)
                last_letters, last_attributes = row_letters, row_attributes
            row = texts[start:end]
            found = _ROW_NUMBER.match(tag)
            number = int(found[1]) - 1 if found else self._number_in(tag)
            self._number = number
            # A tag that tells of no height and no hiding has no "h" after its number.
            if plan.kept is None and "" not in row and "h" not in tag[10:]:
                add(number, plan.shape, row)
            else:
                self._add(number, plan, row, tag)
            start = end

    def _number_in(self, tag: str) -> int:
        found = _NUMBER_ANYWHERE.search(tag)
        return int(found[1]) - 1 if found else self._number + 1

    def _plan_of(self, letters: tuple[str, ...], attributes: tuple[str, ...]) -> _Plan:
        key = letters + attributes
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(letters, attributes)
        return plan

    def _add(self, number: int, plan: _Plan, texts: list[str], tag: str) -> None:
        scan = self._scan
        if ("hidden=" in tag or 'ht="0"' in tag) and _HIDDEN.search(tag):
            self._add_to(scan.hidden, number, plan.shape, texts)
        elif plan.kept is None:
            self._add_to(scan.grid, number, plan.shape, texts)
        else:
            if plan.kept:
                self._add_to(scan.grid, number, plan.kept_shape, [texts[n] for n in plan.kept])
            veiled = [texts[n] for n in plan.veiled]
            self._add_to(scan.hidden, number, plan.veiled_shape, veiled)

    def _add_to(self, grid: Grid, number: int, shape: Shape, texts: list[str]) -> None:
        if "" in texts:
            filled = 0
            for column, text in zip(shape.columns, texts, strict=True):
                if text:
                    filled |= 1 << column
            if not filled:
                return
            shape = self._shape(shape.columns, filled, shape.numeric & filled, shape.bold & filled)
        grid.add(number, shape, texts)

    def _plan(self, letters: tuple[str, ...], attributes: tuple[str, ...]) -> _Plan:
        columns = tuple(map(self._column, letters))
        numeric = bold = 0
        for column, attribute in zip(columns, attributes, strict=True):
            is_number, is_bold = self._tables.look(attribute)
            numeric |= is_number << column
            bold |= is_bold << column
        whole = self._shape(columns, mask_of(columns), numeric, bold)
        veiled = [n for n, column in enumerate(columns) if column in self._veiled]
        kept = [n for n, column in enumerate(columns) if column not in self._veiled]
        return _Plan(
            whole,
            kept if veiled else None,
            self._part(whole, kept),
            veiled,
            self._part(whole, veiled),
        )

    def _part(self, shape: Shape, positions: list[int]) -> Shape:
        columns = tuple(shape.columns[n] for n in positions)
        mask = mask_of(columns)
        return self._shape(columns, shape.filled & mask, shape.numeric & mask, shape.bold & mask)

    def _shape(self, columns: tuple[int, ...], filled: int, numeric: int, bold: int) -> Shape:
        key = (columns, filled, numeric, bold)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = Shape(columns, filled, numeric, bold)
        return shape

    def _column(self, letters: str) -> int:
        column = self._columns.get(letters)
        if column is None:
            column = self._columns[letters] = min(column_number(letters), _MAX_COLUMN)
        return column

    def _computed(
        self,
        stretch: Stretch,
        formulas: tuple[str, ...],
        contents: tuple[str, ...],
        tables: list[Shown | Strings],
    ) -> tuple[str, ...]:
        """Give the values where formulas or rich inline strings stand; note what lacks a value."""
        values = list(stretch.values)
        name = self._namer(stretch)
        found = self._scan.formulas
        for index, (formula, content) in enumerate(zip(formulas, contents, strict=True)):
            if not formula and not content:
                continue
            element = formula
            if content:
                element, inside, inline = split_content(content)
                values[index] = inside or ""
                if inline is not None:
                    values[index], tables[index] = inline, self._tables.written
                elif element and not inside and ' t="str"' not in stretch.attributes[index]:
                    found.unvalued.append(name(index))
            if element:
                found.count += 1
                text = formula_text(element)
                if text and len(found.texts) < _MOST_FORMULAS:
                    found.texts.append(f"{name(index)}={unescaped(text)}")
        return tuple(values)

    def _namer(self, stretch: Stretch) -> Callable[[int], str]:
        """Give a function from a cell's place in the stretch to its name in the sheet."""
        ends = list(accumulate(stretch.counts))

        def name(index: int) -> str:
            row = bisect_right(ends, index)
            found = _NUMBER_ANYWHERE.search(stretch.tags[row])
            number = found[1] if found else str(self._number + row + 2)
            return f"{stretch.letters[index]}{number}"

        return name


def _furniture(tail: str) -> Iterator[tuple[Role, str]]:
    """Give the texts of the printed page's header and footer, without their codes."""
    seen: set[str] = set()
    for kind, text in _HEADER_FOOTER.findall(tail):
        parts = (part.strip() for part in _PART_CODE.split(_CODE.sub("", unescaped(text))))
        shown = " ".join(part for part in parts if part)
        if len(_LETTER.findall(shown)) > 1 and shown not in seen:
            seen.add(shown)
            yield ("page_header" if kind == "Header" else "page_footer"), shown


def _hidden_columns(head: str) -> Iterator[int]:
    for attributes in _COLUMN.findall(head):
        if _HIDDEN.search(attributes):
            bounds = dict(_BOUND.findall(attributes))
            first, last = int(bounds.get("min", 1)), int(bounds.get("max", 0))
            yield from range(first - 1, min(last, _MAX_COLUMN + 1))
