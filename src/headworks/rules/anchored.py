"""Conditions that a word leads: “违约金”之后30字内出现“%”, “甲方”出现次数大于3.

Takes a reading at the word, gives a condition, or none where nothing of the kind follows.
Never takes a bareword that could end in two places.
"""

from typing import cast

from headworks.rules import vocabulary as words
from headworks.rules.amounts import read_comparison, read_number, read_operator
from headworks.rules.lookahead import entity_comparison, follows_anchor
from headworks.rules.reading import Reading
from headworks.rules.syntax import (
    And,
    Apart,
    Compare,
    Condition,
    Count,
    Direction,
    Extent,
    Near,
    NearValue,
    Operator,
    Or,
    Term,
    Terms,
    Within,
    Word,
)
from headworks.rules.terms import read_marked_term, read_terms

_ENDS = ',。;:()（），；：\n“”"「」『』'


def read_anchored(reading: Reading) -> Condition | None:
    """Read a condition that its anchor leads, or give none."""
    scanner = reading.scanner
    start = scanner.skip()
    anchors = _marked_anchors(reading)
    if not anchors:
        bare = _bare_anchor(reading, start)
        anchors = [bare] if bare is not None else []
    if not anchors:
        return None
    if len(anchors) > 1:
        after = scanner.position
        found: list[Condition] = []
        for each in anchors:
            scanner.position = after
            condition = _after_anchor(reading, each)
            if condition is None:
                return None
            found.append(condition)
        return Or(tuple(found))
    return _after_anchor(reading, anchors[0])


def _marked_anchors(reading: Reading) -> list[Term]:
    """Read “甲”, or “甲”或“乙” where what only follows an anchor comes after the last.

    Plain words that stand for one another are one anchor: “甲|乙”.
    """
    scanner = reading.scanner
    first = read_marked_term(reading)
    if first is None:
        return []
    found = [first]
    alone = scanner.position
    while True:
        join = scanner.take(words.LIST)
        other = read_marked_term(reading) if join in ("any", "list") else None
        if other is None:
            break
        found.append(other)
        last = join
        here = scanner.position
    if len(found) > 1 and last == "any" and follows_anchor(scanner, reading.lexicon, here):
        scanner.position = here
        if all(isinstance(term, Word) for term in found):
            every = [text for term in found if isinstance(term, Word) for text in term.alternatives]
            return [Word(tuple(dict.fromkeys(every)))]
        return found
    scanner.position = alone
    return [first]


def _after_anchor(reading: Reading, anchor: Term) -> Condition | None:
    """Read what an anchor leads."""
    scanner = reading.scanner
    for read in (_read_counted, _read_apart, _read_english, _read_direction):
        here = scanner.position
        condition = read(reading, anchor)
        if condition is not None:
            return condition
        scanner.position = here
    return None


def _bare_anchor(reading: Reading, start: int) -> Term | None:
    """违约金之后30字内…: the word up to what only follows an anchor."""
    scanner = reading.scanner
    position = start + 1
    while position < len(scanner.text) and scanner.text[position] not in _ENDS:
        if follows_anchor(scanner, reading.lexicon, position):
            text = scanner.text[start:position].strip()
            if reading.lexicon.quotes_required:
                raise scanner.error(
                    "E107",
                    f"这个规则包要求词加引号：{text}",
                    at=start,
                    length=len(text),
                    suggestions=(f"“{text}”",),
                )
            scanner.position = position
            return Word((text,))
        position += 1
    return None


def _read_counted(reading: Reading, anchor: Term) -> Condition | None:
    scanner = reading.scanner
    if scanner.take(words.COUNTED) is None:
        return _read_so_often(reading, anchor)
    operator = read_operator(reading, "出现次数", "出现次数大于3")
    at = scanner.skip()
    number = read_number(reading, "出现次数大于3")
    if number.unit not in ("", "次", "个", "处"):
        raise scanner.error("E132", f"出现次数不能用“{number.unit}”计", at=at)
    return Count(anchor, operator, number)


def _read_so_often(reading: Reading, anchor: Term) -> Condition | None:
    """Read 出现3次以上, 出现超过3次."""
    scanner = reading.scanner
    if scanner.take(words.COUNTED_BY) is None:
        return None
    operator = scanner.take(words.OPERATORS)
    number = scanner.number()
    if number is None or number.unit not in ("次", "个", "处"):
        return None
    tail = scanner.take(words.BOUND_TAIL) if operator is None else operator
    return Count(anchor, cast(Operator, tail or ">="), number)


