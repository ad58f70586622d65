"""Charts and pictures over the cells of a sheet: their words are read where they stand."""

import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.drawing.image import Image as SheetImage
from PIL import Image

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read

_ROWS = [["月份", "收入"], ["一月", 12.5], ["二月", 30]]
_CHART = "[图表]\n各月收入\n收入：一月 12.5；二月 30"


def _with_caches(path: Path) -> Path:
    """Give the workbook with the values that programs keep in a chart, which openpyxl leaves."""
    names = '<c:pt idx="0"><c:v>一月</c:v></c:pt><c:pt idx="1"><c:v>二月</c:v></c:pt>'
    values = '<c:pt idx="0"><c:v>12.5</c:v></c:pt><c:pt idx="1"><c:v>30</c:v></c:pt>'
    inside = {
        "tx": ("str", '<c:pt idx="0"><c:v>收入</c:v></c:pt>'),
        "cat": ("num", names),
        "val": ("num", values),
    }
    space = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    target = path.with_name(f"cached-{path.name}")
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as made:
        for name in source.namelist():
            content = source.read(name)
            if name.startswith("xl/charts/chart"):
                xml = content.decode("utf-8").replace("<f>", "<c:f>").replace("</f>", "</c:f>")
                for tag, (kind, points) in inside.items():
                    cache = f'<c:{kind}Cache xmlns:c="{space}">{points}</c:{kind}Cache>'
                    reference = f"(<{tag}><{kind}Ref>).*?(</{kind}Ref>)"
                    xml = re.sub(reference, rf"\g<1>{cache}\g<2>", xml, flags=re.DOTALL)
                content = xml.encode("utf-8")
            made.writestr(name, content)
    return target


def _charted(path: Path, *, apart: bool) -> Document:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "收入表"
    for row in _ROWS:
        sheet.append(row)
    chart = BarChart()
    chart.title = "各月收入"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=3))
    if apart:
        book.create_chartsheet("图").add_chart(chart)
    else:
        sheet.add_chart(chart, "B8")
    book.save(path)
    return read(_with_caches(path), ReadSettings())


@pytest.mark.parametrize("apart", [False, True])
def test_a_chart_gives_its_words(tmp_path: Path, apart: bool) -> None:
    """A chart on a sheet, or a sheet of its own, gives title, series, names and values."""
    document = _charted(tmp_path / "a.xlsx", apart=apart)
    figures = [document.slice(b.span) for b in document.blocks if b.kind == "figure"]
    assert figures == [_CHART]
    assert document.metadata.more["sheets"] == (["收入表", "图"] if apart else ["收入表"])
    assert not document.problems


def test_pictures_are_listed(tmp_path: Path) -> None:
    """A picture on a sheet is listed with its part and the cell it begins at."""
    Image.new("RGB", (60, 60), "red").save(tmp_path / "a.png")
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "照片"
    sheet.append(["设备", "照片"])
    sheet.add_image(SheetImage(str(tmp_path / "a.png")), "C4")
    book.save(tmp_path / "a.xlsx")
    document = read(tmp_path / "a.xlsx", ReadSettings())
    assert document.metadata.more["figures"] == ["picture xl/media/image1.png at 照片!C4"]
