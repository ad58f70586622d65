"""How characters look: size, font, weight, colour, angle; and a page while its lines are made.

Takes an open page, gives the look of any of its characters, looked up once a text object. Never
decides what a look means.
"""

import math
import re
from collections.abc import Callable

import msgspec

from headworks.readers.pdf import native

_BOLD = re.compile("bold|black|heavy|demi|semibold|[,-]bd$|粗", re.I)
_CONTROL = re.compile("[\x03-\x08\x0b\x0c\x0e-\x1f]")
WHITE = 250  # ink with all colours from here up shows on a dark ground only
PALE = 185  # ink with all colours from here up, on paper, is lighter than any text to be read
TINY = 1.5  # points: no one can read smaller text


class Look(msgspec.Struct, frozen=True, gc=False):
    """What the characters of one text object have in common; names as in ``Fragment``."""

    size: float
    font: str
    bold: bool
    hidden: bool
    angle: int
    white: bool = False
    pale: bool = False
    unmapped: bool = False  # the font does not say what its glyphs mean
    numbers: bool = False  # nor is it there to be painted: its text is the numbers of glyphs


class Reading(msgspec.Struct, frozen=True):
    """One page being read: its handles, pdfium's text, and what was looked up already."""

    page: native.OpenPage
    text: str
    char: Callable[[int], int]
    fonts: dict[int, tuple[str, bool]]
    looks: dict[tuple[int, int], Look]
    vertical: bool = False  # the page was turned because its columns run downwards


def begin(page: native.OpenPage, *, vertical: bool = False) -> Reading:
    """Take a page's text, once."""
    text, direct = native.page_text(page)
    return Reading(page, text, _same if direct else _mapped(page), {}, {}, vertical)


def _same(index: int) -> int:
    return index


def _mapped(page: native.OpenPage) -> Callable[[int], int]:
    def char(index: int) -> int:
        return max(0, int(native.char_of_text(page.text, index)))

    return char


def look_of(reading: Reading, char: int) -> Look:
    """Give how a character looks; characters of one text object share the answer."""
    text = reading.page.text
    handle = native.char_object(text, char)
    if not handle:
        return Look(native.char_size(text, char) or 10.0, "", False, False, 0)
    found = reading.looks.get(handle)
    if found is None:
        font = native.text_font(handle) or 0
        face = reading.fonts.get(font)
        if face is None:
            face = reading.fonts[font] = _face(font)
        mode = native.text_mode(handle)
        across, down, scale = native.direction(reading.page, char)
        angle = 0
        if abs(down) > 0.02 * abs(across) or across < 0:
            angle = round(math.degrees(math.atan2(down, across))) % 360
        if reading.vertical and angle in (0, 270):
            angle = 0  # upright characters in a column, and Latin words that lie in it
        size = round(native.char_size(text, char) * scale, 2)
        red, green, blue, opacity = native.ink(reading.page, char)
        unmapped = bool(native.char_unmapped(text, char))
        found = Look(
            size or 1.0,
            face[0],
            face[1] or mode in native.BOLD_MODES,
            mode == native.INVISIBLE_MODE or opacity == 0 or size < TINY,
            angle,
            min(red, green, blue) >= WHITE,
            255 - (255 - min(red, green, blue)) * opacity / 255 >= PALE,
            unmapped,
            unmapped and _is_numbers(reading, font),
        )
        reading.looks[handle] = found
    return found


def _is_numbers(reading: Reading, font: int) -> bool:
    """Tell whether a font's text is glyph numbers: space and digits are control characters then."""
    return bool(font) and not native.font_embedded(font) and bool(_CONTROL.search(reading.text))


def _face(handle: int) -> tuple[str, bool]:
    name, flags = native.font_of(handle) if handle else ("", 0)
    name = re.sub("^[A-Z]{6}\\+", "", name)
    return name, bool(_BOLD.search(name)) or bool(flags & 1 << 18)
