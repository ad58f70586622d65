"""What may have been meant by a condition that nothing reads.

Takes a reading at the condition, gives the complaint with a proposal. Never takes a proposal for
what was said.
"""

import re

from headworks.model.numerals import integer
from headworks.rules import vocabulary as words
from headworks.rules.complaints import SentenceError, nearest_start
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import quantity_of
from headworks.rules.lookahead import entity_comparison, skip, term_ends
from headworks.rules.reading import Reading


def unknown(reading: Reading) -> SentenceError:
    """Give the complaint about a condition that nothing reads, with what may have been meant."""
    scanner = reading.scanner
    start = scanner.skip()
    rest = scanner.rest()
    if not rest:
        return scanner.error("E100", "这里缺少一个条件", suggestions=("包含“……”",))
    if scanner.text[start] in '“"「@/':
        near = _value_near_word(reading, start) or f"包含{_clause(scanner, start)}"
        return scanner.error(
            "E100", "这里有词而没有条件", at=start, suggestions=(f"是不是想写“{near}”？",)
        )
    if words.MODES.at(scanner.folded, start) is not None:
        near = f"包含{scanner.text[start:].strip()}"
        return scanner.error(
            "E100", "这里缺少“包含”", at=start, suggestions=(f"是不是想写“{near}”？",)
        )
    subject = words.SUBJECTS.at(scanner.folded, start)
    if subject is not None and words.IS.at(scanner.folded, skip(scanner, subject[1])):
        said = scanner.text[start : subject[1]]
        return scanner.error(
            "E130", f"“{said}”后面要写“包含”“以……开头”或“匹配正则”", at=start, length=len(said),
            suggestions=(f"{said}包含“……”",),
        )  # fmt: skip
    meant = _on_page(scanner, start) or _any_value(reading, start)
    if meant:
        return scanner.error(
            "E100", f"看不懂“{rest}”", at=start, length=len(rest),
            suggestions=(f"是不是想写“{meant}”？",),
        )  # fmt: skip
    typed = _typed_inside(reading, start)
    if typed:
        return scanner.error(
            "E100", f"看不懂“{rest}”", at=start, length=len(rest),
            suggestions=(f"是不是想写“{typed}”？可以和“包含……”用“并且”连起来",),
        )  # fmt: skip
    known = (*words.LEADS, *reading.lexicon.entities.table)
    near_phrase = _nearest_place(scanner, start) or nearest_start(scanner.folded[start:], known)
    suggestions = (
        (f"是不是想写“{near_phrase}”？",)
        if near_phrase
        else ("条件的写法：包含“……”、文本长度小于20字、在附件中、金额大于50万元 ……",)
    )
    return scanner.error(
        "E100", f"看不懂“{rest}”", at=start, length=len(rest), suggestions=suggestions
    )  # fmt: skip


def _typed_inside(reading: Reading, start: int) -> str:
    """Find 金额大于50万元 in 合同金额大于50万元, to propose it."""
    scanner = reading.scanner
    end = start + len(scanner.rest(40))
    for at in range(start + 1, min(end, start + 12)):
        found = reading.lexicon.entities.at(scanner.folded, at)
        if found and words.OPERATORS.at(scanner.folded, skip(scanner, found[1])):
            return f"{found[0]}{scanner.text[found[1] : end]}"
    return ""


def _nearest_place(scanner: Scanner, start: int) -> str | None:
    lead = words.PLACE_LEAD.at(scanner.folded, start)
    if lead is None:
        return None
    said = scanner.text[start : lead[1]]
    rest = scanner.folded[skip(scanner, lead[1]) :]
    if said.isascii():
        return f"{said} {nearest_start(rest, _ENGLISH_PLACES) or 'the appendix'}"
    near = nearest_start(rest, words.PLACES.table) or "附件"
    return f"{said}{near}中"


_ENGLISH_PLACES = tuple(place for place in words.PLACES.table if place.isascii())


_THEN = re.compile("[,，。;；]|则|那么|->")
_PAGE = re.compile(r"第([0-9〇零一二三四五六七八九十百]+)页[上中里]?(?=不?包含|含有|没有|有|出现)")
_HAS = re.compile("(?:有|是|出现|写有|写了|存在)(?:了)?(?:一个|一笔|任何)?")


def _clause(scanner: Scanner, start: int) -> str:
    """Give what stands from a place to where the clause ends."""
    match = _THEN.search(scanner.text, start)
    return scanner.text[start : match.start() if match else len(scanner.text)].strip()


def _value_near_word(reading: Reading, start: int) -> str:
    """Propose “质保期”前后同一句期限少于12个月 for “质保期”少于12个月."""
    scanner = reading.scanner
    for end in term_ends(scanner, reading.lexicon, start):
        after = skip(scanner, end)
        word, rest = scanner.text[start:end], _clause(scanner, after)
        if entity_comparison(scanner, reading.lexicon, after):
            return f"{word}前后同一句{rest}"
        operator = words.OPERATORS.at(scanner.folded, after)
        if operator is not None:
            scanner.position = operator[1]
            number = scanner.number()
            quantity = quantity_of(number) if number is not None else None
            if quantity is not None and quantity.kind in RECOGNIZERS:
                return f"{word}前后同一句{RECOGNIZERS[quantity.kind].zh}{rest}"
    return ""


def _on_page(scanner: Scanner, start: int) -> str:
    """Propose 页码等于1并且包含“保密” for 第一页包含“保密”."""
    match = _PAGE.match(scanner.folded, start)
    if match is None:
        return ""
    number = match[1] if match[1].isdigit() else str(integer(match[1]) or match[1])
    return f"页码等于{number}并且{_clause(scanner, match.end())}"


def _any_value(reading: Reading, start: int) -> str:
    """Propose 包含手机号格式 for 文中有手机号."""
    scanner = reading.scanner
    for match in _HAS.finditer(scanner.folded, start, start + 12):
        entity = reading.lexicon.entities.at(scanner.folded, match.end())
        if entity is not None:
            return f"包含{entity[0]}格式"
    return ""
