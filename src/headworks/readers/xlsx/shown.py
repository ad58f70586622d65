"""From stored to shown text: tables that fill themselves, one for each look of a cell.

Takes a cell's attributes and what it stores, gives what a person sees. Never asks twice for what it
has seen, and handles a stretch of cells together where that is cheaper.
"""

import html
import re
from collections.abc import Callable, Sequence
from typing import Protocol

Show = Callable[[str], str]
Clean = Callable[[str], str]
_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")
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

    def __init__(self, show: Show, plainly: Show | None = None) -> None:
        super().__init__({"": ""})
        self._show = show
        self.plainly = plainly

    def __missing__(self, raw: str) -> str:
        shown = self._show(raw)
        if len(self) < _MOST_REMEMBERED:
            self[raw] = shown
        return shown


class Strings(dict[str, str]):
    """The shared strings by their number as text; a number that is not there gives nothing."""

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
        self._strings, self._styles, self._clean = strings, styles, clean
        self.written = Shown(lambda raw: clean(unescaped(raw)))
        self._logical = Shown(lambda raw: "TRUE" if raw in ("1", "true") else "FALSE")

    def __missing__(self, attributes: str) -> Shown | Strings:
        kind, style = _kind_and_style(attributes)
        table = self[attributes] = self._table(kind, style)
        return table

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
        fresh = {
            value
            for table, value in zip(tables, values, strict=True)
            if table is written and value not in written
        }
        if not fresh:
            return
        if len(written) > _MOST_REMEMBERED:
            written.clear()
            written[""] = ""
        listed = list(fresh)
        together = _BETWEEN.join(listed)
        cleaned = self._clean(unescaped(together)).split(_BETWEEN)
        if len(cleaned) == len(listed):
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
        text = html.unescape(text)
    if "_x" in text:
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return text


def _kind_and_style(attributes: str) -> tuple[str, int]:
    kind, style = _TYPE.search(attributes), _STYLE.search(attributes)
    return (kind[1] if kind else "n"), (int(style[1]) if style else 0)
