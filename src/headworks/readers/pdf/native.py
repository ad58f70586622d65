"""pdfium, bound once: files and pages as context managers, functions that take plain handles.

Takes a path and a password, gives open files and pages in display coordinates (points, origin top
left, page rotation applied). Never leaves a handle open, never is used by two threads.
"""

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2.raw as pdfium

from headworks.errors import FaultError, InputError

_HANDLE = ctypes.c_void_p
_INT = ctypes.c_int
_LONG = ctypes.c_ulong
_DOUBLE = ctypes.c_double
_FLOAT = ctypes.c_float
_TEXT = ctypes.c_char_p


def _bind(name: str, result: Any, *arguments: Any) -> Any:
    """Give a pdfium function under plain integer handles: half the cost of the typed binding."""
    address = ctypes.cast(getattr(pdfium, name), _HANDLE).value
    if address is None:
        raise FaultError("E_READER", f"pdfium has no function {name}")
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


count_objects = _bind("FPDFPage_CountObjects", _INT, _HANDLE)
get_object = _bind("FPDFPage_GetObject", _HANDLE, _HANDLE, _INT)
object_type = _bind("FPDFPageObj_GetType", _INT, _HANDLE)
object_bounds = _bind("FPDFPageObj_GetBounds", _INT, _HANDLE, *[_HANDLE] * 4)
object_matrix = _bind("FPDFPageObj_GetMatrix", _INT, _HANDLE, _HANDLE)
form_count = _bind("FPDFFormObj_CountObjects", _INT, _HANDLE)
form_object = _bind("FPDFFormObj_GetObject", _HANDLE, _HANDLE, _LONG)
path_segments = _bind("FPDFPath_CountSegments", _INT, _HANDLE)
path_segment = _bind("FPDFPath_GetPathSegment", _HANDLE, _HANDLE, _INT)
path_mode = _bind("FPDFPath_GetDrawMode", _INT, _HANDLE, _HANDLE, _HANDLE)
segment_point = _bind("FPDFPathSegment_GetPoint", _INT, _HANDLE, _HANDLE, _HANDLE)
segment_type = _bind("FPDFPathSegment_GetType", _INT, _HANDLE)
segment_close = _bind("FPDFPathSegment_GetClose", _INT, _HANDLE)
fill_color = _bind("FPDFPageObj_GetFillColor", _INT, _HANDLE, *[_HANDLE] * 4)

clip_of = _bind("FPDFPageObj_GetClipPath", _HANDLE, _HANDLE)
clip_paths = _bind("FPDFClipPath_CountPaths", _INT, _HANDLE)
clip_segments = _bind("FPDFClipPath_CountPathSegments", _INT, _HANDLE, _INT)
clip_segment = _bind("FPDFClipPath_GetPathSegment", _HANDLE, _HANDLE, _INT, _INT)

count_chars = _bind("FPDFText_CountChars", _INT, _HANDLE)
get_text = _bind("FPDFText_GetText", _INT, _HANDLE, _INT, _INT, _HANDLE)
char_of_text = _bind("FPDFText_GetCharIndexFromTextIndex", _INT, _HANDLE, _INT)
count_rects = _bind("FPDFText_CountRects", _INT, _HANDLE, _INT, _INT)
get_rect = _bind("FPDFText_GetRect", _INT, _HANDLE, _INT, *[_HANDLE] * 4)
char_box = _bind("FPDFText_GetCharBox", _INT, _HANDLE, _INT, *[_HANDLE] * 4)
loose_box = _bind("FPDFText_GetLooseCharBox", _INT, _HANDLE, _INT, _HANDLE)
char_origin = _bind("FPDFText_GetCharOrigin", _INT, _HANDLE, _INT, _HANDLE, _HANDLE)
char_matrix = _bind("FPDFText_GetMatrix", _INT, _HANDLE, _INT, _HANDLE)
char_size = _bind("FPDFText_GetFontSize", _DOUBLE, _HANDLE, _INT)
char_object = _bind("FPDFText_GetTextObject", _HANDLE, _HANDLE, _INT)
char_generated = _bind("FPDFText_IsGenerated", _INT, _HANDLE, _INT)
char_unmapped = _bind("FPDFText_HasUnicodeMapError", _INT, _HANDLE, _INT)
char_color = _bind("FPDFText_GetFillColor", _INT, _HANDLE, _INT, *[_HANDLE] * 4)
text_font = _bind("FPDFTextObj_GetFont", _HANDLE, _HANDLE)
text_mode = _bind("FPDFTextObj_GetTextRenderMode", _INT, _HANDLE)
font_name = _bind("FPDFFont_GetBaseFontName", ctypes.c_size_t, _HANDLE, _TEXT, ctypes.c_size_t)
font_embedded = _bind("FPDFFont_GetIsEmbedded", _INT, _HANDLE)
font_flags = _bind("FPDFFont_GetFlags", _INT, _HANDLE)

