"""Number formats: a value is shown as a person sees it in the cell."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.readers.xlsx import formats
from headworks.readers.xlsx.codes import BUILTIN
from headworks.readers.xlsx.formats import compile_format, general, text_format

ACCOUNTING = '_ ¥* #,##0.00_ ;_ ¥* \\-#,##0.00_ ;_ ¥* "-"??_ ;_ @_ '


@pytest.mark.parametrize(
    ("code", "raw", "shown"),
    [
        ("¥#,##0.00", "1199", "¥1,199.00"),
        ("0.00%", "0.255", "25.50%"),
        ("#,##0", "1234567", "1,234,567"),
        (ACCOUNTING, "-5", "¥-5.00"),
        (ACCOUNTING, "0", "¥-"),
        ('_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)', "-5", "(5.00)"),
        ("[$¥-804]#,##0.00", "1199.555", "¥1,199.56"),
        ("[Red][<0]-0.0;0.0", "-3", "-3.0"),
        ('[>=10000]0.0,"千元";0.00', "20500", "20.5千元"),
        ("0.0,,", "12345678", "12.3"),
        ('0!.0,"万"', "123456", "12.3万"),
        ("0.00E+00", "12345678", "1.23E+07"),
        ("# ?/?", "1.5", "1 1/2"),
        ("00000", "123", "00123"),
        ("000-0000", "1234567", "123-4567"),
        ("0;-0;", "0", ""),
        ("@", "12", "12"),
        ('"共"0"项"', "5", "共5项"),
        ("[DBNum2][$-804]General", "10234", "壹万零贰佰叁拾肆"),
        ("General", "0.28999999999999998", "0.29"),
        (";;;", "7", "7"),
    ],
)
def test_number_shown(code: str, raw: str, shown: str) -> None:
    """Each kind of number format gives the text that the sheet shows."""
    assert compile_format(code, date1904=False)[0](raw) == shown


@pytest.mark.parametrize(
    ("code", "raw", "shown"),
    [
        ("yyyy/m/d", "45383", "2024/4/1"),
        (BUILTIN[14], "45383", "2024/4/1"),
        ('yyyy"年"m"月"d"日";@', "45383", "2024年4月1日"),
        (BUILTIN[31], "45383", "2024年4月1日"),
        (BUILTIN[57], "45383", "2024年4月"),
        ("yyyy-mm-dd hh:mm:ss", "45383.75", "2024-04-01 18:00:00"),
        ("h:mm", "0.5", "12:00"),
        ("[h]:mm:ss", "1.5", "36:00:00"),
        ("mm:ss.0", "0.0001", "00:08.6"),
        ('上午/下午h"时"mm"分"', "0.75", "下午6时00分"),
        ("h:mm AM/PM", "0.75", "6:00 PM"),
        ("[$-804]aaaa", "45383", "星期一"),
        ("d-mmm-yy", "45383", "1-Apr-24"),
        ('[DBNum1][$-804]yyyy"年"m"月"d"日"', "45383", "二〇二四年四月一日"),
        ("[$-F800]dddd, mmmm dd, yyyy", "45383", "2024年4月1日"),
        ("yyyy/m/d", "1", "1900/1/1"),
        ("yyyy/m/d", "61", "1900/3/1"),
        ("yyyy/m/d", "-5", "-5"),
    ],
)
def test_date_shown(code: str, raw: str, shown: str) -> None:
    """A serial under a date format is shown as that date, never as the number."""
    assert compile_format(code, date1904=False)[0](raw) == shown


def test_other_epoch() -> None:
    """A workbook that counts from 1904 shows the same day for its own serial."""
    assert compile_format("yyyy/m/d", date1904=True)[0]("43921") == "2024/4/1"


@pytest.mark.parametrize(
    "raw", ["110101199001011234", "6222020200112233445", "1.10101199001011E+17"]
)
@pytest.mark.parametrize("code", ["General", "0", "@"])
def test_long_integers_stay_whole(raw: str, code: str) -> None:
    """An integer of 16 and more digits keeps every digit the file holds, without an exponent."""
    shown = compile_format(code, date1904=False)[0](raw)
    assert shown.isdigit()
    assert len(shown) >= 18
    if raw.isdigit():
        assert shown == raw


def test_text_section() -> None:
    """A text section's literals stand around the text; a bare @ leaves it alone."""
    show = text_format('0;-0;0;"项目："@')
    assert show is not None
    assert show("路灯") == "项目：路灯"
    assert text_format("@") is None


NUMBERS = st.one_of(
    st.integers(-(10**12), 10**12).map(str),
    st.floats(-1e9, 1e9, allow_nan=False).map(repr),
    st.decimals(-1000, 1000, places=4).map(str),
)


@given(
    raw=NUMBERS,
    code=st.sampled_from(
        [
            "0",
            "0.00",
            "#,##0.00",
            "¥#,##0",
            "0%",
            "0.0%",
            '0"元"',
            "#,##0.00;(#,##0.00)",
            '0.0;-0.0;"-"',
        ]
    ),
)
def test_short_cut_is_exact(raw: str, code: str) -> None:
    """The fast way for common formats shows what the exact way shows."""
    quick = compile_format(code, date1904=False)[0](raw)
    original = formats.short_cut
    formats.short_cut = lambda section: None  # type: ignore[assignment]
    try:
        exact = compile_format(code, date1904=False)[0](raw)
    finally:
        formats.short_cut = original
    assert quick == exact


@given(raw=st.text(max_size=12), code=st.text(max_size=20))
def test_any_code_shows_something(raw: str, code: str) -> None:
    """No code and no stored text makes the formats fail."""
    show, _ = compile_format(code, date1904=False)
    assert isinstance(show(raw or "0"), str)
    assert isinstance(show("12.5"), str)
    assert isinstance(general(raw), str)
