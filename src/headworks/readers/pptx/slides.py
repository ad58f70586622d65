"""One slide into the document: its shapes in order, its comments, its notes.

Takes a slide's tree and parts, writes blocks. Never writes the words of a layout more than once.
"""

import re
from typing import Any

import msgspec

from headworks.model.document import BlockKind, PageSize, Role, Style
from headworks.model.place import Box, SlidePlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.figures import chart_lines, described, diagram_lines
from headworks.readers.docx.names import on
from headworks.readers.docx.package import Element, Package, Relation
from headworks.readers.pictures import put_placeholder, put_words
from headworks.readers.pptx.asides import NOTES_MARK, Authors, comments, notes
from headworks.readers.pptx.names import (
    A_DATA,
    A_TABLE,
    C_CHART,
    CHART_EX,
    DIAGRAM,
    P_FRAME,
    P_OBJECT,
    P_PIC,
    P_TEXT,
    P_TREE,
    R_DATA,
    R_LINK,
)
from headworks.readers.pptx.pictures import SlidePictures
from headworks.readers.pptx.shapes import Inherited, Shape, leaves, shapes
from headworks.readers.pptx.text import Paragraph, only_counts, paragraphs, plain, table

_ROLES: dict[str, Role] = {"sldNum": "page_number", "hdr": "page_header"}
_SECTION, _SLIDE = 1, 2
# What may be a title though nothing says so: one line at the top, larger than all others.
_MAY_HEAD = (None, "body")
_LARGER = 1.15
_HEAD = 0.3
_LONGEST_TITLE = 40
_FEW_CHARS = 80
_USUAL_SIZE = 18.0
_WORD = re.compile(r"[^\W\d_]{2}|[^\W\d_] [^\W\d_]")


class SlideParts(msgspec.Struct, frozen=True):
    """The names of the parts that make up a slide."""

    slide: str
    relations: dict[str, Relation]
    layout: str | None
    master: str | None
    notes: str | None
    comments: list[str]


class Deck(msgspec.Struct):
    """What all slides share, and what was found on them.

    ``sectioned`` where some slides open sections: their titles stand above the others'.
    """

    package: Package
    builder: DocumentBuilder
    authors: Authors
    size: PageSize
    max_depth: int
    sectioned: bool
    pictures: SlidePictures
    hidden: list[int] = []
    picture_only: list[int] = []
    figures: list[str] = []
    unread: list[str] = []


