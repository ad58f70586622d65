"""Whole numbers as Chinese documents write them: 一百零三, 廿一, 壹拾贰, １２, 12; Roman apart.

Takes the characters of one number, gives an integer or none. Never guesses: 一百二 (120 or 102?)
and 一二 are none.
"""

import re
from functools import lru_cache

_DIGITS = {
    "〇": 0, "零": 0, "○": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7,
    "八": 8,
    "九": 9, "两": 2, "兩": 2, "壹": 1, "贰": 2, "貳": 2, "叁": 3, "參": 3, "叄": 3, "肆": 4,
    "伍": 5,
    "陆": 6, "陸": 6, "柒": 7, "捌": 8, "玖": 9,
}  # fmt: skip
_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_TENS = {"廿": 20, "卅": 30, "卌": 40}
_LARGE = (("亿", 10**8), ("億", 10**8), ("万", 10**4), ("萬", 10**4))

# Every character a Chinese number may be written with, for the character classes of grammars.
CHINESE_NUMERALS = "".join((*_DIGITS, *_UNITS, *_TENS)) + "万萬亿億"

_FULL_WIDTH = {ord("０") + n: ord("0") + n for n in range(10)}
_SPACES = re.compile(r"\s+")
_SMALL = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10}

_ROMAN = re.compile(r"m{0,3}(cm|cd|d?c{0,3})(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"m": 1000, "d": 500, "c": 100, "l": 50, "x": 10, "v": 5, "i": 1}
_ROMAN_SIGNS = {
    chr(base + n): text
    for base in (0x2160, 0x2170)
    for n, text in enumerate(
        [
            "i",
            "ii",
            "iii",
            "iv",
            "v",
            "vi",
            "vii",
            "viii",
            "ix",
            "x",
            "xi",
            "xii",
            "l",
            "c",
            "d",
            "m",
        ]
    )
}


@lru_cache(maxsize=8192)
def integer(text: str) -> int | None:
    """Give the value of a number in Chinese or digits (half or full width), or none."""
    small = _SMALL.get(text)
    if small is not None:
        return small
    if text.isascii() and text.isdigit():
        return int(text)
    text = text.strip().translate(_FULL_WIDTH)
    if text.isascii():
        return int(text) if text.isdigit() else None
    return _chinese(_SPACES.sub("", text))


def roman(text: str) -> int | None:
    """Give the value of a Roman numeral (IV, xii, Ⅳ), or none."""
    plain = "".join(_ROMAN_SIGNS.get(char, char) for char in text.strip()).lower()
    if not plain or not _ROMAN.fullmatch(plain):
        return None
    values = [_ROMAN_VALUES[char] for char in plain]
    following = [*values[1:], 0]
    return sum(
        -value if value < after else value for value, after in zip(values, following, strict=True)
    )


def _chinese(text: str) -> int | None:
    if all(char in _DIGITS for char in text):
        return _positional(text)
    return _with_large(text, _LARGE)


def _positional(text: str) -> int | None:
    """Read 二〇二四 digit by digit; two digits without a zero (一二) may be a list, so none."""
    digits = [_DIGITS[char] for char in text]
    if len(digits) == 1 or len(digits) > 2 or 0 in digits[1:]:
        return int("".join(map(str, digits))) if digits else None
    return None


def _with_large(text: str, units: tuple[tuple[str, int], ...]) -> int | None:
    for sign, unit in units:
        if sign not in text:
            continue
        before, _, after = text.partition(sign)
        if sign in after:
            return None
        high = _with_large(before, units[2:])
        if not high:
            return None
        if not after:
            return high * unit
        low = _with_large(after.lstrip("零〇○"), units[2:])
        # 一万五百 leaves out a place without saying so with a zero.
        zero = after[0] in "零〇○"
        if not low or zero == (low >= unit // 10):
            return None
        return high * unit + low
    return _section(text)


def _section(text: str) -> int | None:
    """Read a number under ten thousand by its units, each smaller than the one before."""
    total, last, digit, zero = 0, 10_000, 0, False
    for char in text:
        unit = _UNITS.get(char)
        if char in _TENS:
            unit, digit = 10, 0 if digit else _TENS[char] // 10
        elif unit is None:
            value = _DIGITS.get(char)
            if value is None or digit or (value == 0 and (zero or not total)):
                return None
            zero, digit = zero or value == 0, value
            continue
        elif not digit and unit == 10 and not zero and last in (100, 10_000):
            # 十二, and 一百十一 as older statutes write it.
            digit = 1
        if not digit or unit >= last or (last < 10_000 and zero == (unit * 10 == last)):
            return None
        total, last, digit, zero = total + digit * unit, unit, 0, False
    if not digit:
        return None if zero or not total else total
    if total and zero == (last == 10):
        return None
    return total + digit
