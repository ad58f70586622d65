"""The lines of a page: pdfium's text split at line ends and wide gaps, each with box and look.

Takes an open page, gives fragments in the file's own order, spaces between Han characters judged by
their width. Never decides what belongs together: that is ``layout`` and ``paragraphs``.
"""

import re
from bisect import bisect
from collections.abc import Sequence

import msgspec

from headworks.readers.pdf import native
from headworks.readers.pdf.glyphs import HAN, WIDE, from_glyphs, plain
from headworks.readers.pdf.looks import Reading, look_of

# pdfium marks a hyphen at a line's end with U+FFFE or U+0002 and leaves the line end out.
_LINE = re.compile("[^\r\n\ufffe\u0002]*[^\\s\ufffe\u0002][^\r\n\ufffe\u0002]*[\ufffe\u0002]?")
_SPACES = re.compile(" +")
# Two characters with spaces between that may be no one's: beside Han, 3. 1, JT / T.
_DOUBTFUL = re.compile(f"[{WIDE}]|.[{WIDE}]|[.．]\\d|[A-Z]/|/[A-Z]", re.DOTALL)
_SPACED_OUT = re.compile(f"(?<![^ \\s])[{HAN}](?: [{HAN}]){{2,}}(?=[ {WIDE}A-Z]|$)")
_DATE_BLANK = re.compile("^年 月 日$")
# A number at the line's start keeps the space behind it, however narrow.
NUMBERED = re.compile(
    "(?:第[〇零一二三四五六七八九十百千两\\d]+[编章节条款部分]+"
    "|附件?[录表图]?[一二三四五六七八九十\\dA-Z]*|[图表] ?[\\dA-Z]+(?:[-.．–—]\\d+)*"
    "|[一二三四五六七八九十]+、"
    "|[（(][一二三四五六七八九十\\d]+[）)]|[A-Z](?:[.．]\\d{1,3}){1,4}"
    "|[A-Z]?\\d{1,3}(?:[.．]\\d+)*[.．、)）]|[•·●■□◆▪-]) "
    "|[A-Z]?\\d{1,3}(?:[.．]\\d+)* (?![年月日天个万元时分%])"
)
_UNITS = frozenset("年月日时分秒元个页条章节款项天至万亿％%")

UNMAPPED_SHARE = 0.2  # of a page's characters
WIDE_GAP = 1.3  # ems: a wider gap parts two cells, columns or fields
NARROW_GENERATED = 0.5  # ems: a space that pdfium added and no one typed
NARROW_UNIT = 0.75  # ems: between a number and its unit, 12 月
NARROW_TYPED = 0.2  # ems: a space character squeezed to nothing by justification


class Fragment(msgspec.Struct, frozen=True, gc=False):
    """A stretch of text on one baseline without a wide gap.

    Box in display points; ``base`` the baseline's y; ``bold`` and ``bold_end`` at its two ends,
    ``lead`` the bold characters at the start where the end is not bold; ``first`` and ``last``
    offsets in pdfium's text of the page; ``angle`` in degrees clockwise from upright; ``hyphen``
    tells that a word goes on in the next line; ``start`` and ``reach`` are its ends with the
    spaces typed there; ``white`` tells that it shows on a dark ground only, ``pale`` that it is
    as light as watermarks are; ``level`` is that of the heading the file says it is, 0 for none;
    ``score`` is how sure its recognition is.
    """

    text: str
    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    base: float
    size: float
    font: str
    bold: bool
    bold_end: bool
    lead: int
    first: int
    last: int
    angle: int = 0
    hidden: bool = False
    hyphen: bool = False
    start: float = 0.0
    reach: float = 0.0
    white: bool = False
    level: int = 0
    score: float = 1.0
    pale: bool = False


def fragments(reading: Reading) -> list[Fragment]:
    """Give the page's fragments in the file's order."""
    found: list[Fragment] = []
    for match in _LINE.finditer(reading.text):
        found.extend(_line_fragments(reading, *match.span()))
    return found


def with_levels(reading: Reading, found: list[Fragment], marks: dict[int, int]) -> list[Fragment]:
    """Give the fragments with the levels of those that are headings by the file's own tags."""
    levelled = []
    for part in found:
        handle = native.char_object(reading.page.text, reading.char(part.first))
        level = marks.get(native.object_mark(handle), 0) if handle else 0
        levelled.append(msgspec.structs.replace(part, level=level) if level else part)
    return levelled


