"""What hangs on a paragraph and stands beside it: hidden and deleted text, notes, comments.

Takes the passage that was read and the block it became, gives further blocks right behind it.
Never changes the paragraph.
"""

from collections.abc import Callable
from typing import Protocol

import msgspec

from headworks.model.document import Block, Role
from headworks.model.place import PartPlace, Place, Span
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.drawings import Picture
from headworks.readers.docx.figures import Figure, Figures
from headworks.readers.docx.imports import write_import
from headworks.readers.docx.marks import Passage
from headworks.readers.docx.names import W14, W15, W_AUTHOR, W_DATE, W_ID, W_P, W_TYPE, W_VAL, w
from headworks.readers.docx.numformats import shown
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.pasted import PastedPages
from headworks.readers.pictures import put_placeholder, put_words

_W14_PARAID = f"{{{W14}}}paraId"
_W15_EX, _W15_ID = f"{{{W15}}}commentEx", f"{{{W15}}}paraId"
_W15_PARENT, _W15_DONE = f"{{{W15}}}paraIdParent", f"{{{W15}}}done"
_DONE = "（已解决）"


class TextReader(Protocol):
    """Reads the text of a part's containers; the story of that part."""

    def lines(self, container: Element) -> tuple[list[str], bool]:
        """Give a container's text as lines."""
        ...

    def take_aside(self) -> list[Passage]:
        """Give what hung on the lines that were read."""
        ...


class Comment(msgspec.Struct):
    """One comment of the comments part."""

    id: str
    author: str
    date: str | None
    element: Element
    index: int
    parent: str | None = None
    done: bool = False


class _Notes(msgspec.Struct):
    """The footnotes or endnotes: where they are, how they count, those referred to so far."""

    part: str
    elements: dict[str, tuple[int, Element]]
    number_format: str
    marks: dict[str, str] = {}


