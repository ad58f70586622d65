"""Whole files to damage: the samples of the repository, and small ones built by code."""

import tempfile
from pathlib import Path

from tests.build import docx, held, mail, ofd, pptx, rtf, xlsb
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
        found += _further(here)
        found.append(("旧.xls", compound_file(here / "a.xls", ["Workbook"]).read_bytes()))
        found += _newer(here)
    found.append(("旧表.xls", biff_stream()))
    found.append(("表.csv", '编号,名称\n1,"甲\n乙"\n2,丙\n'.encode("gb18030") * 20))
    page = "<html><body><h1>题</h1><p><b>甲</b>方<table><tr><td rowspan=2>一<td>2</table><ol><li>项"
    found.append(("页.html", page.encode() * 5))
    return found


def _further(folder: Path) -> list[tuple[str, bytes]]:
    """Give slides, a page of placed text, rich text and mails, with a bit of everything in each."""
    shapes = [
        pptx.box("项目进展", (50, 20, 600, 60), placeholder="title"),
        pptx.group(pptx.box("左", (50, 120, 90, 30)), at=(40, 110, 300, 200)),
        pptx.framed(pptx.table([["名称", "数量"], [("合计", 'gridSpan="2"'), ""]])),
    ]
    slide = pptx.Slide(shapes, notes=[pptx.box("备注")], comments=[("0", "核对")])
    grid = [*ofd.ruled([10, 60, 110], [40, 50, 60]), ofd.words("名称", (15, 46))]
    rich = (
        rtf.hexed("第一条 货物") + r"\par " + rtf.row("A", rtf.hexed("乙")) + r"{\footnote x}\par "
    )
    tree = {
        **mail.numbers({}), **mail.strings({0x0037: "报价", 0x1000: "正文"}),
        **mail.attachment("a.txt", b"x" * 50),
    }  # fmt: skip
    page = "<p>正文<table><tr><td>甲<td>1</table>"
    paths = [
        pptx.write(folder / "幻灯片.pptx", [slide, slide]),
        ofd.write(folder / "发票.ofd", [grid], notes={0: [ofd.annotation("已核", "无误")]}),
        rtf.write(folder / "富文本.rtf", rich * 3),
        mail.eml(folder / "信.eml", "正文", html=page, attached={"a.txt": b"x"}),
        mail.msg(folder / "信.msg", tree),
    ]
    return [(path.name, path.read_bytes()) for path in paths]


def _newer(folder: Path) -> list[tuple[str, bytes]]:
    """Give a binary workbook, and documents with files in them."""
    rows = [["名称", "签订日期"], ["泵", 45383.0], ["阀", 45384.0]]
    formats, note = ["General", "yyyy/m/d"], (1, 0, "李明", "核对")
    wrapped = held.packaged(folder / "w.bin", "记录.txt", "附件正文".encode() * 20)
    page = [ofd.words("发票", (20, 20))]
    paths = [
        xlsb.workbook(folder / "二进制.xlsb", rows, formats=formats, hidden=[2], comment=note),
        docx.build(
            folder / "带附件.docx",
            docx.para("正文"),
            parts={"word/embeddings/oleObject1.bin": wrapped},
        ),
        ofd.write(folder / "带附件.ofd", [page], attached={"明细.txt": b"abc" * 50}),
    ]
    return [(path.name, path.read_bytes()) for path in paths]


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
