"""Builds small PPTX files from XML by hand, so that a test says exactly what is in the file.

Takes slides as fragments of PresentationML, gives the file's path.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec

from tests.build.packages import zipped

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.presentationml"
_NAMES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    f'xmlns:r="{_OFFICE}"'
)
_EMU = 12700


class Slide(msgspec.Struct):
    """A slide: its shapes, its notes' shapes, its comments, further parts by relationship id."""

    shapes: Sequence[str]
    notes: Sequence[str] = ()
    comments: Sequence[tuple[str, str]] = ()
    parts: Mapping[str, tuple[str, str | bytes]] = {}
    hidden: bool = False


def paragraph(text: str, properties: str = "", *, size: int | None = None) -> str:
    """Give an ``a:p``; a line end in the text becomes ``a:br``."""
    look = f' sz="{size * 100}"' if size else ""
    runs = "<a:br/>".join(
        f"<a:r><a:rPr{look}/><a:t>{escape(line)}</a:t></a:r>" for line in text.split("\n")
    )
    return f"<a:p>{properties}{runs}</a:p>"


def box(
    text: str | Sequence[str],
    at: tuple[float, float, float, float] | None = (100, 100, 200, 50),
    *,
    placeholder: str = "",
    hidden: bool = False,
    size: int | None = None,
    name: str = "文本框 1",
) -> str:
    """Give a shape with text; ``at`` is left, top, width and height in points."""
    lines = [text] if isinstance(text, str) else text
    body = "".join(line if line.startswith("<a:p>") else paragraph(line, size=size)
                   for line in lines)  # fmt: skip
    holder = f'<p:ph type="{placeholder}"/>' if placeholder else ""
    mark = ' hidden="1"' if hidden else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{name}"{mark}/><p:cNvSpPr/>'
        f"<p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:spPr>{_frame('a', at)}</p:spPr>"
        f"<p:txBody><a:bodyPr/>{body}</p:txBody></p:sp>"
    )


def group(
    *shapes: str,
    at: tuple[float, float, float, float],
    inner: tuple[float, float, float, float] | None = None,
) -> str:
    """Give a group; ``inner`` is its own system of coordinates."""
    x, y, width, height = (round(value * _EMU) for value in inner or at)
    left, top, across, down = (round(value * _EMU) for value in at)
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name="组合 1"/><p:cNvGrpSpPr/><p:nvPr/>'
        f'</p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="{left}" y="{top}"/>'
        f'<a:ext cx="{across}" cy="{down}"/><a:chOff x="{x}" y="{y}"/>'
        f'<a:chExt cx="{width}" cy="{height}"/></a:xfrm></p:grpSpPr>{"".join(shapes)}</p:grpSp>'
    )


def framed(content: str, at: tuple[float, float, float, float] = (50, 200, 400, 100)) -> str:
    """Give a graphic frame around a table, a chart or a diagram."""
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="表格 1"/>'
        f"<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>{_frame('p', at)}"
        f'<a:graphic><a:graphicData uri="u">{content}</a:graphicData></a:graphic></p:graphicFrame>'
    )


def table(rows: Sequence[Sequence[str | tuple[str, str]]], *, headed: bool = True) -> str:
    """Give an ``a:tbl``; a cell given as a pair has attributes."""
    lines = ""
    for row in rows:
        cells = ""
        for cell in row:
            text, attributes = (cell, "") if isinstance(cell, str) else cell
            body = "".join(map(paragraph, text.split("|"))) if text else "<a:p/>"
            cells += f"<a:tc {attributes}><a:txBody><a:bodyPr/>{body}</a:txBody><a:tcPr/></a:tc>"
        lines += f'<a:tr h="10">{cells}</a:tr>'
    first = ' firstRow="1"' if headed else ""
    return f"<a:tbl><a:tblPr{first}/><a:tblGrid/>{lines}</a:tbl>"


