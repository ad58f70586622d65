"""Lines, tables and furniture into blocks: the flow of a whole document.

Takes pages in order, fills a ``DocumentBuilder``. Never breaks a paragraph or a table for the
page's end: what stands between its parts (footer, header) follows it.
"""

import re

import msgspec

from headworks.model.document import PLAIN, Align, Block, BlockKind, Role, Style
from headworks.model.place import Box, PagePlace, Span
from headworks.readers.builder import DocumentBuilder
from headworks.readers.pdf.annotations import Comment
from headworks.readers.pdf.catalog import Bookmark
from headworks.readers.pdf.joining import agree, join
from headworks.readers.pdf.layout import Line
from headworks.readers.pdf.measures import Measure, Measures
from headworks.readers.pdf.paragraphs import (
    Set,
    goes_on,
    is_caption,
    is_continued,
    set_line,
    texts,
)
from headworks.readers.pdf.tables import PageTable
from headworks.readers.pdf.turning import Turn

PICTURE = "[图片]"
_HEI = re.compile("hei|黑|FZ[HC]T|FZDB|FZXB|FZZDX|CAJ ?FNT|E-HZ|E-F1X|gothic", re.I)
_YAHEI = re.compile(
    "yahei|雅黑|notosans|sourcehan|思源黑|pingfang|dengxian|等线|DroidSansFallback", re.I
)
_SPACE = re.compile("\\s+")


class Aside(msgspec.Struct, frozen=True):
    """What is no part of the flow: furniture, a footnote, a figure."""

    pieces: list[tuple[str, Box]]
    page: int
    role: Role = "body"
    kind: BlockKind = "paragraph"
    size: float = 0.0
    confidence: float = 1.0


