"""The label grammar: what a heading, a clause or an item begins with.

Takes the folded text and a place in it, gives the label there (family, numbers, range) or none.
Never decides whether the label is one: 第三条 at a line's start may still be a reference.
"""

import re
from collections.abc import Callable, Iterator

import msgspec

from headworks.model.numerals import CHINESE_NUMERALS, integer, roman

_CN = f"[{CHINESE_NUMERALS}]"
# A dash stands for 一 where a hand or a scanner set one: 第—条, 十—、.
_CN_OR_DASH = f"[{CHINESE_NUMERALS}\\-]"
_NUMBER = rf"(?:{_CN_OR_DASH}(?:[ ]?{_CN_OR_DASH}){{0,11}}|\d{{1,4}})"


class Label(msgspec.Struct, frozen=True, gc=False):
    """A label as read: ``span`` of the label ``start:end``, ``title`` where its words begin.

    ``family`` says how it is written (``条``, ``一、``, ``（一）``, ``1.1``, ``附件`` …),
    ``numbers`` is its value, outermost first (第十条之一 is (10, 1), 3.2.1 is (3, 2, 1)).
    ``weak`` marks a label with nothing but white space between the number and the words
    (``4 甲方``), ``tight`` one with nothing at all (``1.1总则``). ``doubtful`` marks ``4. 3 甲方``
    and ``1-1 甲方``, labels only where 4.2 or 4 stands before; ``plain`` is what is read else.
    """

    family: str
    numbers: tuple[int, ...]
    start: int
    end: int
    title: int
    weak: bool = False
    tight: bool = False
    doubtful: bool = False
    plain: "Label | None" = None


# Families in the order in which they usually nest, outermost first. A document may nest them in
# another way; this order only says which way is likelier.
RANK: dict[str, int] = {
    "编": 1, "部分": 2, "卷": 2, "篇": 2, "分编": 3, "Part": 2, "附则": 3, "附件": 3, "附录": 3,
    "附表": 3,
    "附图": 3,
    "Annex": 3, "Appendix": 3, "Schedule": 3, "Exhibit": 3, "章": 4, "Chapter": 4, "节": 5,
    "Article": 6,
    "Section": 7, "条": 8, "I.": 9, "一、": 10, "议题": 9,
    "[一]": 11, "点": 11, "（一）": 12, "A.": 13, "1.": 14, "1、": 14,
    "A.1": 14,
    "1.1": 15, "1.1.1": 16, "1.1.1.1": 17, "款": 18, "（1）": 20, "1）": 22, "①": 24, "项": 24,
    "a）": 26, "（a）": 26, "a.": 26, "（i）": 28, "1.1.1.1.1": 18, "1.1.1.1.1.1": 19,
}  # fmt: skip

# Families that are clauses or above wherever they are used as labels at all.
MAJOR = frozenset(
    {"编", "部分", "卷", "篇", "分编", "章", "节", "条", "Part", "Chapter", "Article"}
)
APPENDIX = frozenset(
    {"附件", "附录", "附表", "附图", "附则", "Annex", "Appendix", "Schedule", "Exhibit"}
)

