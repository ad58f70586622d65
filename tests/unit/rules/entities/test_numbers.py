"""Numbers in Chinese and Arabic writing."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.rules.entities.numbers import read_number

_DIGITS = "零一二三四五六七八九"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1,234.5", "1234.5"),
        ("1,000万", "10000000"),
        ("十", "10"),
        ("十五", "15"),
        ("一百零二", "102"),
        ("一百一十", "110"),
        ("一千零一万", "10010000"),
        ("三亿5000万", "350000000"),
        ("5千万", "50000000"),
        ("1万亿", "1000000000000"),
        ("三点五万", "35000"),
        ("二〇二四", "2024"),
        ("廿一", "21"),
        ("壹拾贰万叁仟肆佰伍拾陆", "123456"),
        ("12万5千", "125000"),
        ("两百", "200"),
        ("100余万", "1000000"),
        ("零", "0"),
    ],
)
def test_read(written: str, value: str) -> None:
    """Every usual writing has its exact value and no doubt."""
    number = read_number(written)
    assert number is not None
    assert (number.value, number.reason) == (Decimal(value), "")


@pytest.mark.parametrize(
    ("written", "readings"),
    [("一百二万", (1200000, 1020000)), ("一百二", (120, 102)), ("三万五", (35000, 30005))],
)
def test_two_readings_are_told(written: str, readings: tuple[int, int]) -> None:
    """A digit without its unit has a reason and both readings."""
    number = read_number(written)
    assert number is not None
    assert number.reason
    assert number.readings == tuple(map(Decimal, readings))


@pytest.mark.parametrize("written", ["", "百", "十百", "1,00,0", "二三万", "万", "一点", "3..5"])
def test_no_number(written: str) -> None:
    """What is no number, or digits without order, is not read or carries a reason."""
    number = read_number(written)
    assert number is None or number.reason


@given(st.integers(0, 10**12 - 1))
def test_every_written_number_reads_back(value: int) -> None:
    """A number written in full Chinese reads back exactly and without doubt."""
    number = read_number(written(value))
    assert number is not None
    assert (number.value, number.reason) == (value, "")


def written(value: int) -> str:
    """Write a whole number in Chinese, the long way."""
    if value == 0:
        return "零"
    said = ""
    pending = False
    for scale, name in ((10**8, "亿"), (10**4, "万"), (1, "")):
        part, value = divmod(value, scale)
        if part == 0:
            pending = bool(said)
            continue
        if said and (pending or part < 1000):
            said += "零"
        said += _below(part) + name
        pending = False
    return said


def _below(part: int) -> str:
    said = ""
    gap = False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit, part = divmod(part, unit)
        if digit:
            said += ("零" if gap else "") + _DIGITS[digit] + name
            gap = False
        else:
            gap = bool(said)
    return said
