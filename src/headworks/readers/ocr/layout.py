"""Recognised lines as the fragments that PDF pages are made of, so that one layout serves both.

Takes scans with their scale, gives fragments, tables and furniture's values in points: sizes from
the characters' widths, weight from the strokes. Never decides what is a paragraph.
"""

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

import msgspec

from headworks.model.numerals import CHINESE_NUMERALS
from headworks.readers.ocr.seen import Scan, SeenLine
from headworks.readers.pdf import grids, tables
from headworks.readers.pdf.aligned import aligned
from headworks.readers.pdf.glyphs import WIDE
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.rulings import Rectangle, Ruling, merged
from headworks.readers.pdf.tables import PageTable

INK_HEIGHT = 0.925  # of a Han character's square
DIGIT_HEIGHT = 0.8
BELOW_BASE = 0.08  # ems by which Han characters reach below the base
CLOSE = 0.05  # sizes nearer than this, relatively, are one size
SPACE = 0.7  # ems of white that a space stands for
NARROW_SPACE = 0.15
CUT = 1.8  # ems of white that part two fields, cells or columns
HEAVY = 1.3  # times the usual thickness of strokes
LEAST_HEAVY_CHARS = 2

Wall = tuple[float, float, float]  # x, upper and lower end

_WIDE_CHAR = re.compile(f"[{WIDE}]")
_LABEL = re.compile(f"第[{CHINESE_NUMERALS}\\d]{{1,5}}[编章节条]")
_HALF = re.compile("[!-~]")
_NARROW = str.maketrans("(),:;?!", "（），：；？！")
_MARKED = re.compile(f"[{WIDE}] ?[(),:;?!]|[(),:;?!] ?[{WIDE}]")
_THOUSANDS = re.compile("\\d,\\d{3}|\\d:\\d")


class Piece(msgspec.Struct, frozen=True):
    """A stretch of a recognised line without wide white, in points."""

    text: str
    x0: float
    x1: float
    line: SeenLine
    size: float


class Read(msgspec.Struct, frozen=True):
    """A picture's content in points of the upright page."""

    fragments: list[Fragment]
    tables: list[PageTable]
    slanted: list[Fragment]
    seals: list[tuple[Rectangle, str]]


def placed(scans: Sequence[tuple[int, Scan, float]]) -> list[Read]:
    """Give the content of a document's pictures: page, scan and points a pixel of each."""
    ruled = [_grids(scan, scale) for _, scan, scale in scans]
    pieces = [
        _pieces(scan, scale, _walls(found, scale))
        for (_, scan, scale), found in zip(scans, ruled, strict=True)
    ]
    sizes = _sizes([piece for found in pieces for piece in found])
    usual = _usual_stroke([piece for found in pieces for piece in found])
    read = []
    for (page, scan, scale), pieces_of_page, found in zip(scans, pieces, ruled, strict=True):
        parts = [_fragment(piece, page, sizes, usual, scale) for piece in pieces_of_page]
        read.append(_page(parts, found, page, scan, scale))
    return read


def _page(
    parts: list[Fragment], found: list[grids.Grid], page: int, scan: Scan, scale: float
) -> Read:
    filled, flow = tables.fill(page, _whole, found, parts) if found else ([], parts)
    spaced, flow = aligned(page, flow)
    slanted = [_slanted(line, page, scale) for line in scan.slanted]
    texts = scan.seal_texts or [""] * len(scan.seals)
    seals = [
        ((box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale), text)
        for box, text in zip(scan.seals, texts, strict=True)
    ]
    return Read(flow, [*filled, *spaced], slanted, seals)


def _whole(fragment: Fragment, _: Sequence[float]) -> list[Fragment]:
    return [fragment]


def _rulings(strokes: Sequence[tuple[float, float, float]], scale: float) -> list[Ruling]:
    return merged([Ruling(at * scale, start * scale, end * scale) for at, start, end in strokes])


def _grids(scan: Scan, scale: float) -> list[grids.Grid]:
    return grids.grids(_rulings(scan.across, scale), _rulings(scan.down, scale))


def _walls(found: Sequence[grids.Grid], scale: float) -> list[Wall]:
    """Give the upright edges of cells in pixels."""
    boxes = [slot.box for grid in found for slot in grid.slots]
    return [(x / scale, y0 / scale, y1 / scale) for x0, y0, x1, y1 in boxes for x in (x0, x1)]


def _pieces(scan: Scan, scale: float, walls: Sequence[Wall]) -> list[Piece]:
    """Give a scan's lines cut at wide white and at the walls of tables."""
    found = []
    for line in scan.lines:
        size = _size(line)
        for first, last, text in _stretches(line, size, walls):
            x0 = line.box[0] if first == 0 else line.centres[first] - size / 2
            x1 = line.box[2] if last < 0 else line.centres[last] + size / 2
            found.append(Piece(text, x0 * scale, x1 * scale, line, size * scale))
    return found


def _size(line: SeenLine) -> float:
    """Give a line's size in pixels, from its width where its characters fill it evenly."""
    x0, _, x1, _ = line.box
    by_height = line.high / INK_HEIGHT
    wide = len(_WIDE_CHAR.findall(line.text))
    if not wide:
        return line.high / DIGIT_HEIGHT
    by_width = (x1 - x0) / _ems(as_printed(line.text))
    return by_width if abs(by_width - by_height) < 0.12 * by_height else by_height