_ORDINAL = re.compile(
    rf"[第笫][ ]?(?:({_NUMBER})[ ]?(编|分编|部[分份]|卷|篇|章|节|条|款|项|点(?=[ 、:,.]))|"
    rf"\([ ]?({_NUMBER})[ ]?\)[ ]?(编|部[分份]|篇|章|节|条))(?:[ ]?之[ ]?({_NUMBER}))?"
)
_CHINESE = re.compile(
    rf"({_CN}(?:[ ]?{_CN_OR_DASH}){{0,5}}|-(?=、))[ ]?(?:([、.,:])|( {{1,8}})(?=[^ 、.,:]))"
)
_DECIMAL = re.compile(
    r"(\d{1,3}(?: ?[.·] ?\d{1,3}){1,5}|\d{1,2}(?:-\d{1,2}){1,3}(?=[ 、]|[^\W\d_a-z]))"
    r"(?![\d%‰])(?:([.、:)])(?!\d))?( *)",
    re.DOTALL,
)
_DIGITS = re.compile(r"(\d{1,3})(?: ?([.、])[.、]?(?!\d)|([.、]?\))| {1,8}(?=[^\W\d_]|[(<《\[\"]))")
_PAREN = re.compile(rf"\([ ]?(?:({_CN}{{1,4}})|(\d{{1,3}})|([a-z])|([ivx]{{2,4}}))[ ]?\)[、.]?")
_BRACKETED = re.compile(rf"\[[ ]?({_CN}{{1,3}})[ ]?\][、.]?")
_BRACKETED_PART = re.compile(rf"\[[ ]?第[ ]?({_NUMBER})[ ]?(部[分份]|[编卷篇章节])[ ]?\]")
_ATTACHED = re.compile(
    rf"附[ ]?(件|录|表|图|则(?=[ ]?(?:{_CN}|\d)[ ]?:))[ ]?"
    rf"(?:\[[ ]?\]|\[?({_CN}{{1,4}}|\d{{1,3}}|"
    rf"[a-z](?![a-z]))\]?"
    r"((?:[-.]\d{1,3}){0,3}))?"
)
_LETTER = re.compile(
    r"([a-z])((?:\.\d{1,3}){1,4}|(?: ?\. ?\d{1,3}){2,4})(?=[ \D]|$)\.?|"
    r"([a-z])(?:([.、:])(?!\w\.)|(\)))"
)
_ROMAN = re.compile(r"([ivx]{1,5}|[ⅰ-ⅿ]{1,4})(?:[.、]|(\)))")
_ENGLISH = re.compile(
    r"(article|section|chapter|part|annex|appendix|schedule|exhibit) "
    r"{0,2}(\d{1,3}(?:\.\d{1,3}){0,4}|[ivxlc]{1,6}(?![a-z])|[a-z](?![a-z]))(?![a-z0-9])"
)
_TOPIC = re.compile(
    rf"(?:议[题程]|[专主课]题|单元|模块)[ ]?({_CN}{{1,3}}|\d{{1,2}})[ ]?[:、. ](?!\d)"
)
_ENCLOSED = re.compile("[①-⒛㈠-㈩❶-➓][、.]?")
_AFTER = re.compile(r"[ 、.:\-]*")

# Words of measure after a number: 1.5万元, 2.5 mm, 3 天内 are amounts, no labels; but 3.1 分包, 2
# 条件.
_UNIT = re.compile(
    r"[亿%‰°℃²³×*~/=<>+±≤≥]|万(?=[元亿\s吨千人以平立件份]|$)|元[整/人以及的。,;]|个(?:工作|月|日|小时|自然|百分|年|以)|工作日|"
    r"(?:[元米吨寸度倍折年月日号时分秒天周岁人个件台套次份点页层张位路级条款项章节种名家字成]|公里|小时|分钟|平方|立方|"
    r"以上|以下|以内|以前|以后)(?=[^\w ]|$|[的内以前后或至到和与及、]|\d)|"
    r"(?:[kmcμnµ]?[mgvawl]|[kmg]?hz|k?pa|mpa|mm2|[kmgt]b|kva|kwh?|db|bps|cm|ghz|ms|s|in)(?![a-z])"
)
# Words that follow the number of a clause that is spoken of, not begun.
_REFERRING = re.compile(
    r"[ ]?(?:的(?!士)|规定|约定|所[述列指规约称]|项下|第[ ]?(?:\(|"
    r"[\d一二三四五六七八九十百]{1,6}[ ]?[款项条章节])|"
    r"[、,及和与或至到][ ]?(?:第[ ]?[\d一二三四五六七八九十]|附[件录表图]))"
    r"|款(?!项)|项(?!目)|之(?![一二三四五六七八九十])|[及和与或](?:本|其|前|上|下)|以[及外内上下]|中(?!标|国|华|文|期|止|间|介|小|心|央)"
    r"|内(?!容|部|外|控)|[至到](?=[\d一二三四五六七八九十])|[》〉」)\]]|要求的|执行|办理|处理|"
    r"承担|条件|情形"
)
# The same for （四）, 3）, ①, which are joined to their words as a rule.
_ITEM_REFERRING = re.compile(
    r"[ ]?(?:[项款目条点](?![目次题文件项])|[、和及与或至到][ ]?(?:\(|第|\d|[①-⒛]))"
)
# 第三章“评标办法”没有规定的 speaks of the chapter; 第三章“评标办法” alone is its title.
_QUOTED = re.compile(r"[\"《][^\"》\n]{1,24}[\"》][ ]?[^ (\n]")
_NAMED = frozenset(
    {
        "编",
        "部分",
        "卷",
        "篇",
        "分编",
        "章",
        "节",
        "条",
        "款",
        "项",
        "附件",
        "附录",
        "附表",
        "附图",
        "附则",
    }
)


