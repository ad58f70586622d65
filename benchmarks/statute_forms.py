"""Statutes in three forms: plain text, DOCX with Word's automatic numbers, PDF with page headers.

Takes the laws of the corpus (Markdown), writes a folder a form under ``benchmarks/.inputs``. Never
changes a word: numbers that Word cannot count (第七条之一) stay typed.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from headworks.model.numerals import integer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tests.build import docx  # noqa: E402 -- found from the root, where this is run, only

FORMS = ("txt", "docx", "pdf")
FONT = "STSong-Light"
_NUMERALS = "[零〇一二三四五六七八九十百千]"
_ARTICLE = re.compile(rf"第({_NUMERALS}+)条[ 　]+")
_ITEM = re.compile(rf"（({_NUMERALS}+)）")
_COLUMNS, _ROWS = 36, 36
_HANGING = frozenset("，。、；：？！）》”’")


def build(law: Path, folder: Path, form: str) -> Path:
    """Give the law in a form, built where it is not there yet."""
    path = folder / form / f"{law.stem}.{form}"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = list(_lines(law))
        {"txt": _txt, "docx": _docx, "pdf": _pdf}[form](path, lines)
    return path


def _lines(law: Path) -> Iterator[tuple[int, str]]:
    """Give each paragraph with its heading's depth, 0 for text."""
    for line in law.read_text(encoding="utf-8").splitlines():
        words = line.strip()
        if not words or words.startswith("<!--"):
            continue
        depth = len(words) - len(words.lstrip("#"))
        yield depth, words.lstrip("#").strip()


def _txt(path: Path, lines: list[tuple[int, str]]) -> None:
    path.write_text("\n".join(words for _, words in lines) + "\n", encoding="utf-8")


def _docx(path: Path, lines: list[tuple[int, str]]) -> None:
    """Write paragraphs whose 第X条 and （一） are numbers of a list; a jump begins another list."""
    body: list[str] = []
    overrides = [""]  # one list (w:num) each
    article, item = 0, -1  # the last numbers; -1: items of this place are typed
    for depth, words in lines:
        number = _ARTICLE.match(words)
        point = _ITEM.match(words)
        if depth:
            body.append(docx.para(words, style=f"Heading{depth}"))
            item = -1
        elif number:
            value = integer(number[1]) or 0
            if value != article + 1:
                overrides.append(
                    f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{value}"/></w:lvlOverride>'
                )
            article, item = value, 0
            body.append(docx.para(words[number.end() :], num=(len(overrides), 0)))
        elif point and item >= 0 and integer(point[1]) == item + 1:
            item += 1
            body.append(docx.para(words[point.end() :], num=(len(overrides), 1)))
        else:
            typed = point or (words.startswith("第") and "条" in words[:12])
            item = -1 if typed else item
            body.append(docx.para(words))
    levels = (
        docx.level(0, "chineseCountingThousand", "第%1条", '<w:suff w:val="space"/>'),
        docx.level(1, "chineseCounting", "（%2）", '<w:suff w:val="nothing"/>'),
    )
    lists = "".join(docx.num(at, 0, more) for at, more in enumerate(overrides, 1))
    docx.build(path, "".join(body), styles=_styles(), numbering=docx.abstract(0, *levels) + lists)


def _styles() -> str:
    return "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{depth}">'
        f'<w:name w:val="heading {depth}"/><w:pPr><w:jc w:val="center"/>'
        f'<w:outlineLvl w:val="{depth - 1}"/></w:pPr><w:rPr><w:b/></w:rPr></w:style>'
        for depth in range(1, 7)
    )


def _pdf(path: Path, lines: list[tuple[int, str]]) -> None:
    """Draw the law on pages with its name above and the page's number below."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path), pagesize=A4, invariant=1)
    drawn = [line for depth, words in lines for line in _wrapped(depth, words)]
    pages = -(-len(drawn) // _ROWS)
    for page in range(pages):
        canvas.setFont(FONT, 9)
        canvas.drawString(80, A4[1] - 40, f"{lines[0][1][:30]}　法规汇编")
        canvas.drawCentredString(A4[0] / 2, 36, f"第 {page + 1} 页 共 {pages} 页")
        for row, (depth, words) in enumerate(drawn[page * _ROWS : (page + 1) * _ROWS]):
            height = A4[1] - 80 - 19 * row
            canvas.setFont(FONT, 14 if depth else 12)
            if depth:
                canvas.drawCentredString(A4[0] / 2, height, words)
            else:
                canvas.drawString(80, height, words)
        canvas.showPage()
    canvas.save()


def _wrapped(depth: int, words: str) -> Iterator[tuple[int, str]]:
    """Give the lines of a paragraph, the first indented; a stop hangs at the end of its line."""
    width = 28 if depth else _COLUMNS
    line, used = ("", 0.0) if depth else ("　　", 2.0)
    for character in words:
        wide = 0.5 if character.isascii() else 1.0
        if used + wide > width and character not in _HANGING:
            yield depth, line
            line, used = "", 0.0
        line, used = line + character, used + wide
    yield depth, line
