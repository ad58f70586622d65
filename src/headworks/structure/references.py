"""References: where the text points to another place, and what it names.

Takes a structured document, gives each reference with the path it names, resolved against the
anchors, dangling or external. Never takes a label at its own place for a reference.
"""

import re
from collections.abc import Iterator

import msgspec

from headworks.model.document import Document
from headworks.model.numerals import CHINESE_NUMERALS, integer
from headworks.model.outline import CrossRef
from headworks.model.place import CellPlace, Span
from headworks.structure import grammar
from headworks.structure.contract_parts import Named, part_before, part_called
from headworks.structure.external import own_part, tender_before, text_before
from headworks.structure.found import Found, carried, depth_of, goes_on_after
from headworks.structure.grammar import View
from headworks.structure.resolve import Index
from headworks.structure.steps import Resolution, Step

# The scan leaps from one of these characters to the next; what they begin is told right after.
_TRIGGER = re.compile(
    r"[《第附前本图表上下\d](?:(?<=《)[^《》\n]{2,60}》|"
    rf"(?<=第)[ ]?(?:[{CHINESE_NUMERALS}\d①-⑳]|\()|"
    r"(?<=附)(?<!前附)[ ]?[件录表图]|(?<=前)[两二三四五]?[款条项章节]|(?<=本)[条款项章节]|"
    r"(?<=[图表])(?<!前附表)[ ]?(?:[a-z][ ]?[.\-][ ]?)?\d|"
    r"(?<=上)(?:一[条款章节]|[图表]|述[ ]?\()|(?<=下)(?:一[条款章节]|[图表])|"
    # Neither inside a number or a version nor a sum of money: 5.00.
    r"(?<=\d)(?<![\d./_\-]\d)\d{0,2}(?!\.0\d)"
    r"(?:(?:\.\d{1,3}){1,5}|\.[ ]\d{1,3}(?:\.[ ]?\d{1,3}){1,4})(?![\d.%]))"
)
# A.1.2: found by its first point, for most texts have few.
_LETTERED = re.compile(r"\.(?<=[a-z]\.)\d{1,3}(?:\.\d{1,3}){0,3}(?![\d.%a-z])")
_ENGLISH_TRIGGER = re.compile(
    r"[sacepft](?:(?<=s)ection|(?<=a)(?:rticle|nnex|ppendi)|(?<=c)(?:lause|hapter)|(?<=e)xhibit|"
    r"(?<=s)chedule|(?<=p)art|(?<=t)able|(?<=f)ig(?:ure|\.))(?:x|c?es|s)? {1,2}[\da-z]"
)
_RELATIVE = re.compile(
    r"(?:前(?P<count>[两二三四五])?(?P<before>款|条|项|章|节)(?!车)|"
    r"(?P<step>上|下)一(?P<beside>[章节]|[条款](?=[的所规约执办处中之]|[,。;]))|"
    r"本(?P<own>条|款|项|章|节)(?![ ]?(?:件|目|约|例|程|能|省)))"
)
_BESIDE = re.compile(r"(?P<step>上|下)(?P<kind>图|表)(?![格示书片标型面层册单达现明])")
_TITLE = re.compile(
    r"《(?P<title>[^《》\n]{2,60})》(?:[ ]?\([^()\n]{0,40}\))?[ ]?(?:的|中的|中|之)?[ ]?"
)
_UNNUMBERED = re.compile(r"附[ ]?件(?:[ ]?\[[ _]*\])?(?![ ]?[:\d一二三四五六七八九十])")
_ABOVE = re.compile(r"(?:上述|前述|上列|前列|以上)的?[ ]?\Z")
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
# “第五条 理事会由九人组成。” is the new wording of a clause, not a reference to it.
_NEW_WORDING = re.compile(rf'"第[{CHINESE_NUMERALS}\d ]{{1,9}}条[ ]\w')
_AFTER_APPENDIX = re.compile(r"附[ ]?[录件][ ]?[a-z\d一二三四五六七八九十]{1,2}[ ]?\Z")
_AFTER_POINTER = frozenset("见如在与和及或由按据的,。;:、(至到 \n")


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


