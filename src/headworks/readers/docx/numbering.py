"""Word's automatic numbers, counted as Word counts them.

Takes ``numbering.xml`` and, paragraph by paragraph in reading order, the list and level of each;
gives the label that stands before it. Never looks at the paragraph's text.
"""

import re

import msgspec

from headworks.readers.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    W_ILVL,
    W_NUMID,
    W_RPR,
    W_VAL,
    number,
    on,
    w,
)
from headworks.readers.docx.numformats import shown
from headworks.readers.docx.package import Element
from headworks.readers.docx.styles import ParagraphLook, StyleSheet
from headworks.readers.docx.symbols import bullet

LEVELS = 9
_ZEROS = re.compile("0+1")
_PLACEHOLDER = re.compile("%([1-9])")
_CLOSED = frozenset("、，。．：；）】〕》〉」』）］")
_W_ABSTRACT, _W_ABSTRACT_ID = w("abstractNum"), w("abstractNumId")
_W_NUM, _W_LVL, _W_OVERRIDE = w("num"), w("lvl"), w("lvlOverride")
_W_START, _W_START_OVERRIDE, _W_NUMFMT = w("start"), w("startOverride"), w("numFmt")
_W_LVLTEXT, _W_SUFF, _W_ISLGL = w("lvlText"), w("suff"), w("isLgl")
_W_RESTART, _W_PSTYLE, _W_PICTURE = w("lvlRestart"), w("pStyle"), w("lvlPicBulletId")
_W_STYLE_LINK, _W_NUM_STYLE_LINK = w("styleLink"), w("numStyleLink")
_W_VANISH, _W_FONTS, _W_FORMAT = w("vanish"), w("rFonts"), w("format")
_W_ASCII, _W_HANSI = w("ascii"), w("hAnsi")


class Level(msgspec.Struct, frozen=True):
    """One level of a list: how its numbers count and look."""

    start: int = 1
    number_format: str = "decimal"
    text: str = ""
    suffix: str = "tab"
    legal: bool = False
    restart: int | None = None
    style: str | None = None
    hidden: bool = False
    font: str | None = None


class Label(msgspec.Struct, frozen=True):
    """What stands before a paragraph, with its suffix; and the list it is of."""

    text: str
    list_id: str
    level: int


class _Shape(msgspec.Struct, frozen=True):
    """How the labels of a level are put together.

    ``pieces`` are a text, and the level and the format of the number behind it; ``resets`` the
    levels whose counters begin anew.
    """

    pieces: tuple[tuple[str, int, str], ...]
    tail: str
    parted: bool
    resets: tuple[int, ...]


class _Abstract(msgspec.Struct, frozen=True):
    id: str
    levels: tuple[Level, ...]
    num_style_link: str | None


class _List(msgspec.Struct, frozen=True):
    """A ``w:num``: its levels after overrides, whose counters it shares, where it restarts."""

    id: str
    counters: str
    levels: tuple[Level, ...]
    starts: dict[int, int]


class Numbering:
    """The lists of one document and their counters. Ask for labels in reading order."""

    def __init__(self, root: Element | None, styles: StyleSheet) -> None:
        self._styles = styles
        self._elements: dict[str, Element] = {}
        self._abstracts: dict[str, _Abstract] = {}
        self._nums: dict[str, Element] = {}
        self._lists: dict[str, _List | None] = {}
        self._counters: dict[str, list[int | None]] = {}
        self._restarted: set[tuple[str, int]] = set()
        self._shapes: dict[tuple[str, int], _Shape] = {}
        if root is not None:
            for element in root.iterchildren(_W_ABSTRACT):
                self._elements[element.get(_W_ABSTRACT_ID) or ""] = element
            for element in root.iterchildren(_W_NUM):
                self._nums[element.get(W_NUMID) or ""] = element

    def label(self, look: ParagraphLook) -> Label | None:
        """Count a paragraph, give its label; none where it is in no list.

        A level without a visible number gives a label with an empty text: it counts all the same.
        """
        if look.num_id is None:
            return None
        found = self._list(look.num_id)
        if found is None:
            return None
        at = _level_of(look, found)
        shape = self._shapes.get((found.id, at))
        if shape is None:
            shape = self._shapes[found.id, at] = _shape(found.levels, at)
        values = self._count(found, at, shape.resets)
        text = _text(shape, values)
        if text and shape.parted and text[-1] not in _CLOSED:
            text += " "
        own = f".{found.id}" if found.starts else ""
        return Label(text, found.counters + own, at)

    def _count(self, found: _List, at: int, resets: tuple[int, ...]) -> list[int | None]:
        """Raise the counter of a level, set back those below it."""
        values = self._counters.setdefault(found.counters, [None] * LEVELS)
        levels = found.levels
        for level, start in found.starts.items():
            if level == at and (found.id, level) not in self._restarted:
                self._restarted.add((found.id, level))
                values[level] = start - 1
        for above in range(at):
            # A level that was skipped counts as used once: the next of its kind is its second.
            if values[above] is None:
                values[above] = levels[above].start
        current = values[at]
        values[at] = levels[at].start if current is None else current + 1
        for below in resets:
            values[below] = None
        return values

    def _list(self, num_id: str) -> _List | None:
        if num_id not in self._lists:
            self._lists[num_id] = self._resolve(num_id)
        return self._lists[num_id]

    def _resolve(self, num_id: str) -> _List | None:
        element = self._nums.get(num_id)
        if element is None or num_id == "0":
            return None
        pointer = element.find(_W_ABSTRACT_ID)
        abstract = self._abstract(pointer.get(W_VAL) if pointer is not None else "")
        if abstract is None:
            return None
        levels = list(abstract.levels)
        starts: dict[int, int] = {}
        for override in element.iterchildren(_W_OVERRIDE):
            at = number(override.get(W_ILVL))
            if at is None or not 0 <= at < LEVELS:
                continue
            replaced, start = override.find(_W_LVL), override.find(_W_START_OVERRIDE)
            if replaced is not None:
                levels[at] = _level(replaced)
            if start is not None:
                starts[at] = number(start.get(W_VAL)) or 0
        return _List(num_id, abstract.id, tuple(levels), starts)

    def _loaded(self, abstract_id: str) -> _Abstract | None:
        """Give an abstract list; files hold hundreds that nobody uses."""
        if abstract_id not in self._abstracts and abstract_id in self._elements:
            self._abstracts[abstract_id] = _abstract(self._elements[abstract_id])
        return self._abstracts.get(abstract_id)

    def _abstract(self, abstract_id: str | None) -> _Abstract | None:
        """Give an abstract list, by way of the numbering style it may point to."""
        abstract = self._loaded(abstract_id or "")
        if abstract is None or abstract.num_style_link is None:
            return abstract
        for other_id, other in self._elements.items():
            if _value(other, _W_STYLE_LINK) == abstract.num_style_link:
                return self._loaded(other_id)
        num_id = self._styles.numbering_of(abstract.num_style_link)
        element = self._nums.get(num_id or "")
        pointer = element.find(_W_ABSTRACT_ID) if element is not None else None
        linked = self._loaded(pointer.get(W_VAL) or "") if pointer is not None else None
        return linked or abstract


