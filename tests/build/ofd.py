"""Builds small OFD files from XML by hand (GB/T 33190).

Takes text objects in millimetres, gives the file's path.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from tests.build.packages import zipped

_NAMES = 'xmlns:ofd="http://www.ofdspec.org/2016"'
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'


def words(
    text: str,
    at: tuple[float, float],
    *,
    size: float = 4.0,
    steps: str | None = None,
    more: str = "",
) -> str:
    """Give a text object whose first baseline begins at a place; every character takes ``size``."""
    x, y = at
    if steps is None:
        steps = f"g {len(text) - 1} {size}" if len(text) > 1 else ""
    delta = f' DeltaX="{steps}"' if steps else ""
    return (
        f'<ofd:TextObject ID="1" Boundary="{x} {y - size} {size * len(text)} {size * 1.2}" '
        f'Font="2" Size="{size}" {more}><ofd:TextCode X="0" Y="{size}"{delta}>{escape(text)}'
        "</ofd:TextCode></ofd:TextObject>"
    )


def image(resource: str, box: tuple[float, float, float, float]) -> str:
    """Give a picture; ``box`` is left, top, width and height."""
    place = " ".join(map(str, box))
    return f'<ofd:ImageObject ID="1" Boundary="{place}" ResourceID="{resource}"/>'


def rule(x0: float, y0: float, x1: float, y1: float) -> str:
    """Give a straight line."""
    return (
        f'<ofd:PathObject ID="1" Boundary="{x0} {y0} {x1 - x0 or 0.2} {y1 - y0 or 0.2}" '
        f'LineWidth="0.2"><ofd:AbbreviatedData>M 0 0 L {x1 - x0} {y1 - y0}</ofd:AbbreviatedData>'
        "</ofd:PathObject>"
    )


def ruled(x: Sequence[float], y: Sequence[float]) -> list[str]:
    """Give the lines of a grid."""
    across = [rule(x[0], place, x[-1], place) for place in y]
    return [*across, *(rule(place, y[0], place, y[-1]) for place in x)]


def annotation(text: str, remark: str, kind: str = "Path") -> str:
    """Give an annotation with words of its own at 20 mm from the top left corner."""
    shown = words(text, (0, 5)) if text else ""
    said = f"<ofd:Remark>{escape(remark)}</ofd:Remark>" if remark else ""
    return (
        f'<ofd:Annot ID="7" Type="{kind}" Creator="王芳" LastModDate="2026-01-02">{said}'
        f'<ofd:Appearance Boundary="20 20 60 10">{shown}</ofd:Appearance></ofd:Annot>'
    )


def write(
    path: Path,
    pages: Sequence[Sequence[str]],
    *,
    template: Sequence[str] = (),
    notes: Mapping[int, Sequence[str]] | None = None,
    box: str = "0 0 210 297",
    attached: Mapping[str, bytes] | None = None,
    pictures: Mapping[str, bytes] | None = None,
) -> Path:
    """Write a document; ``template`` lies under each page, ``notes`` are annotations by page."""
    parts: dict[str, str | bytes] = {
        "OFD.xml": f'{_HEAD}<ofd:OFD {_NAMES} DocType="OFD" Version="1.0"><ofd:DocBody>'
        "<ofd:DocInfo><ofd:Title>电子发票</ofd:Title><ofd:Author>开票方</ofd:Author>"
        '<ofd:CustomDatas><ofd:CustomData Name="发票号码">01234567</ofd:CustomData>'
        "</ofd:CustomDatas></ofd:DocInfo><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot>"
        "</ofd:DocBody></ofd:OFD>",
        "Doc_0/PublicRes.xml": f'{_HEAD}<ofd:Res {_NAMES} BaseLoc="Res"><ofd:Fonts>'
        '<ofd:Font ID="2" FontName="宋体"/><ofd:Font ID="3" FontName="黑体"/></ofd:Fonts>'
        "</ofd:Res>",
    }
    listed = annotated = ""
    for number, content in enumerate(pages):
        listed += f'<ofd:Page ID="{number + 10}" BaseLoc="Pages/Page_{number}/Content.xml"/>'
        parts[f"Doc_0/Pages/Page_{number}/Content.xml"] = _page(content, bool(template))
        if notes and number in notes:
            annotated += f'<ofd:Page PageID="{number + 10}"><ofd:FileLoc>Page_{number}.xml'
            annotated += "</ofd:FileLoc></ofd:Page>"
            parts[f"Doc_0/Annots/Page_{number}.xml"] = (
                f"{_HEAD}<ofd:PageAnnot {_NAMES}>{''.join(notes[number])}</ofd:PageAnnot>"
            )
    used = ""
    if template:
        used = '<ofd:TemplatePage ID="4" BaseLoc="Tpls/Tpl_0/Content.xml"/>'
        parts["Doc_0/Tpls/Tpl_0/Content.xml"] = _page(template, False)
    if annotated:
        parts["Doc_0/Annots/Annotations.xml"] = (
            f"{_HEAD}<ofd:Annotations {_NAMES}>{annotated}</ofd:Annotations>"
        )
        annotated = "<ofd:Annotations>Annots/Annotations.xml</ofd:Annotations>"
    for name, painted in (pictures or {}).items():
        parts[f"Doc_0/Res/image_{name}.png"] = painted
    media = "".join(
        f'<ofd:MultiMedia ID="{name}" Type="Image"><ofd:MediaFile>image_{name}.png</ofd:MediaFile>'
        "</ofd:MultiMedia>"
        for name in pictures or {}
    )
    parts["Doc_0/DocumentRes.xml"] = (
        f'{_HEAD}<ofd:Res {_NAMES} BaseLoc="Res"><ofd:MultiMedias>{media}</ofd:MultiMedias>'
        "</ofd:Res>"
    )
    if attached:
        annotated += "<ofd:Attachments>Attachs/Attachments.xml</ofd:Attachments>"
        entries = "".join(
            f'<ofd:Attachment ID="{number}" Name="{name}"><ofd:FileLoc>{name}</ofd:FileLoc>'
            "</ofd:Attachment>"
            for number, name in enumerate(attached)
        )
        parts["Doc_0/Attachs/Attachments.xml"] = (
            f"{_HEAD}<ofd:Attachments {_NAMES}>{entries}</ofd:Attachments>"
        )
        parts.update({f"Doc_0/Attachs/{name}": content for name, content in attached.items()})
    parts["Doc_0/Document.xml"] = (
        f"{_HEAD}<ofd:Document {_NAMES}><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>{box}"
        f"</ofd:PhysicalBox></ofd:PageArea><ofd:PublicRes>PublicRes.xml</ofd:PublicRes>"
        f"<ofd:DocumentRes>DocumentRes.xml</ofd:DocumentRes>{used}"
        f"</ofd:CommonData><ofd:Pages>{listed}</ofd:Pages>{annotated}</ofd:Document>"
    )
    return zipped(path, parts)


def _page(objects: Sequence[str], templated: bool) -> str:
    used = '<ofd:Template TemplateID="4" ZOrder="Background"/>' if templated else ""
    return (
        f"{_HEAD}<ofd:Page {_NAMES}>{used}<ofd:Content>"
        f'<ofd:Layer ID="5" Type="Body">{"".join(objects)}</ofd:Layer></ofd:Content></ofd:Page>'
    )
