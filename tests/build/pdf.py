"""PDF files for tests, drawn by reportlab with a Chinese font that no file needs to embed."""

from collections.abc import Callable, Sequence
from io import BytesIO

from reportlab.lib.pagesizes import A4
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

SONG = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(SONG))

WIDTH, HEIGHT = A4
LEFT, TOP, SIZE, LEADING = 90.0, 90.0, 12.0, 20.0
CHARS = 34  # Han characters a line

Draw = Callable[[Canvas], None]


def pdf(pages: Sequence[Draw], **info: str) -> bytes:
    """Give a file with one page for each function; ``info`` sets title and author."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    canvas.setTitle(info.get("title", "标题"))
    canvas.setAuthor(info.get("author", "作者"))
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def write(
    canvas: Canvas, x: float, y: float, text: str, *, size: float = SIZE, bold: bool = False
) -> None:
    """Put a line at a distance from the page's left and top; ``bold`` as Word makes it."""
    said = canvas.beginText(x, HEIGHT - y)
    said.setFont(SONG, size)
    if bold:
        said.setTextRenderMode(2)
    said.textOut(text)
    if bold:
        said.setTextRenderMode(0)
    canvas.drawText(said)


def wide(text: str, size: float = SIZE) -> float:
    """Give a text's width in points."""
    return float(pdfmetrics.stringWidth(text, SONG, size))


def wrap(paragraph: str, *, chars: int = CHARS, indent: int = 2, size: float = SIZE) -> list[str]:
    """Give a paragraph's lines; the first one is indented by full-width spaces' width."""
    lines, line, room = [], "", (chars - indent) * size
    for char in paragraph:
        if wide(line + char, size) > room and char not in "，。；：）、":
            lines.append(line)
            line, room = "", chars * size
        line += char
    lines.append(line)
    return lines


def flow(
    paragraphs: Sequence[str],
    *,
    per_page: int = 30,
    edge: Callable[[Canvas, int, int], None] | None = None,
    indent: int = 2,
) -> bytes:
    """Give paragraphs set one after the other over as many pages as they need."""
    lines = [
        (LEFT + (indent * SIZE if not index else 0), line)
        for paragraph in paragraphs
        for index, line in enumerate(wrap(paragraph, indent=indent))
    ]
    pages = [lines[start : start + per_page] for start in range(0, len(lines), per_page)]

    def page(number: int) -> Draw:
        def draw(canvas: Canvas) -> None:
            if edge is not None:
                edge(canvas, number + 1, len(pages))
            for index, (x, line) in enumerate(pages[number]):
                write(canvas, x, TOP + index * LEADING, line)

        return draw

    return pdf([page(number) for number in range(len(pages))])


def ruled(
    canvas: Canvas,
    x: Sequence[float],
    y: Sequence[float],
    texts: Sequence[Sequence[str]],
    *,
    merged: Sequence[tuple[int, int, int, int]] = (),
) -> None:
    """Draw a table by its edges from left and top; ``merged`` as (row, column, rows, columns)."""
    inner: set[tuple[str, int, int]] = set()
    for row, column, rows, columns in merged:
        for r in range(row, row + rows):
            inner.update(("v", r, c) for c in range(column + 1, column + columns))
        for c in range(column, column + columns):
            inner.update(("h", r, c) for r in range(row + 1, row + rows))
    for r, high in enumerate(y):
        for c in range(len(x) - 1):
            if ("h", r, c) not in inner:
                canvas.line(x[c], HEIGHT - high, x[c + 1], HEIGHT - high)
    for c, left in enumerate(x):
        for r in range(len(y) - 1):
            if ("v", r, c) not in inner:
                canvas.line(left, HEIGHT - y[r], left, HEIGHT - y[r + 1])
    for r, cells in enumerate(texts):
        for c, text in enumerate(cells):
            for index, line in enumerate(text.split("\n")):
                write(canvas, x[c] + 4, y[r] + 14 + 14 * index, line, size=10.5)


