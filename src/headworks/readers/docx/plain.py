"""Plain paragraphs: what stands in those that a scan took out of a part's XML.

Takes a scan and the numbers of its paragraphs, gives the same passages that the tree would give.
Never meets fields, changes or drawings: a paragraph that holds one is in the tree.
"""

import re

import msgspec

from headworks.readers.docx.marks import MarkReader, Passage, spaced
from headworks.readers.docx.names import W_RPR, w
from headworks.readers.docx.package import Element
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.scan import STAND_IN, Scan
from headworks.readers.docx.styles import ParagraphLook, RunLook, StyleSheet

_W_VANISH = w("vanish")
# A child of a run: the run's start where it is the first, then a text or another mark.
_CHILD = re.compile(
    "(<w:r[^<>]*>(?:\x01([0-9]+)\x03)?)?"
    '<w:(?:t( xml:space="preserve")?>([^<]*)</w:t>'
    '|(t(?:ab)?|br(?: w:type="page")?|cr|lastRenderedPageBreak|noBreakHyphen)/>)(?:</w:r>)?'
)
_PLAIN = RunLook()
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
        found: Scan,
        styles: StyleSheet,
        marks: MarkReader,
        pages: PageCount,
        gone: tuple[str, ...],
    ) -> None:
        self._scan = found
        self._styles = styles
        self._marks = marks
        self._fields = marks.fields
        self._signs = found.signs
        self._pages = pages
        self._gone = gone
        self._outer: dict[str, Outer] = {}
        self._ends: dict[str, tuple[bool, bool]] = {}
        self._looks: dict[str | None, dict[str, RunLook]] = {}

    def paragraph(self, stand_in: str) -> tuple[Outer, str]:
        """Give what the properties of a paragraph amount to, and its runs."""
        number, runs = self._scan.paragraphs[int(stand_in)]
        outer = self._outer.get(number)
        if outer is None:
            outer = self._outer[number] = self._amount(number)
        return outer, runs

    def text(self, stand_in: str) -> str:
        """Give a paragraph's texts as they stand in the file."""
        runs = self._scan.paragraphs[int(stand_in)][1]
        return unescaped("".join([found[3] for found in _CHILD.findall(runs)]))

    def passage(self, runs: str, style_id: str | None, into: Passage | None) -> Passage:
        """Give what runs hold, behind what a passage holds already."""
        passage = Passage() if into is None else into
        looks = self._looks.get(style_id)
        if looks is None:
            looks = self._looks[style_id] = {}
        self._marks.begin()
        if not runs:
            return passage
        add, text, look = self._add, "", _PLAIN
        for start, number, kept, piece, mark in _CHILD.findall(runs):
            if start:
                if text:
                    add(text, look, passage)
                    text = ""
                look = looks.get(number) or self._look(number, style_id, looks)
            if piece:
                if "&" in piece:
                    piece = unescaped(piece)  # noqa: PLW2901
                if piece[0] <= " " or piece[-1] <= " " or "\n" in piece:
                    piece = spaced(piece, kept=kept != "")  # noqa: PLW2901
                text += piece
            elif mark == "tab":
                text += "\t"
            elif mark and mark != "t":
                if text:
                    add(text, look, passage)
                    text = ""
                self._mark(mark, look, passage)
        if text:
            add(text, look, passage)
        return passage

    def _add(self, text: str, look: RunLook, passage: Passage) -> None:
        """Put characters behind those of a passage, without a further look at even ones."""
        if self._signs or not look.even:
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

    def _amount(self, number: str) -> Outer:
        if not number:
            return Outer(self._styles.paragraph(None))
        properties = self._scan.outer[int(number)]
        joined = vanishes = False
        for end in properties.iterchildren(W_RPR):
            own = self._end(end)
            joined, vanishes = joined or own[0], vanishes or own[1]
        return Outer(self._styles.paragraph(properties, once=True), joined, vanishes)

    def _end(self, properties: Element) -> tuple[bool, bool]:
        """Tell of a paragraph's mark whether it is deleted, and whether it is hidden."""
        number = properties.get(STAND_IN) or ""
        found = self._ends.get(number)
        if found is None:
            worn = self._scan.runs[int(number)] if number else properties
            tags = [child.tag for child in worn]
            found = any(tag in self._gone for tag in tags), _W_VANISH in tags
            self._ends[number] = found
        return found

    def _look(self, number: str, style_id: str | None, looks: dict[str, RunLook]) -> RunLook:
        properties = self._scan.runs[int(number)] if number else None
        look = looks[number] = self._styles.run(style_id, properties)
        return look


def unescaped(text: str) -> str:
    """Give a text with the characters that its five names of XML stand for."""
    if "&" not in text:
        return text
    for name, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
        text = text.replace(name, character)
    return text.replace("&amp;", "&")
