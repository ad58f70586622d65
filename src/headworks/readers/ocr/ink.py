"""Pixels: what is ink, how thick its strokes are, where straight lines and red seals stand.

Takes pictures as arrays, gives masks, measures and rectangles in pixels. Never reads a character.
"""

import cv2
import numpy as np

from headworks.readers.ocr.base import Pixels
from headworks.readers.ocr.seen import Stroke
from headworks.readers.pdf.rulings import Rectangle

WINDOW = 0.25  # inches over which paper is compared with ink
CONTRAST = 15  # levels: what is darker than its surroundings by less is paper
LEAST_RULE = 0.22  # inches: shorter straight strokes belong to characters
THICK_RULE = 0.03  # inches
BESIDE = 0.4  # share of a line's length along which ink may touch it
FAINT = 0.15  # rows with less ink than this share of the fullest are no part of a line's height
RED = 45  # levels by which red ink is redder than green and blue
LEAST_SEAL, LARGEST_SEAL = 0.6, 2.4  # inches
ROUND = 0.65  # share of directions in which a seal's rim is met
SPOKES = 36
PAPER = 160


def mask_of(pixels: Pixels, dpi: float) -> Pixels:
    """Give 255 where ink is, 0 elsewhere, whatever the shade of the paper."""
    window = max(15, round(WINDOW * dpi)) | 1
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    return cv2.adaptiveThreshold(
        grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, CONTRAST
    )


def share(mask: Pixels) -> float:
    """Give the share of the pixels that are ink; specks of a scanner's glass are none."""
    solid = cv2.erode(mask, np.ones((2, 2), np.uint8))
    return float(np.count_nonzero(solid) / max(1, mask.size))


def is_light(pixels: Pixels) -> bool:
    """Tell whether a picture is paper for the most part."""
    return bool(np.median(pixels) > PAPER)


def extent(mask: Pixels) -> tuple[int, int, int, int] | None:
    """Give the columns between which a line's ink lies, and the rows where most of it does."""
    columns = np.flatnonzero(np.count_nonzero(mask, axis=0) >= 2)
    counts = np.count_nonzero(mask, axis=1)
    rows = np.flatnonzero(counts > FAINT * counts.max(initial=0))
    if not len(columns) or not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def stroke(mask: Pixels) -> float:
    """Give how thick the strokes are, in pixels: the mean way from ink to paper, four times."""
    if not mask.any():
        return 0.0
    ways = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    return 4.0 * float(ways[mask > 0].mean())


def straight_lines(mask: Pixels, dpi: float) -> tuple[list[Stroke], list[Stroke]]:
    """Give the straight lines across and down, and take their ink out of the mask."""
    across, theirs = _strokes(mask, dpi)
    down, others = _strokes(np.ascontiguousarray(mask.T), dpi)
    mask[(theirs > 0) | (others.T > 0)] = 0
    return across, down


def _strokes(mask: Pixels, dpi: float) -> tuple[list[Stroke], Pixels]:
    """Give the lines across and a mask of their ink."""
    length = max(12, round(LEAST_RULE * dpi))
    thick = max(2, round(THICK_RULE * dpi))
    # A scan's lines waver by a pixel and have holes: thicken them down, close them along.
    wavering = cv2.dilate(mask, np.ones((3, 1), np.uint8))
    closed = cv2.morphologyEx(wavering, cv2.MORPH_CLOSE, np.ones((1, 5), np.uint8))
    long = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((1, length), np.uint8))
    count, labels, stats, centres = cv2.connectedComponentsWithStats(long, connectivity=8)
    found: list[Stroke] = []
    theirs = np.zeros_like(mask)
    for index in range(1, count):
        x, y, wide, high, area = (int(value) for value in stats[index])
        if area / wide > thick + 2 or high > 2 * thick + 2 + wide // 100:
            continue
        if _is_alone(mask, (x, y, wide, high), thick):
            found.append((float(centres[index][1]), float(x), float(x + wide)))
            part = labels[y : y + high, x : x + wide] == index
            theirs[y : y + high, x : x + wide][part] = 255
    return found, theirs


def _is_alone(mask: Pixels, box: tuple[int, int, int, int], thick: int) -> bool:
    """Tell whether there is paper along both sides: a row of characters has ink there."""
    x, y, wide, high = box
    for rows in (
        slice(max(0, y - thick), max(0, y - 1)),
        slice(y + high + 1, y + high + thick),
    ):
        beside = mask[rows, x : x + wide]
        if beside.size and np.count_nonzero(beside.any(axis=0)) > BESIDE * wide:
            return False
    return True


