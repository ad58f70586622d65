"""Complaints told in English: what is proposed is put into the language of the sentence.

Takes a complaint, gives its lines. Never shows a Chinese proposal to somebody who writes English,
unless it holds the author's own words.
"""

import re

from headworks.rules.actions import ACTIONS
from headworks.rules.complaint_codes import meaning
from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.printer import sentence_text

_HAN = re.compile(r"[\u4e00-\u9fff]")
_QUOTED = re.compile("“[^”]+”")
_IN_QUOTES = re.compile('“[^”]*”|"[^"]*"|「[^」]*」|《[^》]*》|/[^/]*/|@\\S+')
_PHRASES = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        ("^是不是(?:想写)?“(?P<said>.+)”？可以和“包含……”用“并且”连起来$",
         "did you mean: {said}? It can be joined to contains \"…\" by and"),
        ("^是不是(?:想写)?“(?P<said>.+)”？$", "did you mean: {said}?"),
        ("^读法一：(?P<said>.+)$", "first reading: {said}"),
        ("^读法二：(?P<said>.+)$", "second reading: {said}"),
        ("^若是一个词，请加引号：(?P<said>.+)$", "if it is one word, quote it: {said}"),
        ("^若是两个词，请分别加引号：(?P<said>.+)$", "if it is two words, quote each: {said}"),
        ("^可以写：(?P<said>.+)$", "known: {said}"),
        ("^已知的阶段：(?P<said>.+)$", "known phases: {said}"),
        ("^写成(?P<said>.+)$", "write {said}"),
        ("^写 (?P<said>.+)$", "write {said}"),
        ("^反例里应当有(?P<said>.+)之类的词$", "a negative example needs a word such as {said}"),
        ("^第(?P<said>[0-9]+)行用了全角冒号.*$",
         "line {said} has a full-width colon: use a plain colon and a space"),
    )
)  # fmt: skip
_FIXED = {
    "条件的写法：包含“……”、文本长度小于20字、在附件中、金额大于50万元 ……":
        'write: contains "…", text length is less than 20 chars, amount over 500 yuan',
    "删去它，或用“并且”“或者”连接": "take it out, or join it with and, or",
    "给括号里的词加引号：（“甲”或“乙”）": 'quote the words: ("one" or "two")',
    "（“甲”或“乙”）": '("one" or "two")',
    "把词放进引号：“……”": 'put the word in quotes: "…"',
    "包含“……”": 'contains "…"',
    "不包含任一：……": 'does not contain any of "…", "…"',
    "标签为“敏感”": 'tag is "sensitive"',
    "金额大于50万元": "amount is greater than 500000 yuan",
    "在 aliases 中定义它": "define it under aliases",
    "用“或”：在附件或正文中": "use or: in the appendix or the body",
    "……之后30字内出现“……”": '"…" followed within 30 chars by "…"',
    "关联到《民法典》第585条": 'link to "Civil Code" article 585',
    "rules: [...]": "rules: [...]",
    "加一个“包含……”条件，或让正则里有确定的词":
        'add a condition contains "…", or let the pattern have a certain word',
    "给其中一条更高的 priority，或用 except 写明哪条让步":
        "give one of them a higher priority, or say with except which gives way",
    "若是文档自带的标签，可以不理会": "if the document brings the tag along, never mind",
    "加一个只因这个条件而不触发的 should_not_match":
        "add a should_not_match that fails because of this condition alone",
    "提高它的 priority，或收窄前面那条规则": "raise its priority, or narrow the earlier rule",
    "把 {0,1000} 这样的重复次数改小": "make repeat counts such as {0,1000} smaller",
    "改用“A”之后n字内出现“B”": 'use "A" followed within n chars by "B"',
    "再加“并且是第一片”": "add: and is the first chunk",
    "owner: 法务部": "owner: Legal",
    "写 when、rule、condition、keywords 或 sequence":
        "write when, rule, condition, keywords or sequence",
    "写 then、action 或 pipeline": "write then, action or pipeline",
}  # fmt: skip
_FIXED |= {
    "用顺序：“A”之后n字内出现“B”": 'use "A" followed within n chars by "B"',
    "用“A”之后n字内没有出现“B”": 'use "A" not followed within n chars by "B"',
    "用“A”之前n字内出现“B”": 'use "A" preceded within n chars by "B"',
    "用守卫（context 或 guards）写否定词": "put the negating words into context or guards",
    "把重复的内容分别写出，或用“出现次数大于1”":
        'write the repeated text out, or use "…" occurs more than 1',
    "去掉即可：这里的匹配总是线性的": "take it out: matching is always linear here",
    "写成两条规则": "write two rules",
    "以 @、%、&、* 开头的值要加引号，例如 when: '@别名 ……'":
        "quote a value that begins with @, %, & or *: when: '@words …'",
    "缩进不能用制表符，请改用空格": "indent with spaces, not with tabs",
    "值里面有“: ”时要给整个值加引号": 'quote the whole value where it holds ": "',
    "值里面的引号用“”，或把整个值放进单引号 '…'":
        "use “ ” inside the value, or put it in single quotes '…'",
    "同一层的键要对齐：缩进的空格数与上一个键相同":
        "keys of one level stand in one column: as many spaces as the key before",
}  # fmt: skip
_COUNT = re.compile(r"^至少([0-9]+)个$")
_CHARS = re.compile(r"^([0-9]+)字(内?)$")
_ACTION_NAMES = {kind.zh[0]: kind.en[0] for kind in ACTIONS.values()}
_CLOSED = {"并且": " and ", "或者": " or ", "（": "(", "）": ")"}


