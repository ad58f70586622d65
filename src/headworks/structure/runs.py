"""Runs: which labels are labels, and which stands under which, read over the whole document.

Takes candidates in text order, gives the accepted ones with their parents. The reading is the
best over all candidates, found by a beam over open runs: a label that continues a run costs
nothing, a gap, a repetition, a restart or a start in the middle costs, and so does each accepted
candidate with evidence against it. Never looks at whether a label heads a title or a sentence.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from headworks.structure.candidates import Candidate
from headworks.structure.labels import APPENDIX, MAJOR, RANK, Label

_BEAM = 6
_REACH = 3.0
# A reading ahead by this much drops the others as soon as its run goes on cleanly.
_AHEAD = 0.75
# What a step away from the next number costs.
_REPEATED = 1.5
_RESTARTED = 1.1
_RESTARTED_AFTER_HEAD = 0.15
_BACK = 2.2
_GAP, _GAP_MORE, _GAP_MOST = 0.45, 0.2, 2.2
_MIDDLE, _MIDDLE_MORE, _MIDDLE_MOST = 0.8, 0.12, 2.4
_OTHER_LOOK = 0.5
_OTHER_LIST = 0.8
_NESTED_SAME = 0.7
_OTHER_WRITING = 0.35
_RESUMED, _RESUMED_ELSEWHERE, _MOVED = 0.1, 0.8, 0.3
_AGAINST_ORDER = 0.45
_BETWEEN, _PASSED = 0.1, 0.25
# A run of 1. may stand in a run of 1., hardly in two.
_MOST_NESTED = 2

Numbers = tuple[int, ...]

# Families whose numbers no 3.2 counts on.
_ITEMS = frozenset({"（一）", "（1）", "1）", "①", "a）", "（a）", "a.", "（i）", "款", "项"})
_CHAPTERS = frozenset({"编", "部分", "卷", "篇", "章", "节", "Part", "Chapter"})
# Families that one hand may mix within a run: 1、 2. 3、 and （1） 2） （3）.
_KIN = {"1.": "1、", "1、": "1.", "（1）": "1）", "1）": "（1）"}


class Accepted(NamedTuple):
    """An accepted candidate: its index, and the index of the accepted one it stands under."""

    candidate: int
    parent: int | None


class _Frame(NamedTuple):
    family: str
    numbers: Numbers
    candidate: int
    first: int


class _State(NamedTuple):
    score: float
    key: tuple[tuple[str, Numbers], ...]
    frames: tuple[_Frame, ...]
    memory: Mapping[str, tuple[Numbers, _Frame | None]]
    path: "_Step | None"
    # The runs that the last appendix closed: 第三章 may go on after it.
    closed: tuple[_Frame, ...] = ()


class _Step(NamedTuple):
    accepted: Accepted
    before: "_Step | None"


class _Option(NamedTuple):
    cost: float
    keep: int
    first: int | None
    # Whether the run goes on that an appendix closed; ``keep`` counts what opens again.
    resumed: bool = False


def read_runs(found: Sequence[Candidate]) -> tuple[Accepted, ...]:
    """Give the accepted labelled candidates in order, each with its parent."""
    order = _nesting_votes(found)
    states = [_State(0.0, (), (), {}, None)]
    head_before = -1
    for index, candidate in enumerate(found):
        label = candidate.label
        if label is None:
            if candidate.look.emphasis >= 2.0 or candidate.known:
                head_before = index
            continue
        states = _advance(states, found, index, order, head_before)
    best = max(states, key=lambda state: state.score)
    steps: list[Accepted] = []
    step = best.path
    while step is not None:
        steps.append(step.accepted)
        step = step.before
    steps.reverse()
    return tuple(steps)


def _advance(
    states: list[_State],
    found: Sequence[Candidate],
    index: int,
    order: Mapping[tuple[str, str], float],
    head_before: int,
) -> list[_State]:
    candidate = found[index]
    if candidate.weight >= 1.0 and (len(states) == 1 or states[1].score < states[0].score - _AHEAD):
        # Most labels simply run on or open at one: one way to read them, no alternatives.
        certain = _certain(states[0], found, index, order)
        if certain is not None:
            return [certain]
    following: dict[tuple[tuple[str, Numbers], ...], _State] = {}
    best = states[0].score
    for state in states:
        _keep(following, state)
        for option in _options(state, found, index, order, head_before):
            score = state.score + candidate.weight - option.cost
            if score > best - _REACH:
                _keep(following, _accept(state, candidate, index, option, score - state.score))
                best = max(best, score)
    kept = [state for state in following.values() if state.score >= best - _REACH]
    kept.sort(key=_by_score)
    return kept[:_BEAM]


def _by_score(state: _State) -> float:
    return -state.score


def _keep(states: dict[tuple[tuple[str, Numbers], ...], _State], state: _State) -> None:
    known = states.get(state.key)
    if known is None or state.score > known.score:
        states[state.key] = state


def _accept(
    state: _State, candidate: Candidate, index: int, option: _Option, gain: float
) -> _State:
    label = candidate.label
    assert label is not None
    kept = (state.closed if option.resumed else state.frames)[: option.keep]
    first = index if option.first is None else option.first
    frame = _Frame(label.family, label.numbers, index, first)
    parent = kept[-1].candidate if kept else None
    closed = state.closed
    if option.resumed or label.family in MAJOR:
        closed = ()
    elif label.family in APPENDIX and not any(one.family in APPENDIX for one in state.frames):
        closed = state.frames
    key = (
        tuple((one.family, one.numbers) for one in kept)
        if option.resumed
        else state.key[: option.keep]
    )
    return _State(
        state.score + gain,
        (*key, (label.family, label.numbers)),
        (*kept, frame),
        {**state.memory, label.family: (label.numbers, kept[-1] if kept else None)},
        _Step(Accepted(index, parent), state.path),
        closed,
    )


def _certain(
    state: _State, found: Sequence[Candidate], index: int, order: Mapping[tuple[str, str], float]
) -> _State | None:
    """Take the step that needs no weighing, or none where it does."""
    candidate = found[index]
    label = candidate.label
    assert label is not None
    frames = state.frames
    if len(label.numbers) != 1:
        return _certain_decimal(state, found, index)
    places = [at for at, frame in enumerate(frames) if frame.family == label.family]
    if places:
        number = label.numbers[0] - 1
        fitting = [
            at
            for at in places
            if frames[at].numbers[:1] == (number,) and _same_look(found, frames[at], candidate)
        ]
        if len(fitting) != 1:
            return None
        option = _Option(0.0, fitting[0], frames[fitting[0]].first)
        return _accept(state, candidate, index, option, candidate.weight)
    if _place(frames, label.family, order) != len(frames):
        return None
    if label.numbers != (1,) and _opening(state, label, len(frames)) > 0.0:
        return None
    option = _Option(0.0, len(frames), None)
    return _accept(state, candidate, index, option, candidate.weight)


def _certain_decimal(state: _State, found: Sequence[Candidate], index: int) -> _State | None:
    """Take 3.2 after 3.1, or 3.1 right under 3."""
    candidate = found[index]
    label = candidate.label
    assert label is not None
    if not label.family.endswith(".1"):
        return None
    at = [place for place, frame in enumerate(state.frames) if frame.family == label.family]
    if not at:
        top = state.frames[-1] if state.frames else None
        if top is None or top.numbers != label.numbers[:-1] or label.numbers[-1] != 1:
            return None
        option = _Option(0.0, len(state.frames), None)
        return _accept(state, candidate, index, option, candidate.weight)
    frame = state.frames[at[0]]
    if len(at) > 1 or frame.numbers[:-1] != label.numbers[:-1]:
        return None
    if label.numbers[-1] != frame.numbers[-1] + 1 or not _same_look(found, frame, candidate):
        return None
    return _accept(state, candidate, index, _Option(0.0, at[0], frame.first), candidate.weight)


def _options(
    state: _State,
    found: Sequence[Candidate],
    index: int,
    order: Mapping[tuple[str, str], float],
    head_before: int,
) -> list[_Option]:
    candidate = found[index]
    label = candidate.label
    assert label is not None
    if len(label.numbers) > 1 and label.family.endswith(".1"):
        return _decimal_options(state, found, candidate, label)
    frames = state.frames
    options: list[_Option] = []
    kin = _KIN.get(label.family)
    for at, frame in enumerate(frames):
        if frame.family == label.family:
            cost = _step(frame.numbers, label.numbers, head_before > frame.candidate)
            cost += _look_cost(found, frame, candidate)
            options.append(_Option(cost, at, frame.first if label.numbers[-1:] > (1,) else None))
        elif frame.family == kin and frame.numbers[0] + 1 == label.numbers[0]:
            cost = _OTHER_WRITING + _look_cost(found, frame, candidate)
            options.append(_Option(cost, at, frame.first))
    keep = _place(frames, label.family, order)
    held = sum(frame.family == label.family for frame in frames)
    if not any(frame.family == label.family for frame in frames[keep:]) and held < _MOST_NESTED:
        nested = any(frame.family == label.family for frame in frames[:keep])
        cost = _nested(label) if nested else _opening(state, label, keep)
        options.append(_Option(cost, keep, None))
    options.extend(_resumed(state, found, candidate))
    if keep < len(frames) and held < _MOST_NESTED:
        top_nested = any(frame.family == label.family for frame in frames)
        cost = _nested(label) if top_nested else _opening(state, label, len(frames))
        cost += _AGAINST_ORDER
        options.append(_Option(cost, len(frames), None))
    return options


def _decimal_options(
    state: _State, found: Sequence[Candidate], candidate: Candidate, label: Label
) -> list[_Option]:
    """Place 3.2.1: after 3.2.0 under 3.2, or under 3 where 3.2 was never numbered."""
    frames, numbers, prefix = state.frames, label.numbers, label.numbers[:-1]
    options: list[_Option] = []
    for at, frame in enumerate(frames):
        if frame.family == label.family:
            cost = _decimal_step(frame.numbers, numbers, at, frames)
            options.append(_Option(cost + _look_cost(found, frame, candidate), at, frame.first))
    parent = _decimal_parent(frames, prefix, label.family)
    if parent is not None:
        above = frames[parent + 1] if parent + 1 < len(frames) else None
        if above is None or above.family != label.family:
            before, _ = state.memory.get(label.family, (None, None))
            goes_on = before == (*prefix, numbers[-1] - 1)
            cost = 0.0 if goes_on else _from_one(numbers[-1])
            closes = _PASSED if _is_headed(found, frames[-1], candidate) else 0.0
            options.append(_Option(cost + closes, parent + 1, None))
            # （一） 3.1 3.2 （二） 3.3: the items of 3 hold its points between them.
            if above is not None and not any(one.family == label.family for one in frames):
                options.append(_Option(cost + _BETWEEN, len(frames), None))
    elif not options:
        keep = 0
        for at, frame in enumerate(frames):
            if RANK.get(frame.family, 15) <= 13 and not frame.family.startswith("1"):
                keep = at + 1
        # A deep number (11.5.14) is hardly anything but a label, wherever the text begins.
        most = 0.9 if len(numbers) == 2 else 0.6
        cost = min(most, _from_one(numbers[-1])) + (0.2 if prefix == (1,) * len(prefix) else 0.4)
        options.append(_Option(cost, keep, None))
    return options


def _is_headed(found: Sequence[Candidate], top: _Frame, candidate: Candidate) -> bool:
    """Tell whether （一）总则 stands right above 3.1, with no text of its own."""
    above = found[top.candidate]
    titled = above.reading in ("title", "lead") and top.family in _ITEMS
    return titled and candidate.block == above.block + 1


def _decimal_parent(frames: tuple[_Frame, ...], prefix: Numbers, family: str) -> int | None:
    for at in range(len(frames) - 1, -1, -1):
        frame = frames[at]
        if frame.numbers == prefix and frame.family != family and frame.family not in _ITEMS:
            return at
    return None


def _decimal_step(before: Numbers, numbers: Numbers, at: int, frames: tuple[_Frame, ...]) -> float:
    if before[:-1] == numbers[:-1]:
        return _step(before[-1:], numbers[-1:], False)
    parents = [frame.numbers for frame in frames[:at]]
    if numbers[:-1] in parents:
        return _from_one(numbers[-1])
    # The parent was not labelled as 3 or 3.2: 3.1 may still follow 2.7.
    above, new = before[:-1], numbers[:-1]
    if new > above and new[:-1] == above[:-1] and new[-1] == above[-1] + 1:
        return 0.3 + _from_one(numbers[-1])
    return (1.0 if new > above else 1.6) + _from_one(numbers[-1])


def _step(before: Numbers, numbers: Numbers, head_between: bool) -> float:
    if len(before) != len(numbers) or len(numbers) > 1:
        return _compound_step(before, numbers)
    if not numbers or not before:
        return _GAP
    distance = numbers[0] - before[0]
    if distance == 1:
        return 0.0
    if distance > 1:
        return min(_GAP_MOST, _GAP + _GAP_MORE * (distance - 1))
    if numbers[0] == 1:
        return _RESTARTED_AFTER_HEAD if head_between else _RESTARTED
    return _REPEATED if distance == 0 else _BACK


def _compound_step(before: Numbers, numbers: Numbers) -> float:
    """Step between 第十条, 第十条之一, 第十条之二, 第十一条, or 附件1-1 and 附件1-2."""
    if not before or not numbers:
        return _REPEATED
    if before[0] == numbers[0]:
        return 0.0 if numbers > before else _REPEATED
    return _step(before[:1], numbers[:1], False)


def _opening(state: _State, label: Label, keep: int) -> float:
    """Cost of a new run: none at one, nor where it runs on under the next chapter."""
    if not label.numbers:
        return 0.0
    remembered, under = state.memory.get(label.family, (None, None))
    if remembered and label.numbers[0] == remembered[0] + 1:
        return _going_on(state.frames[keep - 1] if keep else None, under, label)
    if label.family in APPENDIX:
        return min(0.6, _from_one(label.numbers[-1]))
    return _from_one(label.numbers[0])


def _going_on(above: _Frame | None, under: _Frame | None, label: Label) -> float:
    """Cost of a run that goes on in another place: 第七条 in the next chapter costs nothing."""
    if above is not None and above.family in APPENDIX:
        same = under is not None and under.candidate == above.candidate
        return 0.0 if same else _RESUMED_ELSEWHERE
    if (above.family if above else None) == (under.family if under else None):
        return 0.0
    return _MOVED if label.family in _ITEMS else 0.0


def _nested(label: Label) -> float:
    """Cost of a run inside a run of its own family: a list of 1. under section 4."""
    return _NESTED_SAME + (_from_one(label.numbers[0]) if label.numbers else 0.0)


def _resumed(state: _State, found: Sequence[Candidate], candidate: Candidate) -> list[_Option]:
    """Let a run go on that an appendix closed: 第三章 after 附件六, 六、 after 附件4."""
    label = candidate.label
    assert label is not None
    if not state.closed or not label.numbers:
        return []
    return [
        _Option(_RESUMED + 0.3 * _look_cost(found, frame, candidate), at, frame.first, True)
        for at, frame in enumerate(state.closed)
        if frame.family == label.family and frame.numbers == (label.numbers[0] - 1,)
    ]


def _from_one(number: int) -> float:
    if number <= 1:
        return 0.0
    return min(_MIDDLE_MOST, _MIDDLE + _MIDDLE_MORE * number)


def _place(frames: tuple[_Frame, ...], family: str, order: Mapping[tuple[str, str], float]) -> int:
    """Give how many open runs a new run of the family stands under."""
    keep = len(frames)
    while keep and _nests_under(frames[keep - 1].family, family, order):
        keep -= 1
    return keep


def _nests_under(inner: str, outer: str, order: Mapping[tuple[str, str], float]) -> bool:
    """Tell whether this document (where it does not say, custom) puts ``inner`` under ``outer``."""
    if inner == outer:
        return True
    votes = order.get((outer, inner), 0.0) - order.get((inner, outer), 0.0)
    custom = (RANK.get(inner, 15) - RANK.get(outer, 15)) * 0.25
    return votes + max(-2.0, min(2.0, custom)) > 0


def _nesting_votes(found: Sequence[Candidate]) -> dict[tuple[str, str], float]:
    """Count how often a family starts at one right after a label of another: 一、 then （一）."""
    votes: dict[tuple[str, str], float] = defaultdict(float)
    before: Label | None = None
    for candidate in found:
        label = candidate.label
        if label is None or candidate.weight < 0.5:
            continue
        # A clause before an appendix ends there and holds nothing; a chapter may hold forms.
        held = label.family not in APPENDIX or (before is not None and before.family in _CHAPTERS)
        first = label.numbers[-1:] == (1,) and held
        if before is not None and before.family != label.family and first:
            votes[before.family, label.family] += 1.0 if candidate.weight >= 1.0 else 0.5
        before = label
    return votes


def _same_look(found: Sequence[Candidate], frame: _Frame, candidate: Candidate) -> bool:
    before = found[frame.candidate]
    return before.look.key == candidate.look.key and before.list_key == candidate.list_key


def _look_cost(found: Sequence[Candidate], frame: _Frame, candidate: Candidate) -> float:
    before = found[frame.candidate]
    cost = 0.0
    if before.look.key != candidate.look.key:
        cost += _OTHER_LOOK if before.look.emphasis != candidate.look.emphasis else 0.15
    if (
        before.list_key is not None
        and candidate.list_key is not None
        and before.list_key != candidate.list_key
    ):
        cost += _OTHER_LIST
    return cost
