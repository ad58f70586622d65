"""Markdown: its headings, lists, tables and code as blocks, its marks taken away.

Takes a Markdown file, gives paragraphs with outline levels, tables, code. Never makes a heading of
what stands in code, and never renders HTML: tags go, their text stays.
"""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.model.document import Align, BlockKind, Document, Source, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.html_tables import parse_table
from headworks.readers.markdown_inline import COMMENT, bold_lead, plain
from headworks.readers.markdown_tables import DELIMITER_ROW, pipe_table
from headworks.readers.text import PART, load_lines
from headworks.readers.wrapping import Wrapping, find_wrapping, join

_ATX = re.compile(
    r" {0,3}(#{1,6})(?:[ \t\u3000]+(.*?)|(?=[第（一二三四五六七八九十])(.*?))(?:[ \t]+#+)?[ \t]*$"
)
_ATX_TIGHT = re.compile(r" {0,3}(#{2,6})(?=[^#\s!\[{])(.*?)#*[ \t]*$")
_ATTRIBUTES = re.compile(r"\s*\{[#.:][^{}]*\}\s*$")
_SETEXT = re.compile(r" {0,3}(=+|-{2,})[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})([^`]*)$")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_QUOTE = re.compile(r" {0,3}>[ \t]?")
_HTML_TABLE = re.compile(r"[ \t]*<table[\s>]", re.I)
_SILENT = re.compile(r"[ \t]*<(script|style)[\s>]", re.I)
_REFERENCE = re.compile(r" {0,3}\[[^\]\^][^\]]*\]:\s*\S+(?:\s+[\"'(].*[\"')])?\s*$")
_FOOTNOTE = re.compile(r" {0,3}\[\^([^\]]+)\]:[ \t]*")
_CONTENTS_MARK = re.compile(r"[ \t]*(?:\[TOC\]|\[\[toc\]\]|\[\[_TOC_\]\])[ \t]*$", re.I)
_FIELD = re.compile(r"([A-Za-z_][\w -]*):[ \t]*(.*)$")
_CENTRED = re.compile(r"<center>|<(?:p|div|h[1-6])\s[^<>]*align\s*=\s*[\"']?center", re.I)
_HTML_HEADING = re.compile(r"[ \t]*<h([1-6])(?:\s[^<>]*)?>(.*?)</h\1>[ \t]*$", re.I)
_CODE_INDENT = re.compile(r"(?: {4}|\t)")
_CHINESE = re.compile("[\u3400-\u9fff]")
_SPECIAL = frozenset(" \t#`~|<>-*+_=[0123456789$")