def _level_of(look: ParagraphLook, found: _List) -> int:
    if look.level is not None:
        return look.level
    for style in look.styles:
        for at, level in enumerate(found.levels):
            if level.style == style:
                return at
    return 0


def _shape(levels: tuple[Level, ...], at: int) -> _Shape:
    level = levels[at]
    pieces: list[tuple[str, int, str]] = []
    if level.hidden:
        tail = ""
    elif level.number_format == "bullet":
        tail = bullet(level.text, level.font)
    else:
        first, *parts = _PLACEHOLDER.split(level.text)
        for digit, text in zip(parts[::2], parts[1::2], strict=True):
            index = int(digit) - 1
            pieces.append((first, index, _format_of(levels, at, index)))
            first = text
        tail = first
        if level.number_format == "none" and not _PLACEHOLDER.sub("", level.text).strip(" .、"):
            pieces, tail = [], ""
        if not pieces:
            tail = tail.strip()
    parted = level.suffix != "nothing" or level.text[-1:].isspace()
    below = range(at + 1, LEVELS)
    resets = [n for n in below if levels[n].restart is None or at < (levels[n].restart or 0)]
    return _Shape(tuple(pieces), tail, parted, tuple(resets))


def _format_of(levels: tuple[Level, ...], at: int, index: int) -> str:
    """Give the format of a level's number in the label of another; empty where it shows none."""
    own = levels[index].number_format
    if index > at or (own == "bullet"):
        return ""
    return "decimal" if levels[at].legal and own != "none" else own


def _text(shape: _Shape, values: list[int | None]) -> str:
    if not shape.pieces:
        return shape.tail
    text = ""
    for before, index, kind in shape.pieces:
        value = values[index] if kind else None
        text += before if value is None else before + shown(value, kind)
    return (text + shape.tail).strip()


def _abstract(element: Element) -> _Abstract:
    levels = [Level()] * LEVELS
    for child in element.iterchildren(_W_LVL):
        at = number(child.get(W_ILVL))
        if at is not None and 0 <= at < LEVELS:
            levels[at] = _level(child)
    return _Abstract(
        element.get(_W_ABSTRACT_ID) or "",
        tuple(levels),
        _value(element, _W_NUM_STYLE_LINK),
    )


def _level(element: Element) -> Level:
    children = {child.tag: child for child in reversed(element)}

    def value(name: str) -> str | None:
        child = children.get(name)
        return None if child is None else child.get(W_VAL)

    properties = children.get(W_RPR)
    vanish = fonts = None
    if properties is not None:
        vanish, fonts = properties.find(_W_VANISH), properties.find(_W_FONTS)
    text, legal = value(_W_LVLTEXT) or "", children.get(_W_ISLGL)
    kind = value(_W_NUMFMT) or "decimal"
    if _W_NUMFMT not in children and MC_ALTERNATE in children:
        kind = _newer_format(children[MC_ALTERNATE])
    if _W_PICTURE in children and kind == "bullet":
        text = "•"
    start = value(_W_START)
    return Level(
        start=1 if start is None and kind == "bullet" else number(start) or 0,
        number_format=kind,
        text=text,
        suffix=value(_W_SUFF) or "tab",
        legal=legal is not None and on(legal.get(W_VAL)),
        restart=number(value(_W_RESTART)),
        style=value(_W_PSTYLE),
        hidden=vanish is not None and on(vanish.get(W_VAL)),
        font=(fonts.get(_W_ASCII) or fonts.get(_W_HANSI)) if fonts is not None else None,
    )


def _newer_format(alternate: Element) -> str:
    """Give a level's format; a newer one stands in an alternate with a plain fallback."""
    chosen = alternate.find(f"{MC_CHOICE}/{_W_NUMFMT}")
    example = chosen.get(_W_FORMAT) if chosen is not None else None
    digits = _ZEROS.match(example or "")
    if digits:
        return f"zeros{len(digits.group())}"
    found = next(alternate.iter(_W_NUMFMT), None)
    value = found.get(W_VAL) if found is not None else None
    return value or "decimal"


def _value(element: Element, name: str) -> str | None:
    child = element.find(name)
    return None if child is None else child.get(W_VAL)
