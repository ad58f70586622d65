"""Lines into paragraphs: does the next line go on, or does something new begin?

Takes two neighbouring lines and the measures of their pages, tells whether they are one paragraph
and how their texts meet. Never looks further ahead than the next line.
"""

import re
from collections.abc import Sequence

import msgspec

from headworks.readers.pdf.glyphs import WIDE
from headworks.readers.pdf.labels import Label, follows, label
from headworks.readers.pdf.layout import Line
from headworks.readers.pdf.measures import Measure, Measures

_ENDED = re.compile("[。！？；：.!?;:…]['\"”’」』）)》】]*$")
_STOPPED = re.compile("[。！？；;!?…]['\"”’」』）)》】]*$")
_CLAUSE_END = re.compile("[，、；。：;]$")
_OPEN_ENDED = re.compile("[，、,（(《“‘—的和与及或按照依据根据至在为对由将以被向从到于]$")
_CLOSERS = "。，、；：！？）》】”’」』〉〕〗％%,.;:!?)]"
_HALF_INK = "。，、；：！？）》】”’」』〉"  # their ink fills half of their square
_UNCLOSED = re.compile("[（(《“【「〔][^）)》”】」〕]*$")
_OPENERS = "（《“‘【「『〈〔〖(["
_WIDE_CHAR = re.compile(f"[{WIDE}]")
_WORD = re.compile("[!-~]+")
_CONTENTS = re.compile("(?:[.·…．。‥_-]{4,}|(?:[.·…] ){3,}) ?[\\dIVXivx\\-– ]{0,8}$|…{2,}.{0,6}$")
_CONTENTS_END = frozenset("0123456789IVXLivxl-–.·…。‥_)） ") | {""}
_CAPTION = re.compile(
    "(?:图|表|附图|附表|续表|Figure|Fig\\.|Table|Tab\\.) ?"
    "(?:[\\d一二三四五六七八九十A-Z]+(?:[-—.．–][\\dA-Z]+)*)(?:[ :：.．（(]|$|(?=[^\\d]))"
)
_CONTINUED = re.compile(
    "续 ?表|(?:表|附表|Table).{1,40}[（(] ?(?:续|continued|cont\\.?)[^）)]{0,4}[）)] *$", re.I
)
_PAGE_AT_END = re.compile(" [-–(（]?[\\dIVXLivxl]{1,4}[-–)）]?$")
_FIELD = re.compile("[^，。；]{1,12}[:：]")
_HYPHENATED = re.compile("[a-z]-$")
_ADDRESS = re.compile("(?:https?://|www\\.)[!-~]*$")


class Set(msgspec.Struct, frozen=True, gc=False):
    """A line with the margins of its region and its label."""

    line: Line
    margins: Measure
    label: Label | None
    contents: bool
    centred: bool

    @property
    def x(self) -> float:
        """The line's start from the left margin."""
        return self.line.x0 - self.margins.left


def set_line(line: Line, margins: Measure, starts: frozenset[int] = frozenset()) -> Set:
    """Give a line in its margins; ``starts`` are the document's indents."""
    width = margins.right - margins.left
    middle = (line.x0 + line.x1) / 2 - (margins.left + margins.right) / 2
    side = min(line.x0 - margins.left, margins.right - line.x1)
    centred = (
        abs(middle) < 0.012 * width + 0.4 * line.size
        and side > 2.6 * min(line.size, 13.0)  # more than a first line's indent
        and _CLAUSE_END.search(line.text) is None
        and round(line.x0 - margins.left) not in starts
    )
    contents = line.text[-1:] in _CONTENTS_END and (
        bool(_CONTENTS.search(line.text))
        or (
            line.parts > 1
            and line.tail > margins.right - 4 * line.size
            and bool(_PAGE_AT_END.search(line.text))
        )
    )
    return Set(line, margins, label(line.text), contents, centred)


