"""From stored to shown text: tables that fill themselves, one for each look of a cell.

Takes a cell's attributes and what it stores, gives what a person sees. Never asks twice for what it
has seen, and handles a stretch of cells together where that is cheaper.
"""

import html
import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Protocol

from headworks.readers.xlsx.shortcuts import ShowColumn

Show = Callable[[str], str]
Clean = Callable[[str], str]
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
_REFERENCE = re.compile(r"(&#?\w{1,31};)")
_STYLE = re.compile(r'\ss="(\d+)"')
_TYPE = re.compile(r'\st="(\w+)"')
_MOST_REMEMBERED = 20_000
# Between strings that are cleaned together; a private code point that texts do not hold.
_BETWEEN = "\ue0f2"


class Shown(dict[str, str]):
    """A table from stored to shown text that fills itself, up to a size.

    ``plainly`` gives what is stored in a form of its own where a number format hides it: a date in
    ISO, a number's digits.
    """

    def __init__(
        self, show: Show, plainly: Show | None = None, column: ShowColumn | None = None
    ) -> None:
        super().__init__({"": ""})
        self._show, self._column = show, column
        self.plainly = plainly

    def column(self, values: Sequence[str]) -> Sequence[str]:
        """Show the values of a column at once."""
        if self._column is not None:
            return self._column(values, self.__getitem__)
        return list(map(self.__getitem__, values))

    def __missing__(self, raw: str) -> str:
        shown = self._show(raw)
        if len(self) < _MOST_REMEMBERED:
            self[raw] = shown
        return shown


class _References(dict[str, str]):
    """What entities and character references stand for; fills itself."""

    def __missing__(self, reference: str) -> str:
        meant = html.unescape(reference)
        if len(self) < _MOST_REMEMBERED:
            self[reference] = meant
        return meant


_REFERENCES = _References()


class Strings(dict[str, str]):
    """The shared strings by their number as text; a number that is not there gives nothing."""

    def column(self, values: Sequence[str]) -> Sequence[str]:
        """Give the strings of a column at once."""
        return list(map(self.__getitem__, values))

    def __missing__(self, number: str) -> str:
        return ""


class CellStyles(Protocol):
    """What a table needs to know of styles."""

    def numbers(self, style: int) -> Shown:
        """Give the table from stored to shown numbers under a style."""

    def text(self, style: int) -> Show | None:
        """Give the function that shows texts under a style; none where they stay."""

    def bold(self, style: int) -> bool:
        """Tell whether a style's font is bold."""


class Tables(dict[str, Shown | Strings]):
    """The table for each string of cell attributes, such as `` s="3" t="s"``."""

    def __init__(self, strings: Strings, styles: CellStyles, clean: Clean) -> None:
        super().__init__()
        self._strings, self._styles, self._cleaned = strings, styles, clean
        self.written = Shown(lambda raw: clean(unescaped(raw)))
        self._logical = Shown(lambda raw: "TRUE" if raw in ("1", "true") else "FALSE")

    def __missing__(self, attributes: str) -> Shown | Strings:
        kind, style = _kind_and_style(attributes)
        table = self[attributes] = self._table(kind, style)
        return table

    def columns(
        self, attributes: Sequence[str], values: Sequence[Sequence[str]]
    ) -> list[Sequence[str]]:
        """Show columns of values, each under its attributes."""
        shown = []
        for attribute, column in zip(attributes, values, strict=True):
            table = self[attribute]
            is_written = table is self.written
            shown.append(self._written_column(column) if is_written else table.column(column))
        return shown

    def _written_column(self, values: Sequence[str]) -> Sequence[str]:
        """Clean a column of written strings; those that hardly come again are not remembered."""
        distinct = set(values)
        if 2 * len(distinct) < len(values):
            self.clean(distinct)
            return self.written.column(values)
        listed = list(distinct.difference(self.written))
        joined = _BETWEEN.join(listed)
        together = unescaped(joined)
        if together.count(_BETWEEN) != len(listed) - 1:
            return self.written.column(values)
        cleaned = self._cleaned(together)
        if cleaned == joined and len(listed) == len(distinct):
            return list(map(str.strip, values))
        shown = dict(zip(listed, map(str.strip, cleaned.split(_BETWEEN)), strict=True))
        if cleaned != joined and len(self.written) < _MOST_REMEMBERED:
            changed = {raw: text for raw, text in shown.items() if raw != text}
            self.written.update(changed)
        shown.update((raw, self.written[raw]) for raw in distinct.difference(shown))
        return list(map(shown.__getitem__, values))

    def alike(self, attributes: str) -> Hashable:
        """Give what is equal for attributes under which cells are shown the same way."""
        return id(self[attributes]), self.look(attributes)

    def look(self, attributes: str) -> tuple[bool, bool]:
        """Tell whether cells of these attributes hold numbers or dates, and are bold."""
        kind, style = _kind_and_style(attributes)
        return kind in ("n", "d"), self._styles.bold(style)

    def has_formats(self) -> bool:
        """Tell whether a number format has come up that hides what is stored."""
        return any(isinstance(table, Shown) and table.plainly for table in self.values())

    def prepare(self, tables: Sequence[Shown | Strings], values: Sequence[str]) -> None:
        """Clean the written strings of a stretch together."""
        written = self.written
        self.clean(value for table, value in zip(tables, values, strict=True) if table is written)

    def clean(self, values: Iterable[str]) -> None:
        """Clean written strings together."""
        written = self.written
        fresh = set(values).difference(written)
        if not fresh:
            return
        if len(written) > _MOST_REMEMBERED:
            written.clear()
            written[""] = ""
        listed = list(fresh)
        together = unescaped(_BETWEEN.join(listed))
        if together.count(_BETWEEN) == len(listed) - 1:
            cleaned = self._cleaned(together).split(_BETWEEN)
            written.update(zip(listed, map(str.strip, cleaned), strict=True))

    def _table(self, kind: str, style: int) -> Shown | Strings:
        if kind == "s":
            show = self._styles.text(style)
            strings = self._strings
            return strings if show is None else Shown(lambda raw: show(strings[raw]))
        if kind == "b":
            return self._logical
        if kind == "n":
            return self._styles.numbers(style)
        if kind == "d":
            return Shown(lambda raw: raw.replace("T00:00:00", "").replace("T", " "))
        return self.written


def unescaped(text: str) -> str:
    """Give a string of a part as it is meant: entities and ``_x000D_`` escapes resolved."""
    if "&" in text:
        pieces = _REFERENCE.split(text)
        pieces[1::2] = map(_REFERENCES.__getitem__, pieces[1::2])
        text = "".join(pieces)
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return text


def _kind_and_style(attributes: str) -> tuple[str, int]:
    kind, style = _TYPE.search(attributes), _STYLE.search(attributes)
    return (kind[1] if kind else "n"), (int(style[1]) if style else 0)
