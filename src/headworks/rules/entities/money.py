"""Amounts of money: 50万元, 人民币壹佰万元整, ¥1,000.00, USD 500, 12万5千元.

Takes folded text, gives values of kind amount in the base unit: ``500000`` is yuan, another
currency is named before the number (``USD 500``). Never reads 单元, 三元件 or 元月 as money.
"""

import re
from decimal import Decimal
from functools import lru_cache

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity
from headworks.rules.entities.numbers import (
    HAN_NUMERALS,
    RUN,
    low_end,
    matches_within,
    plain,
    read_number,
)

_CURRENCIES = {
    "元": "", "圆": "", "块钱": "", "人民币": "", "rmb": "", "cny": "", "¥": "", "yuan": "",
    "美元": "USD", "美金": "USD", "usd": "USD", "us$": "USD", "$": "USD",
    "港元": "HKD", "港币": "HKD", "hkd": "HKD", "hk$": "HKD",
    "欧元": "EUR", "eur": "EUR", "€": "EUR", "英镑": "GBP", "gbp": "GBP", "£": "GBP",
    "日元": "JPY", "日圆": "JPY", "jpy": "JPY", "澳元": "AUD", "aud": "AUD", "加元": "CAD",
    "卢布": "RUB", "新台币": "TWD", "澳门元": "MOP",
}  # fmt: skip

_BEFORE = r"人民币|rmb|cny|¥|usd|us\$|hk\$|hkd|eur|gbp|jpy|aud|\$|€|£|美元|美金|港币|欧元"
_AFTER = (
    r"美元|美金|港元|港币|欧元|英镑|日元|日圆|澳元|加元|卢布|新台币|澳门元|人民币|块钱|元|圆"
    r"|(?:rmb|cny|usd|eur|hkd|gbp|jpy|yuan)(?![a-z])"
)
# What makes 元 part of another word: 三元件, 一元论, 多元化, 元月.
_NOT_MONEY = r"(?![件素器月旦组乙次化论朝老宵帅首])"

_AMOUNT = lazy(
    rf"(?<![0-9a-z.第])(?<![0-9],)(?P<mark>{_BEFORE})?[ ]{{0,2}}"
    rf"(?P<words>\(?大写\)?[: ]{{0,3}}(?:人民币)?[ ]{{0,2}})?"
    rf"(?P<sign>-)?(?:\[[ ]?)?(?P<run>{RUN})(?:[ ]?\])?"
    rf"[ ]{{0,2}}(?P<scale>[百千]?[万亿]|[百千])?[ ]?"
    rf"(?P<unit>(?:{_AFTER}){_NOT_MONEY})?"
    rf"(?P<rest>(?P<jiao>[0-9零一二三四五六七八九壹贰叁肆伍陆柒捌玖])角)?"
    rf"(?:零?(?P<fen>[0-9一二三四五六七八九壹贰叁肆伍陆柒捌玖])分)?[整正]?"
)
_SCALES = {
    "百": 10**2, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "百亿": 10**10, "千亿": 10**11,
}  # fmt: skip
_MONEY_BEFORE = lazy(
    r"(?:罚款?|扣款?|价款?|款项?|费用?|金额?|预算|投资额?|限额|资本|报价|总额|保证金|赔偿|奖励)"
    r"(?:为|是|约|共计?|合计|达|不超过|人民币|[:])?[ ]{0,2}$"
)
_SUM_ENDS = lazy(r"[ ]{0,2}(?:[,。;、)\n]|以[上下内]|左右|整|$)")
# A set of characters first: what begins so is looked for many times faster.
_GATE = lazy(
    r"[元圆钱币金镑布万萬亿億¥$€£rcuehgjya](?:(?<=[^a-z])|(?<=r)mb|(?<=c)ny|(?<=u)s[d$]|(?<=e)ur"
    r"|(?<=h)k[d$]|(?<=g)bp|(?<=j)py|(?<=y)uan|(?<=a)ud)"
)
# The only characters of a match; a word for a currency, or 万, 亿, is always there.
_SEGMENT = lazy(
    rf"[-0-9{HAN_NUMERALS}.,余多点 \[\]():大写整正角分元圆块钱人民币美金港欧英镑日澳加卢布新台门"
    r"¥$€£abcdeghjkmnprsuy]{2,}"
)


