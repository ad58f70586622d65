"""What is found in a stretch is what a look of its own would find."""

import re

from hypothesis import given
from hypothesis import strategies as st

from headworks.model.sentences import sentence_ends
from headworks.rules.entities import dates, money, periods, ratio
from headworks.rules.entities.numbers import matches_within
from headworks.rules.stretch import Stretch, words_of

TEXT = st.text("甲方。；!.”）(“ 1\n,", max_size=30)
VALUES = st.text(
    "0123456789一二三十百千万亿半个月年日天元角分%,.- ()至成的以第每¥usd周季度之。\t", max_size=24
)


@given(TEXT, st.data())
def test_sentence_ends(text: str, data: st.DataObject) -> None:
    """The short way for a single sentence ends it where the long way does."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert Stretch(text, start, end).sentences() == sentence_ends(text, start, end)


@given(VALUES)
def test_values_are_where_their_characters_are(text: str) -> None:
    """Looking only where a value's characters stand finds all that a look everywhere finds."""
    for module, pattern in (
        (money, money._AMOUNT),
        (ratio, ratio._RATIO),
        (periods, periods._PERIOD),
        (dates, dates._DATE),
    ):
        needed = getattr(module, "_NUMBER", module._GATE)  # type: ignore[attr-defined]
        near = matches_within(pattern, module._SEGMENT, needed, text)  # type: ignore[attr-defined]
        every = [match.span() for match in pattern.finditer(text) if needed.search(match.group())]
        assert [span for span in map(re.Match.span, near) if span in every] == every


def test_words_are_looked_for_once() -> None:
    """Two rules with the same words share one look; the longest word wins."""
    stretch = Stretch("不得超过与超过", 0, 7)
    words = words_of(("超过", "不得超过"))
    assert stretch.places(words) == ([(0, 4), (5, 7)], [0, 5])
    assert stretch.places(words_of(("超过", "不得超过"))) is stretch.places(words)