class Writer:
    """Holds the open paragraph and table of one document while its pages go by."""

    def __init__(
        self, builder: DocumentBuilder, measures: Measures, bookmarks: dict[int, list[Bookmark]]
    ) -> None:
        self._builder = builder
        self._measures = measures
        self._bookmarks = bookmarks
        self._paragraph: list[Set] = []
        self._tables: list[PageTable] = []
        self._captions: list[tuple[Line, Measure]] = []
        self._waiting: list[Aside] = []
        self._comments: dict[int, list[Comment]] = {}
        self._turns: dict[int, Turn] = {}
        self._below_figure = False  # the open paragraph begins right below a picture
        self._figure_last = False
        self._styles: dict[tuple[object, ...], Style] = {}
        body = measures.font
        self._hei_is_bold = not (_HEI.search(body) or _YAHEI.search(body))

    def turned(self, page: int, turn: Turn) -> None:
        """Tell that a page was turned to be read: its boxes are turned back."""
        self._turns[page] = turn

    def line(self, line: Line, margins: Measure) -> None:
        """Take the next line of the body."""
        if self._tables and not self._captions and is_continued(line.text):
            self._captions.append((line, margins))  # 表3（续）: the table decides what it is
            return
        self._close_table()
        self._take(line, margins)

    def _take(self, line: Line, margins: Measure) -> None:
        # A title in a size of its own may begin anywhere by chance.
        common = line.size <= 1.15 * self._measures.size
        starts = self._measures.starts if common else frozenset()
        following = set_line(line, margins, starts)
        if self._paragraph and not goes_on(self._paragraph, following, self._measures):
            self._close_paragraph()
        if not self._paragraph:
            self._below_figure = self._figure_last
        self._figure_last = False
        self._paragraph.append(following)

    def table(self, table: PageTable) -> None:
        """Take the next table of the body."""
        if self._tables and agree(self._tables[-1], table):
            captions, self._captions = self._captions, []
            for line, _ in captions:
                self.furniture(line, "page_header")
        elif self._tables:
            self._tell_if_beside(self._tables[-1], table)
            self._close_table()
        self._close_paragraph(above_table=True)
        self._tables.append(table)

    def _tell_if_beside(self, before: PageTable, after: PageTable) -> None:
        """Note that a table's other columns may stand on the page after it."""
        if after.page == before.page + 1 and len(before.rows) == len(after.rows) > 2:
            message = f"its rows may be those of the table on page {before.page}"
            self._builder.problem("W_TABLE", message, place=f"page {after.page}")

    def furniture(self, line: Line, role: Role) -> None:
        """Take a line that is no body."""
        pieces = [(line.text, self._box(line))]
        aside = Aside(pieces, line.page, role=role, size=line.size, confidence=line.score)
        self._aside(aside)

    def footnote(self, lines: list[Line]) -> None:
        """Take a footnote's lines."""
        said = texts([set_line(line, Measure(line.x0, line.x1)) for line in lines])
        pieces = list(zip(said, map(self._box, lines), strict=True))
        score = min(line.score for line in lines)
        page, size = lines[0].page, lines[0].size
        self._aside(Aside(pieces, page, kind="footnote", size=size, confidence=score))

    def figure(self, page: int, box: Box, text: str = PICTURE, confidence: float = 1.0) -> None:
        """Take a picture; ``text`` stands for it."""
        self._figure_last = True
        self._aside(Aside([(text, self._back(box))], page, kind="figure", confidence=confidence))

    def comments(self, page: int, comments: list[Comment]) -> None:
        """Take a page's comments; each is written behind the paragraph it lies on."""
        if comments:
            self._comments[page] = list(comments)

    def end_page(self, page: int) -> None:
        """Write the comments of a page that lie on nothing that is still open."""
        if not self._paragraph and not self._tables:
            self._leftover_comments(page)

    def break_off(self) -> None:
        """Write what is open: a page that was not read follows, and may hold its end."""
        self._close_table()
        self._close_paragraph()

    def _aside(self, aside: Aside) -> None:
        """Write what is beside the flow, when what is open is whole."""
        if self._paragraph or self._tables:
            self._waiting.append(aside)
        else:
            self._write_aside(aside)

    def close(self) -> None:
        """Write what is open."""
        self._close_table()
        self._close_paragraph()
        for page in sorted(self._comments):
            self._leftover_comments(page)

    def _close_paragraph(self, *, above_table: bool = False) -> None:
        if self._paragraph:
            paragraph, self._paragraph = self._paragraph, []
            boxes = [self._box(part.line) for part in paragraph]
            pieces = list(zip(texts(paragraph), boxes, strict=True))
            first, last = paragraph[0].line, paragraph[-1].line
            beside = above_table or self._below_figure
            kind: BlockKind = "caption" if is_caption(paragraph, beside) else "paragraph"
            block = self._builder.lined_paragraph(
                pieces,
                PagePlace(first.page, last.page),
                kind=kind,
                style=self._style(paragraph),
                lead_bold=self._lead(paragraph),
                confidence=min(part.line.score for part in paragraph),
            )
            self._comment_on(block, [box for _, box in pieces])
        if not self._tables:
            self._flush()

    def _close_table(self) -> None:
        if not self._tables:
            return
        parts, self._tables = self._tables, []
        table = join(parts)
        place = PagePlace(table.first_page, table.last_page)
        block = self._builder.table(
            table.rows,
            place,
            grid={"header_rows": table.header_rows, "merges": tuple(table.merges)},
            boxes=[[box and self._back(box) for box in row] for row in table.boxes],
            style=self._plain(table.size),
            confidence=min((f.score for part in parts for f in part.fragments), default=1.0),
        )
        self._builder.removed("repeated_header", table.repeated, f"page {table.last_page}")
        self._comment_on(block, [Box(part.page, *part.box) for part in parts])
        self._flush()
        captions, self._captions = self._captions, []
        for line, margins in captions:
            self._take(line, margins)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for aside in waiting:
            self._write_aside(aside)

    def _write_aside(self, aside: Aside) -> None:
        self._builder.lined_paragraph(
            aside.pieces,
            PagePlace(aside.page, aside.page),
            kind=aside.kind,
            role=aside.role,
            confidence=aside.confidence,
            style=self._plain(aside.size) if aside.size else PLAIN,
        )

    def _comment_on(self, block: Block | None, boxes: list[Box]) -> None:
        """Write the comments whose box lies on a block's lines."""
        if not self._comments or block is None:
            return
        for page in {box.page for box in boxes} & self._comments.keys():
            lines = [box for box in boxes if box.page == page]
            pending = self._comments[page]
            here = [comment for comment in pending if _lies_on(comment, lines)]
            self._comments[page] = [comment for comment in pending if comment not in here]
            for comment in here:
                self._write_comment(page, comment, block.span)

    def _leftover_comments(self, page: int) -> None:
        for comment in self._comments.pop(page, []):
            self._write_comment(page, comment, None)

    def _write_comment(self, page: int, comment: Comment, about: Span | None) -> None:
        said = f"{comment.author}: {comment.text}" if comment.author else comment.text
        self._builder.lined_paragraph(
            [(f"[批注] {said}", Box(page, *comment.box))],
            PagePlace(page, page),
            kind="comment",
            author=comment.author or None,
            date=comment.date,
            about=about,
        )

    def _box(self, line: Line) -> Box:
        return self._back(Box(line.page, line.x0, line.y0, line.x1, line.y1))

    def _back(self, box: Box) -> Box:
        """Give a box in the coordinates of the page as it is shown."""
        turn = self._turns.get(box.page)
        return box if turn is None else turn.back(box)

    def _is_bold(self, line: Line) -> bool:
        if line.bold and line.bold_end:
            return True
        return self._hei_is_bold and bool(_HEI.search(line.font)) and not _YAHEI.search(line.font)

    def _lead(self, paragraph: list[Set]) -> int:
        first = paragraph[0].line
        if self._is_bold(first):
            rest = any(not self._is_bold(s.line) for s in paragraph[1:])
            return len(first.text) if rest else 0
        return first.lead

    def _style(self, paragraph: list[Set]) -> Style:
        head = paragraph[0]
        line = head.line
        align: Align | None = None
        if all(part.centred for part in paragraph):
            align = "center"
        elif head.margins.right - line.x1 < 2 * line.size and head.x > 0.45 * (
            head.margins.right - head.margins.left
        ):
            align = "right"
        indent = 0.0 if align else max(0.0, round(head.x / line.size) * line.size)
        bold = all(self._is_bold(part.line) for part in paragraph)
        size, level = round(line.size, 1), self._outline_level(paragraph)
        key = (line.font, size, bold, align, indent, level)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = Style(
                font=line.font or None,
                size=size,
                bold=bold,
                align=align,
                indent=indent,
                outline_level=level,
            )
        return style

    def _plain(self, size: float) -> Style:
        """Give the style of what has a size and nothing else."""
        rounded = round(size, 1)
        style = self._styles.get((rounded,))
        if style is None:
            style = self._styles[(rounded,)] = Style(size=rounded)
        return style

    def _outline_level(self, paragraph: list[Set]) -> int | None:
        marks = self._bookmarks.get(paragraph[0].line.page)
        if not marks:
            return paragraph[0].line.level or None
        text = _SPACE.sub("", "".join(part.line.text for part in paragraph[:3]))
        for index, mark in enumerate(marks):
            if text == mark.title or (
                len(mark.title) >= 4 and text.startswith(mark.title) and len(text) <= 60
            ):
                del marks[index]  # each bookmark marks one block
                return mark.level
        return paragraph[0].line.level or None


def _lies_on(comment: Comment, lines: list[Box]) -> bool:
    x0, y0, x1, y1 = comment.box
    middle = (y0 + y1) / 2
    return any(box.y0 - 3 <= middle <= box.y1 + 3 and x0 <= box.x1 + 90 for box in lines) and (
        x1 >= min(box.x0 for box in lines) - 90
    )
