"""Running the examples that rules carry: what must match, what must not, with which values.

Takes a pack, gives a result an example. Never skips one: an example without a rule in force is
run as if it were.
"""

import msgspec

from headworks.config import RuleSettings
from headworks.model.verdict import Value
from headworks.rules.actions import PHASES, Phase
from headworks.rules.book import RuleBook
from headworks.rules.explain import why_not
from headworks.rules.firing import Fired, fire
from headworks.rules.pack import Pack, PackExample
from headworks.rules.ready import Ready
from headworks.rules.specimen import set_scene, specimen
from headworks.rules.view import View
from headworks.rules.widening import widened


class ExampleResult(msgspec.Struct, frozen=True):
    """What became of one example. ``also`` are the other rules of the pack that fired on it."""

    rule: str
    text: str
    expected: bool
    fired: bool
    passed: bool
    why: str = ""
    also: tuple[str, ...] = ()
    place: str = ""


def run_examples(pack: Pack) -> list[ExampleResult]:
    """Run every example of every rule against the whole pack."""
    book = RuleBook([pack], RuleSettings(), every_rule=True)
    return [_run(book, ready, example) for ready in book.rules for example in ready.rule.examples]


def _run(book: RuleBook, ready: Ready, example: PackExample) -> ExampleResult:
    view = view_of(book, example)
    fired_rules = {other.name: fired for other, fired in fired_in(book, view).items()}
    fired = fired_rules.get(ready.name, [])
    also = tuple(name for name in fired_rules if name != ready.name)
    why = ""
    passed = bool(fired) == example.matches
    if example.matches and not fired:
        why = why_not(ready, view)
    elif example.matches:
        why = _wrong_values(fired, example.captures)
        passed = not why
    elif fired:
        why = f"不该触发，却在“{_quote(fired[0])}”触发"
    return ExampleResult(
        rule=ready.name,
        text=example.text,
        expected=example.matches,
        fired=bool(fired),
        passed=passed,
        why=why,
        also=also,
        place=example.place,
    )


def view_of(book: RuleBook, example: PackExample) -> View:
    """Give the example's text as the rules see it."""
    document, chunks, own = specimen(example.text, example.context)
    view = book.views(document, chunks)[own]
    set_scene(view, example.context)
    return view


def fired_in(book: RuleBook, view: View) -> dict[Ready, list[Fired]]:
    """Give all rules that fire in a view, whatever their phase, each defeat respected."""
    fired: dict[Ready, list[Fired]] = {}
    for phase in PHASES:
        for ready in book.stages[phase].candidates(view):
            if ready not in fired:
                found = fire(ready, view, widened)
                if found:
                    fired[ready] = found
        view.tags |= _tags(fired, phase)
    names = {ready.name for ready in fired}
    return {
        ready: found
        for ready, found in fired.items()
        if not any(
            (other if "/" in other else f"{ready.pack.name}/{other}") in names
            for other in ready.rule.defeated_by
        )
    }


def _tags(fired: dict[Ready, list[Fired]], phase: Phase) -> frozenset[str]:
    """Give the tags that the rules fired so far set in a phase; the next phases see them."""
    return frozenset(
        word
        for ready in fired
        for action in ready.actions.get(phase, ())
        if action.name == "tag"
        for word in action.arguments
    )


def _wrong_values(fired: list[Fired], captures: dict[str, str]) -> str:
    """Say which value is missing or different; empty where one firing has them all."""
    if not captures:
        return ""
    said = ""
    for each in fired:
        values = each.hit("tag").values
        wrong = [
            f"{name} 应为“{wanted}”，得到“{values[name].text if name in values else '（无）'}”"
            for name, wanted in captures.items()
            if name not in values or not _same(values[name], wanted)
        ]
        if not wrong:
            return ""
        said = said or "；".join(wrong)
    return said


def _same(value: Value, wanted: str) -> bool:
    return wanted in (value.text.strip(), value.value)


def _quote(fired: Fired) -> str:
    start, end = fired.reach
    return fired.view.sheet.text[start : min(end, start + 40)]
