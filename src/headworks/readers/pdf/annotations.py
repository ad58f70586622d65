"""What lies on a page and is not in its content: comments, filled-in fields, stamps, links.

Takes an open page's handle, gives comments with author, date and box, values of fields without an
appearance, addresses. Never follows a link, never runs an action.
"""

import ctypes

import msgspec

from headworks.readers.pdf import native
from headworks.readers.pdf.catalog import date
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.rulings import Rectangle

_TEXT, _LINK, _FREE_TEXT, _STRUCK, _STAMP, _POPUP, _FILE = 1, 2, 3, 12, 13, 16, 17
_WIDGET, _WATERMARK = 20, 24
_SHOWN = frozenset((_FREE_TEXT, _STAMP, _WIDGET, _WATERMARK))
_HIDDEN_FLAG = 2
TICKED, UNTICKED = "☑", "☐"
STRUCK_OUT = "删除线"
MANY = 5_000


class Comment(msgspec.Struct, frozen=True, gc=False):
    """A person's note on a page."""

    text: str
    author: str
    date: str | None
    box: Rectangle


class Annotations(msgspec.Struct, frozen=True):
    """The annotations of one page; filled while the page is opened."""

    comments: list[Comment]
    values: list[tuple[str, Rectangle]]
    links: list[str]
    files: list[str]
    ticks: list[Rectangle]  # boxes of buttons: their appearance is drawn, not written

    def take(self, document: int, form: int, page: int, frame: native.Frame) -> bool:
        """Note all annotations; tell whether some have an appearance with text of its own."""
        shown = False
        for index in range(min(native.annot_count(page), MANY)):
            annot = native.get_annot(page, index)
            if annot:
                shown = self._take((document, form), annot, frame) or shown
                native.close_annot(annot)
        return shown

    def _take(self, file: tuple[int, int], annot: int, frame: native.Frame) -> bool:
        kind = native.annot_subtype(annot)
        if kind == _LINK:
            if uri := _address(file[0], annot):
                self.links.append(uri)
            return False
        if kind == _POPUP or native.annot_flags(annot) & _HIDDEN_FLAG:
            return False
        has_look = kind in _SHOWN and bool(native.annot_has(annot, b"AP"))
        box = native.annot_box(annot, frame)
        if kind == _WIDGET:
            return self._field(file[1], annot, box, has_look)
        if kind == _FILE:
            pinned = native.annot_file(annot)
            name = native.wide_text(native.attachment_name, pinned) if pinned else ""
            self.files.append(name or _string(annot, b"Contents"))
        elif (text := _said(annot, kind)) and not (has_look and kind != _STAMP):
            self.comments.append(
                Comment(text, _string(annot, b"T"), date(_string(annot, b"M") or None), box)
            )
        return has_look

    def _field(self, form: int, annot: int, box: Rectangle, has_look: bool) -> bool:
        """Note a field's value where it shows nothing that can be read; tell if it shows text."""
        if state := _string(annot, b"AS"):  # a box to tick, or one of several
            self.values.append((UNTICKED if state == "Off" else TICKED, box))
            self.ticks.append(box)
            return False
        if has_look:
            return True
        value = _string(annot, b"V")
        if not value and form:  # the field is the annotation's parent
            value = native.wide_text(native.field_value, form, annot).strip()
        if value:
            self.values.append((value, box))
        return False


def _said(annot: int, kind: int) -> str:
    """Give what a mark says; a line through words says that they go."""
    return _string(annot, b"Contents") or (STRUCK_OUT if kind == _STRUCK else "")


def nothing() -> Annotations:
    """Give an empty set, to be filled."""
    return Annotations([], [], [], [], [])


def without_ticks(found: Annotations, parts: list[Fragment]) -> list[Fragment]:
    """Give the fragments without the signs that the appearance of ticked boxes is drawn with."""
    if not found.ticks:
        return parts
    return [part for part in parts if len(part.text) > 1 or not _in_one(part, found.ticks)]


def _in_one(part: Fragment, boxes: list[Rectangle]) -> bool:
    x, y = (part.x0 + part.x1) / 2, (part.y0 + part.y1) / 2
    return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in boxes)


def value_fragments(found: Annotations, page: int) -> list[Fragment]:
    """Give the values of fields that show nothing by themselves as text in their boxes."""
    fragments = []
    for value, (x0, y0, x1, y1) in found.values:
        lines = value.splitlines() or [""]
        high = (y1 - y0) / len(lines)
        size = max(6.0, min(12.0, 0.75 * high))
        for index, line in enumerate(lines):
            base = y0 + high * (index + 0.5) + 0.35 * size
            right = min(x1, x0 + size * len(line))
            top, foot = base - 0.8 * size, base + 0.12 * size
            fragment = Fragment(
                line, page, x0, top, right, foot, base, size, "", False, False, 0, 0, 0
            )
            fragments.append(msgspec.structs.replace(fragment, start=x0, reach=right))
    return fragments


def attachments(document: int) -> list[str]:
    """Give the names and sizes of the files inside the file: each is a document of its own."""
    found = []
    size = ctypes.c_ulong()
    for index in range(max(0, native.attachment_count(document))):
        attachment = native.get_attachment(document, index)
        name = native.wide_text(native.attachment_name, attachment)
        native.attachment_file(attachment, None, 0, ctypes.addressof(size))
        found.append(f"{name} ({size.value} bytes)")
    return found


def _string(annot: int, key: bytes) -> str:
    return native.wide_text(native.annot_string, annot, key).strip()


def _address(document: int, annot: int) -> str:
    link = native.annot_link(annot)
    action = native.link_action(link) if link else None
    if not action:
        return ""
    size = native.action_uri(document, action, None, 0)
    if not 1 < size < 8_192:
        return ""
    buffer = ctypes.create_string_buffer(size)
    native.action_uri(document, action, ctypes.addressof(buffer), size)
    return buffer.raw[: size - 1].decode("utf-8", "replace")