def unmapped(reading: Reading, found: list[Fragment]) -> int:
    """Give how many characters stand in lines whose font does not say what its glyphs mean.

    A few of them are the signs of formulas, for which what pdfium guesses will do.
    """
    looks = ((part, look_of(reading, reading.char(part.first))) for part in found)
    chars = unknown = 0
    for part, look in looks:
        if look.numbers:
            unknown += part.text.count("\ufffd")
        elif look.unmapped:
            chars += len(part.text)
    return unknown + (chars if chars > UNMAPPED_SHARE * len(reading.text) else 0)


def split(reading: Reading, fragment: Fragment, edges: Sequence[float]) -> list[Fragment]:
    """Give a fragment cut where its characters cross one of the vertical lines (ascending)."""
    parts, begin, side = [], fragment.first, -1
    text = reading.text
    for index in range(fragment.first, fragment.last + 1):
        if text[index].isspace():
            continue
        box = native.tight_box(reading.page, reading.char(index))
        here = bisect(edges, (box[0] + box[2]) / 2)
        if here != side and side >= 0:
            parts.append((begin, index))
            begin = index
        side = here
    parts.append((begin, fragment.last + 1))
    found = (stretch(reading, begin, end) for begin, end in parts)
    return [part for part in found if part is not None]


def stretch(reading: Reading, begin: int, end: int) -> Fragment | None:
    """Give the fragment of a part of the text, without the spaces at its end; none if unseen."""
    while end > begin + 1 and reading.text[end - 1].isspace():
        end -= 1
    first, last = reading.char(begin), reading.char(end - 1)
    boxes = native.rects(reading.page, first, last + 1 - first)
    return _fragment(reading, begin, end, boxes, False) if boxes else None


def words(reading: Reading, fragment: Fragment) -> list[Fragment]:
    """Give a fragment cut at all of its spaces."""
    found, begin = [], fragment.first
    stop = fragment.last + 1
    for match in [*_SPACES.finditer(reading.text, begin, stop), None]:
        end = match.start() if match else stop
        if end > begin and (part := stretch(reading, begin, end)):
            found.append(part)
        begin = match.end() if match else stop
    return found


def _line_fragments(reading: Reading, start: int, end: int) -> list[Fragment]:
    """Give one line of pdfium's as fragments: one, or several where wide gaps part it."""
    text = reading.text
    hyphen = text[end - 1] in "\ufffe\u0002"
    while text[start].isspace():
        start += 1
    while text[end - 1].isspace():
        end -= 1
    first, last = reading.char(start), reading.char(end - 1)
    boxes = native.rects(reading.page, first, last + 1 - first)
    if not boxes:
        return []
    if " " not in text[start:end]:
        return [_fragment(reading, start, end, boxes, hyphen)]
    look = look_of(reading, first)
    if look.angle or not _may_have_gap(text[start:end], boxes, look.size):
        return [_fragment(reading, start, end, boxes, hyphen)]
    found, cuts = [], _cuts(reading, start, end, look.size)
    if len(cuts) == 1:
        return [_fragment(reading, start, end, boxes, hyphen)]
    for begin, stop in cuts:
        first, last = reading.char(begin), reading.char(stop - 1)
        part = native.rects(reading.page, first, last + 1 - first)
        if part:
            found.append(_fragment(reading, begin, stop, part, hyphen and stop == end))
    return found


def _may_have_gap(text: str, boxes: list[tuple[float, float, float, float]], size: float) -> bool:
    """Tell cheaply whether a wide gap can be in the line."""
    limit = WIDE_GAP * size
    right = boxes[0][2]
    for box in boxes[1:]:
        if box[0] - right > limit or box[2] < right - limit:
            return True
        right = box[2]
    # Half an em for what takes one byte, a whole one for what takes three.
    expected = (len(text.encode("utf-8", "surrogatepass")) + len(text)) / 4 * size
    return right - boxes[0][0] > 1.25 * expected + size


def _cuts(reading: Reading, start: int, end: int, size: float) -> list[tuple[int, int]]:
    """Give the parts of a line between its wide gaps."""
    cuts, begin = [], start
    for match in _SPACES.finditer(reading.text, start, end):
        gap = _gap(reading, match.start(), match.end())
        if gap > WIDE_GAP * size or gap < -2 * size:
            cuts.append((begin, match.start()))
            begin = match.end()
    cuts.append((begin, end))
    return [(begin, stop) for begin, stop in cuts if stop > begin]


def _gap(reading: Reading, start: int, end: int) -> float:
    """Give the width of white between the characters on both sides of a stretch of spaces."""
    before = native.advance_box(reading.page, reading.char(start - 1))
    after = native.advance_box(reading.page, reading.char(end))
    return after[0] - before[2]


