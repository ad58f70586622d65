"""Rows that are written alike: one regular expression for a whole row.

Takes the XML of some thousand rows, gives their values by column, and the rows that are written
otherwise as they stand. Never guesses: a row fits to the last character, or is given back.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterator

import msgspec

# What an attribute string says of its cells: equal for strings that are shown the same way.
Alike = Callable[[str], Hashable]
_CELL = re.compile(r'<c r="([A-Z]+)[0-9]+"([^>/]*)(?:(/>|></c>)|>(<f[ />])?)')
_SAMPLE_FROM, _SAMPLE_ROWS = 8, 48
_LEAST_ROWS = 16
_MOST_ODD = 8  # one row in so many may be written otherwise
_MOST_COLUMNS = 250
_MOST_PATIENCE = 16
_FORMULA = r"(<f(?: [^>]*+)?+(?:/>|>[^<]*+</f>))?+"
_BLANK = r"[^>/]*+(?:/>|></c>)"
_ODD_ROW = r"(<row [^>]*+(?<!/)>.*?</row>)"
_INLINE = 't="inlineStr"'


class UniformRows(msgspec.Struct):
    """Rows with the same cells: their numbers and the rest of their tags by row, values by column.

    A cell that is empty or not there has an empty value. ``formulas`` holds the formula elements
    of the columns that have any, by the column's place.
    """

    numbers: tuple[str, ...]
    tags: tuple[str, ...]
    letters: tuple[str, ...]
    attributes: tuple[str, ...]
    values: list[tuple[str, ...]]
    formulas: dict[int, tuple[str, ...]]

    def cell_count(self) -> int:
        """Count the cells that hold something."""
        return sum(len(column) - column.count("") for column in self.values)


class _Column(msgspec.Struct, frozen=True):
    """How the cells of a column are written; no attributes where none in the sample holds text."""

    letters: str
    attributes: tuple[str, ...]  # all that are shown alike, the most frequent first
    has_formulas: bool
    has_gaps: bool

    def pattern(self) -> str:
        """Give the expression for a cell: groups for formula and value."""
        start = f'<c r="{self.letters}[0-9]++"'
        if not self.attributes:
            return f"(?:{start}{_BLANK})?+"
        looks = "|".join(map(re.escape, self.attributes))
        formula = _FORMULA if self.has_formulas else ""
        inline = _INLINE in self.attributes[0]
        opening, closing = ("<is><t>", "</t></is>") if inline else ("<v>", "</v>")
        cell = f"(?:{looks})>{formula}{opening}([^<]*+){closing}</c>"
        return f"(?:{start}(?:{cell}|{_BLANK}))?+" if self.has_gaps else start + cell


class _Template:
    """What one row looks like, and the expression that finds rows of this look."""

    def __init__(self, columns: list[_Column]) -> None:
        self.columns = [column for column in columns if column.attributes]
        cells = "".join(column.pattern() for column in columns)
        pattern = f'<row r="([0-9]++)"([^>]*+)>{cells}</row>|{_ODD_ROW}'
        self.find = re.compile(pattern, re.S).findall

    def rows(self, groups: list[tuple[str, ...]]) -> UniformRows:
        """Put the groups, by column, where they belong."""
        values, formulas, place = [], {}, 2
        for index, column in enumerate(self.columns):
            if column.has_formulas:
                formulas[index] = groups[place]
                place += 1
            values.append(groups[place])
            place += 1
        letters = tuple(column.letters for column in self.columns)
        attributes = tuple(column.attributes[0] for column in self.columns)
        return UniformRows(groups[0], groups[1], letters, attributes, values, formulas)


class Uniformity:
    """The template that the last rows had. One a sheet; gives up for a while where none fits."""

    def __init__(self, alike: Alike) -> None:
        self._alike = alike
        self._template: _Template | None = None
        self._wait = 0
        self._patience = 1

    def split(self, segment: str) -> "list[UniformRows | str] | None":
        """Give the rows in order: those alike, and others as they stand; none where too many."""
        if self._wait:
            self._wait -= 1
            return None
        if self._template is not None:
            found = self._tried(self._template, segment)
            if found is not None:
                return found
        self._template = _template_of(segment, self._alike)
        found = None if self._template is None else self._tried(self._template, segment)
        if found is None:
            self._template = None
            self._wait = self._patience
            self._patience = min(2 * self._patience, _MOST_PATIENCE)
        else:
            self._patience = 1
        return found

    def _tried(self, template: _Template, segment: str) -> "list[UniformRows | str] | None":
        found = template.find(segment)
        if not found or len(found) != segment.count("</row>"):
            return None
        groups = list(zip(*found, strict=True))
        odd = groups.pop()
        count = len(odd) - odd.count("")
        if not count:
            return [template.rows(groups)]
        if count * _MOST_ODD > len(odd):
            return None
        return list(_in_order(template, groups, odd))


def _in_order(
    template: _Template, groups: list[tuple[str, ...]], odd: tuple[str, ...]
) -> Iterator[UniformRows | str]:
    """Give the stretches of rows alike, and between them the others."""
    start, others = 0, ""
    for index, row in enumerate(odd):
        if not row:
            continue
        if index > start:
            if others:
                yield others
                others = ""
            yield template.rows([group[start:index] for group in groups])
        others += row
        start = index + 1
    if others:
        yield others
    if start < len(odd):
        yield template.rows([group[start:] for group in groups])


def _template_of(segment: str, alike: Alike) -> _Template | None:
    """Give the template of the first rows, or none where there are too few of them."""
    # The very first are titles and headers as a rule.
    rows = segment.split("</row>", _SAMPLE_ROWS)[_SAMPLE_FROM:-1]
    if len(rows) < _LEAST_ROWS:
        return None
    looks: dict[str, Counter[str]] = defaultdict(Counter)
    computed: set[str] = set()
    for row in rows:
        for letters, attributes, blank, formula in _CELL.findall(row):
            if blank:
                looks[letters].update(())
            else:
                looks[letters][attributes] += 1
            if formula:
                computed.add(letters)
    if len(looks) > _MOST_COLUMNS:
        return None
    columns = []
    for letters in sorted(looks, key=lambda letters: (len(letters), letters)):
        found = looks[letters]
        has_gaps = found.total() < len(rows)
        columns.append(_Column(letters, _most_alike(found, alike), letters in computed, has_gaps))
    return _Template(columns) if any(column.attributes for column in columns) else None


def _most_alike(found: Counter[str], alike: Alike) -> tuple[str, ...]:
    """Give the attributes that most cells have, with all that are shown the same way."""
    groups: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for attributes, count in found.items():
        groups[alike(attributes), _INLINE in attributes][attributes] = count
    if not groups:
        return ()
    most = max(groups.values(), key=Counter.total)
    return tuple(attributes for attributes, _ in most.most_common())
