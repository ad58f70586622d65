"""Does one condition follow from another, can one hold at all: provably, or not known.

Takes syntax trees, gives yes only where it is certain. Never runs a rule.
"""

from collections.abc import Mapping
from decimal import Decimal

from headworks.model.folding import fold
from headworks.rules.lexicon import quantity_of
from headworks.rules.syntax import (
    Alias,
    Always,
    And,
    Apart,
    Compare,
    Condition,
    Contains,
    Count,
    InPlace,
    Measure,
    Near,
    NearValue,
    Not,
    Number,
    Or,
    Tagged,
    Term,
    Terms,
    Within,
    Word,
)

Aliases = Mapping[str, tuple[str, ...]]
_INFINITE = Decimal("Infinity")


def implies(first: Condition, second: Condition, aliases: Aliases) -> bool:
    """Tell whether wherever the first holds, the second certainly does."""
    if first == second or isinstance(second, Always):
        return True
    if isinstance(second, And):
        return all(implies(first, part, aliases) for part in second.parts)
    if isinstance(first, Or):
        return all(implies(part, second, aliases) for part in first.parts)
    if isinstance(first, And) and any(implies(part, second, aliases) for part in first.parts):
        return True
    if isinstance(second, Or):
        return any(implies(first, part, aliases) for part in second.parts)
    if isinstance(first, Not) and isinstance(second, Not):
        return implies(second.part, first.part, aliases)
    return _single(first, second, aliases)


def _single(first: Condition, second: Condition, aliases: Aliases) -> bool:
    if isinstance(second, Contains):
        return _gives_words(first, second, aliases)
    if isinstance(first, Measure) and isinstance(second, Measure):
        same = first.name == second.name and _unit(first) == _unit(second)
        return same and _inside(first.operator, first.number, second.operator, second.number)
    if isinstance(first, Compare) and isinstance(second, Compare):
        return first.entity == second.entity and _inside(
            first.operator, first.number, second.operator, second.number
        )
    if isinstance(first, Near) and isinstance(second, Near):
        wider = second.direction in (first.direction, "around")
        same = first.anchor == second.anchor and first.negated == second.negated is False
        return (
            same and wider and first.distance <= second.distance
            and _list_implies(first.terms, second.terms, aliases)
        )  # fmt: skip
    if isinstance(first, Apart) and isinstance(second, Apart):
        pair = {first.first, first.second} == {second.first, second.second}
        return pair and first.distance <= second.distance
    if isinstance(first, Count) and isinstance(second, Count):
        return first.term == second.term and _inside(
            first.operator, first.number, second.operator, second.number
        )
    if isinstance(first, InPlace) and isinstance(second, InPlace):
        same = first.place == second.place and first.negated == second.negated is False
        return same and (not second.name or first.name == second.name)
    if isinstance(first, Tagged) and isinstance(second, Tagged):
        plain = not first.negated and not second.negated and second.mode == "any"
        if first.mode == "all":
            return plain and bool(set(first.tags) & set(second.tags))
        return plain and set(first.tags) <= set(second.tags)
    return False


def _gives_words(first: Condition, second: Contains, aliases: Aliases) -> bool:
    """Tell whether a condition certainly has the words that another asks for."""
    if isinstance(first, Contains):
        if first.subject != second.subject or first.negated != second.negated:
            return False
        if first.negated:
            return _list_implies(second.terms, first.terms, aliases)
        return _list_implies(first.terms, second.terms, aliases)
    if second.negated or second.subject != "text":
        return False
    if isinstance(first, Near | Within) and not first.negated:
        return _list_implies(Terms("all", (first.anchor,)), second.terms, aliases) or (
            _list_implies(first.terms, second.terms, aliases)
        )
    if isinstance(first, Near | NearValue | Within):
        return _list_implies(Terms("all", (first.anchor,)), second.terms, aliases)
    if isinstance(first, Apart):
        return _list_implies(Terms("all", (first.first, first.second)), second.terms, aliases)
    if isinstance(first, Count) and first.operator in (">", ">=", "="):
        least = Decimal(first.number.value) + (1 if first.operator == ">" else 0)
        return least >= 1 and _list_implies(Terms("all", (first.term,)), second.terms, aliases)
    return False


def _list_implies(first: Terms, second: Terms, aliases: Aliases) -> bool:
    if first == second:
        return True
    given = first.terms
    if first.mode == "all":
        held = sum(1 for term in second.terms if any(_gives(t, term, aliases) for t in given))
        return held >= _least(second)
    if first.mode == "at_least" and first.least < 1:
        return False
    # Any of the first may be the one that holds: each must give one of the second.
    return _least(second) == 1 and all(
        any(_gives(term, other, aliases) for other in second.terms) for term in given
    )


def _least(terms: Terms) -> int:
    if terms.mode == "all":
        return len(terms.terms)
    return 1 if terms.mode == "any" else terms.least


