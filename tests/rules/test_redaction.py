"""Redaction by rules: from a pack to the tokens in a chunk."""

import pytest

from headworks.config import RuleSettings
from headworks.model.chunk import Chunk
from headworks.privacy.tokens import apply
from headworks.rules.book import RuleBook, open_pack
from headworks.rules.loader import parse_pack
from headworks.rules.specimen import specimen

CARD = "１１０１０５１９４９１２３１００２Ｘ"
ORDER = "订单号2024031512345678"
TEXT = f"张三，身份证{CARD}，手机138 0013 8000，{ORDER}。再拨13800138000。"


def redacted(style: str) -> str:
    """Judge the text with the privacy pack and give the first chunk as it is delivered."""
    document, chunks, _own = specimen(TEXT, {})
    settings = RuleSettings(redaction=style)  # type: ignore[arg-type]  # from the table below
    book = RuleBook([open_pack("privacy")], settings)
    judged, verdicts = book.judge(document, chunks, _no_join)
    assert "敏感" in verdicts[0].tags
    assert document.text == TEXT
    for hit in verdicts[0].hits:
        for value in hit.values.values():
            assert "13800138000" not in value.text
    return apply(document.text, verdicts[0].edits, judged[0].spans)


def _no_join(_first: Chunk, _second: Chunk) -> Chunk | None:
    return None


@pytest.mark.parametrize(
    ("style", "tokens"),
    [
        ("label", ("[REDACTED_IDCARD]", "[REDACTED_MOBILE]", "[REDACTED_MOBILE]")),
        ("numbered", ("[ID_CARD_1]", "[MOBILE_1]", "[MOBILE_1]")),
        ("mask", ("１１０" + "*" * 12 + "０２Ｘ", "138 **** 8000", "138****8000")),
    ],
)  # fmt: skip
def test_tokens(style: str, tokens: tuple[str, str, str]) -> None:
    """B098, B099: each style of token stands where the original offsets are, nothing else moves."""
    card, mobile, again = tokens
    assert redacted(style) == f"张三，身份证{card}，手机{mobile}，{ORDER}。再拨{again}。"


LISTS = """
pack: own
aliases:
  人员: [张三, 张三丰]
rules:
  - {id: people, when: 包含@人员, then: 脱敏“姓名”}
  - {id: projects, when: '匹配正则 /项目[A-Z]{2}[0-9]{3}/', then: 脱敏“项目”}
  - {id: word, when: 包含“身份证”, then: 脱敏“身份证号”}
  - {id: secret, when: 包含“蓝图计划”并且不包含“公开”, then: 脱敏}
"""


def test_lists_and_patterns_of_the_user() -> None:
    """Every place of a list, a pattern or a word is taken out; a trigger word stays."""
    text = "张三和张三丰（项目AB123、项目CD456），张三的身份证11010519491231002X，蓝图计划。"
    document, chunks, _own = specimen(text, {})
    pack = parse_pack("own.yaml", LISTS.encode())
    assert pack.errors == ()
    book = RuleBook([pack], RuleSettings(redaction="numbered"))
    judged, verdicts = book.judge(document, chunks, _no_join)
    assert apply(text, verdicts[0].edits, judged[0].spans) == (
        "[PERSON_1]和[PERSON_2]（[项目_1]、[项目_2]），[PERSON_1]的身份证[ID_CARD_1]，[TEXT_1]。"
    )
