"""One picture read: turned upright, straightened, cleaned of seals and watermarks, recognised.

Takes pixels and an engine, gives lines with boxes and scores in the coordinates of the upright
picture. Never joins lines, never writes a block.
"""

import math
from collections.abc import Sequence
from statistics import median

import msgspec

from headworks.readers.ocr import ink
from headworks.readers.ocr.base import Pixels, Quad, Recognizer, Said
from headworks.readers.ocr.sealed import seal_text
from headworks.readers.ocr.seen import Scan, SeenLine
from headworks.readers.pdf.rulings import Rectangle

FIND_DPI = 82.0  # lines are found in a picture of this resolution: A4 has 960 rows
SMALL_TEXT = 11.0  # pixels of a line's height there: finer print needs a larger picture
LARGER = 1.6
LONGEST_SIDE = 1600.0
MOST_ENLARGED = 2.0
LEAST_SKEW = 0.15  # degrees
SLANTED = 6.0  # degrees from the page's own direction: a watermark
TALL = 1.6
SAMPLES = 5
POOR = 0.8  # a page whose mean score is below this may stand on its head
SURE = 0.9  # a line below this near a seal is read again without the red ink
UNREADABLE = 0.4
BLANK = 0.0004  # share of a page's pixels: two words have more ink
LEAST_CONTRAST = 40.0


def scan(pixels: Pixels, recognizer: Recognizer, dpi: float) -> Scan:
    """Read a picture of so many dots an inch."""
    turn = 0
    quads = _find(recognizer, pixels, dpi)
    if _is_on_its_side(quads):
        pixels, turn = ink.quarter_turned(pixels, 1), 90
        quads = _find(recognizer, pixels, dpi)
        if _is_upside_down(recognizer, pixels, quads):
            pixels, quads, turn = *_half_turned(pixels, quads), 270
    skew = _skew(quads)
    if abs(skew) >= LEAST_SKEW:
        pixels, quads = ink.rotated(pixels, skew), _rotated(quads, skew, pixels)
    else:
        skew = 0.0
    found = _read(pixels, quads, recognizer, dpi)
    poor = turn == 0 and _mean_score(found.lines) < POOR
    if poor and _is_upside_down(recognizer, pixels, quads):
        pixels, quads = _half_turned(pixels, quads)
        turn, found = 180, _read(pixels, quads, recognizer, dpi)
    return msgspec.structs.replace(found, turn=turn, skew=skew)


def _find(recognizer: Recognizer, pixels: Pixels, dpi: float) -> list[Quad]:
    """Give the lines' corners, found in a picture of a size that suits the engine."""
    longest = max(pixels.shape[:2])
    factor = min(FIND_DPI / dpi, LONGEST_SIDE / longest, 1.0)
    quads = _found_at(recognizer, pixels, factor)
    if quads and median(_height(quad) for quad in quads) * factor < SMALL_TEXT:
        larger = min(LARGER * factor, LONGEST_SIDE / longest, MOST_ENLARGED)
        if larger > 1.1 * factor:
            quads = _found_at(recognizer, pixels, larger)
    return quads


def _found_at(recognizer: Recognizer, pixels: Pixels, factor: float) -> list[Quad]:
    small = ink.scaled(pixels, factor) if factor != 1 else pixels
    across, down = pixels.shape[1] / small.shape[1], pixels.shape[0] / small.shape[0]
    return [_mapped(quad, across, down) for quad in recognizer.find(small)]


def _mapped(quad: Quad, across: float, down: float) -> Quad:
    a, b, c, d = ((x * across, y * down) for x, y in quad)
    return a, b, c, d


def _width(quad: Quad) -> float:
    (ax, ay), (bx, by), _, _ = quad
    return math.hypot(bx - ax, by - ay)


def _height(quad: Quad) -> float:
    (ax, ay), _, _, (dx, dy) = quad
    return math.hypot(dx - ax, dy - ay)


