"""Numbers in every format of Word's lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.readers.docx.numformats import shown

FORMATS = [
    ("decimal", {1: "1", 12: "12"}),
    ("decimalZero", {1: "01", 10: "10"}),
    ("zeros3", {7: "007"}),
    ("upperRoman", {4: "IV", 1999: "MCMXCIX"}),
    ("lowerRoman", {9: "ix"}),
    ("upperLetter", {1: "A", 26: "Z", 27: "AA", 53: "AAA"}),
    ("lowerLetter", {2: "b"}),
    ("ordinal", {1: "1st", 11: "11th", 22: "22nd", 103: "103rd"}),
    ("cardinalText", {21: "Twenty-one", 105: "One hundred five"}),
    ("ordinalText", {3: "Third", 20: "Twentieth", 21: "Twenty-first"}),
    ("chineseCounting", {1: "一", 10: "十", 11: "十一", 20: "二十", 99: "九十九", 100: "一〇〇"}),
    (
        "chineseCountingThousand",
        {25: "二十五", 101: "一百零一", 110: "一百一十", 1010: "一千零一十"},
    ),
    ("japaneseCounting", {10: "十", 21: "二十一", 101: "一百零一"}),
    ("chineseLegalSimplified", {1: "壹", 10: "壹拾", 105: "壹佰零伍"}),
    ("ideographLegalTraditional", {2: "貳"}),
    ("ideographTraditional", {1: "甲", 10: "癸", 11: "11"}),
    ("ideographZodiac", {1: "子", 12: "亥", 13: "13"}),
    ("ideographZodiacTraditional", {1: "甲子", 60: "癸亥"}),
    ("ideographDigital", {10: "一〇"}),
    ("taiwaneseCountingThousand", {101: "一百零一"}),
    ("decimalEnclosedCircle", {1: "①", 20: "⑳", 21: "21"}),
    ("decimalEnclosedCircleChinese", {10: "⑩", 11: "11"}),
    ("decimalEnclosedParen", {3: "⑶"}),
    ("decimalEnclosedFullstop", {3: "⒊"}),
    ("ideographEnclosedCircle", {1: "㊀"}),
    ("decimalFullWidth", {12: "１２"}),
    ("numberInDash", {2: "- 2 -"}),
    ("ganada", {1: "가"}),
    ("hex", {255: "FF"}),
    ("none", {5: ""}),
    ("a format of tomorrow", {5: "5"}),
]


@pytest.mark.parametrize(("number_format", "expected"), FORMATS, ids=[name for name, _ in FORMATS])
def test_a_format_shows_numbers_as_word_does(number_format: str, expected: dict[int, str]) -> None:
    """Each format writes its numbers with the characters that Word prints."""
    assert {value: shown(value, number_format) for value in expected} == expected


@given(st.integers(-5, 10**7), st.sampled_from([name for name, _ in FORMATS]))
def test_no_number_breaks_a_format(value: int, number_format: str) -> None:
    """Any counter in any format gives a short text."""
    assert len(shown(value, number_format)) < 120
