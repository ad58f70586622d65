"""The grammar of references: how the text names another place, as patterns and steps.

Takes the folded text and an offset, gives the steps that a reference there names and where it
ends. Never looks a place up.
"""

import re
from typing import NamedTuple

from headworks.model.numerals import CHINESE_NUMERALS, integer, roman
from headworks.structure.steps import Step

_CN = f"[{CHINESE_NUMERALS}]"
NUMBER = rf"(?:{_CN}{{1,10}}|\d{{1,4}})"
# 5.4.12, and 5. 4.12 as some standards set it.
DECIMAL = r"(?:\d{1,3}(?:\.\d{1,3}){1,5}|\d{1,3}\.[ ]\d{1,3}(?:\.[ ]?\d{1,3}){1,4})"
_LOW = "条|款|项|目|点"
_HIGH = "编|分编|部分|卷|篇|章|节"
_STEP = re.compile(
    rf"[ ]?(?:第?[ ]?\(?(?P<from>{NUMBER})\)?[ ]?[章节项款条]?(?:至|到|-|~)"
    rf"第?[ ]?\(?(?P<to>{NUMBER})\)?[ ]?(?P<runit>款|项|条|目|章|节)|"
    rf"第[ ]?(?P<dec>{DECIMAL})(?:[ ]?(?P<dunit>{_LOW}|节|章))?|"
    rf"第[ ]?(?P<num>{NUMBER})[ ]?(?P<unit>{_HIGH}|{_LOW})(?:之(?P<sub>{NUMBER}))?|"
    rf"第?[ ]?\([ ]?(?P<item>{NUMBER}|[a-z])[ ]?\)[ ]?(?P<iunit>项|款|目|条|点)|"
    rf"(?P<bare>{DECIMAL}|[a-z](?:\.\d{{1,3}}){{1,4}})(?:[ ]?(?P<bunit>{_LOW}|节|章))?|"
    r"第?(?P<circled>[①-⑳])[ ]?(?P<cunit>项|款|目|条|点)|"
    r"(?P<letter>[a-z])[ ]?\)(?:[ ]?(?P<lunit>项|款|目|条|点))?)"
)
# 第五、六条, 第（一）、（三）项: the unit stands at the end for all.
_LIST = re.compile(
    rf"[ ]?第?[ ]?(?P<first>\(?[ ]?{NUMBER}[ ]?\)?)"
    rf"(?P<rest>(?:[ ]?(?:[、,]|和|及|或|与|以及)[ ]?第?[ ]?\(?[ ]?{NUMBER}[ ]?\)?){{1,12}})[ ]?"
    rf"(?P<unit>条|款|项|目|章|节)(?!目录)"
)
_MEMBER = re.compile(rf"\(?[ ]?(?P<num>{NUMBER})[ ]?\)?")
# What may stand between two steps: 第二章“投标人须知”第1.4.1项, 附件一中的第2条.
_ASIDE = re.compile(
    r"[ ]?(?:[\"《][^\"《》\n]{1,30}[\"》]|\([^()\n]{1,24}\))?"
    r"[ ]?(?:的|中的|中|之|内|所列的?)?[ ]?(?=第|\(|\d)"
)
_QUOTED_END = re.compile(r"[ ]?[\"《][^\"《》\n]{1,30}[\"》]")
_ATTACHED = re.compile(
    rf"附[ ]?(?P<kind>件|录|表|图)[ ]?\[?(?P<num>{_CN}{{1,4}}|\d{{1,3}}|[a-z](?![a-z]))\]?"
    r"(?P<sub>(?:[-.]\d{1,3}){0,3})"
)
_FIGURE = re.compile(
    r"(?P<kind>[图表])[ ]?(?P<num>(?:[a-z][ ]?[.\-][ ]?)?\d{1,3}(?:[ ]?[\-.][ ]?\d{1,3}){0,3})"
    r"(?![\d%年月日元号]|,\d)"
)
_ENGLISH = re.compile(
    r"(?P<kind>sections?|articles?|clauses?|exhibits?|annex(?:es)?|appendix|appendices|schedules?|"
    r"chapters?|parts?|tables?|figures?|fig\.)"
    r" {1,2}(?P<num>\d{1,3}(?:[.\-]\d{1,3}){0,4}|[a-z](?![a-z])|[ivxlc]{1,6}(?![a-z]))(?![a-z0-9])"
    r"(?P<item>(?: ?\([a-z\d]{1,3}\))*)"
)
_KINDS = {
    "section": "Section", "article": "Article", "clause": "Clause", "exhibit": "Exhibit",
    "annex": "Annex", "annexe": "Annex", "appendix": "Appendix", "appendice": "Appendix",
    "schedule": "Schedule", "chapter": "Chapter", "part": "Part", "table": "表", "figure": "图",
    "fig.": "图",
}  # fmt: skip
RANGE = re.compile(r"[ ]?(?:至|到|~|-)[ ]?")


class View(NamedTuple):
    """The text, and its folded view of the same length."""

    text: str
    folded: str

    def written(self, start: int, end: int) -> str:
        """Give a stretch as it is written, without spaces."""
        return "".join(self.text[start:end].split())


