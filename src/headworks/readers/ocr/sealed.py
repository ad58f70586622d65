"""What a seal itself says: the name that runs around it, the words below its star.

Takes pixels and a seal's box, gives its text; empty where nothing sure can be read. Never reads
what lies under the seal: black ink is taken out first.
"""

import math
import re

import cv2
import numpy as np

from headworks.readers.ocr.base import Pixels, Recognizer
from headworks.readers.pdf.rulings import Rectangle

RADIUS = 170  # pixels to which a seal is brought
RING = (0.5, 0.91)  # shares of the radius between which the name stands
BELOW = (0.2, 0.68)  # and the words below the star
WITHIN = 0.68
INK = 60  # levels by which ink that belongs to a seal is redder than the rest
GAP = 0.5  # of the radius: the name leaves that much free at the foot
LEAST_NAME, LEAST_USE = 4, 2
SURE = 0.7
_WORDS = re.compile("[\u3400-\u9fff（）()A-Za-z0-9·]")


def seal_text(pixels: Pixels, box: Rectangle, recognizer: Recognizer) -> str:
    """Give what a seal says, name first."""
    seal = _alone(pixels, box)
    if seal is None:
        return ""
    name = _name(seal, recognizer)
    if len(name) < LEAST_NAME:
        return ""
    use = _use(seal, recognizer)
    return f"{name} {use}" if len(use) >= LEAST_USE else name


def _alone(pixels: Pixels, box: Rectangle) -> Pixels | None:
    """Give the seal's red ink as dark on white, round and of one size; none where it is cut off."""
    high, wide = pixels.shape[:2]
    x0, y0, x1, y1 = (round(edge) for edge in box)
    part = pixels[max(0, y0) : min(high, y1), max(0, x0) : min(wide, x1)]
    if min(part.shape[:2]) < 8:
        return None
    blue, green, red = (part[:, :, channel].astype(np.int16) for channel in range(3))
    redness = np.clip(red - np.maximum(blue, green), 0, 255)
    top = float(np.percentile(redness[redness > INK // 2], 90)) if (redness > INK).any() else 0.0
    if top < INK:
        return None
    levels = 255 - np.clip(redness.astype(np.float32) * (235 / top), 0, 235)
    size = (2 * RADIUS, 2 * RADIUS)
    return cv2.resize(levels.astype(np.uint8), size, interpolation=cv2.INTER_AREA)


def _name(seal: Pixels, recognizer: Recognizer) -> str:
    """Read the ring, unrolled into a line from the foot around."""
    around = round(2 * math.pi * RADIUS * sum(RING) / 2)
    turned = cv2.warpPolar(
        seal, (RADIUS, around), (RADIUS, RADIUS), RADIUS, cv2.WARP_POLAR_LINEAR | cv2.INTER_LINEAR
    )
    inner, outer = (round(share * RADIUS) for share in RING)
    ring = np.roll(turned, -around // 4, axis=0)[:, inner:outer]
    line = np.ascontiguousarray(ring.T[::-1])
    # Words below the star reach into the ring's inner part, never into its outer one.
    columns = np.flatnonzero((line[: line.shape[0] // 2] < 128).sum(axis=0) >= 2)
    if len(columns) < RADIUS // 3:
        return ""
    pieces = np.split(columns, np.flatnonzero(np.diff(columns) > GAP * RADIUS) + 1)
    longest = max(pieces, key=len)
    margin = RADIUS // 14
    start, end = max(0, int(longest[0]) - margin), int(longest[-1]) + margin
    return _said(line[:, start:end], recognizer)


def _use(seal: Pixels, recognizer: Recognizer) -> str:
    """Read what stands below the middle, without the ring around it."""
    rows, columns = np.ogrid[: 2 * RADIUS, : 2 * RADIUS]
    inside = np.hypot(rows - RADIUS, columns - RADIUS) < WITHIN * RADIUS
    lower = np.where(inside, seal, 255).astype(np.uint8)
    first, last = (RADIUS + round(share * RADIUS) for share in BELOW)
    lower = lower[first:last]
    best = max(_rows(lower), key=lambda span: span[1] - span[0], default=None)
    if best is None or best[1] - best[0] < RADIUS // 12:
        return ""
    margin = RADIUS // 24
    band = lower[max(0, best[0] - margin) : best[1] + margin]
    columns = np.flatnonzero((band < 128).any(axis=0))
    if len(columns) < RADIUS // 6:
        return ""
    return _said(band[:, max(0, columns[0] - margin) : columns[-1] + margin], recognizer)


def _rows(part: Pixels) -> list[tuple[int, int]]:
    """Give the bands of rows that hold ink."""
    filled = np.flatnonzero((part < 128).sum(axis=1) >= 2)
    if not len(filled):
        return []
    bands = np.split(filled, np.flatnonzero(np.diff(filled) > 2) + 1)
    return [(int(band[0]), int(band[-1]) + 1) for band in bands]


def _said(line: Pixels, recognizer: Recognizer) -> str:
    [said] = recognizer.read([np.repeat(line[:, :, None], 3, axis=2)])
    if said.score < SURE:
        return ""
    return "".join(_WORDS.findall(said.text))
