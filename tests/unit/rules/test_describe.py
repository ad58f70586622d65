"""Rules in plain words."""

import pytest
from hypothesis import given, settings

from headworks.rules.describe import describe
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.syntax import Sentence
from tests.unit.rules.sentences import sentences


@pytest.mark.parametrize(
    ("sentence", "zh", "en"),
    [
        (
            "不包含“甲”或“乙”",
            "成立的条件：“甲”、“乙”两者都不出现。",
            'Holds where the text has none of "甲", "乙".',
        ),
        (
            "不包含全部：“甲”、“乙”",
            "成立的条件：“甲”、“乙”不同时出现。",
            'Holds where the text does not have all of "甲", "乙" together.',
        ),
        (
            "标题包含“付款|支付”，则标记为付款",
            "凡是标题里出现“付款”或“支付”的分片，标记为“付款”。",
            'For every chunk where the title has "付款" or "支付": tag as "付款".',
        ),
    ],
)
def test_plain_words(sentence: str, zh: str, en: str) -> None:
    """The scope of a negation and the synonyms are told in full."""
    tree, _ = parse_rule(sentence, Lexicon())
    assert describe(tree) == zh
    assert describe(tree, "en") == en


@settings(max_examples=100, deadline=None)
@given(sentences)
def test_everything_can_be_told(sentence: Sentence) -> None:
    """Every tree has a description in both languages."""
    assert describe(sentence).endswith("。")
    assert describe(sentence, "en").endswith(".")
