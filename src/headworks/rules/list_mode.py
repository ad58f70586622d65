"""What the connectives say of a list: all of its terms, or any of them.

Takes the terms and what joined them, gives the mode. Never guesses: a list that mixes 和 and 或 is
refused with both readings.
"""

from headworks.rules.complaints import bracketed
from headworks.rules.reading import Reading
from headworks.rules.syntax import Mode, Term, Word


def mode_of(reading: Reading, terms: list[Term], joins: list[str], start: int) -> Mode:
    """Give the mode of a list that does not name it; E110 where it has two readings."""
    scanner = reading.scanner
    said = [join for join in joins if join != "list"]
    if "all" in said and "any" in said:
        pieces = [f"包含“{text}”" for text in _texts(terms)]
        filled = _filled(joins)
        raise scanner.error(
            "E110",
            "一个列表里同时有“和”与“或”，两种读法结果不同",
            at=start,
            length=scanner.position - start,
            suggestions=(
                f"读法一：{bracketed(pieces, filled, 'and')}",
                f"读法二：{bracketed(pieces, filled, 'or')}",
            ),
        )
    if said:
        return "any" if said[-1] == "any" else "all"
    if len(terms) > 1:
        code = "E112" if reading.lexicon.lists_explicit else "W110"
        problem = scanner.error(
            code,
            "只有顿号的列表按“全部”理解",
            at=start,
            length=scanner.position - start,
            suggestions=(f"全部：{_shown(terms)}", f"任一：{_shown(terms)}"),
        )
        if code == "E112":
            raise problem
        reading.warn(problem)
    return "all"


def _filled(joins: list[str]) -> list[str]:
    """Give each 、 the meaning of the connective that comes after it."""
    meaning = "and"
    filled: list[str] = []
    for join in reversed(joins):
        meaning = {"all": "and", "any": "or"}.get(join, meaning)
        filled.append(meaning)
    return filled[::-1]


def _texts(terms: list[Term]) -> list[str]:
    return [
        "|".join(term.alternatives)
        if isinstance(term, Word)
        else getattr(term, "name", "") or getattr(term, "source", "")
        for term in terms
    ]


def _shown(terms: list[Term]) -> str:
    return "、".join(f"“{text}”" for text in _texts(terms))
