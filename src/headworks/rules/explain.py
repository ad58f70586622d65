"""Why a rule fired, and why it did not: each condition with its truth and its places.

Takes a book and a view, gives explanations as values and as sentences. Never changes a verdict.
"""

import time
from collections.abc import Sequence

import msgspec

from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.actions import PHASES
from headworks.rules.book import RuleBook
from headworks.rules.compile import Compiler
from headworks.rules.corpus import Corpus
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.firing import fire
from headworks.rules.pack import Pack
from headworks.rules.predicates.base import Test
from headworks.rules.predicates.numbers import letters
from headworks.rules.printer import Language, actions_text, condition_text
from headworks.rules.ready import Ready
from headworks.rules.repetition import fingerprints_of
from headworks.rules.sequence_text import sequence_text
from headworks.rules.sheets import Automaton, views_of
from headworks.rules.syntax import (
    SAME,
    Always,
    And,
    Compare,
    Condition,
    Elsewhere,
    Measure,
    NearValue,
    Not,
    Or,
)
from headworks.rules.typed import values_of
from headworks.rules.view import View, onward
from headworks.rules.why import reason_in
from headworks.rules.widening import widened


class NodeTruth(msgspec.Struct, frozen=True):
    """One condition: its sentence, whether it holds, where, and what stands below it."""

    text: str
    holds: bool
    spans: tuple[Span, ...] = ()
    parts: tuple["NodeTruth", ...] = ()
    found: str = ""


class RuleExplanation(msgspec.Struct, frozen=True):
    """What one rule says of one chunk."""

    rule: str
    pack: str
    phases: tuple[str, ...]
    fired: bool
    candidate: bool
    condition: NodeTruth
    why: str
    actions: str
    values: dict[str, Value] = {}
    spans: tuple[Span, ...] = ()
    notes: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    defeated_by: tuple[str, ...] = ()
    microseconds: int = 0


class ChunkExplanation(msgspec.Struct, frozen=True):
    """What all rules say of one chunk."""

    chunk: str
    ordinal: int
    start: int
    end: int
    rules: tuple[RuleExplanation, ...]


def explain_document(
    book: RuleBook,
    document: Document,
    chunks: Sequence[Chunk],
    language: Language | None = None,
    *,
    all_rules: bool = True,
) -> list[ChunkExplanation]:
    """Explain every chunk; tags of the tag phase are known to the later phases.

    In the language of each pack where none is given.
    """
    views = book.views(document, chunks)
    return [explain(book, view, language, all_rules=all_rules) for view in views]


def explain(
    book: RuleBook, view: View, language: Language | None = None, *, all_rules: bool = True
) -> ChunkExplanation:
    """Explain one chunk; with ``all_rules`` also those that could not hold."""
    rules: dict[str, RuleExplanation] = {}
    for phase in PHASES:
        stage = book.stages[phase]
        candidates = stage.candidates(view)
        names = {ready.name for ready in candidates}
        for ready in stage.rules if all_rules else candidates:
            if ready.name not in rules:
                rules[ready.name] = explain_rule(
                    book, ready, view, language, candidate=ready.name in names
                )
        fired_tags = [
            word
            for ready in candidates
            if rules.get(ready.name) is not None and rules[ready.name].fired
            for action in ready.actions.get(phase, ())
            if action.name == "tag"
            for word in action.arguments
        ]
        view.tags = view.tags | frozenset(fired_tags)
    chunk = view.chunk
    return ChunkExplanation(chunk.id, chunk.ordinal, chunk.start, chunk.end, tuple(rules.values()))


def explain_rule(
    book: RuleBook,
    ready: Ready,
    view: View,
    language: Language | None = None,
    *,
    candidate: bool = True,
) -> RuleExplanation:
    """Explain what one rule says of one view."""
    begun = time.perf_counter()
    fired = fire(ready, view, widened) if candidate else []
    spent = int((time.perf_counter() - begun) * 1e6)
    language = language or ready.pack.language
    truth = truth_of(ready.rule.condition, ready.pack, view, language, ready.corpus)
    if ready.sequence is not None and isinstance(ready.rule.condition, Always):
        truth = NodeTruth(sequence_text(ready.sequence.plan, language), bool(fired))
    hits = [each.hit("") for each in fired]
    defeaters = _defeaters(book, ready, view) if fired else ()
    why = ""
    if defeaters:
        why = reason_in(f"被 {'、'.join(defeaters)} 抑制", language)
    elif not fired:
        why = reason_in(why_not(ready, view, truth), language)
    return RuleExplanation(
        rule=ready.name,
        pack=ready.pack.label,
        phases=tuple(ready.actions),
        fired=bool(fired) and not defeaters,
        candidate=candidate,
        condition=truth,
        why=why,
        actions=actions_text(ready.rule.actions, language),
        values=hits[0].values if hits else {},
        spans=tuple(hit.span for hit in hits),
        notes=tuple(reason_in(note, language) for hit in hits for note in hit.reasons[1:]),
        literals=tuple(sorted(book.literals[number] for number in ready.required or ())),
        defeated_by=defeaters,
        microseconds=spent,
    )


