"""A story: the blocks of one part (body, header, note) in reading order.

Takes a container of block-level XML, gives blocks to the builder or lines of text to whom it
asks. Never opens a part: it is given what it reads.
"""

import re
from typing import Any

import msgspec

from headworks.model.document import Block, BlockKind, Role, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.asides import Asides
from headworks.readers.docx.containers import W_ALTCHUNK, blocks_of
from headworks.readers.docx.marks import MarkReader, Passage, Revision, Revisions
from headworks.readers.docx.names import (
    R_ID,
    W_DEL,
    W_INS,
    W_MOVEFROM,
    W_MOVETO,
    W_P,
    W_PPR,
    W_RPR,
    W_SECTPR,
    W_TBL,
    w,
)
from headworks.readers.docx.numbering import Label, Numbering
from headworks.readers.docx.package import Element
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.plain import PlainReader
from headworks.readers.docx.scan import STAND_IN, Scan
from headworks.readers.docx.styles import ParagraphLook, RunLook, StyleSheet
from headworks.readers.docx.tables import (
    Cell,
    as_cell,
    as_row,
    caption_of,
    cells_of,
    grid_of,
    row_revision,
    rows_of,
)

_W_VANISH = w("vanish")
_GONE_MARKS: dict[Revisions, tuple[str, ...]] = {
    "accepted": (W_DEL, W_MOVEFROM),
    "rejected": (W_INS, W_MOVETO),
    "marked": (),
}
_CAPTION_STYLE = re.compile("(?:caption|题注|图表?标题|表标题|图题|表题)", re.IGNORECASE)
_CAPTION = re.compile(
    r"\s*(?:图|表|附图|附表|续表|Fig(?:ure|\.)|Table)\s*[\d一-十A-Z]", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_PAGE_NUMBER = re.compile(
    r"(?:[\s\d第页共总计·•—–\-~/|,，.．:：()（）\[\]【】]|pages?\b|of\b|[ivxlc]+\b)+", re.IGNORECASE
)


class Shared(msgspec.Struct):
    """What all stories of one document share."""

    builder: DocumentBuilder
    styles: StyleSheet
    numbering: Numbering
    revisions: Revisions
    asides: Asides | None = None
    looks: dict[tuple[object, ...], Style] = {}
    by_field: list[Block] = []


class Story:
    """Writes one part's blocks. ``role`` is given to all of them where the part is furniture."""

    def __init__(self, shared: Shared, part: str, role: Role = "body") -> None:
        self._shared = shared
        self._part = part
        self._role = role
        self.pages = PageCount()
        self.marks = MarkReader(shared.styles, self.pages, shared.revisions)
        if shared.asides is not None:
            self.marks.note_mark = shared.asides.note_mark
        self._plain: PlainReader | None = None
        self._index = 0
        # Whose mark at a paragraph's end means that it is joined to the next.
        self._gone_marks = _GONE_MARKS[shared.revisions]
        self._carried: Passage | None = None
        self._aside: list[Passage] = []
        self._page_of_cells: int | None = None
        self._breaks: list[bool] = []
        # Without any word of pages in the file, no page is better than always the first.
        self.paged = False

    def take_scan(self, found: Scan) -> None:
        """Be given the plain paragraphs whose stand-ins are in the tree."""
        shared, gone = self._shared, self._gone_marks
        self._plain = PlainReader(found, shared.styles, self.marks, self.pages, gone)
        self.marks.plain_text = self._plain.text

    def write(self, container: Element, *, contents: bool = False) -> None:
        """Give the builder the blocks of a container."""
        for element, in_contents in blocks_of(container, contents):
            if element.tag == W_P:
                self._paragraph(element, in_contents)
            elif element.tag == W_TBL:
                self._emit_carried(contents)
                self._table(element, in_contents)
            elif self._shared.asides is not None:
                place = PartPlace(self._part, self._index, self.pages.page if self.paged else None)
                self._shared.asides.write_import(element.get(R_ID) or "", place)
        self._emit_carried(contents)

    def expect_pages(self, sections: list[bool], *, known: bool) -> None:
        """Be told whether the file tells of pages, and which sections begin on a new one.

        ``sections`` has an entry for each from the second on.
        """
        self._breaks = sections[::-1]
        self.paged = known

    def _emit_carried(self, contents: bool) -> None:
        """Write what a deleted mark would join to a next paragraph where none follows."""
        if self._carried is not None:
            carried, self._carried = self._carried, None
            self._emit(carried, ParagraphLook(None), None, contents)

    def _paragraph(self, paragraph: Element, contents: bool) -> None:
        passage, look, label = self._read(paragraph)
        if passage is not None:
            self._emit(passage, look, label, contents)

    def _read(self, paragraph: Element) -> tuple[Passage | None, ParagraphLook, Label | None]:
        """Read a paragraph; nothing where its deleted mark joins it to the next."""
        stand_in = paragraph.get(STAND_IN)
        if stand_in is not None and self._plain is not None:
            return self._read_plain(stand_in, self._plain)
        properties = next(paragraph.iterchildren(W_PPR), None)
        look = self._shared.styles.paragraph(properties)
        if look.page_break_before and self._index:
            self.pages.set_break()
        self._index += 1
        carried, self._carried = self._carried, None
        passage = self.marks.read(paragraph, look.style_id, carried)
        vanished = False
        for part in properties.iterchildren(W_RPR, W_SECTPR) if properties is not None else ():
            if part.tag == W_SECTPR:
                if self._breaks and self._breaks.pop():
                    self.pages.set_break()
                continue
            for mark in part.iterchildren(_W_VANISH, *self._gone_marks):
                if mark.tag != _W_VANISH:
                    self._carried = passage
                    return None, look, None
                vanished = not passage.pieces
        if look.num_id is None or (vanished and passage.hidden):
            return passage, look, None
        return passage, look, self._shared.numbering.label(look)

    def _read_plain(
        self, stand_in: str, plain: PlainReader
    ) -> tuple[Passage | None, ParagraphLook, Label | None]:
        """Read a paragraph that is not in the tree."""
        outer, runs = plain.paragraph(stand_in)
        look = outer.look
        if look.page_break_before and self._index:
            self.pages.set_break()
        self._index += 1
        carried, self._carried = self._carried, None
        passage = plain.passage(runs, look.style_id, carried)
        if outer.joined:
            self._carried = passage
            return None, look, None
        if look.num_id is None or (outer.vanishes and passage.hidden and not passage.pieces):
            return passage, look, None
        return passage, look, self._shared.numbering.label(look)

    def _emit(
        self, passage: Passage, look: ParagraphLook, label: Label | None, contents: bool
    ) -> None:
        text = passage.text.rstrip()
        page = (passage.page or self.pages.page) if self.paged else None
        place = PartPlace(self._part, self._index - 1, page)
        block, shift = None, 0
        if text and not text.isspace():
            block, shift = self._emit_text(text, passage, (look, label), place, contents)
        asides = self._shared.asides
        if asides is not None:
            asides.write(passage, place, block, shift)
            asides.write_pictures(passage, place, self._role)
        for drawing in passage.drawings:
            for art in drawing.word_art:
                role: Role = "body" if self._role == "body" else "watermark"
                self._shared.builder.paragraph(art, place, role=role)
            for box in drawing.boxes:
                self.write(box)

    def _emit_text(
        self,
        text: str,
        passage: Passage,
        looks: tuple[ParagraphLook, Label | None],
        place: PartPlace,
        contents: bool,
    ) -> tuple[Block | None, int]:
        """Write a paragraph; give its block and what leads from the passage's offsets to it."""
        look, label = looks
        builder, auto = self._shared.builder, 0
        body = text.lstrip("\n")
        if label is not None and label.text:
            body = body.lstrip(" \t\u3000\n")
            shown = builder.clean(joined(label.text, body), place)
            auto = len(shown)
        stripped = len(text) - len(body)
        size, font, bold, lead = weighed(passage.pieces)
        lead = lead - stripped + auto if lead > stripped and not bold else 0
        if auto:
            body = shown + builder.clean(body, place)
        block = builder.paragraph(
            body,
            place,
            kind=_kind(passage, look, text),
            style=self._style(look, (size, font, bold), label),
            role=self._role_of(body, passage, contents or look.contents),
            auto=auto,
            lead_bold=lead,
        )
        if block is None:
            return None, 0
        if block.role == "contents" and not (contents or look.contents):
            self._shared.by_field.append(block)
        return block, block.span.start + auto - stripped

    def _role_of(self, text: str, passage: Passage, contents: bool) -> Role:
        if self._role == "body":
            return "contents" if contents or passage.contents else "body"
        if self._role in ("page_header", "page_footer") and is_page_number(text):
            return "page_number"
        return self._role

    def take_aside(self) -> list[Passage]:
        """Give the passages of the lines read so far on which something hangs."""
        aside, self._aside = self._aside, []
        return aside

    def _table(self, table: Element, contents: bool) -> None:
        rows = [(row, list(cells_of(row))) for row in rows_of(table)]
        if len(rows) == 1 and len(rows[0][1]) == 1:
            # A frame around paragraphs, no table.
            self.write(rows[0][1][0], contents=contents)
            return
        outer = self.take_aside()
        self._page_of_cells = None
        first = self._index
        grid = grid_of(self._rows(rows))
        page = (self._page_of_cells or self.pages.page) if self.paged else None
        place = PartPlace(self._part, first, page)
        role: Role = "contents" if contents and self._role == "body" else self._role
        more: dict[str, Any] = {
            "header_rows": grid.header_rows,
            "merges": grid.merges,
            "name": caption_of(table),
        }
        block = self._shared.builder.table(grid.rows, place, grid=more, role=role)
        beside, self._aside = self.take_aside(), outer
        asides = self._shared.asides
        if beside and asides is not None:
            text = "\n".join("\t".join(row) for row in grid.rows)
            for passage in beside:
                at = text.find(passage.text.strip())
                asides.write(passage, place, block, block.span.start + at if block else 0)

    def _rows(self, rows: list[tuple[Element, list[Element]]]) -> list[Any]:
        """Read the cells row by row. Cells of a row run side by side over pages."""
        found = []
        gone = {"accepted": W_DEL, "rejected": W_INS, "marked": ""}[self._shared.revisions]
        for row, elements in rows:
            start, ends = self.pages.page, []
            cells: list[Cell] = []
            for element in elements:
                self.pages.page = start
                lines, bold = self.lines(element)
                ends.append(self.pages.page)
                cells.append(as_cell(element, "\n".join(lines), bold=bold))
            self.pages.row_of_cells(ends)
            if row_revision(row) == gone:
                self._drop_row(cells)
            else:
                found.append(as_row(row, cells))
        return found

    def _drop_row(self, cells: list[Cell]) -> None:
        passage = Passage()
        text = " ".join(cell.text for cell in cells if cell.text)
        if text:
            passage.deleted.append(Revision(text, None, None))
            self._aside.append(passage)

    def lines(self, container: Element) -> tuple[list[str], bool]:
        """Give a container's text as lines, and whether all of it is bold."""
        lines: list[str] = []
        bold = True
        for element, _ in blocks_of(container, False):
            if element.tag == W_ALTCHUNK:
                continue
            if element.tag == W_TBL:
                bold = self._line_carried(lines) and bold
                for row in rows_of(element):
                    texts = [" ".join(self.lines(cell)[0]) for cell in cells_of(row)]
                    line = " ".join(filter(None, texts))
                    if line:
                        lines.append(line)
                continue
            passage, _, label = self._read(element)
            if passage is not None:
                bold = self._line(passage, label, lines) and bold
        bold = self._line_carried(lines) and bold
        return lines, bold and bool(lines)

    def _line_carried(self, lines: list[str]) -> bool:
        carried, self._carried = self._carried, None
        return carried is None or self._line(carried, None, lines)

    def _line(self, passage: Passage, label: Label | None, lines: list[str]) -> bool:
        text = passage.text.strip(" \t\n\u3000")
        if self._page_of_cells is None:
            self._page_of_cells = passage.page
        if label is not None and label.text:
            # A column of empty numbered paragraphs is how Word users number rows.
            text = (joined(label.text, text) + text).rstrip()
        if text:
            lines.append(text)
        for drawing in passage.drawings:
            for box in drawing.boxes:
                lines.extend(self.lines(box)[0])
        if self._shared.asides is not None and passage.drawings:
            lines.extend(self._shared.asides.cell_figures(passage))
        if passage.hidden or passage.deleted or passage.notes or passage.comments or passage.opened:
            self._aside.append(passage)
        return all(look.bold or text.isspace() for text, look in passage.pieces)

    def _style(
        self, look: ParagraphLook, worn: tuple[float | None, str | None, bool], label: Label | None
    ) -> Style:
        # A list without visible numbers is none to a person.
        listed = label is not None and bool(label.text)
        list_id = label.list_id if label is not None and listed else None
        level = label.level if label is not None and listed else None
        key = (id(look), worn, list_id, level)
        style = self._shared.looks.get(key)
        if style is None:
            size, font, bold = worn
            style = self._shared.looks[key] = Style(
                name=look.name,
                font=font,
                size=size,
                bold=bold,
                align=look.align,
                outline_level=look.outline_level,
                indent=look.indent,
                space_before=look.space_before,
                page_break_before=look.page_break_before,
                list_id=list_id,
                list_level=level,
            )
        return style


def _kind(passage: Passage, look: ParagraphLook, text: str) -> BlockKind:
    if passage.formula_length >= len(text):
        return "formula"
    captioned = _CAPTION_STYLE.match(look.name or "") and _CAPTION.match(text)
    return "caption" if captioned else "paragraph"


def is_page_number(text: str) -> bool:
    """Tell whether a header or footer holds nothing but the page's number."""
    return len(text) < 40 and _PAGE_NUMBER.fullmatch(text) is not None and text.strip() != ""


def joined(label: str, body: str) -> str:
    """Give a label so that its digits do not run into the text's."""
    if label[-1].isalnum() and body[:1].isalnum() and label[-1].isascii() and body[0].isascii():
        return label + " "
    return label


def weighed(
    pieces: list[tuple[str, RunLook]],
) -> tuple[float | None, str | None, bool, int]:
    """Give the size and font of most characters, whether all are bold, how many lead in bold."""
    first = pieces[0][1]
    if len(pieces) == 1 or all(look is first for _, look in pieces):
        return first.size, first.font, first.bold, 0
    sizes: dict[tuple[float | None, str | None], int] = {}
    at, lead, leading, bold = 0, 0, True, True
    for text, look in pieces:
        count = len(text.strip()) if _WORD.search(text) else 0
        if count:
            key = (look.size, look.font)
            sizes[key] = sizes.get(key, 0) + count
        at += len(text)
        if look.bold:
            lead = at if leading else lead
        elif count:
            bold = leading = False
    if not sizes:
        return first.size, first.font, first.bold, 0
    size, font = max(sizes, key=sizes.__getitem__)
    return size, font, bold and lead > 0, 0 if bold else lead
