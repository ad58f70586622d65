"""Typed entities of the rule language: one recogniser each, by every name an author may use.

Takes nothing, gives ``RECOGNIZERS`` and the comparison. Never guesses.
"""

from headworks.rules.entities.base import Operator, Quantity, Recognizer, bounds, compare
from headworks.rules.entities.counts import find_numbers
from headworks.rules.entities.dates import find_dates
from headworks.rules.entities.literal import parse_quantity
from headworks.rules.entities.money import find_amounts
from headworks.rules.entities.periods import find_periods
from headworks.rules.entities.personal import PERSONAL
from headworks.rules.entities.ratio import find_percents

__all__ = [
    "RECOGNIZERS",
    "Operator",
    "Quantity",
    "Recognizer",
    "bounds",
    "compare",
    "parse_quantity",
]

_OWN = (
    Recognizer("amount", "金额", ("amount",), find_amounts, ("价款", "money"), "万元"),
    Recognizer(
        "percent",
        "百分比",
        ("percent",),
        find_percents,
        ("比例", "百分率", "percentage", "ratio"),
        "%",
    ),
    Recognizer("date", "日期", ("date",), find_dates, ("时间",), ""),
    Recognizer("period", "期限", ("period",), find_periods, ("天数", "时长", "duration"), "天"),
    Recognizer("number", "数值", ("number",), find_numbers, ("数字",), ""),
)

RECOGNIZERS: dict[str, Recognizer] = {
    name: recognizer
    for recognizer in (*_OWN, *PERSONAL)
    for name in (recognizer.name, recognizer.zh, *recognizer.aliases)
}
