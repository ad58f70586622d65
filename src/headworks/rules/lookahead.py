"""What follows, asked without moving on: does a condition begin here, does an action?

Takes a scanner and a place, gives yes or no. Never consumes anything.
"""

import re

from headworks.rules import actions, vocabulary
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import FORMAT, Lexicon

_SPACE = re.compile(r"\s*")
_ALIAS = re.compile(r"@[^\s,。、:()@|\"“”「」]+")
_SLASHED = re.compile(r"/(?:[^/\\]|\\.)*/")
_APART_ENGLISH = re.compile(r"no more than \S+ \S+ apart")
# 出现3次以上, 出现超过3次.
_SO_OFTEN = re.compile(
    r"出现了?\s*(?:[^\s,。]{0,4})[0-9〇零一二两三四五六七八九十百千]+\s*[次处个]"
)
# 在50万元以上, 在3到5之间.
_BOUND = re.compile(r"(?:在|介于)\s*[0-9〇零一二两三四五六七八九十百千]")
_ELSEWHERE = re.compile(
    r"(?:不|未|没有)?(?:与|和|同|在)[^,。;、\"“”]{0,8}其[他它](?:文件|文档|合同|材料)"
    r"|(?:do(?:es)?\s+not\s+)?(?:nearly\s+)?repeats?\s+(?:at\s+least\s+\S+\s+)?other\s"
)
_PLACE_TAILS = ("中", "里", "内", "里面")
_CLOSERS = {"“": "”", '"': '"', "「": "」", "『": "』"}
_EDGE = re.compile(
    r"(?:不|并非|未)?以(?:“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|[^,，。;；“\"「『]){1,40}?"
    r"(?:开头|开始|打头|起始|结尾|结束|收尾|起行)"
)


def skip(scanner: Scanner, position: int) -> int:
    """Give the place after the spaces here."""
    match = _SPACE.match(scanner.folded, position)
    return match.end() if match else position


def starts_condition(scanner: Scanner, lexicon: Lexicon, position: int) -> bool:
    """Tell whether a condition begins at a place: a keyword and what must follow it."""
    start = skip(scanner, position)
    folded = scanner.folded
    if folded[start : start + 1] == "(":
        return True
    for name in ("contains", "tag", "repeats", "refers", "always", "outermost"):
        if vocabulary.TABLES[name].at(folded, start):
            return True
    return (
        _measures(scanner, start)
        or _subject_leads(scanner, start)
        or _place_or_feature(scanner, start)
        or _EDGE.match(scanner.text, start) is not None
        or vocabulary.EDGE_ENGLISH.at(folded, start) is not None
        or vocabulary.LINE_LEAD.at(folded, start) is not None
        or _negation(scanner, start)
        or (("其" in folded or "other" in folded) and _ELSEWHERE.match(folded, start) is not None)
        or entity_comparison(scanner, lexicon, start)
        or _term_leads(scanner, lexicon, start)
    )


def _measures(scanner: Scanner, start: int) -> bool:
    """A measure that could be nothing else (文本长度), or one that a comparison follows."""
    found = vocabulary.MEASURES.at(scanner.folded, start)
    if found is None:
        return False
    after = skip(scanner, found[1])
    if vocabulary.OPERATORS.at(scanner.folded, after) or _BOUND.match(scanner.folded, after):
        return True
    return scanner.folded[start : found[1]] in ("文本长度", "字数", "文本字数", "总页数", "行数")


def _subject_leads(scanner: Scanner, start: int) -> bool:
    found = vocabulary.SUBJECTS.at(scanner.folded, start)
    if found is None:
        return False
    after = skip(scanner, found[1])
    folded = scanner.folded
    tables = (
        vocabulary.CONTAINS,
        vocabulary.MATCHES,
        vocabulary.EDGE_ENGLISH,
        vocabulary.MEASURES,
    )
    return any(table.at(folded, after) for table in tables) or bool(
        _EDGE.match(scanner.text, after)
    )