def steps_at(view: View, at: int) -> tuple[tuple[Step, ...], int]:
    """Give the steps that begin at an offset, outermost first, and where the last one ends."""
    steps: list[Step] = []
    end = at
    while len(steps) < 5:
        match = _STEP.match(view.folded, at)
        step = _step(view, match, bool(steps)) if match is not None else None
        if match is None or step is None:
            break
        steps.append(step)
        at = end = match.end()
        aside = _ASIDE.match(view.folded, at)
        if aside is not None and aside.end() > at:
            at = aside.end()
    return tuple(steps), end


def _step(view: View, match: re.Match[str], further: bool) -> Step | None:
    written = view.written(match.start(), match.end())
    if match["runit"]:
        low, high = integer(match["from"]), integer(match["to"])
        if low is None or high is None or high <= low or written[0] not in "第(（":
            return None
        return Step(match["runit"], (low,), written, high)
    if match["dec"] or match["bare"]:
        numbers = tuple(_item(part) or 0 for part in (match["dec"] or match["bare"]).split("."))
        if match["bare"] and further and not match["bunit"]:
            return None
        return Step(match["dunit"] or match["bunit"] or "条", numbers, written)
    if match["num"]:
        number = integer(match["num"])
        if number is None:
            return None
        more = integer(match["sub"]) if match["sub"] else None
        return Step(match["unit"], (number,) if more is None else (number, more), written)
    if match["item"]:
        number = _item(match["item"])
        return None if number is None else Step(match["iunit"], (number,), written)
    if match["circled"]:
        return Step(match["cunit"], (ord(match["circled"]) - 0x245F,), written)
    return Step("项", (ord(match["letter"]) - 96,), written) if further else None


def _item(written: str) -> int | None:
    number = integer(written)
    if number is None and len(written) == 1 and written.isascii():
        return ord(written) - 96
    return number


def list_at(view: View, at: int) -> list[tuple[int, int, Step]]:
    """Give the members of a list that shares its unit: 第五、六条; each with its range."""
    match = _LIST.match(view.folded, at)
    if match is None or view.folded[at : match.start("first")].strip() not in ("第", ""):
        return []
    opened = "第" in view.folded[at : match.start("first")] or match["first"].startswith("(")
    if not opened:
        return []
    members: list[tuple[int, int, Step]] = []
    for member in _MEMBER.finditer(view.folded, match.start("first"), match.start("unit")):
        number = integer(member["num"])
        if number is None:
            return []
        written = f"第{view.written(member.start(), member.end())}{match['unit']}"
        members.append((member.start(), member.end(), Step(match["unit"], (number,), written)))
    first, last = members[0], members[-1]
    members[0] = (at, first[1], first[2])
    members[-1] = (members[-1][0] if len(members) > 1 else at, match.end(), last[2])
    return members


def quoted_end(folded: str, at: int) -> int:
    """Give where a quoted title ends that begins here, else the same offset."""
    match = _QUOTED_END.match(folded, at)
    return match.end() if match is not None else at


def past_aside(view: View, end: int) -> int:
    """Give where the steps after an attachment's label begin: behind its title and 的 or 中."""
    at = quoted_end(view.folded, end)
    while view.folded[at : at + 1] in ("的", "中", "之", " "):
        at += 1
    return at


def attachment_at(view: View, at: int) -> tuple[Step, int] | None:
    """Give the attachment named at an offset, and where its label ends."""
    match = _ATTACHED.match(view.folded, at)
    if match is None:
        return None
    number = _item(match["num"])
    if not number:
        return None
    numbers = (number, *(int(part) for part in re.findall(r"\d+", match["sub"])))
    return Step("附" + match["kind"], numbers, view.written(at, match.end())), match.end()


def figure_at(view: View, at: int) -> tuple[Step, int] | None:
    """Give the figure or table named at an offset, and where its label ends."""
    match = _FIGURE.match(view.folded, at)
    if match is None:
        return None
    return Step(match["kind"], (), match["kind"] + figure_number(match["num"])), match.end()


def figure_number(written: str) -> str:
    """Give a figure's number as captions are looked up by: 3.2 and 3-2 are one."""
    return "".join(written.split()).replace(".", "-").upper()


def english_at(view: View, at: int) -> tuple[tuple[Step, ...], int] | None:
    """Give the steps of Section 4.2(a), Exhibit B, Table 1 at an offset, and where they end."""
    match = _ENGLISH.match(view.folded, at)
    if match is None:
        return None
    written = match["num"]
    kind = _KINDS.get(match["kind"]) or _KINDS[match["kind"].removesuffix("s")]
    if kind in "图表":
        return (Step(kind, (), kind + figure_number(written)),), match.end("num")
    if written[0].isdigit():
        numbers: tuple[int, ...] = tuple(int(part) for part in re.split(r"[.\-]", written))
    else:
        single = len(written) == 1 and written not in "ivx"
        number = ord(written) - 96 if single else roman(written)
        if not number:
            return None
        numbers = (number,)
    shown = f"{kind} {written.upper() if written.isalpha() else written}"
    items = [
        Step("项", (int(one) if one.isdigit() else ord(one[0]) - 96,), f"({one})")
        for one in re.findall(r"\(([a-z\d]+)\)", match["item"])
        if one.isdigit() or len(one) == 1
    ]
    return (Step(kind, numbers, shown), *items), match.end()
