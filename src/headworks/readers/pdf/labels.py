"""What a printed line begins with, as far as joining lines needs to know.

Takes a line's text, gives the label's family and value. Never decides what is a heading: that is
the structure pass, with a grammar of its own.
"""

import re

import msgspec

from headworks.model.numerals import CHINESE_NUMERALS, integer

_CN = CHINESE_NUMERALS
_LABEL = re.compile(
    f"第 ?(?P<ordinal>[{_CN}\\d]{{1,6}}) ?(?P<unit>[编分部章节条款篇卷])(?:分)?"
    f"|(?P<attached>附件|附录|附表|附图|图|表) ?(?P<number>[{_CN}\\d]{{1,4}}|[A-Z])(?![\\w])"
    f"|(?P<chinese>[{_CN}]{{1,4}})[、.．]"
    f"|[（(] ?(?:(?P<inner>[{_CN}]{{1,4}})|(?P<digit>\\d{{1,3}})|(?P<letter>[a-zA-Z])) ?[）)]"
    "|(?P<decimal>\\d{1,2}(?:[.．]\\d{1,3}){1,5})(?![\\d%‰])[.、]?(?=[ \\D]|$)"
    "|(?P<dashed>\\d{1,2}-\\d{1,2})(?= ?[\u4e00-\u9fff])"
    "|(?P<plain>\\d{1,3})(?P<after>[、.．）)])(?!\\d)"
    "|(?P<bare>\\d{1,2})(?= [\u4e00-\u9fff]|$)"
    "|(?P<lettered>[A-Z](?:\\.\\d{1,3}){1,4})(?=[ \\D]|$)"
    "|(?P<circled>[①-⑳])"
    "|(?P<small>[a-zA-Z])[.、）)](?![\\w.])"
    "|(?P<bullet>[•·●■□◆◇▪➢★☆※☑☐✓❖❑▪\ue000-\uf8ff-]|[—–]{1,2})(?= ?\\S)"
)
# A number with a unit behind it is an amount, and 第三条规定 speaks of a clause.
_AMOUNT = re.compile("[万亿元米吨度倍折%‰°℃×*~/]|年|月|日|个|天|倍|[mkcg][mgb]?\\b")
_REFERRING = re.compile(
    "(?:[、和与及或至到]|至|－|-|的|规定|约定|所述|所列|项下|之规定"
    f"|第 ?[{_CN}\\d（(]{{1,5}}[款项条）)])"
)

# What follows a label that is only spoken of; a label alone on its line begins something.
_SPEAKING = tuple("，。；、）)》")
_ITEM_SPEAKING = tuple("、，；。和与或至项款中目")


class Label(msgspec.Struct, frozen=True, gc=False):
    """A label: how it is written, its last number, its length, and if it is only spoken of."""

    family: str
    value: int
    length: int
    mention: bool = False


def label(text: str) -> Label | None:
    """Give the label a line begins with, or none."""
    found = _LABEL.match(text)
    if found is None:
        return None
    rest, length = text[found.end() : found.end() + 8], found.end()
    group = found.lastgroup
    if found["unit"]:
        mention = bool(_REFERRING.match(rest)) or rest.startswith(_SPEAKING)
        return Label(found["unit"], integer(found["ordinal"]) or 0, length, mention)
    if found["attached"]:
        mention = bool(_REFERRING.match(rest)) or rest.startswith(_SPEAKING)
        return Label(found["attached"], integer(found["number"]) or 0, length, mention)
    if found["chinese"]:
        return Label("一、", integer(found["chinese"]) or 0, length)
    if found["inner"] or found["digit"] or found["letter"]:
        mention = rest.startswith(_ITEM_SPEAKING) or bool(_REFERRING.match(rest))
        family = "（一）" if found["inner"] else "（1）" if found["digit"] else "（a）"
        value = found["inner"] or found["digit"] or "0"
        return Label(
            family, integer(value) or ord((found["letter"] or "`").lower()) - 96, length, mention
        )
    if found["decimal"]:
        parts = re.split("[.．]", found["decimal"])
        if _AMOUNT.match(rest.lstrip()):
            return None
        mention = rest.startswith((*_SPEAKING, *"条款项")) or bool(_REFERRING.match(rest))
        return Label("1" + ".1" * (len(parts) - 1), int(parts[-1]), length, mention)
    if found["plain"]:
        return Label("1" + found["after"], int(found["plain"]), length)
    if found["dashed"]:
        return Label("1-1", int(found["dashed"].partition("-")[2]), length)
    if found["bare"]:
        if _AMOUNT.match(rest.lstrip()):
            return None
        return Label("1", int(found["bare"]), length)
    if found["lettered"]:
        mention = rest.startswith((*_SPEAKING, *"条款项")) or bool(_REFERRING.match(rest))
        parts = found["lettered"].split(".")
        return Label("A" + ".1" * (len(parts) - 1), int(parts[-1]), length, mention)
    if found["circled"]:
        mention = rest.startswith(("、", "，", "和"))
        return Label("①", ord(found["circled"]) - 0x245F, length, mention)
    if group == "small":
        return Label("a", ord(found["small"].lower()) - 96, length)
    return Label("•", 0, length)


def follows(before: Label | None, after: Label | None) -> bool:
    """Tell whether the second label is the next of the first one's run."""
    if before is None or after is None or before.family != after.family:
        return False
    return after.family == "•" or after.value == before.value + 1
