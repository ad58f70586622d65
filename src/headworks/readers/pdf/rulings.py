"""The straight lines drawn on a page, and where its pictures stand.

Takes an open page, gives rulings across and down, merged where they touch, and pictures.
Never reads text.
"""

import ctypes
from collections.abc import Iterator

import msgspec

from headworks.readers.pdf import native

Rectangle = tuple[float, float, float, float]

THIN = 2.5  # points: a filled rectangle no thicker than this is a line
SHORT = 4.0  # points: shorter ones are corners and dots
MANY_PATHS = 6_000  # a page with more of them is a drawing
MANY_SEGMENTS = 4_000
PAPER = 235  # a fill with all colours above this is as good as white
CLIPPED = 14.0  # points: an oblong no thicker may be a line in a wider area, cut by its clipping
SNAP = 2.0
REACH = 3.0

_x, _y = ctypes.c_float(), ctypes.c_float()
_X, _Y = ctypes.addressof(_x), ctypes.addressof(_y)
_fill, _stroke = ctypes.c_int(), ctypes.c_int()
_FILL, _STROKE = ctypes.addressof(_fill), ctypes.addressof(_stroke)
_matrix = (ctypes.c_float * 6)()
_MATRIX = ctypes.addressof(_matrix)

_MOVE, _LINE = 2, 0
Matrix = tuple[float, float, float, float, float, float]
_UNIT: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """A straight line: ``at`` its y (or x), from ``start`` to ``end`` along the other axis."""

    at: float
    start: float
    end: float


class Drawn(msgspec.Struct, frozen=True):
    """What is drawn on a page beside its text."""

    across: list[Ruling]
    down: list[Ruling]
    pictures: list[Rectangle]
    paths: int = 0
    shades: list[Rectangle] = []  # areas filled with a colour


def drawn(page: native.OpenPage) -> Drawn:
    """Give the page's rulings and pictures."""
    across: list[Ruling] = []
    down: list[Ruling] = []
    pictures: list[Rectangle] = []
    shades: list[Rectangle] = []
    paths = 0
    for handle, kind, matrix in _objects(page):
        box = _bounds(page, handle, matrix)
        if kind == native.OBJECT_IMAGE:
            pictures.append(box)
            continue
        paths += 1
        if paths > MANY_PATHS:
            return Drawn([], [], pictures, paths)
        if box[3] - box[1] > THIN and box[2] - box[0] > THIN and _is_shade(handle):
            shades.append(box)
        _take(page, handle, box, matrix, (across, down))
    return Drawn(merged(across), merged(down), pictures, paths, shades)


def _is_shade(handle: int) -> bool:
    native.path_mode(handle, _FILL, _STROKE)
    if not _fill.value:
        return False
    red, green, blue, opacity = native.paint(handle)
    return opacity > 0 and min(red, green, blue) < PAPER


def _objects(page: native.OpenPage) -> Iterator[tuple[int, int, Matrix]]:
    """Give paths and images, also those inside forms (two levels deep)."""
    get_object, object_type, handle = native.get_object, native.object_type, page.handle
    for index in range(native.count_objects(handle)):
        found = get_object(handle, index)
        kind = object_type(found)
        if kind in (native.OBJECT_PATH, native.OBJECT_IMAGE):
            yield found, kind, _UNIT
        elif kind == native.OBJECT_FORM:
            yield from _form_objects(found, _UNIT, 1)


def _form_objects(form: int, outer: Matrix, depth: int) -> Iterator[tuple[int, int, Matrix]]:
    matrix = _times(_matrix_of(form), outer)
    for index in range(max(0, native.form_count(form))):
        found = native.form_object(form, index)
        kind = native.object_type(found)
        if kind in (native.OBJECT_PATH, native.OBJECT_IMAGE):
            yield found, kind, matrix
        elif kind == native.OBJECT_FORM and depth < 3:
            yield from _form_objects(found, matrix, depth + 1)


def _matrix_of(handle: int) -> Matrix:
    if not native.object_matrix(handle, _MATRIX):
        return _UNIT
    a, b, c, d, e, f = _matrix
    return a, b, c, d, e, f


