"""Personal numbers for tests: made up, with right check digits.

Takes a seeded random source, gives numbers. Never a number of a real person on purpose.
"""

import random
from datetime import date, timedelta

from headworks.privacy.recognizers.codes import credit_check
from headworks.privacy.recognizers.identity import check_digit

_PROVINCES = ("110105", "310104", "440305", "330106", "510107", "650102")
_CREDIT_CHARS = "0123456789ABCDEFGHJKLMNPQRTUWXY"


def id_card(source: random.Random) -> str:
    """Give an identity number of 18 characters."""
    born = date(1950, 1, 1) + timedelta(days=source.randrange(20_000))
    first = f"{source.choice(_PROVINCES)}{born:%Y%m%d}{source.randrange(1000):03d}"
    return first + check_digit(first).upper()


def bank_card(source: random.Random, size: int = 19) -> str:
    """Give a domestic card number that passes Luhn."""
    first = "6222" + "".join(str(source.randrange(10)) for _ in range(size - 5))
    for last in "0123456789":
        if _luhn_sum(first + last) % 10 == 0:
            return first + last
    raise AssertionError("one of ten digits passes")


def credit_code(source: random.Random) -> str:
    """Give a unified social credit code."""
    first = "91" + "".join(str(source.randrange(10)) for _ in range(6))
    first += "".join(source.choice(_CREDIT_CHARS) for _ in range(9))
    return first + credit_check(first)


def mobile(source: random.Random) -> str:
    """Give a mobile number."""
    prefix = source.choice(("138", "139", "150", "186", "199", "177"))
    return prefix + "".join(str(source.randrange(10)) for _ in range(8))


def _luhn_sum(digits: str) -> int:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value // 10 + value % 10
    return total
