"""Plain paragraphs: what stands in those that a scan took out of a part's XML.

Takes a scan and the numbers of its paragraphs, gives the same passages that the tree would give.
Never meets fields, changes or drawings: a paragraph that holds one is in the tree.
"""

import re

import msgspec

from headworks.readers.docx.marks import MarkReader, Passage, spaced
from headworks.readers.docx.names import W_RPR, W_TC, w
from headworks.readers.docx.package import Element
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.scan import STAND_IN, Cell, Paragraph, Scan
from headworks.readers.docx.styles import ParagraphLook, RunLook, StyleSheet
from headworks.readers.docx.symbols import PRIVATE
from headworks.readers.docx.tables import Cell as Shape
from headworks.readers.docx.tables import shape

_W_VANISH = w("vanish")
# A run of one text, or any other run.
_RUN = re.compile(
    "<w:r(?: [^<>]*)?>(?:\x01([0-9]+)\x03)?"
    '<w:t(| xml:space="preserve")>([^<]*)</w:t></w:r>|(<w:r[ >].*?</w:r>)',
    re.DOTALL,
)
# A child of a run: the run's start where it is the first, then a text or another mark.
_CHILD = re.compile(
    "(<w:r[^<>]*>(?:\x01([0-9]+)\x03)?)?"
    '<w:(?:t( xml:space="preserve")?>([^<]*)</w:t>'
    '|(t(?:ab)?|br(?: w:type="page")?|cr|lastRenderedPageBreak|noBreakHyphen)/>)(?:</w:r>)?'
)
_PLAIN = RunLook()
_NOTHING = Scan(None, [], [], [], [], [], [])
_PAGE_BREAK = 'br w:type="page"'


class Outer(msgspec.Struct, frozen=True):
    """What a paragraph's properties amount to.

    ``joined`` tells that its mark is deleted, ``vanishes`` that its mark is hidden.
    """

    look: ParagraphLook
    joined: bool = False
    vanishes: bool = False


