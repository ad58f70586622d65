"""Build the documents that are measured, into ``benchmarks/.inputs``: the same on every machine.

A contract of 30 pages as DOCX, a regulation of 49 pages as PDF, a ledger of 50,000 rows as XLSX,
a text and a manual. Sizes are what the issue asks for; the words come from the samples.
"""

import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
INPUTS = HERE / ".inputs"
sys.path.insert(0, str(HERE.parent / "examples"))

import contract_text  # noqa: E402 -- the samples are scripts beside each other, not a package
import docx_sample  # noqa: E402

DOCX_ROUNDS = 15  # the sample contract is two pages of clauses: thirty pages
PDF_PAGES = 49
XLSX_ROWS = 50_000


def build_all() -> dict[str, Path]:
    """Give the input of each format, built where it is not there yet."""
    INPUTS.mkdir(exist_ok=True)
    made = {
        "docx": (INPUTS / "contract_30_pages.docx", _docx),
        "pdf": (INPUTS / "regulation_49_pages.pdf", _pdf),
        "xlsx": (INPUTS / "ledger_50000_rows.xlsx", _xlsx),
        "md": (INPUTS / "manual.md", _markdown),
        "txt": (INPUTS / "contract.txt", _text),
    }
    for path, build in made.values():
        if not path.exists():
            build(path)
    return {name: path for name, (path, _) in made.items()}


def _docx(path: Path) -> None:
    body = contract_text.BODY
    contract_text.BODY[:] = body * DOCX_ROUNDS
    try:
        docx_sample.build(path)
    finally:
        del contract_text.BODY[len(body) // DOCX_ROUNDS :]


def clauses(count: int) -> list[str]:
    """Give so many numbered clauses, each of one to four sentences, from a fixed seed."""
    chance = random.Random(20250318)
    sentences = [text for kind, text in contract_text.BODY if kind in ("item", "text")]
    made = []
    for number in range(1, count + 1):
        said = "".join(chance.choice(sentences) for _ in range(chance.randint(1, 4)))
        made.append(f"第{chinese(number)}条 {said.rstrip('：')}")
    return made


def chinese(number: int) -> str:
    """Give 1 to 9,999 in Chinese numerals."""
    digits, units = "零一二三四五六七八九", ["", "十", "百", "千"]
    said, zero = "", False
    for place in range(3, -1, -1):
        digit = number // 10**place % 10
        if digit:
            said += ("零" if zero and said else "") + digits[digit] + units[place]
            zero = False
        else:
            zero = True
    return said[1:] if said.startswith("一十") else said


def _pdf(path: Path) -> None:
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    lines = [clause[at : at + 36] for clause in clauses(1200) for at in range(0, len(clause), 36)]
    per_page = 36
    for page in range(PDF_PAGES):
        canvas.setFont("STSong-Light", 9)
        canvas.drawString(80, A4[1] - 40, "设备采购管理办法　内部资料")
        canvas.drawCentredString(A4[0] / 2, 36, f"第 {page + 1} 页 共 {PDF_PAGES} 页")
        canvas.setFont("STSong-Light", 12)
        for index, line in enumerate(lines[page * per_page : (page + 1) * per_page]):
            canvas.drawString(80, A4[1] - 80 - 19 * index, line)
        canvas.showPage()
    canvas.save()


def _xlsx(path: Path) -> None:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    chance = random.Random(50_000)
    book = Workbook(write_only=True)
    sheet = book.create_sheet("台账")
    sheet.append(["序号", "合同编号", "供应商", "物料", "数量", "单价", "金额", "比例", "备注"])
    names = ["低压电力电缆", "控制电缆", "低压配电柜", "电缆桥架", "接线端子"]
    for number in range(1, XLSX_ROWS + 1):
        quantity, price = chance.randint(1, 900), chance.randint(100, 90_000) / 100
        money = WriteOnlyCell(sheet, quantity * price)
        money.number_format = "#,##0.00"
        share = WriteOnlyCell(sheet, chance.randint(1, 100) / 100)
        share.number_format = "0%"
        code, supplier = f"HC-{2020 + number % 6}-{number:06d}", f"供应商{number % 317}有限公司"
        sheet.append(
            [number, code, supplier, chance.choice(names), quantity, price, money, share, "正常"]
        )
    book.save(path)


def _markdown(path: Path) -> None:
    made = ["# 设备维护手册"]
    for number, clause in enumerate(clauses(400), start=1):
        made += [f"## {number} 项目{number}", "", clause, ""]
        if number % 5 == 0:
            made += ["| 项目 | 参数 |", "|---|---|", "| 额定电压 | 400 V |", ""]
    path.write_text("\n".join(made), encoding="utf-8")


def _text(path: Path) -> None:
    path.write_text("\n".join(clauses(1000)), encoding="utf-8")
