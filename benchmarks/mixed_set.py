"""Fifty office documents of our own, as they come together in one purchasing department.

Twelve contracts of three templates (DOCX), six tenders (DOCX), ten minutes (text), eight invoices
and expense claims (text), six sheets (XLSX), eight letters (text). Equal bytes on every machine.
"""

from pathlib import Path

from openpyxl import Workbook

from benchmarks.mixed import contracts, papers, tenders
from tests.build import docx

COUNTS = {"contract": 12, "tender": 6, "minutes": 10, "invoice": 8, "sheet": 6, "letter": 8}


def build_all(folder: Path) -> list[Path]:
    """Write the fifty documents and give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[Path] = []
    for number in range(COUNTS["contract"]):
        path = folder / f"合同{number + 1:02d}.docx"
        made.append(docx.build(path, _body(contracts.contract(number))))
    for number in range(COUNTS["tender"]):
        path = folder / f"招标文件{number + 1:02d}.docx"
        made.append(docx.build(path, _body(tenders.tender(number))))
    for kind, name, text in (
        ("minutes", "会议纪要", papers.minutes),
        ("invoice", "单据", papers.invoice),
        ("letter", "往来函", papers.letter),
    ):
        for number in range(COUNTS[kind]):
            path = folder / f"{name}{number + 1:02d}.txt"
            path.write_text("\n".join(text(number)) + "\n", encoding="utf-8")
            made.append(path)
    sheets = range(COUNTS["sheet"])
    return made + [_sheet(folder / f"台账{number + 1:02d}.xlsx", number) for number in sheets]


def _body(lines: list[str | list[list[str]]]) -> str:
    return "".join(
        docx.para(line)
        if isinstance(line, str)
        else docx.table(*(docx.row(*(docx.cell(docx.para(cell)) for cell in row)) for row in line))
        for line in lines
    )


def _sheet(path: Path, number: int) -> Path:
    book = Workbook()
    sheet = book.active
    sheet.title = "台账"
    for row in papers.ledger(number):
        sheet.append(row)
    book.save(path)
    return path
