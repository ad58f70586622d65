"""Whole files to damage: the samples of the repository, and small ones built by code."""

import tempfile
from pathlib import Path

from tests.build.packages import compound_file
from tests.build.xlsx import Sheet, cell, rows_of, workbook
from tests.unit.readers.xlsx.test_biff import biff_stream
from tests.unit.readers.xlsx.test_opendocument import number, ods, row, text


def seeds(root: Path) -> list[tuple[str, bytes]]:
    """Give names and bytes, in a fixed order."""
    found = [
        (path.name, path.read_bytes()) for path in sorted((root / "examples/samples").iterdir())
    ]
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        found.append(("公式.xlsx", _workbook(here / "a.xlsx").read_bytes()))
        found.append(("表.ods", _sheet(here / "a.ods").read_bytes()))
        found.append(("旧.xls", compound_file(here / "a.xls", ["Workbook"]).read_bytes()))
    found.append(("旧表.xls", biff_stream()))
    found.append(("表.csv", '编号,名称\n1,"甲\n乙"\n2,丙\n'.encode("gb18030") * 20))
    page = "<html><body><h1>题</h1><p><b>甲</b>方<table><tr><td rowspan=2>一<td>2</table><ol><li>项"
    found.append(("页.html", page.encode() * 5))
    return found


def _workbook(path: Path) -> Path:
    rows = rows_of([["编号", "金额"], *([f"第{n}项", n * 1.5] for n in range(30))])
    extra = f'<row r="40" hidden="1">{cell("A40", 45383, 1)}<c r="B40"><f>SUM(B2:B9)</f></c></row>'
    after = '<mergeCells><mergeCell ref="A1:B1"/></mergeCells>'
    comments = (
        "<comments><authors><author>王</author></authors><commentList>"
        '<comment ref="A2" authorId="0"><text><t>核实</t></text></comment></commentList></comments>'
    )
    sheet = Sheet(rows + extra, after=after, parts={"comments": comments})
    return workbook(path, [sheet, Sheet(rows, state="hidden")], formats=["yyyy/m/d"])


def _sheet(path: Path) -> Path:
    rows = row(text("项目") + text("金额")) + row(text("甲") + number("1199.5", "¥1,199.50")) * 5
    return ods(path, f"<table:table>{rows}</table:table>")
