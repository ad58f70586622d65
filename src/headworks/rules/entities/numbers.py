"""Numbers as people write them in Chinese documents, exact, with what makes them ambiguous.

Takes the folded text of one number (``1,234.5万``, ``一百零二``, ``二〇二四``), gives a
Decimal, and a reason where it can be read in two ways. Never rounds.
"""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from functools import lru_cache

import msgspec

_DIGITS = {
    "零": 0, "〇": 0, "○": 0, "一": 1, "壹": 1, "二": 2, "贰": 2, "貳": 2, "两": 2, "兩": 2,
    "三": 3, "叁": 3, "參": 3, "四": 4, "肆": 4, "五": 5, "伍": 5, "六": 6, "陆": 6, "陸": 6,
    "七": 7, "柒": 7, "八": 8, "捌": 8, "九": 9, "玖": 9,
}  # fmt: skip
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_BIGS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_TENS = {"廿": 20, "卅": 30}

HAN_DIGITS = "".join(_DIGITS)
HAN_NUMERALS = "".join([*_DIGITS, *_UNITS, *_BIGS, *_TENS])

# One run of a number. Separators count only between digits; 点 only between Chinese digits.
RUN = (
    rf"(?:[0-9{HAN_DIGITS}十拾廿卅]"
    rf"(?:[0-9{HAN_NUMERALS}]|(?<=[0-9])[,.](?=[0-9])|(?<=[{HAN_NUMERALS}])点(?=[{HAN_DIGITS}])"
    rf"|(?<=[0-9{HAN_NUMERALS}])[余多](?=[十百千万亿]))*)"
)

_ARABIC = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_TOKEN = re.compile(
    rf"(?P<arabic>[0-9][0-9,]*(?:\.[0-9]+)?)"
    rf"|(?P<point>[{HAN_DIGITS}十拾百佰千仟]+点[{HAN_DIGITS}]+)|(?P<one>[{HAN_NUMERALS}])"
)


class Number(msgspec.Struct, frozen=True):
    """A number read: ``reason`` says why it is ambiguous, ``readings`` what it may mean."""

    value: Decimal
    reason: str = ""
    readings: tuple[Decimal, ...] = ()


@lru_cache(maxsize=8_000)
def read_number(text: str) -> Number | None:
    """Give the number that the whole text writes, or None where it writes none."""
    text = re.sub(r"[余多 ]", "", text)
    if _ARABIC.fullmatch(text):
        return Number(Decimal(text.replace(",", "")))
    if len(text) > 1 and all(char in _DIGITS for char in text):
        return _positional(text)
    tokens = _tokens(text)
    return None if tokens is None else _combine(tokens)


def _positional(text: str) -> Number:
    """Digits without units: a year or a code (二〇二四); three or five (三五) is not one number."""
    value = Decimal("".join(str(_DIGITS[char]) for char in text))
    if len(text) == 2 and "零" not in text and "〇" not in text:
        return Number(value, "两个数字连写，中间没有单位", (value,))
    return Number(value)


