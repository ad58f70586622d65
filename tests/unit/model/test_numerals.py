"""Numbers in Chinese and digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.model.numerals import integer, roman

_DIGITS = "零一二三四五六七八九"


def _write(number: int) -> str:
    """Write a number under ten thousand as a statute does."""
    text, zero = "", False
    for unit, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // unit % 10
        if digit:
            text += ("零" if zero and text else "") + _DIGITS[digit] + sign
            zero = False
        else:
            zero = True
    return text.removeprefix("一") if text.startswith("一十") else text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一百零三", 103), ("二百〇五", 205), ("一千二百六十", 1260), ("廿一", 21), ("卅", 30),
        ("壹拾贰", 12), ("１２", 12), ("12", 12), (" 十 ", 10), ("一百十一", 111), ("两百", 200),
        ("二〇二四", 2024), ("二〇五", 205), ("一万零五百", 10500), ("十二万三千", 123000),
        ("三亿", 3 * 10**8),
        ("〇", 0), ("一 百 零 三", 103),
    ],
)  # fmt: skip
def test_reads(text: str, value: int) -> None:
    """A number that can be read in one way is read."""
    assert integer(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "一百二", "一百二万", "一二", "一万五百", "二十零五", "百", "一十十", "1 2", "三条", "IV"],
)  # fmt: skip
def test_refuses(text: str) -> None:
    """What is ambiguous or no number is none."""
    assert integer(text) is None


@given(st.integers(min_value=1, max_value=9999))
def test_round_trip(number: int) -> None:
    """Every number under ten thousand that is written out is read back."""
    assert integer(_write(number)) == number


@given(st.text(alphabet="零〇一二两三十百千万亿廿壹拾 ", max_size=8))
def test_never_raises(text: str) -> None:
    """Any string of numerals gives an integer or none."""
    assert integer(text) is None or integer(text) >= 0  # type: ignore[operator]


def test_roman() -> None:
    """Roman numerals are read apart from the others."""
    assert [roman(text) for text in ("IV", "xii", "Ⅳ", "Ⅻ")] == [4, 12, 4, 12]
    assert roman("iiii") is None
    assert roman("") is None
