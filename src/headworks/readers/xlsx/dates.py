"""Dates and times of spreadsheets: serial days to what a person sees.

Takes a serial number and a section of a format code, gives text. Never shifts by a time zone, and
knows both epochs and the day that 1900 did not have.
"""

import datetime as dt

from headworks.readers.xlsx.codes import Section, Token

_EPOCH_1900 = dt.datetime(1899, 12, 30)
_EPOCH_1904 = dt.datetime(1904, 1, 1)
_LAST_SERIAL = 2_958_466  # the first day of the year 10000
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CHINESE_DAYS = "一二三四五六日"
_CHINESE_DIGITS = {1: "〇一二三四五六七八九", 2: "零壹贰叁肆伍陆柒捌玖"}
_TENS = {1: "十", 2: "拾"}


def moment(serial: float, date1904: bool) -> dt.datetime | None:
    """Give the serial's moment, rounded to a millisecond; none where there is no such day."""
    if not 0 <= serial < _LAST_SERIAL:
        return None
    epoch = _EPOCH_1904 if date1904 else _EPOCH_1900
    if not date1904 and serial < 60:  # before the 29th of February that 1900 did not have
        serial += 1
    days = int(serial)
    milliseconds = round((serial - days) * 86_400_000)
    return epoch + dt.timedelta(days=days, milliseconds=milliseconds)


def iso(raw: str, date1904: bool) -> str:
    """Give a stored serial as an ISO date, moment or time of day; as it is where it is none."""
    try:
        serial = float(raw)
    except ValueError:
        return raw
    when = moment(serial, date1904)
    if when is None:
        return raw
    when = (when + dt.timedelta(milliseconds=500)).replace(microsecond=0)
    if serial < 1:
        return when.time().isoformat()
    return when.date().isoformat() if when.time() == dt.time() else when.isoformat(sep=" ")


def show_date(serial: float, section: Section, date1904: bool) -> str | None:
    """Give the text of a date section; none where the serial is no date."""
    when = moment(serial, date1904)
    parts = section.tokens
    if when is None or (not date1904 and int(serial) == 60):
        if when is None:
            return None
        when = dt.datetime(1900, 2, 28, when.hour, when.minute, when.second)
    if not any(part.kind == "date" and part.text.startswith("s") and "." in part.text
               for part in parts):  # fmt: skip
        when = (when + dt.timedelta(milliseconds=500)).replace(microsecond=0)
    half_day = any(part.text in ("AM/PM", "A/P", "上午/下午") for part in parts)
    shown = []
    for index, part in enumerate(parts):
        if part.kind == "date":
            text = _date_part(part.text, when, half_day, _is_minute(parts, index))
            shown.append(_chinese(text, part.text, section.digits) if section.digits else text)
        elif part.kind == "elapsed":
            shown.append(_elapsed(part.text, serial))
        elif part.kind == "digit":  # 0 after a point: fractions of a second
            shown.append("0")
        elif part.kind not in ("value", "general"):
            shown.append(part.text)
    return "".join(shown).strip()


def _is_minute(parts: tuple[Token, ...], index: int) -> bool:
    """Tell whether an ``m`` is a minute: hours stand before it, or seconds after it."""
    if parts[index].text not in ("m", "mm"):
        return False
    before = [part for part in parts[:index] if part.kind in ("date", "elapsed")]
    after = [part for part in parts[index + 1 :] if part.kind in ("date", "elapsed")]
    if before and before[-1].text[0] in "AP上" and len(before) > 1:
        before.pop()
    return bool((before and before[-1].text[0] == "h") or (after and after[0].text[0] == "s"))


def _date_part(part: str, when: dt.datetime, half_day: bool, minute: bool) -> str:
    kind, width = part[0], len(part)
    if kind == "y":
        return f"{when.year % 100:02}" if width <= 2 else f"{when.year:04}"
    if kind == "e":
        return str(when.year)
    if kind == "b":
        return str(when.year + 543)
    if kind == "m" and minute:
        return f"{when.minute:0{min(width, 2)}}"
    if kind == "m":
        return _named(width, when.month, _MONTHS[when.month - 1])
    if kind == "d":
        return _named(width, when.day, _DAYS[when.weekday()])
    if kind == "h":
        hour = (when.hour - 1) % 12 + 1 if half_day else when.hour
        return f"{hour:0{min(width, 2)}}"
    if kind == "s":
        return _second(part, when)
    if part == "上午/下午":
        return "上午" if when.hour < 12 else "下午"
    if part in ("AM/PM", "A/P"):
        return part.split("/")[when.hour >= 12]
    if kind == "a":
        day = _CHINESE_DAYS[when.weekday()]
        return f"星期{day}" if width >= 4 else day
    return ""


def _named(width: int, number: int, name: str) -> str:
    if width <= 2:
        return f"{number:0{width}}"
    return {3: name[:3], 5: name[0]}.get(width, name)


def _second(part: str, when: dt.datetime) -> str:
    whole, _, fraction = part.partition(".")
    text = f"{when.second:0{min(len(whole), 2)}}"
    return f"{text}.{f'{when.microsecond:06}'[: len(fraction)]}" if fraction else text


def _elapsed(part: str, serial: float) -> str:
    unit = {"h": 24, "m": 1440, "s": 86_400}[part[0]]
    seconds = round(serial * 86_400)
    return f"{seconds * unit // 86_400:0{len(part)}}"


def _chinese(text: str, part: str, digits: int) -> str:
    if not text.isdigit() or digits not in _CHINESE_DIGITS:
        return text
    numerals = _CHINESE_DIGITS[digits]
    if part[0] in "ye":
        return "".join(numerals[int(char)] for char in text)
    tens, ones = divmod(int(text), 10)
    if not tens:
        return numerals[ones]
    head = numerals[tens] if tens > 1 or digits == 2 else ""
    return head + _TENS[digits] + (numerals[ones] if ones else "")