def goes_on(paragraph: Sequence[Set], after: Set, measures: Measures) -> bool:
    """Tell whether a line continues the paragraph that ends just before it."""
    before = paragraph[-1]
    if before.contents or (after.contents and after.label is not None):
        return False
    if not _looks_alike(before.line, after.line):
        return False
    if len(after.line.text) == 1 and _is_stack(paragraph, after):
        return True
    if not _near(paragraph, after, measures):
        return False
    if not is_full(before, after.line) and not _cut_by_page(paragraph, after):
        return False
    if before.centred and after.centred:
        room = before.margins.right - before.line.reach
        wrapped = room <= 1.5 * before.line.size and after.line.text[:1] not in _OPENERS
        return wrapped and not _ENDED.search(before.line.text) and after.label is None
    if _UNCLOSED.search(before.line.text) and abs(after.x - paragraph[-1].x) < 3 * after.line.size:
        return True
    if before.centred or (after.centred and len(paragraph) == 1 and before.label is None):
        return False
    if after.label is not None and _begins(paragraph, after):
        return False
    if _FIELD.match(after.line.text) and _is_form(paragraph, after):
        return False
    return _in_place(paragraph, after)


def _is_stack(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether single Han characters stand one below the other: a vertical title."""
    before = paragraph[-1].line
    return (
        all(len(part.line.text) == 1 for part in paragraph)
        and bool(_WIDE_CHAR.match(before.text) and _WIDE_CHAR.match(after.line.text))
        and abs(before.x0 - after.line.x0) < 0.4 * before.size
        and 0 < after.line.base - before.base < 2.2 * before.size
    )


def _is_form(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether lines are fields with their names: 甲方： … 开户银行： …"""
    first, line = paragraph[0], paragraph[-1].line
    if line.parts > 1 or line.text[-1:] in "：:":
        return True
    if abs(after.x - first.x) > 0.9 * line.size:
        return False
    if _STOPPED.search(line.text):
        return True
    return len(paragraph) == 1 and first.label is None and bool(_FIELD.match(first.line.text))


def _cut_by_page(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether a page's end cut a running sentence in a line that is not full."""
    before = paragraph[-1]
    return (
        before.line.page != after.line.page
        and len(paragraph) > 1
        and after.label is None
        and not _ENDED.search(before.line.text)
        and abs(after.x - before.x) < after.line.size
    )


def _looks_alike(before: Line, after: Line) -> bool:
    if before.level != after.level:
        return False
    larger, smaller = max(before.size, after.size), min(before.size, after.size)
    if larger - smaller > 0.12 * larger + 0.2:
        return False
    heading = before.bold and before.bold_end
    return not (heading and not after.bold and not after.bold_end and len(before.text) < 40)


def _near(paragraph: Sequence[Set], after: Set, measures: Measures) -> bool:
    """Tell whether the distance down is that of one paragraph's lines (or a page lies between)."""
    before = paragraph[-1].line
    if before.page != after.line.page:
        return True
    down = after.line.base - before.base
    if down <= 0:
        return True  # the next column
    usual = measures.pitch(before.page, after.line.size)
    if len(paragraph) > 1 and paragraph[-2].line.page == before.page:
        own = before.base - paragraph[-2].line.base
        usual = own if 0 < own < 2 * usual else usual
    limit = 1.3 * usual + 0.1 * after.line.size
    if not _ENDED.search(before.text):  # an unfinished sentence bears a wider step
        limit = max(limit, 2.7 * after.line.size)
    return down <= limit


def is_full(before: Set, after: Line) -> bool:
    """Tell whether a line ends where it does because the next piece did not fit."""
    size = before.line.size
    space = before.margins.right - before.line.reach
    if before.line.text[-1:] in _HALF_INK:
        space -= 0.5 * size
    if before.line.hyphen or space <= 1.2 * size:
        return True
    return space <= _first_unit(after.text) * size + 0.35 * size


def _first_unit(text: str) -> float:
    """Give the ems of the piece that would have had to fit: it cannot be broken."""
    index, width = 0, 0.0
    while index < len(text) and text[index] in _OPENERS:
        index, width = index + 1, width + 1.0
    word = _WORD.match(text, index)
    if word:
        index, width = word.end(), width + min(0.6 * len(word.group()), 18.0)
    elif index < len(text):
        index, width = index + 1, width + 1.0
    while index < len(text) and text[index] in _CLOSERS:
        index, width = index + 1, width + 1.0
    return width


def _begins(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether a label at a line's start begins something, behind a full line."""
    mark, text = after.label, paragraph[-1].line.text
    if mark is None:
        return False
    if _STOPPED.search(text):
        return not (mark.mention and abs(after.x) < after.line.size)
    if mark.mention or _OPEN_ENDED.search(text):
        return False
    if _ENDED.search(text):
        return True
    head = paragraph[0].label
    if abs(after.x - paragraph[0].x) > 0.9 * after.line.size:
        return False  # not where this paragraph's own label stands
    if follows(head, mark):
        return True
    if len(paragraph) == 1 and head is not None and mark.family in ("章", "条", "节", "编"):
        return True
    return mark.family == "•" and head is not None and head.family == "•"


def _in_place(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether the line begins where a following line of the paragraph would."""
    before, size = paragraph[-1], after.line.size
    stopped = bool(_STOPPED.search(before.line.text))
    slack = 0.9 * size
    if after.line.start < after.line.x0 and not stopped and after.label is None:
        follows = paragraph[1].x if len(paragraph) > 1 else min(0.0, paragraph[0].x)
        if abs(after.line.start - after.margins.left - follows) <= slack:
            return True  # a blank to be filled in stands first
    if not stopped and _is_behind_blank(paragraph, after):
        return True
    if len(paragraph) > 1:
        moved = after.x - paragraph[1].x
        if abs(moved) <= slack:
            return True
        return moved < 0 and not stopped and after.label is None and moved > -4 * size
    moved = after.x - paragraph[0].x
    if moved < -slack:
        # Farther right than any indent: behind a blank, if it is the rest of a line of words.
        words = len(paragraph[0].line.text) > 12 and not stopped and "____" not in before.line.text
        return moved > -9 * size or words
    if moved <= slack:  # flush: an indented line that stops was a paragraph of its own
        return not stopped or paragraph[0].x < size
    return paragraph[0].label is not None and moved <= 7 * size


def _is_behind_blank(paragraph: Sequence[Set], after: Set) -> bool:
    """Tell whether a line stands far right because a blank, drawn and not typed, precedes it."""
    if after.label is not None or after.centred or len(after.line.text) < 12:
        return False
    if _ENDED.search(paragraph[-1].line.text):
        return False
    follows = paragraph[1].x if len(paragraph) > 1 else min(0.0, paragraph[0].x)
    width = after.margins.right - after.margins.left
    return 2.7 * after.line.size < after.x - follows < 0.6 * width


def is_caption(paragraph: Sequence[Set], beside: bool) -> bool:
    """Tell whether a paragraph names a figure or a table: 图3-2 系统结构, Table 1.

    In the middle of the line it does by its words; elsewhere a table must follow.
    """
    line = paragraph[0].line
    return (
        len(paragraph) <= 2
        and (beside or all(part.centred or part.x > 5 * part.line.size for part in paragraph))
        and len(line.text) <= 60
        and not paragraph[0].contents
        and _CAPTION.match(line.text) is not None
    )


def is_continued(text: str) -> bool:
    """Tell whether a line says that a table goes on: 续表, 表3（续）, Table 3 (continued)."""
    return len(text) < 60 and _CONTINUED.match(text) is not None


def joint(before: str, after: str) -> tuple[str, str]:
    """Give the earlier text and what stands between it and the next line's."""
    if _HYPHENATED.search(before) and after[:1].islower():
        return before[:-1], ""
    if before.endswith("-") and before[-2:-1].isalnum():
        return before, ""
    if _WIDE_CHAR.match(before[-1:]) or _WIDE_CHAR.match(after[:1]):
        return before, ""
    if _ADDRESS.search(before):
        return before, ""
    return before, " "


def texts(paragraph: Sequence[Set]) -> list[str]:
    """Give the pieces of a paragraph, one a line, joined so that they can follow each other."""
    pieces = [paragraph[0].line.text]
    for after in paragraph[1:]:
        kept, between = joint(pieces[-1], after.line.text)
        pieces[-1] = kept + between
        pieces.append(after.line.text)
    return pieces
