"""Rows written alike are read by row and shown by column, with the result of single cells."""

import tempfile
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.readers.xlsx.formats import (
    compile_column,
    compile_format,
    general,
    general_column,
    shows_as_stored,
)
from headworks.readers.xlsx.uniform import Uniformity, UniformRows
from tests.build.xlsx import Sheet, workbook

FORMATS = ["#,##0.00", "0%", "yyyy-mm-dd", "0.0_);(0.0)", '#,##0;-#,##0;"-"', "¥0.00"]
STRINGS = ["甲", "乙\n丙", "&amp;丁", " 戊 ", "_x000D_", "己\u200b", ""]
NUMBERS = ["0", "-0", "7", "12.0", "-3.5", "1199.999", "827.9400000000001", "45000", "1E+20", "",
           "0.125", "12345678901234567890", "0.285", "99.995"]  # fmt: skip

Row = list[tuple[str, str]]
KINDS = ("n", "s", "str", "inline", "f", "b", "blank", "none")


def xml_of(row: int, column: int, kind: str, value: str, style: int) -> str:
    """Give a cell's XML."""
    place = f'r="{"ABCDEFGH"[column]}{row}"'
    number = NUMBERS[len(value) * 7 % len(NUMBERS)] if value not in NUMBERS else value
    text = STRINGS[len(value) % len(STRINGS)] if value not in STRINGS else value
    if kind == "none":
        return ""
    return {
        "n": f'<c {place} s="{style}"><v>{number}</v></c>',
        "s": f'<c {place} t="s"><v>{len(value) % 4}</v></c>',
        "str": f'<c {place} t="str"><f>A1&amp;B1</f><v>{text}</v></c>',
        "inline": f'<c {place} t="inlineStr"><is><t>{text}</t></is></c>',
        "f": f'<c {place} s="{style}"><f>SUM(A1:B1)</f><v>{number}</v></c>',
        "b": f'<c {place} t="b"><v>1</v></c>',
        "blank": f'<c {place} s="{style}"/>',
    }[kind]


@st.composite
def sheets(draw: st.DrawFn) -> str:
    """Give rows whose columns keep their kind but for a few cells, rows and numbers."""
    width = draw(st.integers(1, 5))
    kinds = [draw(st.sampled_from(KINDS[:6])) for _ in range(width)]
    styles = [draw(st.integers(0, len(FORMATS))) for _ in range(width)]
    odd = draw(st.dictionaries(st.integers(0, 59), st.sampled_from(KINDS), max_size=6))
    values = draw(st.lists(st.sampled_from(NUMBERS + STRINGS), min_size=7, max_size=11))
    tags = draw(st.dictionaries(st.integers(0, 59), st.sampled_from(
        [' hidden="1"', ' ht="20" customHeight="1"', ' ht="0"']), max_size=3))  # fmt: skip
    gaps = draw(st.sets(st.integers(1, 59), max_size=3))
    rows, number = [], 0
    for index in range(draw(st.integers(30, 60))):
        number += 2 if index in gaps else 1
        cells = "".join(
            xml_of(number, column, odd.get(index, kind) if column == index % width else kind,
                   values[(index * width + column) % len(values)], styles[column])
            for column, kind in enumerate(kinds)
        )  # fmt: skip
        rows.append(f'<row r="{number}"{tags.get(index, "")}>{cells}</row>')
    return "".join(rows)


def read_sheet(rows: str, before: str = "") -> Document:
    """Write a workbook of one sheet and read it."""
    strings = "".join(f"<si><t>{text}</t></si>" for text in ("甲", "乙 丙", "丁\n", ""))
    with tempfile.TemporaryDirectory() as folder:
        path = workbook(
            Path(folder) / "book.xlsx",
            [Sheet(rows, before=before)],
            formats=FORMATS,
            strings=strings,
        )
        return read(path, ReadSettings())


@settings(max_examples=60, deadline=None)
@given(sheets(), st.booleans())
def test_same_as_cell_by_cell(rows: str, veiled: bool) -> None:
    """Reading by row gives what reading by cell gives: text, places, formulas, what is hidden."""
    before = '<cols><col min="2" max="2" hidden="1"/></cols>' if veiled else ""
    by_row = read_sheet(rows, before)
    with mock.patch.object(Uniformity, "split", return_value=None):
        by_cell = read_sheet(rows, before)
    assert by_row.text == by_cell.text
    assert by_row.blocks == by_cell.blocks
    assert by_row.metadata == by_cell.metadata
    assert by_row.problems == by_cell.problems


def test_few_odd_rows_among_many() -> None:
    """Rows written otherwise come out as they stand, in their place; the others by column."""
    plain = '<row r="{0}"><c r="A{0}"><v>{0}</v></c><c r="B{0}" t="s"><v>1</v></c></row>'
    rows = [plain.format(number) for number in range(1, 101)]
    rows[40] = '<row r="41"><c r="A41" t="str"><v>小计</v></c></row>'
    found = Uniformity(lambda attributes: attributes).split("".join(rows))
    assert found is not None
    first, odd, last = found
    assert isinstance(first, UniformRows)
    assert isinstance(last, UniformRows)
    assert odd == rows[40]
    assert first.values[0] == tuple(str(number) for number in range(1, 41))
    assert last.numbers[0] == "42"


def test_rows_of_many_looks_are_left_alone() -> None:
    """Where every second row is written otherwise, none is read by column."""
    rows = [
        f'<row r="{n}"><c r="{"AB"[n % 2]}{n}" t="{"es"[n % 2]}"><v>1</v></c></row>'
        if n % 2
        else f'<row r="{n}"><c r="A{n}"><f>1</f></c></row>'
        for n in range(1, 101)
    ]
    assert Uniformity(lambda attributes: attributes).split("".join(rows)) is None


@pytest.mark.parametrize("code", FORMATS)
@given(st.lists(st.one_of(
    st.sampled_from(NUMBERS),
    st.decimals(-10**7, 10**7, places=2).map(str),
    st.floats(-10**9, 10**9).map(repr),
    st.integers(-10**16, 10**16).map(str),
), min_size=1, max_size=40))  # fmt: skip
def test_a_column_is_shown_as_its_cells(code: str, values: list[str]) -> None:
    """A column of numbers is shown as each of them is alone, under a format and under none."""
    show, _ = compile_format(code, date1904=False)
    column = compile_column(code)

    def one(raw: str) -> str:
        return show(raw) if raw else ""

    if column is not None:
        assert list(column(values, one)) == list(map(one, values))

    def plain(raw: str) -> str:
        return general(raw) if raw else ""

    assert list(general_column(values, plain)) == list(map(plain, values))
    if shows_as_stored(values):
        assert list(map(plain, values)) == values
