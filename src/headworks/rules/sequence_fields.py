"""The fields of a ``sequence`` in a pack, read into a plan.

Takes the mapping as YAML gives it, gives a ``Plan``. Never lets an unknown key or type pass: the
error names the path in the pack and the nearest known word.
"""

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import msgspec

from headworks.errors import RulesError
from headworks.model.folding import fold
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.guards import CONDITION, NEGATION, QUESTION, REFERENCE, Guard, guard_of
from headworks.rules.stretch import Values, Words, values_of_kinds, words_of

Within = Literal["sentence", "clause", "paragraph", "section"]
Finder = Callable[[str], list[Value]]

_DEFAULT_GAP = 40
_MAX_GAP = 1000
_TOP_KEYS = ("within", "steps", "guards", "stop")
_BESIDE = ("not_followed_by", "not_preceded_by", "not_next", "not_prev")
_STEP_KEYS = {
    "find": ("find", "any", "capture", *_BESIDE),
    "then": ("then", "any", "capture", "max_gap", "without", *_BESIDE),
    "capture": ("capture",),
    "optional": ("optional", "any", "capture", "max_gap", "without", *_BESIDE),
}
_CAPTURE_KEYS = ("as", "type", "max_gap", "any", "until", "not_next", "without")
_GUARD_KEYS = ("words", "before", "action", "except", "between", "after")


