"""One sequence's way through one stretch: from an anchor through its steps.

Takes a plan and a stretch, gives the values and where it ended. Never tries a step at a place
where it failed before.
"""

from bisect import bisect_left
from collections.abc import Sequence

from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.guards import Guards
from headworks.rules.sequence_fields import Capture, Plan, Step
from headworks.rules.stretch import Stretch

DENY_REACH = 6
Ended = tuple[dict[str, Value], int]


class Walk:
    """The steps of a plan on a stretch; ``why`` says why the last anchor led nowhere."""

    __slots__ = (
        "_failed", "_guards", "_limit", "_steps", "_text", "stretch", "why",
    )  # fmt: skip

    def __init__(self, plan: Plan, guards: Guards, stretch: Stretch) -> None:
        self._steps = plan.steps
        self._guards = guards
        self.stretch = stretch
        self._text = stretch.text
        self._limit = stretch.end
        self._failed: set[tuple[int, int]] = set()
        self.why = ""

    def follow_from(self, at: int, limit: int) -> Ended | None:
        """Take all steps from an anchor; give the values and the end, or None."""
        self._limit = limit
        self.why = ""
        if self._failed:
            self._failed = set()
        return self._follow(0, at)

    def refused(self, step: Step, at: int, after: int) -> str:
        """Say which forbidden word stands beside a step's word; empty where none does."""
        text, start, end = self._text, self.stretch.start, self.stretch.end
        if step.not_next and self._goes_on_with(step.not_next, after):
            return f"“{text[at:after]}”后面紧接着“{text[after : after + 1]}…”"
        if step.not_prev and text.endswith(step.not_prev, start, at):
            return f"“{text[at:after]}”前面紧接着“{text[at - 1 : at]}”"
        if step.not_followed_by:
            window = text[after : min(after + DENY_REACH, end)]
            for word in step.not_followed_by:
                if word in window:
                    return f"“{text[at:after]}”后{DENY_REACH}字内出现“{word}”"
        if step.not_preceded_by:
            window = text[max(start, at - DENY_REACH) : at]
            for word in step.not_preceded_by:
                if word in window:
                    return f"“{text[at:after]}”前{DENY_REACH}字内出现“{word}”"
        return ""

    def _goes_on_with(self, words: tuple[str, ...], at: int) -> bool:
        """Tell whether the text goes on with one of the words, blanks passed over."""
        text, end = self._text, self.stretch.end
        while at < end and text[at] == " ":
            at += 1
        return text.startswith(words, at)

    def _follow(self, index: int, at: int) -> Ended | None:
        """Take the steps from ``index`` on."""
        steps = self._steps
        if index == len(steps):
            return {}, at
        if (index, at) in self._failed:
            return None
        step = steps[index]
        if step.finder is not None:
            ended = self._by_word(index, at, step)
        else:
            ended = self._by_value(index, at, step)
        if ended is None and step.optional:
            ended = self._follow(index + 1, at)
        if ended is None:
            self._failed.add((index, at))
        return ended

    def _by_word(self, index: int, at: int, step: Step) -> Ended | None:
        assert step.finder is not None
        places, starts = self.stretch.places(step.finder)
        if not starts or starts[-1] < at:
            return None
        limit = self._limit
        reach = min(limit, at + step.max_gap) if index else at
        if index and step.optional and step.capture is None:
            # An optional 为 must not lead past the nearest value to one farther on.
            reach = min(reach, self._next_value(index + 1, at))
        for place in range(bisect_left(starts, at), len(starts)):
            begins, ends = places[place]
            if begins > reach or ends > limit or self._cut(at, begins, step.without):
                break
            if step.looks_beside:
                refusal = self.refused(step, begins, ends)
                if refusal:
                    self.why = refusal
                    continue
            if step.capture is not None:
                ended = self._by_value(index, ends, step)
            else:
                ended = self._follow(index + 1, ends)
            if ended is not None:
                return ended
        return None

    def _by_value(self, index: int, at: int, step: Step) -> Ended | None:
        capture = step.capture
        if capture is None:
            return None
        if capture.until is not None:
            return self._up_to(index, at, capture)
        values, starts = self._values(step)
        limit = self._limit
        reach = min(limit, at + capture.max_gap) if index or step.finder else at
        for place in range(bisect_left(starts, at), len(starts)):
            start = starts[place]
            if start > reach or self._cut(at, start, capture.without):
                break
            value = values[place]
            end = value.span.end
            if end > limit:
                continue
            if capture.not_next and self._goes_on_with(capture.not_next, end):
                self.why = f"“{value.text}”后面紧接着不许出现的词"
                continue
            ended = self._follow(index + 1, end)
            if ended is not None:
                return {capture.name: value, **ended[0]}, ended[1]
        return None

    def _values(self, step: Step) -> tuple[Sequence[Value], Sequence[int]]:
        return self.stretch.values_among(step.kinds) if step.kinds is not None else ((), ())

    def _up_to(self, index: int, at: int, capture: Capture) -> Ended | None:
        """Take the text from here to the first of the capture's marks."""
        text = self._text
        assert capture.until is not None
        until = min(self._limit, at + capture.max_gap + 1)
        mark = capture.until.pattern.search(text, at, until)
        end = mark.start() if mark else self._limit
        said = text[at:end].strip(" :,。")
        if not said or end - at > capture.max_gap:
            return None
        start = text.index(said, at)
        value = Value(said, "text", said, Span(start, start + len(said)))
        ended = self._follow(index + 1, end)
        return None if ended is None else ({capture.name: value, **ended[0]}, ended[1])

    def _next_value(self, index: int, at: int) -> int:
        """Where the next value begins that the step could take; the limit where it takes none."""
        if index == len(self._steps) or self._steps[index].finder is not None:
            return self._limit
        starts = self._values(self._steps[index])[1]
        place = bisect_left(starts, at)
        return starts[place] if place < len(starts) else self._limit

    def _cut(self, start: int, end: int, without: tuple[str, ...]) -> bool:
        """Tell whether a guard word, or one that must not stand there, lies between two steps."""
        guard = self._guards.between(self.stretch, start, end)
        if guard:
            self.why = f"中间出现“{guard}”"
            return True
        if without:
            between = self._text[start:end]
            for word in without:
                if word in between:
                    self.why = f"中间出现“{word}”"
                    return True
        return False
