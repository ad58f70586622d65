"""Dates: 2024年1月1日, 2024-01-01, 二〇二四年三月, 2024年5月8日上午9:30, January 1, 2024.

Takes folded text, gives values of kind date in ISO 8601, as precise as written (``2024``,
``2024-03``, ``2024-03-05``, ``2024-03-05T09:30``). Never gives a day that no calendar has.
"""

import re
from datetime import date
from decimal import Decimal

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity, bounds
from headworks.rules.entities.numbers import HAN_DIGITS, matches_within, read_number

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_WORD = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_SMALL = r"(?:[0-9]{1,2}|[一二三四五六七八九十廿卅]{1,3})"
_DATE = lazy(
    rf"(?<![0-9{HAN_DIGITS}.])(?P<year>[12][0-9]{{3}}|[一二][{HAN_DIGITS}]{{3}})[ ]{{0,3}}年度?"
    rf"(?:[ ]{{0,3}}(?P<month>{_SMALL})[ ]{{0,3}}月"
    rf"(?:份|[ ]{{0,3}}(?P<day>{_SMALL})[ ]{{0,3}}[日号])?)?"
    rf"(?P<clock>[ ,]?(?P<half>上午|下午|晚上|晚|中午)?[ ]?(?P<hour>[0-9]{{1,2}})"
    rf"(?:[:时点](?P<minute>[0-9]{{2}})分?|[时点]整?))?"
    rf"|(?<![0-9a-z./-])(?P<y>(?:19|20)[0-9]{{2}})(?P<dash>[-/.])(?P<m>[0-9]{{1,2}})"
    rf"(?P=dash)(?P<d>[0-9]{{1,2}})(?![0-9]|[-/.][0-9])"
    rf"|(?<=日期)[: ]{{0,3}}(?P<packed>(?:19|20)[0-9]{{6}})(?![0-9])"
    rf"|(?<![a-z])(?P<mon>{_MONTH_WORD})\.?[ ](?P<dd>[0-9]{{1,2}})(?:st|nd|rd|th)?,?[ ]"
    rf"(?P<yyyy>[12][0-9]{{3}})(?![0-9])"
    rf"|(?<![0-9a-z])(?P<dd2>[0-9]{{1,2}})(?:st|nd|rd|th)?[ ](?P<mon2>{_MONTH_WORD})\.?,?[ ]"
    rf"(?P<yyyy2>[12][0-9]{{3}})(?![0-9])"
)
_GATE = lazy(rf"[0-9]{{4}}|[{HAN_DIGITS}]{{4}}")
# The only characters of a match; a year is always there.
_SEGMENT = lazy(rf"[0-9{HAN_DIGITS}十廿卅 年度月份日号,上午下晚中时点分整:./a-z-]{{4,}}")


def find_dates(text: str) -> list[Value]:
    """Give every date, in order."""
    if not _GATE.search(text):
        return []
    found = []
    for match in matches_within(_DATE, _SEGMENT, _GATE, text):
        value = _iso(match)
        if value:
            start = match.start("packed") if match["packed"] else match.start()
            end = match.end()
            if match["clock"] and "T" not in value:
                end = match.start("clock")
            found.append(Value(text[start:end], "date", value, Span(start, end)))
    return found


_DAY_OF_YEAR = lazy(
    rf"(?<![0-9年./-])(?<!年 )(?P<month>{_SMALL})[ ]?月"
    rf"[ ]?(?:(?P<day>{_SMALL})[ ]?[日号]|[底末初]|[上中下]旬)"
    rf"|(?P<when>(?:本|下|上)(?:周|星期|礼拜)[一二三四五六日天]|(?:本|下|次|当)?月[底末]"
    rf"|年底|(?:本|下)周内?)(?=[前内之完。,;)]|$)"
)


def find_days(text: str) -> list[Value]:
    """Give days without a year, in order: 3月18日 is ``03-18``, 3月底 ``03``, 本周五 itself."""
    if "月" not in text and "周" not in text and "年底" not in text:
        return []
    found = []
    for match in _DAY_OF_YEAR.finditer(text):
        value = match["when"] or ""
        if match["month"]:
            # A leap year: 29 February may be meant.
            whole = _day("2024", match["month"], match["day"] or "1")
            value = whole[5:] if match["day"] else whole[5:7]
        if value:
            found.append(Value(match.group(), "day", value, Span(*match.span())))
    return found


def parse_date(text: str) -> Quantity | None:
    """Give the date that the whole folded text writes; one outside the calendar has a reason."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    value = _iso(match)
    if not value:
        return Quantity(text, "date", "", Decimal(0), "", "日历上没有这一天")
    return Quantity(text, "date", value, bounds("date", value)[0])


def _iso(match: re.Match[str]) -> str:
    """ISO form of a match, empty where the calendar has no such day."""
    if match["packed"]:
        packed = match["packed"]
        return _day(packed[:4], packed[4:6], packed[6:])
    if match["y"]:
        return _day(match["y"], match["m"], match["d"])
    if match["mon"] or match["mon2"]:
        month = _MONTHS.index((match["mon"] or match["mon2"])[:3]) + 1
        year = match["yyyy"] or match["yyyy2"]
        return _day(year, str(month), match["dd"] or match["dd2"])
    year = match["year"]
    year = year if year.isdigit() and year.isascii() else _whole(year)
    if not match["month"]:
        return year
    if not match["day"]:
        return _day(year, match["month"], "1")[:7]
    day = _day(year, match["month"], match["day"])
    return day + _clock(match) if day else ""


def _day(year: str, month: str, day: str) -> str:
    try:
        return date(int(year), int(_whole(month)), int(_whole(day))).isoformat()
    except ValueError:
        return ""


def _clock(match: re.Match[str]) -> str:
    if not match["hour"]:
        return ""
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if match["half"] in ("下午", "晚上", "晚") and hour < 12:
        hour += 12
    if hour > 23 or minute > 59:
        return ""
    return f"T{hour:02d}:{minute:02d}"


def _whole(text: str) -> str:
    number = read_number(text)
    return str(int(number.value)) if number else "0"
