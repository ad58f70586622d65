"""A way to read bytes as a PDF."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.model.document import Document, Source
from headworks.readers.pdf.reader import read_pdf

Read = Callable[..., Document]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Give a function that reads bytes (or a path) with settings by name."""

    def run(content: bytes | Path, **settings: object) -> Document:
        path = content if isinstance(content, Path) else tmp_path / "sample.pdf"
        if isinstance(content, bytes):
            path.write_bytes(content)
        source = Source("0" * 64, path.name, "application/pdf", path.stat().st_size)
        return read_pdf(path, source, ReadSettings(**settings))  # type: ignore[arg-type]

    return run


def body(document: Document) -> list[str]:
    """Give the texts of the body's blocks."""
    return [document.slice(block.span) for block in document.blocks if block.role == "body"]


def of_role(document: Document, role: str) -> list[str]:
    """Give the texts of one role."""
    return [document.slice(block.span) for block in document.blocks if block.role == role]
