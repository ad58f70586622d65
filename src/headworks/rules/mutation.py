"""Are a rule's conditions tested by its examples? Each is dropped, and an example must fail.

Takes a ready rule with examples, gives the conditions that no example notices. Never changes the
rule.
"""

from headworks.rules.compile import Compiler
from headworks.rules.firing import fire
from headworks.rules.guards import Guards
from headworks.rules.pack import Pack
from headworks.rules.printer import condition_text
from headworks.rules.ready import Ready
from headworks.rules.sheets import Automaton, views_of
from headworks.rules.specimen import set_scene, specimen
from headworks.rules.syntax import And, Condition
from headworks.rules.widening import widened


def untested_conditions(ready: Ready, pack: Pack) -> list[str]:
    """Give the parts of a conjunction whose loss no example would notice."""
    rule = ready.rule
    examples = rule.examples
    if not isinstance(rule.condition, And) or not examples:
        return []
    if not any(example.matches for example in examples) or all(e.matches for e in examples):
        return []
    compiler = Compiler()
    guards = Guards(rule.guards) if rule.guards else None
    mutants = []
    for dropped in range(len(rule.condition.parts)):
        test, _ = compiler.rule(_without(rule.condition, dropped), pack.aliases, guards)
        mutants.append(Ready(
            ready.name, pack, rule, test, None, ready.actions, ready.rank, guards, ready.sequence
        ))  # fmt: skip
    automaton = Automaton(list(compiler.literals))
    noticed = [False] * len(mutants)
    for example in examples:
        document, chunks, own = specimen(example.text, example.context)
        view = views_of(document, chunks, automaton)[own]
        set_scene(view, example.context)
        for number, mutant in enumerate(mutants):
            noticed[number] |= bool(fire(mutant, view, widened)) != example.matches
    return [
        condition_text(part, pack.language)
        for part, seen in zip(rule.condition.parts, noticed, strict=True)
        if not seen
    ]


def _without(condition: And, dropped: int) -> Condition:
    rest = tuple(part for number, part in enumerate(condition.parts) if number != dropped)
    return rest[0] if len(rest) == 1 else And(rest)
