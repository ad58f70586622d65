"""How deep a rule looks: only the title, the first sentence, the whole section, the document.

Takes a rule and a view, gives the view its depth asks for. Never changes the view it was given.
"""

from headworks.model.sentences import sentence_ends
from headworks.rules.ready import Ready
from headworks.rules.view import View, restricted, seen_from, widened_over


def widened(ready: Ready, view: View) -> View | None:
    """Give what a rule of this depth looks at, or none where there is nothing of the kind."""
    depth = ready.rule.depth
    if depth in ("", "clause"):
        return view
    if depth == "title":
        return _title(view)
    if depth == "first_sentence":
        ends = sentence_ends(view.sheet.text, view.start, view.end)
        return restricted(view, view.start, ends[0] if ends else view.end)
    if depth.startswith("first_n:"):
        return restricted(view, view.start, min(view.end, view.start + int(depth[8:])))
    return _around(view, whole=depth == "full")


def _around(view: View, *, whole: bool) -> View:
    """Give the view over a section, or all: put together once, however many chunks ask."""
    memo = view.surroundings.memo
    known: View | None = memo.get((whole, id(view.sheet), view.start))
    if known is None:
        views = _neighbours(view, whole=whole)
        known = widened_over(view, views)
        for other in views:
            memo[whole, id(view.sheet), other.start] = known
    return seen_from(view, known)


def _title(view: View) -> View | None:
    """The heading where the chunk begins with one, else nothing."""
    title = view.title
    if not title or not view.text.startswith(title):
        return None
    return restricted(view, view.start, view.start + len(title))


def _neighbours(view: View, *, whole: bool) -> list[View]:
    """Give the views of the same section (or all), in order."""
    sides: tuple[list[View], list[View]] = ([], [])
    for side in (0, 1):
        other = view.siblings[side]
        while other is not None and (whole or _same_section(view, other)):
            if other.sheet is not view.sheet:
                break
            sides[side].append(other)
            other = other.siblings[side]
    return [*reversed(sides[0]), view, *sides[1]]


def _same_section(view: View, other: View) -> bool:
    """Tell whether two chunks stand under the same outermost heading of their zone."""
    if view.chunk.zone != other.chunk.zone:
        return False
    return _section(view) == _section(other)


def _section(view: View) -> tuple[int, ...]:
    """The trail without the title of the document and without the clause itself."""
    headings = view.surroundings.document.headings
    levels = [heading for heading in view.chunk.trail if headings[heading].level > 0]
    return tuple(levels[:1])
