"""Conditions on words: contains, begins with, near, in the same sentence, how often, patterns.

Takes a node, gives a test over a view and the literals it cannot do without. Never scans the text
for a word: places come from the one pass.
"""

from bisect import bisect_left
from collections.abc import Callable

from headworks.model.folding import fold
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.patterns import compiled
from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Example,
    Finder,
    Predicate,
    Required,
    Test,
    compare_numbers,
    negated,
)
from headworks.rules.predicates.extents import ahead_place, behind_place, extent_range
from headworks.rules.syntax import (
    Apart,
    Contains,
    Count,
    Edge,
    Entity,
    Matches,
    Near,
    Pattern,
    Term,
    Terms,
    Within,
)
from headworks.rules.view import Spot, Spots, View, wide

MAX_SHOWN = 8
MAX_KNOWN = 2_000


def _contains(node: Contains, compiling: Compiling) -> Test:
    if node.subject == "text":
        tests = [compiling.present(term) for term in node.terms.terms]
        test = _at_least(tests, _least(node.terms))
    else:
        test = _contains_elsewhere(node, compiling)
    return negated(test) if node.negated else test


def _least(terms: Terms) -> int:
    if terms.mode == "all":
        return len(terms.terms)
    return 1 if terms.mode == "any" else terms.least


def _at_least(tests: list[Test], least: int) -> Test:
    if len(tests) == 1:
        return tests[0]
    if least == len(tests):

        def every(view: View) -> Spots | None:
            found: Spots = ()
            for test in tests:
                spots = test(view)
                if spots is None:
                    return None
                found += spots
            return found

        return every

    def enough(view: View) -> Spots | None:
        found: Spots = ()
        count = 0
        for test in tests:
            spots = test(view)
            if spots is not None:
                count += 1
                found += spots
                if count >= least:
                    return found
        return None

    return enough


def _contains_elsewhere(node: Contains, compiling: Compiling) -> Test:
    """A subject that is short, or read seldom: title, file name, the next chunk."""
    checks = [_in_text(term, compiling) for term in node.terms.terms]
    least = _least(node.terms)
    subject = node.subject

    if subject == "document":
        return _anywhere(checks, least)
    known: dict[str, bool] = {}

    def test(view: View) -> Spots | None:
        text = view.subject(subject)
        holds = known.get(text)
        if holds is None:
            if len(known) >= MAX_KNOWN:
                known.clear()
            # Kept aside, too: another thread may clear what is known.
            holds = known[text] = sum(1 for check in checks if check(text)) >= least
        return HOLDS if holds else None

    return test


def _anywhere(checks: list[Callable[[str], bool]], least: int) -> Test:
    """All of a document is looked through once, however many chunks ask."""
    key = object()

    def test(view: View) -> Spots | None:
        memo = view.surroundings.memo
        if key not in memo:
            text = view.subject("document")
            memo[key] = sum(1 for check in checks if check(text)) >= least
        return HOLDS if memo[key] else None

    return test


def _in_text(term: Term, compiling: Compiling) -> Callable[[str], bool]:
    if isinstance(term, Pattern):
        pattern = compiled(term.source)
        return lambda text: pattern.search(text.encode("utf-8", "replace")) is not None
    if isinstance(term, Entity):
        find = RECOGNIZERS[term.name].find
        return lambda text: bool(find(text))
    words = compiling.words(term)
    return lambda text: any(word in text for word in words)


def _contains_required(node: Contains, compiling: Compiling) -> Required:
    if node.negated or node.subject != "text":
        return None
    return compiling.needs_list(node.terms)


def _edge(node: Edge, _compiling: Compiling) -> Test:
    words = tuple(fold(word) for word in node.words)
    subject, side = node.subject, node.side

    def test(view: View) -> Spots | None:
        text = view.subject(subject)
        if side == "start":
            holds = text.startswith(words)
        elif side == "end":
            holds = text.endswith(words)
        else:
            holds = any(line.lstrip().startswith(words) for line in text.split("\n"))
        if not holds:
            return None
        if subject != "text" or side == "line_start":
            return HOLDS
        return (Spot(view.start, view.start + 1),) if side == "start" else (
            Spot(view.end - 1, view.end),
        )  # fmt: skip

    return negated(test) if node.negated else test


def _edge_required(node: Edge, compiling: Compiling) -> Required:
    if node.negated or node.subject != "text":
        return None
    return frozenset(compiling.literal(fold(word)) for word in node.words)


