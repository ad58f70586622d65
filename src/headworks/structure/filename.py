"""The file's name beside its text: what both say is a tag, what they say differently a warning.

Takes a document, gives it with tags (version, date, project, amount) and ``W_FILENAME`` problems.
Never takes a tag from the name alone, never warns where the text does not state the matter itself.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

import msgspec

from headworks.model.document import Document
from headworks.model.folding import fold
from headworks.model.numerals import CHINESE_NUMERALS, integer
from headworks.model.place import Span, describe
from headworks.model.problem import Problem

HEAD = 4_000  # code points in which a document says what it is
LEAST_PROJECT = 4  # code points
ALIKE = 0.34  # share of common pairs of characters below which two names differ

_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}$")
_NUMBER = r"(\d{1,3}(?:\.\d{1,3}){0,3})"
_VERSION = re.compile(
    rf"(?<![A-Za-z0-9])(?:v|ver|version|rev)[. ]?{_NUMBER}(?![A-Za-z0-9.]*\d)"
    rf"|第([{CHINESE_NUMERALS}\d]{{1,3}})版(?!本)|版本(?:号)?[:： ]?{_NUMBER}",
    re.I,
)
_STATED_VERSION = re.compile(
    r"(?:版本(?:号)?|版次|version|revision|rev)(?: ?[:：] ?| +)(?:v|ver)?[. ]?"
    rf"{_NUMBER}(?![\d.])",
    re.I,
)
_DATE = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?: ?年 ?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?"
    r"|([-./_])(\d{1,2})\4(\d{1,2})(?!\d)|(\d\d)(\d\d)?(?!\d))"
)
_STATED_DATE = re.compile(
    r"(?:签订|签署|签约|编制|发布|印发|会议|合同|成文|落款)(?:日期|时间)[^\S\n]?[:：][^\S\n]*"
)
_AMOUNT = re.compile(
    r"(?<![\d.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?) ?(亿元|万元|千元|元|亿|万)"
)
_STATED_AMOUNT = re.compile(
    r"(?:合同|项目)?(?:总价款?|总金额|合同金额|合同价款?|预算金额|中标金额|成交金额|总额)"
    r"[^\d。；\n]{0,16}$"
)
_UNITS = {"亿": 100_000_000, "万": 10_000, "千": 1_000, "元": 1}
_STATED_PROJECT = re.compile(r"(?:项目|工程|标段)名称[^\S\n]?[:：\t][^\S\n]*([^\n\t]{4,60})")
_PARTS = re.compile(r"[-_—–+,，、;；()（）\[\]【】《》〈〉\s]+")
_PROJECT = re.compile(r".*(?:项目|工程|系统|平台|改造|建设|采购|服务)")
_KIND = re.compile(
    r"(?:公开)?(?:招标|投标|采购|磋商|谈判|询价|比选)?(?:文件|公告|合同|协议|合同书|协议书|方案|报告"
    r"|说明书?|纪要|通知|清单|终稿|定稿|初稿|草案|修订版|扫描件|盖章版|正式版)*$"
)

Found = tuple[str, Span]


class _Matter(msgspec.Struct, frozen=True):
    """One thing a name may say: its tag, what the name says, the text's mentions, its statements.

    ``shown`` is the tag's value; ``mentions`` and ``stated`` are comparable values with places.
    """

    tag: str
    shown: str
    value: str
    mentions: list[Found]
    stated: list[Found]


def check_name(document: Document) -> Document:
    """Give the document with tags and warnings from its name."""
    name = fold(_SUFFIX.sub("", document.source.name))
    text = document.folded
    matters = [
        *_versions(name, document, text),
        *_dates(name, text),
        *_amounts(name, text),
        *_projects(name, text),
    ]
    if not matters:
        return document
    tags, problems = dict(document.metadata.tags), list(document.problems)
    for matter in matters:
        if any(_agree(matter, value) for value, _ in (*matter.mentions, *matter.stated)):
            tags.setdefault(matter.tag, matter.shown)
        elif matter.stated:
            problems.append(_contradiction(document, matter))
    metadata = msgspec.structs.replace(document.metadata, tags=tags)
    return msgspec.structs.replace(document, metadata=metadata, problems=tuple(problems))


def _agree(matter: _Matter, value: str) -> bool:
    if matter.tag == "project":
        return value in matter.value or matter.value in value
    if matter.tag == "date":  # a month agrees with each of its days
        return value.startswith(matter.value) or matter.value.startswith(value)
    return value == matter.value


def _contradiction(document: Document, matter: _Matter) -> Problem:
    span = matter.stated[0][1]
    block = document.block_at(span.start)
    message = f"{matter.tag}: the name says {matter.shown}, the text {document.slice(span)}"
    place = describe(block.place) if block is not None else ""
    return Problem("W_FILENAME", message, place, span=span)


def _versions(name: str, document: Document, text: str) -> Iterator[_Matter]:
    found = list(_VERSION.finditer(name))
    if not found:
        return
    number = _version_number(found[-1])
    # Headers and footers carry versions, wherever they stand in the text.
    spans = [Span(0, min(HEAD, len(text)))]
    spans += [b.span for b in document.blocks if b.role in ("page_header", "page_footer")][:40]
    mentions = [
        (_trimmed(_version_number(match)), Span(*match.span()))
        for span in spans
        for match in _VERSION.finditer(text, span.start, span.end)
    ]
    stated = [
        (_trimmed(match.group(1)), Span(*match.span()))
        for span in spans
        for match in _STATED_VERSION.finditer(text, span.start, span.end)
    ]
    yield _Matter("version", f"v{number}", _trimmed(number), mentions, stated)


def _version_number(match: re.Match[str]) -> str:
    if match.group(2):
        return str(integer(match.group(2)) or match.group(2))
    return match.group(1) or match.group(3)


def _trimmed(number: str) -> str:
    """Give 2 for 2.0, so that both are one version."""
    while number.endswith(".0"):
        number = number[:-2]
    return number


def _dates(name: str, text: str) -> Iterator[_Matter]:
    for match in _DATE.finditer(name):
        value = _date(match)
        if value is None:
            continue
        mentions = [
            (found, Span(*other.span()))
            for other in _DATE.finditer(text)
            if (found := _date(other)) is not None
        ]
        stated = []
        for label in _STATED_DATE.finditer(text):
            other = _DATE.match(text, label.end())
            if other and (found := _date(other)) is not None:
                stated.append((found, Span(*other.span())))
        yield _Matter("date", value, value, mentions, stated)
        return


def _date(match: re.Match[str]) -> str | None:
    """Give 2024-03-15 or 2024-03, or none where it is no date."""
    year, month, day, _, numbered, day_of, month_of, last = match.groups()
    month, day = month or numbered or month_of, day or day_of or last
    if month is None or not 1 <= int(month) <= 12:
        return None
    if day is None:
        return f"{year}-{int(month):02}"
    return f"{year}-{int(month):02}-{int(day):02}" if 1 <= int(day) <= 31 else None


def _amounts(name: str, text: str) -> Iterator[_Matter]:
    match = _AMOUNT.search(name)
    if match is None:
        return
    mentions, stated = [], []
    for other in _AMOUNT.finditer(text):
        found = (_amount(other), Span(*other.span()))
        mentions.append(found)
        if _STATED_AMOUNT.search(text, max(0, other.start() - 40), other.start()):
            stated.append(found)
    value = _amount(match)
    yield _Matter("amount", value, value, mentions, stated)


def _amount(match: re.Match[str]) -> str:
    number = Decimal(match.group(1).replace(",", "")) * _UNITS[match.group(2)[0]]
    return f"{number.normalize():f}"


def _projects(name: str, text: str) -> Iterator[_Matter]:
    parts = [_AMOUNT.sub("", _DATE.sub("", part)) for part in _PARTS.split(name)]
    names = [project for part in parts if (project := _project(part))]
    if not names:
        return
    stated = [
        (match.group(1).strip(), Span(*match.span(1)))
        for match in _STATED_PROJECT.finditer(text[: 4 * HEAD])
    ]
    best = max(names, key=len)
    mentions = [(best, Span(at, at + len(best)))] if (at := text.find(best)) >= 0 else []
    differing = [found for found in stated if _likeness(best, found[0]) < ALIKE]
    yield _Matter(
        "project", best, best, mentions, stated if len(differing) < len(stated) else differing
    )


def _project(part: str) -> str | None:
    """Give the project's name in a part of the file's name, without the kind of document."""
    project = _KIND.sub("", part)
    if len(project) < LEAST_PROJECT or _PROJECT.fullmatch(project) is None:
        return None
    return project


def _likeness(one: str, other: str) -> float:
    pairs, others = _pairs(one), _pairs(other)
    return len(pairs & others) / max(1, min(len(pairs), len(others)))


def _pairs(name: str) -> set[str]:
    return {name[index : index + 2] for index in range(len(name) - 1)}
