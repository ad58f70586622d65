"""Drawings: pictures, charts, shapes and the text in them.

Takes a ``w:drawing``, ``w:pict`` or ``w:object``, gives what it shows and the text boxes that it
holds, each once. Never reads the pictures' bytes.
"""

import msgspec

from headworks.readers.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    R_EMBED,
    R_ID,
    W_TXBXCONTENT,
    A,
    C,
    O,
    R,
    V,
    number,
)
from headworks.readers.docx.package import Element

_EMU_PER_POINT = 12_700
_A_BLIP, _C_CHART = f"{{{A}}}blip", f"{{{C}}}chart"
_V_IMAGE, _V_TEXTPATH = f"{{{V}}}imagedata", f"{{{V}}}textpath"
_O_OLE, _O_TITLE = f"{{{O}}}OLEObject", f"{{{O}}}title"
_R_LINK, _R_DM = f"{{{R}}}link", f"{{{R}}}dm"


class Picture(msgspec.Struct):
    """A picture, chart or diagram: its relationship, description and size in points.

    ``held`` is the relationship of the object that a picture stands for.
    """

    kind: str
    relation: str | None = None
    alt: str = ""
    width: float | None = None
    height: float | None = None
    held: str | None = None


class Drawing(msgspec.Struct):
    """What one drawing holds: pictures, text boxes (``w:txbxContent``), WordArt."""

    pictures: list[Picture] = []
    boxes: list[Element] = []
    word_art: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.pictures or self.boxes or self.word_art)


def drawing_of(element: Element) -> Drawing:
    """Give what a drawing holds."""
    drawing = Drawing()
    alt, size = _described(element)
    _gather(element, drawing)
    if len(drawing.pictures) == 1:
        picture = drawing.pictures[0]
        picture.alt = picture.alt or alt
        if picture.width is None and size is not None:
            picture.width, picture.height = size
    return drawing


def _described(element: Element) -> tuple[str, tuple[float, float] | None]:
    """Give the description and the size that stand at the drawing's head."""
    alt, size = "", None
    for anchor in element:
        for child in anchor:
            tag = child.tag
            if tag.endswith("}docPr"):
                alt = child.get("descr") or child.get("title") or ""
            elif tag.endswith("}extent"):
                across, down = number(child.get("cx")), number(child.get("cy"))
                if across is not None and down is not None:
                    size = (round(across / _EMU_PER_POINT, 1), round(down / _EMU_PER_POINT, 1))
    return alt, size


def _gather(element: Element, drawing: Drawing) -> None:
    for child in element:
        tag = child.tag
        if tag == W_TXBXCONTENT:
            drawing.boxes.append(child)
        elif tag == MC_ALTERNATE:
            _gather_alternate(child, drawing)
        elif tag == _A_BLIP:
            relation = child.get(R_EMBED) or child.get(_R_LINK)
            if relation:
                drawing.pictures.append(Picture("picture", relation))
        elif tag == _C_CHART:
            drawing.pictures.append(Picture("chart", child.get(R_ID)))
        elif tag.endswith("}relIds"):
            drawing.pictures.append(Picture("diagram", child.get(_R_DM)))
        elif tag == _V_IMAGE:
            alt = child.get(_O_TITLE) or element.get("alt") or ""
            width, height = _style_size(element.get("style") or "")
            drawing.pictures.append(Picture("picture", child.get(R_ID), alt, width, height))
        elif tag == _V_TEXTPATH:
            text = (child.get("string") or "").strip()
            if text:
                drawing.word_art.append(text)
        elif tag == _O_OLE:
            if drawing.pictures:
                drawing.pictures[-1].kind = f"object {child.get('ProgID') or ''}".strip()
                drawing.pictures[-1].held = child.get(R_ID)
        else:
            _gather(child, drawing)


def _gather_alternate(element: Element, drawing: Drawing) -> None:
    for branch in element:
        if branch.tag in (MC_CHOICE, MC_FALLBACK):
            inner = Drawing()
            _gather(branch, inner)
            if inner:
                drawing.pictures += inner.pictures
                drawing.boxes += inner.boxes
                drawing.word_art += inner.word_art
                return


def _style_size(style: str) -> tuple[float | None, float | None]:
    """Give width and height of a VML shape's CSS."""
    sizes: dict[str, float] = {}
    for part in style.split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip().lower(), value.strip().lower()
        if name in ("width", "height") and value.endswith("pt"):
            try:
                sizes[name] = round(float(value[:-2]), 1)
            except ValueError:
                continue
    return sizes.get("width"), sizes.get("height")