def read_markdown(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a Markdown file."""
    builder = DocumentBuilder(source)
    lines = load_lines(path, builder)
    _MarkdownLines(builder, lines).read()
    return builder.finish()


class _MarkdownLines:
    """The lines and where reading stands; each ``_take_…`` goes past what it recognises."""

    def __init__(self, builder: DocumentBuilder, lines: list[str]) -> None:
        self._builder = builder
        self._lines = lines
        self._at = 0
        self._wrapping: Wrapping = find_wrapping(lines)
        self._styles: dict[Style, Style] = {}
        self._item_indents: list[int] = []
        self._steps: tuple[Callable[[str], bool], ...] = (
            self._take_fence,
            self._take_heading,
            self._take_table,
            self._take_html,
            self._take_nothing,
            self._take_indented_code,
            self._take_footnote,
        )

    def read(self) -> None:
        self._take_front_matter()
        lines = self._lines
        while self._at < len(lines):
            line = lines[self._at]
            if not line or line.isspace():
                self._at += 1
                continue
            plain_start = line[0] not in _SPECIAL and "|" not in line
            if plain_start or not any(step(line) for step in self._steps):
                self._take_paragraph(line)

    def _place(self, at: int | None = None) -> PartPlace:
        return PartPlace(PART, (self._at if at is None else at) + 1)

    def _style(self, style: Style) -> Style:
        return self._styles.setdefault(style, style)

    def _take_front_matter(self) -> None:
        lines = self._lines
        if not lines or lines[0].lstrip("\ufeff").rstrip() != "---":
            return
        end = next((n for n in range(1, len(lines)) if lines[n].rstrip() in ("---", "...")), 0)
        fields = [found for line in lines[1:end] if (found := _FIELD.match(line)) is not None]
        if not fields:
            return
        values = {found[1].lower(): found[2].strip().strip("\"'") for found in fields}
        metadata = self._builder.metadata
        self._builder.metadata = msgspec.structs.replace(
            metadata,
            title=values.get("title") or None,
            author=values.get("author") or None,
            created=values.get("date") or None,
            more={**metadata.more, "front_matter": [line for line in lines[1:end] if line.strip()]},
        )
        self._at = end + 1

    def _take_fence(self, line: str) -> bool:
        opening = _FENCE.match(line)
        if opening is None:
            return False
        mark = opening[1]
        closing = re.compile(rf"[ \t>]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*$")
        lines, first = self._lines, self._at + 1
        end = next((n for n in range(first, len(lines)) if closing.match(lines[n])), len(lines))
        indent = len(line) - len(line.lstrip())
        body = [text[indent:] if text[:indent].isspace() else text for text in lines[first:end]]
        self._code(body, first)
        self._at = end + 1
        return True

    def _take_indented_code(self, line: str) -> bool:
        """Take lines set in by four blanks, unless they are Chinese prose or under a list."""
        if not _CODE_INDENT.match(line) or self._item_indents or _CHINESE.search(line):
            return False
        if self._at > 0 and self._lines[self._at - 1].strip():
            return False
        end = self._at
        while end < len(self._lines) and _CODE_INDENT.match(self._lines[end]):
            end += 1
        self._code(
            [_CODE_INDENT.sub("", text, 1) for text in self._lines[self._at : end]], self._at
        )
        self._at = end
        return True

    def _code(self, body: list[str], at: int) -> None:
        self._builder.paragraph("\n".join(body).strip("\n"), self._place(at), kind="code")

    def _take_heading(self, line: str) -> bool:
        found = _ATX.match(line) or _ATX_TIGHT.match(line)
        if found is not None:
            text = next((group for group in found.groups()[1:] if group is not None), "")
            self._heading(text, len(found[1]))
        elif (tagged := _HTML_HEADING.match(line)) is not None:
            self._heading(tagged[2], int(tagged[1]))
        else:
            return False
        self._at += 1
        return True

    def _heading(self, text: str, level: int) -> None:
        self._item_indents.clear()
        shown = plain(_ATTRIBUTES.sub("", text)).strip().replace("\n", " ")
        style = self._style(Style(name=f"heading {level}", bold=True, outline_level=level))
        self._builder.paragraph(shown, self._place(), style=style)

    def _take_table(self, line: str) -> bool:
        lines, at = self._lines, self._at
        if "|" not in line:
            return False
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if not DELIMITER_ROW.match(following) and not line.lstrip().startswith("|"):
            return False
        found = pipe_table(lines, at)
        if found is None:
            return False
        rows, header_rows, after = found
        self._builder.table(
            [[plain(cell) for cell in row] for row in rows],
            self._place(),
            grid={"header_rows": header_rows},
        )
        self._at = after
        return True

    def _take_html(self, line: str) -> bool:
        stripped = line.lstrip()
        if not stripped.startswith("<"):
            return False
        if stripped.startswith("<!--"):
            return self._take_comment()
        if (silent := _SILENT.match(line)) is not None:
            self._at = self._line_with(f"</{silent[1]}".lower()) + 1
            return True
        if _HTML_TABLE.match(line):
            return self._take_html_table()
        return False

    def _take_comment(self) -> bool:
        end = self._line_with("-->", self._at)
        source = "\n".join(self._lines[self._at : end + 1])
        rest = COMMENT.sub("", source, count=1).strip()
        self._lines[end] = rest
        self._at = end if rest else end + 1
        return True

    def _take_html_table(self) -> bool:
        depth, end = 0, self._at
        while end < len(self._lines):
            low = self._lines[end].lower()
            depth += low.count("<table") - low.count("</table")
            end += 1
            if depth <= 0:
                break
        table = parse_table("\n".join(self._lines[self._at : end]))
        if table.caption:
            self._builder.paragraph(table.caption, self._place(), kind="caption")
        grid = {"header_rows": table.header_rows, "merges": table.merges}
        self._builder.table(table.rows, self._place(), grid=grid)
        self._at = end
        return True

    def _line_with(self, mark: str, at: int | None = None) -> int:
        start = self._at if at is None else at
        lines = self._lines
        return next(
            (n for n in range(start, len(lines)) if mark in lines[n].lower()), len(lines) - 1
        )

    def _take_nothing(self, line: str) -> bool:
        """Pass rules, link definitions and marks of a contents list, which show no text."""
        if _RULE.match(line) or _REFERENCE.match(line) or _CONTENTS_MARK.match(line):
            if _RULE.match(line):
                self._item_indents.clear()
            self._at += 1
            return True
        return False

    def _take_footnote(self, line: str) -> bool:
        found = _FOOTNOTE.match(line)
        if found is None:
            return False
        self._add(f"[^{found[1]}] {line[found.end() :]}", self._at, kind="footnote")
        self._at += 1
        return True

    def _take_paragraph(self, line: str) -> None:
        """Take a paragraph, a list item or a quotation, with the lines that go on with it."""
        at, lines = self._at, self._lines
        quoted = _QUOTE.match(line)
        if quoted is not None and line.lstrip(" >\t") == "":
            self._at += 1
            return
        text = _unquoted(line)
        if quoted is not None and self._take_quoted(text):
            return
        level = self._list_level(text)
        after = at + 1
        if quoted is None and level is None and self._take_setext(text):
            return
        while after < len(lines) and self._goes_on(lines[after - 1], lines[after]):
            text = join(text, _unquoted(lines[after]))
            after += 1
        self._at = after
        self._add(text, at, kind="paragraph" if quoted is None else "quote", list_level=level)

    def _take_quoted(self, text: str) -> bool:
        """Take a heading or a rule that stands in a quotation."""
        return self._take_heading(text) or self._take_nothing(text)

    def _take_setext(self, text: str) -> bool:
        lines, at = self._lines, self._at
        if at + 1 >= len(lines) or (at > 0 and lines[at - 1].strip()):
            return False
        under = _SETEXT.match(lines[at + 1])
        if under is None or len(text.strip()) > 120:
            return False
        self._heading(text.strip(), 1 if under[1][0] == "=" else 2)
        self._at += 2
        return True

    def _goes_on(self, line: str, following: str) -> bool:
        if not following.strip() or line.endswith(("  ", "\\")):
            return False
        if _ITEM.match(following) or _ATX.match(following) or _FENCE.match(following):
            return False
        if bool(_QUOTE.match(line)) != bool(_QUOTE.match(following)) or following[0] in "|<":
            return False
        return self._wrapping.joins(_unquoted(line), _unquoted(following))

    def _list_level(self, text: str) -> int | None:
        """Give the depth of a list item from 0, or none for any other line."""
        found = _ITEM.match(text)
        if found is None:
            if text[:1] not in " \t":
                self._item_indents.clear()
            return None
        indent = len(found[1].expandtabs(4))
        while self._item_indents and self._item_indents[-1] > indent:
            self._item_indents.pop()
        if not self._item_indents or self._item_indents[-1] < indent:
            self._item_indents.append(indent)
        return len(self._item_indents) - 1

    def _add(
        self, text: str, at: int, *, kind: BlockKind = "paragraph", list_level: int | None = None
    ) -> None:
        place = self._place(at)
        align: Align | None = "center" if "<" in text and _CENTRED.search(text) else None
        lead, rest = bold_lead(text.strip())
        shown, tail = plain(lead), plain(rest)
        whole = bool(shown) and not tail.strip(" 　:：")
        lead_text = self._builder.clean(shown, place).lstrip() if shown and not whole else ""
        style = self._style(Style(bold=whole, align=align, list_level=list_level))
        self._builder.paragraph(
            (lead_text or shown) + tail.rstrip() if shown else tail.strip(),
            place,
            kind=kind,
            style=style,
            lead_bold=len(lead_text),
        )


def _unquoted(line: str) -> str:
    while (found := _QUOTE.match(line)) is not None:
        line = line[found.end() :]
    return line