def told(complaint: Complaint, language: str) -> list[str]:
    """Give the lines of a complaint: the message, the sentence with a caret, each proposal."""
    if language == "zh":
        return complaint.lines()
    head = f"{complaint.place}: " if complaint.place else ""
    where = f" character {complaint.position}" if complaint.position else ""
    lines = [f"{head}{complaint.code}{where}: {meaning(complaint.code, 'en')}{_named(complaint)}"]
    lines += complaint.shown()
    return lines + [f"  try: {english}" for english in map(in_english, complaint.suggestions)]


def _named(complaint: Complaint) -> str:
    """Give the rule and the word that the message names, for a message in English."""
    quoted = _QUOTED.search(complaint.message)
    parts = [complaint.rule] if complaint.rule else []
    if quoted and (not complaint.sentence or quoted.group()[1:-1] in complaint.sentence):
        parts.append(f'"{quoted.group()[1:-1]}"')
    return f" ({', '.join(parts)})" if parts else ""


def in_english(suggestion: str) -> str:
    """Give a proposal in English; the author's own Chinese words stay."""
    if suggestion in _FIXED:
        return _FIXED[suggestion]
    if suggestion.startswith("能用的动作："):
        names = suggestion.removeprefix("能用的动作：").split("、")
        return f"known actions: {', '.join(_ACTION_NAMES.get(name, name) for name in names)}"
    for pattern, english in _PHRASES:
        match = pattern.search(suggestion)
        if match is not None:
            return english.format(said=_sentence(match["said"]))
    return _sentence(suggestion)


def _sentence(said: str) -> str:
    """Give a proposed sentence, or part of one, in English where it can be read."""
    outside = _IN_QUOTES.sub("", said)
    if not _HAN.search(outside) and "（" not in outside:
        return said
    count, chars = _COUNT.match(said), _CHARS.match(said)
    if count is not None:
        return f"at least {count[1]} of"
    if chars is not None:
        return f"within {chars[1]} chars" if chars[2] else f"{chars[1]} chars"
    try:
        sentence, _ = parse_rule(said, Lexicon())
    except SentenceError:
        return _joined(said)
    return (
        sentence_text(sentence, "en").removeprefix("if ")
        if sentence.actions
        else (sentence_text(sentence, "en"))
    )


def _joined(said: str) -> str:
    """Give two conditions of which one cannot be read, with English connectives between them."""
    for chinese, english in _CLOSED.items():
        said = said.replace(chinese, english)
    return said
