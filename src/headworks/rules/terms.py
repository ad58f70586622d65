"""Reading terms and lists of them: quoted words, barewords, aliases, entities, connectives.

Takes a scanner at the place where a list begins, gives ``Terms``. Never guesses: a list with two
readings is refused with both of them.
"""

import re

from headworks.model.folding import fold
from headworks.model.numerals import integer
from headworks.rules import vocabulary
from headworks.rules.complaints import SentenceError, nearest
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import FORMAT
from headworks.rules.list_mode import mode_of
from headworks.rules.lookahead import (
    action_follows,
    entity_comparison,
    follows_anchor,
    skip,
    starts_action,
    starts_condition,
    term_ends,
)
from headworks.rules.patterns import refuse_pattern
from headworks.rules.reading import Reading
from headworks.rules.syntax import Alias, Entity, Mode, Pattern, Term, Terms, Word

_NUMBER = r"[0-9]{1,4}|[一二两三四五六七八九十]{1,3}"
_ABOVE = re.compile(rf"(?P<above>{_NUMBER})\s*[个项]\s*以上(?:的)?")
_LEAST_TAIL = re.compile(
    rf"中的?(?:(?:至少|不少于)(?:有)?(?P<least>{_NUMBER})[个项]|(?P<above>{_NUMBER})[个项]以上)"
)
_ANY_VALUE = re.compile("(?:任意|任何|任一|某个|某一|一个|一笔|一项)(?:的)?")
_STOP = re.compile(r"[,。;:、()\"“”「」!?，；：（）\n\r\t ]|->|→|=>")
_ALIAS = re.compile(r"@([^\s,。;:、()\"“”「」@,，；：（）|]*)")


def read_terms(reading: Reading) -> Terms:
    """Read a list: 任一："A"、"B" · "A"和"B" · 机密或内部资料字样."""
    scanner = reading.scanner
    start = scanner.skip()
    mode, least = _read_mode(reading)
    opened = _bracket_opens(scanner)
    if opened and mode is None:
        mode, least = _read_mode(reading)
    terms_at = scanner.skip()
    terms = [read_term(reading)]
    joins: list[str] = []
    while True:
        before = scanner.position
        join = _read_join(reading, explicit=mode is not None)
        if join is None:
            break
        if not _term_begins(reading):
            scanner.position = before
            break
        joins.append(join)
        terms.append(read_term(reading))
    if opened and not scanner.take_char(")"):
        raise scanner.error("E102", "列表的括号没有闭合", suggestions=("（“甲”或“乙”）",))
    scanner.take(vocabulary.WORD_SUFFIX)
    counted = _LEAST_TAIL.match(scanner.folded, scanner.skip())
    if counted is not None and mode is None and len(terms) > 1:
        scanner.position = counted.end()
        mode, least = "at_least", _whole(counted["least"] or counted["above"])
    tail = vocabulary.LIST_TAIL.at(scanner.folded, scanner.skip())
    if tail is not None and mode is None and len(terms) > 1:
        scanner.position = tail[1]
        mode = "any" if tail[0] == "any" else "all"
    if mode is None:
        mode = mode_of(reading, terms, joins, start)
    if mode == "at_least" and least > len(terms):
        raise scanner.error(
            "E113",
            f"至少{least}个，可是只列了{len(terms)}个",
            at=start,
            suggestions=(f"至少{len(terms)}个",)
            if len(terms) > 1
            else (f"{scanner.text[terms_at : scanner.position].strip()}出现次数不低于{least}",),
        )
    return Terms("all" if len(terms) == 1 else mode, tuple(terms), least if len(terms) > 1 else 1)


def _bracket_opens(scanner: Scanner) -> bool:
    """Step over the bracket of （“甲”或“乙”）; one before a bareword may belong to the word."""
    start = scanner.skip()
    if scanner.folded[start : start + 1] != "(":
        return False
    inside = skip(scanner, start + 1)
    if not (
        scanner.text[inside : inside + 1] in tuple('“"「@/')
        or vocabulary.MODES.at(scanner.folded, inside)
        or vocabulary.AT_LEAST.at(scanner.folded, inside)
    ):
        return False
    scanner.position = start + 1
    return True


