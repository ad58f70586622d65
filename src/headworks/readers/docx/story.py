"""A story: the blocks of one part (body, header, note) in reading order.

Takes a container of block-level XML, gives blocks to the builder or lines of text to whom it
asks. Never opens a part: it is given what it reads.
"""

from collections.abc import Iterator
from typing import Any

from headworks.model.document import Block, BlockKind, Role
from headworks.model.place import PartPlace
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
from headworks.readers.docx.numbering import Label
from headworks.readers.docx.package import Element
from headworks.readers.docx.pages import PageCount
from headworks.readers.docx.plain import PlainReader
from headworks.readers.docx.scan import STAND_IN, Paragraph, Scan
from headworks.readers.docx.shared import Shared
from headworks.readers.docx.styles import ParagraphLook, RunLook
from headworks.readers.docx.tables import (
    Cell,
    as_row,
    caption_of,
    cells_of,
    grid_of,
    row_revision,
    rows_of,
    shape_of,
    with_text,
)
from headworks.readers.docx.wording import is_caption, is_page_number, joined, weighed

_W_VANISH = w("vanish")
_GONE_MARKS: dict[Revisions, tuple[str, ...]] = {
    "accepted": (W_DEL, W_MOVEFROM),
    "rejected": (W_INS, W_MOVETO),
    "marked": (),
}
_NO_LOOK = ParagraphLook(None)
_BLANKS = " \t\u3000\n"


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
        self._plain = PlainReader(None, shared.styles, self.marks, self.pages, ())
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
        self.marks.plain_text = self._plain.written

    def write(self, container: Element, *, contents: bool = False) -> None:
        """Give the builder the blocks of a container."""
        for element, in_contents in blocks_of(container, contents):
            stand_in = element.get(STAND_IN)
            if stand_in is not None:
                self._write_stretch(stand_in, in_contents)
            elif element.tag == W_P:
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
            self._emit(carried, _NO_LOOK, None, contents)

    def _paragraph(self, paragraph: Element, contents: bool) -> None:
        passage, look, label = self._read(paragraph)
        if passage is not None:
            self._emit(passage, look, label, contents)

    def _read(self, paragraph: Element) -> tuple[Passage | None, ParagraphLook, Label | None]:
        """Read a paragraph; nothing where its deleted mark joins it to the next."""
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
        self, paragraph: Paragraph
    ) -> tuple[Passage | None, ParagraphLook, Label | None]:
        """Read a paragraph that is not in the tree."""
        outer = self._plain.outer(paragraph)
        look = outer.look
        if look.page_break_before and self._index:
            self.pages.set_break()
        self._index += 1
        carried, self._carried = self._carried, None
        passage = self._plain.passage(paragraph, look.style_id, carried)
        if outer.joined:
            self._carried = passage
            return None, look, None
        if look.num_id is None or (outer.vanishes and passage.hidden and not passage.pieces):
            return passage, look, None
        return passage, look, self._shared.numbering.label(look)

    def _read_text(
        self, paragraph: Paragraph
    ) -> tuple[str, RunLook, ParagraphLook, Label | None] | None:
        """Read a paragraph of one text in one look, or of none; most are like that."""
        found = self._plain.text_of(paragraph)
        if found is None or self._carried is not None:
            return None
        text, worn, look = found
        if look.page_break_before and self._index:
            self.pages.set_break()
        self._index += 1
        if text:
            self.pages.text()
        label = None if look.num_id is None else self._shared.numbering.label(look)
        return text, worn, look, label

    def _write_stretch(self, stand_in: str, contents: bool) -> None:
        """Write plain paragraphs that follow each other."""
        for paragraph in self._plain.stretch(stand_in):
            found = self._read_text(paragraph)
            if found is None:
                passage, look, label = self._read_plain(paragraph)
                if passage is not None:
                    self._emit(passage, look, label, contents)
            elif found[0]:
                self._emit_plain(*found, contents)

    def _emit_plain(
        self, text: str, worn: RunLook, look: ParagraphLook, label: Label | None, contents: bool
    ) -> None:
        """Write a paragraph of one text on which nothing hangs."""
        place = PartPlace(self._part, self._index - 1, self.pages.page if self.paged else None)
        contents = contents or look.contents
        by_field = not contents and self.marks.fields.contents > 0
        text, auto = text.rstrip(), 0
        captioned = look.caption and is_caption(text)
        if label is not None and label.text:
            text, auto = self._labelled(text.lstrip(_BLANKS), label, place)
        block = self._shared.builder.paragraph(
            text,
            place,
            kind="caption" if captioned else "paragraph",
            style=self._shared.style(look, (worn.size, worn.font, worn.bold), label),
            role="contents" if contents or by_field else "body",
            auto=auto,
        )
        if by_field and block is not None:
            self._shared.by_field.append(block)

    def _labelled(self, text: str, label: Label, place: PartPlace) -> tuple[str, int]:
        """Give a text with its label before it, both cleaned, and how long the label is."""
        clean = self._shared.builder.clean
        shown = clean(joined(label.text, text), place)
        return shown + clean(text, place), len(shown)

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
        auto, body = 0, text.lstrip("\n")
        stripped = len(text) - len(body)
        if label is not None and label.text:
            body = body.lstrip(_BLANKS)
            stripped = len(text) - len(body)
            body, auto = self._labelled(body, label, place)
        size, font, bold, lead = weighed(passage.pieces)
        lead = lead - stripped + auto if lead > stripped and not bold else 0
        block = self._shared.builder.paragraph(
            body,
            place,
            kind=_kind(passage, look, text),
            style=self._shared.style(look, (size, font, bold), label),
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
        rows = [(row, list(self._cells(row))) for row in rows_of(table)]
        if len(rows) == 1 and len(rows[0][1]) == 1:
            # A frame around paragraphs, no table.
            self._write_cell(rows[0][1][0], contents)
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

    def _cells(self, row: Element) -> Iterator[Element]:
        """Give a row's cells: elements, and those that are not in the tree."""
        for element in cells_of(row):
            stand_in = element.get(STAND_IN)
            if stand_in is None:
                yield element
            else:
                yield from self._plain.cells(stand_in)

    def _write_cell(self, cell: Element, contents: bool) -> None:
        if isinstance(cell, tuple):
            self._write_stretch(cell[1], contents)
            self._emit_carried(contents)
        else:
            self.write(cell, contents=contents)

    def _cell(self, cell: Element) -> Cell:
        plain = isinstance(cell, tuple)
        lines, bold = self._lines_of_cell(cell)
        shape = self._plain.cell(cell[0]) if plain else shape_of(cell)
        text = lines[0] if len(lines) == 1 else "\n".join(lines)
        return with_text(shape, text, bold=bold)

    def _lines_of_cell(self, cell: Element) -> tuple[list[str], bool]:
        if not isinstance(cell, tuple):
            return self.lines(cell)
        lines: list[str] = []
        bold = self._lines_of_stretch(cell[1], lines)
        if self._carried is not None:
            bold = self._line_carried(lines) and bold
        return lines, bold and bool(lines)

    def _rows(self, rows: list[tuple[Element, list[Element]]]) -> list[Any]:
        """Read the cells row by row. Cells of a row run side by side over pages."""
        found = []
        gone = {"accepted": W_DEL, "rejected": W_INS, "marked": ""}[self._shared.revisions]
        for row, elements in rows:
            start, ends = self.pages.page, []
            cells: list[Cell] = []
            for element in elements:
                self.pages.page = start
                cells.append(self._cell(element))
                ends.append(self.pages.page)
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
                    texts = [" ".join(self._lines_of_cell(cell)[0]) for cell in self._cells(row)]
                    line = " ".join(filter(None, texts))
                    if line:
                        lines.append(line)
                continue
            stand_in = element.get(STAND_IN)
            if stand_in is not None:
                bold = self._lines_of_stretch(stand_in, lines) and bold
                continue
            passage, _, label = self._read(element)
            if passage is not None:
                bold = self._line(passage, label, lines) and bold
        bold = self._line_carried(lines) and bold
        return lines, bold and bool(lines)

    def _lines_of_stretch(self, stand_in: str, lines: list[str]) -> bool:
        """Put the lines of plain paragraphs behind others; tell whether all is bold."""
        bold = True
        for paragraph in self._plain.stretch(stand_in):
            found = self._read_text(paragraph)
            if found is None:
                passage, _, label = self._read_plain(paragraph)
                if passage is not None:
                    bold = self._line(passage, label, lines) and bold
                continue
            text, worn, _, label = found
            if text:
                bold = bold and worn.bold
                if self._page_of_cells is None:
                    self._page_of_cells = self.pages.page
            if label is not None:
                self._append_line(text, label, lines)
            elif text:
                lines.append(text.strip(_BLANKS))
        return bold

    def _line_carried(self, lines: list[str]) -> bool:
        carried, self._carried = self._carried, None
        return carried is None or self._line(carried, None, lines)

    def _append_line(self, text: str, label: Label | None, lines: list[str]) -> None:
        text = text.strip(_BLANKS)
        if label is not None and label.text:
            # A column of empty numbered paragraphs is how Word users number rows.
            text = (joined(label.text, text) + text).rstrip()
        if text:
            lines.append(text)

    def _line(self, passage: Passage, label: Label | None, lines: list[str]) -> bool:
        if self._page_of_cells is None:
            self._page_of_cells = passage.page
        self._append_line(passage.text, label, lines)
        for drawing in passage.drawings:
            for box in drawing.boxes:
                lines.extend(self.lines(box)[0])
        if self._shared.asides is not None and passage.drawings:
            lines.extend(self._shared.asides.cell_figures(passage))
        if passage.hidden or passage.deleted or passage.notes or passage.comments or passage.opened:
            self._aside.append(passage)
        return all(look.bold or text.isspace() for text, look in passage.pieces)


def _kind(passage: Passage, look: ParagraphLook, text: str) -> BlockKind:
    if passage.formula_length >= len(text):
        return "formula"
    return "caption" if look.caption and is_caption(text) else "paragraph"