_load_document = _bind("FPDF_LoadDocument", _HANDLE, _TEXT, _TEXT)
_close_document = _bind("FPDF_CloseDocument", None, _HANDLE)
_last_error = _bind("FPDF_GetLastError", _LONG)
_load_page = _bind("FPDF_LoadPage", _HANDLE, _HANDLE, _INT)
_close_page = _bind("FPDF_ClosePage", None, _HANDLE)
_load_text = _bind("FPDFText_LoadPage", _HANDLE, _HANDLE)
_close_text = _bind("FPDFText_ClosePage", None, _HANDLE)
_page_bounds = _bind("FPDF_GetPageBoundingBox", _INT, _HANDLE, _HANDLE)
_page_rotation = _bind("FPDFPage_GetRotation", _INT, _HANDLE)
page_count = _bind("FPDF_GetPageCount", _INT, _HANDLE)
has_index = _bind("FPDF_DocumentHasValidCrossReferenceTable", _INT, _HANDLE)
meta_text = _bind("FPDF_GetMetaText", _LONG, _HANDLE, _TEXT, _HANDLE, _LONG)
page_label = _bind("FPDF_GetPageLabel", _LONG, _HANDLE, _INT, _HANDLE, _LONG)
bookmark_child = _bind("FPDFBookmark_GetFirstChild", _HANDLE, _HANDLE, _HANDLE)
bookmark_sibling = _bind("FPDFBookmark_GetNextSibling", _HANDLE, _HANDLE, _HANDLE)
bookmark_title = _bind("FPDFBookmark_GetTitle", _LONG, _HANDLE, _HANDLE, _LONG)
bookmark_dest = _bind("FPDFBookmark_GetDest", _HANDLE, _HANDLE, _HANDLE)
bookmark_action = _bind("FPDFBookmark_GetAction", _HANDLE, _HANDLE)
action_dest = _bind("FPDFAction_GetDest", _HANDLE, _HANDLE, _HANDLE)
dest_page = _bind("FPDFDest_GetDestPageIndex", _INT, _HANDLE, _HANDLE)

