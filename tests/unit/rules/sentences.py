"""Hypothesis strategies that make syntax trees of the rule language."""

from datetime import date

from hypothesis import strategies as st

from headworks.rules.actions import ACTIONS, DEPTH_ZH, PRIORITY_ZH
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.syntax import (
    Action,
    Alias,
    Always,
    And,
    Apart,
    Compare,
    Contains,
    Count,
    Edge,
    Elsewhere,
    Entity,
    Has,
    InPlace,
    IsTable,
    Matches,
    Measure,
    Near,
    NearValue,
    Not,
    Number,
    Or,
    Outermost,
    Pattern,
    Refers,
    Repeats,
    Sentence,
    Tagged,
    Terms,
    Within,
    Word,
)

LETTERS = st.text(
    "甲乙丙丁戊己合同金额和与或且则若当不含包0123abXY-％%、，：（）.", min_size=1, max_size=6
)
WORDS = LETTERS.map(str.strip).filter(bool)
ALIASES = {"电压": ("电压", "伏特"), "防护等级": ("IP防护等级", "IP等级")}
PATTERNS = st.sampled_from([r"\d{4}年", "第[一二三]条", "a/b+", r"(?i)abc", "（[0-9]）", r"\(x\)"])

word = st.lists(WORDS, min_size=1, max_size=2, unique=True).map(lambda w: Word(tuple(w)))
entity_names = st.sampled_from(sorted({r.zh for r in RECOGNIZERS.values()}))
term = st.one_of(
    word,
    word,
    st.sampled_from(sorted(ALIASES)).map(Alias),
    PATTERNS.map(Pattern),
    entity_names.map(Entity),
)


@st.composite
def term_lists(draw: st.DrawFn) -> Terms:
    """Make a list of one to four terms."""
    found = tuple(draw(st.lists(term, min_size=1, max_size=4)))
    if len(found) == 1:
        return Terms("all", found)
    mode = draw(st.sampled_from(["all", "any", "at_least"]))
    least = draw(st.integers(1, len(found))) if mode == "at_least" else 1
    return Terms(mode, found, least)


subject = st.sampled_from(
    ["text", "title", "trail", "first_line", "file_name", "previous", "next", "document"]
)
operator = st.sampled_from(["<", "<=", ">", ">=", "=", "!="])
whole = st.integers(0, 5000).map(str)
amounts = st.builds(Number, st.integers(1, 10**6).map(str), st.sampled_from(["元", "万元", "亿元"]))
dates = st.dates(date(1900, 1, 1), date(2099, 12, 31)).map(lambda d: Number(d.isoformat(), "date"))

single = st.one_of(
    st.builds(Contains, term_lists(), subject, st.booleans()),
    st.builds(
        Edge,
        st.sampled_from(["start", "end", "line_start"]),
        st.lists(WORDS, min_size=1, max_size=3, unique=True).map(tuple),
        st.just("text"),
        st.booleans(),
    ),
    st.builds(
        Measure,
        st.just("length"),
        operator,
        st.builds(Number, whole, st.sampled_from(["", "字", "字符"])),
    ),
    st.builds(
        Measure, st.sampled_from(["page", "pages", "lines"]), operator, st.builds(Number, whole)
    ),
    st.builds(Compare, st.just("金额"), operator, amounts),
    st.builds(Compare, st.just("日期"), operator, dates),
    st.builds(Compare, st.just("百分比"), operator, st.builds(Number, whole, st.just("%"))),
    st.builds(
        InPlace,
        st.sampled_from(
            ["body", "cover", "contents", "clause", "header", "footer", "table", "signature"]
        ),
        st.just(""),
        st.booleans(),
    ),
    st.builds(InPlace, st.just("appendix"), st.sampled_from(["", "三", "12"]), st.booleans()),
    st.builds(IsTable, st.booleans()),
    st.builds(
        Has, st.sampled_from(["comment", "figure", "revision", "formula", "code"]), st.booleans()
    ),
    st.builds(
        Tagged, st.lists(WORDS, min_size=1, max_size=1).map(tuple), st.just("any"), st.booleans()
    ),
    st.builds(
        Tagged,
        st.lists(WORDS, min_size=2, max_size=3).map(tuple),
        st.sampled_from(["any", "all"]),
        st.booleans(),
    ),
    st.builds(Repeats, st.booleans()),
    st.builds(Repeats, st.booleans(), st.just(value=True), st.integers(50, 99)),
    st.builds(Elsewhere, st.integers(1, 999), st.integers(50, 100), st.booleans()),
    st.builds(
        Near,
        term,
        st.sampled_from(["around", "after", "before"]),
        st.integers(1, 999),
        term_lists(),
        st.booleans(),
    ),
    st.builds(Apart, term, term, st.integers(1, 999)),
    st.builds(
        Within,
        term,
        st.sampled_from(["sentence", "paragraph", "clause"]),
        term_lists(),
        st.booleans(),
        st.sampled_from(["around", "after", "before"]),
    ),
    st.builds(
        NearValue,
        term,
        st.sampled_from(["around", "after", "before"]),
        st.integers(1, 999),
        st.none(),
        st.builds(Compare, st.just("金额"), operator, amounts),
    ),
    st.builds(
        NearValue,
        term,
        st.sampled_from(["around", "after", "before"]),
        st.just(0),
        st.sampled_from(["sentence", "paragraph", "clause"]),
        st.builds(Compare, st.just("百分比"), operator, st.builds(Number, whole, st.just("%"))),
    ),
    st.builds(Outermost, st.sampled_from(["first", "last"]), st.booleans()),
    st.builds(Count, term, operator, st.builds(Number, whole)),
    st.builds(Matches, PATTERNS, subject, st.booleans()),
    st.builds(
        Refers,
        st.sampled_from(["appendix", "clause"]),
        st.sampled_from(["", "三"]),
        st.booleans(),
    ),
    st.just(Always()),
)


def _joined(kind: type) -> st.SearchStrategy:
    def flat(parts: list) -> object:
        found: list = []
        for part in parts:
            found.extend(part.parts if isinstance(part, kind) else (part,))
        return kind(tuple(found))

    return st.lists(conditions, min_size=2, max_size=3).map(flat)


conditions = st.deferred(
    lambda: st.one_of(single, single, _joined(And), _joined(Or), conditions.map(Not))
)


@st.composite
def actions(draw: st.DrawFn) -> Action:
    """Make an action with what it needs."""
    kind = draw(st.sampled_from(sorted(ACTIONS.values(), key=lambda k: k.name)))
    if kind.argument == "none":
        return Action(kind.name)
    if kind.argument == "optional_words":
        return Action(kind.name, tuple(draw(st.lists(WORDS, max_size=2))))
    if kind.argument == "words":
        return Action(kind.name, tuple(draw(st.lists(WORDS, min_size=1, max_size=2))))
    if kind.argument == "pipeline":
        return Action(kind.name, (draw(WORDS),))
    if kind.argument == "law":
        article = draw(st.sampled_from([(), ("585",), ("20-1",)]))
        return Action(kind.name, ("民法典", *article))
    if kind.argument == "priority":
        return Action(kind.name, (draw(st.sampled_from(sorted(PRIORITY_ZH))),))
    return Action(kind.name, (draw(st.sampled_from([*sorted(DEPTH_ZH), "first_n:200"])),))


sentences = st.builds(Sentence, conditions, st.lists(actions(), min_size=0, max_size=3).map(tuple))