def read_term(reading: Reading) -> Term:
    """Read one term; E104 where there is none."""
    scanner = reading.scanner
    quoted = read_marked_term(reading)
    if quoted is not None:
        return quoted
    return _read_bareword(reading, scanner.skip())


def read_marked_term(reading: Reading) -> Term | None:
    """Read a term that a mark tells: quotes, @, slashes, an entity's name with 格式; or none."""
    scanner = reading.scanner
    start = scanner.skip()
    text = scanner.quoted()
    if text is not None:
        return word(scanner, text, start)
    source = scanner.slashed()
    if source is not None:
        refuse_pattern(scanner, source, start + 1)
        return Pattern(source)
    if scanner.folded[start : start + 1] == "@":
        return _read_alias(reading, start)
    any_of = _ANY_VALUE.match(scanner.folded, start)
    if any_of is not None:
        found = reading.lexicon.entities.at(scanner.folded, any_of.end())
        if found is not None and (end := _value_ends(reading, found[1])) is not None:
            scanner.position = end
            return Entity(found[0])
    found = reading.lexicon.entities.at(scanner.folded, start)
    if found is not None:
        tail = FORMAT.match(scanner.folded, found[1])
        if tail is not None:
            scanner.position = tail.end()
            return Entity(found[0])
    return None


def _value_ends(reading: Reading, position: int) -> int | None:
    """Give where 任意金额 ends, where nothing of the same word follows: not in 任意日期格."""
    scanner = reading.scanner
    tail = FORMAT.match(scanner.folded, position)
    end = tail.end() if tail is not None else position
    whole = end >= len(scanner.text) or _STOP.match(scanner.text, end) is not None
    return (
        end
        if whole
        or _clause_edge(reading, end)
        or (vocabulary.INNER_LIST.at(scanner.folded, end) is not None)
        else None
    )


def _whole(digits: str) -> int:
    return int(digits) if digits.isdigit() else integer(digits) or 1


def word(scanner: Scanner, text: str, start: int) -> Word:
    """Give the word between quotes, with its alternatives; E104 where one is empty."""
    alternatives = tuple(part.strip() for part in text.split("|"))
    if not all(alternatives):
        raise scanner.error("E104", "引号里是空的，或“|”旁边没有词", at=start)
    return Word(alternatives)


def _read_alias(reading: Reading, start: int) -> Alias:
    scanner = reading.scanner
    match = _ALIAS.match(scanner.text, start)
    name = match.group(1) if match else ""
    known = reading.lexicon.aliases
    if known is not None:
        fitting = [alias for alias in known if name.startswith(alias)]
        if fitting:
            name = max(fitting, key=len)
        elif name:
            near = nearest(name, known)
            raise scanner.error(
                "E105",
                f"没有叫“{name}”的别名",
                at=start,
                length=len(name) + 1,
                suggestions=(f"是不是“@{near}”？",) if near else ("在 aliases 中定义它",),
            )
    else:
        name = name[: _bareword_end(reading, start + 1) - start - 1] or name
    if not name:
        raise scanner.error("E104", "“@”后面需要别名", at=start)
    scanner.position = start + 1 + len(name)
    return Alias(name)


def _read_mode(reading: Reading) -> tuple[Mode | None, int]:
    scanner = reading.scanner
    start = scanner.skip()
    mode: Mode | None = None
    least = 1
    above = _ABOVE.match(scanner.folded, start)
    if above is not None:
        scanner.position = above.end()
        mode, least = "at_least", _whole(above["above"])
    elif scanner.take(vocabulary.AT_LEAST):
        count = scanner.whole()
        if count is None or count < 1:
            scanner.position = start
            return None, 1
        mode, least = "at_least", count
        for tail in ("个", "项", "of", "条"):
            if scanner.folded.startswith(tail, scanner.skip()):
                scanner.position += len(tail)
                break
        scanner.take_char("的")
    else:
        found = vocabulary.MODES.at(scanner.folded, start)
        if found is None:
            return None, 1
        scanner.position = found[1]
        mode = found[0]
        if not (scanner.sees(_COLON) or scanner.skip() >= len(scanner.text)) and not (
            _mode_without_colon(reading)
        ):
            scanner.position = start
            return None, 1
    scanner.take(vocabulary.WORD_SUFFIX)
    scanner.take_char(":")
    return mode, least