annot_count = _bind("FPDFPage_GetAnnotCount", _INT, _HANDLE)
get_annot = _bind("FPDFPage_GetAnnot", _HANDLE, _HANDLE, _INT)
close_annot = _bind("FPDFPage_CloseAnnot", None, _HANDLE)
annot_subtype = _bind("FPDFAnnot_GetSubtype", _INT, _HANDLE)
annot_flags = _bind("FPDFAnnot_GetFlags", _INT, _HANDLE)
annot_has = _bind("FPDFAnnot_HasKey", _INT, _HANDLE, _TEXT)
annot_string = _bind("FPDFAnnot_GetStringValue", _LONG, _HANDLE, _TEXT, _HANDLE, _LONG)
annot_rect = _bind("FPDFAnnot_GetRect", _INT, _HANDLE, _HANDLE)
annot_file = _bind("FPDFAnnot_GetFileAttachment", _HANDLE, _HANDLE)
annot_link = _bind("FPDFAnnot_GetLink", _HANDLE, _HANDLE)
link_action = _bind("FPDFLink_GetAction", _HANDLE, _HANDLE)
action_uri = _bind("FPDFAction_GetURIPath", _LONG, _HANDLE, _HANDLE, _HANDLE, _LONG)
attachment_count = _bind("FPDFDoc_GetAttachmentCount", _INT, _HANDLE)
get_attachment = _bind("FPDFDoc_GetAttachment", _HANDLE, _HANDLE, _INT)
attachment_file = _bind("FPDFAttachment_GetFile", _INT, _HANDLE, _HANDLE, _LONG, _HANDLE)
attachment_name = _bind("FPDFAttachment_GetName", _LONG, _HANDLE, _HANDLE, _LONG)
form_type = _bind("FPDF_GetFormType", _INT, _HANDLE)
_open_form = _bind("FPDFDOC_InitFormFillEnvironment", _HANDLE, _HANDLE, _HANDLE)
_close_form = _bind("FPDFDOC_ExitFormFillEnvironment", None, _HANDLE)
field_value = _bind("FPDFAnnot_GetFormFieldValue", _LONG, _HANDLE, _HANDLE, _HANDLE, _LONG)
is_tagged = _bind("FPDFCatalog_IsTagged", _INT, _HANDLE)
struct_tree = _bind("FPDF_StructTree_GetForPage", _HANDLE, _HANDLE)
close_tree = _bind("FPDF_StructTree_Close", None, _HANDLE)
tree_children = _bind("FPDF_StructTree_CountChildren", _INT, _HANDLE)
tree_child = _bind("FPDF_StructTree_GetChildAtIndex", _HANDLE, _HANDLE, _INT)
element_type = _bind("FPDF_StructElement_GetType", _LONG, _HANDLE, _HANDLE, _LONG)
element_children = _bind("FPDF_StructElement_CountChildren", _INT, _HANDLE)
element_child = _bind("FPDF_StructElement_GetChildAtIndex", _HANDLE, _HANDLE, _INT)
element_marks = _bind("FPDF_StructElement_GetMarkedContentIdCount", _INT, _HANDLE)
element_mark = _bind("FPDF_StructElement_GetMarkedContentIdAtIndex", _INT, _HANDLE, _INT)
object_mark = _bind("FPDFPageObj_GetMarkedContentID", _INT, _HANDLE)
_flatten = _bind("FPDFPage_Flatten", _INT, _HANDLE, _INT)

# Out-parameters of pdfium. One thread only, see the module's head.
_doubles = (_DOUBLE * 4)()
_floats = (_FLOAT * 6)()
_colors = (ctypes.c_uint * 4)()
_C = tuple(ctypes.addressof(_colors) + 4 * index for index in range(4))
_NAME = ctypes.create_string_buffer(256)
_D = tuple(ctypes.addressof(_doubles) + 8 * index for index in range(4))
_F = tuple(ctypes.addressof(_floats) + 4 * index for index in range(6))

OBJECT_TEXT, OBJECT_PATH, OBJECT_IMAGE, OBJECT_FORM = 1, 2, 3, 5
INVISIBLE_MODE, BOLD_MODES = 3, frozenset((2, 6))


class Frame(msgspec.Struct, frozen=True, gc=False):
    """How a page's own coordinates become display ones: ``x' = a·x + b·y + c`` and so on."""

    width: float
    height: float
    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """Give a rectangle's display corners, smaller ones first."""
        if self.b == 0.0:
            p, q = self.a * x0 + self.c, self.a * x1 + self.c
            u, v = self.e * y0 + self.f, self.e * y1 + self.f
        else:
            p, q = self.b * y0 + self.c, self.b * y1 + self.c
            u, v = self.d * x0 + self.f, self.d * x1 + self.f
        return (p if p < q else q, u if u < v else v, q if p < q else p, v if u < v else u)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Give a point's display place."""
        return self.a * x + self.b * y + self.c, self.d * x + self.e * y + self.f

    def turned(self, angle: int) -> "Frame":
        """Give the frame of the page turned so that text at 90, 180 or 270 degrees is upright."""
        a, b, c, d, e, f = self.a, self.b, self.c, self.d, self.e, self.f
        if angle == 180:
            wide, high = self.width, self.height
            return Frame(wide, high, -a, -b, wide - c, -d, -e, high - f)
        if angle == 90:
            return Frame(self.height, self.width, d, e, f, -a, -b, self.width - c)
        return Frame(self.height, self.width, -d, -e, self.height - f, a, b, c)