def _defeaters(book: RuleBook, ready: Ready, view: View) -> tuple[str, ...]:
    found = []
    for name in ready.rule.defeated_by:
        full = name if "/" in name else f"{ready.pack.name}/{name}"
        other = book.by_name.get(full)
        if other is not None and fire(other, view, widened):
            found.append(full)
    return tuple(found)


def truth_of(
    condition: Condition,
    pack: Pack,
    view: View,
    language: Language | None = None,
    corpus: Corpus | None = None,
) -> NodeTruth:
    """Give the truth of a condition and of each part of it on a view, tested one by one."""
    compiler = Compiler()
    compiler.corpus = corpus
    tests: list[Condition] = []
    _collect(condition, tests)
    built = {id(node): compiler.rule(node, pack.aliases)[0] for node in tests}
    own = views_of(
        view.surroundings.document,
        [view.chunk],
        Automaton(list(compiler.literals)),
        view.surroundings,
    )[0]
    own.tags = view.tags
    own.siblings = view.siblings
    return _truth(condition, built, own, (language or pack.language, corpus))


def _collect(condition: Condition, found: list[Condition]) -> None:
    found.append(condition)
    if isinstance(condition, And | Or):
        for part in condition.parts:
            _collect(part, found)
    elif isinstance(condition, Not):
        _collect(condition.part, found)


def _truth(
    condition: Condition,
    built: dict[int, Test],
    view: View,
    told: tuple[Language, Corpus | None],
) -> NodeTruth:
    language, corpus = told
    spots = built[id(condition)](view)
    parts: tuple[NodeTruth, ...] = ()
    if isinstance(condition, And | Or):
        parts = tuple(_truth(part, built, view, told) for part in condition.parts)
    elif isinstance(condition, Not):
        parts = (_truth(condition.part, built, view, told),)
    spans = tuple(view.sheet.span(spot.start, spot.end) for spot in spots or ())
    return NodeTruth(
        text=condition_text(condition, language),
        holds=spots is not None,
        spans=tuple(dict.fromkeys(spans)),
        parts=parts,
        found=_elsewhere(condition, view, corpus, language)
        if isinstance(condition, Elsewhere)
        else _found(condition, view, language),
    )


def _elsewhere(condition: Elsewhere, view: View, corpus: Corpus | None, language: Language) -> str:
    """Say in how many other files the text stands, and how much alike it is in as many as asked."""
    known: Corpus | None = view.surroundings.memo.get("corpus", corpus)
    if known is None:
        return ""
    lines, sha256 = fingerprints_of(view), view.surroundings.document.source.sha256
    count = known.elsewhere(lines, sha256, condition.likeness / SAME)
    low, high = 0, SAME
    while low < high:
        middle = (low + high + 1) // 2
        enough = known.elsewhere(lines, sha256, middle / SAME) >= condition.least
        low, high = (middle, high) if enough else (low, middle - 1)
    if language == "en":
        return f"{count} files; in {condition.least} the likeness is {low}%"
    return f"{count}个文件；在{condition.least}个文件里相似度是{low}%"


def _found(condition: Condition, view: View, language: Language) -> str:
    """Say what was there instead, for conditions with a number."""
    if isinstance(condition, Measure) and condition.name == "length":
        return f"{letters(view)}字" if language == "zh" else f"{letters(view)} characters"
    if isinstance(condition, Measure) and condition.name == "page":
        return f"第{view.page}页" if language == "zh" else f"page {view.page}"
    if isinstance(condition, NearValue):
        condition = condition.value
    if isinstance(condition, Compare):
        values = values_of(view, RECOGNIZERS[condition.entity])
        return "、".join(value.text for value in values[:5])
    return ""


def why_not(ready: Ready, view: View, truth: NodeTruth | None = None) -> str:
    """Name the nearest failing condition: the one deepest in a condition that else holds."""
    if ready.sequence is not None:
        around = onward(view)
        traced = ready.sequence.trace(around.sheet.text, around.start, around.end)
        told = [why for hit, why in traced if hit is None and why]
        if told:
            return f"{ready.rule.id} 未触发：{told[0]}"
        if isinstance(ready.rule.condition, Always):
            first = "、".join(ready.sequence.required[:5])
            return f"{ready.rule.id} 未触发：没有出现“{first}”"
    known = truth or truth_of(ready.rule.condition, ready.pack, view, corpus=ready.corpus)
    failing = nearest_failing(known)
    if failing is None:
        guards = "守卫词在触发词之前" if ready.guards is not None else "条件在规则的深度内不成立"
        return f"{ready.rule.id} 未触发：{guards}"
    shown = f"（实际：{failing.found}）" if failing.found else ""
    return f"{ready.rule.id} 未触发：{failing.text} 不成立{shown}"


def nearest_failing(truth: NodeTruth) -> NodeTruth | None:
    """Give the failing condition that comes nearest to holding: most of its siblings hold."""
    if truth.holds:
        return None
    failing = [part for part in truth.parts if not part.holds]
    if not failing:
        return truth
    best = max(failing, key=_share)
    return nearest_failing(best) or truth


def _share(truth: NodeTruth) -> float:
    if truth.holds:
        return 1.0
    if not truth.parts:
        return 0.0
    return sum(_share(part) for part in truth.parts) / len(truth.parts)