def _times(first: Matrix, then: Matrix) -> Matrix:
    if then == _UNIT:
        return first
    a, b, c, d, e, f = first
    p, q, r, s, t, u = then
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def _bounds(page: native.OpenPage, handle: int, matrix: Matrix) -> Rectangle:
    if matrix is _UNIT:
        return native.bounds(page, handle)
    left, bottom, right, top = native.raw_bounds(handle)
    corners = [
        _at(matrix, x, y) for x, y in ((left, bottom), (right, top), (left, top), (right, bottom))
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return page.frame.box(min(xs), min(ys), max(xs), max(ys))


def _at(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _take(
    page: native.OpenPage,
    handle: int,
    box: Rectangle,
    matrix: Matrix,
    lines: tuple[list[Ruling], list[Ruling]],
) -> None:
    """Add a path's straight lines to those across and down."""
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    across, down = lines
    if high <= THIN:
        if wide >= SHORT:
            across.append(Ruling((y0 + y1) / 2, x0, x1))
        return
    if wide <= THIN:
        if high >= SHORT:
            down.append(Ruling((x0 + x1) / 2, y0, y1))
        return
    if min(wide, high) <= CLIPPED and max(wide, high) > 3 * min(wide, high):
        clip = _clip(page, handle)
        if clip is not None and min(clip[2] - clip[0], clip[3] - clip[1]) <= THIN:
            _take(page, handle, clip, matrix, lines)
            return
    count = native.path_segments(handle)
    if count < 2 or count > MANY_SEGMENTS:
        return
    native.path_mode(handle, _FILL, _STROKE)
    if not _stroke.value:
        return
    for (ax, ay), (bx, by) in _segments(page, handle, count, matrix):
        if abs(ay - by) <= 0.5 and abs(ax - bx) >= SHORT:
            across.append(Ruling((ay + by) / 2, min(ax, bx), max(ax, bx)))
        elif abs(ax - bx) <= 0.5 and abs(ay - by) >= SHORT:
            down.append(Ruling((ax + bx) / 2, min(ay, by), max(ay, by)))


def _clip(page: native.OpenPage, handle: int) -> Rectangle | None:
    """Give the box of what a path's clipping lets through (invoices draw their lines so)."""
    clip = native.clip_of(handle)
    paths = native.clip_paths(clip) if clip else 0
    box: Rectangle | None = None
    for path in range(max(0, min(paths, 8))):
        count = native.clip_segments(clip, path)
        if not 2 <= count <= 12:
            continue
        points = []
        for index in range(count):
            native.segment_point(native.clip_segment(clip, path, index), _X, _Y)
            points.append(page.frame.point(_x.value, _y.value))
        xs, ys = [x for x, _ in points], [y for _, y in points]
        found = (min(xs), min(ys), max(xs), max(ys))
        box = found if box is None else _common(box, found)
    return box


def _common(one: Rectangle, other: Rectangle) -> Rectangle:
    return (
        max(one[0], other[0]),
        max(one[1], other[1]),
        min(one[2], other[2]),
        min(one[3], other[3]),
    )


def _segments(
    page: native.OpenPage, handle: int, count: int, outer: Matrix
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Give the straight segments of a path in display coordinates."""
    matrix = _times(_matrix_of(handle), outer)
    begin = last = (0.0, 0.0)
    for index in range(count):
        segment = native.path_segment(handle, index)
        native.segment_point(segment, _X, _Y)
        point = page.frame.point(*_at(matrix, _x.value, _y.value))
        kind = native.segment_type(segment)
        if kind == _MOVE:
            begin = point
        elif kind == _LINE:
            yield last, point
        if native.segment_close(segment):
            yield point, begin
        last = point


def merged(rulings: list[Ruling]) -> list[Ruling]:
    """Give rulings with those of one place joined where they touch or overlap."""
    if len(rulings) < 2:
        return rulings
    long: list[Ruling] = []
    band: list[Ruling] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.at):
        if band and ruling.at - band[0].at > SNAP:
            long.extend(_joined(band))
            band = []
        band.append(ruling)
    long.extend(_joined(band))
    return long


def _joined(band: list[Ruling]) -> Iterator[Ruling]:
    """Give the rulings of one band of places as few long ones, all at the band's middle."""
    at = sum(ruling.at for ruling in band) / len(band)
    ordered = sorted(band, key=lambda ruling: ruling.start)
    start, end = ordered[0].start, ordered[0].end
    for ruling in ordered[1:]:
        if ruling.start - end > REACH:
            yield Ruling(at, start, end)
            start, end = ruling.start, ruling.end
        elif ruling.end > end:
            end = ruling.end
    yield Ruling(at, start, end)
