"""Token counts: the estimate, and tokenizers by name."""

import pytest

from headworks.chunking.cut import cut
from headworks.chunking.tokens import counter, estimate
from headworks.config import ChunkSettings, Lengths
from headworks.errors import ConfigError
from tests.build.document import build
from tests.unit.chunking.conftest import Cutter


@pytest.mark.parametrize(
    ("text", "expected"), [("", 0), ("甲方乙方丙", 3), ("abcdefghij", 3), ("甲a", 1), ("〇一", 2)]
)
def test_the_estimate(text: str, expected: int) -> None:
    """0.6 a Han character, 0.3 another, rounded up."""
    assert estimate(text) == expected
    assert counter(None)(text) == expected


def test_an_unknown_tokenizer_is_refused() -> None:
    """A name that leads to no file and no library is a wrong setting, told by its key."""
    with pytest.raises(ConfigError, match=r"chunk\.tokens"):
        cut(build("甲。"), ChunkSettings(tokens="no-such-tokenizer"))


def test_a_chunk_says_its_tokens() -> None:
    """Each chunk carries the count of its own text."""
    (chunk,) = cut(build("甲方付款。"), ChunkSettings()).chunks
    assert chunk.tokens == estimate("甲方付款。") == 3


def test_a_ceiling_in_tokens_holds_beside_that_in_characters(cutting: Cutter) -> None:
    """No chunk has more tokens than asked for, and sentences that fit stay whole."""
    lines = "# 第一条 付款\n" + "甲方应当在三十日内付款。" * 40 + "\nThe Buyer pays in time. " * 9
    _, result, texts = cutting(lines, max_tokens=50)
    assert max(chunk.tokens for chunk in result.chunks) <= 50
    assert max(chunk.chars for chunk in result.chunks) > 83
    assert all(text.endswith(("。", ".")) for text in texts)


def test_a_zone_may_have_lengths_of_its_own(cutting: Cutter) -> None:
    """Settings for one zone leave the others as they are."""
    text = "甲方应当在三十日内付款。" * 30
    lines = f"{text}\n@appendix 附件一\n{text}"
    _, result, _ = cutting(lines, zones={"appendix": Lengths(max_chars=100)})
    largest = {chunk.zone: chunk.chars for chunk in result.chunks}
    assert largest["body"] == 360
    assert max(chunk.chars for chunk in result.chunks if chunk.zone == "appendix") <= 100
