"""``make furniture``: page headers, footers and numbers left in chunks, body lines taken for them.

Takes a corpus (``python -m benchmarks.furniture CORPUS [NAME …] [--show]``), prints a line a file
and the sums. It judges by repetition and place over the pages of the finished chunks and by a
DOCX's own header parts, never by what the reader thought; ``--show`` lists all that was set aside.
"""

import argparse
import json
import re
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.headings import pairs
from headworks.config import Settings
from headworks.errors import HeadworksError
from headworks.model.document import Document
from headworks.model.place import PagePlace, Span
from headworks.pipeline import Outcome, process
from headworks.readers.base import read
from headworks.rules.book import RuleBook

ROLES = ("page_header", "page_footer", "page_number", "watermark")
KINDS = frozenset((".pdf", ".docx", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp"))
EDGE = 0.12  # of the page's height
NEAR = 0.015  # of the page's height: rows of several pages at one place
OUTER_ROWS = 3

_DIGITS = re.compile("\\d+|(?<=第)[一二三四五六七八九十百]+(?=页)")
_ARABIC = re.compile("\\d{1,9}")
_NUMBER = re.compile(
    "[-–—~·(（\\[ ]*(?:第? ?\\d{1,4} ?页?|[ivxlcIVXLC]{1,6})"
    "(?:[,，/／ ]*(?:共|of)? ?\\d{1,4} ?页?)?[-–—~·)）\\] ]*|page ?\\d+.*",
    re.I,
)
_SPACE = re.compile("\\s+")
_WORDS = re.compile("<w:p[ >].*?</w:p>", re.DOTALL)
_SAID = re.compile("<w:t(?: [^>]*)?>([^<]*)</w:t>")


class PrintedRow(msgspec.Struct, frozen=True):
    """What stands at one height of a page and is in a chunk; heights as shares of the page's."""

    page: int
    depth: int  # rows nearer to the page's edge
    height: float
    text: str


class Finding(msgspec.Struct, frozen=True):
    """A page (0 where a file has none) and the words in question."""

    page: int
    text: str


class Totals(msgspec.Struct):
    """What was counted over a corpus."""

    files: int = 0
    pages: int = 0
    left: int = 0  # pages with furniture in a chunk
    taken: int = 0  # labelled lines of the body among the furniture

    def said(self) -> str:
        """Give the counts as a sentence."""
        return (
            f"Furniture: {self.left} of {self.pages} pages in {self.files} files of the corpus"
            f" (PDF, DOCX, scans) hold a page header, footer or number in a chunk"
            f" ({self.left / max(1, self.pages):.2%}); {self.taken} labelled lines of the body"
            " were taken for one (`make furniture` names them)."
        )


def main() -> int:
    """Print what was found; the exit code is 1 where a bar is not held."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("corpus", type=Path)
    asked.add_argument("names", nargs="*")
    asked.add_argument("--show", action="store_true")
    given = asked.parse_args()
    totals = counted(given.corpus, given.names, show=given.show)
    print(totals.said())
    return int(totals.left >= 0.005 * totals.pages or totals.taken > 0)


def counted(corpus: Path, names: Sequence[str] = (), *, show: bool = False) -> Totals:
    """Read a corpus, print a line a file, give the sums."""
    labels, settings, totals = _labels(corpus), Settings(), Totals()
    book, reading = RuleBook([], settings.rules), partial(read, settings=settings.read)
    for path in sorted((corpus / "files").rglob("*")):
        if path.suffix.lower() not in KINDS or not _asked(path, names):
            continue
        try:
            outcome = process(path, reading, settings, book)
        except HeadworksError as refused:
            print(f"{path.name}: {refused.code}")
            continue
        left = list(left_in_chunks(path, outcome))
        taken = list(taken_from_body(outcome, labels.get(path, [])))
        count = max(1, len(outcome.document.page_sizes) or outcome.document.metadata.pages or 1)
        totals.files, totals.pages = totals.files + 1, totals.pages + count
        totals.left += len({finding.page for finding in left})
        totals.taken += len(taken)
        print(f"{path.name:46} {count:4} pages, left {len(left)}, body taken {len(taken)}")
        for sign, findings in (("left ", left), ("taken", taken)):
            for finding in findings:
                print(f"    {sign} page {finding.page}: {finding.text[:70]}")
        if show:
            _show(outcome.document)
    return totals


def left_in_chunks(path: Path, outcome: Outcome) -> Iterator[Finding]:
    """Give what looks like furniture and is in a chunk."""
    if path.suffix.lower() == ".docx":
        yield from _header_parts_in_chunks(path, outcome)
        return
    rows = list(_rows(outcome))
    pages = len(outcome.document.page_sizes)
    need = 2 if pages <= 4 else 3
    by_key: dict[tuple[bool, str], list[PrintedRow]] = defaultdict(list)
    for row in rows:
        by_key[row.height < 0.5, _DIGITS.sub("#", _SPACE.sub("", row.text))].append(row)
    for group in by_key.values():
        for row in group:
            alike = {
                other.page
                for other in group
                if abs(other.height - row.height) < NEAR and _is_one_series(row, other)
            }
            numbered = row.depth == 0 and _NUMBER.fullmatch(row.text.strip()) is not None
            if len(alike) >= need or numbered:
                yield Finding(row.page, row.text)


def taken_from_body(outcome: Outcome, labels: list[str]) -> Iterator[Finding]:
    """Give the labelled lines that stand among the furniture and in no chunk."""
    text = outcome.document.text
    kept = _bare("".join(chunk.text_in(text) for chunk in outcome.chunks))
    aside = [
        (block, _bare(outcome.document.slice(block.span)))
        for block in outcome.document.blocks
        if block.role in ROLES
    ]
    for label in labels:
        for block, said in aside:
            if label in said and label not in kept:
                page = block.place.page if isinstance(block.place, PagePlace) else 0
                yield Finding(page, label)
                break


def _rows(outcome: Outcome) -> Iterator[PrintedRow]:
    """Give the rows of chunks near the upper and lower edges of their pages."""
    document = outcome.document
    found: dict[int, dict[tuple[int, int], tuple[float, str]]] = defaultdict(dict)
    for chunk in outcome.chunks:
        for span in chunk.spans:
            for start, end, box in document.lines.within(span):
                text = document.slice(Span(max(start, span.start), min(end, span.end)))
                found[box.page][start, end] = ((box.y0 + box.y1) / 2, text)
    for page, lines in found.items():
        high = document.page_sizes[page - 1].height
        rows: list[tuple[float, str]] = []
        for middle, text in sorted(lines.values()):
            if rows and middle - rows[-1][0] < 4:
                rows[-1] = (rows[-1][0], f"{rows[-1][1]} {text.strip()}")
            else:
                rows.append((middle, text.strip()))
        for depth, (middle, text) in enumerate(rows[:OUTER_ROWS]):
            if middle < EDGE * high:
                yield PrintedRow(page, depth, middle / high, text)
        for depth, (middle, text) in enumerate(rows[: -OUTER_ROWS - 1 : -1]):
            if middle > (1 - EDGE) * high:
                yield PrintedRow(page, depth, middle / high, text)


def _is_one_series(row: PrintedRow, other: PrintedRow) -> bool:
    """Tell whether two rows say the same, or differ by a number as their pages do."""
    if _bare(row.text) == _bare(other.text):
        return True
    here, there = (list(map(int, _ARABIC.findall(each.text))) for each in (row, other))
    return any(a - row.page == b - other.page for a, b in zip(here, there, strict=False))


def _header_parts_in_chunks(path: Path, outcome: Outcome) -> Iterator[Finding]:
    """Give the lines of a DOCX's header and footer parts that chunks hold beyond the body's own."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name).decode("utf-8", "replace") for name in package.namelist()
                 if name.endswith(".xml")}  # fmt: skip
    own = _bare("".join(_SAID.findall(parts.get("word/document.xml", ""))))
    text = outcome.document.text
    lines = Counter(
        _bare(line) for chunk in outcome.chunks for line in chunk.text_in(text).splitlines()
    )
    for name, content in parts.items():
        if not re.match("word/(?:header|footer)", name):
            continue
        for paragraph in _WORDS.findall(content):
            said = _bare("".join(_SAID.findall(paragraph)))
            if len(said) > 1 and said not in own and lines[said]:
                yield Finding(0, said)


def _labels(corpus: Path) -> dict[Path, list[str]]:
    """Give for each labelled file the lines of its body that labels name."""
    found: dict[Path, list[str]] = {}
    for path, headings in pairs(corpus, ()):
        found[path] = [_bare(line.get("line") or line["text"]) for line in headings]
    for gold in (corpus / "gold").glob("*.json"):
        said: dict[str, Any] = json.loads(gold.read_text(encoding="utf-8"))
        paragraphs = [_bare(article["text"]) for article in said.get("articles", [])]
        stem = gold.stem.removeprefix("law_")
        for path, lines in found.items():
            if path.name.startswith(stem):
                lines.extend(paragraphs)
    return {path: [line for line in lines if len(line) > 1] for path, lines in found.items()}


def _show(document: Document) -> None:
    """List what was set aside, each wording once with the pages it is on."""
    aside: dict[tuple[str, str], list[int]] = defaultdict(list)
    for block in document.blocks:
        if block.role != "body":
            page = block.place.page if isinstance(block.place, PagePlace) else 0
            words = _DIGITS.sub("#", _SPACE.sub(" ", document.slice(block.span)))
            aside[block.role, words].append(page)
    for (role, words), where in aside.items():
        shown = ",".join(map(str, where[:4])) + (f"… ({len(where)})" if len(where) > 4 else "")
        print(f"      {role:12} {words[:80]}  [{shown}]")


def _asked(path: Path, names: Sequence[str]) -> bool:
    return not names or any(name in path.name for name in names)


def _bare(text: str) -> str:
    return _SPACE.sub("", text)


if __name__ == "__main__":
    sys.exit(main())