class Asides:
    """Writes what hangs on paragraphs. Knows the notes and comments of one document."""

    def __init__(
        self,
        builder: DocumentBuilder,
        package: Package,
        main: str,
        open_story: Callable[[str], TextReader],
    ) -> None:
        self._builder = builder
        self._open_story = open_story
        self._stories: dict[str, TextReader] = {}
        self._figures = Figures(package, main)
        parts = {rel.kind: rel.target for rel in package.relations(main).values()}
        self._main = main
        self._package, self._parts = package, parts
        self._notes: dict[str, _Notes] = {}
        self._comments_part = parts.get("comments", "")
        self._comments = _comments(
            package.tree(self._comments_part), package.beside(parts.get("commentsExtended", ""))
        )
        self.hidden = 0
        self.pages: PastedPages | None = None
        self._written: set[str] = set()
        self._open_ranges: dict[str, int] = {}

    def note_mark(self, kind: str, note_id: str) -> str:
        """Give the visible mark of a note, ``[1]``; empty where there is no such note."""
        if kind not in self._notes:
            # Nearly every file has the parts, few refer to a note in them.
            self._notes[kind] = _notes(self._package, self._parts, kind)
        notes = self._notes[kind]
        if note_id not in notes.elements:
            return ""
        if note_id not in notes.marks:
            notes.marks[note_id] = f"[{shown(len(notes.marks) + 1, notes.number_format)}]"
        return notes.marks[note_id]

    def write(self, passage: Passage, place: Place, block: Block | None, shift: int) -> None:
        """Write what hangs on a passage.

        ``block`` is what the passage became, or the table it is in, none where nothing was
        shown; ``shift`` leads from an offset in the passage to one in the document's text.
        """
        if passage.hidden:
            self.hidden += 1
            self._builder.paragraph("".join(passage.hidden), place, role="hidden_text")
        for gone in passage.deleted:
            self._builder.paragraph(
                gone.text, place, role="deleted_revision", author=gone.author, date=gone.date
            )
        for kind, note_id in passage.notes:
            self._write_note(kind, note_id, block)
        for comment_id, at in passage.opened.items():
            if block is not None:
                self._open_ranges[comment_id] = _within(at + shift, block)
        for comment_id in passage.comments:
            self._write_comment(comment_id, self._about(comment_id, passage, block, shift))

    def write_pictures(self, passage: Passage, place: Place, role: Role) -> None:
        """Write the pictures of a passage as figures, each with its description."""
        for drawing in passage.drawings:
            for picture in drawing.pictures:
                figure = self._figures.figure(picture)
                if figure is None or role != "body":
                    continue
                if self.pages is None or not self.pages.is_page(picture):
                    self._write_figure(figure, place)
                else:
                    self._write_page(picture, figure, self.pages, place)

    def _write_figure(self, figure: Figure, place: Place) -> None:
        self._builder.paragraph(figure.text, place, kind="figure", alt=figure.alt or None)

    def _write_page(
        self, picture: Picture, figure: Figure, pages: PastedPages, place: Place
    ) -> None:
        """Write what a picture of a page says, or what stands for it."""
        words, could = pages.words(picture)
        if not could and pages.bare:
            put_placeholder(self._builder, place, "body")
        elif words is None or figure.alt:
            self._write_figure(figure, place)
        if words is not None:
            put_words(words, self._builder, place, "body")

    def write_unplaced(self) -> None:
        """Write the comments that no paragraph refers to."""
        for comment_id in self._comments:
            self._write_comment(comment_id, None)

    @property
    def figures(self) -> Figures:
        """The figures found so far."""
        return self._figures

    def write_import(self, relation_id: str, place: Place) -> None:
        """Write a document that was put whole into this one."""
        relation = self._package.relations(self._main).get(relation_id)
        content = self._package.content(relation.target) if relation is not None else None
        name = relation.target if relation is not None else "altChunk"
        if content is None or not write_import(content, name, self._builder, place):
            self._figures.unread.append(f"embedded document {name}")

    def cell_figures(self, passage: Passage) -> list[str]:
        """Give the lines that stand for pictures in a table's cell."""
        found = (
            self._figures.figure(picture)
            for drawing in passage.drawings
            for picture in drawing.pictures
        )
        return [figure.text for figure in found if figure is not None]

    def _story(self, part: str) -> TextReader:
        if part not in self._stories:
            self._stories[part] = self._open_story(part)
        return self._stories[part]

    def _write_note(self, kind: str, note_id: str, block: Block | None) -> None:
        notes = self._notes[kind]
        story = self._story(notes.part)
        index, element = notes.elements[note_id]
        lines, _ = story.lines(element)
        text = f"{notes.marks[note_id]} {' '.join(lines)}".rstrip()
        place = PartPlace(notes.part, index)
        about = block.span if block is not None else None
        note = self._builder.paragraph(text, place, kind="footnote", about=about)
        for passage in story.take_aside():
            self.write(passage, place, note, note.span.start if note is not None else 0)

    def _about(
        self, comment_id: str, passage: Passage, block: Block | None, shift: int
    ) -> Span | None:
        """Give the range that a comment is on; the whole block where it has none."""
        if block is None:
            return None
        end = passage.closed.get(comment_id)
        start = self._open_ranges.get(comment_id)
        if end is None or start is None:
            return block.span
        stop = _within(end + shift, block)
        return Span(start, stop) if start < stop else block.span

    def _write_comment(self, comment_id: str, about: Span | None) -> None:
        """Write a comment and the replies to it, once."""
        comment = self._comments.get(comment_id)
        if comment is None or comment_id in self._written:
            return
        self._written.add(comment_id)
        story = self._story(self._comments_part)
        lines, _ = story.lines(comment.element)
        story.take_aside()
        parent = self._comments.get(comment.parent or "")
        who = comment.author + (f" 回复 {parent.author}" if parent is not None else "")
        text = f"[批注] {who}: {' '.join(lines)}{_DONE if comment.done else ''}"
        place = PartPlace(self._comments_part, comment.index)
        self._builder.paragraph(
            text, place, kind="comment", author=comment.author, date=comment.date, about=about
        )
        for reply in self._comments.values():
            if reply.parent == comment_id:
                self._write_comment(reply.id, about)


def _within(offset: int, block: Block) -> int:
    return max(block.span.start, min(offset, block.span.end))


def _notes(package: Package, parts: dict[str, str], kind: str) -> _Notes:
    root = package.tree(parts.get(f"{kind}s", f"word/{kind}s.xml"))
    settings = package.beside(parts.get("settings", "word/settings.xml"))
    elements: dict[str, tuple[int, Element]] = {}
    for element in root if root is not None else ():
        if element.get(W_TYPE) in (None, "normal"):
            elements[element.get(W_ID) or ""] = (len(elements), element)
    usual = "decimal" if kind == "footnote" else "lowerRoman"
    found = settings.find(f"{w(kind + 'Pr')}/{w('numFmt')}") if settings is not None else None
    number_format = (found.get(W_VAL) if found is not None else None) or usual
    return _Notes(parts.get(f"{kind}s", ""), elements, number_format)


def _comments(root: Element | None, extended: Element | None) -> dict[str, Comment]:
    comments: dict[str, Comment] = {}
    by_paragraph: dict[str, Comment] = {}
    for index, element in enumerate(root if root is not None else ()):
        comment = Comment(
            element.get(W_ID) or "",
            element.get(W_AUTHOR) or "",
            element.get(W_DATE),
            element,
            index,
        )
        comments[comment.id] = comment
        for paragraph in element.iter(W_P):
            by_paragraph[paragraph.get(_W14_PARAID) or ""] = comment
    for entry in extended.iter(_W15_EX) if extended is not None else ():
        found = by_paragraph.get(entry.get(_W15_ID) or "?")
        if found is not None:
            parent = by_paragraph.get(entry.get(_W15_PARENT) or "?")
            found.parent = parent.id if parent is not None and parent is not found else None
            found.done = entry.get(_W15_DONE) in ("1", "true")
    return comments
