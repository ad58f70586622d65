"""Conditions that a keyword leads: 包含, 以…开头, 文本长度, 在附件中, 金额大于 and their like.

Takes a reading at the keyword, gives a condition, or none where the keyword was not one after
all. Never consumes more than the condition.
"""

import re
from collections.abc import Callable
from typing import Literal, cast

from headworks.rules import vocabulary as words
from headworks.rules.amounts import measured_length, read_measure
from headworks.rules.complaints import nearest
from headworks.rules.lookahead import place_leads
from headworks.rules.patterns import refuse_pattern
from headworks.rules.predicates.extensions import extension, extensions
from headworks.rules.reading import Reading
from headworks.rules.repeated import ELSEWHERE, read_elsewhere, read_repeats
from headworks.rules.syntax import (
    Always,
    And,
    Condition,
    Contains,
    Edge,
    Has,
    InPlace,
    IsTable,
    Matches,
    Meets,
    Or,
    Outermost,
    PlaceName,
    Reference,
    Refers,
    Subject,
    Tagged,
    Word,
)
from headworks.rules.terms import read_terms

_PLACE_NUMBER = re.compile(r"\s*([一二三四五六七八九十百]+|[0-9]+|[a-z](?![a-z]))")
_REFERENCE = re.compile(
    r"\s*(?:《[^》]+》(?:第[〇零一二三四五六七八九十百千0-9]+条(?:之[一二三四五六七八九十])?)?"
    r"|第?[0-9]+(?:\.[0-9]+)*[条款项]?|第?[〇零一二三四五六七八九十百千]+[条款项]?)"
)
_EDGE_WORD = re.compile(
    r"[^,。;:、()\"“”「」，；：（）\s]+?"
    r"(?=或者?|、|和|开头|开始|打头|起始|结尾|结束|收尾|起行|$)"
)


def read_contains(reading: Reading, subject: Subject = "text") -> Condition | None:
    """包含任一："A"、"B"."""
    negated = reading.scanner.take(words.CONTAINS)
    if negated is None:
        return None
    start = reading.scanner.skip()
    said_all = words.MODES.at(reading.scanner.folded, start) is not None
    terms = read_terms(reading)
    if negated and terms.mode == "all" and len(terms.terms) > 1 and not said_all:
        reading.warn(
            reading.scanner.error(
                "W121",
                "“不包含A和B”的意思是“不同时出现”；若想说两者都不出现，请用“或”",
                at=start,
                length=reading.scanner.position - start,
                suggestions=("不包含任一：……",),
            )
        )
    return Contains(terms, subject, bool(negated))


def read_subject(reading: Reading) -> Condition | None:
    """标题包含…, 文件名以…开头, 下一片匹配正则/…/."""
    scanner = reading.scanner
    start = scanner.skip()
    found = words.SUBJECTS.at(scanner.folded, start)
    if found is None:
        return None
    subject = cast(Subject, found[0])
    scanner.position = found[1]
    scanner.take(words.PLACE_TAIL)
    after = scanner.skip()
    tried = (read_contains, read_edge, read_edge_english, read_matches)
    for read in tried:
        scanner.position = after
        condition = read(reading, subject)
        if condition is not None:
            _warn_of_chunk(reading, start, found[1], condition)
            return condition
    if subject != "text":
        return None
    scanner.position = after
    if words.OPERATORS.at(scanner.folded, after) and not words.IS.at(scanner.folded, after):
        return measured_length(reading)
    for table, read_more in PREDICATES:
        scanner.position = after
        if table is not words.SUBJECTS and table.at(scanner.folded, after) is not None:
            condition = read_more(reading)
            if condition is not None:
                return condition
    return None


# Words for all of a document, though it is the chunk that is looked at.
_WHOLE = frozenset(("合同", "合同内容", "文中", "the document"))


def _warn_of_chunk(reading: Reading, start: int, end: int, condition: Condition) -> None:
    """W122: 合同不包含“验收” is true of every chunk without the word."""
    scanner = reading.scanner
    if scanner.folded[start:end] in _WHOLE and getattr(condition, "negated", False):
        said = scanner.text[start:end]
        whole = "the whole document" if said.isascii() else "全文"
        reading.warn(
            scanner.error(
                "W122", f"“{said}”在这里指一个分片；要说整份文件，请写“全文”", at=start,
                length=end - start, suggestions=(whole + scanner.text[end : scanner.position],),
            )
        )  # fmt: skip