def _ems(text: str) -> float:
    halves = len(_HALF.findall(text)) + text.count(" ")
    ems = len(text) - 0.5 * halves
    # Ink of a mark at the end fills half of its square.
    return max(1.0, ems - (0.5 if text[-1] in "。，、；：！？）》】”" else 0.06))


def _stretches(line: SeenLine, size: float, walls: Sequence[Wall]) -> list[tuple[int, int, str]]:
    """Give the first and last character (-1: the line's end) and the text of each stretch."""
    text = as_printed(line.text.strip())
    shown = [index for index, char in enumerate(text) if not char.isspace()]
    centres = line.centres
    if len(centres) != len(shown) or len(shown) < 2:
        return [(0, -1, text)]
    gaps = _gaps([text[index] for index in shown], centres, size)
    even = min(gaps) > SPACE / 2 * size  # letters set wide apart
    height = line.foot - line.high / 2
    found, first, begin = [], 0, 0
    spaced: list[str] = []
    for place, gap in enumerate(gaps):
        left, right = centres[place], centres[place + 1]
        walled = any(left < at < right and start < height < end for at, start, end in walls)
        if walled or (gap > CUT * size and not even):
            found.append((first, place, "".join(spaced) + text[begin : shown[place] + 1]))
            first, begin, spaced = place + 1, shown[place + 1], []
        elif gap > _space(text, shown[place]) * size and (
            not even and _may_be_parted(text, shown, place)
        ):
            spaced.append(text[begin : shown[place] + 1] + " ")
            begin = shown[place + 1]
    found.append((first, -1, "".join(spaced) + text[begin:]))
    return found


def _space(text: str, index: int) -> float:
    """Give the ems of white that a space stands for; behind 第一条 a narrow one is typed."""
    return NARROW_SPACE if _LABEL.fullmatch(text, 0, index + 1) else SPACE


def _may_be_parted(text: str, shown: Sequence[int], place: int) -> bool:
    """Tell whether a space may follow a character: there is none yet, and no blank to fill in."""
    before, after = shown[place], shown[place + 1]
    return after == before + 1 and "_" not in text[before : after + 1]


def _gaps(chars: Sequence[str], centres: Sequence[float], size: float) -> list[float]:
    """Give the white between each two characters."""
    half = [(0.25 if _HALF.match(char) else 0.5) * size for char in chars]
    return [
        centres[index + 1] - centres[index] - half[index] - half[index + 1]
        for index in range(len(chars) - 1)
    ]


def as_printed(text: str) -> str:
    """Give the text with marks between Han characters in full width: engines mix both."""
    if _WIDE_CHAR.search(text) is None or _MARKED.search(text) is None:
        return text
    chars = list(text)
    for index, char in enumerate(chars):
        if char not in "(),:;?!" or _THOUSANDS.match(text, index - 1):
            continue
        before, after = text[index - 1 : index], text[index + 1 : index + 2]
        if _WIDE_CHAR.match(before) or _WIDE_CHAR.match(after) or not (before and after):
            chars[index] = char.translate(_NARROW)
    return "".join(chars)


def _sizes(pieces: Sequence[Piece]) -> dict[int, float]:
    """Give for each size, in tenths of a point, the one it belongs to: scans blur them."""
    counts: Counter[int] = Counter()
    for piece in pieces:
        counts[round(piece.size * 10)] += len(piece.text)
    left, levels = dict(counts), {}
    while left:
        best = max(left, key=lambda size: (_near(left, size), left[size], -size))
        members = [size for size in left if abs(size - best) <= CLOSE * best]
        weight = sum(left[size] for size in members)
        level = round(sum(size * left[size] for size in members) / weight / 10, 1)
        for size in members:
            levels[size] = level
            del left[size]
    return levels


def _near(counts: dict[int, int], size: int) -> int:
    return sum(count for other, count in counts.items() if abs(other - size) <= CLOSE * size)


def _usual_stroke(pieces: Sequence[Piece]) -> float:
    """Give the usual thickness of strokes, as a share of the size."""
    shares = [
        piece.line.stroke / piece.line.high
        for piece in pieces
        if piece.line.stroke and piece.line.high and len(piece.text) >= LEAST_HEAVY_CHARS
    ]
    return median(shares) if shares else 0.0


def _fragment(
    piece: Piece, page: int, sizes: dict[int, float], usual: float, scale: float
) -> Fragment:
    line = piece.line
    size = sizes[round(piece.size * 10)]
    base = line.foot * scale
    if _WIDE_CHAR.search(line.text):
        base -= BELOW_BASE * size
    share = line.stroke / line.high if line.high else 0.0
    bold = usual > 0 and share > HEAVY * usual and len(piece.text) >= LEAST_HEAVY_CHARS
    return Fragment(
        piece.text, page, piece.x0, base - 0.88 * size, piece.x1, base + 0.14 * size, base, size,
        "", bold, bold, 0, 0, 0, start=piece.x0, reach=piece.x1, score=line.score,
    )  # fmt: skip


def _slanted(line: SeenLine, page: int, scale: float) -> Fragment:
    x0, y0, x1, y1 = (edge * scale for edge in line.box)
    size = line.high * scale
    return Fragment(
        line.text, page, x0, y0, x1, y1, y1, size, "", False, False, 0, 0, 0,
        angle=round(line.slant) % 360, start=x0, reach=x1, score=line.score,
    )  # fmt: skip
