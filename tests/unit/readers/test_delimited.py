"""CSV and its kin: tables whose cells stay text."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.model.place import CellPlace
from headworks.readers.base import read


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", '编号,名称,金额\r\n00123,"甲,乙\r\n丙",1.00\r\n00456,丁,2\r\n'),
        ("a.tsv", '编号\t名称\t金额\n00123\t"甲,乙\n丙"\t1.00\n00456\t丁\t2\n'),
        ("b.csv", '编号;名称;金额\n00123;"甲,乙\n丙";1.00\n00456;丁;2\n'),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030"])
def test_rows(tmp_path: Path, name: str, content: str, encoding: str) -> None:
    """Any delimiter and encoding: the cells come whole, quoted line ends and leading zeros kept."""
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    document = read(path, ReadSettings())
    assert document.text == "编号\t名称\t金额\n00123\t甲,乙\n丙\t1.00\n00456\t丁\t2"
    (block,) = document.blocks
    assert block.table is not None
    assert (block.table.rows, block.table.columns, block.table.header_rows) == (3, 3, 1)
    assert document.slice(block.table.cell(1, 1)) == "甲,乙\n丙"
    assert block.place == CellPlace(path.stem, 0, 0)


def test_ragged_rows(tmp_path: Path) -> None:
    """Rows of different lengths are filled up."""
    path = tmp_path / "a.csv"
    path.write_text("a,b,c\n1,2\n3,4,5,6\n", encoding="utf-8")
    table = read(path, ReadSettings()).blocks[0].table
    assert table is not None
    assert (table.rows, table.columns) == (3, 4)
