"""The number formats that most cells have, on the digits themselves.

Takes a section such as ``¥#,##0.00`` or ``0.0%``, gives a function from a number's stored text to
what is shown, or none. Never answers where rounding needs more than the stored digits: it gives
none, and the exact way is taken.
"""

import re
from collections.abc import Callable, Sequence

import msgspec

from headworks.readers.xlsx.codes import Section

ShortCut = Callable[[str], str | None]
ShowColumn = Callable[[Sequence[str], Callable[[str], str]], Sequence[str]]
_SIMPLE = re.compile(r"(T*)(d|D)(?:p(0*))?(%?)(T*)")
_ONE_PLACE = re.compile(r"^(T*)#?0(?![0#])")
_NUMBER = re.compile(r"(\d{1,15})(?:\.(\d{1,20}))?", re.A)
_MOST_DIGITS = 15
# A value of a column joined by tabs that has more than 15 digits.
_LONG = re.compile(r"\t[^\t]{17,}+")
_HAS_DIGIT = "[0.]*+[1-9]"


class _Simple(msgspec.Struct, frozen=True):
    """A section of one number: what stands around it, how it is grouped, rounded and scaled."""

    prefix: str
    grouped: bool
    places: int
    shift: int
    tail: str


def short_cut(section: Section) -> ShortCut | None:
    """Give the fast function for a section, or none where the section is not simple."""
    simple = _simple(section)
    return None if simple is None else _shower(simple)


def column_short_cut(sections: Sequence[Section]) -> ShowColumn | None:
    """Give the function for a whole column of numbers, or none where its format is not simple.

    What is stored with more digits than are shown goes one by one.
    """
    if any(section.condition for section in sections):
        return None
    simple = _simple(sections[0])
    if simple is None:
        return None
    pattern, show = re.compile(_exact_pattern(simple, len(sections))), _template(simple).format
    fits, all_fit = pattern.fullmatch, re.compile(f"(?:{pattern.pattern}\t)*+").fullmatch

    def show_column(values: Sequence[str], one: Callable[[str], str]) -> Sequence[str]:
        if 2 * len(set(values)) < len(values):
            return list(map(one, values))
        joined = "\t".join(("", *values, ""))
        if not all_fit(joined, 1):
            joined = _LONG.sub(_without_noise, joined)
            if not all_fit(joined, 1):
                return [show(float(value)) if fits(value) else one(value) for value in values]
            values = joined.split("\t")[1:-1]
        return list(map(show, map(float, values)))

    return show_column


def _without_noise(found: re.Match[str]) -> str:
    """Give a long number without what a double holds beyond its digits."""
    text = found[0]
    return f"\t{float(text):.15g}" if _NUMBER.fullmatch(text, 1) else text


def _exact_pattern(simple: _Simple, sections: int) -> str:
    """Give the expression for stored numbers that need no rounding and no section but the first."""
    places = simple.places + simple.shift
    fraction = rf"(?:\.[0-9]{{1,{places}}})?+" if places else ""
    whole = f"[0-9]{{1,{_MOST_DIGITS - places}}}+"
    if sections > 2:  # zero has a section of its own
        return f"(?={_HAS_DIGIT}){whole}{fraction}"
    sign = f"(?:-(?={_HAS_DIGIT}))?" if sections == 1 and not simple.prefix else ""
    return f"{sign}{whole}{fraction}"


def _template(simple: _Simple) -> str:
    prefix, tail = (text.replace("{", "{{").replace("}", "}}") for text in (
        simple.prefix, simple.tail.removeprefix("%") if simple.shift else simple.tail
    ))  # fmt: skip
    comma, kind = "," if simple.grouped else "", "%" if simple.shift else "f"
    return f"{prefix}{{:{comma}.{simple.places}{kind}}}{tail}"


def _simple(section: Section) -> _Simple | None:
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
    return _Simple(prefix, found[2] == "D", places, 2 if found[4] else 0, tail)


def _shower(simple: _Simple) -> ShortCut:
    prefix, grouped, tail = simple.prefix, simple.grouped, simple.tail
    places, shift = simple.places, simple.shift

    def show(raw: str) -> str | None:
        found = _NUMBER.fullmatch(raw)
        if found is None:
            return None
        whole, fraction = found[1], found[2] or ""
        if len(whole) + len(fraction) > _MOST_DIGITS:
            # Binary noise beyond the digits that a double holds: 544229.6800000001 is 544229.68.
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
