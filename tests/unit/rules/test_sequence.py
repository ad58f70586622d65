"""Sequences: what fires, with which values, and what does not."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.errors import RulesError
from headworks.model.folding import fold
from headworks.rules.sequence import SequenceHit, compile_sequence

PENALTY: dict[str, Any] = {
    "within": "sentence",
    "steps": [
        {"find": "违约金", "not_followed_by": ["条款", "见附件", "详见", "的约定"]},
        {"then": {"any": ["为", "按", "应为"], "max_gap": 40}},
        {"capture": {"as": "比例", "type": ["percent", "amount"], "max_gap": 40}},
        {
            "optional": {
                "any": ["不超过", "最高不超过", "上限为"],
                "capture": {"as": "上限", "type": ["percent", "amount"]},
                "max_gap": 30,
            }
        },
    ],
    "guards": {
        "negation": {"words": ["不", "未", "无", "免", "无需"], "before": 4, "action": "reject"},
        "condition": {"words": ["如", "若", "除非"], "before": "sentence", "action": "annotate"},
    },
}


def run(text: str, fields: dict[str, Any] | None = None) -> list[SequenceHit]:
    """Run a sequence over a whole text."""
    return compile_sequence(fields or PENALTY, {}).run(fold(text), 0, len(text))


@pytest.mark.parametrize(
    ("text", "values", "conditional"),
    [
        (
            "违约金为合同总价款的0.5%，但累计不超过总价款的10%。",
            {"比例": "0.005", "上限": "0.10"},
            False,
        ),
        ("违约金为合同总额的10%，但最高不超过50万元", {"比例": "0.10", "上限": "500000"}, False),
        ("如乙方逾期，违约金按每日万分之五计算。", {"比例": "0.0005"}, True),
        ("违约金为合同价的百分之二十，上限为100万元。", {"比例": "0.20", "上限": "1000000"}, False),
        ("逾期的应承担违约金，违约金为10%。", {"比例": "0.10"}, False),
        ("因不可抗力产生的违约金为10%。", {"比例": "0.10"}, False),
        ("按如下方式计算，违约金为3%", {"比例": "0.03"}, False),
        ("例如违约金为3%", {"比例": "0.03"}, False),
        ("甲方如期付款后违约金为3%", {"比例": "0.03"}, False),
        ("无锡公司违约金为2%", {"比例": "0.02"}, False),
    ],
)
def test_fires(text: str, values: dict[str, str], conditional: bool) -> None:
    """A sequence gives its typed values and says whether a condition governs them."""
    (hit,) = run(text)
    assert {name: value.value for name, value in hit.values.items()} == values
    assert hit.conditional is conditional
    folded = fold(text)
    for value in hit.values.values():
        assert folded[value.span.start : value.span.end] == value.text
        assert hit.span.start <= value.span.start < value.span.end <= hit.span.end


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("违约金条款见附件三。", "条款"),
        ("乙方不承担违约金。", "不"),
        ("无需支付违约金为10%", "无需"),
        ("违约金的约定详见第2.4款，保证金为5%", "详见"),
        ("违约金另议。保证金为5%", "后续"),
        ("违约金不予支付的，定金为5%", "不"),
    ],
)
def test_does_not_fire(text: str, why: str) -> None:
    """A negated, referred or empty mention gives nothing, and the reason names the word."""
    traced = list(compile_sequence(PENALTY, {}).trace(fold(text), 0, len(text)))
    assert [hit for hit, _why in traced if hit] == []
    assert any(why in reason for _hit, reason in traced)


def test_window_ends_at_the_sentence_the_clause_or_the_section() -> None:
    """Within a sentence nothing is taken from the next; within a clause it is."""
    text = "违约金如下。为10%。"
    assert run(text) == []
    assert len(run(text, {**PENALTY, "within": "clause"})) == 1


def test_only_the_given_range_is_read() -> None:
    """Places are those of the whole text, and nothing outside the range counts."""
    text = fold("违约金为1%。违约金为2%。违约金为3%。")
    (hit,) = compile_sequence(PENALTY, {}).run(text, 7, 14)
    assert hit.values["比例"].value == "0.02"
    assert text[hit.span.start : hit.span.end] == "违约金为2%"


def test_stop_words_neighbours_words_and_text() -> None:
    """Stop words end the window, not_next looks at the next word, captures take words and text."""
    fields = {
        "steps": [
            {"find": "@谁", "not_next": ["方式"]},
            {"capture": {"as": "动作", "any": ["验电", "接地"], "max_gap": 5}},
            {"then": "由"},
            {"capture": {"as": "人", "until": ["负责", "，"], "max_gap": 10}},
        ],
        "stop": ["附则"],
    }
    sequence = compile_sequence(fields, {"谁": ("操作", "作业")})
    (hit,) = sequence.run("操作前验电由王工负责", 0, 10)
    assert {name: value.text for name, value in hit.values.items()} == {
        "动作": "验电",
        "人": "王工",
    }
    assert sequence.run("操作方式验电由王工负责", 0, 11) == []
    assert sequence.run("操作前附则验电由王工负责", 0, 12) == []
    assert sequence.required == ("操作", "作业")


def test_an_optional_word_does_not_lead_past_a_value() -> None:
    """The nearest value is taken, also where an optional word stands behind it."""
    fields = {
        "steps": [
            {"find": "总额"},
            {"optional": {"any": ["计", "为"], "max_gap": 20}},
            {"capture": {"as": "额", "type": "金额", "not_next": ["的罚款"]}},
        ]
    }
    text = "总额56500元,计人民币伍万元"
    (hit,) = compile_sequence(fields, {}).run(text, 0, len(text))
    assert hit.values["额"].value == "56500"
    assert compile_sequence(fields, {}).run("总额5万元的罚款", 0, 9) == []


def test_a_sequence_may_begin_with_a_value() -> None:
    """A typed value can be the anchor; then no literal is required."""
    fields = {"steps": [{"capture": {"as": "额", "type": "金额"}}, {"then": "违约金"}]}
    sequence = compile_sequence(fields, {})
    assert sequence.required == ()
    (hit,) = sequence.run("支付5万元的违约金", 0, 9)
    assert hit.values["额"].value == "50000"


@pytest.mark.parametrize(
    ("fields", "place", "hint"),
    [
        ({"steps": [{"fnd": "甲"}]}, "steps[1]", "find"),
        ({"steps": []}, "steps", "步骤"),
        ({"step": []}, "sequence", "steps"),
        ({"steps": [{"find": "甲"}, {"capture": {"as": "x", "type": "金領"}}]}, "type", "金额"),
        ({"steps": [{"find": "@没有"}]}, "find", "别名"),
        ({"steps": [{"find": "甲", "max_gap": 3}]}, "steps[1]", "max_gap"),
        ({"steps": [{"optional": "甲"}]}, "steps[1]", "第一步"),
        ({"steps": [{"find": "甲"}], "within": "sentense"}, "within", "sentence"),
        ({"steps": [{"find": "甲"}], "guards": {"negation": {"word": []}}}, "negation", "words"),
    ],
)
def test_errors_name_the_place_and_a_remedy(fields: dict[str, Any], place: str, hint: str) -> None:
    """What is wrong in a sequence is told with its path and the nearest known word."""
    with pytest.raises(RulesError) as refused:
        compile_sequence(fields, {})
    assert place in refused.value.place
    assert hint in refused.value.message


def test_many_anchors_and_many_values_stay_linear() -> None:
    """A hundred thousand anchors without an end, and as many half ends, do not hang."""
    text = "违约金为" * 60_000
    assert run(text) == []
    text = "违约金" + "为" * 100_000
    assert run(text) == []
    assert run("违约金为不" * 30_000) == []


@pytest.mark.parametrize(
    ("guard", "text"),
    [
        ({"quotation": {}}, "按《违约金为5%的规定》执行"),
        ({"quotation": {}}, "所谓“违约金为5%”的说法"),
        ({"question": {}}, "违约金为5%？"),
        ({"question": {}}, "是否违约金为5%"),
        ({"reference": {"after": 12}}, "违约金为5%，详见附件"),
        ({"exclude": {"words": ["示例"], "before": 8}}, "示例：违约金为5%"),
    ],
)
def test_other_guards(guard: dict[str, Any], text: str) -> None:
    """Quotations, questions, references elsewhere and words of one's own take a mention out."""
    fields = {**PENALTY, "guards": guard}
    if "exclude" in guard:
        fields["guards"] = {"exclude": {**guard["exclude"], "action": "reject"}}
    assert run(text, fields) == []
    assert len(run("按《管理办法》，违约金为5%。", fields)) == 1


WORDS = st.sampled_from(
    [
        "违约金",
        "为",
        "按",
        "10%",
        "5万元",
        "不超过",
        "不",
        "如",
        "，",
        "。",
        "\n",
        "见附件",
        "三十天",
        "a",
    ]
)


@given(st.lists(WORDS, max_size=40).map("".join), st.data())
def test_hits_lie_in_the_range_and_hold_their_values(text: str, data: st.DataObject) -> None:
    """Whatever the text and the range: hits lie inside it, values inside hits, in order."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    folded = fold(text)
    last = start
    for hit in compile_sequence(PENALTY, {}).run(folded, start, end):
        assert last <= hit.span.start < hit.span.end <= end
        last = hit.span.end
        for value in hit.values.values():
            assert hit.span.start <= value.span.start < value.span.end <= hit.span.end
            assert folded[value.span.start : value.span.end] == value.text
