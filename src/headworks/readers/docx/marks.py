"""What stands in a paragraph: its characters with their look, and what hangs on it.

Takes a ``w:p``, gives a ``Passage``. Never decides what becomes of it: blocks are the reader's.
"""

import re
from collections.abc import Callable
from typing import Literal

from headworks.readers.docx.drawings import Drawing, drawing_of
from headworks.readers.docx.fields import FieldStack, counts_pages, form_value, kind_of
from headworks.readers.docx.formulas import linear
from headworks.readers.docx.names import (
    M_OMATH,
    M_OMATHPARA,
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    W_AUTHOR,
    W_BR,
    W_CR,
    W_DATE,
    W_DEL,
    W_DRAWING,
    W_FLDCHAR,
    W_FLDCHARTYPE,
    W_ID,
    W_INS,
    W_INSTRTEXT,
    W_MOVEFROM,
    W_MOVETO,
    W_OBJECT,
    W_P,
    W_PAGEBREAK,
    W_PICT,
    W_R,
    W_RPR,
    W_SDT,
    W_SDTCONTENT,
    W_SYM,
    W_T,
    W_TAB,
    W_TC,
    W_TYPE,
    w,
)
from headworks.readers.docx.package import Element
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.scan import STAND_IN
from headworks.readers.docx.styles import RunLook, StyleSheet
from headworks.readers.docx.symbols import PRIVATE, sign

Revisions = Literal["accepted", "rejected", "marked"]
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_W_DELTEXT, _W_CHAR, _W_FONT = w("delText"), w("char"), w("font")
_W_NOBREAK, _W_PTAB, _W_RUBY = w("noBreakHyphen"), w("ptab"), w("ruby")
_W_FOOTNOTE, _W_ENDNOTE = w("footnoteReference"), w("endnoteReference")
_W_COMMENT, _W_FLDSIMPLE, _W_INSTR = w("commentReference"), w("fldSimple"), w("instr")
_W_RANGE_START, _W_RANGE_END = w("commentRangeStart"), w("commentRangeEnd")
_W_RUBYBASE, _W_FFDATA = w("rubyBase"), w("ffData")
_CONTAINERS = frozenset(map(w, ("hyperlink", "smartTag", "customXml", "dir", "bdo", "subDoc")))
_REVISIONS = frozenset({W_INS, W_DEL, W_MOVEFROM, W_MOVETO})
_NAMES = {W_INS: "新增", W_DEL: "删除", W_MOVEFROM: "移出", W_MOVETO: "移入"}
_HIDDEN_BY = {
    "accepted": frozenset({W_DEL, W_MOVEFROM}),
    "rejected": frozenset({W_INS, W_MOVETO}),
    "marked": frozenset[str](),
}
_EQUATIONS = ("object Equation", "object MathType", "object KSEE")
_RAISED = str.maketrans("0123456789+-−n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ")
_RAISABLE = re.compile("[0-9+−n-]{1,4}$")
_PLAIN = RunLook()


class Revision:
    """A stretch that a tracked change took out of the shown text."""

    __slots__ = ("author", "date", "text")

    def __init__(self, text: str, author: str | None, date: str | None) -> None:
        self.text = text
        self.author = author
        self.date = date


class Passage:
    """What one paragraph holds. ``length`` counts the shown characters so far.

    ``notes`` are (kind, id); ``comments`` are ids in order, ``opened`` and ``closed`` tell where
    their ranges begin and end; ``page`` is the page of the first shown character.
    """

    __slots__ = (
        "closed",
        "comments",
        "contents",
        "deleted",
        "drawings",
        "formula_length",
        "hidden",
        "length",
        "notes",
        "opened",
        "page",
        "page_field",
        "pieces",
    )

    def __init__(self) -> None:
        self.pieces: list[tuple[str, RunLook]] = []
        self.length = 0
        self.hidden: list[str] = []
        self.deleted: list[Revision] = []
        self.drawings: list[Drawing] = []
        self.notes: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self.opened: dict[str, int] = {}
        self.closed: dict[str, int] = {}
        self.page: int | None = None
        self.page_field = False
        self.formula_length = 0
        self.contents = False

    @property
    def text(self) -> str:
        """The shown characters."""
        return "".join([text for text, _ in self.pieces])


