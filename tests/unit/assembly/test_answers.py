import json
from pathlib import Path

import pytest

from headworks.assembly.answers import check_schema, read_answer
from headworks.assembly.prompts import schema_of
from headworks.assembly.statements import Claim, Point, statements
from headworks.errors import ConfigError

SCHEMA = schema_of("answer")
GOOD = {"points": [{"text": "甲", "quote": "甲方"}], "values": []}


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


@pytest.mark.parametrize(
    ("body", "layer"),
    [
        (_json(GOOD), "json"),
        ("\ufeff" + _json(GOOD) + "\n", "json"),
        (f"<think>先看 {{}} 再说</think>\n{_json(GOOD)}", "json"),
        (f"想了想\n</think>\n{_json(GOOD)}", "json"),
        (f"好的，结果如下：\n```json\n{_json(GOOD)}\n```\n以上。", "embedded"),
        (f"结果：{_json(GOOD)}，请查收。", "embedded"),
        (_json({"answer": GOOD}), "embedded"),
        (_json({"points": []}) + "\n" + _json(GOOD), "embedded"),
        (_json(GOOD)[:-1] + ",", "repaired"),
        ("{'points': [{'text': '甲', 'quote': '甲方'}], 'values': []}", "repaired"),
        ('{"points":[{"text":"他说"好"","quote":"甲方"}],"values":[]}', "repaired"),
        ("```json\n" + _json(GOOD)[:-3], "repaired"),
    ],
)
def test_an_answer_is_read_in_the_first_layer_that_does(body: str, layer: str) -> None:
    """JSON as it is, then fenced or embedded, then repaired: what comes out keeps the schema."""
    read = read_answer(body, SCHEMA)
    assert read.layer == layer
    assert isinstance(read.content, dict)
    assert set(read.content) == {"points", "values"}


@pytest.mark.parametrize(
    "body", ["我不知道。", "", "[1, 2", '{"points": "没有"}', "[" * 5000, _json({"x": 1})]
)
def test_what_cannot_be_read_is_kept_raw(body: str) -> None:
    """No layer: the answer is kept as it is, with the reasons."""
    read = read_answer(body, SCHEMA)
    assert (read.layer, read.content, read.text) == ("raw", None, body)
    assert read.faults


def test_types_that_almost_fit_are_repaired_by_the_schema() -> None:
    """A number where a string was asked for becomes one."""
    body = '{"points": [], "values": [{"name": "总价", "about": "", "value": 100, "quote": ""}]}'
    read = read_answer(body, SCHEMA)
    assert read.layer == "repaired"
    assert isinstance(read.content, dict)
    assert read.content["values"][0]["value"] == "100"


def test_a_repair_that_the_schema_refuses_is_none() -> None:
    """What json-repair makes of prose is not called an answer."""
    assert read_answer("合同总价 {见附件} 为准", SCHEMA).layer == "raw"


def test_without_a_schema_words_are_welcome() -> None:
    """Free text is text; an object is still read as one."""
    assert read_answer("违约金为10%。").layer == "text"
    assert read_answer('{"违约金": "10%"}').content == {"违约金": "10%"}


def test_a_schema_leads_nowhere_else(tmp_path: Path) -> None:
    """A $ref to another address is not fetched: the answer stays raw and says so."""
    read = read_answer("{}", {"$ref": "http://127.0.0.1:9/schema.json"})
    assert read.layer == "raw"
    assert any("schema" in fault for fault in read.faults)


def test_what_is_no_schema_is_refused_before_anything_is_sent() -> None:
    """A wrong schema is a fault of the settings, with its place."""
    with pytest.raises(ConfigError, match="JSON Schema"):
        check_schema({"type": "nothing"}, "mine.json")


def test_points_and_values_of_the_shipped_form() -> None:
    """Points keep their quotes, values their names and what they are about."""
    body = (
        '{"points": [{"text": "甲方付款。", "quote": "甲方应付款"}], "values": [{"name": "总价",'
        ' "about": "合同", "value": "100元", "quote": "总价100元"}, {"name": "空", "about": "",'
        ' "value": "未提及", "quote": ""}]}'
    )
    assert statements(read_answer(body)) == [
        Point("甲方付款。", ("甲方应付款",)),
        Claim("总价", "100元", "合同", ("总价100元",)),
    ]


def test_any_other_form_gives_values_under_its_own_names() -> None:
    """Names of the answer's own become names of values; rows of a list stay together by name."""
    body = (
        '{"甲方": "海川", "乙方": null, "付款": [{"期次": "预付款", "比例": "30%", "原文":'
        ' "预付款30%"}], "违约金": {"value": "10%", "quote": "违约金为10%"}, "说明": "共两期。"}'
    )
    assert statements(read_answer(body)) == [
        Point("共两期。"),
        Claim("甲方", "海川"),
        Claim("付款.期次", "预付款", quotes=("预付款30%",), listed=True),
        Claim("付款.比例", "30%", quotes=("预付款30%",), listed=True),
        Claim("违约金", "10%", quotes=("违约金为10%",)),
    ]


def test_text_gives_a_point_a_paragraph_or_item() -> None:
    """Headings and marks of lists are left away; words in quotation marks are quotes."""
    text = "# 结论\n1. **违约金**为10%，“最高不超过50万元”。\n2. 第二点\n接着说\n\n尾段"
    assert statements(read_answer(text)) == [
        Point("违约金为10%，“最高不超过50万元”。", ("最高不超过50万元",)),
        Point("第二点\n接着说"),
        Point("尾段"),
    ]


def test_the_built_in_targets_answer_is_its_sentences() -> None:
    """Its values are those of the hits, which speak for themselves; a label is no sentence."""
    body = '{"summary": "1.甲方付款。", "values": [], "quotes": ["1.", "甲方付款。"], "tags": []}'
    assert statements(read_answer(body)) == [Point("1. 甲方付款。", ("甲方付款。",))]


def test_an_answer_that_was_cut_off_anywhere_gives_what_is_whole() -> None:
    """From the first whole point on a cut answer is read, and nothing is added to it."""
    whole = _json({
        "points": [{"text": "甲付款", "quote": "甲方付款"}, {"text": "乙交货", "quote": "乙交货"}],
        "values": [{"name": "总价", "about": "", "value": "100元", "quote": "总价100元"}],
    })  # fmt: skip
    first = whole.index("}") + 1
    for end in range(first, len(whole)):
        read = read_answer(whole[:end], SCHEMA)
        assert read.layer == "repaired", whole[:end]
        assert isinstance(read.content, dict)
        assert read.content["points"][0] == {"text": "甲付款", "quote": "甲方付款"}
        assert all(len(point["text"]) <= 3 for point in read.content["points"])
