"""Many answers become one: in the order of the document, said once, with all who said it.

Takes the statements of each chunk's answer, gives points and values. Never chooses between sources
that differ: they stand side by side as a conflict.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

import msgspec

from headworks.assembly.figures import comparable, numbers
from headworks.assembly.locating import bare
from headworks.assembly.shapes import ChunkRecord
from headworks.assembly.statements import Claim, Point, Statement
from headworks.model.place import Span

Kind = Literal["single", "list", "conflict"]

# How far back an equal or like point is looked for, and how like it must be.
_WINDOW = 200
_ALIKE = 92.0
_LEAST_ALIKE = 10
# Two answers overlap by at least so many characters, of which so large a share is equal.
_LEAST_OVERLAP = 8
_MOST_OVERLAP = 600
_EQUAL_SHARE = 0.85
_DELETED, _EQUAL = -1, 0


class Speaker(msgspec.Struct, frozen=True):
    """Who said something: a model or a rule, about which chunk, for which pipeline."""

    chunk: str
    pipeline: str
    by: Literal["model", "rule"]
    model: str


class Spoken(msgspec.Struct, frozen=True):
    """What one answer said about one chunk, in its order; ``ranges`` are those of rules' values."""

    speaker: Speaker
    chunk: ChunkRecord
    statements: tuple[Statement, ...]
    ranges: tuple[Span, ...] = ()


class SaidPoint(msgspec.Struct, frozen=True):
    """A point as one speaker gave it."""

    speaker: Speaker
    point: Point


class JoinedPoint(msgspec.Struct, frozen=True):
    """A point of the whole, and each time it was said; the first gives the order."""

    text: str
    said: tuple[SaidPoint, ...]


class SaidValue(msgspec.Struct, frozen=True):
    """A value as one speaker gave it; a rule names its range."""

    speaker: Speaker
    claim: Claim
    range: Span | None = None


class JoinedValue(msgspec.Struct, frozen=True):
    """A value of the whole: its distinct forms in the order they were said, and all who said it."""

    name: str
    about: str
    kind: Kind
    values: tuple[str, ...]
    said: tuple[SaidValue, ...]


def join(answers: Sequence[Spoken]) -> tuple[list[JoinedPoint], list[JoinedValue]]:
    """Give the points and values of answers that stand in the order of their chunks."""
    return _points(answers), _values(answers)


def _points(answers: Sequence[Spoken]) -> list[JoinedPoint]:
    joined = _Points()
    last: dict[str, tuple[ChunkRecord, int]] = {}
    for answer in answers:
        points = [one for one in answer.statements if isinstance(one, Point)]
        before = last.get(answer.speaker.pipeline)
        for position, point in enumerate(points):
            said = SaidPoint(answer.speaker, point)
            index = None
            if position == 0 and before is not None and _meet(before[0], answer.chunk):
                index = joined.overlapping(before[1], said)
            if index is None:
                index = joined.same(said)
            if index is None:
                index = joined.new(said)
            last[answer.speaker.pipeline] = answer.chunk, index
    return joined.points


class _Points:
    """The points so far; their keys are kept, as each is compared with many."""

    def __init__(self) -> None:
        self.points: list[JoinedPoint] = []
        self._known: dict[str, int] = {}
        self._keys: list[str] = []

    def new(self, said: SaidPoint) -> int:
        """Add a point that nobody has said."""
        key = _key(said.point.text)
        self._known[key] = len(self.points)
        self._keys.append(key)
        self.points.append(JoinedPoint(said.point.text, (said,)))
        return len(self.points) - 1

    def overlapping(self, index: int, said: SaidPoint) -> int | None:
        """Join what begins as a point ends; none where it does not."""
        whole = overlapped(self.points[index].text, said.point.text)
        return None if whole is None else self._changed(index, said, whole)

    def same(self, said: SaidPoint) -> int | None:
        """Add to the point that says the same: in these words, or nearly and with the numbers."""
        text = said.point.text
        key = _key(text)
        index = self._known.get(key)
        if index is None and len(key) >= _LEAST_ALIKE:
            index = self._alike(key, numbers(text))
        if index is None:
            return None
        return self._changed(index, said, max(self.points[index].text, text, key=len))

    def _alike(self, key: str, wanted: set[str]) -> int | None:
        first = max(0, len(self._keys) - _WINDOW)
        process, fuzz = _likeness()
        near = process.extract(
            key, self._keys[first:], scorer=fuzz.ratio, score_cutoff=_ALIKE, limit=3
        )
        for _, _, position in near:
            if numbers(self.points[first + position].text) == wanted:
                return first + int(position)
        return None

    def _changed(self, index: int, said: SaidPoint, text: str) -> int:
        point = self.points[index]
        if text != point.text:
            self._keys[index] = _key(text)
            self._known.setdefault(self._keys[index], index)
        self.points[index] = JoinedPoint(text, (*point.said, said))
        return index


