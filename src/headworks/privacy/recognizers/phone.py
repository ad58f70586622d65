"""Mobile and landline numbers of China, as written in documents.

Takes folded text, gives values of kind mobile and phone. Never takes a part of a longer number.
"""

import re

from headworks.model.verdict import Value
from headworks.privacy.recognizers.base import Digits, digit_runs, ends_free, value_of, windows

_MOBILE = re.compile(r"1(?:3[0-9]|4[01456789]|5[0-35-9]|6[2567]|7[0-8]|8[0-9]|9[0-35-9])[0-9]{8}")
_MOBILE_GROUPS = {(11,), (3, 4, 4), (3, 3, 5), (4, 3, 4), (3, 8), (7, 4), (5, 6), (4, 4, 3)}
_COUNTRY = re.compile(r"(?:(?:\+|00)?86[ -]?|\(\+?86\)[ ]?)$")
_AREA = r"(?:010|02[0-57-9]|0[3-9][0-9]{2})"
_PHONE = re.compile(
    rf"(?<![0-9a-z./-])(?:\+?86[ -])?(?:\({_AREA}\)[ -]?|{_AREA}[ -]{{1,2}})[1-9][0-9]{{6,7}}"
    rf"(?:(?:-|转|[ ]?ext\.?[ ]?)[0-9]{{1,6}})?(?![0-9a-z]|-[0-9])"
    rf"|(?<![0-9a-z./-])(?:\+?86[ -])(?:10|2[0-57-9]|[3-9][0-9]{{2}})[ -][1-9][0-9]{{6,7}}"
    rf"(?![0-9a-z])"
    rf"|(?<![0-9a-z./-])[48]00[ -](?:[0-9]{{3}}[ -][0-9]{{4}}|[0-9]{{4}}[ -][0-9]{{3}})"
    rf"(?![0-9a-z]|[-][0-9])"
    rf"|(?:(?<=电话[: ])|(?<=传真[: ])|(?<=座机[: ])|(?<=热线[: ])|(?<=tel[: ])|(?<=fax[: ]))"
    rf"[ ]{{0,3}}"
    rf"(?:{_AREA}[2-9][0-9]{{6,7}}|[2-9][0-9]{{6,7}}|[48]00[0-9]{{7}})(?:-[0-9]{{1,6}})?(?![0-9a-z])"
)
_PHONE_GATE = re.compile(
    r"0[0-9]{2,3}[) -]|[48]00[ -]|86[ -]|(?:电话|传真|座机|热线|tel|fax)[: ]{1,4}[0-9]"
)


def find_mobiles(text: str) -> list[Value]:
    """Give every mobile number, in order; a country code before it is taken along."""
    found = []
    for groups in digit_runs(text, 11):
        taken = 0
        for digits in windows(text, groups, range(11, 14)):
            mobile = _mobile(text, digits) if digits.start >= taken else None
            if mobile is not None:
                found.append(mobile)
                taken = mobile.span.end
    return found


def find_phones(text: str) -> list[Value]:
    """Give every landline and service number, in order."""
    if not _PHONE_GATE.search(text):
        return []
    found = []
    for match in _PHONE.finditer(text):
        start = match.end() - len(match.group().lstrip())
        said = text[start : match.end()]
        plain = re.sub(r"[^0-9-]", "", said.replace(")", "-").replace(" ", "-").replace("转", "-"))
        found.append(value_of(text, start, match.end(), "phone", re.sub(r"-+", "-", plain)))
    return found


def _mobile(text: str, digits: Digits) -> Value | None:
    if not ends_free(text, digits.end):
        return None
    plain, groups = digits.digits, digits.groups
    if len(plain) == 13 and plain.startswith("86"):
        plain = plain[2:]
        groups = groups[1:] if groups[0] == 2 else (groups[0] - 2, *groups[1:])
    if len(plain) != 11 or not _MOBILE.fullmatch(plain):
        return None
    single = len(groups) == 11
    if not (groups in _MOBILE_GROUPS or single or "\n" in text[digits.start : digits.end]):
        return None
    start = digits.start
    country = _COUNTRY.search(text, max(0, start - 6), start)
    if country:
        start = country.start()
    elif digits.digits.startswith("86") and text[start - 1 : start] == "+":
        start -= 1
    return value_of(text, start, digits.end, "mobile", plain)
