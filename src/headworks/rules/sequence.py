"""Sequences: a word, then another not far from it, then a value, with what must not come between.

Takes the fields of a rule's ``sequence`` and folded text, gives hits with typed values. Never
takes more than linear time: a window ends at the next anchor, each step within its gap.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from headworks.model.place import Span
from headworks.model.sentences import sentence_ends
from headworks.model.verdict import Value
from headworks.rules.guards import Guards, GuardView, Shared
from headworks.rules.sequence_fields import Capture, Plan, Step, read_plan

_DENY_REACH = 6
WRAPPED = re.compile(r"(?<=[A-Za-z,，、])\n(?=[ \t]*[a-z(])")


class SequenceHit(msgspec.Struct, frozen=True):
    """A sequence found: its range, its values by name, and whether a condition word governs it."""

    span: Span
    values: dict[str, Value]
    conditional: bool = False
    reasons: tuple[str, ...] = ()


class CompiledSequence:
    """A sequence ready to run.

    ``required``: one of these literals must occur for any hit (empty where the first step is a
    typed value: then the rule is always a candidate).
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.required: tuple[str, ...] = plan.steps[0].words
        # 拉开 … 拉开: where a later step may be an anchor too, the next anchor ends no window.
        later = [word for step in plan.steps[1:] for word in step.words]
        self._closed = not any(anchor in word for word in later for anchor in self.required)
        self._guards = Guards(plan.guards)

    def run(
        self, text: str, start: int, end: int, shared: Shared | None = None
    ) -> list[SequenceHit]:
        """Give every hit in ``text[start:end]``, a clause or section of folded text, in order.

        ``shared`` keeps values and sentence ends of this stretch for the other rules.
        """
        told = self.trace(text, start, end, shared, brief=True)
        return [hit for hit, _why in told if hit is not None]

    def trace(
        self,
        text: str,
        start: int,
        end: int,
        shared: Shared | None = None,
        *,
        brief: bool = False,
    ) -> Iterator[tuple[SequenceHit | None, str]]:
        """Give for each anchor its hit, or why it is none (``brief``: without the best reason)."""
        kept: Shared = {} if shared is None else shared
        if not self.required:
            run = self._run((text, start, end), kept, brief)
            yield from run.follow(run.value_places(), self._closed)
            return
        finder = self.plan.steps[0].finder
        places = [at.span() for at in finder.finditer(text, start, end)] if finder else []
        if not places:
            return
        if self.plan.within not in ("sentence", "paragraph"):
            yield from self._run((text, start, end), kept, brief).follow(places, self._closed)
            return
        for (begins, ends), group in _by_line(text, start, end, places):
            of_line = kept.setdefault(("line", begins), {})
            yield from self._run((text, begins, ends), of_line, brief).follow(group, self._closed)

    def _run(self, stretch: tuple[str, int, int], shared: Shared, brief: bool) -> "_Run":
        guarded = self._guards.over(*stretch, shared)
        return _Run(self.plan, stretch, guarded, shared, brief)


def compile_sequence(
    fields: Mapping[str, object], aliases: Mapping[str, tuple[str, ...]]
) -> CompiledSequence:
    """Read the fields of a pack's ``sequence``; raises RulesError with the path of a fault."""
    return CompiledSequence(read_plan(fields, aliases))


