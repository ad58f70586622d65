"""A text on which two rules fire at once, found by trying.

Takes two rules and the book, gives the text and its context, or none. Never claims a conflict
that the engine itself does not show.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from headworks.rules.book import RuleBook
from headworks.rules.firing import fire
from headworks.rules.implication import words_of
from headworks.rules.lexicon import number_text
from headworks.rules.ready import Ready
from headworks.rules.specimen import set_scene, specimen
from headworks.rules.syntax import (
    Compare,
    Condition,
    Contains,
    Count,
    Edge,
    Has,
    InPlace,
    IsTable,
    Measure,
    Near,
    NearValue,
    Not,
    Tagged,
    Within,
    terms_of,
    walk,
)
from headworks.rules.widening import widened

_PLACES = {
    "appendix": "附件", "body": "正文", "cover": "封面", "contents": "目录", "clause": "条款",
    "signature": "签署页",
}  # fmt: skip
_AROUND = {"<": -1, "<=": 0, ">": 1, ">=": 0, "=": 0, "!=": 1}


class Witness(msgspec.Struct, frozen=True):
    """A text and its context on which both rules fire."""

    text: str
    context: dict[str, Any]


def witness_for(first: Ready, second: Ready, book: RuleBook) -> Witness | None:
    """Give a text on which both fire, from their words, values and examples; none if not found."""
    for text, context in _candidates(first, second):
        if not text.strip():
            continue
        document, chunks, own = specimen(text, context)
        view = book.views(document, chunks)[own]
        set_scene(view, context)
        if fire(first, view, widened) and fire(second, view, widened):
            return Witness(text, context)
    return None


def _candidates(first: Ready, second: Ready) -> Iterator[tuple[str, dict[str, Any]]]:
    context = {**_context(first.rule.condition), **_context(second.rule.condition)}
    ours, theirs = _texts(first), _texts(second)
    for one in ours[:4]:
        yield one, context
    for other in theirs[:4]:
        yield other, context
    for one in ours[:3]:
        for other in theirs[:3]:
            joined = one if other in one else other if one in other else f"{one}，{other}"
            yield joined, context
            yield f"{joined}。", context


def _texts(ready: Ready) -> list[str]:
    """Texts that the rule may fire on: made of its words, and its own examples."""
    made = "，".join(_pieces(ready))
    examples = [example.text for example in ready.rule.examples if example.matches]
    return [text for text in (made, *examples) if text]


def _pieces(ready: Ready) -> list[str]:
    found: list[str] = []
    for part in _positive(ready.rule.condition):
        if isinstance(part, Contains) and part.subject == "text" and not part.negated:
            wanted = part.terms.terms if part.terms.mode != "any" else part.terms.terms[:1]
            for term in wanted:
                found.extend(words_of(term, ready.pack.aliases)[:1])
        elif isinstance(part, Near | Within) and not part.negated:
            words = [words_of(term, ready.pack.aliases)[:1] for term in terms_of(part)]
            found.append("".join(word[0] for word in words if word))
        elif isinstance(part, NearValue):
            found.append(
                "".join((*words_of(part.anchor, ready.pack.aliases)[:1], _value(part.value)))
            )
        elif isinstance(part, Count):
            counted = list(words_of(part.term, ready.pack.aliases)[:1])
            found.extend(counted * min(20, int(float(part.number.value)) + 1))
        elif isinstance(part, Edge) and not part.negated and part.side == "start":
            found.insert(0, part.words[0])
        elif isinstance(part, Compare):
            found.append(_value(part))
    return found


def _positive(condition: Condition) -> list[Condition]:
    return [] if isinstance(condition, Not) else [
        part for part in walk(condition) if not isinstance(part, Not)
    ]  # fmt: skip


def _value(part: Compare) -> str:
    if part.number.unit == "date":
        year = int(part.number.value[:4]) + _AROUND[part.operator]
        return f"{year}年{int(part.number.value[5:7] or 1)}月1日"
    step = _AROUND[part.operator]
    number = msgspec.structs.replace(
        part.number, value=str(max(0, int(float(part.number.value)) + step))
    )
    return number_text(number)


def _context(condition: Condition) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in walk(condition):
        if isinstance(part, InPlace) and not part.negated and part.place in _PLACES:
            found["place"] = f"{_PLACES[part.place]}{part.name}"
        elif isinstance(part, IsTable) and not part.negated:
            found["kind"] = "table"
        elif isinstance(part, Has) and not part.negated:
            found["has"] = [part.feature]
        elif isinstance(part, Tagged) and not part.negated:
            found["tags"] = [*found.get("tags", []), *part.tags]
        elif isinstance(part, Measure) and part.name in ("page", "pages"):
            found[part.name] = max(1, int(float(part.number.value)) + _AROUND[part.operator])
        elif isinstance(part, Contains) and not part.negated and part.subject == "file_name":
            words = words_of(part.terms.terms[0], {})
            found["filename"] = f"{words[0] if words else ''}.docx"
        elif isinstance(part, Contains) and not part.negated and part.subject in ("trail", "title"):
            words = words_of(part.terms.terms[0], {})
            found["section"] = words[0] if words else ""
    return found
