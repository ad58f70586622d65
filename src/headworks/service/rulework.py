"""Work on rule packs: check, test, print, explain, count over a corpus, compare.

Takes names of packs and paths, gives values. Never changes a pack; a file of a corpus that cannot
be read is named and left out.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from headworks.config import Settings
from headworks.errors import HeadworksError
from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.model.verdict import Verdict
from headworks.pipeline import Outcome, process
from headworks.privacy.veil import veil_over
from headworks.readers.sandbox import Sandbox
from headworks.rules.book import RuleBook, load, open_pack, refuse
from headworks.rules.check import check
from headworks.rules.complaints import Complaint
from headworks.rules.examples import ExampleResult, run_examples
from headworks.rules.explain import ChunkExplanation, explain_document
from headworks.rules.pack import Pack, Rule
from headworks.rules.printer import Language, actions_text, condition_text, sentence_text
from headworks.rules.sequence import compile_sequence
from headworks.rules.sequence_text import guards_text, sequence_text
from headworks.rules.syntax import Always, Sentence
from headworks.service.inputs import Input

# A rule that fires on fewer or on more of the chunks is pointed out.
RARE, FREQUENT = 0.05, 0.5


class PrintedRule(msgspec.Struct, frozen=True):
    """A rule as the lawyer approves it: condition and actions in canonical words."""

    id: str
    title: str
    sentence: str


class Explained(msgspec.Struct, frozen=True):
    """A document with its chunks, their verdicts, and what each rule says of each chunk."""

    document: Document
    chunks: tuple[Chunk, ...]
    verdicts: tuple[Verdict, ...]
    explanations: tuple[ChunkExplanation, ...]


class RuleCount(msgspec.Struct, frozen=True):
    """How often a rule fired: chunks, documents, share of all chunks."""

    rule: str
    chunks: int
    documents: int
    share: float


class Statistics(msgspec.Struct, frozen=True):
    """Counts over a corpus; ``overlaps`` are pairs of rules by the chunks on which both fired."""

    documents: int
    chunks: int
    rules: tuple[RuleCount, ...]
    routes: tuple[tuple[str, int], ...]
    overlaps: tuple[tuple[str, str, int], ...]
    conflicts: tuple[tuple[tuple[str, ...], int], ...]
    failed: tuple[str, ...]


class Change(msgspec.Struct, frozen=True):
    """A chunk whose tags or route differ between two packs; none where it is in one only."""

    path: str
    chunk: str
    heading: str
    old: tuple[tuple[str, ...], str] | None
    new: tuple[tuple[str, ...], str] | None


def complaints(name: str) -> tuple[Complaint, ...]:
    """Give all that is wrong with a pack. Raises RulesError where there is no such pack."""
    return tuple(check(open_pack(name)))


def example_results(name: str) -> list[ExampleResult]:
    """Run a pack's examples. Raises RulesError where it does not compile."""
    pack = open_pack(name)
    refuse(pack)
    return run_examples(pack)


def printed(name: str, language: Language) -> list[PrintedRule]:
    """Give a pack's rules in canonical sentences."""
    pack = open_pack(name)
    refuse(pack)
    return [PrintedRule(rule.id, rule.title, _printed(rule, pack, language)) for rule in pack.rules]


def _printed(rule: Rule, pack: Pack, language: Language) -> str:
    zh = language == "zh"
    if rule.sequence is None:
        said = sentence_text(Sentence(rule.condition, rule.actions), language)
        if rule.guards:
            guards = guards_text(rule.guards, language)
            said += f"（触发词{guards}）" if zh else f" (the trigger: {guards})"
        return said
    said = sequence_text(compile_sequence(rule.sequence, pack.aliases).plan, language)
    if not isinstance(rule.condition, Always):
        condition = condition_text(rule.condition, language)
        said = f"{condition}，并且{said}" if zh else f"{condition} and {said}"
    actions = actions_text(rule.actions, language)
    return f"如果{said}，则{actions}。" if zh else f"if {said} then {actions}"


