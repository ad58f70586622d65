"""The lines of a view, and what sequences have found in each; lines that read alike share it.

Takes a view, gives its lines once. Never runs a rule.
"""

from bisect import bisect_right
from collections.abc import Set
from typing import Any

from headworks.rules.sequence import WRAPPED
from headworks.rules.stretch import Stretch
from headworks.rules.view import View


class Said:
    """What a line says, wherever it stands: its text from 0 on, and what each sequence found."""

    __slots__ = ("found", "stretch")

    def __init__(self, text: str) -> None:
        self.stretch = Stretch(text, 0, len(text))
        self.found: dict[Any, Any] = {}


class Line:
    """A line (a wrapped Latin one with the next) of a view."""

    __slots__ = ("said", "start")

    def __init__(self, start: int, said: Said) -> None:
        self.start = start
        self.said = said


def lines_of(view: View) -> list[Line]:
    """Give the lines of a view, in order."""
    known: list[Line] | None = view.cache.get("lines")
    if known is None:
        known = view.cache["lines"] = _lines(view)
    return known


def literals_in(view: View, lines: list[Line]) -> list[Set[int]]:
    """Give for each line the literals that stand in it (and begin in it)."""
    if len(lines) == 1:
        return [view.places.keys()]
    known: list[Set[int]] | None = view.cache.get("literals")
    if known is None:
        found: list[set[int]] = [set() for _ in lines]
        starts = [line.start for line in lines]
        for number, places in view.places.items():
            for at in places:
                found[max(0, bisect_right(starts, at) - 1)].add(number)
        known = view.cache["literals"] = list(found)
    return known


def _lines(view: View) -> list[Line]:
    text, start, end = view.sheet.text, view.start, view.end
    known = view.surroundings.lines
    found: list[Line] = []
    at = text.find("\n", start, end)
    while at >= 0:
        if not WRAPPED.match(text, at):
            found.append(_line(known, text, start, at))
            start = at + 1
        at = text.find("\n", at + 1, end)
    found.append(_line(known, text, start, end))
    return found


def _line(known: dict[str, Any], text: str, start: int, end: int) -> Line:
    own = text[start:end]
    said = known.get(own)
    if said is None:
        said = known[own] = Said(own)
    return Line(start, said)
