"""Tokens: the way out and the way back."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.errors import ConfigError
from headworks.model.place import Span
from headworks.privacy.recognizers.people import listed
from headworks.privacy.tokens import Mark, Style, apply, marks_in, redact, restore, union
from tests.build import personal


def names(text: str, *words: str) -> list[Mark]:
    """Marks of the words of a list."""
    return [Mark(value.span, "PERSON", value.value) for value in listed(words, "person")(text)]


def test_default_tokens_name_the_kind() -> None:
    """The default token says what stood there and nothing else."""
    redacted = redact("证号11010519491231002X。", marks_in("证号11010519491231002X。"))
    assert redacted.text == "证号[REDACTED_IDCARD]。"


def test_equal_values_share_a_number() -> None:
    """B097: the same value has the same token in every spelling, another value another one."""
    text = "甲13800138000，乙138 0013 8000，丙13900139000"
    assert (
        redact(text, marks_in(text), "numbered").text == "甲[MOBILE_1]，乙[MOBILE_1]，丙[MOBILE_2]"
    )


def test_longer_names_are_taken_whole() -> None:
    """B097: a name inside a longer name does not cut it, also beside Han characters."""
    text = "由张三丰和张三签字，张三丰负责"
    redacted = redact(text, names(text, "张三", "张三丰"), "numbered")
    assert redacted.text == "由[PERSON_1]和[PERSON_2]签字，[PERSON_1]负责"
    assert restore(redacted.text, redacted.record).text == text


def test_overlaps_are_united() -> None:
    """Overlapping marks become one, called by the longest."""
    marks = [
        Mark(Span(0, 4), "PERSON", "a"),
        Mark(Span(2, 9), "ADDRESS", "b"),
        Mark(Span(9, 10), "PHONE", "c"),
    ]
    assert [(mark.span, mark.label) for mark in union(marks)] == [
        (Span(0, 9), "ADDRESS"),
        (Span(9, 10), "PHONE"),
    ]


def test_tokens_of_the_text_itself_are_left_alone() -> None:
    """A text that holds a token already gets other numbers, and comes back exactly."""
    text = "见[MOBILE_1]：13800138000"
    redacted = redact(text, marks_in(text), "numbered")
    assert redacted.text == "见[MOBILE_1]：[MOBILE_2]"
    assert restore(redacted.text, redacted.record).text == text


def test_answer_of_a_model_is_restored_and_judged() -> None:
    """B097: moved, repeated, reflowed tokens go back; unknown and missing ones are reported."""
    text = "甲：13800138000，乙：13900139000，证11010519491231002X"
    record = redact(text, marks_in(text), "numbered").record
    odd = "另有[MOBILE_9]和[\nID_CARD_\n7]。[TABLE_1]"
    answer = "乙[MOBILE_2]在前，甲【MOBILE_1】在后，又一次\\[MOBILE\\_1\\]；" + odd
    restored = restore(answer, record)
    assert restored.text == "乙13900139000在前，甲13800138000在后，又一次13800138000；" + odd
    assert restored.unknown == ("[MOBILE_9]", "[ID_CARD_7]")
    assert restored.repeated == ("[MOBILE_1]",)
    assert restored.missing == ("[ID_CARD_1]",)


def test_label_tokens_of_several_values_are_not_guessed() -> None:
    """A token that stands for two values is left in a changed text, and reported."""
    text = "13800138000和13900139000"
    redacted = redact(text, marks_in(text))
    assert restore(redacted.text, redacted.record).text == text
    changed = restore("改：" + redacted.text, redacted.record)
    assert changed.text == "改：" + redacted.text
    assert changed.ambiguous == ("[REDACTED_MOBILE]",)


def test_masks_and_hashes() -> None:
    """A mask shows the ends and keeps the length; a hash needs a key and differs by key."""
    text = "手机138 0013 8000"
    masked = redact(text, marks_in(text), "mask")
    assert masked.text == "手机138 **** 8000"
    with pytest.raises(ConfigError):
        redact(text, marks_in(text), "hash")
    one, two = (redact(text, marks_in(text), "hash", key=key) for key in (b"1" * 32, b"2" * 32))
    assert one.text != two.text
    assert restore("说：" + one.text, one.record).text == "说：" + text


def test_a_chunk_of_two_ranges() -> None:
    """An edit that a page footer cuts is carried out once."""
    text = "号码1380013\n第1页\n8000完"
    mark = Mark(Span(2, 18), "MOBILE", "x")
    edits = redact(text, [mark], "numbered").edits
    assert apply(text, edits, (Span(0, 10), Span(14, 19))) == "号码[MOBILE_1]完"


PIECES = st.sampled_from(
    ["甲方", "，", "[MOBILE_1]", "[", "]", "13800138000", "138 0013 8000", "[REDACTED_IDCARD]", "x",
     "11010519491231002X", "１１０１０５１９４９１２３１００２Ｘ", "\n", " ", "a@b.cn",
     "_1]", "\ud800"]
)  # fmt: skip


@given(
    st.lists(PIECES, max_size=20).map("".join),
    st.sampled_from(["label", "numbered", "mask", "hash"]),
)
def test_restore_undoes_redact(text: str, style: Style) -> None:
    """restore(redact(x)) == x for every text and every style."""
    redacted = redact(text, marks_in(text), style, key=b"k" * 32)
    assert restore(redacted.text, redacted.record).text == text


def test_restore_undoes_redact_over_generated_documents() -> None:
    """restore(redact(x)) == x over documents full of personal numbers."""
    source = random.Random(5)
    makers = (personal.id_card, personal.bank_card, personal.credit_code, personal.mobile)
    for _ in range(300):
        parts = [source.choice(makers)(source) + source.choice("，。 \n") for _ in range(6)]
        text = "甲方：" + "证".join(parts)
        redacted = redact(text, marks_in(text), "numbered")
        assert restore(redacted.text, redacted.record).text == text