class _Run:
    """One stretch of text with the places of all words and values of a sequence, found once."""

    def __init__(
        self,
        plan: Plan,
        stretch: tuple[str, int, int],
        guards: GuardView,
        shared: Shared,
        brief: bool,
    ) -> None:
        self.plan = plan
        self.brief = brief
        self.text, self.start, self.end = stretch
        self.guards = guards
        self.shared = shared
        self._places: dict[int, tuple[list[tuple[int, int]], list[int]]] = {}
        self._values: dict[int, tuple[list[Value], list[int]]] = {}

    def follow(
        self, anchors: Sequence[tuple[int, int]], closed: bool
    ) -> Iterator[tuple[SequenceHit | None, str]]:
        """Follow the steps from each anchor; a closed window ends where the same word returns."""
        nearest: dict[str, int] = {}
        limits = [self.end] * len(anchors)
        for index in range(len(anchors) - 1 if closed else -1, -1, -1):
            word = self.text[slice(*anchors[index])]
            limits[index] = nearest.get(word, self.end)
            nearest[word] = anchors[index][0]
        for (at, after), limit in zip(anchors, limits, strict=True):
            yield self.judge(at, after, limit)

    def judge(self, at: int, after: int, limit: int) -> tuple[SequenceHit | None, str]:
        """Follow the steps from one anchor."""
        said = self.text[at:after]
        refusal = self.refused(self.plan.steps[0], at, after)
        if refusal:
            return None, refusal
        if self.brief and not self.reachable(after):
            return None, ""
        guards = self.guards.before(at, _last(self.sentences, at, self.start))
        for guard in guards:
            if guard.action == "reject":
                return None, f"“{said}”前出现“{guard.word}”"
        limit = min(limit, _next(self.borders, at, self.end), _next(self.stops, at, self.end))
        walk = _Walk(self, limit)
        ended = walk.follow(0, at)
        if ended is None:
            return None, walk.why or f"“{said}”之后没有找到后续步骤"
        values, reached = ended
        reasons = tuple(f"受条件词“{guard.word}”限定" for guard in guards)
        return SequenceHit(Span(at, reached), values, bool(guards), reasons), ""

    @cached_property
    def stops(self) -> list[int]:
        """Where the words that end a window stand."""
        found = self.plan.stop.finditer(self.text, self.start, self.end) if self.plan.stop else ()
        return [at.start() for at in found]

    @cached_property
    def sentences(self) -> list[int]:
        """Where sentences end."""
        return sentences_of(self.text, self.start, self.end, self.shared)

    @cached_property
    def borders(self) -> list[int]:
        """Where a window ends at the latest."""
        return self._borders()

    def reachable(self, after: int) -> bool:
        """Tell whether something for each required step stands anywhere after the anchor."""
        for index, step in enumerate(self.plan.steps):
            if index == 0 or step.optional:
                continue
            if step.finder is not None:
                starts = self.places(index)[1]
            elif step.capture is not None and step.capture.finders:
                starts = self.values(index)[1]
            else:
                continue
            if not starts or starts[-1] < after:
                return False
        return True

    def refused(self, step: Step, at: int, after: int) -> str:
        """Say which forbidden word stands beside a step's word; empty where none does."""
        beside = (
            ("后", self.text[after : min(after + _DENY_REACH, self.end)], step.not_followed_by),
            ("前", self.text[max(self.start, at - _DENY_REACH) : at], step.not_preceded_by),
        )
        if step.not_next and self.goes_on_with(step.not_next, after):
            return f"“{self.text[at:after]}”后面紧接着“{self.text[after : after + 1]}…”"
        if step.not_prev and self.text.endswith(step.not_prev, self.start, at):
            return f"“{self.text[at:after]}”前面紧接着“{self.text[at - 1 : at]}”"
        for side, window, words in beside:
            for word in words:
                if word in window:
                    return f"“{self.text[at:after]}”{side}{_DENY_REACH}字内出现“{word}”"
        return ""

    def goes_on_with(self, words: tuple[str, ...], at: int) -> bool:
        """Tell whether the text goes on with one of the words, blanks passed over."""
        while at < self.end and self.text[at] == " ":
            at += 1
        return self.text.startswith(words, at)

    def value_places(self) -> list[tuple[int, int]]:
        """The anchors of a sequence that begins with a typed value."""
        return [(value.span.start, value.span.end) for value in self.values(0)[0]]

    def places(self, index: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Give the places of a step's words and where they begin; found when first asked for."""
        known = self._places.get(index)
        if known is None:
            found = self._word_places(self.plan.steps[index])
            known = self._places[index] = found, [at for at, _after in found]
        return known

    def values(self, index: int) -> tuple[list[Value], list[int]]:
        """Give the values a step may take and where they begin; found when first asked for."""
        known = self._values.get(index)
        if known is None:
            found = self._step_values(self.plan.steps[index].capture)
            known = self._values[index] = found, [value.span.start for value in found]
        return known

    def _word_places(self, step: Step) -> list[tuple[int, int]]:
        if step.finder is None:
            return []
        return [at.span() for at in step.finder.finditer(self.text, self.start, self.end)]

    def _step_values(self, capture: Capture | None) -> list[Value]:
        if capture is None:
            return []
        found: list[Value] = []
        for find in capture.finders:
            found.extend(values_found(find, self.text, self.start, self.end, self.shared))
        if len(capture.finders) > 1:
            found.sort(key=lambda value: (value.span.start, -value.span.end))
        return found

    def _borders(self) -> list[int]:
        if self.plan.within == "sentence":
            return self.sentences
        if self.plan.within != "paragraph":
            return [self.end]
        ends = []
        at = self.text.find("\n", self.start, self.end)
        while at != -1:
            ends.append(at)
            at = self.text.find("\n", at + 1, self.end)
        return [*ends, self.end]


class _Walk:
    """One anchor's way through the steps; a step and place that failed are not tried again."""

    def __init__(self, run: _Run, limit: int) -> None:
        self.run = run
        self.limit = limit
        self.why = ""
        self._failed: set[tuple[int, int]] = set()

    def follow(self, index: int, at: int) -> tuple[dict[str, Value], int] | None:
        """Take the steps from ``index`` on; give the values and the end, or None."""
        if index == len(self.run.plan.steps):
            return {}, at
        if (index, at) in self._failed:
            return None
        step = self.run.plan.steps[index]
        ended = self._by_word(index, at, step) if step.finder else self._by_value(index, at, step)
        if ended is None and step.optional:
            ended = self.follow(index + 1, at)
        if ended is None:
            self._failed.add((index, at))
        return ended

    def _by_word(self, index: int, at: int, step: Step) -> tuple[dict[str, Value], int] | None:
        places, starts = self.run.places(index)
        reach = min(self.limit, at + step.max_gap) if index else at
        if index and step.optional and step.capture is None:
            # An optional 为 must not lead past the nearest value to one farther on.
            reach = min(reach, self._next_value(index + 1, at))
        for place in range(bisect_left(starts, at), len(places)):
            begins, ends = places[place]
            if begins > reach or ends > self.limit or self._cut(at, begins, step.without):
                break
            refusal = self.run.refused(step, begins, ends)
            if refusal:
                self.why = refusal
                continue
            if step.capture:
                ended = self._by_value(index, ends, step)
            else:
                ended = self.follow(index + 1, ends)
            if ended is not None:
                return ended
        return None

    def _by_value(self, index: int, at: int, step: Step) -> tuple[dict[str, Value], int] | None:
        capture = step.capture
        if capture is None:
            return None
        if capture.until is not None:
            return self._up_to(index, at, capture)
        values, starts = self.run.values(index)
        reach = min(self.limit, at + capture.max_gap) if index or step.finder else at
        for place in range(bisect_left(starts, at), len(values)):
            value = values[place]
            start = value.span.start
            if start > reach or self._cut(at, start, capture.without):
                break
            if value.span.end > self.limit:
                continue
            if capture.not_next and self.run.goes_on_with(capture.not_next, value.span.end):
                self.why = f"“{value.text}”后面紧接着不许出现的词"
                continue
            ended = self.follow(index + 1, value.span.end)
            if ended is not None:
                return {capture.name: value, **ended[0]}, ended[1]
        return None

    def _up_to(self, index: int, at: int, capture: Capture) -> tuple[dict[str, Value], int] | None:
        """Take the text from here to the first of the capture's marks."""
        text = self.run.text
        assert capture.until is not None
        mark = capture.until.search(text, at, min(self.limit, at + capture.max_gap + 1))
        end = mark.start() if mark else self.limit
        said = text[at:end].strip(" :,。")
        if not said or end - at > capture.max_gap:
            return None
        start = text.index(said, at)
        value = Value(said, "text", said, Span(start, start + len(said)))
        ended = self.follow(index + 1, end)
        return None if ended is None else ({capture.name: value, **ended[0]}, ended[1])

    def _next_value(self, index: int, at: int) -> int:
        """Where the next value begins that the step could take; the limit where it takes none."""
        if index == len(self.run.plan.steps) or self.run.plan.steps[index].finder is not None:
            return self.limit
        _values, starts = self.run.values(index)
        place = bisect_left(starts, at)
        return starts[place] if place < len(starts) else self.limit

    def _cut(self, start: int, end: int, without: tuple[str, ...]) -> bool:
        """Tell whether a guard word, or one that must not stand there, lies between two steps."""
        guard = self.run.guards.between(start, end)
        if guard is not None:
            self.why = f"中间出现“{guard.word}”"
            return True
        for word in without:
            if self.run.text.find(word, start, end) != -1:
                self.why = f"中间出现“{word}”"
                return True
        return False


def _next(places: list[int], at: int, end: int) -> int:
    index = bisect_right(places, at)
    return places[index] if index < len(places) else end


def _last(places: list[int], at: int, start: int) -> int:
    index = bisect_right(places, at)
    return places[index - 1] if index else start


def _by_line(
    text: str, start: int, end: int, places: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], list[tuple[int, int]]]]:
    """Group anchors by the line they stand in, a wrapped Latin line counted with the next."""
    index = 0
    while index < len(places):
        at, after = places[index]
        begins = text.rfind("\n", start, at) + 1 or start
        while begins > start and WRAPPED.match(text, begins - 1):
            begins = text.rfind("\n", start, begins - 1) + 1 or start
        ends = text.find("\n", after, end)
        while ends >= 0 and WRAPPED.match(text, ends):
            ends = text.find("\n", ends + 1, end)
        ends = ends if ends >= 0 else end
        group = [places[index]]
        while index + 1 < len(places) and places[index + 1][0] < ends:
            index += 1
            group.append(places[index])
        index += 1
        yield (begins, ends), group


def sentences_of(text: str, start: int, end: int, shared: Shared) -> list[int]:
    """Give the sentence ends of a stretch, found once for all rules."""
    known = shared.get("sentence ends")
    if not isinstance(known, list):
        known = shared["sentence ends"] = sentence_ends(text, start, end)
    return known


def values_found(
    find: Callable[[str], list[Value]], text: str, start: int, end: int, shared: Shared
) -> tuple[Value, ...]:
    """Give the values of one kind in a stretch, found once for all rules."""
    key = ("values", find)
    known = shared.get(key)
    if not isinstance(known, tuple):
        known = tuple(_shifted(value, start) for value in find(text[start:end]))
        shared[key] = known
    return known


def _shifted(value: Value, by: int) -> Value:
    if by == 0:
        return value
    return Value(
        value.text, value.kind, value.value, Span(value.span.start + by, value.span.end + by)
    )