def _read_apart(reading: Reading, anchor: Term) -> Condition | None:
    scanner = reading.scanner
    if scanner.take(words.SOFT_AND) is None and not scanner.take_char("跟"):
        return None
    other = read_marked_term(reading)
    if other is None:
        return None
    extent = scanner.take(words.SAME)
    if extent is not None:
        negated = scanner.take(words.OCCURS)
        return Within(anchor, cast(Extent, extent), Terms("all", (other,)), bool(negated), "around")
    if scanner.take(words.APART) is not None:
        return Apart(anchor, other, _distance(reading, closed=False))
    if scanner.take(words.APART_ENGLISH) is not None:
        distance = _distance(reading, closed=False)
        if scanner.take(words.APART_TAIL) is not None:
            return Apart(anchor, other, distance)
    return None


def _read_direction(reading: Reading, anchor: Term) -> Condition | None:
    scanner = reading.scanner
    direction = scanner.take(words.DIRECTIONS)
    extent = scanner.take(words.SAME)
    if direction is None:
        if extent is None:
            return None
        direction = "around"
    distance = 0 if extent is not None else _distance(reading, closed=True)
    here = scanner.position
    negated = scanner.take(words.OCCURS)
    if entity_comparison(scanner, reading.lexicon, scanner.skip()):
        if negated:
            raise scanner.error(
                "E135", "比较前面不能用“没有”，把整个条件放进“不是（……）”", at=here,
                suggestions=("不是（“……”之后30字内百分比大于30%）",),
            )  # fmt: skip
        return _near_value(reading, anchor, (direction, distance, extent))
    scanner.position = here
    negated = scanner.take(words.OCCURS)
    if negated is None:
        raise scanner.error(
            "E135", "这里需要“出现”或“没有出现”", suggestions=("……之后30字内出现“……”",)
        )
    terms = read_terms(reading)
    if extent is None:
        return Near(anchor, cast(Direction, direction), distance, terms, bool(negated))
    return Within(anchor, cast(Extent, extent), terms, bool(negated), cast(Direction, direction))


def _near_value(
    reading: Reading, anchor: Term, reach: tuple[object, int, object | None]
) -> Condition:
    """Read 百分比大于30% behind “预付款”之后30字内; a range makes two conditions."""
    direction, distance, extent = cast(tuple[Direction, int, Extent | None], reach)
    found = read_comparison(reading)
    values = found.parts if isinstance(found, And) else (found,)
    near = tuple(
        NearValue(anchor, direction, distance, extent, value)
        for value in values
        if isinstance(value, Compare)
    )
    return near[0] if len(near) == 1 else And(near)


def _read_english(reading: Reading, anchor: Term) -> Condition | None:
    scanner = reading.scanner
    same = scanner.take(words.SAME_ENGLISH)
    if same is not None:
        extent, negated, side = cast(tuple[Extent, bool, Direction], same)
        if not negated and entity_comparison(scanner, reading.lexicon, scanner.skip()):
            return _near_value(reading, anchor, (side, 0, extent))
        return Within(anchor, extent, read_terms(reading), negated, side)
    near = scanner.take(words.NEAR_ENGLISH)
    if near is None:
        return None
    direction, negated = cast(tuple[Direction, bool], near)
    distance = _distance(reading, closed=False)
    if scanner.take(words.BY) is None:
        example = 'followed within 30 chars by "…"'
        raise scanner.error("E135", "这里需要 by", suggestions=(example,))
    if not negated and entity_comparison(scanner, reading.lexicon, scanner.skip()):
        return _near_value(reading, anchor, (direction, distance, None))
    return Near(anchor, direction, distance, read_terms(reading), negated)


def _distance(reading: Reading, *, closed: bool) -> int:
    """Read 30字内, or 30字 where nothing closes it."""
    scanner = reading.scanner
    at = scanner.skip()
    count = scanner.whole()
    if count is None:
        raise scanner.error(
            "E131", "这里需要一个距离，或“同一句”", at=at,
            suggestions=("……之后30字内出现“……”", "……之后同一句没有出现期限格式"),
        )  # fmt: skip
    if closed:
        if scanner.take(words.INSIDE) is None:
            raise scanner.error("E135", "距离后面需要“字内”", suggestions=(f"{count}字内",))
    elif scanner.take(words.UNITS) is None:
        raise scanner.error("E132", "距离后面需要“字”", suggestions=(f"{count}字",))
    return count
