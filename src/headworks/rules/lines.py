"""The lines of a view and which literals stand in each: what a sequence needs to know first.

Takes a view, gives its lines once. Never runs a rule.
"""

from bisect import bisect_right

from headworks.rules.guards import Shared
from headworks.rules.sequence import WRAPPED
from headworks.rules.view import View


class Line:
    """A line (a wrapped Latin one with the next): its range, its literals, what was found in it."""

    __slots__ = ("end", "numbers", "shared", "start")

    def __init__(self, start: int, end: int, shared: Shared) -> None:
        self.start = start
        self.end = end
        self.numbers: set[int] = set()
        self.shared = shared


def lines_of(view: View) -> list[Line]:
    """Give the lines of a view, each with the literals that lie wholly in it."""
    known = view.cache.get("lines")
    if isinstance(known, list):
        return known
    found = _lines(view)
    starts = [line.start for line in found]
    single = found[0] if len(found) == 1 else None
    for number, places in view.places.items():
        if single is not None:
            single.numbers.add(number)
            continue
        for at in places:
            found[max(0, bisect_right(starts, at) - 1)].numbers.add(number)
    view.cache["lines"] = found
    return found


def _lines(view: View) -> list[Line]:
    text = view.sheet.text
    found: list[Line] = []
    start = view.start
    at = text.find("\n", start, view.end)
    while at >= 0:
        if not WRAPPED.match(text, at):
            # The same key as a sequence's own grouping uses: what is found there is shared.
            found.append(Line(start, at, view.cache.setdefault(("line", start), {})))
            start = at + 1
        at = text.find("\n", at + 1, view.end)
    found.append(Line(start, view.end, view.cache.setdefault(("line", start), {})))
    return found
