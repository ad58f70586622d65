"""Numbers in answers and sources, made comparable: 1,690,720.00元 and 169.072万元 are one.

Takes texts, gives sets of normalised numbers and comparable values. Never guesses: what is no
number stays words.
"""

import re
from decimal import Decimal, InvalidOperation

from headworks.model.folding import fold
from headworks.model.numerals import integer

_NUMBER = re.compile(
    r"(?P<digits>\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<unit>[万亿]?)(?P<share>%|‰)?"
)
_HAN_SHARE = re.compile(r"(?P<base>[百千万])分之(?P<number>[〇零一二两三四五六七八九十百千]+)")
_HAN = re.compile(
    r"[〇零一二两三四五六七八九十百千万亿]{2,}|[〇零一二两三四五六七八九十](?=[个年月日天条款项份%])"
)
_BASES = {"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10000)}
_UNITS = {"": Decimal(1), "万": Decimal(10**4), "亿": Decimal(10**8)}
_MARKS = re.compile(r"[\s,，、。;；:：\"'“”‘’()（）\[\]《》元整人民币¥]+")
_LABEL = re.compile(
    r"(?:^|(?<=\s))(?:\d{1,2}[.、)]\s|[(（]\d{1,2}[)）])|\[\^?\d+\]|第\d+[条款项页]"
)


def numbers(text: str) -> set[str]:
    """Give the numbers of a text, normalised; labels of lists and clauses are none."""
    folded = _LABEL.sub(" ", fold(text))
    return {_number(match) for match in _NUMBER.finditer(folded)}


def han_numbers(text: str) -> set[str]:
    """Give the numbers that are written in Chinese, as ``numbers`` would give them."""
    found: set[str] = set()
    for match in _HAN_SHARE.finditer(text):
        value = integer(match["number"])
        if value is not None:
            found.add(_plain(Decimal(value) * 100 / _BASES[match["base"]]) + "%")
            found.add(_plain(Decimal(value) * 1000 / _BASES[match["base"]]) + "‰")
    for match in _HAN.finditer(text):
        value = integer(match.group())
        if value is not None:
            found.add(str(value))
    return found


def missing(said: str, source: str) -> list[str]:
    """Give the numbers of what was said that its source has in no form, as they were said."""
    wanted = _as_said(said)
    if not wanted:
        return []
    known = numbers(source)
    left = [number for number in wanted if number not in known and not _is_known(number, known)]
    if not left:
        return []
    written = han_numbers(source)
    return [wanted[number] for number in left if number not in written]


def _as_said(text: str) -> dict[str, str]:
    """Give the numbers of a text, normalised, each with the words it was said in."""
    folded = _LABEL.sub(lambda label: " " * len(label.group()), fold(text))
    found: dict[str, str] = {}
    for match in _NUMBER.finditer(folded):
        found.setdefault(_number(match), text[match.start() : match.end()].strip())
    return found


def comparable(value: str) -> str:
    """Give a value as it is compared with others: numbers in one form, no marks, no unit 元."""
    folded = _HAN_SHARE.sub(_share, fold(value))
    folded = _HAN.sub(_han, folded)
    return _MARKS.sub("", _NUMBER.sub(_number, folded))


def _number(match: re.Match[str]) -> str:
    number = Decimal(match["digits"].replace(",", "")) * _UNITS[match["unit"]]
    return _plain(number) + (match["share"] or "")


def _share(match: re.Match[str]) -> str:
    number = integer(match["number"])
    if number is None:
        return match.group()
    return _plain(Decimal(number) * 100 / _BASES[match["base"]]) + "%"


def _han(match: re.Match[str]) -> str:
    number = integer(match.group())
    return match.group() if number is None else str(number)


def _is_known(number: str, known: set[str]) -> bool:
    """Tell whether a number stands there as a share: 10% for 0.1, 0.1 for 10%."""
    try:
        if number.endswith("%"):
            return _plain(Decimal(number[:-1]) / 100) in known
        return _plain(Decimal(number) * 100) + "%" in known
    except InvalidOperation:
        return False


def _plain(number: Decimal) -> str:
    text = format(number, "f")
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"