def _fragment(
    reading: Reading,
    start: int,
    end: int,
    boxes: list[tuple[float, float, float, float]],
    hyphen: bool,
) -> Fragment:
    first, last = reading.char(start), reading.char(end - 1)
    look, tail = look_of(reading, first), look_of(reading, last)
    if not tail.font:
        tail = look
    said = reading.text
    size, font = look.size, look.font
    if abs(tail.size - size) > 0.3:  # a number or a mark of its own size at one end
        middle = look_of(reading, reading.char((start + end) // 2))
        if middle.font and abs(middle.size - size) > abs(middle.size - tail.size):
            size, font = tail.size, tail.font
    _, base = native.origin(reading.page, first)
    text = said[start:end]
    if look.numbers:
        text = _lettered(reading, start, end)
    if hyphen:
        text = text[:-1] + "-"
    lead = 0
    if look.bold and not tail.bold:
        lead = _bold_lead(reading, start, end)
    if " " in text:
        text = _tight(reading, start, text, look.size)
    x0, y0, x1, y1 = boxes[0]
    for left, top, right, bottom in boxes[1:]:
        x0, x1 = left if left < x0 else x0, right if right > x1 else x1
        y0, y1 = top if top < y0 else y0, bottom if bottom > y1 else y1
    if not look.angle:  # the em square, where the ink is flat (一、 has no height)
        y0, y1 = min(y0, base - 0.8 * size), max(y1, base + 0.12 * size)
    return Fragment(
        plain(text), reading.page.number, x0, y0, x1, y1, base, size, font, look.bold,
        tail.bold, lead, start, end - 1, look.angle, look.hidden, hyphen,
        _typed_start(reading, start, x0) if start and said[start - 1] == " " else x0,
        _typed_end(reading, end, x1) if said[end : end + 1] == " " else x1,
        look.white and tail.white, pale=look.pale and tail.pale,
    )  # fmt: skip


def _lettered(reading: Reading, start: int, end: int) -> str:
    """Give the letters of glyph numbers; pdfium leaves the space's, which is 3, out."""
    said, last = [], -1
    for index in range(start, end):
        char = reading.char(index)
        said.append("\3" if index > start and char > last + 1 else "")
        said.append(reading.text[index])
        last = char
    return from_glyphs("".join(said))


def _typed_start(reading: Reading, start: int, x0: float) -> float:
    """Give where the spaces before a line begin (blanks to be filled in are spaces)."""
    first, text = start, reading.text
    while first and text[first - 1] == " ":
        first -= 1
    if first == start or native.char_generated(reading.page.text, reading.char(first)):
        return x0
    return min(x0, native.advance_box(reading.page, reading.char(first))[0])


def _typed_end(reading: Reading, end: int, x1: float) -> float:
    last, text = end, reading.text
    while last < len(text) and text[last] == " ":
        last += 1
    if last == end or native.char_generated(reading.page.text, reading.char(last - 1)):
        return x1
    return max(x1, native.advance_box(reading.page, reading.char(last - 1))[2])


def _bold_lead(reading: Reading, start: int, end: int) -> int:
    """Give how many characters at a line's start are bold (its end is not), by halving."""
    low, high = start, end - 1
    while high - low > 1:
        middle = (low + high) // 2
        look = look_of(reading, reading.char(middle))
        if not look.font:  # a space of pdfium's own has no look: take its left neighbour's
            look = look_of(reading, reading.char(middle - 1))
        if look.bold:
            low = middle
        else:
            high = middle
    return high - start


def _tight(reading: Reading, start: int, text: str, size: float) -> str:
    """Give the text without the spaces beside Han characters that no one typed."""
    kept, done = [], 0
    numbered = NUMBERED.match(text)
    after_number = numbered.end() if numbered else -1
    for match in _SPACES.finditer(text):
        if match.end() == after_number or not match.start():
            continue
        at = match.start()
        if not _DOUBTFUL.match(text[at - 1] + text[match.end() : match.end() + 1]):
            continue
        if text[at - 1] in ".．" and not text[max(0, at - 2)].isdigit():
            continue
        gap = _gap(reading, start + match.start(), start + match.end()) / size
        typed = not native.char_generated(reading.page.text, reading.char(start + match.start()))
        narrow = NARROW_TYPED if typed else NARROW_GENERATED
        if not typed and text[match.end()] in _UNITS:
            narrow = NARROW_UNIT
        if gap < narrow:
            kept.append(text[done : match.start()])
            done = match.end()
    text = "".join(kept) + text[done:] if done else text
    return _SPACED_OUT.sub(_closed_up, text) if text.count(" ") > 1 else text


def _closed_up(found: re.Match[str]) -> str:
    spaced = found.group()
    return spaced if _DATE_BLANK.match(spaced) else spaced.replace(" ", "")
