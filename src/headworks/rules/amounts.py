"""Conditions with a number: 文本长度小于20字, 金额大于50万元, 页码在3到5之间.

Takes a reading at the name of what is measured, gives a condition. Never takes a number whose
unit does not fit: 百分比大于30 could be 30 % or 3,000 %.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import cast

from headworks.rules import vocabulary as words
from headworks.rules.complaints import nearest_start
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import FORMAT, number_text, quantity_of
from headworks.rules.reading import Reading
from headworks.rules.syntax import (
    And,
    Compare,
    Condition,
    Measure,
    MeasureName,
    Number,
    Operator,
)

# Makes a condition of an operator, a number, and where the number stands.
Builder = Callable[[Operator, Number, int], Condition]
_SCALE = re.compile(r"\s*(?:百万|[千万亿])(?=\s*[到至~-])")
_UNITS_OF: dict[MeasureName, tuple[str, ...]] = {
    "length": ("", "字", "字符"),
    "page": ("", "页"),
    "pages": ("", "页"),
    "lines": ("", "行"),
    "similarity": ("%",),
    "rows": ("", "行"),
    "columns": ("", "列"),
}
_EXAMPLES = {
    "length": "20字", "page": "3", "pages": "10", "lines": "5", "similarity": "90%",
    "rows": "10", "columns": "3",
}  # fmt: skip


def read_measure(reading: Reading) -> Condition | None:
    """文本长度小于20字."""
    scanner = reading.scanner
    start = scanner.skip()
    name = cast(MeasureName, scanner.take(words.MEASURES))
    said = scanner.text[start : scanner.position].strip()
    build = cast(Builder, partial(_measured, reading, name, said))
    bounded = _read_bounds(reading, build)
    if bounded is not None:
        return bounded
    operator = read_operator(reading, said, f"{said}小于{_EXAMPLES[name]}")
    at = scanner.skip()
    number = read_number(reading, f"{said}{_shown_operator(operator)}{_EXAMPLES[name]}")
    return build(operator, number, at)


def measured_length(reading: Reading) -> Condition:
    """Read 少于20字 after 文本."""
    build = cast(Builder, partial(_measured, reading, "length", "文本长度"))
    operator = read_operator(reading, "文本长度", "文本长度小于20字")
    at = reading.scanner.skip()
    return build(operator, read_number(reading, "文本长度小于20字"), at)


def _measured(
    reading: Reading, name: MeasureName, said: str, operator: Operator, number: Number, at: int
) -> Condition:
    """Give the comparison of a measure; E132 or E203 where the unit does not fit."""
    scanner = reading.scanner
    if number.unit not in _UNITS_OF[name]:
        code = "E203" if name == "similarity" and not number.unit else "E132"
        raise scanner.error(
            code,
            f"“{said}”后面的数字要写单位" if code == "E203" else f"“{said}”不能用“{number.unit}”计",
            at=at,
            length=scanner.position - at,
            suggestions=(f"{said}{_shown_operator(operator)}{_EXAMPLES[name]}",),
        )
    return Measure(name, operator, number)


def _read_bounds(reading: Reading, build: Builder) -> Condition | None:
    """Read 在50万元以上, 20字以内, 在3到5之间; none where it is something else."""
    scanner = reading.scanner
    before = scanner.skip()
    scanner.take(words.RANGE_LEAD) or scanner.take(words.IS)
    first_at = scanner.skip()
    first = scanner.number()
    if first is None:
        scanner.position = before
        return None
    scale = "" if first.unit else _scale(scanner)
    operator = scanner.take(words.BOUND_TAIL) if not scale else None
    if operator is not None:
        return build(cast(Operator, operator), first, first_at)
    if scanner.take(words.RANGE_JOIN) is None:
        scanner.position = before
        return None
    second_at = scanner.skip()
    second = scanner.number()
    if second is None:
        scanner.position = before
        return None
    scanner.take(words.BETWEEN)
    if scale and not second.unit.endswith("元"):
        scanner.position = before
        return None
    if not first.unit:
        first = Number(first.value, f"{scale}元" if scale else second.unit)
    return And((build(">=", first, first_at), build("<=", second, second_at)))


def _scale(scanner: Scanner) -> str:
    """Step over the 万 of 10万到50万元."""
    match = _SCALE.match(scanner.folded, scanner.position)
    if match is None:
        return ""
    scanner.position = match.end()
    return match.group().strip()


def read_comparison(reading: Reading) -> Condition | None:
    """金额大于50万元."""
    scanner = reading.scanner
    start = scanner.skip()
    found = reading.lexicon.entities.at(scanner.folded, start)
    if found is None or FORMAT.match(scanner.folded, found[1]):
        return None
    entity = str(found[0])
    scanner.position = found[1]
    recognizer = RECOGNIZERS[entity]
    example = f"{entity}大于{_example(entity)}"
    if not recognizer.units:
        read_operator(reading, entity, example)
        raise scanner.error(
            "E134",
            f"“{entity}”不能比较大小",
            at=start,
            length=len(entity),
            suggestions=(f"包含{entity}格式",),
        )
    build = cast(Builder, partial(_compared, reading, entity))
    bounded = _read_bounds(reading, build)
    if bounded is not None:
        return bounded
    operator = read_operator(reading, entity, example)
    at = scanner.skip()
    number = read_number(reading, f"{entity}{_shown_operator(operator)}{_example(entity)}")
    return build(operator, number, at)


def _compared(
    reading: Reading, entity: str, operator: Operator, number: Number, at: int
) -> Condition:
    """Give the comparison of an entity; E132 or E203 where the unit does not fit."""
    scanner = reading.scanner
    recognizer = RECOGNIZERS[entity]
    quantity = quantity_of(number)
    if quantity is None or quantity.kind not in recognizer.units:
        unitless = not number.unit
        raise scanner.error(
            "E203" if unitless else "E132",
            f"“{entity}”后面的数字要写单位"
            if unitless
            else f"“{entity}”不能与“{number_text(number)}”比较",
            at=at,
            length=scanner.position - at,
            suggestions=_with_units(entity, operator, number, scanner.rest(1)),
        )
    return Compare(entity, operator, number)


def _example(entity: str) -> str:
    recognizer = RECOGNIZERS[entity]
    if "date" in recognizer.units:
        return "2024年1月1日"
    return f"{30 if recognizer.example_unit in ('天', '%') else 50}{recognizer.example_unit}"


def _with_units(entity: str, operator: Operator, number: Number, following: str) -> tuple[str, ...]:
    recognizer = RECOGNIZERS[entity]
    shown = _shown_operator(operator)
    if number.unit or not recognizer.example_unit:
        return (f"{entity}{shown}{_example(entity)}",)
    if "amount" in recognizer.units and following in tuple("百千万亿"):
        return (f"{entity}{shown}{number.value}{following}元",)
    units = ("元", "万元") if "amount" in recognizer.units else (recognizer.example_unit,)
    return tuple(f"{entity}{shown}{number.value}{unit}" for unit in units)


def _shown_operator(operator: Operator) -> str:
    return {"<": "小于", "<=": "不超过", ">": "大于", ">=": "不低于", "=": "等于", "!=": "不等于"}[
        operator
    ]


def read_operator(reading: Reading, said: str, example: str) -> Operator:
    """Read a comparison word; E130 where there is none."""
    scanner = reading.scanner
    operator = scanner.take(words.OPERATORS)
    if operator is not None:
        return cast(Operator, operator)
    here = scanner.skip()
    near = nearest_start(scanner.folded[here:], words.OPERATORS.table)
    suggestions = [example]
    if near:
        suggestions.insert(0, f"是不是想写“{near}”？")
    raise scanner.error("E130", f"“{said}”后面需要比较词", at=here, suggestions=suggestions)


def read_number(reading: Reading, example: str) -> Number:
    """Read a number with its unit; E131 where there is none."""
    scanner = reading.scanner
    here = scanner.skip()
    number = scanner.number()
    if number is None:
        rest = scanner.rest()
        raise scanner.error(
            "E131",
            f"这里需要一个数，“{rest}”不是" if rest else "这里需要一个数",
            at=here,
            length=len(rest) or 1,
            suggestions=(example,),
        )
    return number
