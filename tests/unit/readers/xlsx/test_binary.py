"""Binary workbooks show what the same workbook in XML shows."""

import zipfile
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Merge
from headworks.readers.base import read
from tests.build import xlsb

FORMATS = ["General", "yyyy/m/d", "0.00%", "¥#,##0.00", "yyyy年m月d日"]
HEAD = ["名称", "签订日期", "比例", "金额", "到期"]
ROW = ["泵", 45383.0, 0.255, 1199.0, 45384.0]


def _rows(document: Document) -> list[str]:
    return [
        line
        for block in document.blocks
        if block.table is not None and block.role == "body"
        for line in document.slice(block.span).split("\n")
    ]


def test_numbers_as_people_see_them(tmp_path: Path) -> None:
    """Dates, percents and amounts are shown by their formats, as in an XLSX."""
    path = xlsb.workbook(tmp_path / "a.xlsb", [HEAD, ROW], formats=FORMATS)
    document = read(path, ReadSettings())
    assert _rows(document)[1] == "泵\t2024/4/1\t25.50%\t¥1,199.00\t2024年4月2日"
    assert document.metadata.more["sheets"] == ["数据"]
    assert not document.problems


def test_the_other_epoch(tmp_path: Path) -> None:
    """A workbook that counts from 1904 gives its dates by that."""
    row = [ROW[0], 43921.0, *ROW[2:]]
    path = xlsb.workbook(tmp_path / "a.xlsb", [HEAD, row], formats=FORMATS, date1904=True)
    assert "2024/4/1" in _rows(read(path, ReadSettings()))[1]


def test_what_is_hidden_merged_and_noted(tmp_path: Path) -> None:
    """Hidden rows are set apart, merged cells have their span, comments their author."""
    path = xlsb.workbook(
        tmp_path / "a.xlsb",
        [HEAD, ROW, [None, *ROW[1:]], ["底价", *ROW[1:]]],
        formats=FORMATS,
        hidden=[3],
        merge=(1, 0, 2, 0),
        comment=(1, 0, "李明", "请核对型号"),
    )
    document = read(path, ReadSettings())
    veiled = [block for block in document.blocks if "底价" in document.slice(block.span)]
    assert [block.role for block in veiled] == ["hidden_text"]
    merges = [block.table.merges for block in document.blocks if block.table is not None]
    assert (Merge(1, 0, 2, 1),) in merges
    notes = [block for block in document.blocks if block.kind == "comment"]
    assert [document.slice(note.span) for note in notes] == ["[批注] 李明: 请核对型号"]


@pytest.mark.parametrize("part", ["xl/styles.bin", "xl/worksheets/sheet1.bin"])
def test_a_part_that_ends_early(tmp_path: Path, part: str) -> None:
    """A record that ends early is E_CORRUPT, whichever part it is in."""

    path = xlsb.workbook(tmp_path / "a.xlsb", [HEAD, ROW], formats=FORMATS)
    cut = tmp_path / "cut.xlsb"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(cut, "w") as made:
        for name in whole.namelist():
            content = whole.read(name)
            made.writestr(name, content[: len(content) - 9] if name == part else content)
    with pytest.raises(InputError) as caught:
        read(cut, ReadSettings())
    assert caught.value.code == "E_CORRUPT"
