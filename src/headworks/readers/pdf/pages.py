"""One page taken whole while it is open: fragments, ruled tables, turned and hidden text, pictures.

Takes an open page, gives values that outlive it. Never decides what is furniture or a paragraph.
"""

from functools import partial
from itertools import pairwise

import msgspec

from headworks.readers import progress
from headworks.readers.pdf import grids, lines, native, rulings, tables
from headworks.readers.pdf.aligned import aligned
from headworks.readers.pdf.annotations import Annotations, nothing, value_fragments, without_ticks
from headworks.readers.pdf.glyphs import unreadable
from headworks.readers.pdf.layout import Picture
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.looks import Reading, begin
from headworks.readers.pdf.overprint import parted
from headworks.readers.pdf.rulings import Rectangle
from headworks.readers.pdf.tables import PageTable
from headworks.readers.pdf.tags import heading_marks
from headworks.readers.pdf.upright import beside_text, runs_down, within_columns

SCAN_COVER = 0.55  # a picture over this share of the page makes invisible text the scan's own
LOGO_COVER = 0.02  # less picture than this is a logo or a rule
SMALL_PICTURE = 48.0  # points
MANY_PICTURES = 60  # more of them are the pieces of a drawing
DRAWN_PATHS = 40  # on a page without text: its characters may be drawn as outlines
EMPTY = nothing()


class PageContent(msgspec.Struct, frozen=True):
    """A page's content in display coordinates; ``cover`` is the share of it that pictures fill."""

    page: int
    width: float
    height: float
    fragments: list[Fragment]
    tables: list[PageTable]
    turned: list[Fragment]
    hidden: list[Fragment]
    cover: float = 0.0
    paths: int = 0
    notes: Annotations = EMPTY
    figures: list[Picture] = []
    foot: float | None = None  # the y of a short rule that footnotes stand below
    turn: int = 0  # degrees by which the page was turned to be read; width and height are so too
    unreadable: int = 0
    doubled: int = 0  # characters printed twice for a shadow or for weight
    broken: bool = False
    skew: float = 0.0  # degrees clockwise at which a scan's text ran; its content is straightened
    recognised: bool = False
    vertical: bool = False  # its columns run downwards, from right to left
    seals: list[Rectangle] = []


def take(document: int, index: int, tagged: bool = False, form: int = 0) -> PageContent:
    """Open a page (from 0), take its content (headings by tags if ``tagged``), close it."""
    if progress.is_heard():
        progress.page("read", index + 1, native.page_count(document))
    notes = nothing()

    def look(handle: int, frame: native.Frame) -> bool:
        return notes.take(document, form, handle, frame)

    with native.opened_page(document, index, look) as page:
        if page is None:
            return PageContent(index + 1, 0.0, 0.0, [], [], [], [], broken=True)
        return _content(page, notes, heading_marks(page.handle) if tagged else {})


def _content(page: native.OpenPage, notes: Annotations, marks: dict[int, int]) -> PageContent:
    reading = begin(page)
    found = lines.fragments(reading)
    if marks:
        found = lines.with_levels(reading, found, marks)
    unmapped = lines.unmapped(reading, found)
    vertical = runs_down(found)
    turn = 90 if vertical else _turn(found)
    if turn:  # a table set sideways: read it as a person does, with the page turned
        page = msgspec.structs.replace(page, frame=page.frame.turned(turn))
        reading = begin(page, vertical=vertical)
        found = lines.fragments(reading)
    drawn, frame = rulings.drawn(page), page.frame
    cover = _cover(drawn.pictures, frame.width, frame.height)
    found, hidden = _seen(found, drawn, cover, frame)
    turned = [fragment for fragment in found if fragment.angle]
    upright = [fragment for fragment in found if not fragment.angle] if turned else found
    if vertical:
        upright, turned = within_columns(upright)
    upright, doubled = _once(parted(reading, upright))
    upright = _untangled(reading, upright)
    if not turn:
        upright = without_ticks(notes, upright) + value_fragments(notes, page.number)
    ruled = grids.grids(drawn.across, drawn.down)
    cut = partial(lines.split, reading)
    filled, flow = tables.fill(page.number, cut, ruled, upright) if ruled else ([], upright)
    spaced, flow = aligned(page.number, flow)
    filled.extend(spaced)
    flow, stacks = beside_text(flow)
    turned += stacks
    return PageContent(
        page.number, frame.width, frame.height, flow, filled, turned, hidden, cover, drawn.paths,
        notes, _figures(page, drawn.pictures, filled), _foot(drawn.across, flow, frame), turn,
        max(unreadable(reading.text), unmapped), doubled, vertical=vertical,
    )  # fmt: skip


