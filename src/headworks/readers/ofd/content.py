"""What stands on an OFD page: characters with their places, straight lines, pictures.

Takes content elements with their transforms, gives values in points from the page's top left
corner. Never groups characters into words: that is ``runs``.
"""

import math
import re
from collections.abc import Iterator, Mapping

import msgspec

from headworks.readers.docx.package import Element
from headworks.readers.ofd.package import MILLIMETRE, child, children, name_of, numbers
from headworks.readers.pdf.rulings import Rectangle, Ruling

Matrix = tuple[float, float, float, float, float, float]
_UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_WIDE = re.compile(
    "[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]"
)
_PATH = re.compile(r"([A-Za-z])|(-?\d*\.?\d+(?:[eE][-+]?\d+)?)")
_NARROW = 0.5  # ems that a letter takes where nothing tells
_BOLD_WEIGHT = 600
_BOLD_NAME = re.compile("bold|black|heavy|黑|粗", re.IGNORECASE)
_THIN = 2.0  # points: a filled oblong no thicker is a line
_SHORT = 4.0
_MAX_DEPTH = 32
_BEYOND = 100_000.0  # points
_MAX_CHARS = 2_000_000
_ARGUMENTS = {"M": 2, "S": 2, "L": 2, "Q": 4, "B": 6, "A": 7, "C": 0}


class Look(msgspec.Struct, frozen=True):
    """How the characters of one object look: ``angle`` in degrees clockwise from upright."""

    size: float
    angle: int
    bold: bool
    font: str
    layer: str
    visible: bool


class Char(msgspec.Struct, frozen=True, gc=False):
    """A character (or a column of them): where its baseline begins, how far it reaches."""

    text: str
    x: float
    base: float
    end: float
    look: Look


class Drawing(msgspec.Struct):
    """All that stands on one page."""

    chars: list[Char] = []
    across: list[Ruling] = []
    down: list[Ruling] = []
    pictures: list[Rectangle] = []
    images: list[str] = []  # the resource of each picture


class Face(msgspec.Struct, frozen=True):
    """A font of the resources."""

    name: str
    bold: bool


class Content:
    """Walks the objects of a page into its drawing."""

    def __init__(self, faces: Mapping[str, Face], composites: Mapping[str, Element]) -> None:
        self._faces = faces
        self._composites = composites

    def take(
        self, holder: Element | None, drawing: Drawing, layer: str, origin: tuple[float, float]
    ) -> None:
        """Take what is in a content element; ``origin`` is the page's corner in millimetres."""
        outer = (MILLIMETRE, 0.0, 0.0, MILLIMETRE, -origin[0] * MILLIMETRE, -origin[1] * MILLIMETRE)
        self._inside(holder, drawing, layer, outer, 0)

    def _inside(
        self, holder: Element | None, drawing: Drawing, layer: str, outer: Matrix, depth: int
    ) -> None:
        if holder is None or depth > _MAX_DEPTH:
            return
        for element in holder:
            kind = name_of(element)
            if kind in ("Layer", "PageBlock", "Content"):
                self._inside(element, drawing, layer, outer, depth + 1)
            elif kind in ("TextObject", "PathObject", "ImageObject", "CompositeObject"):
                matrix = _times(_own(element), outer)
                if kind == "TextObject":
                    self._text(element, drawing, layer, matrix)
                elif kind == "PathObject":
                    _path(element, drawing, matrix)
                elif kind == "ImageObject":
                    _picture(element, drawing, outer)
                else:
                    unit = self._composites.get(element.get("ResourceID") or "")
                    self._inside(unit, drawing, layer, matrix, depth + 1)

    def _text(self, element: Element, drawing: Drawing, layer: str, matrix: Matrix) -> None:
        """Take the characters of a text object; each code goes on where none says where it is."""
        size = (numbers(element.get("Size")) or [3.5])[0]
        look = self._look(element, matrix, size, layer)
        if not 0 < look.size < _BEYOND:
            return
        width = size * ((numbers(element.get("HScale")) or [1.0])[0] or 1.0)
        x = y = 0.0
        for code in children(element, "TextCode"):
            x = (numbers(code.get("X")) or [x])[0]
            y = (numbers(code.get("Y")) or [y])[0]
            text = (code.text or "").strip("\r\n\t")
            if len(drawing.chars) + len(text) > _MAX_CHARS:
                return
            across = _deltas(code.get("DeltaX"), len(text))
            down = _deltas(code.get("DeltaY"), len(text))
            if _runs_down(across, down, size):
                placed = [(text, x, y + sum(down) / 2, size)]
            else:
                placed = list(_placed(text, (x, y), (across, down), width))
            for char, at_x, at_y, reach in placed:
                left, base = _at(matrix, at_x, at_y)
                right, _ = _at(matrix, at_x + reach, at_y)
                if _is_near(left, right, base):
                    drawing.chars.append(Char(char, min(left, right), base, max(left, right), look))

    def _look(self, element: Element, matrix: Matrix, size: float, layer: str) -> Look:
        face = self._faces.get(element.get("Font") or "", Face("", False))
        weight = (numbers(element.get("Weight")) or [400.0])[0]
        return Look(
            size=size * math.hypot(matrix[2], matrix[3]),
            angle=round(math.degrees(math.atan2(matrix[1], matrix[0]))) % 360,
            bold=face.bold or weight >= _BOLD_WEIGHT,
            font=face.name,
            layer=layer,
            visible=element.get("Visible") != "false" and element.get("Alpha") != "0",
        )