def vertical(pages: Sequence[Sequence[tuple[float, float, str]]], *, foot: str = "") -> bytes:
    """Give pages of columns (x, y from the top, text) set downwards by a font of that mode.

    ``foot`` is set across below them, with ``#`` for the page's number.
    """
    down, across = 6, 7
    font = (
        "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-{}/DescendantFonts[<<"
        "/Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/DW 1000/CIDSystemInfo<<"
        "/Registry(Adobe)/Ordering(GB1)/Supplement 2>>/FontDescriptor 5 0 R>>]>>"
    )
    kids = " ".join(f"{8 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<<>>",
        "<<>>",
        "<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[-25 -254 1000 880]"
        "/ItalicAngle 0/Ascent 880/Descent -120/CapHeight 880/StemV 93>>",
        font.format("V"),
        font.format("H"),
    ]
    for number, columns in enumerate(pages, 1):
        placed = [("V", x, y, text) for x, y, text in columns]
        if foot:
            placed.append(("H", 290.0, 800.0, foot.replace("#", str(number))))
        drawn = "".join(
            f"BT /{mode} {SIZE} Tf {x} {HEIGHT - y:.2f} Td "
            f"<{text.encode('utf-16-be').hex()}> Tj ET\n"
            for mode, x, y, text in placed
        )
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH:.2f} {HEIGHT:.2f}]"
            f"/Contents {9 + 2 * (number - 1)} 0 R"
            f"/Resources<</Font<</V {down} 0 R/H {across} 0 R>>>>>>",
            f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        ]
    return _file(objects)


def tagged(parts: Sequence[tuple[str, str]]) -> bytes:
    """Give a page of Latin lines with their structure tags (H1, P …), written by hand."""
    drawn = "".join(
        f"/{tag} <</MCID {index}>> BDC BT /F1 12 Tf 90 {700 - 30 * index} Td ({text}) Tj ET EMC\n"
        for index, (tag, text) in enumerate(parts)
    )
    first = 7
    kids = " ".join(f"{first + index} 0 R" for index in range(len(parts)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/StructParents 0"
        "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        f"<</Type/StructTreeRoot/K[6 0 R]/ParentTree<</Nums[0[{kids}]]>>>>",
        f"<</Type/StructElem/S/Document/P 5 0 R/K[{kids}]>>",
        *(
            f"<</Type/StructElem/S/{tag}/P 6 0 R/Pg 3 0 R/K {index}>>"
            for index, (tag, _) in enumerate(parts)
        ),
    ]
    return _file(objects)


def _file(objects: Sequence[str]) -> bytes:
    """Give a file of numbered objects, the first of which is its catalogue."""
    body, places = "%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"trailer<</Size {size}/Root 1 0 R>>\nstartxref\n{len(body)}\n%%EOF\n"
    return f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{end}".encode("latin-1")


def numbered(codes: Sequence[int], *, meant: Sequence[int] = (), order: str = "Identity") -> bytes:
    """Give a page of glyphs by number, of a font that is not there.

    ``meant`` says (rightly or not) what they are; without it nothing does.
    """
    drawn = f"BT /F1 12 Tf 90 700 Td <{''.join(f'{code:04X}' for code in codes)}> Tj ET"
    pairs = "\n".join(
        f"<{code:04X}> <{char:04X}>" for code, char in zip(codes, meant, strict=False)
    )
    table = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def "
        f"1 begincodespacerange <0000> <FFFF> endcodespacerange {len(meant)} beginbfchar\n{pairs}\n"
        "endbfchar endcmap end end"
    )
    return _file(
        [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R"
            "/Resources<</Font<</F1 5 0 R>>>>>>",
            f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
            "<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/Identity-H"
            f"{'/ToUnicode 7 0 R' if meant else ''}/DescendantFonts[<</Type/Font"
            "/Subtype/CIDFontType2/BaseFont/SimSun/DW 1000/CIDSystemInfo<</Registry(Adobe)"
            f"/Ordering({order})/Supplement 0>>/FontDescriptor 6 0 R>>]>>",
            "<</Type/FontDescriptor/FontName/SimSun/Flags 4/FontBBox[0 -141 1000 859]"
            "/ItalicAngle 0/Ascent 859/Descent -141/CapHeight 859/StemV 80>>",
            f"<</Length {len(table)}>>stream\n{table}\nendstream",
        ]
    )


def fields(annotations: Sequence[str], *parents: str) -> bytes:
    """Give a page with a line ``Supplier:`` and these annotations; ``parents`` follow them.

    The first annotation is object 6.
    """
    drawn = "BT /F1 12 Tf 90 700 Td (Supplier:) Tj ET"
    last = 6 + len(annotations)
    refs = " ".join(f"{number} 0 R" for number in range(6, last))
    return _file(
        [
            f"<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[{refs}"
            f"{''.join(f' {last + index} 0 R' for index in range(len(parents)))}]>>>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font"
            f"<</F1 5 0 R>>>>/Annots[{refs}]>>",
            f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
            *annotations,
            *parents,
        ]
    )
