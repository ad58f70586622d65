"""The lines a sequence is run on, and what it found in each; lines that read alike share it.

Takes a view and the literals a sequence begins with, gives the lines they stand in. Never runs a
rule.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Set
from typing import Any

from headworks.rules.stretch import Stretch
from headworks.rules.view import View


class Said:
    """What a line says, wherever it stands: its text from 0 on, and what each sequence found."""

    __slots__ = ("found", "stretch")

    def __init__(self, text: str) -> None:
        self.stretch = Stretch(text, 0, len(text))
        self.found: dict[Any, Any] = {}


def lines_with(view: View, anchors: Set[int], until: int) -> list[tuple[int, int]]:
    """Give the lines of a view with one of the literals before an offset, in order.

    A wrapped Latin line counts with the next.
    """
    breaks = view.sheet.breaks
    first = bisect_left(breaks, view.start)
    if first == len(breaks) or breaks[first] >= view.end:
        return [(view.start, view.end)]
    found: dict[int, int] = {}
    for number in view.places.keys() & anchors:
        for at in view.places[number]:
            if at >= until:
                break
            index = bisect_right(breaks, at, first)
            start = breaks[index - 1] + 1 if index > first else view.start
            end = breaks[index] if index < len(breaks) else view.end
            found[start] = min(end, view.end)
    return sorted(found.items())


def all_lines(view: View) -> list[tuple[int, int]]:
    """Give every line of a view, in order."""
    breaks = view.sheet.breaks
    first, last = bisect_left(breaks, view.start), bisect_left(breaks, view.end)
    starts = [view.start, *(at + 1 for at in breaks[first:last])]
    return list(zip(starts, [*breaks[first:last], view.end], strict=True))


def holds_in(view: View, needed: Set[int], start: int, end: int) -> bool:
    """Tell whether one of the literals begins in a part of the view."""
    for number in view.places.keys() & needed:
        places = view.places[number]
        index = bisect_left(places, start)
        if index < len(places) and places[index] < end:
            return True
    return False


def said_in(view: View, start: int, end: int) -> Said:
    """Give what a line says; the same for all lines of the document that read alike."""
    text = view.sheet.text[start:end]
    known = view.surroundings.lines
    said: Said | None = known.get(text)
    if said is None:
        said = known[text] = Said(text)
    return said
