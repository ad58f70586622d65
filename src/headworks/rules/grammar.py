"""The grammar of conditions: hand-written, without a separate lexing step.

Takes a sentence and a lexicon, gives the syntax tree and what was to be warned of. Never guesses:
what has two readings is refused with both.
"""

from collections.abc import Callable

from headworks.rules import vocabulary as words
from headworks.rules.action_grammar import read_actions
from headworks.rules.amounts import read_comparison
from headworks.rules.anchored import read_anchored
from headworks.rules.complaints import Complaint, SentenceError, bracketed, nearest_start
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import Lexicon
from headworks.rules.lookahead import (
    action_follows,
    place_leads,
    skip,
    starts_action,
    starts_condition,
)
from headworks.rules.reading import Reading
from headworks.rules.single import PREDICATES
from headworks.rules.syntax import (
    Action,
    And,
    Condition,
    Contains,
    Count,
    InPlace,
    Near,
    NearValue,
    Not,
    Or,
    Sentence,
    Within,
)
from headworks.rules.unknown import unknown

MAX_DEPTH = 40
MAX_SENTENCE = 20_000


def parse_rule(text: str, lexicon: Lexicon) -> tuple[Sentence, tuple[Complaint, ...]]:
    """Read a whole sentence: 如果…，则…。 Raises SentenceError."""
    reading = _begin(text, lexicon)
    scanner = reading.scanner
    led = scanner.take(words.IF) is not None
    condition = _condition(reading, 0)
    if led and scanner.folded.startswith("时", scanner.skip()):
        scanner.position += 1
    actions: tuple[Action, ...] = ()
    before = scanner.skip()
    comma = scanner.take_char(",;")
    after = action_follows(scanner, scanner.position)
    then = words.THEN.at(scanner.folded, scanner.skip())
    if after is not None or then is not None:
        scanner.position = after if after is not None else then[1] if then else scanner.position
        actions = read_actions(reading)
    elif comma and starts_action(scanner, scanner.position):
        actions = read_actions(reading)
    else:
        scanner.position = before
    _finish(reading)
    return Sentence(condition, actions), tuple(reading.warnings)


def parse_condition(text: str, lexicon: Lexicon) -> tuple[Condition, tuple[Complaint, ...]]:
    """Read a condition alone, as the field ``when`` holds it. Raises SentenceError."""
    reading = _begin(text, lexicon)
    reading.scanner.take(words.IF)
    condition = _condition(reading, 0)
    _finish(reading)
    return condition, tuple(reading.warnings)


def _begin(text: str, lexicon: Lexicon) -> Reading:
    scanner = Scanner(text)
    if len(text) > MAX_SENTENCE:
        raise scanner.error("E155", f"句子超过{MAX_SENTENCE}个字符")
    if scanner.ended:
        raise scanner.error("E100", "句子是空的", suggestions=("包含“……”",))
    return Reading(scanner, lexicon, [])


def _finish(reading: Reading) -> None:
    scanner = reading.scanner
    closed = scanner.skip()
    scanner.take_char("。.;")
    if scanner.ended:
        return
    if scanner.folded[closed] == ";":
        scanner.position = closed
    rest = scanner.rest()
    here = scanner.position
    if scanner.folded[here] == ")":
        raise scanner.error("E102", "多了一个右括号", at=here)
    comma = scanner.folded[here] in (",", ";", "、")
    after = here + 1 if comma else here
    if starts_condition(scanner, reading.lexicon, after):
        first, second = scanner.text[:here].strip(), scanner.text[after:].strip()
        raise scanner.error(
            "E101",
            "两个条件之间缺少连接词",
            at=here,
            suggestions=(f"{first}并且{second}", f"{first}或者{second}"),
        )
    raise scanner.error(
        "E101", f"到这里句子已经完整，多出“{rest}”", at=here, length=len(rest),
        suggestions=_for_rest(scanner, here),
    )  # fmt: skip


def _for_rest(scanner: Scanner, here: int) -> tuple[str, ...]:
    near = nearest_start(scanner.folded[here:], (*words.AND.table, *words.OR.table, *words.LEADS))
    return (f"是不是想写“{near}”？",) if near else ("删去它，或用“并且”“或者”连接",)


def _condition(reading: Reading, depth: int) -> Condition:
    scanner = reading.scanner
    if depth > MAX_DEPTH:
        raise scanner.error("E156", f"括号嵌套超过{MAX_DEPTH}层")
    start = scanner.skip()
    parts = [_unit(reading, depth)]
    cuts = [(start, scanner.position)]
    joins: list[str] = []
    while True:
        before = scanner.position
        join = _join(reading) or _place_join(reading, parts[-1])
        if join is None:
            scanner.position = before
            break
        joins.append(join)
        here = scanner.skip()
        parts.append(_unit(reading, depth))
        cuts.append((here, scanner.position))
        if scanner.text[before:here].strip() in _LIST_JOINS:
            _refuse_list_or_anchor(reading, parts, cuts)
    if len(parts) == 1:
        return parts[0]
    if len(set(joins)) > 1:
        raise _mixed(scanner, cuts, joins)
    return _flat(And if joins[0] == "and" else Or, parts)


