"""What the terminal shows: lines, tables and trees by East Asian width, a progress bar.

Takes texts, writes them. Never fails on a character that the console does not have, never draws
a bar into a pipe.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO
from unicodedata import combining, east_asian_width

_WORDS = re.compile(r"[\u0021-\u007e]+|\s+|.", re.DOTALL)
_NO_LINE_START = frozenset("，。、；：？！）》」』”’…%)],.;:!?}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_BAR_COLUMNS = 28
COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


def prepare_streams() -> None:
    """Let no console raise: characters it does not have become question marks."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def columns() -> int:
    """Give the terminal's width; a pipe is taken for a wide one."""
    return max(40, shutil.get_terminal_size((110, 24)).columns)


def width(text: str) -> int:
    """Give the columns that a text takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text
    )


def fit(text: str, room: int) -> str:
    """Give the text in one line, cut to the room with an ellipsis, filled up with blanks."""
    text = _CONTROL.sub(" ", text)
    if width(text) > room:
        used, kept = 0, []
        for char in text:
            step = width(char)
            if used + step > room - 1:
                break
            kept.append(char)
            used += step
        text = "".join(kept) + "…"
    return text + " " * (room - width(text))


def wrap(text: str, room: int) -> list[str]:
    """Break a text into lines: between Han characters but before closing marks, else at blanks."""
    lines, line, used = [], "", 0
    for word in _WORDS.findall(" ".join(text.split())):
        step = width(word)
        if used + step > room and line.strip() and word not in _NO_LINE_START:
            lines.append(line.rstrip())
            line, used = "", 0
            if word.isspace():
                continue
        line += word
        used += step
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def painted(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Give the text in a colour where the stream is a terminal that wants colours."""
    stream = stream or sys.stdout
    if not stream.isatty() or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return text
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m"


def line(text: str = "", stream: TextIO | None = None) -> None:
    """Write a line of text."""
    print(text, file=stream or sys.stdout)


def complain(text: str) -> None:
    """Write a line to standard error, past the progress bar."""
    print(text, file=sys.stderr)


def raw(content: bytes) -> None:
    """Write bytes to standard output: what programs read is UTF-8 on every console."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


def can_show(text: str, stream: TextIO | None = None) -> bool:
    """Tell whether the stream's encoding has all of the characters."""
    try:
        text.encode((stream or sys.stdout).encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Column:
    """A column of a table: title, least and most width, to the right for numbers."""

    def __init__(self, title: str, most: int, *, right: bool = False, share: bool = False) -> None:
        self.title, self.most, self.right, self.share = title, most, right, share


def table(layout: Sequence[Column], rows: Iterable[Sequence[str]], room: int) -> list[str]:
    """Give the lines of a table that fits the room; columns that ``share`` give way first."""
    listed = [[_CONTROL.sub(" ", cell) for cell in row] for row in rows]
    widths = [
        min(column.most, max([width(column.title), *(width(row[i]) for row in listed)]))
        for i, column in enumerate(layout)
    ]
    over = sum(widths) + 2 * len(widths) - room
    for i, column in sorted(enumerate(layout), key=lambda pair: -widths[pair[0]]):
        if over > 0 and column.share:
            taken = min(over, max(0, widths[i] - 12))
            widths[i] -= taken
            over -= taken
    heads = [column.title for column in layout]
    return [_row(layout, widths, cells) for cells in (heads, *listed)]


def _row(layout: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    shown = []
    for column, room, cell in zip(layout, widths, cells, strict=True):
        fitted = fit(cell, room)
        if column.right:
            bare = fitted.rstrip()
            fitted = " " * (room - width(bare)) + bare
        shown.append(fitted)
    return "  ".join(shown).rstrip()


class Progress:
    """A bar on standard error while a run goes on; silent where that is no terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._on = sys.stderr.isatty() and total > 1 and os.environ.get("TERM") != "dumb"

    def step(self, name: str) -> None:
        """Count one more, and name what was done."""
        self._done += 1
        self._total = max(self._total, self._done)  # archives hold more than was named
        if self._on:
            full, empty = ("█", "░") if can_show("█░", sys.stderr) else ("#", ".")
            filled = _BAR_COLUMNS * self._done // self._total
            bar = full * filled + empty * (_BAR_COLUMNS - filled)
            counted = f"{self._done}/{self._total}"
            room = max(10, columns() - _BAR_COLUMNS - len(counted) - 5)
            sys.stderr.write(f"\r{bar}  {counted}  {fit(name, room)}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar away."""
        if self._on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