def red_mask(pixels: Pixels) -> Pixels:
    """Give 255 where ink is red."""
    blue, green, red = (pixels[:, :, channel].astype(np.int16) for channel in range(3))
    return ((red - np.maximum(green, blue) > RED) * 255).astype(np.uint8)


def seals(red: Pixels, dpi: float) -> list[Rectangle]:
    """Give the boxes of seals: red, round or square, with a rim; red text is none."""
    if np.count_nonzero(red) < (0.1 * dpi) ** 2:
        return []
    shrink = max(1, round(dpi / 50))  # an eightieth of an inch is enough to see a rim
    small = cv2.resize(red, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    small = ((small > 40) * 255).astype(np.uint8)
    reach = max(3, round(0.08 * dpi / shrink)) | 1
    joined = cv2.morphologyEx(small, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    found = []
    for index in range(1, count):
        x, y, wide, high, _ = (int(value) for value in stats[index])
        inches = dpi / shrink
        if not (LEAST_SEAL <= wide / inches <= LARGEST_SEAL and 0.7 <= wide / high <= 1.45):
            continue
        part = (labels[y : y + high, x : x + wide] == index) & (
            small[y : y + high, x : x + wide] > 0
        )
        if _has_rim(part):
            found.append((x * shrink, y * shrink, (x + wide) * shrink, (y + high) * shrink))
    return [(float(a), float(b), float(c), float(d)) for a, b, c, d in found]


def _has_rim(part: Pixels) -> bool:
    """Tell whether red is met near the edge in most directions, and paper within."""
    high, wide = part.shape
    rows, columns = np.nonzero(part)
    down, over = (rows - high / 2) / (high / 2), (columns - wide / 2) / (wide / 2)
    spoke = ((np.arctan2(down, over) + np.pi) / (2 * np.pi) * SPOKES).astype(int) % SPOKES
    far = np.zeros(SPOKES)
    np.maximum.at(far, spoke, np.hypot(down, over))
    filled = np.count_nonzero(part) / part.size
    return bool(np.mean(far > 0.85) >= ROUND and filled < 0.6)


def without_red(pixels: Pixels, boxes: list[Rectangle]) -> Pixels:
    """Give the picture with the red ink in the boxes made paper, black ink under it kept."""
    cleaned = pixels.copy()
    for x0, y0, x1, y1 in boxes:
        area = cleaned[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1]
        # Red ink is as light as paper in the red channel; what is dark there is black.
        channel = area[:, :, 2].astype(np.float32)
        paper = max(1.0, float(np.percentile(channel, 90)))
        stretched = np.clip((channel / paper - 0.35) / 0.4, 0.0, 1.0) * 255
        area[:] = stretched.astype(np.uint8)[:, :, None]
    return cleaned


def without_lighter(pixels: Pixels, level: float) -> Pixels:
    """Give the picture with all that is lighter than a level made paper."""
    cleaned = pixels.copy()
    cleaned[cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY) > level] = 255
    return cleaned


def darkness(pixels: Pixels, mask: Pixels, boxes: list[Rectangle]) -> float | None:
    """Give the usual level of the ink in some boxes."""
    levels = []
    for x0, y0, x1, y1 in boxes:
        rows, columns = slice(int(y0), int(y1) + 1), slice(int(x0), int(x1) + 1)
        ink = pixels[rows, columns].min(axis=2)[mask[rows, columns] > 0]
        if len(ink):
            levels.append(float(np.percentile(ink, 30)))
    return float(np.median(levels)) if levels else None


def rotated(pixels: Pixels, degrees: float) -> Pixels:
    """Give the picture turned counterclockwise about its middle, in its old size."""
    high, wide = pixels.shape[:2]
    matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
    return cv2.warpAffine(
        pixels, matrix, (wide, high), flags=cv2.INTER_CUBIC, borderValue=(255, 255, 255)
    )


def quarter_turned(pixels: Pixels, turns: int) -> Pixels:
    """Give the picture turned counterclockwise by quarters."""
    return np.ascontiguousarray(np.rot90(pixels, turns)) if turns % 4 else pixels


def scaled(pixels: Pixels, factor: float) -> Pixels:
    """Give the picture in another size."""
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=way)


def squared(pixels: Pixels, side: int) -> Pixels:
    """Give the picture in the middle of a white square."""
    high, wide = pixels.shape[:2]
    top, left = (side - high) // 2, (side - wide) // 2
    return cv2.copyMakeBorder(
        pixels, top, side - high - top, left, side - wide - left, cv2.BORDER_CONSTANT,
        value=(255, 255, 255),
    )  # fmt: skip
