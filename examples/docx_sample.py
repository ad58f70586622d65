"""Build the sample contract as DOCX, part by part, with Word's own automatic numbering."""

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from contract_text import (
    APPENDICES,
    BODY,
    COVER,
    FOOTER,
    HEADER,
    PREAMBLE,
    SIGNATURES,
    TITLE,
)

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml"
CLAUSES = 1  # numId of 第一条 and （一）
FIRST_APPENDIX_LIST = 2  # numIds of 1. and 1.1, one list an appendix


def build(path: Path) -> None:
    """Write the contract to the path; equal bytes on every run."""
    parts = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            ("officeDocument", "word/document.xml"),
            ("metadata/core-properties", "docProps/core.xml"),
        ),
        "word/_rels/document.xml.rels": _relations(
            ("styles", "styles.xml"),
            ("numbering", "numbering.xml"),
            ("header", "header1.xml"),
            ("footer", "footer1.xml"),
        ),
        "docProps/core.xml": _core(),
        "word/styles.xml": _styles(),
        "word/numbering.xml": _numbering(),
        "word/header1.xml": _header(),
        "word/footer1.xml": _footer(),
        "word/document.xml": _document(),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, xml in parts.items():
            head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            entry = zipfile.ZipInfo(name, (2025, 3, 18, 9, 0, 0))
            package.writestr(entry, head + xml, zipfile.ZIP_DEFLATED)


def _document() -> str:
    body = [_paragraph(TITLE, style="Title")]
    body += [_paragraph(line) for line in COVER]
    body.append(_paragraph(PREAMBLE, style="BodyText"))
    body += _clauses()
    body.append(_table(SIGNATURES, header=False))
    for index, (title, points) in enumerate(APPENDICES):
        body.append(_paragraph(title, style="AppendixTitle"))
        body += _appendix(points, FIRST_APPENDIX_LIST + index)
    section = (
        '<w:sectPr><w:headerReference w:type="default" r:id="rId3"/>'
        '<w:footerReference w:type="default" r:id="rId4"/>'
        '<w:pgSz w:w="11906" w:h="16838"/>'
        '<w:pgMar w:top="1440" w:right="1797" w:bottom="1440" w:left="1797" w:header="851"'
        ' w:footer="992" w:gutter="0"/></w:sectPr>'
    )
    return f"<w:document {W} {R}><w:body>{''.join(body)}{section}</w:body></w:document>"


def _clauses() -> list[str]:
    made = []
    for kind, content in BODY:
        if kind == "table":
            made.append(_table(content, header=True))
        elif kind == "clause":
            made.append(_paragraph(content, style="Clause"))
        elif kind == "item":
            made.append(_paragraph(content, number=(CLAUSES, 1)))
        elif kind == "caption":
            made.append(_paragraph(content, style="Caption"))
        else:
            made.append(_paragraph(content, style="BodyText"))
    return made


def _appendix(points: list, number: int) -> list[str]:
    made = []
    for kind, *content in points:
        if kind == "text":
            made.append(_paragraph(content[0], style="BodyText"))
        else:
            made.append(_paragraph(content[0], number=(number, 0)))
            made += [_paragraph(point, number=(number, 1)) for point in content[1]]
    return made


def _paragraph(text: str, *, style: str = "", number: tuple[int, int] | None = None) -> str:
    marks = f'<w:pStyle w:val="{style}"/>' if style else ""
    if number:
        marks += f'<w:numPr><w:ilvl w:val="{number[1]}"/><w:numId w:val="{number[0]}"/></w:numPr>'
    properties = f"<w:pPr>{marks}</w:pPr>" if marks else ""
    return f'<w:p>{properties}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def _table(rows: list[list[str]], *, header: bool) -> str:
    made = []
    for index, row in enumerate(rows):
        mark = "<w:trPr><w:tblHeader/></w:trPr>" if header and index == 0 else ""
        cells = "".join(f"<w:tc><w:tcPr/>{_paragraph(cell)}</w:tc>" for cell in row)
        made.append(f"<w:tr>{mark}{cells}</w:tr>")
    grid = "".join('<w:gridCol w:w="1200"/>' for _ in rows[0])
    borders = "".join(
        f'<w:{side} w:val="single" w:sz="4"/>'
        for side in ("top", "left", "bottom", "right", "insideH", "insideV")
    )
    properties = f"<w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr>"
    return f"<w:tbl>{properties}<w:tblGrid>{grid}</w:tblGrid>{''.join(made)}</w:tbl>"


