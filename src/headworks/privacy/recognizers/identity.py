"""Chinese identity numbers: the 18-digit card with its check digit, the old one of 15 digits.

Takes folded text, gives values of kind id_card. Never takes an order number: province, date of
birth and check digit must be right, and the old form needs its label in the text.
"""

import re
from datetime import date

from headworks.model.verdict import Value
from headworks.privacy.recognizers.base import Digits, digit_runs, ends_free, value_of, windows

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10x98765432"
_PROVINCES = frozenset(
    [
        "11",
        "12",
        "13",
        "14",
        "15",
        "21",
        "22",
        "23",
        "31",
        "32",
        "33",
        "34",
        "35",
        "36",
        "37",
        "41",
        "42",
        "43",
        "44",
        "45",
        "46",
        "50",
        "51",
        "52",
        "53",
        "54",
        "61",
        "62",
        "63",
        "64",
        "65",
        "71",
        "81",
        "82",
        "83",
    ]
)
_LABEL = re.compile(r"身份证|身份号|证件号|居民身份|公民身份|id ?card|identity")
_LAST = re.compile(r"(?:[ \t-]|[ \t]?\r?\n[ \t]{0,4})?x(?![0-9a-z])")
# A card that somebody masked in part is still one: 11010119900307xxxx, 110101********1234.
_MASKED = re.compile(
    r"(?<![0-9a-z])(?:[1-9][0-9]{5}(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])[0-9]{2}[x*]{4}"
    r"|[1-9][0-9]{5}[x*]{8}[0-9]{3}[0-9x])(?![0-9a-z*])"
)


def check_digit(first17: str) -> str:
    """Give the check digit (0 to 9 or x) for the first 17 digits of a card."""
    total = sum(int(digit) * weight for digit, weight in zip(first17, _WEIGHTS, strict=True))
    return _CHECKS[total % 11]


def valid_18(number: str) -> bool:
    """Tell whether 18 characters are an identity number: province, date and check digit."""
    return (
        number[:2] in _PROVINCES
        and _is_date(number[6:14])
        and check_digit(number[:17]) == number[17].lower()
    )


def valid_15(number: str) -> bool:
    """Tell whether 15 digits have the form of an old identity number (it has no check digit)."""
    return number[:2] in _PROVINCES and _is_date("19" + number[6:12])


def find_id_cards(text: str) -> list[Value]:
    """Give every identity number, in order."""
    old_forms = _LABEL.search(text) is not None
    found = []
    for groups in digit_runs(text, 15):
        taken = 0
        for digits in windows(text, groups, range(15, 19)):
            if digits.start < taken:
                continue
            card = _card(text, digits, old_forms)
            if card is not None:
                found.append(card)
                taken = card.span.end
    if "xx" in text or "**" in text:
        found += [
            value_of(text, *match.span(), "id_card", match.group())
            for match in _MASKED.finditer(text)
            if _plausible_mask(match.group())
        ]
    return sorted(found, key=lambda value: value.span.start)


def _card(text: str, digits: Digits, old_forms: bool) -> Value | None:
    size = len(digits.digits)
    if size == 17:
        last = _LAST.match(text, digits.end)
        if last and valid_18(digits.digits + "x"):
            return value_of(text, digits.start, last.end(), "id_card", digits.digits + "X")
        return None
    if not ends_free(text, digits.end):
        return None
    if size == 18 and valid_18(digits.digits):
        return value_of(text, digits.start, digits.end, "id_card", digits.digits)
    if size == 15 and old_forms and len(digits.groups) <= 3 and valid_15(digits.digits):
        return value_of(text, digits.start, digits.end, "id_card", digits.digits)
    return None


def _plausible_mask(masked: str) -> bool:
    return masked[:2] in _PROVINCES and (not masked[6].isdigit() or _is_date(masked[6:14]))


def _is_date(eight: str) -> bool:
    try:
        born = date(int(eight[:4]), int(eight[4:6]), int(eight[6:8]))
    except ValueError:
        return False
    return 1880 <= born.year <= 2099
