"""A rule ready to run, and the stages that hold them in their order.

Takes packs, gives stages: for each phase the rules by rank, and for each literal the rules that
cannot hold without it. Never runs a rule that could not hold.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

import msgspec

from headworks.errors import RulesError
from headworks.model.verdict import Link
from headworks.rules.actions import ACTIONS, PHASES, Phase
from headworks.rules.compile import Compiler, rarity
from headworks.rules.corpus import Corpus
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.guards import Guards
from headworks.rules.pack import LAYERS, Pack, Rule
from headworks.rules.predicates.base import Finder, Test
from headworks.rules.printer import condition_text
from headworks.rules.sequence import CompiledSequence, compile_sequence
from headworks.rules.sequence_fields import Step
from headworks.rules.settled import ASPECTS, settled_part
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
from headworks.rules.view import View, following

# Actions that go along with the others of their rule instead of having a phase of their own.
_MAX_KNOWN = 4_000
_FLEXIBLE = frozenset({"stop", "priority", "prompt", "warn", "review", "depth"})


class Deeds(NamedTuple):
    """What a rule does in a phase: its tags, its links, and its other actions."""

    tags: tuple[str, ...]
    links: tuple[Link, ...]
    others: tuple[Action, ...]


class Ready(msgspec.Struct, frozen=True, eq=False):
    """A compiled rule. ``rank`` orders the rules of all packs; ``actions`` are by phase.

    ``anchors`` are the rarest literals of which a sequence needs one, ``steps`` more such sets.
    ``lists`` find the aliases and patterns of the condition, ``words`` its plain words: what a
    redaction takes out. ``settled`` is what must hold, where one aspect of a chunk decides it.
    ``extracts`` names the values to take, ``stops`` the phases the rule ends.
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
    settled: tuple[str, Test] | None = None
    extracts: tuple[str, ...] = ()
    stops: frozenset[Phase] = frozenset()
    deeds: Mapping[Phase, Deeds] = {}
    corpus: Corpus | None = None

    @property
    def peers(self) -> tuple[int, int, int]:
        """What two rules must share to be of equal standing."""
        return self.rank[:3]


class Stage:
    """The rules of one phase, in order, and how candidates are found.

    ``watch`` are those that need a literal, ``settled`` those that hang on one aspect of a chunk,
    ``always`` all others.
    """

    def __init__(self, rules: Sequence[Ready], *, prefilter: bool = True) -> None:
        self.rules = tuple(sorted(rules, key=lambda ready: ready.rank))
        watch: dict[int, list[int]] = {}
        settled: dict[str, list[tuple[int, Test]]] = {}
        always: list[int] = []
        for index, ready in enumerate(self.rules):
            if not prefilter:
                always.append(index)
            elif ready.required is not None and ready.rule.depth not in ("section", "full"):
                for number in ready.required:
                    watch.setdefault(number, []).append(index)
            elif ready.settled is not None:
                aspect, test = ready.settled
                settled.setdefault(aspect, []).append((index, test))
            else:
                always.append(index)
        self.always = tuple(always)
        self.watch = {number: tuple(found) for number, found in watch.items()}
        self.settled = {aspect: tuple(found) for aspect, found in settled.items()}
        sequences = [ready.sequence for ready in self.rules if ready.sequence is not None]
        self._sequences = bool(sequences)
        self._unasked = [self.rules[index] for index in self.always]
        self._known: dict[tuple[str, Hashable], tuple[int, ...]] = {}

    def candidates(self, view: View) -> list[Ready]:
        """Give the rules that may hold, in order."""
        if not self.rules:
            return []
        present = self._present(view)
        if not present and not self.settled:
            return self._unasked
        found = set(self.always)
        for number in present:
            found.update(self.watch[number])
        for aspect, tests in self.settled.items():
            key = (aspect, ASPECTS[aspect](view))
            holding = self._known.get(key)
            if holding is None:
                if len(self._known) >= _MAX_KNOWN:
                    self._known.clear()
                holding = tuple(index for index, test in tests if test(view) is not None)
                self._known[key] = holding
            found.update(holding)
        return [self.rules[index] for index in sorted(found)]

    def _present(self, view: View) -> Set[int]:
        """Give the literals that are watched and stand in the view.

        A sequence that begins in a part of a line may have what it needs in the next part.
        """
        present = self.watch.keys() & view.places.keys()
        if self._sequences and not view.ends_line:
            for other in following(view):
                present |= self.watch.keys() & other.places.keys()
        return present


