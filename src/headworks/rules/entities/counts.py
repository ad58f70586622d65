"""Plain numbers, and numbers with a unit of text or of count: 30, 1,000, 四十字, 3次, 5页.

Takes folded text, gives values of kind number. Never takes digits out of words, codes or dates.
"""

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.base import Quantity
from headworks.rules.entities.numbers import HAN_DIGITS, HAN_NUMERALS, RUN, plain, read_number

_NUMBER = lazy(
    r"(?<![0-9a-z.,/_第-])-?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
    r"(?:[十百千]?[万亿]|[百千](?!分))?(?![0-9a-z_]|[-/.:,][0-9]|[年月]|分之)"
    rf"|(?<![0-9{HAN_NUMERALS}第])(?=[{HAN_NUMERALS}]*[十百千万亿点])[{HAN_DIGITS}十][{HAN_NUMERALS}点]+"
    rf"(?![{HAN_NUMERALS}]|[年月条章节款项]|分之)"
)
_UNITS = (
    "字符", "个字", "字", "页", "行", "次", "个", "条", "项", "处", "章", "款", "列", "级", "人",
    "份", "度", "chars", "characters", "char", "words", "pages", "page", "lines", "rows", "times",
)  # fmt: skip
_COUNT = lazy(rf"(?P<run>-?{RUN})[ ]?(?P<unit>{'|'.join(_UNITS)})?")
_CANON = {
    "个字": "字", "char": "字符", "chars": "字符", "characters": "字符", "page": "页",
    "pages": "页",
    "lines": "行", "rows": "行", "times": "次",
}  # fmt: skip


def find_numbers(text: str) -> list[Value]:
    """Give every number, in order."""
    found = []
    for match in _NUMBER.finditer(text):
        said = match.group()
        number = read_number(said.lstrip("-"))
        if number is not None and not number.reason:
            value = -number.value if said.startswith("-") else number.value
            span = Span(match.start(), match.end())
            found.append(Value(said, "number", plain(value), span))
    return found


def parse_count(text: str) -> Quantity | None:
    """Give the number, with or without a unit of count, that the whole folded text writes."""
    match = _COUNT.fullmatch(text)
    if match is None:
        return None
    number = read_number(match["run"].lstrip("-"))
    if number is None:
        return None
    value = -number.value if text.startswith("-") else number.value
    unit = _CANON.get(match["unit"] or "", match["unit"] or "")
    readings = tuple(f"{plain(reading)}{unit}" for reading in number.readings)
    return Quantity(text, "number", plain(value), value, unit, number.reason, readings)
