"""Codes with letters: e-mail, unified social credit code, licence plate, passport.

Takes folded (lower-case) text, gives values of kinds email, credit_code, plate and passport. Never
gives a credit code whose check character is wrong, nor a passport number without its label.
"""

import re

from headworks.model.verdict import Value
from headworks.privacy.recognizers.base import value_of

_CREDIT_CHARS = "0123456789ABCDEFGHJKLMNPQRTUWXY"
_CREDIT_WEIGHTS = (1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28)
_CREDIT = re.compile(
    r"(?<![0-9a-z])[159any][1-59](?:[ -]?[0-9]){6}(?:[ -]?[0-9a-hj-npqrtuwxy]){10}(?![0-9a-z])"
)
_LOCAL = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}\Z")
_DOMAIN = re.compile(r"(?:[a-z0-9][a-z0-9-]{0,62}\.){1,8}[a-z]{2,24}(?![a-z0-9-])")
_REACH = 64
_PLATE = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][a-hj-np-z][ ·.-]?"
    r"(?:[0-9]{5}[df]|[df][a-hj-np-z0-9][0-9]{4}|(?=[a-z]{0,2}[0-9]|[0-9])[a-hj-np-z0-9]{4}[a-hj-np-z0-9挂学警港澳])"
    r"(?![0-9a-z])"
)
_PASSPORT = re.compile(
    r"(?<![0-9a-z])(?:[deghpsckm][0-9]{8}|e[a-hj-np-z][0-9]{7}|[dspk]e?[0-9]{7}|1[45][0-9]{7})"
    r"(?![0-9a-z])"
)
_PASSPORT_LABEL = re.compile(r"护照|通行证|passport")


def credit_check(first17: str) -> str:
    """Give the check character for the first 17 characters of a credit code (GB 32100)."""
    total = sum(
        _CREDIT_CHARS.index(char) * weight
        for char, weight in zip(first17.upper(), _CREDIT_WEIGHTS, strict=True)
    )
    return _CREDIT_CHARS[(31 - total % 31) % 31]


def find_credit_codes(text: str) -> list[Value]:
    """Give every unified social credit code, in order."""
    found = []
    for match in _CREDIT.finditer(text):
        plain = re.sub(r"[ -]", "", match.group()).upper()
        if credit_check(plain[:17]) == plain[17]:
            found.append(value_of(text, *match.span(), "credit_code", plain))
    return found


def find_emails(text: str) -> list[Value]:
    """Give every e-mail address, in order."""
    found = []
    at = text.find("@")
    while at != -1:
        local = _LOCAL.search(text[max(0, at - _REACH) : at])
        domain = _DOMAIN.match(text, at + 1)
        if local and domain:
            name = local.group().lstrip(".-'`{|}/=?&")
            if name and not name.endswith("."):
                start = at - len(name)
                found.append(
                    value_of(text, start, domain.end(), "email", text[start : domain.end()])
                )
        at = text.find("@", at + 1)
    return found


def find_plates(text: str) -> list[Value]:
    """Give every licence plate, in order."""
    found = []
    for match in _PLATE.finditer(text):
        plain = re.sub(r"[ ·.-]", "", match.group()).upper()
        found.append(value_of(text, *match.span(), "plate", plain))
    return found


def find_passports(text: str) -> list[Value]:
    """Give every passport or travel permit number of a text that speaks of one."""
    if not _PASSPORT_LABEL.search(text):
        return []
    return [
        value_of(text, *match.span(), "passport", match.group().upper())
        for match in _PASSPORT.finditer(text)
    ]
