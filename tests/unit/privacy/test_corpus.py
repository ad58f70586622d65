"""Real documents: order numbers, serial numbers and long cell values are no personal data."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from python_calamine import CalamineError, load_workbook

from headworks.model.folding import fold
from headworks.privacy.recognizers import detect

MAX_BYTES = 3_000_000
MAX_ROWS = 3_000


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """Give the texts of the workbooks, Word and text files of moderate size."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".docx" and path.stat().st_size < MAX_BYTES:
            try:
                part = zipfile.ZipFile(path).read("word/document.xml")
            except (zipfile.BadZipFile, KeyError):
                continue
            paragraphs = etree.fromstring(part).iter("{*}p")
            yield path, "\n".join("".join(one.itertext()) for one in paragraphs)
        elif path.suffix == ".xlsx" and path.stat().st_size < MAX_BYTES:
            yield from _cells(path)
        elif path.suffix in (".md", ".txt"):
            yield path, path.read_bytes().decode("utf-8", "replace")


def _cells(path: Path) -> Iterator[tuple[Path, str]]:
    try:
        book = load_workbook(str(path))
        rows = [
            "\t".join(str(cell) for cell in row)
            for name in book.sheet_names
            for row in book.get_sheet_by_name(name).to_python()[:MAX_ROWS]
        ]
    except CalamineError:
        return
    yield path, "\n".join(rows)


@pytest.mark.corpus
def test_no_false_identity_or_card(corpus: Path) -> None:
    """Nothing in the corpus is taken for an identity number or a bank card."""
    claims = [
        (path.name, detector.name)
        for path, text in texts(corpus / "files")
        for detector, _value in detect(fold(text))
        if detector.name in ("id_card", "bank_card")
    ]
    assert claims == []
