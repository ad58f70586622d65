"""The number formats that most cells have, on the digits themselves.

Takes a section such as ``¥#,##0.00`` or ``0.0%``, gives a function from a number's stored text to
what is shown, or none. Never answers where rounding needs more than the stored digits: it gives
none, and the exact way is taken.
"""

import re
from collections.abc import Callable

from headworks.readers.xlsx.codes import Section

ShortCut = Callable[[str], str | None]
_SIMPLE = re.compile(r"(T*)(d|D)(?:p(0*))?(%?)(T*)")
_ONE_PLACE = re.compile(r"^(T*)#?0(?![0#])")
_NUMBER = re.compile(r"(\d{1,15})(?:\.(\d{1,20}))?", re.A)
_MOST_DIGITS = 15


def short_cut(section: Section) -> ShortCut | None:
    """Give the fast function for a section, or none where the section is not simple."""
    if section.digits or section.is_date:
        return None
    tokens = section.tokens
    pattern = "".join(
        {"text": "T", "digit": token.text, "point": "p", "comma": ",", "percent": "%"}.get(
            token.kind, "x"
        )
        for token in tokens
    )
    pattern = pattern.replace("#,##0", "D", 1) if "#,##0" in pattern else pattern
    pattern = _ONE_PLACE.sub(r"\1d", pattern)
    found = _SIMPLE.fullmatch(pattern)
    if found is None:
        return None
    prefix = "".join(token.text for token in tokens[: len(found[1])]).lstrip()
    suffix = "".join(token.text for token in tokens[len(tokens) - len(found[5]) :] if found[5])
    places = len(found[3] or "")
    tail = ("%" if found[4] else "") + suffix.rstrip()
    return _shower(prefix, found[2] == "D", places, 2 if found[4] else 0, tail)


def _shower(prefix: str, grouped: bool, places: int, shift: int, tail: str) -> ShortCut:
    def show(raw: str) -> str | None:
        found = _NUMBER.fullmatch(raw)
        if found is None:
            return None
        whole, fraction = found[1], found[2] or ""
        if len(whole) + len(fraction) > _MOST_DIGITS:
            # What a double holds beyond its digits: 544229.6800000001 is 544229.68.
            found = _NUMBER.fullmatch(f"{float(raw):.15g}")
            if found is None:
                return None
            whole, fraction = found[1], found[2] or ""
        if shift:
            fraction = fraction.ljust(shift, "0")
            whole, fraction = whole + fraction[:shift], fraction[shift:]
        number = int(whole)
        if len(fraction) > places:
            number, fraction = _rounded(whole, fraction, places)
        shown = f"{number:,}" if grouped else str(number)
        if places:
            return f"{prefix}{shown}.{fraction.ljust(places, '0')}{tail}"
        return f"{prefix}{shown}{tail}"

    return show


def _rounded(whole: str, fraction: str, places: int) -> tuple[int, str]:
    """Round half away from zero: give the whole part and exactly so many digits after it."""
    unit = 10 ** (len(fraction) - places)
    count, rest = divmod(int(whole + fraction), unit)
    if 2 * rest >= unit:
        count += 1
    head, last = divmod(count, 10**places)
    return head, f"{last:0{places}}" if places else ""