def find_amounts(text: str) -> list[Value]:
    """Give every amount of money, in order."""
    if not _GATE.search(text):
        return []
    found = []
    for match in matches_within(_AMOUNT, _SEGMENT, _GATE, text):
        quantity = _amount(match)
        if quantity is not None and not quantity.reason:
            start = match.start("sign" if match["sign"] else "run")
            start = match.start("mark") if match["mark"] else start
            span = Span(start, match.end())
            found += _lower(text, match, quantity)
            found.append(Value(text[span.start : span.end], "amount", quantity.value, span))
    return found


def _lower(text: str, match: re.Match[str], quantity: Quantity) -> list[Value]:
    """The lower end of 50-100万元, in the unit of the upper one."""
    low = low_end(text, match.start("run")) if match["unit"] and not match["mark"] else None
    if low is None or low[1].value == 0:
        return []
    start, number = low
    scale = Decimal(_SCALES.get(match["scale"] or "", 1))
    for big, factor in (("亿", 10**8), ("万", 10**4)):
        if match["run"].endswith(big) and number.value < factor:
            scale *= factor
            break
    value = plain(number.value * scale)
    currency = quantity.unit if quantity.unit != "元" else ""
    end = start + len(text[start : match.start("run")].rstrip(" -~至到"))
    written = f"{currency} {value}" if currency else value
    return [Value(text[start:end], "amount", written, Span(start, end))]


def parse_amount(text: str) -> Quantity | None:
    """Give the amount that the whole folded text writes; needs a unit or a currency mark."""
    match = _AMOUNT.fullmatch(text)
    return _amount(match) if match else None


def _amount(match: re.Match[str]) -> Quantity | None:
    mark, unit, run = match["mark"], match["unit"], match["run"]
    if not unit and not mark and not _is_spoken_of(match):
        return None
    if not unit and mark and not run[0].isdigit():
        return None
    if unit in ("元", "圆") and _is_word(match):
        return None
    written = _written(run, match["scale"], match["jiao"], match["fen"], bool(match["sign"]))
    if written is None:
        return None
    value, plainly, reason, readings = written
    named = _CURRENCIES[unit] if unit else ""
    currency = named or (_CURRENCIES[mark] if mark else "")
    return Quantity(
        text=match.group(),
        kind="amount",
        value=f"{currency} {plainly}" if currency else plainly,
        number=value,
        unit=currency or "元",
        reason=reason,
        readings=readings,
    )


@lru_cache(maxsize=4_000)
def _written(
    run: str, scaled: str | None, jiao: str | None, fen: str | None, negative: bool
) -> tuple[Decimal, str, str, tuple[str, ...]] | None:
    """Give the sum that is written so: its number, in plain figures, its doubt and readings."""
    number = read_number(run)
    if number is None:
        pieces = run.rsplit(",", 1)
        number = read_number(pieces[-1]) if len(pieces) == 2 else None
    if number is None:
        return None
    scale = _SCALES.get(scaled or "", 1)
    small = Decimal(_digit(jiao)) / 10 + Decimal(_digit(fen)) / 100
    value = (-1 if negative else 1) * (number.value * scale + small)
    readings = tuple(f"{plain(reading * scale)}元" for reading in number.readings)
    return value, plain(value), number.reason, readings


def _is_spoken_of(match: re.Match[str]) -> bool:
    """罚款20万, 预算约3亿: a large round sum without 元 where the words before speak of money."""
    if not (match["scale"] or match["run"]).endswith(("万", "亿")):
        return False
    before = match.string[max(0, match.start("run") - 8) : match.start("run")]
    return bool(_MONEY_BEFORE.search(before) and _SUM_ENDS.match(match.string, match.end()))


def _is_word(match: re.Match[str]) -> bool:
    """一元, 二元, 三元 before a noun are words (一元回归, 三元材料), unless money is plain."""
    run = match["run"]
    if len(run) > 1 or run.isdigit() or run in "十百" or match["scale"]:
        return False
    after = match.string[match.end("unit") : match.end("unit") + 1]
    return bool(after) and after not in "整正角,。;、)/ \n的每以至-~"


def _digit(char: str | None) -> int:
    number = read_number(char) if char else None
    return int(number.value) if number else 0
