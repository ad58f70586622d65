"""Small documents to send."""

from io import BytesIO
from zipfile import ZipFile

from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import pdf, write

CLAUSES = (
    "第一条 标的\n甲方向乙方采购电缆一批，规格见附件一。\n"
    "第二条 付款\n甲方应在验收后30日内支付合同总额的95%，其余5%为质保金。\n"
    "第三条 违约责任\n违约金为合同总额的10%，但最高不超过50万元。\n"
)


def text(number: int = 0) -> bytes:
    """Give a contract as plain text; another number is other bytes."""
    return f"采购合同\n编号：HT-{number:06d}\n{CLAUSES}".encode()


def page(number: int = 0) -> bytes:
    """Give a contract of one page as PDF, with a mobile number on it."""

    def draw(canvas: Canvas) -> None:
        for row, line in enumerate([*text(number).decode().splitlines(), "联系电话：13912345678"]):
            write(canvas, 90, 100 + row * 24, line)

    return pdf([draw])


def archive(*members: tuple[str, bytes]) -> bytes:
    """Give a ZIP of documents."""
    packed = BytesIO()
    with ZipFile(packed, "w") as zipped:
        for name, content in members:
            zipped.writestr(name, content)
    return packed.getvalue()