class OpenPage(msgspec.Struct, frozen=True, gc=False):
    """A page while it is open: number from 1, handles of page and text, frame."""

    number: int
    handle: int
    text: int
    frame: Frame


@contextmanager
def opened(path: Path, password: str | None) -> Iterator[int]:
    """Open a file for the time of the block. Raises InputError: E_ENCRYPTED or E_CORRUPT.

    A password given for a whole folder does not lock the files that open without one.
    """
    tried: list[bytes | None] = [None]
    if password is not None:
        tried = [password.encode("utf-8"), password.encode("latin-1", "replace"), None]
    handle = None
    for key in tried:
        handle = _load_document(str(path).encode("utf-8"), key)
        if handle:
            break
    if not handle:
        raise _refused(_last_error(), password is not None)
    try:
        yield handle
    finally:
        _close_document(handle)


@contextmanager
def form_of(document: int) -> Iterator[int]:
    """Give the handle of an open file's form for the time of the block; 0 where it has none."""
    if form_type(document) <= 0:
        yield 0
        return
    config = pdfium.FPDF_FORMFILLINFO(version=2)
    handle = _open_form(document, ctypes.addressof(config))
    try:
        yield handle or 0
    finally:
        if handle:
            _close_form(handle)


def _refused(error: int, with_password: bool) -> InputError:
    if error == pdfium.FPDF_ERR_PASSWORD:
        return InputError("E_ENCRYPTED", "the password is wrong" if with_password else "")
    if error == pdfium.FPDF_ERR_SECURITY:
        return InputError("E_ENCRYPTED", "unknown encryption scheme")
    return InputError("E_CORRUPT", "pdfium cannot open it")


@contextmanager
def opened_page(
    document: int, index: int, look: Callable[[int, Frame], bool] | None = None
) -> Iterator[OpenPage | None]:
    """Open one page (from 0) with its text for the time of the block; none where it is broken.

    ``look`` sees a page with annotations before its text is loaded; where it says so, their
    appearance (filled-in fields, stamps) becomes part of the page's own content.
    """
    handle = _load_page(document, index)
    if handle and look is not None and annot_count(handle) > 0 and look(handle, _frame(handle)):
        _flatten(handle, 0)
        _close_page(handle)
        handle = _load_page(document, index)
    if not handle:
        yield None
        return
    text = _load_text(handle)
    try:
        yield OpenPage(index + 1, handle, text or 0, _frame(handle))
    finally:
        if text:
            _close_text(text)
        _close_page(handle)


def _frame(page: int) -> Frame:
    _page_bounds(page, _F[0])
    left, top, right, bottom = _floats[:4]
    if top < bottom:
        top, bottom = bottom, top
    wide, high = right - left, top - bottom
    rotation = _page_rotation(page)
    if rotation == 1:
        return Frame(high, wide, 0.0, 1.0, -bottom, 1.0, 0.0, -left)
    if rotation == 2:
        return Frame(wide, high, -1.0, 0.0, right, 0.0, 1.0, -bottom)
    if rotation == 3:
        return Frame(high, wide, 0.0, -1.0, top, -1.0, 0.0, right)
    return Frame(wide, high, 1.0, 0.0, -left, 0.0, -1.0, top)


def rects(page: OpenPage, first: int, count: int) -> list[tuple[float, float, float, float]]:
    """Give the display rectangles that pdfium makes for a stretch of characters, in text order."""
    text, frame, found = page.text, page.frame, []
    p, q, r, s = _D
    upright = frame.a == 1.0
    for index in range(count_rects(text, first, count)):
        get_rect(text, index, p, q, r, s)
        left, top, right, bottom = _doubles
        if upright:
            found.append((left + frame.c, frame.f - top, right + frame.c, frame.f - bottom))
        else:
            found.append(frame.box(left, top, right, bottom))
    return found


def tight_box(page: OpenPage, char: int) -> tuple[float, float, float, float]:
    """Give a character's ink box in display coordinates."""
    char_box(page.text, char, *_D)  # left, right, bottom, top
    left, right, bottom, top = _doubles
    return page.frame.box(left, bottom, right, top)