# 或 joins words and conditions alike; 或者 joins conditions only.
_LIST_JOINS = frozenset(("或", "和", "与", "及"))


def _refuse_list_or_anchor(
    reading: Reading, parts: list[Condition], cuts: list[tuple[int, int]]
) -> None:
    """E120: in 包含“甲”或“乙”之后30字内…, “乙” ends the list, or “甲”或“乙” are both the anchor."""
    scanner = reading.scanner
    listed, anchored = parts[-2:]
    if not isinstance(listed, Contains) or not isinstance(
        anchored, Near | Within | NearValue | Count
    ):
        return
    first, second = (scanner.text[start:end].strip() for start, end in cuts[-2:])
    lead = words.CONTAINS.at(scanner.folded, cuts[-2][0])
    words_only = scanner.text[lead[1] : cuts[-2][1]].strip() if lead else first
    raise scanner.error(
        "E120", "“或”连的是词还是条件，两种读法结果不同",
        at=cuts[-2][0], length=cuts[-1][1] - cuts[-2][0],
        suggestions=(f"读法一：{first}或者{second}", f"读法二：{words_only}或{second}"),
    )  # fmt: skip


def _flat(kind: type[And] | type[Or], parts: list[Condition]) -> Condition:
    """（甲并且乙）并且丙 is one conjunction."""
    flat: list[Condition] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, kind) else (part,))
    return kind(tuple(flat))


def _join(reading: Reading) -> str | None:
    """Step over a connective between conditions; soft ones only where a condition follows."""
    scanner = reading.scanner
    start = scanner.skip()
    if scanner.folded[start : start + 1] in (",", ";", "、"):
        start = skip(scanner, start + 1)
    if action_follows(scanner, start) is not None:
        return None
    tables = (
        (words.AND, False), (words.OR, False), (words.SOFT_AND, True), (words.ALSO, True),
    )  # fmt: skip
    for table, soft in tables:
        found = table.at(scanner.folded, start)
        if found is None:
            continue
        if (soft or starts_action(scanner, found[1])) and not starts_condition(
            scanner, reading.lexicon, found[1]
        ):
            continue
        scanner.position = found[1]
        return str(found[0])
    return None


def _place_join(reading: Reading, last: Condition) -> str | None:
    """在附件中包含“甲”: both hold, without a connective; not after 不在附件中, read two ways."""
    places = last.parts if isinstance(last, Or) else (last,)
    if not all(isinstance(part, InPlace) and not part.negated for part in places):
        return None
    scanner = reading.scanner
    return "and" if place_leads(scanner, reading.lexicon, scanner.position) else None


def _mixed(scanner: Scanner, cuts: list[tuple[int, int]], joins: list[str]) -> SentenceError:
    pieces = [scanner.text[start:end].strip() for start, end in cuts]
    return scanner.error(
        "E120",
        "“并且”和“或者”混用而没有括号，两种读法结果不同",
        at=cuts[0][0],
        length=cuts[-1][1] - cuts[0][0],
        suggestions=[
            f"读法一：{bracketed(pieces, joins, 'and')}",
            f"读法二：{bracketed(pieces, joins, 'or')}",
        ],
    )


def _unit(reading: Reading, depth: int) -> Condition:
    scanner = reading.scanner
    start = scanner.skip()
    negation = words.NOT.at(scanner.folded, start)
    if negation is not None and scanner.folded[skip(scanner, negation[1]) :][:1] == "(":
        scanner.position = negation[1]
        return Not(_bracket(reading, depth))
    if scanner.folded[start : start + 1] == "(":
        return _bracket(reading, depth)
    return _predicate(reading)


def _bracket(reading: Reading, depth: int) -> Condition:
    scanner = reading.scanner
    start = scanner.skip()
    scanner.take_char("(")
    inside = _condition(reading, depth + 1)
    if not scanner.take_char(")"):
        raise scanner.error(
            "E102", "括号没有闭合", at=start, suggestions=(scanner.text.strip() + "）",)
        )
    return inside


def _predicate(reading: Reading) -> Condition:
    """Read the single condition here: the longest keyword that leads one decides."""
    scanner = reading.scanner
    start = scanner.skip()
    candidates: list[tuple[int, Callable[[Reading], Condition | None]]] = []
    for table, read in PREDICATES:
        found = table.at(scanner.folded, start)
        if found is not None:
            candidates.append((found[1], read))
    entity = reading.lexicon.entities.at(scanner.folded, start)
    if entity is not None:
        candidates.append((entity[1], read_comparison))
    for _, read in sorted(candidates, key=lambda candidate: -candidate[0]):
        scanner.position = start
        condition = read(reading)
        if condition is not None:
            return condition
    scanner.position = start
    anchored = read_anchored(reading)
    if anchored is not None:
        return anchored
    scanner.position = start
    raise unknown(reading)
