"""Sentences, paragraphs and clauses of a view, and places within one of them.

Takes a view, gives where they begin and end. Never looks for a word.
"""

from bisect import bisect_left, bisect_right

from headworks.rules.view import Spot, View


def behind_place(
    places: list[tuple[int, int]], starts: list[int], end: int, limit: int
) -> Spot | None:
    """Give the first place from an end on, up to a limit."""
    index = bisect_left(starts, end)
    return Spot(*places[index]) if index < len(places) and places[index][1] <= limit else None


def ahead_place(
    places: list[tuple[int, int]], starts: list[int], start: int, begin: int
) -> Spot | None:
    """Give the last place that ends before a start, from where the extent begins."""
    index = bisect_left(starts, start) - 1
    while index >= 0 and places[index][0] >= begin:
        if places[index][1] <= start:
            return Spot(*places[index])
        index -= 1
    return None


def extent_range(view: View, extent: str, start: int, end: int) -> tuple[int, int]:
    """Give where the sentence, paragraph or clause of a place begins and ends."""
    ends = extent_ends(view, extent)
    first = bisect_right(ends, start)
    return (
        ends[first - 1] if first else view.start,
        ends[min(bisect_left(ends, end), len(ends) - 1)],
    )


def extent_ends(view: View, extent: str) -> list[int]:
    """Where sentences or paragraphs of the view end, once a view."""
    known = view.cache.get(("ends", extent))
    if isinstance(known, list):
        return known
    if extent == "clause":
        ends = [view.end]
    elif extent == "sentence":
        ends = list(view.stretch.sentences())
    else:
        ends = []
        at = view.sheet.text.find("\n", view.start, view.end)
        while at >= 0:
            ends.append(at)
            at = view.sheet.text.find("\n", at + 1, view.end)
    if not ends or ends[-1] < view.end:
        ends.append(view.end)
    view.cache["ends", extent] = ends
    return ends
