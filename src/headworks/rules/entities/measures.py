"""Technical values with their unit: 10kV, 380V, 0.4 千伏, -20℃, 55 kW, IP54, 50Hz, 1.2m.

Takes folded text, gives values in the base unit (volt, ampere, watt, hertz, metre, kilogram,
pascal, degree Celsius). Never takes a unit out of a longer word.
"""

import re
from collections.abc import Callable
from decimal import Decimal

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity
from headworks.rules.entities.numbers import plain

# Folding lowers case: mw is read as megawatt, mv and ma as milli.
_UNITS: dict[str, dict[str, str]] = {
    "voltage": {
        "kv": "1000", "千伏": "1000", "v": "1", "伏": "1", "伏特": "1", "mv": "0.001",
        "毫伏": "0.001", "vac": "1", "vdc": "1",
    },
    "current": {
        "ka": "1000", "千安": "1000", "a": "1", "安": "1", "安培": "1", "ma": "0.001",
        "毫安": "0.001",
    },
    "power": {
        "mw": "1000000", "兆瓦": "1000000", "kw": "1000", "千瓦": "1000", "w": "1", "瓦": "1",
        "gw": "1000000000", "kva": "1000", "mva": "1000000", "千伏安": "1000", "兆伏安": "1000000",
    },
    "frequency": {"ghz": "1000000000", "mhz": "1000000", "khz": "1000", "hz": "1", "赫兹": "1",
                  "赫": "1"},
    "temperature": {"℃": "1", "°c": "1", "摄氏度": "1", "度": "1"},
    "dimension": {
        "mm": "0.001", "毫米": "0.001", "cm": "0.01", "厘米": "0.01", "m": "1", "米": "1",
        "km": "1000", "公里": "1000", "千米": "1000", "公分": "0.01",
    },
    "mass": {"kg": "1", "公斤": "1", "千克": "1", "g": "0.001", "克": "0.001", "t": "1000",
             "吨": "1000"},
    "pressure": {"mpa": "1000000", "kpa": "1000", "pa": "1", "兆帕": "1000000", "千帕": "1000",
                 "帕": "1"},
}  # fmt: skip
# 380 in AC380V counts, the 12 of A12m does not.
_BEFORE = r"(?:(?<=[ad]c)|(?<![0-9a-z.])(?<![0-9],))"
_NUMBER = r"(?P<number>[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)"
# Units that are words or letters of their own: what must stand before them to be read as units.
_NEEDS = {
    "度": ("温", "零下", "热", "冷"),
    "a": ("电", "流", "开关", "断路", "熔", "容量", "≤", "≥", "v"),
    "安": ("电", "流", "开关", "断路", "熔"),
}
_IP = lazy(r"(?<![a-z0-9])ip[ -]?(?P<solid>[0-6x])(?P<water>[0-9x])(?![0-9])")


def _pattern(units: dict[str, str]) -> re.Pattern[str]:
    words = sorted(units, key=lambda unit: (-len(unit), unit))
    spelled = "|".join(
        re.escape(word) + ("(?![a-z0-9]|/[a-z])" if word[-1].isascii() else "") for word in words
    )
    return lazy(_BEFORE + rf"(?:(?P<sign>[-+±])[ ]?)?{_NUMBER}[ ]?(?P<unit>{spelled})")


_PATTERNS = {kind: _pattern(units) for kind, units in _UNITS.items()}


def finder(kind: str) -> Callable[[str], list[Value]]:
    """Give the recogniser of one kind of technical value."""
    pattern = _PATTERNS[kind]

    def find(text: str) -> list[Value]:
        found = []
        for match in pattern.finditer(text):
            wanted = _NEEDS.get(match["unit"])
            if wanted and not _is_spoken_of(match, wanted):
                continue
            span = Span(*match.span())
            found.append(Value(match.group(), kind, plain(_base(kind, match)), span))
        return found

    return find


def find_ip_grades(text: str) -> list[Value]:
    """Give every degree of protection; ``54`` for IP54, an open digit is 0."""
    return [
        Value(match.group(), "ip_grade", _grade(match), Span(*match.span()))
        for match in _IP.finditer(text)
    ]


def parse_measure(text: str) -> Quantity | None:
    """Give the technical value that the whole folded text writes."""
    grade = _IP.fullmatch(text)
    if grade:
        return Quantity(text, "ip_grade", _grade(grade), Decimal(_grade(grade)), "ip")
    for kind, pattern in _PATTERNS.items():
        match = pattern.fullmatch(text)
        if match and match["unit"] != "度":
            value = _base(kind, match)
            return Quantity(text, kind, plain(value), value, match["unit"])
    return None


def _base(kind: str, match: re.Match[str]) -> Decimal:
    value = Decimal(match["number"].replace(",", "")) * Decimal(_UNITS[kind][match["unit"]])
    return -value if match["sign"] == "-" else value


def _grade(match: re.Match[str]) -> str:
    return (match["solid"] + match["water"]).replace("x", "0")


def _is_spoken_of(match: re.Match[str], words: tuple[str, ...]) -> bool:
    """度 is a temperature, a an ampere, only where the words before it speak of one."""
    before = match.string[max(0, match.start() - 12) : match.start()]
    return any(word in before for word in words)
