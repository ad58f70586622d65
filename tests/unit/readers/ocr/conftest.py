"""What tests of recognition need: the engine, where it is installed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.readers.ocr.base import Recognizer, Refusal, find_recognizer

ReadBytes = Callable[..., Document]


@pytest.fixture(scope="session")
def recognizer() -> Recognizer:
    """Give the builtin engine."""
    found = find_recognizer(ReadSettings())
    if isinstance(found, Refusal):
        pytest.skip(f"headworks[ocr]: {found.why}")
    return found


@pytest.fixture
def read_bytes(tmp_path: Path) -> ReadBytes:
    """Give a function that reads bytes under a name, with settings by name."""

    def run(content: bytes, name: str = "scan.pdf", **settings: object) -> Document:
        path = tmp_path / name
        path.write_bytes(content)
        return read(path, ReadSettings(**settings))  # type: ignore[arg-type]

    return run