def _key(text: str) -> str:
    return "".join(char for char in bare(text) if char.isalnum() or char in "%‰.") or bare(text)


def _meet(first: ChunkRecord, second: ChunkRecord) -> bool:
    """Tell whether two chunks hold the same text in part, or are pieces of one unit."""
    if first.id == second.id:
        return False
    if first.part is not None and second.part is not None and first.next == second.id:
        return second.part.index == first.part.index + 1
    return any(
        start < other_end and other_start < end
        for start, end in first.spans
        for other_start, other_end in second.spans
    )


def overlapped(first: str, second: str) -> str | None:
    """Give two texts as one where the end of the first is the beginning of the second.

    Small differences in what they share are those of the second; other numbers there mean that
    it is not shared. None where they share too little.
    """
    library = _differences()
    exact = library.diff_commonOverlap(first, second)
    if exact >= _LEAST_OVERLAP:
        return first + second[exact:]
    head, tail = first[:-_MOST_OVERLAP], first[-_MOST_OVERLAP:]
    begin, rest = second[:_MOST_OVERLAP], second[_MOST_OVERLAP:]
    changes = library.diff_main(tail, begin, False)
    library.diff_cleanupSemantic(changes)
    before = changes[0][1] if changes and changes[0][0] == _DELETED else ""
    inner = changes[1:] if before else list(changes)
    after = ""
    while inner and inner[-1][0] != _EQUAL:
        kind, text = inner.pop()
        if kind == _DELETED:
            return None  # the first goes on where the second has ended
        after = text + after
    equal = sum(len(text) for kind, text in inner if kind == _EQUAL)
    mine = "".join(text for kind, text in inner if kind <= _EQUAL)
    theirs = "".join(text for kind, text in inner if kind >= _EQUAL)
    total = max(len(mine), len(theirs))
    if equal < 2 * _LEAST_OVERLAP or equal < _EQUAL_SHARE * total:
        return None
    if numbers(mine) != numbers(theirs):
        return None
    return head + before + theirs + after + rest


def _values(answers: Iterable[Spoken]) -> list[JoinedValue]:
    groups: dict[tuple[str, str], list[SaidValue]] = {}
    for answer in answers:
        for said in _said(answer):
            key = comparable(said.claim.name), comparable(said.claim.about)
            groups.setdefault(key, []).append(said)
    _unite(groups)
    return [_joined(said) for said in groups.values()]


def _said(answer: Spoken) -> Iterator[SaidValue]:
    ranges = iter(answer.ranges)
    for one in answer.statements:
        if isinstance(one, Claim):
            yield SaidValue(answer.speaker, one, next(ranges, None))


def _unite(groups: dict[tuple[str, str], list[SaidValue]]) -> None:
    """Let a value that names no subject join one of its name that has, where all values agree."""
    for name, about in [key for key in groups if not key[1]]:
        values = _forms(groups[name, about])
        for other in [key for key in groups if key[0] == name and key[1]]:
            if _forms(groups[other]) == values:
                groups[other] += groups.pop((name, about))
                break


def _forms(said: Iterable[SaidValue]) -> set[str]:
    return {comparable(one.claim.value) for one in said}


def _joined(said: Sequence[SaidValue]) -> JoinedValue:
    distinct: dict[str, str] = {}
    for one in said:
        distinct.setdefault(comparable(one.claim.value), one.claim.value)
    about = next((one.claim.about for one in said if one.claim.about), "")
    first = said[0].claim
    return JoinedValue(
        first.name, about, _kind(said, distinct), tuple(distinct.values()), _once(said)
    )


def _kind(said: Sequence[SaidValue], distinct: dict[str, str]) -> Kind:
    if len(distinct) == 1:
        return "single"
    if any(one.claim.listed for one in said) or all(one.speaker.by == "rule" for one in said):
        return "list"
    by_speaker: dict[Speaker, set[str]] = {}
    for one in said:
        by_speaker.setdefault(one.speaker, set()).add(comparable(one.claim.value))
    # Who gives several values of one name means a list of them.
    return "list" if any(len(values) > 1 for values in by_speaker.values()) else "conflict"


def _once(said: Sequence[SaidValue]) -> tuple[SaidValue, ...]:
    found: dict[tuple[Speaker, str, Span | None], SaidValue] = {}
    for one in said:
        found.setdefault((one.speaker, comparable(one.claim.value), one.range), one)
    return tuple(found.values())


def _likeness() -> tuple[Any, Any]:
    """The likeness of rapidfuzz, imported where points are compared."""
    from rapidfuzz import fuzz, process

    return process, fuzz


def _differences() -> Any:
    """Google's diff, imported where answers may overlap."""
    from diff_match_patch import diff_match_patch

    library = diff_match_patch()
    library.Diff_Timeout = 0.0  # never by the clock: equal answers give equal joins
    return library