class MarkReader:
    """Reads the paragraphs of one story in order; keeps its open fields and its page count."""

    def __init__(self, styles: StyleSheet, pages: PageCount, revisions: Revisions) -> None:
        self._styles = styles
        self._pages = pages
        self._revisions = revisions
        self._left_out = _HIDDEN_BY[revisions]
        self.fields = FieldStack()
        self.formula_objects = 0
        self.note_mark: Callable[[str, str], str] = lambda _kind, _note_id: ""
        self.plain_text: Callable[[Element], str] = lambda _stand_in: ""

    def read(
        self, paragraph: Element, style_id: str | None, into: Passage | None = None
    ) -> Passage:
        """Give what a paragraph holds; ``into`` goes on with one whose mark was deleted."""
        passage = Passage() if into is None else into
        self.begin()
        self._content(paragraph, style_id, passage)
        return passage

    def begin(self) -> None:
        """Come to a new paragraph."""
        if self.fields.muted:
            # Instructions do not reach over paragraphs in any file that a program wrote.
            self.fields.give_up_instructions()

    def _content(self, container: Element, style_id: str | None, passage: Passage) -> None:
        for child in container:
            tag = child.tag
            if tag == W_R:
                self._run(child, style_id, passage)
            elif tag in _CONTAINERS:
                self._content(child, style_id, passage)
            elif tag in _REVISIONS:
                self._revision(child, tag, style_id, passage)
            elif tag == W_SDT:
                inner = child.find(W_SDTCONTENT)
                if inner is not None:
                    self._content(inner, style_id, passage)
            elif tag == _W_FLDSIMPLE:
                self._simple_field(child, style_id, passage)
            elif tag in (M_OMATH, M_OMATHPARA):
                before = passage.length
                self.add(linear(child), _PLAIN, passage)
                passage.formula_length += passage.length - before
            elif tag == _W_RANGE_START:
                passage.opened[child.get(W_ID) or ""] = passage.length
            elif tag == _W_RANGE_END:
                passage.closed[child.get(W_ID) or ""] = passage.length
            elif tag == MC_ALTERNATE:
                self._alternate(
                    child, passage, lambda branch: self._content(branch, style_id, passage)
                )

    def _alternate(
        self, element: Element, passage: Passage, read: Callable[[Element], None]
    ) -> None:
        """Read the first branch of an alternate that holds anything: all show the same."""
        before = (passage.length, len(passage.drawings), len(passage.hidden))
        for branch in element:
            if branch.tag in (MC_CHOICE, MC_FALLBACK):
                read(branch)
                if (passage.length, len(passage.drawings), len(passage.hidden)) != before:
                    return

    def _run(self, run: Element, style_id: str | None, passage: Passage) -> None:
        properties = None
        text = ""
        for child in run:
            tag = child.tag
            if tag == W_T:
                piece = child.text
                if piece:
                    if piece[0] <= " " or piece[-1] <= " " or "\n" in piece:
                        piece = spaced(piece, kept=child.get(_SPACE) == "preserve")
                    text += piece
            elif tag == W_RPR:
                properties = child
            elif tag == W_TAB:
                text += "\t"
            else:
                if text:
                    self.add(text, self._styles.run(style_id, properties), passage)
                    text = ""
                self._mark(child, tag, self._styles.run(style_id, properties), passage)
        if text:
            self.add(text, self._styles.run(style_id, properties), passage)

    def _mark(self, element: Element, tag: str, look: RunLook, passage: Passage) -> None:
        """Read a child of a run that is not plain text."""
        if tag == W_FLDCHAR:
            self._field_char(element, look, passage)
        elif tag == W_INSTRTEXT:
            self.fields.instruct(element.text or "")
        elif tag == W_BR:
            if element.get(W_TYPE) == "page":
                self._pages.set_break()
                self.add("\n" if passage.length else "", look, passage)
            else:
                self.add("\n", look, passage)
        elif tag == W_PAGEBREAK:
            self._pages.rendered_break()
        elif tag == W_CR:
            self.add("\n", look, passage)
        elif tag == _W_NOBREAK:
            self.add("-", look, passage)
        elif tag == _W_PTAB:
            self.add("\t", look, passage)
        elif tag == W_SYM:
            character = _character(element.get(_W_CHAR))
            self.add(sign(character, element.get(_W_FONT)), look, passage)
        elif tag == _W_DELTEXT:
            self.add(element.text or "", look, passage)
        elif tag in (W_DRAWING, W_PICT, W_OBJECT):
            self._drawing(element, look, passage)
        elif tag in (_W_FOOTNOTE, _W_ENDNOTE):
            self._note(element, tag, look, passage)
        elif tag == _W_COMMENT:
            passage.comments.append(element.get(W_ID) or "")
        elif tag == _W_RUBY:
            base = element.find(_W_RUBYBASE)
            if base is not None:
                self._content(base, None, passage)
        elif tag == MC_ALTERNATE:
            self._alternate(
                element, passage, lambda branch: self._run_branch(branch, look, passage)
            )

    def _run_branch(self, branch: Element, look: RunLook, passage: Passage) -> None:
        for child in branch:
            if child.tag == W_T:
                self.add(child.text or "", look, passage)
            else:
                self._mark(child, child.tag, look, passage)

    def add(self, text: str, look: RunLook, passage: Passage) -> None:
        """Put shown characters behind those of a passage."""
        if self.fields.muted:
            return
        if look.hidden:
            passage.hidden.append(text)
            return
        if look.symbol is not None or PRIVATE.search(text):
            text = "".join([sign(character, look.symbol) for character in text])
        if look.raised and passage.length and _RAISABLE.match(text):
            text = text.translate(_RAISED)
        if passage.page is None and not text.isspace() and text:
            passage.page = self._pages.page
            self._pages.text()
        if self.fields.contents:
            passage.contents = True
        passage.pieces.append((text, look))
        passage.length += len(text)

    def _field_char(self, element: Element, look: RunLook, passage: Passage) -> None:
        kind = element.get(W_FLDCHARTYPE)
        if kind == "begin":
            self.fields.begin()
            form = element.find(_W_FFDATA)
            shown = form_value(form) if form is not None else ""
            if shown:
                # It stands where the field does: behind its instruction, which is muted.
                muted, self.fields.muted = self.fields.muted, self.fields.muted - 1
                self.add(shown, look, passage)
                self.fields.muted = muted
        elif kind == "separate":
            passage.page_field |= counts_pages(self.fields.separate())
        elif kind == "end":
            name, text, font = self.fields.end()
            passage.page_field |= counts_pages(name)
            if text:
                self.add("".join(sign(character, font) for character in text), look, passage)

    def _simple_field(self, element: Element, style_id: str | None, passage: Passage) -> None:
        instruction = element.get(_W_INSTR) or ""
        passage.page_field |= counts_pages(kind_of(instruction))
        self._content(element, style_id, passage)

    def _revision(self, element: Element, tag: str, style_id: str | None, passage: Passage) -> None:
        author, date = element.get(W_AUTHOR), element.get(W_DATE)
        if tag in self._left_out:
            # Moved text stands at its other place: only what is nowhere else is kept aside.
            if tag in (W_DEL, W_INS) and not self.fields.muted:
                text = "".join(map(self._written, element.iter(W_T, _W_DELTEXT, W_P, W_TC)))
                if text:
                    passage.deleted.append(Revision(text, author, date))
            return
        if self._revisions != "marked":
            self._content(element, style_id, passage)
            return
        before = passage.length
        index = len(passage.pieces)
        self._content(element, style_id, passage)
        if passage.length > before:
            who = " ".join(filter(None, (author, (date or "")[:10])))
            opening = f"[{_NAMES[tag]} {who}：" if who else f"[{_NAMES[tag]}："
            passage.pieces.insert(index, (opening, passage.pieces[index][1]))
            passage.pieces.append(("]", passage.pieces[-1][1]))
            passage.length += len(opening) + 1

    def _written(self, element: Element) -> str:
        """Give the text of a ``w:t``, or what a stand-in holds the place of."""
        if element.tag in (W_T, _W_DELTEXT):
            return element.text or ""
        return self.plain_text(element) if element.get(STAND_IN) is not None else ""

    def _drawing(self, element: Element, look: RunLook, passage: Passage) -> None:
        drawing = drawing_of(element)
        formulas = [p for p in drawing.pictures if p.kind.startswith(_EQUATIONS)]
        if formulas:
            # A formula editor's object is a picture in the line: a block would tear the sentence.
            self.add("[公式]" * len(formulas), look, passage)
            drawing.pictures = [p for p in drawing.pictures if p not in formulas]
            self.formula_objects += len(formulas)
        if drawing:
            passage.drawings.append(drawing)

    def _note(self, element: Element, tag: str, look: RunLook, passage: Passage) -> None:
        kind, note_id = "footnote" if tag == _W_FOOTNOTE else "endnote", element.get(W_ID) or ""
        mark = self.note_mark(kind, note_id)
        if mark and not self.fields.muted:
            passage.notes.append((kind, note_id))
            self.add(mark, look, passage)


def _character(code: str | None) -> str:
    """Give the character of a hexadecimal code; a square where it is none."""
    try:
        return chr(int(code or "", 16))
    except (ValueError, OverflowError):
        return "□"


def spaced(text: str, *, kept: bool) -> str:
    """Give a text's characters as Word takes them: outer blanks only where they are kept."""
    if not kept:
        text = text.strip(" \t\r\n")
    return text.replace("\r\n", " ").replace("\n", " ") if "\n" in text else text