def _scan(document: Document, index: Index) -> Iterator[Found]:
    view, done = View(document.text, document.folded), 0
    before: Found | None = None
    for start in _triggers(document):
        if start < done or index.is_label(start) or index.is_skipped(start):
            continue
        if view.folded.startswith("[", start - 1, start) and index.is_label(start - 1):
            continue  # 【第二部分】 is a label, brackets and all
        goes_on = before is not None and goes_on_after(view.folded, before.span.end, start)
        law = before.law if before is not None and goes_on else None
        for parsed in _parse(view, start, law, index):
            one = carried(before, parsed) if before is not None and goes_on else parsed
            done, before, goes_on = one.span.end, one, True
            yield one


def _triggers(document: Document) -> Iterator[int]:
    """Give where a reference may begin. The cells of a sheet are values and refer to nothing."""
    folded = document.folded
    stretches = [(0, len(folded))]
    if any(isinstance(block.place, CellPlace) for block in document.blocks):
        stretches = [
            (block.span.start, block.span.end)
            for block in document.blocks
            if not isinstance(block.place, CellPlace)
        ]
    for start, end in stretches:
        found = [match.start() for match in _TRIGGER.finditer(folded, start, end)]
        english = [match.start() - 1 for match in _LETTERED.finditer(folded, start, end)]
        english += [match.start() for match in _ENGLISH_TRIGGER.finditer(folded, start, end)]
        yield from sorted(found + english) if english else found


def _parse(view: View, start: int, law: str | None, index: Index) -> list[Found]:
    folded = view.folded
    char = folded[start]
    if char == "《":
        return _of_title(view, start, index)
    if char == "附":
        return _of_attachment(view, start)
    if char in "图表":
        return _of_figure(view, start)
    if char in "前本上下":
        relative = _of_relative(view, start)
        return [relative] if relative is not None else []
    contract = part_before(folded, start) if law is None and char in _NUMBERED else None
    if contract is not None:
        return _of_contract(view, start, contract, index)
    if char == "第":
        title = index.title_before(start) if law is None else None
        found = _of_ordinal(view, start, law, index)
        if title is None or not found or depth_of(found[0].steps[0]) < 0:
            return found
        return [msgspec.structs.replace(one, title=title) for one in found]
    if _is_latin(char) and not folded.startswith(".", start + 1):
        return _of_english(view, start)
    before = folded[start - 1 : start]
    if before.isdigit() or before in tuple(".-/_") or _is_latin(before):
        return []
    if "版本" in folded[max(0, start - 24) : start]:
        return []
    law = text_before(folded, start, bare=True)
    number = _BARE.match(folded, start)
    # A bare 5.2 is a reference only where the words around it speak of one.
    if law is None and (
        number is None
        or not (
            number["unit"]
            or _SPOKEN.match(folded, number.end())
            or _POINTS.search(folded, max(0, start - 3), start)
        )
    ):
        return []
    parsed = _of_steps(view, start, law)
    return [parsed] if parsed is not None else []


_NUMBERED = frozenset("第0123456789")


def _of_contract(view: View, start: int, named: Named, index: Index) -> list[Found]:
    """Give the references after the name of a contract's part: 通用条款第3.1款、第3.2款."""
    law = f"{named.law}{named.part}" if named.law is not None else None
    found = _of_ordinal(view, start, law, index)
    return [msgspec.structs.replace(one, part=None, contract=named.part) for one in found]


_BARE = re.compile(
    rf"(?:{grammar.DECIMAL}|[a-z](?:\.\d{{1,3}}){{1,4}})(?:[ ]?(?P<unit>[条款项节]))?"
)


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalpha()  # False for nothing at all, where the text begins