def _header() -> str:
    return f"<w:hdr {W}>{_paragraph(HEADER)}</w:hdr>"


def _footer() -> str:
    before, middle, after = FOOTER.replace("{page}", "\n").replace("{pages}", "\n").split("\n")
    runs = [_run(before), _field("PAGE"), _run(middle), _field("NUMPAGES"), _run(after)]
    return f'<w:ftr {W}><w:p><w:pPr><w:jc w:val="center"/></w:pPr>{"".join(runs)}</w:p></w:ftr>'


def _run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def _field(instruction: str) -> str:
    return f'<w:fldSimple w:instr=" {instruction} "><w:r><w:t>1</w:t></w:r></w:fldSimple>'


def _numbering() -> str:
    level = (
        '<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>'
        '<w:suff w:val="{suffix}"/><w:lvlText w:val="{text}"/></w:lvl>'
    )
    clauses = level.format(level=0, form="chineseCountingThousand", suffix="space", text="第%1条")
    clauses += level.format(level=1, form="chineseCounting", suffix="nothing", text="（%2）")
    points = level.format(level=0, form="decimal", suffix="space", text="%1.")
    points += level.format(level=1, form="decimal", suffix="space", text="%1.%2")
    abstract = f'<w:abstractNum w:abstractNumId="0">{clauses}</w:abstractNum>'
    abstract += f'<w:abstractNum w:abstractNumId="1">{points}</w:abstractNum>'
    lists = '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    restart = "".join(
        f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="1"/></w:lvlOverride>'
        for level in (0, 1)
    )
    for index in range(len(APPENDICES)):
        lists += (
            f'<w:num w:numId="{FIRST_APPENDIX_LIST + index}"><w:abstractNumId w:val="1"/>'
            f"{restart}</w:num>"
        )
    return f"<w:numbering {W}>{abstract}{lists}</w:numbering>"


def _styles() -> str:
    def style(name: str, shown: str, paragraph: str, run: str) -> str:
        return (
            f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{shown}"/>'
            f"<w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
        )

    bold = "<w:b/>"
    numbered = f'<w:numPr><w:ilvl w:val="0"/><w:numId w:val="{CLAUSES}"/></w:numPr>'
    return (
        f'<w:styles {W}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:eastAsia="宋体"/>'
        '<w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>'
        + style("Title", "Title", '<w:jc w:val="center"/>', bold + '<w:sz w:val="44"/>')
        + style("Clause", "Contract Clause", numbered + '<w:spacing w:before="120"/>', bold)
        + style("BodyText", "Body Text", '<w:ind w:firstLine="480"/>', "")
        + style("Caption", "caption", '<w:jc w:val="center"/>', '<w:sz w:val="21"/>')
        + style(
            "AppendixTitle",
            "Appendix Title",
            '<w:pageBreakBefore/><w:jc w:val="center"/>',
            bold + '<w:sz w:val="32"/>',
        )
        + "</w:styles>"
    )


def _core() -> str:
    dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    core = f'xmlns:cp="{PACKAGE}/metadata/core-properties"'
    terms = 'xmlns:dcterms="http://purl.org/dc/terms/"'
    xsi = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    return (
        f"<cp:coreProperties {core} {dc} {terms} {xsi}><dc:title>{TITLE}</dc:title>"
        "<dc:creator>海川重工采购部</dc:creator>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2025-03-18T09:00:00Z</dcterms:created>'
        "</cp:coreProperties>"
    )


def _relations(*targets: tuple[str, str]) -> str:
    made = []
    for index, (kind, target) in enumerate(targets, start=1):
        base = f"{PACKAGE}/relationships" if kind.startswith("metadata") else OFFICE
        made.append(f'<Relationship Id="rId{index}" Type="{base}/{kind}" Target="{target}"/>')
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(made)}</Relationships>'


def _content_types() -> str:
    kinds = {
        "word/document.xml": f"{WORD}.document.main+xml",
        "word/styles.xml": f"{WORD}.styles+xml",
        "word/numbering.xml": f"{WORD}.numbering+xml",
        "word/header1.xml": f"{WORD}.header+xml",
        "word/footer1.xml": f"{WORD}.footer+xml",
        "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    }
    overrides = "".join(
        f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in kinds.items()
    )
    return (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )
