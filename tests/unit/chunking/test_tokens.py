"""Token counts: the estimate, and tokenizers by name."""

import pytest

from headworks.chunking.cut import cut
from headworks.chunking.tokens import counter, estimate
from headworks.config import ChunkSettings
from headworks.errors import ConfigError
from tests.build.document import build


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