def is_reference(folded: str, label: Label, end: int) -> bool:
    """Tell whether the words after a label speak of a clause rather than begin one."""
    if label.end >= end:
        return False
    if label.family in _NAMED:
        return (
            _REFERRING.match(folded, label.end, end) is not None
            or _QUOTED.match(folded, label.end, end) is not None
        )
    if label.family in _ENGLISH_FAMILIES:
        return _ENGLISH_REFERRING.match(folded, label.end, end) is not None
    if label.family.startswith("1.1"):
        at = folded[label.title : label.title + 2]
        return (
            (label.tight and _REFERRING.match(folded, label.end, end) is not None)
            or _POINT.match(folded, label.title, end) is not None
            or at[:1] in "的~"
        )
    return _ITEM_REFERRING.match(folded, label.end, end) is not None


_ENGLISH_FAMILIES = frozenset(
    {"Article", "Section", "Chapter", "Part", "Annex", "Appendix", "Schedule", "Exhibit"}
)
_ENGLISH_REFERRING = re.compile(
    r" ?(?:\([a-z\d]{1,3}\)|[,;)]|(?:of (?:this|the|that|such)|hereof|above|below|and|or|to|"
    r"through|shall|may|is|are|does|do|will|hereto|herein|attached|applies|apply|provides?|sets?)\b)"
)
_POINT = re.compile(
    r"(?:[a-z]|\d{1,2}|[一二三四五六七八九十])\)[项款中的、]|[款项条节章](?:[的规约中、,]|$)"
)


_MARKDOWN = re.compile(r"#{1,6} +\**")
# White space, and the marks that tenders set before what must be met.
_BEFORE = frozenset(" \n\t★☆▲△●■◆※*")


def read(text: str, folded: str, start: int, end: int) -> Label | None:
    """Give the label that the stretch ``start:end`` begins with (after white space), or none.

    ``folded`` is the folded view of ``text``; the text itself tells capital from small letters.
    """
    while start < end and folded[start] in _BEFORE:
        start += 1
    if start < end and folded[start] == "#":
        # Marks of Markdown that were left in a text: #### **一、总则**.
        marks = _MARKDOWN.match(folded, start, end)
        start = marks.end() if marks is not None else end
    if start >= end:
        return None
    reader = _FIRST.get(folded[start])
    return reader(text, folded, start, end) if reader is not None else None


def within(text: str, folded: str, start: int, end: int) -> Iterator[Label]:
    """Give the labels inside a paragraph that may begin a further clause or item."""
    for match in INNER.finditer(folded, start, end):
        label = read(text, folded, match.end(), end)
        if label is not None and label.doubtful:
            label = label.plain
        if label is not None and not label.weak:
            yield label


INNER = re.compile(
    rf"[\n。;；:，,.!?！？ ] *(?=第[ ]?{_NUMBER}[ ]?[条章节]|\d{{1,3}}\.\d|\d{{1,2}}[.、)]|"
    rf"\({_CN}{{1,3}}\)|\(\d{{1,2}}\)|[①-⒛]|{_CN}{{1,3}}、)"
)


def _title_start(folded: str, at: int, end: int) -> int:
    match = _AFTER.match(folded, at, end)
    return match.end() if match else at


def _value(written: str) -> int | None:
    return integer(written.replace("-", "一") if "-" in written else written)


