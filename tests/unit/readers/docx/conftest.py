"""Fixtures of the DOCX reader's tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headworks.config import ReadSettings
from headworks.model.document import Document, Source
from headworks.readers.docx.reader import read_docx
from tests.build import docx

Read = Callable[..., Document]


def read_path(path: Path, **settings: Any) -> Document:
    """Read a file with settings by name."""
    source = Source("0" * 64, path.name, "application/zip", path.stat().st_size)
    return read_docx(path, source, ReadSettings(**settings))


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Give a function that builds a document from its body and reads it back."""

    def build_and_read(
        body: str, *, settings: dict[str, Any] | None = None, **parts: Any
    ) -> Document:
        path = docx.build(tmp_path / "sample.docx", body, **parts)
        return read_path(path, **(settings or {}))

    return build_and_read


def texts(document: Document, role: str = "body") -> list[str]:
    """Give the texts of the blocks of a role, in order."""
    return [document.slice(block.span) for block in document.blocks if block.role == role]
