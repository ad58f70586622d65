"""Pipe tables of Markdown.

Takes lines and where a table may begin, gives its rows. Never splits at an escaped pipe or at one
inside a code span.
"""

import re
from collections.abc import Sequence

DELIMITER_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_PIPE = re.compile(r"(?<!\\)\|")
_CODE_WITH_PIPE = re.compile(r"`[^`]*\|[^`]*`")


def pipe_table(lines: Sequence[str], at: int) -> tuple[list[list[str]], int, int] | None:
    """Give rows, header rows and the line after the table; none where no table begins here.

    Without a delimiter row it takes two lines that begin and end with a pipe and agree in cells.
    """
    header = _cells(lines[at])
    delimited = (
        at + 1 < len(lines)
        and "|" in lines[at + 1] + lines[at]
        and DELIMITER_ROW.match(lines[at + 1]) is not None
        and len(_cells(lines[at + 1])) in (len(header), len(header) - 1)
    )
    if DELIMITER_ROW.match(lines[at]) and "|" in lines[at]:  # a table without a header
        rows, after = _rows(lines, at + 1)
        return (rows, 0, after) if rows else None
    if delimited:
        rows, after = _rows(lines, at + 2)
        return [header, *rows], 1, after
    if not _framed(lines[at]):
        return None
    after = at
    while after < len(lines) and _framed(lines[after]):
        after += 1
    rows = [_cells(line) for line in lines[at:after]]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        return None
    return rows, 0, after


def _rows(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    rows = []
    while at < len(lines) and lines[at].strip() and _PIPE.search(lines[at]):
        if not DELIMITER_ROW.match(lines[at]):
            rows.append(_cells(lines[at]))
        at += 1
    return rows, at


def _framed(line: str) -> bool:
    body = line.strip()
    return len(body) > 2 and body[0] == body[-1] == "|"


def _cells(line: str) -> list[str]:
    body = line.strip()
    if "`" in body:
        body = _CODE_WITH_PIPE.sub(lambda found: found[0].replace("|", "\\|"), body)
    body = body.removeprefix("|")
    if body.endswith("|") and not body.endswith("\\|"):
        body = body[:-1]
    return [cell.strip().replace("\\|", "|") for cell in _PIPE.split(body)]
