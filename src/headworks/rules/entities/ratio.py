"""Percentages and fractions: 10%, 0.5‰, 百分之三十, 日万分之五, 二分之一, 三成, 5个百分点.

Takes folded text, gives values of kind percent as plain ratios (10% is ``0.1``).
Never reads 第三分之 or a page number 1/2 as a ratio.
"""

import re
from decimal import Decimal

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity
from headworks.rules.entities.numbers import HAN_NUMERALS, RUN, matches_within, read_number

_SIGNS = {
    "%": 100,
    "‰": 1000,
    "‱": 10000,
    "个百分点": 100,
    "成": 10,
    "per cent": 100,
    "percent": 100,
}
_RATIO = lazy(
    rf"(?P<parts>(?:百|千|万|(?<![第0-9.]){RUN}))分之[ ]?(?P<share>{RUN}|百)"
    rf"|(?<![0-9.a-z])(?<![0-9],)(?P<minus>-)?(?P<run>{RUN})[ ]?"
    rf"(?P<sign>[%‰‱]|个百分点|per ?cent(?![a-z])|成(?=[的以左,。;)以下上]|$))"
    rf"|(?<![0-9.a-z第])(?<![0-9],)(?P<low>[0-9]+(?:\.[0-9]+)?)"
    rf"(?=[ ]?[-~至到][ ]?[0-9]+(?:\.[0-9]+)?[ ]?%)"
)
_GATE = lazy(r"[%‰‱]|分之|百分点|成|per ?cent")
# The only characters of a match and of what must follow it.
_SEGMENT = lazy(rf"[-0-9{HAN_NUMERALS}.,余多点 分之%‰‱个成percnt~至到]{{2,}}")


def find_percents(text: str) -> list[Value]:
    """Give every percentage and fraction, in order."""
    if not _GATE.search(text):
        return []
    found = []
    for match in matches_within(_RATIO, _SEGMENT, _GATE, text):
        quantity = _ratio(match)
        if quantity is not None and not quantity.reason:
            span = Span(match.start(), match.end())
            found.append(Value(match.group(), "percent", quantity.value, span))
    return found


def parse_percent(text: str) -> Quantity | None:
    """Give the ratio that the whole folded text writes."""
    match = _RATIO.fullmatch(text)
    return _ratio(match) if match else None


def _ratio(match: re.Match[str]) -> Quantity | None:
    if match["parts"]:
        whole = read_number(match["parts"]) if len(match["parts"]) > 1 else None
        base = {"百": Decimal(100), "千": Decimal(1000), "万": Decimal(10000)}.get(match["parts"])
        if base is None:
            whole = whole or read_number(match["parts"])
            base = whole.value if whole else None
        share = read_number("一百" if match["share"] == "百" else match["share"])
        if not base or share is None:
            return None
        value, reason = _divide(share.value, base), share.reason
    else:
        said = match["run"] or match["low"]
        number = read_number(said.rsplit(",", 1)[-1])
        if number is None:
            return None
        sign = (match["sign"] or "%").replace("per cent", "percent")
        value, reason = _divide(number.value, Decimal(_SIGNS[sign])), number.reason
        if match["minus"]:
            value = -value
    return Quantity(match.group(), "percent", format(value, "f"), value, "%", reason)


def _divide(share: Decimal, base: Decimal) -> Decimal:
    """10 of 100 is 0.10: dividing by a power of ten keeps the digits as written."""
    power = base.adjusted()
    return share.scaleb(-power) if base == Decimal(1).scaleb(power) else share / base