def _gives(first: Term, second: Term, aliases: Aliases) -> bool:
    """Tell whether where the first term stands, the second does: 违约金条款 gives 违约金."""
    if first == second:
        return True
    ours, theirs = words_of(first, aliases), words_of(second, aliases)
    return bool(ours) and all(any(word in own for word in theirs) for own in ours)


def words_of(term: Term, aliases: Aliases) -> tuple[str, ...]:
    """Give the folded words of a word or an alias."""
    if isinstance(term, Word):
        return tuple(fold(word) for word in term.alternatives)
    if isinstance(term, Alias):
        return tuple(fold(word) for word in aliases.get(term.name, ()))
    return ()


def _unit(measure: Measure) -> str:
    return measure.number.unit or ("字" if measure.name == "length" else "")


def _order(number: Number) -> Decimal | None:
    quantity = quantity_of(number)
    return quantity.number if quantity is not None else None


def _range(operator: str, number: Number) -> tuple[Decimal, bool, Decimal, bool] | None:
    """Give low, low taken, high, high taken; none for ≠ and what has no order."""
    value = _order(number)
    if value is None or operator == "!=":
        return None
    if operator in ("<", "<="):
        return -_INFINITE, False, value, operator == "<="
    if operator in (">", ">="):
        return value, operator == ">=", _INFINITE, False
    return value, True, value, True


def _inside(first: str, one: Number, second: str, other: Number) -> bool:
    inner, outer = _range(first, one), _range(second, other)
    if inner is None or outer is None:
        return False
    low = inner[0] > outer[0] or (inner[0] == outer[0] and (outer[1] or not inner[1]))
    high = inner[2] < outer[2] or (inner[2] == outer[2] and (outer[3] or not inner[3]))
    return low and high


def impossible(condition: Condition, aliases: Aliases) -> str:
    """Say why a condition can never hold; empty where that is not certain."""
    if isinstance(condition, Or):
        reasons = [impossible(part, aliases) for part in condition.parts]
        return reasons[0] if all(reasons) else ""
    if not isinstance(condition, And):
        return ""
    for part in condition.parts:
        reason = impossible(part, aliases)
        if reason:
            return reason
    return (
        _empty_range(condition)
        or _contradicted(condition, aliases)
        or _too_short(condition, aliases)
    )


def _empty_range(condition: And) -> str:
    ranges: dict[tuple[str, str], list[tuple[Decimal, bool, Decimal, bool]]] = {}
    for part in condition.parts:
        if isinstance(part, Measure):
            found = _range(part.operator, part.number)
            if found is not None:
                ranges.setdefault((part.name, _unit(part)), []).append(found)
    for (name, _unit_name), listed in ranges.items():
        low = max((found[0], not found[1]) for found in listed)
        high = min((found[2], found[3]) for found in listed)
        if low[0] > high[0] or (low[0] == high[0] and (low[1] or not high[1])):
            return f"对“{_shown(name)}”的要求互相矛盾"
    return ""


def _shown(name: str) -> str:
    return {"length": "文本长度", "page": "页码", "pages": "总页数", "lines": "行数"}.get(
        name, name
    )


def _contradicted(condition: And, aliases: Aliases) -> str:
    places = {part.place for part in condition.parts
              if isinstance(part, InPlace) and not part.negated
              and part.place in ("appendix", "body", "cover", "contents", "signature")}  # fmt: skip
    if len(places) > 1:
        return "一片不能同时在两个区域里"
    for part in condition.parts:
        opposite = _opposite(part)
        if opposite is None:
            continue
        for other in condition.parts:
            if other is not part and implies(other, opposite, aliases):
                return "要求一个条件成立，又要求它不成立"
    return ""


def _opposite(condition: Condition) -> Condition | None:
    """What must not hold where this does: for a negated one, its plain form."""
    if isinstance(condition, Not):
        return condition.part
    if isinstance(condition, Contains) and condition.negated:
        return Contains(condition.terms, condition.subject)
    if isinstance(condition, InPlace) and condition.negated:
        return InPlace(condition.place, condition.name)
    return None


def _too_short(condition: And, aliases: Aliases) -> str:
    """A text shorter than the word that it is to hold."""
    bounds = [
        int(part.number.value) - (1 if part.operator == "<" else 0)
        for part in condition.parts
        if isinstance(part, Measure) and part.name == "length" and part.operator in ("<", "<=", "=")
        and part.number.value.isdigit()
    ]  # fmt: skip
    if not bounds:
        return ""
    most = min(bounds)
    for part in condition.parts:
        if isinstance(part, Contains) and part.subject == "text" and not part.negated:
            needed = _shortest(part.terms, aliases)
            if needed > most:
                return f"文本最多{most}字，可是所含的词至少{needed}字"
    return ""


def _shortest(terms: Terms, aliases: Aliases) -> int:
    sizes = [
        min((len("".join(word.split())) for word in words_of(term, aliases)), default=0)
        for term in terms.terms
    ]
    # Words may overlap, so that even for 全部 only the longest is certain.
    return max(sizes) if terms.mode == "all" else min(sizes)