def ready_rules(
    packs: Iterable[Pack], compiler: Compiler, corpora: Mapping[str, Corpus]
) -> list[Ready]:
    """Compile every rule of the packs; ``corpora`` by the name of the pack that has one."""
    found: list[Ready] = []
    for pack in packs:
        compiler.corpus = corpora.get(pack.name)
        found += [_ready(pack, rule, compiler) for rule in pack.rules]
    return found


def _ready(pack: Pack, rule: Rule, compiler: Compiler) -> Ready:
    guards = Guards(rule.guards) if rule.guards else None
    test, required = compiler.rule(rule.condition, pack.aliases, guards)
    sequence = None
    needed: list[frozenset[int]] = []
    if rule.sequence is not None:
        sequence = _sequence(rule, pack)
        needed = _needed(sequence, compiler)
        if needed and needed[0] and (required is None or isinstance(rule.condition, Always)):
            required = needed[0]
    lists, words = _redacted(rule, compiler)
    part = settled_part(rule.condition)
    actions = actions_by_phase(rule)
    return Ready(
        name=f"{pack.name}/{rule.id}",
        pack=pack,
        rule=rule,
        test=test,
        required=required,
        actions=actions,
        rank=_rank(pack, rule),
        guards=guards,
        sequence=sequence,
        reason=_reason(pack, rule),
        anchors=needed[0] if needed else frozenset(),
        steps=tuple(needed[1:]),
        lists=lists,
        words=words,
        label=pack.label,
        settled=(part[0], compiler.rule(part[1], pack.aliases)[0]) if part else None,
        extracts=tuple(
            name for action in rule.actions if action.name == "extract" for name in action.arguments
        ),
        stops=frozenset(
            phase
            for phase, deeds in actions.items()
            if any(action.name == "stop" for action in deeds)
        ),
        corpus=compiler.corpus,
        deeds={phase: _deeds(f"{pack.name}/{rule.id}", made) for phase, made in actions.items()},
    )


def _deeds(name: str, actions: tuple[Action, ...]) -> Deeds:
    """Sort the actions of a phase; what is taken or stopped is done elsewhere."""
    tags = [word for action in actions if action.name == "tag" for word in action.arguments]
    links = [
        Link(action.arguments[0], "".join(action.arguments[1:2]), name)
        for action in actions
        if action.name == "link"
    ]
    done = ("tag", "link", "extract", "stop")
    others = tuple(action for action in actions if action.name not in done)
    return Deeds(tuple(tags), tuple(links), others)


def _sequence(rule: Rule, pack: Pack) -> CompiledSequence:
    """Compile a rule's sequence; a fault names the file and the line of the rule."""
    try:
        return compile_sequence(rule.sequence or {}, pack.aliases)
    except RulesError as fault:
        message = f"{rule.id}：“{fault.place}”{fault.message}"
        raise RulesError("E_RULES", message, place=rule.place) from fault


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


def _needed(sequence: CompiledSequence, compiler: Compiler) -> list[frozenset[int]]:
    """What a sequence needs one each of, where the one pass can tell cheaply; the watched first.

    That is the rarest, or what it begins with where the rest may stand in the next chunk. Words of
    one character are left out of the others: they are everywhere, and each place would be noted.
    """
    found = [words for step in sequence.plan.steps if (words := _words_for(step))]
    if sequence.in_line:
        found.sort(key=rarity, reverse=True)
    elif not _words_for(sequence.plan.steps[0]):
        found.insert(0, ())
    wanted = found[:1] + [words for words in found[1:] if min(map(len, words)) > 1]
    return [frozenset(compiler.literal(word) for word in words) for words in wanted]


def _words_for(step: Step) -> tuple[str, ...]:
    """Give words of which one must stand for a step to be taken; none where none must."""
    if step.optional:
        return ()
    if step.finder is not None:
        return step.words
    gates = [_GATES.get(find, ()) for find in step.capture.finders] if step.capture else []
    return tuple(word for gate in gates for word in gate) if all(gates) else ()


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