def _tokens(text: str) -> list[tuple[str, Decimal]] | None:
    """Split into ("num" | "zero" | "unit" | "big", value); None where a character is foreign."""
    tokens: list[tuple[str, Decimal]] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() != at:
            return None
        at = match.end()
        said = match.group()
        if match["arabic"]:
            if not _ARABIC.fullmatch(said):
                return None
            tokens.append(("num", Decimal(said.replace(",", ""))))
        elif match["point"]:
            whole = read_number(said.partition("点")[0])
            digits = "".join(str(_DIGITS[char]) for char in said.partition("点")[2])
            if whole is None:
                return None
            tokens.append(("num", Decimal(f"{whole.value}.{digits}")))
        elif said in _DIGITS:
            tokens.append(("num" if _DIGITS[said] else "zero", Decimal(_DIGITS[said])))
        elif said in _TENS:
            tokens += [("num", Decimal(_TENS[said] // 10)), ("unit", Decimal(10))]
        else:
            kind = "unit" if said in _UNITS else "big"
            tokens.append((kind, Decimal(_UNITS.get(said) or _BIGS[said])))
    return tokens if at == len(text) and tokens else None


class _Sum:
    """The running sum of one number: ``section`` below 万, ``total`` above it."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.section = Decimal(0)
        self.pending: Decimal | None = None
        self.last_unit = Decimal("Infinity")
        self.last_big = Decimal("Infinity")
        self.zero = False
        self.started = False
        self.loose: Decimal | None = None

    def close_section(self) -> Decimal:
        """End the part before 万 or at the end; ``loose`` keeps a digit without its unit."""
        if self.pending is not None:
            small = self.pending < 10 and self.pending == int(self.pending)
            if small and not self.zero and Decimal(100) <= self.last_unit <= Decimal(1000):
                self.loose = self.pending * self.last_unit / 10 - self.pending
            self.section += self.pending
        section, self.section, self.pending = self.section, Decimal(0), None
        self.last_unit = Decimal("Infinity")
        return section


def _combine(tokens: list[tuple[str, Decimal]]) -> Number | None:
    running = _Sum()
    for kind, value in tokens:
        if not _STEPS[kind](running, value):
            return None
        running.started = True
    after_big = running.last_big if running.section == 0 and not running.zero else None
    pending = running.pending
    loose_gain = Decimal(0)
    if after_big is not None and after_big.is_finite() and pending is not None and pending < 10:
        loose_gain = pending * after_big / 10 - pending
    value = running.total + running.close_section()
    if running.loose is not None:
        loose_gain = running.loose
    if loose_gain:
        return Number(value + loose_gain, "数字后缺单位", (value + loose_gain, value))
    return Number(value)


def _take_number(running: _Sum, value: Decimal) -> bool:
    if running.pending is not None or running.loose is not None:
        return False
    running.pending = value
    return True


def _take_zero(running: _Sum, _value: Decimal) -> bool:
    running.zero = True
    return running.pending is None


def _take_unit(running: _Sum, unit: Decimal) -> bool:
    if running.pending is None:
        if unit != 10:
            return False
        running.pending = Decimal(1)
    if unit >= running.last_unit:
        # 十百, 百千: not a number, but 5千万 and 三千万 pass through 千 then 万.
        return False
    running.section += running.pending * unit
    running.pending, running.last_unit, running.zero = None, unit, False
    return True


def _take_big(running: _Sum, big: Decimal) -> bool:
    loose_before = running.loose
    section = running.close_section()
    if not running.started or loose_before is not None:
        return False
    if running.loose is not None:
        # 一百二万: 120万 or 102万. Kept as a gain at this scale, reported by _combine.
        running.loose *= big
    if section == 0 and running.total:
        running.total *= big  # 万亿
    elif big > running.last_big:
        running.total = (running.total + section) * big
    else:
        running.total += section * big
    running.last_big, running.zero = big, False
    return section != 0 or running.total != 0


_STEPS = {"num": _take_number, "zero": _take_zero, "unit": _take_unit, "big": _take_big}


def matches_within(
    pattern: re.Pattern[str], segments: re.Pattern[str], needed: re.Pattern[str], text: str
) -> Iterator[re.Match[str]]:
    """Give the matches of a pattern that begins with much that is optional, in order.

    ``segments`` finds the stretches of the only characters that a match may have, ``needed`` what
    one must have: the slow pattern runs on these alone. It may look one character behind them.
    """
    for segment in segments.finditer(text):
        start, end = segment.span()
        if needed.search(text, start, end):
            yield from pattern.finditer(text, start, end + 1)


_LOW = re.compile(rf"(?<![0-9.a-z第])(?P<run>{RUN})[ ]?(?:-|~|至|到)[ ]?$")


def low_end(text: str, start: int) -> tuple[int, Number] | None:
    """Give the place and number of the lower end where ``start`` is the upper end of a range.

    For 3-5天 and 五十至一百万元: the lower end has no unit of its own.
    """
    window = text[max(0, start - 16) : start]
    match = _LOW.search(window) if window.rstrip()[-1:] in "-~至到" else None
    number = read_number(match["run"]) if match else None
    if match is None or number is None or number.reason:
        return None
    return start - len(window) + match.start("run"), number


def plain(value: Decimal) -> str:
    """Write a Decimal without exponent and without trailing zeros: 500000, 0.1."""
    try:
        short = value.normalize()
    except InvalidOperation:
        return str(value)
    return format(short, "f")
