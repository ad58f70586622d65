"""References: where the text points to another place, and what it names.

Takes a structured document, gives each reference with the path it names, resolved against the
anchors, dangling or external. Never takes a label at its own place for a reference.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from headworks.model.document import Document
from headworks.model.numerals import CHINESE_NUMERALS, integer
from headworks.model.outline import CrossRef
from headworks.model.place import CellPlace, Span
from headworks.structure.resolve import Index, Resolution, Step

_CN = f"[{CHINESE_NUMERALS}]"
_N = rf"(?:{_CN}{{1,10}}|\d{{1,4}})"
_DECIMAL = r"\d{1,3}(?:\.\d{1,3}){1,5}"
_STEP = re.compile(
    rf"[ ]?(?:第?[ ]?\(?(?P<from>{_N})\)?[ ]?[项款条]?(?:至|到|-|"
    rf"~)第?[ ]?\(?(?P<to>{_N})\)?[ ]?(?P<runit>款|项|条|目)|"
    rf"第[ ]?(?P<dec>{_DECIMAL})(?:[ ]?(?P<dunit>条|款|项|节|章|点))?|"
    rf"第[ ]?(?P<num>{_N})[ ]?(?P<unit>编|分编|部分|章|节|条|款|项|目)(?:之(?P<sub>{_N}))?|"
    rf"第?[ ]?\([ ]?(?P<item>{_N}|[a-z])[ ]?\)[ ]?(?P<iunit>项|款|目|条|点)|"
    rf"(?P<bare>{_DECIMAL})(?:[ ]?(?P<bunit>条|款|项|节|章|点))?|"
    r"(?P<letter>[a-z])[ ]?\)(?:[ ]?(?P<lunit>项|款|目|条|点))?)"
)
_ATTACHED = re.compile(
    rf"附[ ]?(?P<kind>件|录|表|图)[ ]?\[?(?P<num>{_CN}{{1,4}}|\d{{1,3}}|[a-z](?![a-z]))\]?"
    r"(?P<sub>(?:[-.]\d{1,3}){0,3})"
)
_UNNUMBERED = re.compile(r"附[ ]?件(?:[ ]?\[[ _]*\])?(?![ ]?[:\d一二三四五六七八九十])")
_FIGURE = re.compile(
    r"(?P<kind>[图表])[ ]?(?P<num>(?:[a-z][.\-])?\d{1,3}(?:[ ]?[\-.][ ]?\d{1,3}){0,3})"
    r"(?![\d%年月日元,号])"
)
_ENGLISH = re.compile(
    r"(?P<kind>sections?|articles?|clauses?|exhibits?|annex(?:es)?|appendix|appendices|schedules?|chapters?|parts?)"
    r" {1,2}(?P<num>\d{1,3}(?:\.\d{1,3}){0,4}|[a-z](?![a-z])|[ivxlc]{1,6}(?![a-z]))(?![a-z0-9])"
)
_RELATIVE = re.compile(
    r"(?:前(?P<count>[两二三四五])?(?P<before>款|条|项|章|节)(?!车)|本(?P<own>条|款|项|章|节)(?!件|目|约|例|程|约))"
)
_TITLE = re.compile(r"《(?P<title>[^《》\n]{2,60})》(?:[ ]?\([^()\n]{0,40}\))?[ ]?")
_RANGE = re.compile(r"[ ]?(?:至|到|~|-)[ ]?")
_BEFORE_LAW = re.compile(
    r"(?:法|法典|条例|办法|规定|细则|准则|解释|规则|决定|章程|公约|规程|规范|令|\d号|》[^\W\d_]{0,3}编?)\Z"
)
_LAW_BEGINS = re.compile(r"[\W\d]|根据|按照|依照|违反|适用|依据|[有依据按照和及或与对]")
_OWN_LAW = re.compile(r"(?:本|该|上述|前述|此)[^\W\d_]{0,6}\Z")
_TRIGGER = re.compile(
    rf"《[^《》\n]{{2,60}}》|第[ ]?(?:[{CHINESE_NUMERALS}\d]|\()|"
    rf"附[ ]?[件录表图][ ]?\[?[{CHINESE_NUMERALS}\da-z]|附[ ]?件[ ]?\[[ _]*\]|(?<=[见按照])附件|"
    rf"前[两二三四五]?[款条项章节]|"
    rf"本[条款项章节]|[图表][ ]?(?:[a-z][.\-])?\d|(?<![a-z])(?:section|article|clause|exhibit|"
    rf"annex|appendix|schedule|chapter|part)e?s? {{1,2}}[\da-z]|"
    rf"(?<![\d.a-z\-/]){_DECIMAL}(?![\d.%])"
)
# Before a bare number: words that point. After it: words that speak of a clause.
_POINTS = re.compile(
    r"(?:见|按|按照|符合|依据|根据|参照|满足|参见|执行|依照|遵守|违反|和|及|或|与|至|、|款|"
    r"条)[ ]?\Z"
)
_SPOKEN = re.compile(
    r"[ ]?(?:的(?:规定|要求|试验|内容|方法|约定|描述|定义)|条|款|项|节|规定|所述|所列|中规定|中所|"
    r"[a-z][ ]?\))"
)
_ENTRY_SPEAKS = re.compile(r"[ ]?(?:的|中|所|为|是|和|及|与|规定|要求)")
_KINDS = {
    "section": "Section", "article": "Article", "clause": "Clause", "exhibit": "Exhibit",
    "annex": "Annex",
    "annexe": "Annex", "appendix": "Appendix", "appendice": "Appendix", "schedule": "Schedule",
    "chapter": "Chapter", "part": "Part",
}  # fmt: skip


class _View(NamedTuple):
    """The text, and its folded view of the same length."""

    text: str
    folded: str

    def written(self, match: re.Match[str]) -> str:
        """Give what was matched as it is written, without spaces."""
        return "".join(self.text[match.start() : match.end()].split())


class _Found(msgspec.Struct, frozen=True):
    """One reference as parsed: its range, the steps it names, and where it is looked for."""

    span: Span
    steps: tuple[Step, ...]
    last: tuple[Step, ...] = ()
    law: str | None = None
    relative: str | None = None
    count: int = 1
    bare: bool = False


def references(document: Document, index: Index) -> tuple[CrossRef, ...]:
    """Give the references of the whole text in order."""
    found: list[CrossRef] = []
    for parsed in _scan(document, index):
        resolution = _resolve(parsed, index)
        if resolution.status == "dangling" and parsed.bare:
            continue
        found.append(
            CrossRef(
                span=parsed.span,
                text=document.slice(parsed.span).replace("\n", ""),
                target=resolution.path,
                status=resolution.status,
                target_span=resolution.span,
                why=resolution.why,
            )
        )
    return tuple(found)


def _scan(document: Document, index: Index) -> Iterator[_Found]:
    view, done = _View(document.text, document.folded), 0
    before: _Found | None = None
    for trigger in _triggers(document):
        start = trigger.start()
        if start < done or index.is_label(start) or index.is_skipped(start):
            continue
        goes_on = before is not None and _goes_on(view.folded, before.span.end, start)
        parsed = _parse(view, start, before.law if before is not None and goes_on else None)
        if parsed is None:
            continue
        if before is not None and goes_on:
            parsed = _carried(before, parsed)
        done, before = parsed.span.end, parsed
        yield parsed


def _triggers(document: Document) -> Iterator[re.Match[str]]:
    """Give where a reference may begin. The cells of a sheet are values and refer to nothing."""
    if not any(isinstance(block.place, CellPlace) for block in document.blocks):
        yield from _TRIGGER.finditer(document.folded)
        return
    for block in document.blocks:
        if not isinstance(block.place, CellPlace):
            yield from _TRIGGER.finditer(document.folded, block.span.start, block.span.end)


_DEPTH = {"条": 1, "款": 2, "项": 3, "目": 4}


def _carried(before: _Found, parsed: _Found) -> _Found:
    """Take over what a list leaves out: 第十三条第一项、第六项 means 第十三条第六项."""
    first = parsed.steps[0] if parsed.steps else None
    if first is None or parsed.relative is not None or first.unit not in ("款", "项", "目"):
        return parsed
    kept = tuple(s for s in before.steps if _DEPTH.get(s.unit, 0) < _DEPTH[first.unit])
    return msgspec.structs.replace(
        parsed, steps=(*kept, *parsed.steps), relative=before.relative, count=before.count
    )


def _goes_on(folded: str, end: int, start: int) -> bool:
    """Tell whether a list of articles of one law goes on: 《民法典》第五百条、第五百零一条."""
    return start - end <= 3 and folded[end:start].strip(" 、,和或及与以") == ""


def _parse(view: _View, start: int, law: str | None) -> _Found | None:
    folded = view.folded
    char = folded[start]
    if char == "《":
        return _of_title(view, start)
    if char == "附":
        return _of_attachment(view, start)
    if char in "图表":
        return _of_figure(view, start)
    if char in "前本":
        return _of_relative(view, start)
    if char.isascii() and char.isalpha():
        return _of_english(view, start)
    if char == "第":
        before = folded[max(0, start - 14) : start].rstrip()
        if law is None and _BEFORE_LAW.search(before) and not _OWN_LAW.search(before):
            law = _LAW_BEGINS.split(before)[-1] or before
        return _of_steps(view, start, law=law)
    parsed = _of_steps(view, start)
    if parsed is None or _POINTS.search(folded, max(0, start - 3), start):
        return parsed
    # A bare 5.2 is a reference only where the words around it speak of one.
    number = start + len(parsed.steps[0].written)
    spoken = any(_SPOKEN.match(folded, at) for at in (parsed.span.end, number))
    return parsed if spoken or parsed.steps[0].written[-1] in "条款项节" else None


def _of_title(view: _View, start: int) -> _Found | None:
    folded = view.folded
    match = _TITLE.match(folded, start)
    if match is None:
        return None
    steps, end = _steps(view, match.end())
    if not steps:
        return None
    return _Found(Span(start, end), steps, law=f"《{match['title']}》")


def _of_attachment(view: _View, start: int) -> _Found | None:
    folded = view.folded
    match = _ATTACHED.match(folded, start)
    if match is None:
        return _of_unnumbered(view, start)
    number = integer(match["num"])
    if number is None:
        number = ord(match["num"]) - 96 if match["num"].isalpha() and match["num"].isascii() else 0
    if not number:
        return None
    if _is_entry(folded, start, match.end()):
        return None
    numbers = (number, *(int(part) for part in re.findall(r"\d+", match["sub"])))
    own = Step("附" + match["kind"], numbers, view.written(match))
    steps, end = _steps(view, match.end())
    return _Found(Span(start, end), (own, *steps))


def _of_unnumbered(view: _View, start: int) -> _Found | None:
    """Take 见附件 (which one is not said) and 附件【】 (its number was left out)."""
    match = _UNNUMBERED.match(view.folded, start)
    if match is None:
        return None
    return _Found(Span(start, match.end()), (Step("附件", (), view.written(match)),))


def _is_entry(folded: str, start: int, end: int) -> bool:
    """Tell whether an attachment is listed here rather than referred to: 附件 2：分项价格表."""
    if _POINTS.search(folded, max(0, start - 3), start):
        return False
    if folded[end : end + 2].lstrip()[:1] == ":":
        return True
    line = folded.rfind("\n", max(0, start - 3), start)
    opens = start < 3 or (line >= 0 and not folded[line + 1 : start].strip())
    stop = folded.find("\n", end, end + 60)
    return (
        opens
        and stop >= 0
        and "。" not in folded[end:stop].rstrip("。")
        and not _ENTRY_SPEAKS.match(folded, end)
    )


def _of_figure(view: _View, start: int) -> _Found | None:
    folded = view.folded
    before = folded[start - 1] if start else " "
    if before.isalnum() and before not in "见如在与和及或由按据的":
        return None
    match = _FIGURE.match(folded, start)
    if match is None:
        return None
    number = "".join(match["num"].split()).replace(".", "-").upper()
    return _Found(Span(start, match.end()), (Step(match["kind"], (), match["kind"] + number),))


def _of_english(view: _View, start: int) -> _Found | None:
    folded = view.folded
    match = _ENGLISH.match(folded, start)
    if match is None:
        return None
    written = match["num"]
    if written[0].isdigit():
        numbers = tuple(int(part) for part in written.split("."))
    elif len(written) == 1:
        numbers = (ord(written) - 96,)
    else:
        return None
    kind = (
        _KINDS[match["kind"].removesuffix("s")]
        if match["kind"] not in _KINDS
        else _KINDS[match["kind"]]
    )
    shown = f"{kind} {written.upper() if written.isalpha() else written}"
    return _Found(Span(start, match.end()), (Step(kind, numbers, shown),), bare=kind == "Part")


def _of_relative(view: _View, start: int) -> _Found | None:
    folded = view.folded
    match = _RELATIVE.match(folded, start)
    if match is None:
        return None
    if match["before"]:
        count = integer(match["count"]) if match["count"] else 1
        steps, end = _steps(view, match.end())
        if match["before"] == "项" and folded[match.end() : match.end() + 1] == "目":
            return None
        return _Found(Span(start, end), steps, relative="前" + match["before"], count=count or 1)
    steps, end = _steps(view, match.end())
    if not steps and match["own"] not in "条款":
        return None
    return _Found(Span(start, end), steps, relative="本" + match["own"])


def _of_steps(view: _View, start: int, law: str | None = None) -> _Found | None:
    steps, end = _steps(view, start)
    if not steps or (steps[0].unit in ("款", "项", "目") and steps[0].written == ""):
        return None
    middle = _RANGE.match(view.folded, end)
    last: tuple[Step, ...] = ()
    if middle is not None:
        last, range_end = _steps(view, middle.end())
        if last and last[-1].unit == steps[-1].unit:
            end = range_end
        else:
            last = ()
    return _Found(Span(start, end), steps, last, law)


def _steps(view: _View, at: int) -> tuple[tuple[Step, ...], int]:
    steps: list[Step] = []
    while len(steps) < 5:
        match = _STEP.match(view.folded, at)
        if match is None:
            break
        step = _step(view, match, bool(steps))
        if step is None:
            break
        steps.append(step)
        at = match.end()
    return tuple(steps), at


def _step(view: _View, match: re.Match[str], further: bool) -> Step | None:
    written = view.written(match)
    if match["runit"]:
        low, high = integer(match["from"]), integer(match["to"])
        if low is None or high is None or high <= low or written[0] not in "第(（":
            return None
        return Step(match["runit"], (low,), written, high)
    if match["dec"] or match["bare"]:
        numbers = tuple(int(part) for part in (match["dec"] or match["bare"]).split("."))
        if match["bare"] and further:
            return None
        return Step(match["dunit"] or match["bunit"] or "条", numbers, written)
    if match["num"]:
        number = integer(match["num"])
        if number is None:
            return None
        more = integer(match["sub"]) if match["sub"] else None
        return Step(match["unit"], (number,) if more is None else (number, more), written)
    if match["item"]:
        number = integer(match["item"])
        if number is None and len(match["item"]) == 1 and match["item"].isascii():
            number = ord(match["item"]) - 96
        return None if number is None else Step("项", (number,), written)
    if not further:
        return None
    return Step("项", (ord(match["letter"]) - 96,), written)


def _resolve(parsed: _Found, index: Index) -> Resolution:
    if parsed.law is not None and not index.is_own_title(parsed.law):
        named = index.in_part(parsed.law, parsed.steps)
        if named is not None:
            return named
        path = "/".join((parsed.law, *(step.written for step in parsed.steps)))
        return Resolution(path, "external", None, "another text")
    if parsed.relative is not None:
        return index.relative(parsed.span, parsed.relative, parsed.count, parsed.steps)
    first = index.find(parsed.span, parsed.steps)
    if not parsed.last:
        return first
    last = index.find(parsed.span, parsed.last)
    path = f"{first.path}~{last.path}"
    if first.span is None or last.span is None:
        return Resolution(path, "dangling", None, first.why or last.why)
    if last.span.end < first.span.start:
        return Resolution(path, "dangling", None, "the range runs backwards")
    return Resolution(path, "resolved", Span(first.span.start, last.span.end), "")