class SlideWriter:
    """Writes the slides of one deck, one after the other."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self._frames: dict[tuple[str | None, str | None], Inherited] = {}
        self._shown: set[str] = set()
        self._slide = 0
        self._role: Role = "body"
        self._title_level = 1
        self._relations: dict[str, Relation] = {}
        self._read: dict[int, list[Paragraph]] = {}
        self._readable: set[int] = set()

    def write(self, index: int, slide: Element, parts: SlideParts, *, opens_section: bool) -> None:
        """Write one slide."""
        deck = self.deck
        hidden = not on(slide.get("show"))
        if hidden:
            deck.hidden.append(index)
        self._slide, self._relations = index, parts.relations
        self._role = "hidden_text" if hidden else "body"
        self._title_level = _SLIDE if deck.sectioned and not opens_section else _SECTION
        tree = slide.find(P_TREE)
        found = [] if tree is None else shapes(tree, self._inherited(parts), deck.max_depth)
        self._read = {}
        if not any(shape.is_title and self._lines(shape) for shape in leaves(found)):
            found = self._with_title(found)
        before, lacking = deck.builder.length, deck.pictures.lacking
        every = list(leaves(found))
        chars = sum(len(line.text) for shape in every for line in self._lines(shape))
        self._readable = deck.pictures.worth(every, chars, deck.size)
        pictures = sum(self._shape(shape) for shape in every)
        if not chars:
            self._background(slide)
        if pictures and deck.builder.length == before:
            deck.picture_only.append(index)
            self._bare_pictures(known=deck.pictures.lacking == lacking)
        self._standing(slide, parts)
        self._comments(parts)
        self._notes(parts)

    def _with_title(self, found: list[Shape]) -> list[Shape]:
        """Take the largest short line for the title where no placeholder is one."""
        lines = [
            (paragraph, shape)
            for shape in leaves(found)
            if shape.placeholder in _MAY_HEAD and not shape.hidden
            for paragraph in self._lines(shape)
        ]  # fmt: skip
        words = [entry for entry in lines if _WORD.search(entry[0].text)]
        if not words:
            return found
        largest = max(paragraph.size or _USUAL_SIZE for paragraph, _ in words)
        heads = [entry for entry in words if (entry[0].size or _USUAL_SIZE) * _LARGER >= largest]
        shape = heads[0][1]
        high = shape.frame is not None and shape.frame[1] < self.deck.size.height * _HEAD
        few = sum(len(entry[0].text) for entry in lines) <= _FEW_CHARS
        if any(other is not shape for _, other in heads) or not (high or few or self._slide == 1):
            return found
        if len(heads) < len([entry for entry in lines if entry[1] is shape]) or len(heads) > 2:
            return found
        if sum(len(entry[0].text) for entry in heads) > _LONGEST_TITLE:
            return found
        shape.placeholder = "title"
        return sorted(found, key=lambda other: other is not shape)

    def _lines(self, shape: Shape) -> list[Paragraph]:
        """Give a shape's paragraphs, read once."""
        key = id(shape)
        if key not in self._read:
            body = shape.element.find(P_TEXT)
            self._read[key] = [] if body is None else paragraphs(body)
        return self._read[key]

    def _inherited(self, parts: SlideParts) -> Inherited:
        key = parts.layout, parts.master
        if key not in self._frames:
            trees = [None if part is None else self.deck.package.beside(part) for part in key]
            self._frames[key] = Inherited(trees)
        return self._frames[key]

    def _shape(self, shape: Shape) -> bool:
        """Write a shape; tell whether it is a picture that nothing describes."""
        element = shape.element
        if element.tag == P_FRAME:
            self._frame(shape)
            return False
        if element.tag == P_PIC:
            return self._picture(shape)
        body = element.find(P_TEXT)
        if body is None:
            return False
        if shape.is_title:
            self._title(shape)
            return False
        role: Role = self._role
        if role == "body" and (shape.is_furniture or only_counts(body)):
            usual: Role = "page_footer" if shape.is_furniture else "page_number"
            role = _ROLES.get(shape.placeholder or "", usual)
        for paragraph in self._lines(shape):
            self._add(
                paragraph.text,
                shape,
                role=role,
                style=_style(paragraph),
                auto=paragraph.auto,
                lead_bold=paragraph.lead_bold,
            )
        return False

    def _title(self, shape: Shape) -> None:
        lines = self._lines(shape)
        text = "\n".join(line.text.replace("\n", " ") for line in lines)
        style = Style(
            name="title",
            size=lines[0].size if lines else None,
            bold=True,
            align=lines[0].align if lines else None,
            outline_level=self._title_level,
        )
        self._add(" ".join(text.split("\n")), shape, style=style)

    def _frame(self, shape: Shape) -> None:
        content = shape.element.find(A_DATA)
        if content is None:
            return
        if (grid := content.find(A_TABLE)) is not None:
            self._table(shape, grid)
        elif (chart := next(content.iter(C_CHART, CHART_EX), None)) is not None:
            self._drawn(shape, chart.get(R_LINK), "图表")
        elif (diagram := content.find(DIAGRAM)) is not None:
            self._drawn(shape, diagram.get(R_DATA), "图示")
        elif (held := next(content.iter(P_OBJECT), None)) is not None:
            name = held.get("progId") or held.get("name") or shape.name
            relation = self._relations.get(held.get(R_LINK) or "")
            if relation is None or self.deck.package.find(relation.target) is None:
                self.deck.unread.append(f"embedded {name} on slide {self._slide}")
            self._figure(shape, f"[嵌入对象：{described(shape.alt) or name}]")

    def _table(self, shape: Shape, grid: Element) -> None:
        found = table(grid)
        block = self.deck.builder.table(
            found.rows,
            SlidePlace(self._slide, shape.name),
            grid={"header_rows": found.header_rows, "merges": found.merges},
            role=self._role_of(shape),
        )
        if block is not None:
            self._line(shape, block.span.start, block.span.end)

    def _drawn(self, shape: Shape, link: str | None, name: str) -> None:
        """Write the words of a chart or a diagram, which has a part of its own."""
        relation = self._relations.get(link or "")
        root = self.deck.package.beside(relation.target) if relation is not None else None
        if root is None:
            self.deck.unread.append(f"{shape.name} on slide {self._slide}")
            return
        lines = diagram_lines(root) if name == "图示" else chart_lines(root)
        alt = described(shape.alt)
        self._figure(shape, "\n".join([f"[{name}：{alt}]" if alt else f"[{name}]", *lines]))

    def _picture(self, shape: Shape) -> bool:
        alt = described(shape.alt)
        self.deck.figures.append(f"picture {shape.name} on slide {self._slide}")
        if alt:
            self._figure(shape, f"[图片：{alt}]")
        words = None
        if id(shape) in self._readable:
            words = self.deck.pictures.words(shape.element, self._relations)
        if words is None:
            return not alt
        place = SlidePlace(self._slide, shape.name)
        for block in put_words(words, self.deck.builder, place, self._role_of(shape)):
            self._line(shape, block.span.start, block.span.end)
        return False

    def _background(self, slide: Element) -> None:
        """Write what a slide's background says: pages turned to slides may be there."""
        words = self.deck.pictures.background(slide, self._relations)
        if words is not None:
            place = SlidePlace(self._slide, "background")
            put_words(words, self.deck.builder, place, self._role)

    def _bare_pictures(self, *, known: bool) -> None:
        """Write what stands for the pictures of a slide that has nothing else."""
        place = SlidePlace(self._slide, "picture")
        if known:
            self.deck.builder.paragraph("[图片]", place, kind="figure", role=self._role)
        else:
            put_placeholder(self.deck.builder, place, self._role)

    def _figure(self, shape: Shape, text: str) -> None:
        self._add(text, shape, kind="figure", alt=described(shape.alt) or None)

    def _standing(self, slide: Element, parts: SlideParts) -> None:
        """Write what stands on the layout and the master, the first time it shows."""
        shown = on(slide.get("showMasterSp"))
        for part in (parts.layout, parts.master):
            root = self.deck.package.beside(part) if part is not None and shown else None
            if root is None or part is None:
                continue
            if part not in self._shown:
                self._shown.add(part)
                self._words_of(root)
            shown = on(root.get("showMasterSp"))

    def _words_of(self, root: Element) -> None:
        tree = root.find(P_TREE)
        found = [] if tree is None else shapes(tree, Inherited(()), self.deck.max_depth)
        middle = self.deck.size.height / 2
        for shape in leaves(found):
            text = "" if shape.placeholder else plain(shape.element.find(P_TEXT))
            upper = shape.frame is not None and shape.frame[1] < middle
            if text.strip():
                self._add(text, shape, role="page_header" if upper else "page_footer")

    def _comments(self, parts: SlideParts) -> None:
        for part in parts.comments:
            root = self.deck.package.beside(part)
            for comment in [] if root is None else comments(root, self.deck.authors):
                self.deck.builder.paragraph(
                    comment.line,
                    SlidePlace(self._slide, "comment"),
                    kind="comment",
                    author=comment.author or None,
                    date=comment.date,
                    role=self._role,
                )

    def _notes(self, parts: SlideParts) -> None:
        root = self.deck.package.beside(parts.notes) if parts.notes is not None else None
        if root is None:
            return
        text, furniture = notes(root, self.deck.max_depth)
        place = SlidePlace(self._slide, "notes")
        builder = self.deck.builder
        if text.strip():
            builder.paragraph(NOTES_MARK + text, place, kind="note", role=self._role)
        for placeholder, words in furniture:
            role = "page_header" if placeholder == "hdr" else "page_footer"
            builder.paragraph(words, place, role=role)

    def _role_of(self, shape: Shape) -> Role:
        return "hidden_text" if shape.hidden else self._role

    def _add(
        self,
        text: str,
        shape: Shape,
        *,
        kind: BlockKind = "paragraph",
        role: Role | None = None,
        **more: Any,
    ) -> None:
        given: Role = "hidden_text" if shape.hidden else role or self._role
        place = SlidePlace(self._slide, shape.name)
        block = self.deck.builder.paragraph(text, place, kind=kind, role=given, **more)
        if block is not None:
            self._line(shape, block.span.start, block.span.end)

    def _line(self, shape: Shape, start: int, end: int) -> None:
        """Tell where the shape stands on its slide, as far as the slide reaches."""
        if shape.frame is None:
            return
        width, height = self.deck.size.width, self.deck.size.height
        x0, y0, x1, y1 = shape.frame
        x0, x1 = max(0.0, min(x0, width)), max(0.0, min(x1, width))
        y0, y1 = max(0.0, min(y0, height)), max(0.0, min(y1, height))
        if x1 > x0 and y1 > y0:
            self.deck.builder.line(start, end, Box(self._slide, x0, y0, x1, y1))


def _style(paragraph: Paragraph) -> Style:
    return Style(
        size=paragraph.size,
        bold=paragraph.bold,
        align=paragraph.align,
        list_level=paragraph.level,
    )
