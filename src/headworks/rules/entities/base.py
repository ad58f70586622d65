"""What a typed entity is: its recogniser, and the right side of a comparison with it.

Takes folded text, gives ``Value`` with a normalised value; compares it with a ``Quantity``.
Never guesses: an ambiguous number carries its reason, a value that is not certain is not given.
"""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

from headworks.model.verdict import Value

Operator = Literal["<", "<=", ">", ">=", "=", "!="]


class Recognizer(msgspec.Struct, frozen=True):
    """One typed entity of the rule language.

    ``units`` are the kinds of ``Quantity`` it may be compared with (empty: with none);
    ``example_unit`` is what a message proposes where the number has no unit.
    ``in_line``: a value never goes over a line's end.
    ``personal`` values must not leave the machine: their ``value`` is masked.
    """

    name: str
    zh: str
    units: tuple[str, ...]
    find: Callable[[str], list[Value]]
    aliases: tuple[str, ...] = ()
    example_unit: str = ""
    personal: bool = False
    gate: tuple[str, ...] = ()
    in_line: bool = False


class Quantity(msgspec.Struct, frozen=True):
    """A number or date as written in a rule: ``50万元`` is kind amount, value 500000, unit 元.

    ``value`` is written as in ``Value.value``, ``number`` is what it is ordered by.
    ``reason`` is empty, or says why it must not be used; ``readings`` are what it may mean.
    """

    text: str
    kind: str
    value: str
    number: Decimal
    unit: str = ""
    reason: str = ""
    readings: tuple[str, ...] = ()


def compare(value: Value, operator: Operator, quantity: Quantity) -> bool:
    """Tell whether a value found in the text certainly stands so to the quantity.

    False where they cannot be compared (dollars with yuan), and where a value covers a range
    (``2024年``) that lies on both sides.
    """
    if value.kind != quantity.kind or _unit_mark(value.value) != _unit_mark(quantity.value):
        return operator == "!=" and value.kind == quantity.kind
    if value.kind == "ip_grade" and operator != "=":
        return _compare_grades(value.value, operator, quantity.value)
    low, high = bounds(value.kind, value.value)
    least, most = bounds(quantity.kind, quantity.value)
    holds = {
        "<": high < least,
        "<=": high <= most,
        ">": low > most,
        ">=": low >= least,
        "=": least <= low and high <= most,
        "!=": high < least or low > most,
    }
    return holds[operator]


def bounds(kind: str, value: str) -> tuple[Decimal, Decimal]:
    """Give the least and the greatest number that a normalised value may stand for."""
    if kind == "date":
        return _date_bounds(value)
    if kind == "period":
        days = period_days(value)
        return days, days
    number = Decimal(value.rsplit(" ", 1)[-1])
    return number, number


_DAYS = {"Y": Decimal(365), "M": Decimal(30), "W": Decimal(7), "D": Decimal(1), "WD": Decimal(1)}
_CLOCK = {"H": Decimal(1) / 24, "M": Decimal(1) / 1440, "S": Decimal(1) / 86400}


def period_days(value: str) -> Decimal:
    """Give a period's length in days, for ordering only: a month is 30, a year is 365."""
    calendar, _, clock = value.removeprefix("P").partition("T")
    days = Decimal(0)
    for part, table in ((calendar, _DAYS), (clock, _CLOCK)):
        number = ""
        unit = ""
        for char in [*part, ""]:
            if unit and (char.isdigit() or char == ""):
                days += Decimal(number) * table[unit]
                number, unit = "", ""
            if char.isdigit() or char == ".":
                number += char
            else:
                unit += char
    return days


def _date_bounds(value: str) -> tuple[Decimal, Decimal]:
    """Minutes since the first day of the calendar, of the first and the last moment."""
    day, _, clock = value.partition("T")
    parts = [int(part) for part in day.split("-")]
    first = date(parts[0], parts[1] if len(parts) > 1 else 1, parts[2] if len(parts) > 2 else 1)
    if clock:
        moment = datetime.fromisoformat(value)
        minute = Decimal(first.toordinal() * 1440 + moment.hour * 60 + moment.minute)
        return minute, minute
    if len(parts) == 1:
        after = date(first.year + 1, 1, 1)
    elif len(parts) == 2:
        after = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    else:
        after = date.fromordinal(first.toordinal() + 1)
    return Decimal(first.toordinal() * 1440), Decimal(after.toordinal() * 1440 - 1)


def _unit_mark(value: str) -> str:
    """The currency of ``USD 500``; empty for yuan and all that has none."""
    return value.rsplit(" ", 1)[0] if " " in value else ""


def _compare_grades(found: str, operator: Operator, wanted: str) -> bool:
    """IP65 is above IP54 where both its digits are; IP45 and IP54 are not comparable."""
    pairs = list(zip(found, wanted, strict=True))
    if operator == "!=":
        return found != wanted
    if operator in (">", ">="):
        return all(have >= want for have, want in pairs) and (operator == ">=" or found != wanted)
    return all(have <= want for have, want in pairs) and (operator == "<=" or found != wanted)