def _near(node: Near, compiling: Compiling) -> Test:
    anchors = compiling.finder(node.anchor, guarded=not node.negated)
    others = [compiling.finder(term, guarded=False) for term in node.terms.terms]
    least = _least(node.terms)
    before = node.distance if node.direction in ("before", "around") else 0
    after = node.distance if node.direction in ("after", "around") else 0

    def around(view: View) -> Spots | None:
        places = anchors(view)
        if not places:
            return None
        around = wide(view)
        found = [other(around) for other in others]
        if not node.negated and sum(1 for other in found if other) < least:
            return None
        starts = [[start for start, _ in other] for other in found]
        for start, end in places:
            spots: list[Spot] = []
            for other, begins in zip(found, starts, strict=True):
                spot = _nearest(other, begins, start, end, before, after)
                if spot is not None:
                    spots.append(spot)
            if (len(spots) >= least) != node.negated:
                return (Spot(start, end), *(spots if not node.negated else ()))
        return None

    return around


def _nearest(
    places: list[tuple[int, int]],
    starts: list[int],
    start: int,
    end: int,
    before: int,
    after: int,
) -> Spot | None:
    """Give a place within ``after`` of the end, or ``before`` of the start (gap between them)."""
    if after:
        index = bisect_left(starts, end)
        if index < len(places) and places[index][0] - end <= after:
            return Spot(*places[index])
    if before:
        index = bisect_left(starts, start) - 1
        while index >= 0 and start - starts[index] <= before + 64:
            if places[index][1] <= start:
                return Spot(*places[index]) if start - places[index][1] <= before else None
            index -= 1
    return None


def _near_required(node: Near, compiling: Compiling) -> Required:
    return compiling.needs(node.anchor)


def _apart(node: Apart, compiling: Compiling) -> Test:
    first = compiling.finder(node.first)
    second = compiling.finder(node.second)

    def test(view: View) -> Spots | None:
        left = first(view)
        right = second(wide(view)) if left else []
        if not right:
            return None
        starts = [start for start, _ in right]
        for start, end in left:
            spot = _nearest(right, starts, start, end, node.distance + 1, node.distance + 1)
            if spot is not None and _gap(start, end, spot) <= node.distance:
                return (Spot(start, end), spot)
        return None

    return test


def _gap(start: int, end: int, spot: Spot) -> int:
    return spot.start - end if spot.start >= end else start - spot.end


def _apart_required(node: Apart, compiling: Compiling) -> Required:
    return compiling.needs(node.first)


def _within(node: Within, compiling: Compiling) -> Test:
    anchors = compiling.finder(node.anchor, guarded=not node.negated)
    others = [compiling.finder(term, guarded=False) for term in node.terms.terms]
    least = _least(node.terms)
    behind, before = node.direction != "before", node.direction != "after"

    def test(view: View) -> Spots | None:
        places = anchors(view)
        if not places:
            return None
        around = wide(view)
        found = [other(around) for other in others]
        starts = [[start for start, _ in other] for other in found]
        for start, end in places:
            begin, limit = extent_range(around, node.extent, start, end)
            spots: list[Spot] = []
            for other, begins in zip(found, starts, strict=True):
                spot = behind_place(other, begins, end, limit) if behind else None
                if spot is None and before:
                    spot = ahead_place(other, begins, start, begin)
                if spot is not None:
                    spots.append(spot)
            if (len(spots) >= least) != node.negated:
                return (Spot(start, end), *(spots if not node.negated else ()))
        return None

    return test


def _within_required(node: Within, compiling: Compiling) -> Required:
    return compiling.needs(node.anchor)


def _count(node: Count, compiling: Compiling) -> Test:
    find: Finder = compiling.finder(node.term)
    number = float(node.number.value)

    def test(view: View) -> Spots | None:
        places = find(view)
        count = _disjoint(places)
        if not compare_numbers(node.operator, count, number):
            return None
        return tuple(Spot(*place) for place in places[:MAX_SHOWN])

    return test


def _disjoint(places: list[tuple[int, int]]) -> int:
    count, reached = 0, -1
    for start, end in places:
        if start >= reached:
            count += 1
            reached = end
    return count


def _count_required(node: Count, compiling: Compiling) -> Required:
    if compare_numbers(node.operator, 0, float(node.number.value)):
        return None
    return compiling.needs(node.term)