def _place_or_feature(scanner: Scanner, start: int) -> bool:
    folded = scanner.folded
    lead = vocabulary.PLACE_LEAD.at(folded, start)
    if lead and vocabulary.PLACES.at(folded, skip(scanner, lead[1])):
        return True
    lead = vocabulary.IS.at(folded, start)
    if lead and vocabulary.TABLE.at(folded, skip(scanner, lead[1])):
        return True
    lead = vocabulary.HAS.at(folded, start)
    if lead and vocabulary.FEATURES.at(folded, skip(scanner, lead[1])):
        return True
    lead = vocabulary.MEETS.at(folded, start)
    if lead and folded[skip(scanner, lead[1]) :][:1] in _CLOSERS:
        return True
    lead = vocabulary.MATCHES.at(folded, start)
    return bool(lead and folded[skip(scanner, lead[1]) :][:1] == "/")


def place_leads(scanner: Scanner, lexicon: Lexicon, position: int) -> bool:
    """Tell whether 附件中 ends here and a condition on what stands there follows at once."""
    said = scanner.folded[:position].rstrip()
    return said.endswith(_PLACE_TAILS) and starts_condition(scanner, lexicon, position)


def _negation(scanner: Scanner, start: int) -> bool:
    lead = vocabulary.NOT.at(scanner.folded, start)
    return bool(lead and scanner.folded[skip(scanner, lead[1]) :][:1] == "(")


def entity_comparison(scanner: Scanner, lexicon: Lexicon, start: int) -> bool:
    """Tell whether a typed comparison begins here: 金额大于."""
    found = lexicon.entities.at(scanner.folded, start)
    if found is None:
        return False
    after = skip(scanner, found[1])
    return bool(
        vocabulary.OPERATORS.at(scanner.folded, after) or _BOUND.match(scanner.folded, after)
    )


def _term_leads(scanner: Scanner, lexicon: Lexicon, start: int) -> bool:
    """A quoted word, alias or expression, and then what only follows an anchor: 之后, 出现次数."""
    return any(follows_anchor(scanner, lexicon, end) for end in term_ends(scanner, lexicon, start))


def term_ends(scanner: Scanner, lexicon: Lexicon, position: int) -> list[int]:
    """Give where a marked term that begins here may end; an unknown alias in several places."""
    start = skip(scanner, position)
    text = scanner.text
    close = _CLOSERS.get(text[start : start + 1])
    if close is not None:
        end = text.find(close, start + 1)
        return [end + 1] if end >= 0 else []
    match = _SLASHED.match(scanner.text, start)
    if match is not None:
        return [match.end()]
    match = _ALIAS.match(text, start)
    if match is not None:
        known = [name for name in lexicon.aliases or () if text.startswith(name, start + 1)]
        if known:
            return [start + 1 + len(max(known, key=len))]
        return list(range(start + 2, match.end() + 1))
    found = lexicon.entities.at(scanner.folded, start)
    tail = FORMAT.match(scanner.folded, found[1]) if found is not None else None
    return [tail.end()] if tail is not None else []


def follows_anchor(scanner: Scanner, lexicon: Lexicon, position: int) -> bool:
    """Tell whether a place is where a word becomes an anchor: …之后30字内, …出现次数."""
    start = skip(scanner, position)
    folded = scanner.folded
    direction = vocabulary.DIRECTIONS.at(folded, start)
    if direction is not None:
        after = skip(scanner, direction[1])
        if re.match(r"\s*[0-9〇零一二两三四五六七八九十百千]+\s*个?字", folded[after:]):
            return True
        if vocabulary.SAME.at(folded, after):
            return True
    if (
        _SO_OFTEN.match(folded, start)
        or vocabulary.COUNTED.at(folded, start)
        or vocabulary.NEAR_ENGLISH.at(folded, start)
    ):
        return True
    if vocabulary.SAME_ENGLISH.at(folded, start):
        return True
    joined = re.match(r"\s*(?:与|和|跟|and)\s*", folded[start:])
    if joined is None:
        return False
    for end in term_ends(scanner, lexicon, start + joined.end()):
        after = skip(scanner, end)
        if vocabulary.APART.at(folded, after) or _APART_ENGLISH.match(folded, after):
            return True
    return False


def starts_action(scanner: Scanner, position: int) -> bool:
    """Tell whether an action begins at a place."""
    return actions.PHRASES.at(scanner.folded, skip(scanner, position)) is not None


def action_follows(scanner: Scanner, position: int) -> int | None:
    """Give the place after “则” where one stands here and an action follows, or none."""
    found = vocabulary.THEN.at(scanner.folded, skip(scanner, position))
    if found and starts_action(scanner, found[1]):
        return found[1]
    return None
