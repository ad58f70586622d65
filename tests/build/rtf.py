"""Builds small RTF files in the code page of a Chinese Word."""

from pathlib import Path

_HEAD = (
    r"{\rtf1\ansi\ansicpg936\deff0{\fonttbl{\f0\fnil\fcharset134 \'cb\'ce\'cc\'e5;}"
    r"{\f1\fswiss\fcharset0 Arial;}{\f2\fnil\fcharset136 MingLiU;}{\f3\fnil\fcharset2 Wingdings;}}"
    r"{\colortbl;\red0\green0\blue0;}{\stylesheet{\ql Normal;}"
    r"{\s1\outlinelevel0\b heading 1;}{\*\cs10 Default Paragraph Font;}}"
)


def hexed(text: str, encoding: str = "gbk") -> str:
    """Give a text as the escapes of its bytes."""
    return "".join(rf"\'{byte:02x}" for byte in text.encode(encoding))


def coded(text: str) -> str:
    """Give a text as Unicode escapes, each with a question mark for old programs."""
    units = text.encode("utf-16-le")
    numbers = [
        int.from_bytes(units[at : at + 2], "little", signed=True) for at in range(0, len(units), 2)
    ]
    return "".join(rf"\u{number}?" for number in numbers)


def row(*cells: str, edges: tuple[int, ...] = (), marks: tuple[str, ...] = ()) -> str:
    """Give a table row; ``marks`` stand before the edges of its cells."""
    places = edges or tuple(2000 * (index + 1) for index in range(len(cells)))
    marked = marks or ("",) * len(places)
    defined = "".join(rf"{mark}\cellx{place}" for mark, place in zip(marked, places, strict=True))
    texts = "".join(rf"\pard\intbl {cell}\cell " for cell in cells)
    return rf"\trowd{defined}{texts}\row "


def write(path: Path, body: str | bytes, head: str = _HEAD) -> Path:
    """Write an RTF file."""
    raw = body.encode("ascii") if isinstance(body, str) else body
    path.write_bytes(head.encode("ascii") + raw + b"}")
    return path