def read_edge(reading: Reading, subject: Subject = "text") -> Condition | None:
    """不以句号结尾."""
    scanner = reading.scanner
    start = scanner.skip()
    negated = scanner.take(words.EDGE_LEAD)
    if negated is None:
        return None
    found: list[str] = []
    scanner.take(words.MODES)
    scanner.take_char(":")
    while True:
        found.extend(_edge_words(reading))
        side = scanner.take(words.EDGE_SIDE)
        if side is not None and found:
            return Edge(side, tuple(dict.fromkeys(found)), subject, bool(negated))  # type: ignore[arg-type]
        if not found or scanner.take(words.LIST) is None:
            scanner.position = start
            return None


def _edge_words(reading: Reading) -> list[str]:
    scanner = reading.scanner
    start = scanner.skip()
    name = scanner.take(words.PUNCTUATION_NAMES)
    if name is not None:
        return list(words.PUNCTUATION[str(name)])
    if scanner.folded[start : start + 1] == "@":
        match = re.match(r"@([^\s以开结]+?)(?=开头|结尾|开始|结束|、|或)", scanner.folded[start:])
        known = (reading.lexicon.aliases or {}).get(match.group(1)) if match else None
        if match is None or known is None:
            return []
        scanner.position = start + match.end()
        return list(known)
    text = scanner.quoted()
    if text is not None:
        return [part.strip() for part in text.split("|") if part.strip()]
    match = _EDGE_WORD.match(scanner.text, start)
    if match is None:
        return []
    scanner.position = match.end()
    return [match.group()]


def read_edge_english(reading: Reading, subject: Subject = "text") -> Condition | None:
    """Starts with "A" or "B"."""
    scanner = reading.scanner
    found = scanner.take(words.EDGE_ENGLISH)
    if found is None:
        return None
    side, negated = cast(tuple[str, bool], found)
    return _edge_of_terms(reading, side, subject, negated=negated)


def read_line_start(reading: Reading) -> Condition | None:
    """行首为"第"."""
    negated = reading.scanner.take(words.LINE_LEAD)
    reading.scanner.take_char(":")
    return _edge_of_terms(reading, "line_start", "text", negated=bool(negated))


def _edge_of_terms(
    reading: Reading, side: str, subject: Subject, *, negated: bool
) -> Condition | None:
    scanner = reading.scanner
    name = scanner.take(words.PUNCTUATION_NAMES)
    if name is not None:
        found = list(words.PUNCTUATION[str(name)])
    else:
        start = scanner.skip()
        terms = read_terms(reading)
        if not all(isinstance(term, Word) for term in terms.terms):
            raise scanner.error("E104", "这里只能用词", at=start)
        found = [
            text for term in terms.terms if isinstance(term, Word) for text in term.alternatives
        ]
    return Edge(side, tuple(dict.fromkeys(found)), subject, negated)  # type: ignore[arg-type]


def read_place(reading: Reading) -> Condition | None:
    """不在附件三中; also 在标题中包含…."""
    scanner = reading.scanner
    negated = scanner.take(words.PLACE_LEAD)
    here = scanner.skip()
    if not scanner.sees(words.PLACES):
        return read_subject(reading) if not negated and scanner.sees(words.SUBJECTS) else None
    found = [_one_place(reading, negated=bool(negated))]
    joins: set[str] = set()
    while True:
        before = scanner.position
        join = scanner.take(words.LIST)
        if join is None or not scanner.sees(words.PLACES):
            scanner.position = before
            break
        joins.add(str(join))
        found.append(_one_place(reading, negated=bool(negated)))
    if len(found) == 1:
        return found[0]
    if not negated and "all" in joins:
        raise scanner.error(
            "E114", "一片不能同时在几个区域里", at=here, suggestions=("用“或”：在附件或正文中",)
        )
    return And(tuple(found)) if negated else Or(tuple(found))


def read_bare_place(reading: Reading) -> Condition | None:
    """正文中金额大于50万元: a place without 在, where a condition follows it."""
    scanner = reading.scanner
    condition = _one_place(reading, negated=False)
    here = scanner.position
    return condition if place_leads(scanner, reading.lexicon, here) else None


def _one_place(reading: Reading, *, negated: bool) -> Condition:
    scanner = reading.scanner
    place = cast(PlaceName, scanner.take(words.PLACES))
    name = ""
    if place == "appendix":
        match = _PLACE_NUMBER.match(scanner.folded, scanner.position)
        if match is not None:
            name = match.group(1)
            scanner.position = match.end()
    scanner.take(words.PLACE_TAIL)
    return InPlace(place, name, negated)


