"""The words and the answers of several chunks in one call."""

import json
from typing import Any

import jsonschema
import pytest

from headworks.assembly import prompts
from headworks.assembly.packed import (
    Passage,
    asked,
    numbered,
    schema_of_all,
    schema_of_one,
    taken_apart,
)

SCHEMA = prompts.schema_of("points") or {}
TEXTS = ["乙方每日清点三次并记录。", "甲方按月支付保管费。", "双方每季度核对一次账目。"]


def _part(number: Any, quote: str = "") -> dict[str, Any]:
    points = [{"text": f"要点{number}", "quote": quote}] if quote else []
    return {"part": number, "answer": {"points": points}}


def _apart(parts: list[dict[str, Any]], **how: Any) -> list[int]:
    body = json.dumps({"parts": parts}, ensure_ascii=False)
    return sorted(taken_apart(body, SCHEMA, TEXTS, **how))


def test_passages_are_numbered_below_what_all_stand_under() -> None:
    """The headings of all are told once, those of each with its words."""
    path, body = numbered(
        [Passage(("第一章", "第一条"), "甲。"), Passage(("第一章", "第二条", "（一）"), "乙。")]
    )
    assert path == ("第一章",)
    assert body == "【第 1 段】\n位置：第一条\n甲。\n\n【第 2 段】\n位置：第二条 › （一）\n乙。"
    assert numbered([Passage((), "甲。"), Passage(("乙",), "乙。")])[0] == ()


def test_what_is_wanted_of_several_stands_in_the_last_message() -> None:
    """The prompt's own words stay as they are."""
    (system, user) = asked((("system", "s"), ("user", "u")), 3)
    assert system == ("system", "s")
    assert user[1].startswith("u\n\n")
    assert "3 段" in user[1]
    assert '{"parts": [{"part"' in user[1]


def test_the_schema_of_all_holds_that_of_one() -> None:
    """It is a JSON Schema that takes one part for each, and gives that of one back."""
    shape = schema_of_all(SCHEMA, 2)
    jsonschema.Draft202012Validator.check_schema(shape)
    jsonschema.validate({"parts": [_part(1), _part(2, "x")]}, shape)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"parts": [_part(1), _part(3)]}, shape)
    assert schema_of_one(shape) == SCHEMA


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        ([_part(1), _part(2), _part(3)], [0, 1, 2]),
        ([_part(3), _part("1")], [0, 2]),
        ([_part(0), _part(4), _part(True), _part(2)], [1]),
        ([_part(1), _part(1), _part(2)], [1]),
        ([{"part": 1, "answer": {"points": "?"}}, _part(2)], [1]),
        ([_part(1, TEXTS[0]), _part(2, TEXTS[2]), _part(3, TEXTS[2])], [0, 2]),
        ([_part(1, "原文里没有的一句话"), _part(2, "按 月 支付，保管费")], [0, 1]),
        ([], []),
    ],
)
def test_what_may_be_of_another_is_left_out(parts: list[dict[str, Any]], found: list[int]) -> None:
    """Missing, unknown and double numbers, misshapen answers, and quotes of another passage."""
    assert _apart(parts) == found


def test_a_cut_answer_loses_its_last_part() -> None:
    """It may be half of what was to be said; those before it are whole."""
    assert _apart([_part(1), _part(2)], cut=True) == [0]
    body = json.dumps({"parts": [_part(1, TEXTS[0]), _part(2, TEXTS[1])]}, ensure_ascii=False)
    assert sorted(taken_apart(body[:-30], SCHEMA, TEXTS, cut=True)) == [0]
    assert taken_apart("对不起。", SCHEMA, TEXTS) == {}
