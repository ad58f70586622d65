"""Views over a document: read once, hits given to the chunk they lie in.

Takes a document, chunks (or stretches) and the automaton, gives a view each. Never reads a stretch
of text twice but for a merged chunk.
"""

from collections.abc import Sequence
from itertools import pairwise

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.rules.view import Sheet, Surroundings, View, spans_of


class Automaton:
    """All literals of a book, looked for in one pass."""

    def __init__(self, literals: Sequence[str]) -> None:
        self.count = len(literals)
        self._automaton = (
            AhoCorasick(
                list(literals),
                matchkind=MatchKind.Standard,
                store_patterns=False,
                implementation=Implementation.ContiguousNFA,
            )
            if literals
            else None
        )

    def places(self, sheet: Sheet) -> list[dict[int, list[int]]]:
        """Give for each stretch the places of each literal that lies wholly in it."""
        found: list[dict[int, list[int]]] = [{} for _ in sheet.bounds]
        if self._automaton is None or not found:
            return found
        bounds = sheet.bounds
        index = 0
        start, end = bounds[0]
        here = found[0]
        # Matches come in the order of their ends, and so do the stretches.
        for number, begins, ends in self._automaton.find_matches_as_indexes(
            sheet.text, overlapping=True
        ):
            while ends > end:
                index += 1
                start, end = bounds[index]
                here = found[index]
            if begins >= start:
                listed = here.get(number)
                if listed is None:
                    here[number] = [begins]
                else:
                    listed.append(begins)
        return found


def views_of(
    document: Document,
    chunks: Sequence[Chunk],
    automaton: Automaton,
    surroundings: Surroundings | None = None,
) -> list[View]:
    """Give a view for each chunk, each knowing its neighbours."""
    around = surroundings or Surroundings(document)
    units = [spans_of(chunk) for chunk in chunks]
    sheet = Sheet(document, units)
    places = automaton.places(sheet)
    views = [
        View(chunk, sheet, bounds, found, around)
        for chunk, bounds, found in zip(chunks, sheet.bounds, places, strict=True)
    ]
    for view, spans, (start, _end) in zip(views, units, sheet.bounds, strict=True):
        if len(spans) == 1:
            view.shift = spans[0].start - start
    for before, after in pairwise(views):
        link(before, after)
    return views


def link(before: View | None, after: View | None) -> None:
    """Make two views neighbours."""
    if before is not None:
        before.siblings = (before.siblings[0], after)
    if after is not None:
        after.siblings = (before, after.siblings[1])
