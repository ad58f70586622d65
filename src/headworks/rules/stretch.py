"""A stretch of folded text, and what has been found in it: each thing once, for all rules.

Takes text and a range, gives places of words, sentence ends, typed values, as they are asked for.
Never looks for anything twice, never beyond its range.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from headworks.model.place import Span
from headworks.model.sentences import sentence_ends
from headworks.model.verdict import Value

Find = Callable[[str], list[Value]]
Places = tuple[Sequence[tuple[int, int]], Sequence[int]]
_STOPS = re.compile("[。！？；｡!?;….．]")


class Words:
    """Words looked for together, the longest first; no pattern is made before the first look."""

    __slots__ = ("_pattern", "listed")

    def __init__(self, words: tuple[str, ...]) -> None:
        self.listed = tuple(sorted(set(words), key=lambda word: (-len(word), word)))
        self._pattern: re.Pattern[str] | None = None

    @property
    def pattern(self) -> re.Pattern[str]:
        """One alternation over the words."""
        if self._pattern is None:
            self._pattern = re.compile("|".join(map(re.escape, self.listed)))
        return self._pattern


@lru_cache(maxsize=10_000)
def words_of(words: tuple[str, ...]) -> Words:
    """Give the one ``Words`` of these words, so that rules with the same words share a look."""
    return Words(words)


class Values:
    """Kinds of values looked for together."""

    __slots__ = ("finds",)

    def __init__(self, finds: tuple[Find, ...]) -> None:
        self.finds = finds


@lru_cache(maxsize=10_000)
def values_of_kinds(finds: tuple[Find, ...]) -> Values:
    """Give the one ``Values`` of these recognisers."""
    return Values(finds)


class Stretch:
    """A range of a text. ``kept`` holds what was found in it, by what was looked for."""

    __slots__ = ("_sentences", "end", "kept", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.kept: dict[Any, Any] = {}
        self._sentences: list[int] | None = None

    def sentences(self) -> list[int]:
        """Give where sentences end."""
        known = self._sentences
        if known is None:
            # One mark at the very end, or none: one sentence, without the long look.
            first = _STOPS.search(self.text, self.start, self.end)
            if (first is None or first.start() == self.end - 1) and self._is_one_line():
                known = [self.end]
            else:
                known = sentence_ends(self.text, self.start, self.end)
            self._sentences = known
        return known

    def _is_one_line(self) -> bool:
        text, start, end = self.text, self.start, self.end
        return text.find("\n", start, end) == -1 and not text[start:end].isspace() and end > start

    def places(self, words: Words) -> Places:
        """Give the places of words, none within another, and where they begin."""
        known: Places | None = self.kept.get(words)
        if known is None:
            matches = words.pattern.finditer(self.text, self.start, self.end)
            found = [match.span() for match in matches]
            known = self.kept[words] = found, [at for at, _after in found]
        return known

    def values(self, find: Find) -> tuple[Value, ...]:
        """Give the values of one kind, in order."""
        known: tuple[Value, ...] | None = self.kept.get(find)
        if known is None:
            found = find(self.text[self.start : self.end])
            known = tuple(shifted(value, self.start) for value in found)
            self.kept[find] = known
        return known

    def values_among(self, kinds: Values) -> tuple[Sequence[Value], Sequence[int]]:
        """Give the values of several kinds, in order, and where they begin."""
        known: tuple[Sequence[Value], Sequence[int]] | None = self.kept.get(kinds)
        if known is None:
            found = [value for find in kinds.finds for value in self.values(find)]
            if len(kinds.finds) > 1:
                found.sort(key=lambda value: (value.span.start, -value.span.end))
            known = self.kept[kinds] = found, [value.span.start for value in found]
        return known


def shifted(value: Value, by: int) -> Value:
    """Give the value so many characters further on."""
    if by == 0:
        return value
    span = value.span
    return Value(value.text, value.kind, value.value, Span(span.start + by, span.end + by))
