"""A rule ready to run, and the stages that hold them in their order.

Takes packs, gives stages: for each phase the rules by rank, and for each literal the rules that
cannot hold without it. Never runs a rule that could not hold.
"""

from collections.abc import Iterable, Sequence

import msgspec

from headworks.rules.actions import ACTIONS, PHASES, Phase
from headworks.rules.compile import Compiler
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.guards import Guards
from headworks.rules.pack import LAYERS, Pack, Rule
from headworks.rules.predicates.base import Finder, Test
from headworks.rules.printer import condition_text
from headworks.rules.sequence import CompiledSequence, compile_sequence
from headworks.rules.syntax import (
    Action,
    Alias,
    Always,
    And,
    Condition,
    Contains,
    Matches,
    Or,
    Pattern,
    Term,
    Word,
    terms_of,
)
from headworks.rules.view import View

# Actions that go along with the others of their rule instead of having a phase of their own.
_FLEXIBLE = frozenset({"stop", "priority", "prompt", "warn", "review", "depth"})


class Ready(msgspec.Struct, frozen=True, eq=False):
    """A compiled rule. ``rank`` orders the rules of all packs; ``actions`` are by phase.

    ``anchors`` are the literals a sequence begins with, ``steps`` sets of which it needs one each.
    ``lists`` find the aliases and patterns of the condition, ``words`` its plain words: what a
    redaction takes out.
    """

    name: str
    pack: Pack
    rule: Rule
    test: Test
    required: frozenset[int] | None
    actions: dict[Phase, tuple[Action, ...]]
    rank: tuple[int, int, int, str, str]
    guards: Guards | None = None
    sequence: CompiledSequence | None = None
    reason: str = ""
    anchors: frozenset[int] = frozenset()
    steps: tuple[frozenset[int], ...] = ()
    lists: tuple[Finder, ...] = ()
    words: tuple[Finder, ...] = ()
    label: str = ""

    @property
    def peers(self) -> tuple[int, int, int]:
        """What two rules must share to be of equal standing."""
        return self.rank[:3]


class Stage:
    """The rules of one phase, in order, and how candidates are found."""

    def __init__(self, rules: Sequence[Ready], *, prefilter: bool = True) -> None:
        self.rules = tuple(sorted(rules, key=lambda ready: ready.rank))
        watch: dict[int, list[int]] = {}
        always: list[int] = []
        for index, ready in enumerate(self.rules):
            if ready.required is None or ready.rule.depth in ("section", "full") or not prefilter:
                always.append(index)
            else:
                for number in ready.required:
                    watch.setdefault(number, []).append(index)
        self.always = tuple(always)
        self.watch = {number: tuple(found) for number, found in watch.items()}

    def candidates(self, view: View) -> list[Ready]:
        """Give the rules that may hold, in order."""
        if not self.rules:
            return []
        present = self.watch.keys() & view.places.keys()
        if not present:
            return [self.rules[index] for index in self.always]
        found = set(self.always)
        for number in present:
            found.update(self.watch[number])
        return [self.rules[index] for index in sorted(found)]


def ready_rules(packs: Iterable[Pack], compiler: Compiler) -> list[Ready]:
    """Compile every rule of the packs."""
    found = []
    for pack in packs:
        for rule in pack.rules:
            guards = Guards(rule.guards) if rule.guards else None
            test, required = compiler.rule(rule.condition, pack.aliases, guards)
            sequence = None
            anchors: frozenset[int] = frozenset()
            if rule.sequence is not None:
                sequence = compile_sequence(rule.sequence, pack.aliases)
                anchors = frozenset(compiler.literal(word) for word in sequence.required)
                if anchors and (required is None or isinstance(rule.condition, Always)):
                    required = anchors
            lists, words = _redacted(rule, compiler)
            found.append(
                Ready(
                    name=f"{pack.name}/{rule.id}",
                    pack=pack,
                    rule=rule,
                    test=test,
                    required=required,
                    actions=actions_by_phase(rule),
                    rank=_rank(pack, rule),
                    guards=guards,
                    sequence=sequence,
                    reason=_reason(pack, rule),
                    anchors=anchors,
                    steps=_steps(sequence, compiler) if sequence is not None else (),
                    lists=lists,
                    words=words,
                    label=pack.label,
                )
            )
    return found


def _redacted(rule: Rule, compiler: Compiler) -> tuple[tuple[Finder, ...], tuple[Finder, ...]]:
    """Give what finds the lists and patterns, and the plain words, that a redaction takes out."""
    if not any(action.name == "redact" for action in rule.actions):
        return (), ()
    terms = _asked_for(rule.condition)
    lists = [term for term in terms if isinstance(term, Alias | Pattern)]
    words = [term for term in terms if isinstance(term, Word)]
    return tuple(map(compiler.finder, lists)), tuple(map(compiler.finder, words))


def _asked_for(condition: Condition) -> list[Term]:
    """Give the terms that the text must hold, negated ones and other subjects left out."""
    if isinstance(condition, And | Or):
        return [term for part in condition.parts for term in _asked_for(part)]
    if isinstance(condition, Contains | Matches):
        wanted = condition.subject == "text" and not condition.negated
        return list(terms_of(condition)) if wanted else []
    return []


_GATES = {recognizer.find: recognizer.gate for recognizer in RECOGNIZERS.values()}


def _steps(sequence: CompiledSequence, compiler: Compiler) -> tuple[frozenset[int], ...]:
    """What the later steps of a sequence need, where the one pass can tell it cheaply.

    Words of one character are left out: they are everywhere, and each place would be noted.
    """
    found: list[frozenset[int]] = []
    for step in sequence.plan.steps[1:]:
        if step.optional:
            continue
        if step.finder is not None:
            if step.words and min(map(len, step.words)) > 1:
                found.append(frozenset(compiler.literal(word) for word in step.words))
        elif step.capture is not None and step.capture.finders:
            gates = [_GATES.get(find, ()) for find in step.capture.finders]
            if all(gates):
                found.append(frozenset(compiler.literal(w) for gate in gates for w in gate))
    return tuple(found)


def _reason(pack: Pack, rule: Rule) -> str:
    """The condition as a hit tells it; the title where a sequence is all there is."""
    if isinstance(rule.condition, Always):
        return rule.title or rule.sentence
    return condition_text(rule.condition, pack.language)


def _rank(pack: Pack, rule: Rule) -> tuple[int, int, int, str, str]:
    """Locked rules first, the lowest layer's strongest; then the user's before the builtin's."""
    layer = LAYERS.index(pack.layer)
    if rule.lock:
        return (0, layer, -rule.priority, pack.name, rule.id)
    return (1, -layer, -rule.priority, pack.name, rule.id)


def actions_by_phase(rule: Rule) -> dict[Phase, tuple[Action, ...]]:
    """Give each action its phase: the rule's own where it says one, else the action's."""
    if rule.phase:
        return {rule.phase: rule.actions}
    own = [ACTIONS[action.name].phase for action in rule.actions if action.name not in _FLEXIBLE]
    home = own[0] if own else max((ACTIONS[a.name].phase for a in rule.actions), key=PHASES.index)
    found: dict[Phase, list[Action]] = {}
    for action in rule.actions:
        phase = home if action.name in _FLEXIBLE else ACTIONS[action.name].phase
        if action.name in ("priority", "prompt") and "route" in own:
            phase = "route"
        found.setdefault(phase, []).append(action)
    return {phase: tuple(found[phase]) for phase in PHASES if phase in found}