def _of_ordinal(view: View, start: int, law: str | None, index: Index) -> list[Found]:
    folded = view.folded
    if _NEW_WORDING.match(folded, max(0, start - 1)):
        return []
    if law is None:
        law = text_before(folded, start)
    if law is None and index.follows_tender:
        law = tender_before(folded, start)
    part = own_part(folded, start) if law is None else None
    above = _ABOVE.search(folded, max(0, start - 5), start) is not None
    members = grammar.list_at(view, start)
    if members:
        return [
            Found(Span(begin, end), (step,), law=law, part=part if at == 0 else None, above=above)
            for at, (begin, end, step) in enumerate(members)
        ]
    parsed = _of_steps(view, start, law)
    if parsed is None:
        return []
    parsed = msgspec.structs.replace(parsed, part=part, above=above)
    tail = grammar.list_at(view, parsed.span.end) if not parsed.last else []
    # 第五条第（二）、（三）项: the members of the list share the path before them.
    return [
        msgspec.structs.replace(
            parsed, span=Span(start if at == 0 else begin, end), steps=(*parsed.steps, step)
        )
        for at, (begin, end, step) in enumerate(tail)
    ] or [parsed]


def _of_title(view: View, start: int, index: Index) -> list[Found]:
    folded = view.folded
    match = _TITLE.match(folded, start)
    if match is None:
        return []
    law = f"《{match['title']}》"
    steps, end = grammar.steps_at(view, match.end())
    if not steps:
        # 《第三卷 评标办法》 names a part of this document by its whole heading.
        if not index.is_own_heading(law):
            return []
        stop = start + len(law)
        return [Found(Span(start, stop), (), law=law)]
    return [Found(Span(start, end), steps, law=law)]


def _of_attachment(view: View, start: int) -> list[Found]:
    folded = view.folded
    named = grammar.attachment_at(view, start)
    if named is None:
        match = _UNNUMBERED.match(folded, start)
        told = match is not None and (
            folded[start - 1 : start] in tuple("见按照") or "[" in match[0]
        )
        if match is None or not told:
            return []
        step = Step("附件", (), view.written(start, match.end()))
        return [Found(Span(start, match.end()), (step,))]
    own, end = named
    if not grammar.steps_at(view, end)[0] and _is_entry(folded, start, end):
        return []
    law = text_before(folded, start)
    steps, stop = grammar.steps_at(view, grammar.past_aside(view, end))
    if steps:
        return [Found(Span(start, stop), (own, *steps), law=law)]
    middle = grammar.RANGE.match(folded, end)
    last = grammar.attachment_at(view, middle.end()) if middle is not None else None
    if last is not None:
        return [Found(Span(start, last[1]), (own,), (last[0],), law)]
    return [Found(Span(start, end), (own,), law=law)]


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


def _of_figure(view: View, start: int) -> list[Found]:
    folded = view.folded
    before = folded[start - 1] if start else " "
    # 附录B表B.1 names the appendix, then its table.
    told = before in _AFTER_POINTER or _AFTER_APPENDIX.search(folded, max(0, start - 6), start)
    if before.isalnum() and not told:
        return []
    named = grammar.figure_at(view, start)
    if named is None:
        return []
    law = text_before(folded, start)
    step, end = named
    middle = grammar.RANGE.match(folded, end)
    last = grammar.figure_at(view, middle.end()) if middle is not None else None
    if last is not None:
        return [Found(Span(start, last[1]), (step,), (last[0],), law)]
    return [Found(Span(start, end), (step,), law=law)]


def _of_english(view: View, start: int) -> list[Found]:
    if start and _is_latin(view.folded[start - 1]):
        return []
    named = grammar.english_at(view, start)
    if named is None:
        return []
    steps, end = named
    return [Found(Span(start, end), steps, bare=steps[0].unit == "Part")]