def _turn(found: list[Fragment]) -> int:
    """Give the quarter turns that most of a page's text is set at, or 0."""
    if not found or (not found[-1].angle and not found[0].angle):
        return 0
    for angle in (90, 180, 270):
        chars = sum(len(fragment.text) for fragment in found if fragment.angle == angle)
        if chars > 0.6 * sum(len(fragment.text) for fragment in found):
            return angle
    return 0


def _seen(
    found: list[Fragment], drawn: rulings.Drawn, cover: float, frame: native.Frame
) -> tuple[list[Fragment], list[Fragment]]:
    """Give what is shown and what is hidden; the text layer of a scan is its text."""
    shown: list[Fragment] = []
    hidden: list[Fragment] = []
    layer = cover >= SCAN_COVER
    for part in found:
        off = part.x1 < 0 or part.y1 < 0 or part.x0 > frame.width or part.y0 > frame.height
        ground = (part.white or part.pale) and _has_ground(part, drawn)
        unseen = part.hidden or (part.white and not ground)
        kept = msgspec.structs.replace(part, pale=False) if part.pale and ground else part
        (hidden if off or (unseen and not layer) else shown).append(kept)
    if not shown and not any(part.white for part in hidden):
        return [part for part in hidden if part.y1 >= 0], []
    return shown, hidden


def _has_ground(part: Fragment, drawn: rulings.Drawn) -> bool:
    """Tell whether something is painted behind a white text."""
    middle = ((part.x0 + part.x1) / 2, (part.y0 + part.y1) / 2)
    return any(_within(middle, box) for box in (*drawn.shades, *drawn.pictures))


def _figures(
    page: native.OpenPage, pictures: list[rulings.Rectangle], filled: list[PageTable]
) -> list[Picture]:
    """Give the pictures that show something: no lines, logos, nor a scan of the page itself."""
    frame, found = page.frame, []
    if len(pictures) > MANY_PICTURES:
        return []
    for x0, y0, x1, y1 in pictures:
        wide, high = min(x1, frame.width) - max(x0, 0.0), min(y1, frame.height) - max(y0, 0.0)
        if min(wide, high) < SMALL_PICTURE or wide * high > 0.9 * frame.width * frame.height:
            continue
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        if not any(_within(middle, table.box) for table in filled):
            found.append(Picture(page.number, (x0, y0, x1, y1)))
    return found


def _within(point: tuple[float, float], box: rulings.Rectangle) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def _foot(across: list[rulings.Ruling], flow: list[Fragment], frame: native.Frame) -> float | None:
    """Give the place of a footnote rule: short, at the left margin, small text below it."""
    if not flow:
        return None
    left = min(part.x0 for part in flow)
    for rule in across:
        length = rule.end - rule.start
        if left < rule.start - 12 or not (
            rule.at > 0.35 * frame.height and 0.1 < length / frame.width < 0.45
        ):
            continue
        below = [part for part in flow if part.y0 > rule.at - 2]
        above = [part for part in flow if part.base < rule.at and part.x0 < rule.end]
        if not below or not above:
            continue
        nearest = min(below, key=lambda part: part.base)
        last = max(above, key=lambda part: part.base)
        if nearest.base - rule.at < 30 and nearest.size <= last.size - 0.9:
            return rule.at
    return None


def _cover(pictures: list[rulings.Rectangle], width: float, height: float) -> float:
    """Give the share of the page under pictures (strips of one scan add up)."""
    area = 0.0
    for x0, y0, x1, y1 in pictures:
        wide, high = min(x1, width) - max(x0, 0.0), min(y1, height) - max(y0, 0.0)
        if wide > 0 and high > 0:
            area += wide * high
    return min(1.0, area / (width * height)) if width and height else 0.0


def _untangled(reading: Reading, fragments: list[Fragment]) -> list[Fragment]:
    """Give the fragments, those of one line that reach into each other cut into their words.

    A form prints ``年 月 日`` and the program that fills it in prints ``2024 03 05`` into it.
    """
    ordered = sorted(fragments, key=lambda fragment: (round(fragment.base), fragment.x0))
    tangled: set[int] = set()
    for before, after in pairwise(ordered):
        if abs(after.base - before.base) < 3 and after.x0 < before.x1 - 0.7 * before.size:
            tangled.update((id(before), id(after)))
    if not tangled:
        return fragments
    found: list[Fragment] = []
    for fragment in fragments:
        if id(fragment) in tangled and " " in reading.text[fragment.first : fragment.last + 1]:
            found.extend(lines.words(reading, fragment))
        else:
            found.append(fragment)
    return found


def _once(fragments: list[Fragment]) -> tuple[list[Fragment], int]:
    """Give the fragments, those printed twice once, and how many characters were left out."""
    seen: set[tuple[str, int, int]] = set()
    kept, doubled = [], 0
    for fragment in fragments:
        key = (fragment.text, round(fragment.x0 / 3), round(fragment.base / 3))
        if key in seen:
            doubled += len(fragment.text)
        else:
            seen.add(key)
            kept.append(fragment)
    return kept, doubled
