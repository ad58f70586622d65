"""Conditions that others bring."""

from collections.abc import Iterator

import pytest

from headworks.rules.complaints import SentenceError
from headworks.rules.grammar import parse_condition, parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.predicates import extensions
from headworks.rules.predicates.extensions import Extension, Seen
from headworks.rules.printer import condition_text
from headworks.rules.syntax import Meets, Or
from tests.build.rules import book_of, verdicts_on


def _long_words(seen: Seen) -> bool:
    return "甲方" in seen.text and seen.kind != "table"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    found = {"老客户": lambda: Extension(_long_words, words=("甲方", "乙方"))}
    monkeypatch.setattr(extensions, "installed", lambda _group: found)
    extensions.extensions.cache_clear()
    extensions.extension.cache_clear()
    yield
    extensions.extensions.cache_clear()
    extensions.extension.cache_clear()


def test_an_extension_decides() -> None:
    """A rule may ask a condition of an entry point, alone, negated and among others."""
    book = book_of(
        "rules: [{id: a, when: 满足“老客户”, then: 标记为老},"
        "{id: b, when: 不满足“老客户” 且 包含“乙方”, then: 标记为新}]"
    )
    _, verdicts = verdicts_on(book, "甲方付款。", "乙方付款。", "丙方付款。")
    assert [verdict.tags for verdict in verdicts] == [("老",), ("新",), ()]


def test_it_is_printed_back_and_begins_a_condition() -> None:
    """The sentence is read, printed and read again the same, in both languages."""
    condition, _ = parse_condition("包含“机密”或满足“老客户”", Lexicon())
    assert isinstance(condition, Or)
    assert condition.parts[1] == Meets("老客户")
    for language in ("zh", "en"):
        assert parse_condition(condition_text(condition, language), Lexicon())[0] == condition


def test_an_unknown_one_is_refused() -> None:
    """The complaint names the nearest that is installed."""
    with pytest.raises(SentenceError) as refused:
        parse_rule("如果满足“老顾客”则跳过", Lexicon())
    assert refused.value.complaint.code == "E108"
    assert refused.value.complaint.suggestions == ("满足“老客户”",)


def test_the_word_stays_a_word() -> None:
    """满足 without a name in quotes is no condition of its own."""
    condition, _ = parse_condition("包含“甲”或“满足要求”", Lexicon())
    assert not isinstance(condition, Or)
