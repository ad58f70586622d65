"""Build the sample price list: number formats, merged cells, long numbers, a hidden sheet."""

from datetime import date, datetime
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

HEAD = [
    "物料编码",
    "名称",
    "规格型号",
    "单位",
    "未税单价",
    "税率",
    "含税单价",
    "报价日期",
    "供应商",
]
PRICES = [
    ("000102030001", "低压电力电缆", "YJV 4×95+1×50", "米", 252.21, 0.13, 285, "东岭电气"),
    ("000102030002", "低压电力电缆", "YJV 4×50+1×25", "米", 139.82, 0.13, 158, "东岭电气"),
    ("000102030003", "控制电缆", "KVVP 10×1.5", "米", 16.37, 0.13, 18.5, "东岭电气"),
    ("000102030010", "低压配电柜", "GGD-3150A", "台", 41415.93, 0.13, 46800, "东岭电气"),
    ("000102030011", "低压配电柜", "GCK-2000A", "台", 35663.72, 0.13, 40300, "北麓开关"),
    ("000102030020", "电缆桥架", "400×150", "米", 116.81, 0.13, 132, "北麓开关"),
    ("000102030021", "电缆桥架", "200×100", "米", 63.72, 0.13, 72, "北麓开关"),
    ("000102030030", "接线端子", "UK-10N", "只", 3.1, 0.13, 3.5, "南浦电器"),
]
SUPPLIERS = [
    ("东岭电气股份有限公司", "6222021001116245702", "票到30天", datetime(2025, 1, 6)),
    ("北麓开关制造有限公司", "6217001210024455220", "货到验收合格后15天", datetime(2025, 2, 17)),
    ("南浦电器有限公司", "6228480402564890018", "预付30%", datetime(2025, 3, 3)),
]


def build(path: Path) -> None:
    """Write the workbook to the path."""
    book = Workbook()
    book.properties.creator = "海川重工采购部"
    book.properties.created = book.properties.modified = datetime(2025, 3, 10, 8, 0, 0)
    _prices(book.active)
    _suppliers(book.create_sheet("供应商账户"))
    history = book.create_sheet("历史价格（内部）")
    history.append(["名称", "2023年均价", "2024年均价"])
    history.append(["低压电力电缆 YJV 4×95+1×50", 268.4, 279.9])
    history.sheet_state = "hidden"
    book.save(path)


def _prices(sheet: Worksheet) -> None:
    sheet.title = "价格清单"
    sheet["A1"] = "2025年度电气物资价格清单"
    sheet["A1"].font = Font(bold=True, size=16)
    sheet.merge_cells("A1:I1")
    sheet.append(HEAD)
    for cell in sheet[2]:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(horizontal="center")
    for code, name, model, unit, net, tax, gross, supplier in PRICES:
        sheet.append([code, name, model, unit, net, tax, gross, date(2025, 3, 10), supplier])
    for row in sheet.iter_rows(min_row=3, max_row=2 + len(PRICES)):
        row[4].number_format = row[6].number_format = "¥#,##0.00"
        row[5].number_format = "0%"
        row[7].number_format = 'yyyy"年"m"月"d"日"'
    sheet.merge_cells("B3:B4")
    sheet.merge_cells("B6:B7")


def _suppliers(sheet: Worksheet) -> None:
    sheet.append(["供应商", "银行账号", "付款条件", "签约日期"])
    for name, account, terms, signed in SUPPLIERS:
        sheet.append([name, account, terms, signed])
    for row in sheet.iter_rows(min_row=2):
        row[3].number_format = "yyyy/m/d"