def _placed(
    text: str,
    corner: tuple[float, float],
    steps: tuple[list[float], list[float]],
    width: float,
) -> Iterator[tuple[str, float, float, float]]:
    """Give each character with the place of its baseline and its reach; ``width`` is an em's."""
    (x, y), (across, down) = corner, steps
    for index, char in enumerate(text):
        own = width * (1.0 if _WIDE.match(char) else _NARROW)
        step = across[index] if index < len(across) else None
        yield char, x, y, own if step is None or step <= 0 else min(own, step)
        x += step if step is not None else (0.0 if down else own)
        y += down[index] if index < len(down) else 0.0


def _runs_down(steps_x: list[float], steps_y: list[float], size: float) -> bool:
    """Tell whether characters stand one under the other: such a column is read as one word."""
    down = bool(steps_y) and all(step > 0.5 * size for step in steps_y)
    return down and all(abs(step) < 0.3 * size for step in steps_x)


def _is_near(*places: float) -> bool:
    """Tell whether places may lie on a page; what is no number lies nowhere."""
    return all(abs(place) < _BEYOND for place in places)


def _own(element: Element) -> Matrix:
    """Give an object's own transform: its matrix, then its corner's place."""
    corner = [*numbers(element.get("Boundary")), 0.0, 0.0][:2]
    given = numbers(element.get("CTM"))
    a, b, c, d, e, f = tuple(given) if len(given) == 6 else _UNIT
    return (a, b, c, d, e + corner[0], f + corner[1])


def _path(element: Element, drawing: Drawing, matrix: Matrix) -> None:
    """Take the straight lines of a path, and a thin filled oblong as one."""
    data = child(element, "AbbreviatedData")
    if data is None or element.get("Visible") == "false":
        return
    points: list[tuple[float, float]] = []
    lines: list[tuple[tuple[float, float], tuple[float, float]]] = []
    begun = (0.0, 0.0)
    for operator, values in _operations(data.text or ""):
        if operator == "C":
            if points:
                lines.append((points[-1], begun))
            continue
        point = _at(matrix, *values[-2:])
        if operator in "MS":
            begun = point
        elif operator == "L" and points:
            lines.append((points[-1], point))
        points.append(point)
    if not points or not all(_is_near(*point) for point in points):
        return
    box = (
        min(x for x, _ in points), min(y for _, y in points),
        max(x for x, _ in points), max(y for _, y in points),
    )  # fmt: skip
    wide, high = box[2] - box[0], box[3] - box[1]
    if high <= _THIN and wide > _SHORT:
        drawing.across.append(Ruling((box[1] + box[3]) / 2, box[0], box[2]))
    elif wide <= _THIN and high > _SHORT:
        drawing.down.append(Ruling((box[0] + box[2]) / 2, box[1], box[3]))
    else:
        for (x0, y0), (x1, y1) in lines:
            if abs(y1 - y0) <= 0.5 and abs(x1 - x0) > _SHORT:
                drawing.across.append(Ruling((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
            elif abs(x1 - x0) <= 0.5 and abs(y1 - y0) > _SHORT:
                drawing.down.append(Ruling((x0 + x1) / 2, min(y0, y1), max(y0, y1)))


def _operations(data: str) -> list[tuple[str, list[float]]]:
    found: list[tuple[str, list[float]]] = []
    operator, values = "", list[float]()
    for match in _PATH.finditer(data):
        if match[1]:
            operator, values = match[1].upper(), []
            if operator == "C":
                found.append(("C", []))
        elif operator in _ARGUMENTS:
            values.append(float(match[2]))
            if len(values) == _ARGUMENTS[operator]:
                found.append((operator, values))
                values = []
    return found


def _picture(element: Element, drawing: Drawing, outer: Matrix) -> None:
    box = numbers(element.get("Boundary"))
    if len(box) >= 4:
        x0, y0 = _at(outer, box[0], box[1])
        x1, y1 = _at(outer, box[0] + box[2], box[1] + box[3])
        if not _is_near(x0, y0, x1, y1):
            return
        drawing.images.append(element.get("ResourceID") or "")
        drawing.pictures.append((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))


def _deltas(value: str | None, most: int) -> list[float]:
    """Give the steps between characters: ``g 3 2.5`` tells three of 2.5."""
    found: list[float] = []
    words = (value or "").split()
    at = 0
    try:
        while at < len(words) and len(found) < most:
            if words[at].lower() == "g" and at + 2 < len(words):
                found.extend([float(words[at + 2])] * min(most, max(0, int(words[at + 1]))))
                at += 3
            else:
                found.append(float(words[at]))
                at += 1
    except ValueError:
        return found
    return found


def _times(first: Matrix, then: Matrix) -> Matrix:
    a, b, c, d, e, f = first
    g, h, i, j, k, m = then
    return (
        a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j,
        e * g + f * i + k, e * h + f * j + m,
    )  # fmt: skip


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def is_bold(name: str) -> bool:
    """Tell whether a font's name says that it is bold."""
    return _BOLD_NAME.search(name) is not None