def _ordinal(_text: str, folded: str, start: int, end: int) -> Label | None:
    match = _ORDINAL.match(folded, start, end)
    if match is None:
        return None
    number, after = _value(match[1] or match[3]), match[5]
    if number is None:
        return None
    numbers: tuple[int, ...] = (number,)
    if after is not None:
        second = integer(after)
        if second is None:
            return None
        numbers = (number, second)
    title = _title_start(folded, match.end(), end)
    family = (match[2] or match[4]).replace("份", "分")
    return Label(
        family, numbers, start, match.end(), title, tight=title == match.end() and title < end
    )


def _chinese(_text: str, folded: str, start: int, end: int) -> Label | None:
    match = _CHINESE.match(folded, start, end)
    if match is None:
        return None
    number = _value(match[1])
    if not number or number > 199:
        return None
    weak = match[2] is None or match[2] in ",:"
    stop = match.end() if match[2] else match.end(1)
    # 一、二、三、 in a row is an enumeration, as in 一、二级.
    if match[2] == "、" and stop < end and folded[stop] in CHINESE_NUMERALS:
        following = _CHINESE.match(folded, stop, end)
        if following is not None and integer(following[1]) == number + 1:
            return None
    return Label("一、", (number,), start, stop, _title_start(folded, stop, end), weak=weak)


def _digits(_text: str, folded: str, start: int, end: int) -> Label | None:
    decimal = _DECIMAL.match(folded, start, end)
    return _single(folded, start, end) if decimal is None else _decimal(decimal, folded, start, end)


def _single(folded: str, start: int, end: int) -> Label | None:
    match = _DIGITS.match(folded, start, end)
    if match is None:
        return None
    number = int(match[1])
    if match[3]:
        family = "1）"
    elif match[2]:
        family = "1、" if match[2] == "、" else "1."
    else:
        family = "1."
    weak = not (match[2] or match[3])
    stop = match.end(1) if weak else match.end()
    title = _title_start(folded, stop, end)
    if weak and (number == 0 or _UNIT.match(folded, title, end)):
        return None
    return Label(family, (number,), start, stop, title, weak=weak)


def _decimal(match: re.Match[str], folded: str, start: int, end: int) -> Label | None:
    written = match[1]
    parts = _NOT_DIGITS.split(written)
    # 4. 3 台 may be point 4 with an amount, 1-1 a range: what stands before decides.
    doubtful = _SURE_DECIMAL.fullmatch(written) is None
    plain = _single(folded, start, end) if doubtful else None
    if not doubtful and any(len(part) > 1 and part[0] == "0" for part in parts):
        return None
    numbers = tuple(int(part) for part in parts)
    if max(numbers) > 199 or 0 in numbers[:1] or match[2] == ")":
        return plain
    stop = match.end(2) if match[2] else match.end(1)
    title = _title_start(folded, stop, end)
    amount = not match[2] and title < end and _UNIT.match(folded, title, end) is not None
    if amount or (len(numbers) == 4 and max(numbers) > 60):
        return plain
    family = ".".join("1" * len(numbers))
    tight = title == match.end(1) and title < end
    return Label(family, numbers, start, stop, title, False, tight, doubtful, plain)


_NOT_DIGITS = re.compile(r"\D+")
_SURE_DECIMAL = re.compile(r"\d+(?:\.\d+)+")


def _paren(text: str, folded: str, start: int, end: int) -> Label | None:
    match = _PAREN.match(folded, start, end)
    if match is None:
        return None
    number: int | None
    if match[1]:
        family, number = "（一）", integer(match[1])
    elif match[2]:
        family, number = "（1）", int(match[2])
    elif match[3]:
        family, number = "（a）", ord(match[3]) - 96
    else:
        family, number = "（i）", roman(match[4])
    if not number:
        return None
    del text
    return Label(family, (number,), start, match.end(), _title_start(folded, match.end(), end))


def _bracketed(_text: str, folded: str, start: int, end: int) -> Label | None:
    part = _BRACKETED_PART.match(folded, start, end)
    value = _value(part[1]) if part is not None else None
    if part is not None and value:
        family = part[2].replace("份", "分")
        return Label(family, (value,), start, part.end(), _title_start(folded, part.end(), end))
    match = _BRACKETED.match(folded, start, end)
    number = integer(match[1]) if match is not None else None
    if match is None or not number:
        return None
    return Label("[一]", (number,), start, match.end(), _title_start(folded, match.end(), end))


