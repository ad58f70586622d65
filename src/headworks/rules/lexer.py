"""Reading a sentence from left to right: spaces, phrases, quoted words, numbers.

Takes a sentence and a place in it, gives the next piece and moves on. Never decides what a
piece means: the grammar asks for what may stand at its place.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from headworks.model.folding import fold
from headworks.model.numerals import integer
from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.syntax import Number
from headworks.rules.vocabulary import UNITS, Phrases

_SPACE = re.compile(r"\s*")
_QUOTES = {"“": "”", '"': '"', "「": "」", "『": "』", "”": "”", "＂": "＂"}
_DIGITS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_BELOW_ZERO = re.compile(r"(?:-|负|零下)\s*(?=[0-9一二两三四五六七八九十百])")
_HAN = "〇零一二两三四五六七八九十百千万亿廿卅"
_NUMERAL = re.compile(rf"[{_HAN}]+(?:点[〇零一二三四五六七八九]+)?")
_GRADE = re.compile(r"ip[ -]?([0-6][0-9])(?![0-9])")
_SHARE = re.compile(
    rf"(百|千|万)分之([{_HAN}]+(?:点[〇零一二三四五六七八九]+)?|[0-9]+(?:\.[0-9]+)?)"
)
_DATE = re.compile(
    r"([0-9]{4})\s*年\s*([0-9]{1,2})\s*月(?:\s*([0-9]{1,2})\s*[日号])?"
    r"|([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})(?![0-9.])"
    r"|([0-9]{4})\s*年(?![0-9])"
)
_HAN_DATE = re.compile(
    r"([〇零一二三四五六七八九]{4})年"
    r"(?:([一二三四五六七八九十]+)月)?(?:([一二三四五六七八九十]+)日)?"
)
_WORD_END = re.compile(r"['’‘“\"，,、；;]")
_AMBIGUOUS = re.compile(r"[百千万亿]([一二两三四五六七八九])(?=[万亿]|$)")
_SCALE = {"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10000)}
_ANYTHING = re.compile(r"[^\s,。;:、，；：（）()\"“”「」]{1,40}")


class Scanner:
    """A sentence and a place in it. ``folded`` is what phrases are looked for in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)
        self.position = 0

    @property
    def ended(self) -> bool:
        """Tell whether nothing but spaces follows."""
        self.skip()
        return self.position >= len(self.text)

    def skip(self) -> int:
        """Step over spaces; give the place."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.position

    def take(self, phrases: Phrases) -> object | None:
        """Give the meaning of the longest phrase here and step over it, or none."""
        found = phrases.at(self.folded, self.skip())
        if found is None:
            return None
        self.position = found[1]
        return found[0]  # type: ignore[no-any-return]

    def sees(self, phrases: Phrases, position: int | None = None) -> bool:
        """Tell whether one of the phrases stands here."""
        start = self.skip() if position is None else position
        return phrases.at(self.folded, start) is not None

    def take_char(self, chars: str) -> bool:
        """Step over one of the characters, in whatever width, where it stands here."""
        start = self.skip()
        if start < len(self.folded) and self.folded[start] in chars:
            self.position += 1
            return True
        return False

    def rest(self, length: int = 10) -> str:
        """Give the next few characters, for a message."""
        match = _ANYTHING.match(self.text, self.skip())
        return match.group()[:length] if match else self.text[self.position : self.position + 1]

    def quoted(self) -> str | None:
        """Give the text between quotes here, or none where no quote opens."""
        start = self.skip()
        close = _QUOTES.get(self.text[start : start + 1])
        if close is None:
            return None
        end = self.text.find(close, start + 1)
        if end < 0 and close == "”":
            end = self.text.find('"', start + 1)
        if end < 0:
            raise self.error(
                "E102", "引号没有闭合", at=start, suggestions=(self.text[start:] + close,)
            )
        self._refuse_unpaired(start, end)
        self.position = end + 1
        return self.text[start + 1 : end]

    def _refuse_unpaired(self, start: int, end: int) -> None:
        """Quotes that miss one of a pair would swallow the rest of the sentence as one word."""
        opening, word = self.text[start], self.text[start + 1 : end]
        straight = opening == '"' and "”" not in self.text and self.text.count('"', start) % 2
        if straight or (opening == "“" and opening in word):
            stop = _WORD_END.search(word)
            shown = opening + (word[: stop.start()] if stop else word) + _QUOTES[opening]
            message = "引号没有配对，后面的话也被算进了这个词"
            raise self.error("E102", message, at=start, suggestions=(shown,))

    def slashed(self) -> str | None:
        r"""Give the expression between slashes here (``\/`` is a slash), or none."""
        start = self.skip()
        if self.folded[start : start + 1] != "/":
            return None
        end = start + 1
        while end < len(self.text) and self.folded[end] != "/":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise self.error("E102", "正则表达式没有用 / 结束", at=start)
        self.position = end + 1
        return self.text[start + 1 : end].replace("\\/", "/")

    def number(self) -> Number | None:
        """Give the number or date with its unit here, or none. E204 where it has two readings."""
        start = self.skip()
        number = self._date() or self._share() or self._grade()
        if number is not None:
            return number
        below = _BELOW_ZERO.match(self.folded, start)
        value = self._plain(below.end() if below else start)
        if value is None:
            self.position = start
            return None
        value = -value if below else value
        unit = UNITS.at(self.folded, self.skip())
        if unit is None:
            return Number(_decimal(value))
        self.position = unit[1]
        if unit[0] == "‰":
            return Number(_decimal(value / 10), "%")
        return Number(_decimal(value), unit[0])

    def whole(self) -> int | None:
        """Give the whole number here, without a unit, or none."""
        start = self.skip()
        value = self._plain(start)
        if value is None or value != value.to_integral_value():
            self.position = start
            return None
        return int(value)

    def error(
        self,
        code: str,
        message: str,
        *,
        at: int | None = None,
        length: int = 1,
        suggestions: Sequence[str] = (),
    ) -> SentenceError:
        """Give the complaint to raise about a place in this sentence."""
        place = self.position if at is None else at
        return SentenceError(
            Complaint(
                code=code,
                message=message,
                position=place + 1,
                length=max(1, length),
                suggestions=tuple(suggestions),
                sentence=self.text,
            )
        )

    def _plain(self, start: int) -> Decimal | None:
        match = _DIGITS.match(self.folded, start)
        if match is not None:
            self.position = match.end()
            return Decimal(match.group().replace(",", ""))
        match = _NUMERAL.match(self.folded, start)
        if match is None:
            return None
        self._refuse_two_readings(match.group(), start)
        value = _numeral(match.group())
        if value is None:
            raise self.error("E131", f"“{match.group()}”不是一个数", at=start, length=len(match[0]))
        self.position = match.end()
        return value

    def _refuse_two_readings(self, numeral: str, start: int) -> None:
        found = _AMBIGUOUS.search(numeral)
        if found is None:
            return
        digit, unit = found.group(1), numeral[found.start()]
        tens = {"百": "十", "千": "百", "万": "千", "亿": "千万"}[unit]
        head, tail = numeral[: found.start() + 1], numeral[found.end() :]
        rest = UNITS.at(self.folded, start + len(numeral))
        unit_text = self.text[start + len(numeral) : rest[1]] if rest else ""
        readings = [head + digit + tens + tail, head + "零" + digit + tail]
        shown = [_arabic(reading) + unit_text for reading in readings]
        raise self.error(
            "E204",
            f"“{numeral}{unit_text}”可能有两种读法（{' / '.join(shown)}）",
            at=start,
            length=len(numeral),
            suggestions=[f"写成{reading}{unit_text}" for reading in readings],
        )

    def _share(self) -> Number | None:
        match = _SHARE.match(self.folded, self.position)
        if match is None:
            return None
        number = match.group(2)
        value = Decimal(number) if number[0].isdigit() else _numeral(number)
        if value is None:
            raise self.error("E131", f"“{match.group()}”不是一个数", length=len(match.group()))
        self.position = match.end()
        return Number(_decimal(value * 100 / _SCALE[match.group(1)]), "%")

    def _grade(self) -> Number | None:
        """A degree of protection: the letters stand before the digits."""
        match = _GRADE.match(self.folded, self.position)
        if match is None:
            return None
        self.position = match.end()
        return Number(match.group(1), "ip")

    def _date(self) -> Number | None:
        match = _DATE.match(self.folded, self.position)
        if match is not None:
            parts = [part for part in match.groups() if part is not None]
            return self._dated([int(part) for part in parts], match.end())
        match = _HAN_DATE.match(self.folded, self.position)
        if match is None:
            return None
        year = integer(match.group(1))
        numbers = [year, *(integer(part) for part in match.groups()[1:] if part)]
        if any(number is None for number in numbers):
            return None
        return self._dated([number for number in numbers if number is not None], match.end())

    def _dated(self, parts: list[int], end: int) -> Number:
        month = parts[1] if len(parts) > 1 else 1
        day = parts[2] if len(parts) > 2 else 1
        if not (1 <= month <= 12 and 1 <= day <= _days_in(parts[0], month)):
            written = self.text[self.position : end]
            raise self.error("E205", f"“{written}”不是一个日期", length=len(written))
        self.position = end
        return Number("-".join([f"{parts[0]:04d}", *(f"{part:02d}" for part in parts[1:])]), "date")


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _numeral(text: str) -> Decimal | None:
    whole, _, part = text.partition("点")
    value = integer(whole)
    if value is None:
        return None
    digits = "".join(str(integer(char) or 0) for char in part)
    return Decimal(f"{value}.{digits}") if digits else Decimal(value)


def _decimal(value: Decimal) -> str:
    plain = f"{value:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _arabic(numeral: str) -> str:
    """120万 for 一百二十万: the digits in front of the last 万 or 亿, which stay."""
    value = integer(numeral)
    if value is None:
        return numeral
    for name, scale in (("亿", 10**8), ("万", 10**4)):
        if numeral.endswith(name) and value % scale == 0:
            return f"{value // scale}{name}"
    return str(value)