def advance_box(page: OpenPage, char: int) -> tuple[float, float, float, float]:
    """Give a character's box from its font's advance, ascent and descent."""
    loose_box(page.text, char, _F[0])  # FS_RECTF: left, top, right, bottom
    left, top, right, bottom = _floats[:4]
    frame = page.frame
    if frame.a == 1.0:
        return left + frame.c, frame.f - top, right + frame.c, frame.f - bottom
    return frame.box(left, bottom, right, top)


def origin(page: OpenPage, char: int) -> tuple[float, float]:
    """Give the point on the baseline where a character begins."""
    char_origin(page.text, char, _D[0], _D[1])
    return page.frame.point(_doubles[0], _doubles[1])


def direction(page: OpenPage, char: int) -> tuple[float, float, float]:
    """Give a character's writing direction (display, not normalised) and its scale upwards."""
    char_matrix(page.text, char, _F[0])
    a, b, c, d = _floats[:4]
    frame = page.frame
    scale = abs(d) if c == 0.0 else (c * c + d * d) ** 0.5
    return frame.a * a + frame.b * b, frame.d * a + frame.e * b, scale


def ink(page: OpenPage, char: int) -> tuple[int, int, int, int]:
    """Give a character's colour: red, green, blue, opacity."""
    if not char_color(page.text, char, *_C):
        return 0, 0, 0, 255
    red, green, blue, opacity = _colors
    return red, green, blue, opacity


def paint(handle: int) -> tuple[int, int, int, int]:
    """Give the colour that fills a path."""
    if not fill_color(handle, *_C):
        return 0, 0, 0, 0
    red, green, blue, opacity = _colors
    return red, green, blue, opacity


def bounds(page: OpenPage, handle: int) -> tuple[float, float, float, float]:
    """Give a page object's display box."""
    object_bounds(handle, _F[0], _F[1], _F[2], _F[3])
    left, bottom, right, top = _floats[:4]
    frame = page.frame
    if frame.a == 1.0:
        return left + frame.c, frame.f - top, right + frame.c, frame.f - bottom
    return frame.box(left, bottom, right, top)


def raw_bounds(handle: int) -> tuple[float, float, float, float]:
    """Give an object's left, bottom, right, top in the coordinates of what holds it."""
    object_bounds(handle, *_F[:4])
    left, bottom, right, top = _floats[:4]
    return left, bottom, right, top


def annot_box(annot: int, frame: Frame) -> tuple[float, float, float, float]:
    """Give an annotation's display box."""
    annot_rect(annot, _F[0])  # FS_RECTF: left, top, right, bottom
    left, top, right, bottom = _floats[:4]
    return frame.box(left, bottom, right, top)


def wide_text(function: Any, *arguments: Any) -> str:
    """Give what a function of pdfium writes as UTF-16 into a buffer it first asks the size of."""
    size = function(*arguments, None, 0)
    if size <= 2:
        return ""
    buffer = ctypes.create_string_buffer(size)
    function(*arguments, ctypes.addressof(buffer), size)
    return buffer.raw[: size - 2].decode("utf-16-le", "replace")


def page_text(page: OpenPage) -> tuple[str, bool]:
    """Give a page's text as pdfium orders it, and whether its offsets are character indices."""
    if not page.text:
        return "", True
    count = count_chars(page.text)
    if count <= 0:
        return "", True
    buffer = ctypes.create_string_buffer(4 * count + 4)
    units = get_text(page.text, 0, count, ctypes.addressof(buffer))
    text = buffer.raw[: 2 * max(0, units - 1)].decode("utf-16-le", "surrogatepass")
    return text, len(text) == count


def font_of(handle: int) -> tuple[str, int]:
    """Give a font's base name and its descriptor's flags."""
    size = font_name(handle, _NAME, 256)
    raw = ctypes.string_at(_NAME, max(0, min(size, 256) - 1))
    try:
        name = raw.decode("utf-8")
    except UnicodeDecodeError:
        name = raw.decode("gb18030", "replace")
    return name, font_flags(handle)