def _angle(quad: Quad) -> float:
    """Give a line's direction in degrees clockwise."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return math.degrees(math.atan2(by + cy - ay - dy, bx + cx - ax - dx))


def _is_on_its_side(quads: list[Quad]) -> bool:
    """Tell whether most lines run up or down the picture."""
    tall = sum(_height(quad) for quad in quads if _height(quad) > TALL * _width(quad))
    wide = sum(_width(quad) for quad in quads if _width(quad) > TALL * _height(quad))
    return tall > wide


def _is_upside_down(recognizer: Recognizer, pixels: Pixels, quads: list[Quad]) -> bool:
    """Tell by a few long lines, read both ways."""
    longest = sorted(quads, key=_width, reverse=True)[:SAMPLES]
    crops = [_crop(pixels, _hull(quad)) for quad in longest]
    upright = recognizer.read(crops)
    turned = recognizer.read([ink.quarter_turned(crop, 2) for crop in crops])
    return _weight(turned) > 1.15 * _weight(upright)


def _weight(said: Sequence[Said]) -> float:
    return sum(line.score**2 * len(line.text) for line in said)


def _half_turned(pixels: Pixels, quads: list[Quad]) -> tuple[Pixels, list[Quad]]:
    high, wide = pixels.shape[:2]
    turned: list[Quad] = []
    for quad in quads:
        a, b, c, d = ((wide - x, high - y) for x, y in quad)
        turned.append((c, d, a, b))
    return ink.quarter_turned(pixels, 2), turned


def _skew(quads: list[Quad]) -> float:
    """Give the direction of most lines: each weighs as it is long."""
    angles = sorted((_angle(quad), _width(quad)) for quad in quads if _is_long(quad))
    half, passed = sum(width for _, width in angles) / 2, 0.0
    for angle, width in angles:
        passed += width
        if passed >= half:
            return angle
    return 0.0


def _is_long(quad: Quad) -> bool:
    return _width(quad) > 4 * _height(quad) and abs(_angle(quad)) < 40


def _rotated(quads: list[Quad], degrees: float, pixels: Pixels) -> list[Quad]:
    """Give the corners in the picture that was turned counterclockwise."""
    high, wide = pixels.shape[:2]
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned: list[Quad] = []
    for quad in quads:
        a, b, c, d = (
            (
                wide / 2 + cosine * (x - wide / 2) + sine * (y - high / 2),
                high / 2 - sine * (x - wide / 2) + cosine * (y - high / 2),
            )
            for x, y in quad
        )
        turned.append((a, b, c, d))
    return turned


def _read(pixels: Pixels, quads: list[Quad], recognizer: Recognizer, dpi: float) -> Scan:
    """Read an upright picture."""
    high, wide = pixels.shape[:2]
    seals = ink.seals(ink.red_mask(pixels), dpi)
    cleaned = pixels
    if seals:  # lines under a seal are found where its ink is gone
        cleaned = ink.without_red(pixels, seals)
        quads = _find(recognizer, cleaned, dpi)
    mask = ink.mask_of(cleaned, dpi)
    blank = ink.share(mask) < BLANK and ink.is_light(pixels)
    slanted = [quad for quad in quads if _is_slanted(quad)]
    upright = [quad for quad in quads if not _is_slanted(quad)]
    marks = _slanted_lines(pixels, slanted, recognizer) if slanted else []
    level = _level_between(cleaned, mask, upright, slanted) if slanted else None
    if level is not None:
        cleaned = ink.without_lighter(cleaned, level)
        mask = ink.mask_of(cleaned, dpi)
        upright = [q for q in _find(recognizer, cleaned, dpi) if not _is_slanted(q)]
    across, down = ink.straight_lines(mask, dpi)
    lines = _lines(cleaned, mask, upright, recognizer)
    kept = [_over(line, seals) for line in lines if line.score >= UNREADABLE]
    return Scan(
        float(wide), float(high), lines=kept, slanted=marks, across=across, down=down,
        seals=seals, seal_texts=[seal_text(pixels, seal, recognizer) for seal in seals],
        blank=blank, unread=sum(line.score < UNREADABLE for line in lines),
    )  # fmt: skip


def _is_slanted(quad: Quad) -> bool:
    return _width(quad) > 2.5 * _height(quad) and SLANTED < abs(_angle(quad)) < 84


def _lines(
    pixels: Pixels, mask: Pixels, quads: list[Quad], recognizer: Recognizer
) -> list[SeenLine]:
    boxes = [_hull(quad) for quad in quads]
    crops = [_crop(pixels, box) for box in boxes]
    said = recognizer.read([_upright(crop) for crop in crops])
    found = []
    for box, crop, line in zip(boxes, crops, said, strict=True):
        if _is_tall(crop):
            found.append(_stacked(crop, box, line, recognizer))
        else:
            found.append(_measured(mask, box, line))
    return [line for line in found if line.text.strip()]


def _is_tall(crop: Pixels) -> bool:
    high, wide = crop.shape[:2]
    return bool(high > TALL * wide)


def _upright(crop: Pixels) -> Pixels:
    return ink.quarter_turned(crop, 1) if _is_tall(crop) else crop


def _stacked(crop: Pixels, box: Rectangle, sideways: Said, recognizer: Recognizer) -> SeenLine:
    """Read a column: characters one below the other, or a line set sideways either way."""
    high, wide = crop.shape[:2]
    count = max(2, round(high / wide))
    pieces = [crop[high * n // count : high * (n + 1) // count] for n in range(count)]
    each = recognizer.read(pieces)
    down = Said("".join(s.text for s in each), sum(s.score for s in each) / count)
    [other] = recognizer.read([ink.quarter_turned(crop, 3)])
    best = max((sideways, down, other), key=lambda said: said.score * (len(said.text) > 0))
    return SeenLine(best.text, best.score, box, (), box[3], float(wide), 0.0)


def _measured(mask: Pixels, box: Rectangle, said: Said) -> SeenLine:
    """Give a line with its ink measured."""
    x0, y0, x1, y1 = box
    part = _crop(mask, box)
    left, top, right, bottom = ink.extent(part) or (0, 0, part.shape[1], part.shape[0])
    centres = tuple(x0 + share * (x1 - x0) for share in said.centres)
    tight = (x0 + left, y0, x0 + right, y1)
    foot = max(0.0, math.floor(y0)) + bottom
    return SeenLine(
        said.text, said.score, tight, centres, foot, float(bottom - top),
        ink.stroke(part[top:bottom, left:right]),
    )  # fmt: skip


def _slanted_lines(pixels: Pixels, quads: list[Quad], recognizer: Recognizer) -> list[SeenLine]:
    """Read what runs aslant: each with the picture turned to it."""
    crops, boxes = [], []
    for quad in quads:
        angle = _angle(quad)
        x0, y0, x1, y1 = _hull(quad)
        around = _crop(pixels, (x0, y0, x1, y1))
        high, wide = around.shape[:2]
        side = max(high, wide)
        square = ink.squared(around, side)
        turned = ink.rotated(square, angle)
        half_wide, half_high = _width(quad) / 2, _height(quad) / 2
        middle = side / 2
        inner = (middle - half_wide, middle - half_high, middle + half_wide, middle + half_high)
        crops.append(_crop(turned, inner))
        boxes.append((x0, y0, x1, y1))
    said = recognizer.read(crops)
    return [
        SeenLine(line.text, line.score, box, foot=box[3], high=_height(quad),
                 slant=_angle(quad))
        for line, box, quad in zip(said, boxes, quads, strict=True)
        if line.text.strip() and line.score >= UNREADABLE
    ]  # fmt: skip


def _level_between(
    pixels: Pixels, mask: Pixels, upright: list[Quad], slanted: list[Quad]
) -> float | None:
    """Give the level that parts a pale watermark from the text, or none where none does."""
    text = ink.darkness(pixels, mask, [_hull(quad) for quad in upright])
    mark = ink.darkness(pixels, mask, [_hull(quad) for quad in slanted])
    if text is None or mark is None or mark - text < LEAST_CONTRAST:
        return None
    return (text + mark) / 2


def _over(line: SeenLine, seals: list[Rectangle]) -> SeenLine:
    """Give the line, marked where a seal lies over it."""
    x0, y0, x1, y1 = line.box
    for a, b, c, d in seals:
        if min(x1, c) - max(x0, a) > 0.2 * (y1 - y0) and b < (y0 + y1) / 2 < d:
            return msgspec.structs.replace(line, covered=True)
    return line


def _mean_score(lines: list[SeenLine]) -> float:
    chars = sum(len(line.text) for line in lines)
    return sum(line.score * len(line.text) for line in lines) / chars if chars else 0.0


def _hull(quad: Quad) -> Rectangle:
    xs, ys = [x for x, _ in quad], [y for _, y in quad]
    return min(xs), min(ys), max(xs), max(ys)


def _crop(pixels: Pixels, box: Rectangle) -> Pixels:
    high, wide = pixels.shape[:2]
    x0, y0 = max(0, math.floor(box[0])), max(0, math.floor(box[1]))
    x1, y1 = min(wide, math.ceil(box[2])), min(high, math.ceil(box[3]))
    return pixels[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
