"""The canonical sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.rules.complaints import SentenceError
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.printer import sentence_text
from headworks.rules.syntax import Sentence
from tests.unit.rules.sentences import ALIASES, sentences

LEXICON = Lexicon(aliases=ALIASES, quotes_required=True, lists_explicit=True)


@settings(max_examples=300, deadline=None)
@given(sentences, st.sampled_from(["zh", "en"]))
def test_printed_sentences_parse_to_the_same_tree(sentence: Sentence, language: str) -> None:
    """What is printed, in either language, parses to the same tree, without a warning."""
    printed = sentence_text(sentence, language)  # type: ignore[arg-type]
    again, warnings = parse_rule(printed, LEXICON)
    assert again == sentence, printed
    assert not warnings, printed


@settings(max_examples=300, deadline=None)
@given(sentences, st.data())
def test_damaged_sentences_are_refused_with_a_place(
    sentence: Sentence, data: st.DataObject
) -> None:
    """A sentence with a character lost, doubled or changed parses or is refused at a place."""
    printed = sentence_text(sentence)
    at = data.draw(st.integers(0, len(printed) - 1))
    other = data.draw(st.sampled_from(["", printed[at] * 2, "或", "“", "@", "（", "/", "和", "则"]))
    damaged = printed[:at] + other + printed[at + 1 :]
    position = 1
    try:
        parse_rule(damaged, LEXICON)
    except SentenceError as problem:
        position = problem.complaint.position
    assert 1 <= position <= len(damaged) + 1


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("包含甲方和乙方", "包含全部：“甲方”、“乙方”"),
        ("不包含甲方或乙方", "不包含任一：“甲方”、“乙方”"),
        ("包含“甲”且文本长度小于二十字", "包含“甲”并且文本长度小于20字"),
        ("若包含“甲”则跳过", "如果包含“甲”，则跳过。"),
        ("日期早于2024-01-01", "日期早于2024年1月1日"),
    ],
)
def test_canonical_form(written: str, printed: str) -> None:
    """Quotes, brackets, 全部 and 任一 are written out."""
    sentence, _ = parse_rule(written, Lexicon())
    assert sentence_text(sentence) == printed