def _attached(text: str, folded: str, start: int, end: int) -> Label | None:
    match = _ATTACHED.match(folded, start, end)
    if match is None:
        return None
    numbers: tuple[int, ...] = ()
    if match[2]:
        number = integer(match[2])
        if number is None:
            if not text[match.start(2)].isupper():
                return None
            number = ord(match[2]) - 96
        numbers = (number, *(int(part) for part in re.findall(r"\d+", match[3] or "")))
    stop = match.end()
    title = _title_start(folded, stop, end)
    return Label(
        "附" + match[1], numbers, start, stop, title, weak=not numbers,
        tight=title == stop and title < end,
    )  # fmt: skip


def _letter(text: str, folded: str, start: int, end: int) -> Label | None:
    english = _ENGLISH.match(folded, start, end)
    if english is not None:
        return _english(english, text, folded, end)
    match = _ROMAN.match(folded, start, end)
    if match is not None and not match[2] and text[start].isupper():
        number = roman(match[1])
        if number:
            return Label(
                "I.", (number,), start, match.end(), _title_start(folded, match.end(), end)
            )
    match = _LETTER.match(folded, start, end)
    if match is None:
        return None
    title = _title_start(folded, match.end(), end)
    if match[1]:
        if not text[start].isupper():
            return None
        numbers = (ord(match[1]) - 96, *(int(part) for part in match[2].split(".")[1:]))
        return Label("A" + ".1" * (len(numbers) - 1), numbers, start, match.end(2), title)
    family = "a）" if match[5] else ("A." if text[start].isupper() else "a.")
    return Label(family, (ord(match[3]) - 96,), start, match.end(), title)


def _english(match: re.Match[str], text: str, folded: str, end: int) -> Label | None:
    if not text[match.start()].isupper():
        return None
    written = match[2]
    numbers: tuple[int, ...]
    if written[0].isdigit():
        numbers = tuple(int(part) for part in written.split("."))
    else:
        number = ord(written) - 96 if len(written) == 1 and written not in "ivx" else roman(written)
        if not number:
            return None
        numbers = (number,)
    title = _title_start(folded, match.end(), end)
    return Label(match[1].capitalize(), numbers, match.start(), match.end(), title)


def _topic(_text: str, folded: str, start: int, end: int) -> Label | None:
    match = _TOPIC.match(folded, start, end)
    number = integer(match[1]) if match is not None else None
    if match is None or not number:
        return None
    return Label("议题", (number,), start, match.end(), _title_start(folded, match.end(), end))


def _enclosed(_text: str, folded: str, start: int, end: int) -> Label | None:
    match = _ENCLOSED.match(folded, start, end)
    if match is None:
        return None
    code = ord(folded[start])
    family, number = "①", _enclosed_number(code)
    if 0x2474 <= code <= 0x2487:
        family = "（1）"
    elif 0x2488 <= code <= 0x249B:
        family = "1."
    elif 0x3220 <= code <= 0x3229:
        family = "（一）"
    return Label(family, (number,), start, match.end(), _title_start(folded, match.end(), end))


def _enclosed_number(code: int) -> int:
    for first, last in ((0x2460, 0x2473), (0x2474, 0x2487), (0x2488, 0x249B), (0x3220, 0x3229)):
        if first <= code <= last:
            return code - first + 1
    return (code - 0x2776) % 10 + 1


_Reader = Callable[[str, str, int, int], Label | None]
_FIRST: dict[str, _Reader] = {
    "第": _ordinal,
    "笫": _ordinal,
    "-": _chinese,
    "附": _attached,
    "(": _paren,
    "[": _bracketed,
    **dict.fromkeys("议专主单模课", _topic),
    **dict.fromkeys(CHINESE_NUMERALS, _chinese),
    **dict.fromkeys("0123456789", _digits),
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyzⅰⅱⅲⅳⅴⅵⅶⅷⅸⅹ", _letter),
    **dict.fromkeys(map(chr, range(0x2460, 0x249C)), _enclosed),
    **dict.fromkeys(map(chr, (*range(0x3220, 0x322A), *range(0x2776, 0x2794))), _enclosed),
}
