"""Tables of HTML, as they stand inside Markdown and elsewhere.

Takes the source of one ``<table>``, gives rows of cell texts with merged cells. Never keeps a tag:
``<br>`` and paragraphs inside a cell become line ends.
"""

import re
from html.parser import HTMLParser

import msgspec

from headworks.model.document import Merge

_BREAKING = frozenset({"br", "p", "div", "li", "tr"})
_MAX_SPAN = 1000
_SPACES = re.compile(r"[ \t\r\n]+")


class HtmlTable(msgspec.Struct, frozen=True):
    """A regular grid: places that a merged cell covers hold empty texts."""

    rows: list[list[str]]
    merges: tuple[Merge, ...]
    header_rows: int
    caption: str = ""


def parse_table(source: str) -> HtmlTable:
    """Give the table of the source; a table inside a cell gives its text to the cell."""
    parser = _TableParser()
    parser.feed(source)
    parser.close()
    return parser.table()


class _TableParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._cells: dict[tuple[int, int], str] = {}
        self._taken: set[tuple[int, int]] = set()
        self._merges: list[Merge] = []
        self._row = -1
        self._column = 0
        self._depth = 0
        self._text: list[str] | None = None
        self._at = (0, 0)
        self._caption: list[str] | None = None
        self._caption_text = ""
        self._in_head = False
        self._header_rows: set[int] = set()
        self._plain_rows: set[int] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._depth += 1
        elif self._depth > 1 or (tag in _BREAKING and self._text is not None and tag != "tr"):
            if tag in _BREAKING and self._text is not None:
                self._text.append("\n")
        elif tag == "thead":
            self._in_head = True
        elif tag in ("tbody", "tfoot"):
            self._in_head = False
        elif tag == "tr":
            self._end_cell()
            self._row, self._column = self._row + 1, 0
        elif tag in ("td", "th"):
            self._end_cell()
            self._begin_cell(tag, dict(attrs))
        elif tag == "caption":
            self._caption = []
        elif tag == "img" and self._text is not None:
            self._text.append(dict(attrs).get("alt") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._depth -= 1
            if self._depth == 0:
                self._end_cell()
        elif self._depth > 1:
            return
        elif tag in ("td", "th", "tr"):
            self._end_cell()
        elif tag == "thead":
            self._in_head = False
        elif tag == "caption" and self._caption is not None:
            self._caption_text = _tidy("".join(self._caption))
            self._caption = None

    def handle_data(self, data: str) -> None:
        if self._caption is not None:
            self._caption.append(data)
        elif self._text is not None:
            self._text.append(_SPACES.sub(" ", data))

    def table(self) -> HtmlTable:
        self._end_cell()
        places = self._cells.keys() | self._taken
        height = max((row for row, _ in places), default=-1) + 1
        width = max((column for _, column in places), default=-1) + 1
        rows = [
            [self._cells.get((row, column), "") for column in range(width)] for row in range(height)
        ]
        header = 0
        while header < height and header in self._header_rows and header not in self._plain_rows:
            header += 1
        return HtmlTable(rows, tuple(self._merges), header % max(height, 1), self._caption_text)

    def _begin_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        self._row = max(self._row, 0)
        while (self._row, self._column) in self._taken:
            self._column += 1
        row_span, column_span = _span(attributes, "rowspan"), _span(attributes, "colspan")
        self._at = (self._row, self._column)
        self._text = []
        if row_span * column_span > 1:
            self._merges.append(Merge(self._row, self._column, row_span, column_span))
            self._taken.update(
                (self._row + down, self._column + right)
                for down in range(row_span)
                for right in range(column_span)
            )
        header = self._in_head or tag == "th"
        (self._header_rows if header else self._plain_rows).add(self._row)
        self._column += column_span

    def _end_cell(self) -> None:
        if self._text is not None:
            self._cells[self._at] = _tidy("".join(self._text))
            self._text = None


def _span(attributes: dict[str, str | None], name: str) -> int:
    value = (attributes.get(name) or "1").strip()
    return max(1, min(int(value), _MAX_SPAN)) if value.isascii() and value.isdigit() else 1


def _tidy(text: str) -> str:
    lines = (line.strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