class Capture(msgspec.Struct, frozen=True):
    """A value to take: by typed entities, by words, or the text up to a mark.

    ``kinds`` are what it may be, for people: entity names, words, or the mark.
    """

    name: str
    finders: tuple[Finder, ...] = ()
    max_gap: int = _DEFAULT_GAP
    until: Words | None = None
    not_next: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One step: one of the words within the gap, then perhaps a value.

    ``not_followed_by`` and ``not_preceded_by`` look six characters far, ``not_next`` and
    ``not_prev`` at what stands directly beside the word (``looks_beside``: one of them is given).
    ``without`` words must not stand between it and the step before. ``kinds`` are the values of
    ``capture``.
    """

    words: tuple[str, ...]
    finder: Words | None
    max_gap: int = _DEFAULT_GAP
    optional: bool = False
    capture: Capture | None = None
    not_followed_by: tuple[str, ...] = ()
    not_preceded_by: tuple[str, ...] = ()
    not_next: tuple[str, ...] = ()
    not_prev: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    kinds: Values | None = None
    looks_beside: bool = False


class Plan(msgspec.Struct, frozen=True):
    """A whole sequence. ``stop`` words end the window of an anchor."""

    steps: tuple[Step, ...]
    within: Within = "sentence"
    guards: tuple[Guard, ...] = ()
    stop: Words | None = None


def read_plan(fields: Mapping[str, object], aliases: Mapping[str, tuple[str, ...]]) -> Plan:
    """Give the plan; raises RulesError (E_RULES) with the path of what is wrong."""
    return _PlanReader(aliases).plan(fields)


def word_finder(words: Sequence[str]) -> Words | None:
    """What looks for the words, the longest first; None for no words."""
    return words_of(tuple(words)) if words else None


class _PlanReader:
    def __init__(self, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self.aliases = aliases

    def plan(self, fields: Mapping[str, object]) -> Plan:
        _refuse_unknown(fields, _TOP_KEYS, "sequence")
        within = fields.get("within", "sentence")
        if within not in ("sentence", "clause", "paragraph", "section"):
            raise _wrong("sequence.within", f"不认识“{within}”", str(within), _WITHINS)
        entries = fields.get("steps")
        if not isinstance(entries, list) or not entries:
            raise _wrong("sequence.steps", "至少要有一个步骤，写成列表")
        steps = tuple(
            self._step(entry, f"sequence.steps[{index}]") for index, entry in enumerate(entries, 1)
        )
        if steps[0].optional or not (steps[0].words or steps[0].capture):
            raise _wrong("sequence.steps[1]", "第一步要写 find，不能是可选步骤")
        stop = self._words(fields["stop"], "sequence.stop") if "stop" in fields else ()
        guards = self._guards(fields.get("guards", {}))
        return Plan(steps, within, guards, word_finder(stop))

    def _step(self, entry: object, path: str) -> Step:
        if isinstance(entry, str):
            words = self._words(entry, path)
            return Step(words, word_finder(words))
        if not isinstance(entry, Mapping):
            raise _wrong(path, "步骤要写成“find: 词”这样的键和值")
        kind = next((key for key in _STEP_KEYS if key in entry), None)
        if kind is None:
            raise _wrong(path, "步骤要有 find、then、capture 或 optional", next(iter(entry), ""),
                         tuple(_STEP_KEYS))  # fmt: skip
        _refuse_unknown(entry, _STEP_KEYS[kind], path)
        if kind == "capture":
            taken = self._capture(entry["capture"], f"{path}.capture")
            return Step((), None, capture=taken, kinds=_kinds(taken))
        inner = entry[kind]
        merged: dict[str, object] = {key: value for key, value in entry.items() if key != kind}
        if isinstance(inner, Mapping):
            _refuse_unknown(inner, _STEP_KEYS[kind], f"{path}.{kind}")
            merged.update(inner)
        else:
            merged["any"] = inner
        return self._worded(merged, kind == "optional", f"{path}.{kind}")

    def _worded(self, merged: Mapping[str, object], optional: bool, path: str) -> Step:
        words = self._words(merged["any"], f"{path}.any") if "any" in merged else ()
        capture = merged.get("capture")
        taken = None if capture is None else self._capture(capture, f"{path}.capture")
        if not words and taken is None:
            raise _wrong(path, "要写出词（any）或要提取的值（capture）")
        after, before, following, preceding = (
            self._words(merged.get(key, ()), f"{path}.{key}") for key in _BESIDE
        )
        return Step(
            words,
            word_finder(words),
            _gap(merged, path),
            optional,
            taken,
            after,
            before,
            following,
            preceding,
            self._words(merged.get("without", ()), f"{path}.without"),
            _kinds(taken),
            bool(after or before or following or preceding),
        )

    def _capture(self, fields: object, path: str) -> Capture:
        if not isinstance(fields, Mapping):
            raise _wrong(path, "要写成 {as: 名称, type: 类型}")
        _refuse_unknown(fields, _CAPTURE_KEYS, path)
        name = fields.get("as")
        if not isinstance(name, str) or not name:
            raise _wrong(f"{path}.as", "提取的值要有名称")
        finders: list[Finder] = []
        kinds: list[str] = []
        types = fields.get("type", ())
        for named in [types] if isinstance(types, str) else list(_listed(types, f"{path}.type")):
            recognizer = RECOGNIZERS.get(str(named))
            if recognizer is None:
                raise _wrong(
                    f"{path}.type", f"没有“{named}”这种类型", str(named), tuple(RECOGNIZERS)
                )
            finders.append(recognizer.find)
            kinds.append(recognizer.name)
        if "any" in fields:
            words = self._words(fields["any"], f"{path}.any")
            finders.append(_word_values(words))
            kinds += words
        until = self._words(fields["until"], f"{path}.until") if "until" in fields else ()
        if not finders and not until:
            raise _wrong(path, "要写 type（类型）、any（词）或 until（到哪个词为止）")
        not_next = self._words(fields.get("not_next", ()), f"{path}.not_next")
        without = self._words(fields.get("without", ()), f"{path}.without")
        gap = _gap(fields, path)
        stops = word_finder(until)
        shown = tuple(kinds) or until
        return Capture(name, tuple(finders), gap, stops, not_next, without, shown)

    def _words(self, entry: object, path: str) -> tuple[str, ...]:
        if isinstance(entry, Mapping):
            _refuse_unknown(entry, ("any",), path)
            return self._words(entry.get("any", ()), path)
        words: list[str] = []
        for listed in [entry] if isinstance(entry, str) else _listed(entry, path):
            said = str(listed).strip() or str(listed)
            if said.startswith("@"):
                if said[1:] not in self.aliases:
                    raise _wrong(path, f"没有别名“{said}”", said[1:], tuple(self.aliases))
                words += self.aliases[said[1:]]
            else:
                words += [part for part in said.split("|") if part]
        return tuple(dict.fromkeys(fold(word) for word in words))

    def _guards(self, entries: object) -> tuple[Guard, ...]:
        if not isinstance(entries, Mapping):
            raise _wrong("sequence.guards", "要写成“名称: {words: [...], before: 4}”")
        guards = []
        for name, fields in entries.items():
            path = f"sequence.guards.{name}"
            if not isinstance(fields, Mapping):
                raise _wrong(path, "要写成 {words: [...], before: 4, action: reject}")
            _refuse_unknown(fields, _GUARD_KEYS, path)
            if str(name) not in _GUARD_NAMES:
                raise _wrong(path, f"没有“{name}”这种守卫", str(name), _GUARD_NAMES)
            action = fields.get("action", "reject")
            if action not in ("reject", "annotate"):
                raise _wrong(f"{path}.action", f"不认识“{action}”", str(action), _ACTIONS)
            usual = _USUAL_WORDS.get(str(name), CONDITION)
            words = self._words(fields.get("words", usual), f"{path}.words")
            guards.append(guard_of(str(name), words, fields))
        return tuple(guards)


_WITHINS = ("sentence", "clause", "paragraph", "section")
_ACTIONS = ("reject", "annotate")
_USUAL_WORDS: dict[str, tuple[str, ...]] = {
    "negation": NEGATION, "否定": NEGATION, "reference": REFERENCE, "参见": REFERENCE,
    "quotation": (), "引文": (), "question": QUESTION, "疑问": QUESTION,
}  # fmt: skip
_GUARD_NAMES = (*_USUAL_WORDS, "condition", "条件", "exclude", "排除")


def _word_values(words: tuple[str, ...]) -> Finder:
    finder = word_finder(words)

    def find(text: str) -> list[Value]:
        from_words = finder.pattern.finditer(text) if finder else ()
        return [Value(at.group(), "word", at.group(), Span(*at.span())) for at in from_words]

    return find


def _kinds(capture: Capture | None) -> Values | None:
    return values_of_kinds(capture.finders) if capture is not None and capture.finders else None


def _gap(fields: Mapping[str, object], path: str) -> int:
    gap = fields.get("max_gap", _DEFAULT_GAP)
    if isinstance(gap, bool) or not isinstance(gap, int) or not 0 <= gap <= _MAX_GAP:
        raise _wrong(f"{path}.max_gap", f"要写 0 到 {_MAX_GAP} 之间的整数")
    return gap


def _listed(entry: object, path: str) -> list[object]:
    if isinstance(entry, list | tuple):
        return list(entry)
    raise _wrong(path, "要写成一个词或词的列表")


def _refuse_unknown(fields: Mapping[str, object], known: Sequence[str], path: str) -> None:
    for key in fields:
        if key not in known:
            raise _wrong(path, f"不认识“{key}”", str(key), known)


def _wrong(path: str, message: str, said: str = "", known: Sequence[str] = ()) -> RulesError:
    near = difflib.get_close_matches(said, known, n=1, cutoff=0.5) if said else []
    hint = (
        f"，是不是想写“{near[0]}”？" if near else (f"，可用：{'、'.join(known)}" if known else "")
    )
    return RulesError("E_RULES", message + hint, place=path)
