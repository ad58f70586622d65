"""Redaction by rules: from a pack to the tokens in a chunk."""

import pytest

from headworks.config import RuleSettings
from headworks.model.chunk import Chunk
from headworks.privacy.tokens import apply
from headworks.rules.book import RuleBook, open_pack
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
