"""Small documents of several kinds, the same ones for the same number."""

import io
import random
import zipfile
from pathlib import Path

from tests.build.docx import build, para
from tests.build.pdf import pdf, write

_WORDS = (
    "供应商应当按照约定交付货物", "买方应在收到发票后三十日内付款", "违约金为合同总额的百分之十",
    "任何一方不得将本合同转让给第三方", "争议提交合同签订地人民法院解决", "验收标准见附件三第二条",
    "联系人张三，身份证号 11010519491231002X", "保修期自验收合格之日起二十四个月",
)  # fmt: skip


def contract(number: int, clauses: int = 12) -> str:
    """Give a contract in Markdown; each number another."""
    chance = random.Random(number)
    lines = [f"# 采购合同 {number}", ""]
    for clause in range(1, clauses + 1):
        lines += [f"## 第{clause}条 条款{clause}", ""]
        lines += [
            "，".join(chance.choice(_WORDS) for _ in range(chance.randint(2, 6))) + "。"
            for _ in range(chance.randint(1, 4))
        ]
        lines.append("")
    return "\n".join(lines)


def paper(number: int, clauses: int = 12) -> tuple[str, bytes]:
    """Give a name and bytes: text, Markdown, DOCX, PDF, CSV and now and then an archive."""
    text = contract(number, clauses)
    kind = number % 12
    if kind in (0, 6):
        return f"合同{number}.txt", text.replace("#", "").encode()
    if kind in (1, 7):
        return f"合同{number}.docx", _docx(text)
    if kind in (2, 8):
        return f"合同{number}.pdf", _pdf(text)
    if kind == 3:
        rows = [f"{row},{number * row},货物{row}" for row in range(1, 60)]
        return f"清单{number}.csv", "\n".join(["序号,金额,名称", *rows]).encode()
    if kind == 4:
        return f"档案{number}.zip", _zip(number, text)
    return f"合同{number}.md", text.encode()


def _docx(text: str) -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = build(
            Path(folder) / "a.docx", "".join(para(line) for line in text.splitlines() if line)
        )
        return path.read_bytes()


def _pdf(text: str) -> bytes:
    lines = [line.replace("#", "").strip()[:34] for line in text.splitlines() if line.strip()]
    pages = [lines[start : start + 30] for start in range(0, len(lines), 30)]

    def draw(page: list[str]):  # type: ignore[no-untyped-def]
        def on(canvas):  # type: ignore[no-untyped-def]
            for place, line in enumerate(page):
                write(canvas, 90, 90 + 20 * place, line)

        return on

    return pdf([draw(page) for page in pages])


def _zip(number: int, text: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for part in ("甲", "乙"):
            entry = zipfile.ZipInfo(f"子目录/{part}{number}.md", (2026, 1, 1, 0, 0, 0))
            archive.writestr(entry, f"{text}\n\n{part}方副本。\n")
    return file.getvalue()
