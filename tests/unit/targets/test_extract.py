"""The answer that needs no model."""

import json

import pytest

from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.targets.base import TargetRefused
from headworks.targets.extract import ExtractTarget, answer_json, first_sentences
from tests.unit.targets.conftest import RECORD, ask, run


def test_values_and_first_sentences() -> None:
    """The hits' values with their quotes, and the first two sentences that are no heading."""
    answer = json.loads(answer_json(json.dumps(RECORD).encode()))
    assert answer["quotes"] == ["乙方逾期交货的，违约金为合同总额的10%。", "其他从略。"]
    assert answer["summary"] == "".join(answer["quotes"])
    assert answer["values"] == [
        {
            "name": "amount",
            "text": "合同总额的10%",
            "kind": "percent",
            "value": "0.10",
            "rule": "contract/penalty",
            "quote": "违约金为合同总额的10%",
        }
    ]


def test_equal_records_give_equal_bytes() -> None:
    """The answer does not depend on the order of values in a hit, nor on the run."""
    turned = json.loads(json.dumps(RECORD))
    turned["hits"].append(
        {"rule": "r", "quote": "q", "values": {"b": {"text": "2"}, "a": {"text": "1"}}}
    )
    other = json.loads(json.dumps(turned))
    other["hits"][1]["values"] = {"a": {"text": "1"}, "b": {"text": "2"}}
    assert answer_json(json.dumps(turned).encode()) == answer_json(json.dumps(other).encode())


def test_what_was_redacted_stays_out() -> None:
    """Where a text was redacted, the delivered one is quoted, never the original."""
    record = {"text": "联系人张三。", "delivered": "联系人[PERSON_1]。"}
    assert "张三" not in answer_json(json.dumps(record).encode())


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("", ()),
        ("一句没有句号", ("一句没有句号",)),
        ("“好。”他说。第二句！第三句。", ("“好。”", "他说。")),
        ("Pay 3.5 percent. Then stop. More.", ("Pay 3.5 percent.", "Then stop.")),
        ("标题\n正文一。\n\n正文二。", ("正文一。", "正文二。")),
        ("长" * 500, ("长" * 200,)),
    ],
)
def test_sentences_end_where_readers_think_they_do(text: str, sentences: tuple[str, ...]) -> None:
    """Full stops of numbers end nothing, closing quotes belong to their sentence."""
    assert first_sentences(text, {"标题"}) == sentences


def test_a_record_that_is_none_is_refused() -> None:
    """Broken JSON in the payload never becomes an answer."""
    with pytest.raises(TargetRefused):
        run(ExtractTarget("here").send(ask(payload=b"{")))
    with pytest.raises(ConfigError):
        ExtractTarget("here", TargetSettings(kind="extract", url="http://127.0.0.1"))
