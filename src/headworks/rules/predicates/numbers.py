"""Conditions on numbers: length, pages, lines; typed values in the text, compared.

Takes a node, gives a test over a view. Never compares what has no certain reading.
"""

from collections.abc import Callable, Sequence

from headworks.model.verdict import Value
from headworks.rules.entities import RECOGNIZERS, compare
from headworks.rules.lexicon import quantity_of
from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Example,
    Finder,
    Predicate,
    Required,
    Test,
    compare_numbers,
    no_requirement,
)
from headworks.rules.predicates.extents import extent_range
from headworks.rules.repetition import similarity
from headworks.rules.syntax import Compare, Measure, NearValue
from headworks.rules.typed import values_of
from headworks.rules.view import Spot, Spots, View, wide


def _measure(node: Measure, _compiling: Compiling) -> Test:
    number = float(node.number.value) / (100 if node.number.unit == "%" else 1)
    operator = node.operator
    if node.name == "length":
        if node.number.unit == "字符":
            return lambda view: _holds(compare_numbers(operator, view.end - view.start, number))
        return lambda view: _holds(compare_numbers(operator, letters(view), number))
    measures: dict[str, Callable[[View], float | None]] = {
        "page": lambda view: view.page,
        "pages": lambda view: view.surroundings.document.metadata.pages,
        "lines": lambda view: view.text.count("\n") + 1 if view.text else 0,
        "similarity": similarity,
        "rows": lambda view: view.surroundings.table_size(view.chunk.spans)[0],
        "columns": lambda view: view.surroundings.table_size(view.chunk.spans)[1],
    }
    measure = measures[node.name]

    def test(view: View) -> Spots | None:
        count = measure(view)
        return None if count is None else _holds(compare_numbers(operator, count, number))

    return test


def _holds(truth: bool) -> Spots | None:
    return HOLDS if truth else None


def letters(view: View) -> int:
    """Give the number of characters that are no white space (字)."""
    known = view.cache.get("letters")
    if isinstance(known, int):
        return known
    count = len("".join(view.text.split()))
    view.cache["letters"] = count
    return count


def _near_value(node: NearValue, compiling: Compiling) -> Test:
    anchors: Finder = compiling.finder(node.anchor)
    recognizer = RECOGNIZERS[node.value.entity]
    quantity = quantity_of(node.value.number)
    operator, direction, distance, extent = (
        node.value.operator, node.direction, node.distance, node.extent,
    )  # fmt: skip

    def test(view: View) -> Spots | None:
        places = anchors(view)
        if quantity is None or not places:
            return None
        around = wide(view)
        values = values_of(around, recognizer)
        for start, end in places:
            low, high = start - distance, end + distance
            if extent is not None:
                low, high = extent_range(around, extent, start, end)
            if direction == "after":
                low = end
            elif direction == "before":
                high = start
            value = _nearest(values, (start, end), low, high)
            if value is not None and compare(value, operator, quantity):
                return (Spot(start, end), Spot(value.span.start, value.span.end, value))
        return None

    return test


def _nearest(values: Sequence[Value], anchor: tuple[int, int], low: int, high: int) -> Value | None:
    """Give the value nearest to the anchor that begins (or, before it, ends) in a range."""
    start, end = anchor
    best: tuple[int, Value] | None = None
    for value in values:
        begins, ends = value.span.start, value.span.end
        gap = begins - end if begins >= end else start - ends
        inside = begins <= high if begins >= end else ends >= low
        if gap >= 0 and inside and (best is None or gap < best[0]):
            best = (gap, value)
    return best[1] if best is not None else None


def _near_value_required(node: NearValue, compiling: Compiling) -> Required:
    return compiling.needs(node.anchor)


def _compare(node: Compare, _compiling: Compiling) -> Test:
    recognizer = RECOGNIZERS[node.entity]
    quantity = quantity_of(node.number)
    operator = node.operator

    def test(view: View) -> Spots | None:
        if quantity is None:
            return None
        found = tuple(
            Spot(value.span.start, value.span.end, value)
            for value in values_of(view, recognizer)
            if compare(value, operator, quantity)
        )
        return found[:8] or None

    return test


def _compare_required(node: Compare, compiling: Compiling) -> Required:
    return compiling.needs_entity(node.entity)


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        Measure,
        "长度（字不计空白，字符全计）、页码、总页数、行数、相似度、表格行列数与一个数比较",
        "length, page, number of pages, lines, similarity, compared with a number",
        _measure, no_requirement,
        (
            Example("文本长度小于20", "第 3 页"),
            Example("文本长度不超过四十字", "甲方"),
            Example("页码大于3", "甲方", {"page": 4}),
            Example("行数大于1", "甲\n乙"),
        ),
        (Example("文本长度小于3字", "甲 乙 丙"), Example("页码大于3", "甲方", {"page": 3})),
        "numbers",
    ),
    Predicate(
        Compare,
        "文字里至少有一个这样的金额、百分比、日期、期限等",
        "at least one such amount, percentage, date or period stands in the text",
        _compare, _compare_required,
        (
            Example("金额大于50万元", "合同总价为人民币600,000元。"),
            Example("金额不低于1,000万元", "投资一亿元"),
            Example("日期早于2024年1月1日", "签订日期：2023年12月31日"),
            Example("期限不超过30天", "付款期限为二十天"),
            Example("百分比大于30%", "支付百分之四十"),
        ),
        (
            Example("金额大于50万元", "合同总价为50万元。"),
            Example("期限不超过30天", "质保期2年"),
        ),
        "numbers",
    ),
    Predicate(
        NearValue,
        "一个词附近（之后、之前、前后若干字内，或同一句、段、条里）最近的一个值，与一个数比较",
        "the value that stands nearest to a word, within a distance or a sentence, compared",
        _near_value, _near_value_required,
        (
            Example("“预付款”之后30字内百分比大于30%", "预付款为合同总价的40%，余款60%。"),
            Example("“预付款”前后同一句百分比大于30%", "签约后支付40%的预付款。"),
            Example("“保证金”之前10字内金额不低于5万元", "乙方交纳五万元保证金。"),
        ),
        (
            Example("“预付款”之后30字内百分比大于30%", "预付款为合同总价的30%，余款70%。"),
            Example("“预付款”之后同一句百分比大于30%", "不设预付款。验收后支付70%。"),
        ),
        "numbers",
    ),
)  # fmt: skip