_COLON = vocabulary.Phrases({":": True})


def _mode_without_colon(reading: Reading) -> bool:
    """任一"A"、"B": a marked term follows, or it was English, or a word suffix."""
    scanner = reading.scanner
    here = scanner.position
    if scanner.text[here - 1].isascii() or scanner.sees(vocabulary.WORD_SUFFIX):
        return True
    return scanner.text[scanner.skip() : scanner.position + 1] in tuple('“"「@/')


def _read_join(reading: Reading, *, explicit: bool) -> str | None:
    """Step over a connective where the list goes on after it; give what it says of the list."""
    scanner = reading.scanner
    start = scanner.skip()
    closed = scanner.text[:start].rstrip()[-1:] in tuple('”」』"/')
    if scanner.text[start : start + 1] in tuple("“「") and closed:
        # Quoted words in a row need no 、 between them (GB/T 15834).
        return "list" if not starts_condition(scanner, reading.lexicon, start) else None
    for table in (vocabulary.LIST, vocabulary.COMMA):
        found = table.at(scanner.folded, start)
        if found is None:
            continue
        after, join = found[1], str(found[0])
        if table is vocabulary.COMMA:
            second = vocabulary.LIST.at(scanner.folded, skip(scanner, after))
            if second is not None and second[0] != "list":
                after, join = second[1], str(second[0])
            elif not explicit:
                return None
            if not term_ends(scanner, reading.lexicon, after):
                return None
        elif join == "list":
            second = vocabulary.LIST.at(scanner.folded, skip(scanner, after))
            if second is not None and second[0] != "list":
                after, join = second[1], str(second[0])
        if starts_condition(scanner, reading.lexicon, after):
            return None
        scanner.position = after
        return join
    return None


def _term_begins(reading: Reading) -> bool:
    scanner = reading.scanner
    start = scanner.skip()
    if start >= len(scanner.text) or action_follows(scanner, start) is not None:
        return False
    if starts_action(scanner, start) and scanner.text[start] not in '“"「':
        return False
    char = scanner.text[start]
    return char in '“"「@/' or not _STOP.match(char)


def _read_bareword(reading: Reading, start: int) -> Term:
    scanner = reading.scanner
    end = _bareword_end(reading, start)
    text = scanner.text[start:end].strip()
    if not text:
        bracket = scanner.folded[start : start + 1] == "("
        told = "给括号里的词加引号：（“甲”或“乙”）" if bracket else "把词放进引号：“……”"
        raise scanner.error("E104", "这里需要一个词", at=start, suggestions=(told,))
    _refuse_keyword(reading, text, start)
    end = _refuse_connective(reading, start, end)
    text = scanner.text[start:end].strip()
    if reading.lexicon.quotes_required:
        raise scanner.error(
            "E107",
            f"这个规则包要求词加引号：{text}",
            at=start,
            length=len(text),
            suggestions=(f"“{text}”",),
        )
    scanner.position = end
    is_word = scanner.take(vocabulary.WORD_SUFFIX) is not None
    if not is_word and reading.lexicon.entities.table.get(fold(text)) is not None:
        reading.warn(
            scanner.error(
                "W120",
                f"这里的“{text}”按文字理解，不是任意{text}",
                at=start,
                length=len(text),
                suggestions=(f"“{text}”字样", f"{text}格式"),
            )
        )
    return Word(tuple(part.strip() for part in text.split("|") if part.strip()))


def _bareword_end(reading: Reading, start: int) -> int:
    """Where a bareword ends at the latest: punctuation, a connective, the next clause."""
    scanner = reading.scanner
    folded, size = scanner.folded, len(scanner.text)
    position = start
    while position < size:
        if _STOP.match(scanner.text[position]) or _STOP.match(scanner.text, position):
            break
        if position > start and _clause_edge(reading, position):
            break
        if position > start and (
            vocabulary.WORD_SUFFIX.at(folded, position) or vocabulary.LIST_TAIL.at(folded, position)
        ):
            break
        inner = vocabulary.INNER_LIST.at(folded, position)
        if inner is not None and position > start:
            break
        position += 1
    return position


