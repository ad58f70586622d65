import pytest

from headworks.assembly.citations import Citations
from headworks.assembly.polarity import opposite
from tests.build.delivery import chunks_of
from tests.build.outcome import built


@pytest.mark.parametrize(
    ("said", "source", "words"),
    [
        ("乙方不承担违约金。", "乙方应承担违约金。", ["承担"]),
        ("甲方应支付利息。", "甲方无需支付利息。", ["支付"]),
        ("上限超过50万元。", "最高不超过50万元。", ["超过"]),
        ("甲方未按期付款的，乙方有权解除。", "甲方未按期付款的，乙方有权解除合同。", []),
        ("逾期超过30日的可以解除，总额不超过10%。", "逾期超过30日，累计不超过10%。", []),
        ("遇不可抗力的，可以延期。", "因不可抗力不能履行的，可以延期履行。", []),
        ("无论何种原因，乙方都应赔偿。", "不论何种原因，乙方均应赔偿。", []),
        ("甲方付款。", "乙方交货。", []),
    ],
)
def test_what_says_the_opposite_is_named(said: str, source: str, words: list[str]) -> None:
    """A word that is denied in one text and plain in the other; not where a text has both."""
    assert opposite(said, source) == words


def test_a_right_quote_does_not_carry_its_opposite() -> None:
    """The quote stands there, the sentence denies it: it is marked, with the word."""
    citations = Citations(built().document, chunks_of())
    standing = citations.of_sentence(
        "乙方未逾期交货，违约金为合同总额的10%。", ["违约金为合同总额的10%"], chunks_of()[1].id
    )
    assert standing.support == "none"
    assert standing.why == "the source says the opposite: 逾期"
