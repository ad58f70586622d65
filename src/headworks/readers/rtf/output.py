"""Paragraphs and tables of RTF on their way into the document.

Takes text with its look as the walk meets it, writes blocks. Never sees a control word.
"""

import re

import msgspec

from headworks.model.document import Align, BlockKind, Role, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.rtf.tables import Edge, Row, on_grid

PART = "rtf"
_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])\b", re.IGNORECASE)


class ParagraphLook(msgspec.Struct):
    """What ``\\pard`` resets: the look of a paragraph."""

    align: Align | None = None
    outline: int | None = None
    style: int | None = None
    in_table: bool = False
    nested: bool = False
    indent: float = 0.0


class CharLook(msgspec.Struct):
    """The look of characters, kept by each group for itself."""

    font: int | None = None
    size: float = 12.0
    bold: bool = False
    hidden: bool = False
    deleted: bool = False


class Output:
    """Gathers runs into paragraphs, paragraphs into cells, cells into tables."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._runs: list[tuple[str, CharLook]] = []
        self._cell: list[str] = []
        self._texts: list[str] = []
        self._rows: list[Row] = []
        self._count = 0
        self.look = ParagraphLook()
        self.edges: list[Edge] = []
        self.header_row = False
        self.list_text = 0
        self.style_names: dict[int, tuple[str, int | None]] = {}
        self.after: list[tuple[str, BlockKind, str | None]] = []

    def run(self, text: str, look: CharLook) -> None:
        """Add characters."""
        self._runs.append((text, look))

    def end_paragraph(self, *, role: Role = "body") -> None:
        """End a paragraph: into the cell that is open, else into the document."""
        if self.look.in_table and role == "body":
            if text := self._visible().strip():
                self._cell.append(text)
            self._write_after()
            return
        self.end_table()
        self._paragraph(role)
        self._write_after()

    def end_cell(self) -> None:
        """End a cell."""
        text = self._visible().strip()
        self._texts.append("\n".join([*self._cell, *([text] if text else [])]))
        self._cell = []

    def end_nested_cell(self) -> None:
        """End a cell of a table inside a cell: it is text of the outer one."""
        if text := self._visible().strip():
            self._cell.append(text)

    def end_row(self) -> None:
        """End a row."""
        if self._texts:
            self._rows.append(Row(self._texts, list(self.edges), self.header_row))
        self._texts = []

    def end_table(self) -> None:
        """Write the table that is open, if one is."""
        if self._texts:
            self.end_row()
        if not self._rows:
            return
        grid = on_grid(self._rows)
        self._rows = []
        fields = {"header_rows": grid.header_rows, "merges": grid.merges}
        self._builder.table(grid.rows, self._place(), grid=fields)
        self._write_after()

    def take_text(self) -> str:
        """Give the text gathered so far, and forget it."""
        return self._visible().strip()

    def set_aside(self) -> tuple[list[tuple[str, CharLook]], ParagraphLook]:
        """Put away the paragraph that is open while a note in it is read."""
        kept = self._runs, self.look
        self._runs, self.look = [], ParagraphLook()
        return kept

    def take_back(self, kept: tuple[list[tuple[str, CharLook]], ParagraphLook]) -> None:
        """Go on with the paragraph that was put away."""
        self._runs, self.look = kept

    def _visible(self) -> str:
        runs, self._runs = self._runs, []
        self.list_text = 0
        return whole("".join(text for text, look in runs if not (look.hidden or look.deleted)))

    def _paragraph(self, role: Role) -> None:
        runs, self._runs = self._runs, []
        auto, self.list_text = self.list_text, 0
        shown = [(text, look) for text, look in runs if not (look.hidden or look.deleted)]
        text = whole("".join(text for text, _ in shown))
        stripped = text.strip()
        if stripped:
            own = _behind(shown, auto)
            looks = [look for run, look in own if run.strip()]
            self._builder.paragraph(
                stripped,
                self._place(),
                style=self._style(looks),
                role=role,
                auto=min(auto, len(stripped)) if not text[:1].isspace() else 0,
                lead_bold=_lead(own, auto or len(text.lstrip()) - len(text)),
            )
        for kept in ("hidden", "deleted"):
            words = whole("".join(run for run, look in runs if getattr(look, kept))).strip()
            if words:
                other: Role = "hidden_text" if kept == "hidden" else "deleted_revision"
                self._builder.paragraph(words, self._place(), role=other)

    def _style(self, looks: list[CharLook]) -> Style:
        name, outline = self.style_names.get(self.look.style or 0, ("", None))
        heading = _HEADING.search(name)
        if heading is not None and outline is None:
            outline = int(heading[1]) - 1
        if self.look.outline is not None:
            outline = self.look.outline
        return Style(
            name=name or None,
            size=looks[0].size if looks else None,
            bold=all(look.bold for look in looks),
            align=self.look.align,
            outline_level=outline + 1 if outline is not None and outline < 9 else None,
            indent=self.look.indent,
        )

    def _write_after(self) -> None:
        """Write the notes and comments of what was just written."""
        waiting, self.after = self.after, []
        for text, kind, author in waiting:
            self._builder.paragraph(text, self._place(), kind=kind, author=author)

    def _place(self) -> PartPlace:
        self._count += 1
        return PartPlace(PART, self._count)


def whole(text: str) -> str:
    """Give the text with characters beyond the first plane put together from their halves."""
    return _SURROGATES.sub(
        lambda pair: pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le"), text
    )


def _behind(runs: list[tuple[str, CharLook]], auto: int) -> list[tuple[str, CharLook]]:
    """Give the runs behind the number that a list puts before a paragraph."""
    passed = 0
    for index, (text, _) in enumerate(runs):
        if passed >= auto:
            return runs[index:]
        passed += len(text)
    return [] if auto else runs


def _lead(runs: list[tuple[str, CharLook]], before: int) -> int:
    """Give how many characters at the start are bold where not all are, ``before`` counted in."""
    length = 0
    for text, look in runs:
        if text.strip() and not look.bold:
            return max(0, length + before) if length else 0
        length += len(text)
    return 0
