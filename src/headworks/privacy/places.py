"""Where known values stand in a text: a name found once by its label is found everywhere.

Takes values, gives their ranges in any text, blanks and hyphens inside a number aside, full width
and half width as one. Never takes a part of a longer number for a value.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from headworks.model.folding import fold
from headworks.model.place import Span
from headworks.privacy.recognizers import DETECTORS
from headworks.privacy.tokens import Mark

PERSONAL = frozenset(detector.label for detector in DETECTORS.values())
# One character is no value: it would take a part out of every other word.
_LEAST = 2
_INK = re.compile(r"[^\s-]+")
_NUMBER = re.compile(r"[0-9a-z+()@._]{6,}\Z")
_WORD = re.compile(r"[0-9a-z]")
# A mobile number is the same with and without its country.
_COUNTRY = re.compile(r"^(?:\+|00)?86(?=1[0-9]{10}\Z)")
# A word may be spaced (张 三); a line's end or a cell's border in it makes two words.
_BORDER = re.compile(r"[\t\n\r-]")


class Places:
    """Finds known values, the longest first; each value is named by its index."""

    def __init__(self, values: Sequence[str]) -> None:
        self._known: dict[str, int] = {}
        for index, value in enumerate(values):
            bare = compact(value)
            for form in (bare, _COUNTRY.sub("", bare)):
                if len(form) >= _LEAST:
                    self._known.setdefault(form, index)
        self._numbers = [_NUMBER.match(bare) is not None for bare in self._known]
        self._indexes = list(self._known.values())
        self._automaton = (
            AhoCorasick(
                list(self._known),
                matchkind=MatchKind.LeftmostLongest,
                store_patterns=False,
                implementation=Implementation.ContiguousNFA,
            )
            if self._known
            else None
        )

    def find(self, text: str) -> list[tuple[Span, int]]:
        """Give the ranges of the values in a text, in order, with the index of each value."""
        if self._automaton is None or len(text) < _LEAST:
            return []
        folded = fold(text)
        pieces = [match.span() for match in _INK.finditer(folded)]
        bare = "".join(folded[start:end] for start, end in pieces)
        matches = self._automaton.find_matches_as_indexes(bare)
        if not matches:
            return []
        starts: list[int] = []
        count = 0
        for start, end in pieces:
            starts.append(count)
            count += end - start
        found = []
        for number, begins, ends in matches:
            first, last = bisect_right(starts, begins) - 1, bisect_right(starts, ends - 1) - 1
            start = pieces[first][0] + begins - starts[first]
            end = pieces[last][0] + ends - starts[last]
            if self._stands(folded, start, end, is_number=self._numbers[number]):
                found.append((Span(start, end), self._indexes[number]))
        return found

    @staticmethod
    def _stands(folded: str, start: int, end: int, *, is_number: bool) -> bool:
        """Tell whether what was found is the value itself and not a part of something longer."""
        if not is_number and _BORDER.search(folded, start, end):
            return False
        if _WORD.match(folded, start) and start and _WORD.match(folded, start - 1):
            return False
        return not (_WORD.match(folded, end - 1) and _WORD.match(folded, end))


def compact(value: str) -> str:
    """Give a value as it is compared: folded, without blanks and hyphens."""
    return "".join(_INK.findall(fold(value)))


def everywhere(text: str, marks: Iterable[Mark]) -> list[Mark]:
    """Give the marks with a mark for each further place of a personal value.

    What a rule takes out by its own words or patterns is left to the rule's condition.
    """
    given = list(marks)
    personal = [mark for mark in given if mark.label in PERSONAL]
    values = [text[mark.span.start : mark.span.end] for mark in personal]
    done = {mark.span for mark in given}
    for span, index in Places(values).find(text):
        if span not in done:
            source = personal[index]
            given.append(Mark(span, source.label, source.plain, source.rule))
    return given
