"""Periods: 30天, 15日内, 三个月, 5个工作日, 两年, 一年半, 半年, 24小时, 一个半月.

Takes folded text, gives values of kind period as ISO 8601 durations that keep the unit written
(``P30D``, ``P3M``, ``PT24H``; working days ``P5WD``). Never takes 2024年, 3月5日 or 第三年.
"""

import re
from decimal import Decimal
from functools import lru_cache

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity, period_days
from headworks.rules.entities.numbers import (
    HAN_NUMERALS,
    RUN,
    low_end,
    matches_within,
    plain,
    read_number,
)

_UNITS = {
    "工作日": "P{}WD", "交易日": "P{}WD", "自然日": "P{}D", "日历日": "P{}D", "日历天": "P{}D",
    "天": "P{}D", "日": "P{}D", "周": "P{}W", "星期": "P{}W", "礼拜": "P{}W", "月": "P{}M",
    "季度": "quarter", "年": "P{}Y", "周年": "P{}Y", "小时": "PT{}H", "h": "PT{}H", "分钟": "PT{}M",
    "min": "PT{}M", "秒": "PT{}S", "秒钟": "PT{}S",
    "days": "P{}D", "day": "P{}D", "weeks": "P{}W", "week": "P{}W", "months": "P{}M",
    "month": "P{}M", "years": "P{}Y", "year": "P{}Y", "hours": "PT{}H", "hour": "PT{}H",
    "minutes": "PT{}M", "minute": "PT{}M", "working days": "P{}WD", "business days": "P{}WD",
}  # fmt: skip
_PERIOD = lazy(
    rf"(?<![0-9a-z第.每])(?P<half>半)?(?P<run>{RUN})?"
    rf"(?P<paren>[ ]?\([0-9零一二三四五六七八九十百两]{{1,5}}\))?"
    rf"[ ]{{0,2}}(?P<ge>个)?(?P<mid>半)?[ ]?"
    rf"(?P<unit>工作日|交易日|自然日|日历[日天]|天|日|周年|周(?![年岁围边转期])|星期|礼拜|季度"
    rf"|月(?!份|[0-9一二三四五六七八九十])|年(?!度|级|代|份|第|[0-9]{{1,2}}月)|小时|分钟|秒钟?"
    rf"|(?:(?:working|business) days?|days?|weeks?|months?|years?|hours?|minutes?|h|min)(?![a-z]))"
    rf"(?P<tail>半)?"
)
_GATE = lazy(
    r"[日天周月年]|星期|礼拜|季度|小时|分钟|秒|[0-9] ?(?:day|week|month|year|h|min|work|bus)"
)
# The only characters of a match; one without a number or 半 is none.
_SEGMENT = lazy(
    rf"[0-9{HAN_NUMERALS}.,余多点 ()半个工作日交易自然历天周星期礼拜季度月年小时分钟秒a-z]{{2,}}"
)
_NUMBER = lazy(rf"[0-9{HAN_NUMERALS}半]")
# 日 is a period after or before one of these; alone it is a day of the month.
_DAY_AFTER = lazy(r"[ ]?(?:内|以内|之内|以上|以下|后|之后|以后|前|之前|的|期间|为限|历天)")
_DAY_BEFORE = lazy(
    r"(?:提前|超过|少于|多于|低于|高于|大于|小于|满|达到?|逾期|延迟|迟延|期限?为?|期限?[:]|共计?|连续|至少|最多|延长|不足|之日起|日起算?)$"
)


def find_periods(text: str) -> list[Value]:
    """Give every period, in order."""
    if not _GATE.search(text):
        return []
    found = []
    for match in matches_within(_PERIOD, _SEGMENT, _NUMBER, text):
        quantity = _period(match)
        if quantity is not None and not quantity.reason and not _is_calendar(match):
            span = Span(match.start(), match.end())
            found += _lower(text, match)
            found.append(Value(match.group(), "period", quantity.value, span))
    return found


def _lower(text: str, match: re.Match[str]) -> list[Value]:
    """The lower end of 3-5天 and 三至五个工作日, in the unit of the upper one."""
    low = low_end(text, match.start()) if match["run"] and not match["half"] else None
    if low is None:
        return []
    start, number = low
    unit = match["unit"] if match["unit"] in _UNITS else match["unit"].rstrip("s") + "s"
    pattern, value = _UNITS[unit], number.value
    if pattern == "quarter":
        pattern, value = "P{}M", value * 3
    end = start + len(text[start : match.start()].rstrip(" -~至到"))
    return [Value(text[start:end], "period", pattern.format(plain(value)), Span(start, end))]


def parse_period(text: str) -> Quantity | None:
    """Give the period that the whole folded text writes."""
    match = _PERIOD.fullmatch(text)
    return _period(match) if match else None


def _period(match: re.Match[str]) -> Quantity | None:
    run, half = match["run"], match["half"]
    if bool(run) == bool(half):
        return None
    more = bool(match["mid"] or match["tail"])
    length = _length(run, more, match["unit"])
    if length is None:
        return None
    written, days, reason = length
    return Quantity(match.group(), "period", written, days, match["unit"], reason)


@lru_cache(maxsize=4_000)
def _length(run: str | None, more: bool, unit: str) -> tuple[str, Decimal, str] | None:
    """Give the duration of so many units (``more``: and a half), in days too, and its doubt."""
    number = read_number(run) if run else None
    if run and number is None:
        return None
    value = number.value if number else Decimal("0.5")
    if more:
        value += Decimal("0.5")
    singular = unit if unit in _UNITS else unit.rstrip("s") + "s"
    pattern = _UNITS[singular]
    if pattern == "quarter":
        value, pattern = value * 3, "P{}M"
    if pattern in ("P{}Y",) and value != value.to_integral_value() and value % 1 == Decimal("0.5"):
        value, pattern = value * 12, "P{}M"
    written = pattern.format(plain(value))
    return written, period_days(written), number.reason if number else ""


def _is_calendar(match: re.Match[str]) -> bool:
    """Tell a point of the calendar (2024年, 3月, 5日) from a length of time."""
    run, unit, text = match["run"] or "", match["unit"], match.string
    before = text[max(0, match.start() - 6) : match.start()].rstrip()
    if unit == "年":
        if len(run) == 4 or (run.isdigit() and int(run) > 200):
            return True
        return before.endswith(("年", "月"))
    if unit == "月":
        return not match["ge"] and not match["half"]
    if unit == "日":
        if before.endswith(("月", "年")):
            return True
        return not (_DAY_AFTER.match(text, match.end()) or _DAY_BEFORE.search(before))
    if unit in ("季度", "星期", "周", "礼拜") and not match["ge"]:
        return unit == "季度" or (run in ("四", "一") and not _DAY_AFTER.match(text, match.end()))
    return False