class PlainReader:
    """Reads the plain paragraphs of one story in order.

    ``gone`` are the changes whose mark at a paragraph's end joins it to the next.
    """

    def __init__(
        self,
        found: Scan | None,
        styles: StyleSheet,
        marks: MarkReader,
        pages: PageCount,
        gone: tuple[str, ...],
    ) -> None:
        self._scan = found if found is not None else _NOTHING
        self._styles = styles
        self._marks = marks
        self._fields = marks.fields
        self._pages = pages
        self._gone = gone
        self._outer: dict[str | None, Outer] = {}
        self._known: dict[tuple[str | None, str | None], tuple[RunLook, ParagraphLook, bool]] = {}
        self._ends: dict[str, tuple[bool, bool]] = {}
        self._looks: dict[str | None, dict[str | None, RunLook]] = {}
        self._shapes: dict[str, Shape] = {}

    def stretch(self, stand_in: str) -> list[Paragraph]:
        """Give the paragraphs of a stretch."""
        if self._fields.muted:
            self._marks.begin()
        first, last = stand_in.split()
        return self._scan.paragraphs[int(first) : int(last)]

    def cells(self, stand_in: str) -> list[Cell]:
        """Give the cells that a stand-in holds the place of."""
        return self._scan.cells[int(stand_in)]

    def cell(self, number: str) -> Shape:
        """Give the shape that a cell's properties amount to."""
        found = self._shapes.get(number)
        if found is None:
            properties = self._scan.inner[int(number)] if number else None
            found = self._shapes[number] = shape(properties)
        return found

    def outer(self, paragraph: Paragraph) -> Outer:
        """Give what the properties of a paragraph amount to."""
        number = paragraph[0]
        outer = self._outer.get(number)
        if outer is None:
            outer = self._outer[number] = self._amount(number)
        return outer

    def written(self, element: Element) -> str:
        """Give the texts that a stand-in holds the place of, as they are in the file."""
        stand_in = element.get(STAND_IN)
        cells = self.cells(stand_in) if element.tag == W_TC else [("", stand_in)]
        pieces: list[str] = []
        for _, stretch in cells:
            for _, _, _, text, runs in self.stretch(stretch):
                pieces += [text or ""] if not runs else [c[3] for c in _CHILD.findall(runs)]
        return _unescaped("".join(pieces))

    def text_of(self, paragraph: Paragraph) -> tuple[str, RunLook, ParagraphLook] | None:
        """Give text and looks where a paragraph holds one even text, or none; else nothing.

        A text of blanks counts as none.
        """
        outer, number, kept, text, runs = paragraph
        if runs:
            return None
        known = self._known.get((outer, number))
        if known is None:
            known = self._known[outer, number] = self._worn(paragraph)
        worn, look, even = known
        if not even:
            return None
        if not text:
            return "", worn, look
        text = _shown(text, kept)
        if not text.isprintable() and PRIVATE.search(text):
            return None
        return ("" if text.isspace() else text), worn, look

    def _worn(self, paragraph: Paragraph) -> tuple[RunLook, ParagraphLook, bool]:
        """Give the looks of a paragraph of one text, and whether that is all there is to them."""
        outer = self.outer(paragraph)
        worn = self._look(paragraph[1], outer.look.style_id)
        return worn, outer.look, worn.even and not outer.joined

    def passage(self, paragraph: Paragraph, style_id: str | None, into: Passage | None) -> Passage:
        """Give what a paragraph holds, behind what a passage holds already."""
        passage = Passage() if into is None else into
        _, number, kept, text, runs = paragraph
        if text:
            text = _shown(text, kept)
            if text:
                self._add(text, self._look(number, style_id), passage)
        elif runs:
            self._read(runs, style_id, passage)
        return passage

    def _read(self, runs: str, style_id: str | None, passage: Passage) -> None:
        looks = self._looks.get(style_id) or {}
        add = self._add
        for number, kept, text, other in _RUN.findall(runs):
            if other:
                self._read_run(other, style_id, passage)
            elif text:
                look = looks.get(number) or self._look(number, style_id)
                if text[0] <= " " or text[-1] <= " " or "&" in text or "\n" in text:
                    text = _shown(text, kept)  # noqa: PLW2901
                    if not text:
                        continue
                add(text, look, passage)

    def _read_run(self, run: str, style_id: str | None, passage: Passage) -> None:
        text, look = "", _PLAIN
        for start, number, kept, piece, mark in _CHILD.findall(run):
            if start:
                look = self._look(number, style_id)
            if piece:
                text += _shown(piece, kept)
            elif mark == "tab":
                text += "\t"
            elif mark and mark != "t":
                if text:
                    self._add(text, look, passage)
                    text = ""
                self._mark(mark, look, passage)
        if text:
            self._add(text, look, passage)

    def _add(self, text: str, look: RunLook, passage: Passage) -> None:
        """Put characters behind those of a passage, without a further look at even ones."""
        if not look.even or not text.isprintable():
            self._marks.add(text, look, passage)
            return
        if passage.page is None and not text.isspace():
            passage.page = self._pages.page
            self._pages.text()
        if self._fields.contents:
            passage.contents = True
        passage.pieces.append((text, look))
        passage.length += len(text)

    def _mark(self, mark: str, look: RunLook, passage: Passage) -> None:
        if mark == "lastRenderedPageBreak":
            self._pages.rendered_break()
        elif mark == _PAGE_BREAK:
            self._pages.set_break()
            self._marks.add("\n" if passage.length else "", look, passage)
        else:
            self._marks.add("-" if mark == "noBreakHyphen" else "\n", look, passage)

    def _amount(self, number: str | None) -> Outer:
        if not number:
            return Outer(self._styles.paragraph(None))
        written = self._scan.written[int(number)]
        look = self._styles.paragraph_in(written)
        if look is not None:
            _, _, end = written.rpartition("\x01")
            return Outer(look, *(self._end(end[:-1]) if end[-1:] == "\x03" else ()))
        properties = self._scan.outer[int(number)]
        joined = vanishes = False
        for end in properties.iterchildren(W_RPR):
            stand_in = end.get(STAND_IN)
            own = self._of_mark(end) if stand_in is None else self._end(stand_in)
            joined, vanishes = joined or own[0], vanishes or own[1]
        return Outer(self._styles.paragraph(properties), joined, vanishes)

    def _end(self, number: str) -> tuple[bool, bool]:
        found = self._ends.get(number)
        if found is None:
            found = self._ends[number] = self._of_mark(self._scan.runs[int(number)])
        return found

    def _of_mark(self, properties: Element) -> tuple[bool, bool]:
        """Tell of a paragraph's mark whether it is deleted, and whether it is hidden."""
        tags = [child.tag for child in properties]
        return any(tag in self._gone for tag in tags), _W_VANISH in tags

    def _look(self, number: str | None, style_id: str | None) -> RunLook:
        looks = self._looks.setdefault(style_id, {})
        look = looks.get(number)
        if look is None:
            properties = self._scan.runs[int(number)] if number else None
            look = looks[number] = self._styles.run(style_id, properties)
        return look


def _shown(text: str, kept: str | None) -> str:
    """Give the characters of a ``w:t``; ``kept`` is empty where outer blanks do not count."""
    if "&" in text:
        text = _unescaped(text)
    if text[0] <= " " or text[-1] <= " " or "\n" in text:
        return spaced(text, kept=kept != "")
    return text


def _unescaped(text: str) -> str:
    """Give a text with the characters that its five names of XML stand for."""
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
        text = text.replace(name, character)
    return text.replace("&amp;", "&")
