"""The prefilter and the literals of patterns: they only save time."""

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from headworks.config import RuleSettings
from headworks.model.folding import fold
from headworks.rules.book import RuleBook
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.loader import parse_pack
from headworks.rules.pack import Pack, Rule
from headworks.rules.pattern_literals import required_literals
from headworks.rules.patterns import compiled, fault_of, folded_pattern
from headworks.rules.specimen import specimen
from headworks.rules.syntax import Action, Condition
from tests.build.rules import never_join
from tests.unit.rules.sentences import ALIASES, conditions

TEXTS = st.text(
    "甲乙丙丁戊己合同金额和与或且则若当不含包0123abXY-％%、，：（）.。\n第条年", max_size=120
)


@settings(max_examples=250, deadline=None)
@given(st.lists(conditions, min_size=1, max_size=6), st.lists(TEXTS, min_size=1, max_size=3))
def test_prefilter_changes_nothing(found: list[Condition], texts: list[str]) -> None:
    """With and without the prefilter, the same rules fire, at the same places."""
    rules = tuple(
        Rule(f"r{number}", condition, (Action("tag", (f"t{number}",)),), "t:1:1")
        for number, condition in enumerate(found)
    )
    pack = Pack("p", "t.yaml", "0", rules, aliases=ALIASES)
    verdicts = []
    for prefilter in (True, False):
        book = RuleBook([pack], RuleSettings(time_budget_seconds=60), prefilter=prefilter)
        verdicts.append([])
        for text in texts:
            document, chunks, _ = specimen(text, {})
            verdicts[-1].append(book.judge(document, chunks, never_join)[1])
    assert verdicts[0] == verdicts[1]


LITERALS = {
    r"甲方.*?乙方": {"甲方"},
    r"(合同|协议)编号[:：]?\s*\d+": {"合同编号", "协议编号"},
    r"付款(?:方式|期限)?为": {"付款"},
    r"(?:x|)y": {"y", "xy"},
    r"¥?\d+(\.\d{2})?": None,
    r"(甲|乙)(方|人)": {"甲方", "甲人", "乙方", "乙人"},
    r"违约金{0,3}": {"违约"},
    r"[^a]b{2}": {"b"},
    r"（附件）": {"(附件)"},
    r"\d{4}年": {"年"},
    r".*": None,
}


@pytest.mark.parametrize("pattern", LITERALS)
def test_required_literals(pattern: str) -> None:
    """A pattern's needed words are those that no match can do without."""
    wanted = LITERALS[pattern]
    assert required_literals(folded_pattern(pattern)) == (frozenset(wanted) if wanted else None)


PIECES = st.recursive(
    st.sampled_from(["a", "甲", "bc", "[ab]", "[^a]", r"\d", ".", "乙丙", "^", r"\b", "(?i:D)"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda p: "(" + "|".join(p) + ")"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{1,2}", "{0,2}"])).map(
            lambda p: f"(?:{p[0]}){p[1]}"
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(PIECES, st.text("abcd甲乙丙1 ", max_size=12))
def test_needed_words_are_needed(pattern: str, text: str) -> None:
    """Where a pattern matches, one of its needed words stands."""
    assume(fault_of(pattern) is None)
    needed = required_literals(folded_pattern(pattern))
    if compiled(pattern).search(text.encode()) and needed is not None:
        assert any(word in text for word in needed), pattern


MONEY = st.text("0123456789一二百万亿元圆整角¥$rmb%‰成分之百点块钱 USD,.人民币美金港", max_size=16)


@settings(max_examples=400, deadline=None)
@given(MONEY)
def test_gates_of_entities(text: str) -> None:
    """Where a recogniser finds a value, one of its gate's words stands in the text."""
    folded = fold(text)
    for recognizer in {r.name: r for r in RECOGNIZERS.values()}.values():
        if recognizer.gate and recognizer.find(folded):
            assert any(word in folded for word in recognizer.gate)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"(?m)^(寄存器|模块|\d+\.)", "说明\n模块一", True),
        (r"(?m)^(寄存器|模块|\d+\.)", "说明模块一", False),
        (r"（[一二]）", "(一)", True),
        (r"[A-Z]{2}\d", "型号ab1", True),
        (r"\w+公司", "甲乙公司", True),
        (r"^第\d+条$", "第3条", True),
    ],
)
def test_patterns_see_the_folded_text(pattern: str, text: str, matches: bool) -> None:
    """Full width, case and brackets do not matter; lines and Han letters do."""
    assert (compiled(pattern).search(text.encode()) is not None) == matches


def test_empty_matches_stay_between_characters() -> None:
    """A pattern that also matches nothing is counted between characters, not inside them."""
    document, chunks, _ = specimen("甲乙1丙", {})
    pack = parse_pack(
        "t.yaml", r"rules: [{id: a, when: '/\d*/出现次数大于2', then: 标记为一}]".encode()
    )
    book = RuleBook([pack], RuleSettings())
    assert book.judge(document, chunks, never_join)[1][0].tags == ("一",)


@pytest.mark.parametrize("pattern", ["(a+)+$", "甲方.*?乙方", "(a|aa)+$", "(.*,){20}x"])
def test_catastrophic_patterns_are_linear(pattern: str) -> None:
    """What would take a backtracking matcher for ever runs over a megabyte and ends."""
    assert fault_of(pattern) is None
    text = ("a" * 40 + "甲方,") * 20_000
    compiled(pattern).search(text.encode())


def test_near_is_linear() -> None:
    """Two words far apart and a hundred thousand anchors end at once."""
    text = "甲方" * 100_000
    document, chunks, _ = specimen(text, {})
    pack = parse_pack(
        "t.yaml",
        "rules: [{id: a, when: “甲方”之后30字内出现“乙方”, then: 标记为一},"
        "{id: b, when: “甲方”之后30字内没有出现“丙方”, then: 标记为二},"
        "{id: c, when: “甲方”出现次数大于99999, then: 标记为三}]".encode(),
    )
    book = RuleBook([pack], RuleSettings(time_budget_seconds=60))
    assert book.judge(document, chunks, never_join)[1][0].tags == ("二", "三")


def test_own_patterns_are_plain() -> None:
    """The patterns folded for RE2 keep their meaning for re where both know the syntax."""
    for pattern in ("第[0-9]+条", r"\d{4}-\d{2}", "(甲|乙)方"):
        assert re.compile(folded_pattern(pattern))