def picture(alt: str, at: tuple[float, float, float, float] = (50, 300, 100, 100)) -> str:
    """Give a picture with its description."""
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="5" name="图片 1" descr="{escape(alt)}"/><p:cNvPicPr/>'
        f"<p:nvPr/></p:nvPicPr><p:blipFill/><p:spPr>{_frame('a', at)}</p:spPr></p:pic>"
    )


def write(path: Path, slides: Sequence[Slide], *, layout: Sequence[str] = ()) -> Path:
    """Write a presentation; ``layout`` holds the shapes of the layout of all slides."""
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org'
        '/package/2006/content-types"><Override PartName="/ppt/presentation.xml" '
        f'ContentType="{_TYPES}.presentation.main+xml"/></Types>',
        "_rels/.rels": _relations({"rId1": ("officeDocument", "ppt/presentation.xml")}),
        "ppt/slideLayouts/layout.xml": _tree("sldLayout", layout),
        "ppt/commentAuthors.xml": f'<p:cmAuthorLst {_NAMES}><p:cmAuthor id="0" name="李明"/>'
        "</p:cmAuthorLst>",
    }
    named = {"authors": ("commentAuthors", "commentAuthors.xml")}
    listed = ""
    for number, slide in enumerate(slides, 1):
        named[f"rId{number}"] = ("slide", f"slides/slide{number}.xml")
        listed += f'<p:sldId id="{255 + number}" r:id="rId{number}"/>'
        parts.update(_slide_parts(number, slide))
    parts["ppt/presentation.xml"] = (
        f"<p:presentation {_NAMES}><p:sldIdLst>{listed}</p:sldIdLst>"
        f'<p:sldSz cx="{720 * _EMU}" cy="{540 * _EMU}"/></p:presentation>'
    )
    parts["ppt/_rels/presentation.xml.rels"] = _relations(named)
    return zipped(path, parts)


def _slide_parts(number: int, slide: Slide) -> dict[str, str | bytes]:
    relations = {"layout": ("slideLayout", "../slideLayouts/layout.xml")}
    parts: dict[str, str | bytes] = {}
    for key, (kind, content) in slide.parts.items():
        relations[key] = (kind, f"../extra/{key}{number}.xml")
        parts[f"ppt/extra/{key}{number}.xml"] = content
    if slide.notes:
        relations["notes"] = ("notesSlide", f"../notesSlides/notes{number}.xml")
        parts[f"ppt/notesSlides/notes{number}.xml"] = _tree("notes", slide.notes)
    if slide.comments:
        relations["comments"] = ("comments", f"../comments/comment{number}.xml")
        entries = "".join(
            f'<p:cm authorId="{author}" dt="2026-01-02T08:00:00" idx="1"><p:pos x="1" y="1"/>'
            f"<p:text>{escape(text)}</p:text></p:cm>"
            for author, text in slide.comments
        )
        parts[f"ppt/comments/comment{number}.xml"] = f"<p:cmLst {_NAMES}>{entries}</p:cmLst>"
    show = ' show="0"' if slide.hidden else ""
    parts[f"ppt/slides/slide{number}.xml"] = _tree("sld", slide.shapes, show)
    parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations(relations)
    return parts


def names() -> str:
    """Give the declarations of the namespaces that fragments use."""
    return _NAMES


def _tree(kind: str, shapes: Sequence[str], attributes: str = "") -> str:
    return (
        f"<p:{kind} {_NAMES}{attributes}><p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>"
        f"{''.join(shapes)}</p:spTree></p:cSld></p:{kind}>"
    )


def _frame(prefix: str, at: tuple[float, float, float, float] | None) -> str:
    if at is None:
        return ""
    x, y, width, height = (round(value * _EMU) for value in at)
    return (
        f'<{prefix}:xfrm><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>'
        f"</{prefix}:xfrm>"
    )


def _relations(named: Mapping[str, tuple[str, str]]) -> str:
    entries = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in named.items()
    )
    return (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f"{entries}</Relationships>"
    )