def _clause_edge(reading: Reading, position: int) -> bool:
    """则, 且 and their like end a word only where an action or a condition follows."""
    scanner = reading.scanner
    if action_follows(scanner, position) is not None:
        return True
    found = vocabulary.AND.at(scanner.folded, position)
    if found is not None and starts_condition(scanner, reading.lexicon, found[1]):
        return True
    return follows_anchor(scanner, reading.lexicon, position)


def _refuse_keyword(reading: Reading, text: str, start: int) -> None:
    scanner = reading.scanner
    folded = scanner.folded
    lead = vocabulary.CONTAINS.at(folded, start) or vocabulary.MATCHES.at(folded, start)
    if lead is None and entity_comparison(scanner, reading.lexicon, start):
        lead = (True, start + len(text))
    if lead is not None:
        raise scanner.error(
            "E103",
            f"“{text}”以关键词开头，看不出是词还是条件",
            at=start,
            length=len(text),
            suggestions=(f"若是一个词，请加引号：“{text}”",),
        )


def _refuse_connective(reading: Reading, start: int, end: int) -> int:
    """E111 where a connective may be part of the word. Gives where the word ends."""
    scanner = reading.scanner
    folded = scanner.folded
    inner = vocabulary.INNER_LIST.at(folded, start)
    known = vocabulary.WORDS_WITH_CONNECTIVES.match(folded, start)
    if inner is not None and folded[start] == "和" and known is not None:
        return _bareword_end_after(reading, start, known.end())
    joined = vocabulary.INNER_LIST.at(folded, end)
    if inner is None and joined is None:
        return end
    right_end = end if joined is None else _bareword_end(reading, skip(scanner, joined[1]))
    whole = scanner.text[start:right_end].strip()
    if inner is not None:
        raise _ambiguous(scanner, whole, scanner.text[start : inner[1]], start)
    if joined is None or starts_condition(scanner, reading.lexicon, joined[1]):
        return end
    if scanner.text[skip(scanner, joined[1]) :][:1] in tuple('“"「@/') if joined else False:
        return end
    left = scanner.text[start:end].strip()
    right = scanner.text[joined[1] : right_end].strip()
    connective = scanner.text[end : joined[1]]
    if _holds_known_word(folded, start, end, right_end):
        raise _ambiguous(scanner, whole, connective, start)
    if connective in ("和", "或", "与", "及") and _short_han(left, right):
        if connective == "和" and len(left) == len(right) == 1:
            reading.warn(
                scanner.error(
                    "W112",
                    f"“{whole}”按两个词理解",
                    at=start,
                    length=len(whole),
                    suggestions=(f"“{left}”{connective}“{right}”", f"“{whole}”"),
                )
            )
        else:
            raise _ambiguous(scanner, whole, connective, start)
    return end


def _short_han(left: str, right: str) -> bool:
    """Tell whether one of the pieces is a single Han character: 参|方. Letters are names."""
    return any(len(piece) == 1 and not piece.isascii() for piece in (left, right))


def _bareword_end_after(reading: Reading, start: int, known_end: int) -> int:
    return max(known_end, _bareword_end(reading, known_end - 1) if known_end - start > 1 else 0)


def _holds_known_word(folded: str, start: int, joined: int, end: int) -> bool:
    """Tell whether the connective is part of a word such as 参与."""
    for match in vocabulary.WORDS_WITH_CONNECTIVES.finditer(folded, start, end):
        if match.start() <= joined < match.end():
            return True
    return False


def _ambiguous(scanner: Scanner, whole: str, connective: str, start: int) -> SentenceError:
    left, _, right = whole.partition(connective)
    suggestions = [f"若是一个词，请加引号：“{whole}”"]
    if left and right:
        suggestions.append(f"若是两个词，请分别加引号：“{left}”{connective}“{right}”")
    return scanner.error(
        "E111",
        f"“{whole}”里的“{connective}”是连接词，还是词语的一部分？",
        at=start,
        length=len(whole),
        suggestions=suggestions,
    )