def _matches(node: Matches, compiling: Compiling) -> Test:
    if node.subject == "text":
        test = compiling.present(Pattern(node.pattern))
    else:
        test = _contains_elsewhere(
            Contains(Terms("all", (Pattern(node.pattern),)), node.subject), compiling
        )
    return negated(test) if node.negated else test


def _matches_required(node: Matches, compiling: Compiling) -> Required:
    if node.negated or node.subject != "text":
        return None
    return compiling.needs(Pattern(node.pattern))


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        Contains,
        "文字里有所列的词：全部、任一或至少几个；标题、文件名、上一片等也可以做主语",
        "the text holds the words: all, any, or at least so many; also title, file name and so on",
        _contains, _contains_required,
        (
            Example("包含“违约金”", "乙方应支付违约金。"),
            Example("包含任一：“滞纳金”、“违约金”", "乙方应支付违约金。"),
            Example("包含至少2个：“发票”、“税额”、“编号”", "发票编号与金额"),
            Example("不包含任一：“机密”、“秘密”", "公开资料"),
            Example("文件名包含“采购”", "正文", {"filename": "采购合同.docx"}),
            Example('contains "invoice" and "amount"', "Invoice No. 3, Amount 200"),
        ),
        (
            Example("包含全部：“甲方”、“乙方”", "甲方应付款。"),
            Example("不包含任一：“机密”、“秘密”", "秘密资料"),
        ),
    ),
    Predicate(
        Edge,
        "以某词开头、结尾，或有一行以它开头；句号、逗号等可写名称",
        "begins or ends with a word, or has a line that begins with it",
        _edge, _edge_required,
        (
            Example("以“第”开头", "第三条 付款"),
            Example("不以句号结尾", "第三条 付款"),
            Example("行首为“二、”", "一、甲\n二、乙"),
        ),
        (Example("不以句号结尾", "甲方付款。"), Example("以“第”开头", "依第三条")),
    ),
    Predicate(
        Near,
        "一个词的前后、之前、之后若干字内出现（或没有出现）另一个词",
        "a word stands within so many characters before or after another",
        _near, _near_required,
        (
            Example("“违约金”之后30字内出现“%”", "违约金为合同价的10%"),
            Example("“违约金”前后十字内没有出现“不”或“未”", "应当支付违约金五万元"),
            Example("“附件”之前5字内出现“详见”", "详见本附件"),
        ),
        (
            Example("“违约金”之后3字内出现“%”", "违约金为合同价的10%"),
            Example("“违约金”前后十字内没有出现“不”或“未”", "乙方不支付违约金"),
        ),
    ),
    Predicate(
        Apart,
        "两个词相距不超过若干字",
        "two words stand no further apart than so many characters",
        _apart, _apart_required,
        (Example("“甲方”与“乙方”相距不超过5字", "甲方与本乙方"),),
        (Example("“甲方”与“乙方”相距不超过2字", "甲方同意并承诺乙方"),),
    ),
    Predicate(
        Within,
        "一个词之后（之前、前后），同一句（段、条）里出现另一个词",
        "after (before, around) a word, in the same sentence, paragraph or clause, another stands",
        _within, _within_required,
        (
            Example("“违约金”之后同一句出现“10%”", "违约金为合同价的10%。"),
            Example("“违约金”之前同一句出现“不”", "乙方不承担违约金。"),
            Example("“违约金”与“10%”在同一句", "按10%计收违约金。"),
        ),
        (
            Example("“违约金”之后同一句出现“10%”", "支付违约金。税率10%。"),
            Example("“违约金”之前同一句出现“不”", "乙方不迟延。违约金为10%。"),
        ),
    ),
    Predicate(
        Count,
        "一个词出现的次数",
        "how often a word occurs",
        _count, _count_required,
        (Example("“甲方”出现次数大于2", "甲方、甲方、甲方"),),
        (Example("“甲方”出现次数大于2", "甲方、甲方"),),
    ),
    Predicate(
        Matches,
        "匹配一个正则表达式（RE2 语法，时间总是线性的）",
        "a regular expression matches (RE2, always in linear time)",
        _matches, _matches_required,
        (Example(r"匹配正则/第\d+页/", "第３页"), Example("匹配正则/（[一二三]）/", "(二)")),
        (Example(r"不匹配正则/第\d+页/", "第3页"),),
    ),
)  # fmt: skip
