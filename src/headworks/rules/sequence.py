"""Sequences: a word, then another not far from it, then a value, with what must not come between.

Takes the fields of a rule's ``sequence`` and folded text, gives hits with typed values. Never
takes more than linear time: a window ends at the next anchor, each step within its gap.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.guards import Guards
from headworks.rules.sequence_fields import Plan, read_plan
from headworks.rules.stretch import Stretch
from headworks.rules.walk import Walk

WRAPPED = re.compile(r"(?<=[A-Za-z,，、])\n(?=[ \t]*[a-z(])")
_NONE: tuple["SequenceHit", ...] = ()


class SequenceHit(msgspec.Struct, frozen=True):
    """A sequence found: its range, its values by name, and whether a condition word governs it."""

    span: Span
    values: dict[str, Value]
    conditional: bool = False
    reasons: tuple[str, ...] = ()


class CompiledSequence:
    """A sequence ready to run.

    ``required``: one of these literals must occur for any hit (empty where the first step is a
    typed value: then the rule is always a candidate). ``in_line``: it never leaves its line.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.required: tuple[str, ...] = plan.steps[0].words
        self.in_line = bool(self.required) and plan.within in ("sentence", "paragraph")
        # 拉开 … 拉开: where a later step may be an anchor too, the next anchor ends no window.
        later = [word for step in plan.steps[1:] for word in step.words]
        self._closed = not any(anchor in word for word in later for anchor in self.required)
        self._guards = Guards(plan.guards)
        # What must stand behind an anchor: words, which are cheaper to look for, then values.
        needed = [step for step in plan.steps[1:] if not step.optional]
        self._words = tuple(step.finder for step in needed if step.finder is not None)
        self._values = tuple(
            step.kinds for step in needed if step.finder is None and step.kinds is not None
        )

    def begins_in(self, text: str, start: int, end: int) -> bool:
        """Tell whether an anchor begins in ``text[start:end]``, where a look is cheap."""
        finder = self.plan.steps[0].finder
        if finder is None:
            return True
        found = finder.pattern.search(text, start, end + len(finder.listed[0]) - 1)
        return found is not None and found.start() < end

    def run(self, text: str, start: int, end: int) -> list[SequenceHit]:
        """Give every hit in ``text[start:end]``, a clause or section of folded text, in order."""
        found: list[SequenceHit] = []
        for stretch in self._stretches(text, start, end):
            found.extend(self.over(stretch))
        return found

    def over(self, stretch: Stretch) -> Sequence[SequenceHit]:
        """Give every hit in a stretch: a line, where the sequence does not leave its line."""
        anchors = self._anchors(stretch)
        if not anchors:
            return _NONE
        last = stretch.end
        for words in self._words:
            starts = stretch.places(words)[1]
            if not starts:
                return _NONE
            last = min(last, starts[-1])
        walk = Walk(self.plan, self._guards, stretch)
        first = self.plan.steps[0]
        standing = [
            index
            for index, (at, after) in enumerate(anchors)
            if after <= last and not (first.looks_beside and walk.refused(first, at, after))
        ]
        for kinds in self._values if standing else ():
            starts = stretch.values_among(kinds)[1]
            if not starts:
                return _NONE
            last = min(last, starts[-1])
        found: list[SequenceHit] = []
        limits = self._limits(stretch, anchors) if standing else []
        for index in standing:
            if anchors[index][1] <= last:
                hit = self._hit(walk, anchors[index], limits[index])
                if hit is not None:
                    found.append(hit)
        return found

    def trace(self, text: str, start: int, end: int) -> Iterator[tuple[SequenceHit | None, str]]:
        """Give for each anchor its hit, or why it is none."""
        for stretch in self._stretches(text, start, end):
            anchors = self._anchors(stretch)
            walk = Walk(self.plan, self._guards, stretch)
            limits = self._limits(stretch, anchors)
            for (at, after), limit in zip(anchors, limits, strict=True):
                refusal = walk.refused(self.plan.steps[0], at, after)
                hit = None if refusal else self._hit(walk, (at, after), limit)
                said = text[at:after]
                why = refusal or walk.why
                yield hit, "" if hit else why or f"“{said}”之后没有找到后续步骤"

    def _hit(self, walk: Walk, anchor: tuple[int, int], limit: int) -> SequenceHit | None:
        """Follow the steps from one anchor."""
        at, after = anchor
        stretch = walk.stretch
        sentences = stretch.sentences()
        place = bisect_right(sentences, at)
        begins = sentences[place - 1] if place else stretch.start
        guards = self._guards.before(stretch, at, begins)
        for guard in guards:
            if guard.action == "reject":
                walk.why = f"“{stretch.text[at:after]}”前出现“{guard.word}”"
                return None
        within = self.plan.within
        if within == "sentence":
            if place < len(sentences):
                limit = min(limit, sentences[place])
        elif within == "paragraph":
            ends = stretch.text.find("\n", at + 1, stretch.end)
            if ends != -1:
                limit = min(limit, ends)
        if self.plan.stop is not None:
            starts = stretch.places(self.plan.stop)[1]
            stop = bisect_right(starts, at)
            if stop < len(starts):
                limit = min(limit, starts[stop])
        ended = walk.follow_from(at, limit)
        if ended is None:
            return None
        values, reached = ended
        reasons = tuple(f"受条件词“{guard.word}”限定" for guard in guards)
        return SequenceHit(Span(at, reached), values, bool(guards), reasons)

    def _anchors(self, stretch: Stretch) -> Sequence[tuple[int, int]]:
        """Give the places of the first step: of its words, else of its values."""
        first = self.plan.steps[0]
        if first.finder is not None:
            return stretch.places(first.finder)[0]
        if first.kinds is None:
            return ()
        return [(at.span.start, at.span.end) for at in stretch.values_among(first.kinds)[0]]

    def _limits(self, stretch: Stretch, anchors: Sequence[tuple[int, int]]) -> list[int]:
        """Give where the window of each anchor ends: a closed one where the same word returns."""
        limits = [stretch.end] * len(anchors)
        if self._closed and len(anchors) > 1:
            nearest: dict[str, int] = {}
            for index in range(len(anchors) - 1, -1, -1):
                at, after = anchors[index]
                word = stretch.text[at:after]
                limits[index] = nearest.get(word, stretch.end)
                nearest[word] = at
        return limits

    def _stretches(self, text: str, start: int, end: int) -> Iterator[Stretch]:
        """Give what is looked at by itself: each line that has an anchor, or the whole."""
        if not self.in_line:
            yield Stretch(text, start, end)
            return
        finder = self.plan.steps[0].finder
        anchors = finder.pattern.finditer(text, start, end) if finder is not None else iter(())
        reached = start
        for anchor in anchors:
            if anchor.start() >= reached:
                begins, reached = _line_around(text, start, end, anchor.span())
                yield Stretch(text, begins, reached)


def compile_sequence(
    fields: Mapping[str, object], aliases: Mapping[str, tuple[str, ...]]
) -> CompiledSequence:
    """Read the fields of a pack's ``sequence``; raises RulesError with the path of a fault."""
    return CompiledSequence(read_plan(fields, aliases))


def _line_around(text: str, start: int, end: int, anchor: tuple[int, int]) -> tuple[int, int]:
    """Give the line that an anchor stands in, a wrapped Latin line counted with the next."""
    at, after = anchor
    begins = text.rfind("\n", start, at) + 1 or start
    while begins > start and WRAPPED.match(text, begins - 1):
        begins = text.rfind("\n", start, begins - 1) + 1 or start
    ends = text.find("\n", after, end)
    while ends >= 0 and WRAPPED.match(text, ends):
        ends = text.find("\n", ends + 1, end)
    return begins, ends if ends >= 0 else end