def _of_relative(view: View, start: int) -> Found | None:
    folded = view.folded
    beside = _BESIDE.match(folded, start)
    if beside is not None:
        before = folded[start - 1 : start]
        if before and before not in _AFTER_POINTER:
            return None
        return Found(Span(start, beside.end()), (), relative=beside[0], bare=True)
    if folded[start] == "上" and folded[start + 1 : start + 2] == "述":
        parsed = _of_steps(view, start + 2)
        return msgspec.structs.replace(parsed, above=True) if parsed is not None else None
    match = _RELATIVE.match(folded, start)
    if match is None or (match["before"] == "项" and folded.startswith("目", match.end())):
        return None
    steps, end = grammar.steps_at(view, match.end())
    tail = grammar.RANGE.match(folded, end) if steps else None
    last, stop = grammar.steps_at(view, tail.end()) if tail is not None else ((), end)
    if not last or not steps or last[-1].unit != steps[-1].unit:
        last, stop = (), end
    if match["before"]:
        count = integer(match["count"]) if match["count"] else 1
        word = "前" + match["before"]
        return Found(Span(start, stop), steps, last, relative=word, count=count or 1)
    if match["beside"]:
        word = ("前" if match["step"] == "上" else "下") + match["beside"]
        return Found(Span(start, stop), steps, last, relative=word)
    if not steps and match["own"] not in "条款章节":
        return None
    if not steps and match["own"] in "章节" and not _SPEAKS.match(folded, match.end()):
        return None
    return Found(Span(start, stop), steps, last, relative="本" + match["own"])


# 本章 alone is a reference where the words after it speak of what it says.
_SPEAKS = re.compile(r"[ ]?(?:的?规定|适用|所[称列述]|约定|另有)")


def _of_steps(view: View, start: int, law: str | None = None) -> Found | None:
    steps, end = grammar.steps_at(view, start)
    if not steps or (steps[0].unit in ("款", "项", "目") and steps[0].written == ""):
        return None
    middle = grammar.RANGE.match(view.folded, end)
    last: tuple[Step, ...] = ()
    if middle is not None:
        last, range_end = grammar.steps_at(view, middle.end())
        if last and _are_alike(steps[-1], last[-1]):
            end = range_end
        else:
            last = ()
    if steps[-1].unit in ("编", "部分", "卷", "篇", "章", "节") and law is None:
        end = grammar.quoted_end(view.folded, end)
    return Found(Span(start, end), steps, last, law)


def _are_alike(first: Step, last: Step) -> bool:
    """Tell whether two steps are the ends of a range: 第3.1至3.3款 names the unit once."""
    decimals = len(first.numbers) > 1 and len(first.numbers) == len(last.numbers)
    return first.unit == last.unit or (decimals and "." in first.written and "." in last.written)


def _resolve(parsed: Found, index: Index) -> Resolution:
    if parsed.law is not None and not index.is_own_title(parsed.law):
        named = index.in_part(parsed.law, parsed.steps)
        if named is not None:
            return named
        called = part_called(parsed.law)
        if called is not None and parsed.steps:
            return index.in_contract(parsed.span, called, parsed.steps)
        path = "/".join((parsed.law, *(step.written for step in parsed.steps)))
        return Resolution(path, "external", None, "another text")
    first = _resolve_one(parsed, parsed.steps, index)
    if not parsed.last:
        return first
    last_steps = (*parsed.steps[: len(parsed.steps) - len(parsed.last)], *parsed.last)
    last = _resolve_one(parsed, last_steps, index)
    path = f"{first.path}~{last.path}"
    if first.span is None or last.span is None:
        return Resolution(path, "dangling", None, first.why or last.why)
    if last.span.end < first.span.start:
        return Resolution(path, "dangling", None, "the range runs backwards")
    return Resolution(path, "resolved", Span(first.span.start, last.span.end), "")


def _resolve_one(parsed: Found, steps: tuple[Step, ...], index: Index) -> Resolution:
    if parsed.relative is not None:
        if parsed.relative[-1] in "图表":
            return index.beside(parsed.span, parsed.relative)
        return index.relative(parsed.span, parsed.relative, parsed.count, steps)
    if parsed.contract is not None:
        return index.in_contract(parsed.span, parsed.contract, steps)
    if parsed.part is not None:
        within = index.in_own_part(parsed.span, parsed.part, steps)
        if within is not None:
            return within
    if parsed.title is not None:
        named = index.in_part(parsed.title, steps)
        if named is not None and named.span is not None:
            return named
    if parsed.above:
        above = index.above(parsed.span, steps)
        if above is not None:
            return above
    return index.find(parsed.span, steps)
