"""Plain text: any encoding, any line ends, lines broken at a width put together again.

Takes a text file, gives paragraphs and tab-separated tables. Never guesses a paragraph where the
file does not show one: a line is a paragraph unless it was certainly wrapped.
"""

import re
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Source, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.encoding import Decoded, decode
from headworks.readers.wrapping import Wrapping, find_wrapping, join

PART = "text"
_LINE_ENDS = re.compile("\r\n?|[\n\x0b\x0c\x85\u2028\u2029]")
_INDENT = re.compile("[ \t\u3000\u00a0]*")
_MAX_SHOWN_FAULTS = 5


def read_text(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a plain text file."""
    builder = DocumentBuilder(source)
    write_lines(load_lines(path, builder), builder)
    return builder.finish()


def write_lines(lines: list[str], builder: DocumentBuilder) -> None:
    """Write lines of plain text as paragraphs and tables."""
    wrapping = find_wrapping(lines)
    styles: dict[tuple[float, bool], Style] = {}
    index = 0
    while index < len(lines):
        if (after := _add_table(builder, lines, index)) > index:
            index = after
            continue
        text, after = _paragraph(lines, index, wrapping)
        indent = _indent_of(lines[index])
        # A blank line above says as much as space above does in a word processor.
        key = (indent, index > 0 and not lines[index - 1].strip())
        style = styles.get(key) or styles.setdefault(
            key, Style(indent=indent, space_before=10.5 if key[1] else 0.0)
        )
        builder.paragraph(text.strip(), PartPlace(PART, index + 1), style=style)
        index = after


def split_lines(text: str) -> list[str]:
    """Give the lines of a text, whatever ends them."""
    return _LINE_ENDS.split(text)


def load_lines(path: Path, builder: DocumentBuilder) -> list[str]:
    """Give the file's lines, numbered from 0."""
    return split_lines(load_text(path, builder))


def load_text(path: Path, builder: DocumentBuilder) -> str:
    """Give the file's text; note its encoding and what did not decode."""
    raw = path.read_bytes()
    decoded = decode(raw)
    note_encoding(decoded, builder)
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        builder.removed("invisible", 1, "byte order mark")
    if not decoded.text.strip("\ufeff\x00 \t\r\n\xa0\u3000"):
        raise InputError("E_EMPTY", "nothing but white space", place=path.name)
    return decoded.text


def note_encoding(decoded: Decoded, builder: DocumentBuilder) -> None:
    """Put the encoding into the document's facts, and what did not decode among its problems."""
    more: dict[str, str | int | float | list[str]] = {"encoding": decoded.encoding}
    builder.metadata = msgspec.structs.replace(
        builder.metadata, more={**builder.metadata.more, **more}
    )
    if not decoded.fault_count:
        return
    shown = ", ".join(str(offset) for offset in decoded.faults[:_MAX_SHOWN_FAULTS])
    ellipsis = " …" if decoded.fault_count > _MAX_SHOWN_FAULTS else ""
    builder.problem(
        "W_ENCODING",
        f"{decoded.fault_count} places are not {decoded.encoding}",
        place=f"byte {shown}{ellipsis}",
    )
    builder.lost(unreadable_characters=decoded.fault_count)


def _paragraph(lines: list[str], index: int, wrapping: Wrapping) -> tuple[str, int]:
    """Give the paragraph that begins at a line, and the index of the line after it."""
    text = lines[index]
    after = index + 1
    while after < len(lines) and wrapping.joins(lines[after - 1], lines[after]):
        text = join(text, lines[after])
        after += 1
    return text, after


def _indent_of(line: str) -> float:
    """Give the indent in points as if the text were set in 10.5: half an em a column."""
    lead = _INDENT.match(line)
    if not lead or not lead[0]:
        return 0.0
    columns = sum(4 if char == "\t" else 2 if char == "\u3000" else 1 for char in lead[0])
    return columns * 5.25


def _add_table(builder: DocumentBuilder, lines: list[str], index: int) -> int:
    """Add the tab-separated table that begins at a line; give the line after it, or the same.

    A cell may hold a line end: then its row's tabs stand on several lines.
    """
    tabs = lines[index].strip("\r\n").count("\t")
    if tabs < 1 or not lines[index].strip("\t"):
        return index
    rows: list[list[str]] = []
    after = index
    while after < len(lines) and lines[after].strip():
        text, until = lines[after], after + 1
        while text.count("\t") < tabs and until < len(lines) and "\t" in lines[until]:
            text = f"{text}\n{lines[until]}"
            until += 1
        if text.count("\t") != tabs:
            break
        rows.append(text.split("\t"))
        after = until
    filled = sum(1 for row in rows if sum(1 for cell in row if cell.strip()) >= 2)
    if len(rows) < 2 or filled < len(rows) * 0.6:
        return index
    header = 1 if all(cell.strip() for cell in rows[0]) else 0
    builder.table(rows, PartPlace(PART, index + 1), grid={"header_rows": header})
    return after