def explained(
    names: Sequence[str], path: Path, settings: Settings, language: Language | None = None
) -> Explained:
    """Process a file and explain each of its chunks, in the packs' language or another."""
    book = load(names, settings.rules)
    with Sandbox(settings.read, expect=path) as sandbox:
        outcome = process(path, sandbox.read, settings, book)
    found = explain_document(book, outcome.document, outcome.chunks, language)
    return Explained(outcome.document, outcome.chunks, outcome.verdicts, tuple(found))


def statistics(names: Sequence[str], inputs: Sequence[Input], settings: Settings) -> Statistics:
    """Count what each rule does over files."""
    book = load(names, settings.rules)
    chunks, documents, routes = Counter[str](), Counter[str](), Counter[str]()
    overlaps, conflicts = Counter[tuple[str, str]](), Counter[tuple[str, ...]]()
    failed: list[str] = []
    total = done = 0
    for _, outcome in _outcomes(inputs, settings, book, failed):
        done += 1
        total += len(outcome.chunks)
        seen: set[str] = set()
        for verdict in outcome.verdicts:
            fired = _fired(verdict)
            seen.update(fired)
            chunks.update(fired)
            routes[verdict.route.pipeline] += 1
            conflicts.update(verdict.conflicts)
            own = [rule for rule in fired if rule in book.by_name]  # a fallback overlaps nothing
            overlaps.update((a, b) for a in own for b in own if a < b)
        documents.update(seen)
    rules = tuple(
        RuleCount(name, chunks[name], documents[name], chunks[name] / total if total else 0.0)
        for name in book.by_name
    )
    return Statistics(
        documents=done,
        chunks=total,
        rules=rules,
        routes=tuple(routes.most_common()),
        overlaps=tuple((*pair, count) for pair, count in overlaps.most_common(20)),
        conflicts=tuple(conflicts.most_common()),
        failed=tuple(failed),
    )


def changes(
    old: Sequence[str], new: Sequence[str], inputs: Sequence[Input], settings: Settings
) -> tuple[list[Change], list[str]]:
    """Give the chunks of files that get other tags or another route, and the files that failed."""
    failed: list[str] = []
    before = dict(_outcomes(inputs, settings, load(old, settings.rules), failed))
    found: list[Change] = []
    for shown, outcome in _outcomes(inputs, settings, load(new, settings.rules), []):
        first = _decisions(before[shown])
        second = _decisions(outcome)
        for chunk in dict.fromkeys((*first, *second)):
            one, other = first.get(chunk), second.get(chunk)
            if one is None or other is None or one[1:] != other[1:]:
                heading = (one or other or ("", (), ""))[0]
                found.append(Change(shown, chunk, heading, one and one[1:], other and other[1:]))
    return found, failed


def _outcomes(
    inputs: Sequence[Input], settings: Settings, book: RuleBook, failed: list[str]
) -> Iterator[tuple[str, Outcome]]:
    with Sandbox(settings.read) as sandbox:
        for entry in inputs:
            try:
                yield entry.shown, process(entry.path, sandbox.read, settings, book)
            except HeadworksError as fault:
                failed.append(str(fault))


def _fired(verdict: Verdict) -> list[str]:
    fired = {hit.rule for hit in verdict.hits} | {verdict.route.rule, *verdict.route.also}
    if verdict.skip:
        fired.add(verdict.skip)
    return sorted(fired)


def _decisions(outcome: Outcome) -> dict[str, tuple[str, tuple[str, ...], str]]:
    veil = veil_over(outcome.document, outcome.verdicts)
    headings = {heading.id: heading.text for heading in outcome.document.headings}
    if veil is not None:
        headings = veil.over(headings)
    return {
        chunk.id: (
            headings.get(chunk.trail[-1], "") if chunk.trail else "",
            verdict.tags,
            verdict.route.pipeline,
        )
        for chunk, verdict in zip(outcome.chunks, outcome.verdicts, strict=True)
    }