def read_is(reading: Reading) -> Condition | None:
    """是表格."""
    negated = reading.scanner.take(words.IS)
    if reading.scanner.take(words.TABLE) is not None:
        return IsTable(bool(negated))
    if reading.scanner.sees(words.PLACES):
        return _one_place(reading, negated=bool(negated))
    return None


def read_outermost(reading: Reading) -> Condition | None:
    """是第一片."""
    found = reading.scanner.take(words.OUTERMOST)
    if found is None:
        return None
    side, negated = cast(tuple[Literal["first", "last"], bool], found)
    return Outermost(side, negated)


def read_has(reading: Reading) -> Condition | None:
    """含批注."""
    negated = reading.scanner.take(words.HAS)
    feature = reading.scanner.take(words.FEATURES)
    if feature is None:
        return None
    return Has(feature, bool(negated))  # type: ignore[arg-type]


def read_tagged(reading: Reading) -> Condition | None:
    """标签为"敏感"."""
    scanner = reading.scanner
    scanner.take(words.TAG)
    negated = scanner.take(words.TAG_OPERATORS)
    if negated is None:
        raise scanner.error(
            "E130", "“标签”后面需要“为”“不为”或“包含”", suggestions=("标签为“敏感”",)
        )
    start = scanner.skip()
    terms = read_terms(reading)
    if not all(isinstance(term, Word) for term in terms.terms):
        raise scanner.error("E104", "标签只能是词", at=start)
    words_only = [term for term in terms.terms if isinstance(term, Word)]
    tags = tuple(text for term in words_only for text in term.alternatives)
    mode = terms.mode if terms.mode == "all" and len(tags) > 1 else "any"
    return Tagged(tags, mode, bool(negated))


def read_meets(reading: Reading) -> Condition | None:
    """满足“客户是老客户”: a condition that an extension brings."""
    scanner = reading.scanner
    negated = scanner.take(words.MEETS)
    at = scanner.skip()
    name = scanner.quoted()
    if negated is None or name is None:
        return None
    if extension(name) is None:
        near = nearest(name, tuple(extensions()))
        raise scanner.error(
            "E108",
            f"没有安装叫“{name}”的扩展条件",
            at=at,
            length=scanner.position - at,
            suggestions=(f"满足“{near}”",) if near else (),
        )
    return Meets(name, bool(negated))


def read_always(reading: Reading) -> Condition | None:
    """任意分片."""
    reading.scanner.take(words.ALWAYS)
    return Always()


def read_matches(reading: Reading, subject: Subject = "text") -> Condition | None:
    r"""匹配正则/\d{4}/."""
    scanner = reading.scanner
    negated = scanner.take(words.MATCHES)
    if negated is None:
        return None
    start = scanner.skip()
    source = scanner.slashed()
    if source is None:
        source = scanner.quoted()
    if source is None:
        raise scanner.error(
            "E104", "“匹配正则”后面需要 /……/", at=start, suggestions=("匹配正则/[0-9]{4}年/",)
        )
    refuse_pattern(scanner, source, start + 1)
    return Matches(source, subject, bool(negated))


def read_refers(reading: Reading) -> Condition | None:
    """引用了附件三."""
    scanner = reading.scanner
    negated = bool(scanner.take(words.REFERS))
    kind = scanner.take(words.REFERENCES)
    match = _REFERENCE.match(scanner.folded, scanner.position)
    if kind is None and (match is None or not match.group().strip()):
        return None
    name = ""
    if match is not None:
        name = scanner.text[match.start() : match.end()].strip()
        scanner.position = match.end()
    reference = kind or ("law" if name.startswith("《") else "clause")
    return Refers(cast(Reference, reference), name, negated)


PREDICATES: tuple[tuple[words.Phrases, Callable[[Reading], Condition | None]], ...] = (
    (words.HAS, read_has),
    (words.CONTAINS, read_contains),
    (words.SUBJECTS, read_subject),
    (words.EDGE_LEAD, read_edge),
    (words.EDGE_ENGLISH, read_edge_english),
    (words.LINE_LEAD, read_line_start),
    (words.MEASURES, read_measure),
    (words.PLACE_LEAD, read_place),
    (words.PLACES, read_bare_place),
    (words.IS, read_is),
    (words.OUTERMOST, read_outermost),
    (words.TAG, read_tagged),
    (words.REPEATS, read_repeats),
    (ELSEWHERE, read_elsewhere),
    (words.MEETS, read_meets),
    (words.ALWAYS, read_always),
    (words.MATCHES, read_matches),
    (words.REFERS, read_refers),
)
