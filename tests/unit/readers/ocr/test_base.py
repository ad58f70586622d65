"""Which engine reads pictures."""

from typing import Any

import pytest

from headworks.config import ReadSettings
from headworks.readers.ocr import base
from headworks.readers.ocr.base import Refusal, find_recognizer
from tests.unit.readers.ocr.fake import FakeRecognizer


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_kept", {})


def test_an_installed_engine_comes_before_the_builtin_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry point under headworks.ocr gives the engine; it is made once, with the threads."""
    made: list[int] = []

    def factory(threads: int) -> FakeRecognizer:
        made.append(threads)
        return FakeRecognizer([], [])

    monkeypatch.setattr(base, "installed", lambda group: {"mine": lambda: factory})
    first = find_recognizer(ReadSettings(ocr_threads=3))
    assert find_recognizer(ReadSettings(ocr_threads=3)) is first
    assert made == [3]


def test_an_engine_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine whose library does not load is a refusal with its name, and no exception."""

    def broken() -> Any:
        raise ImportError("libGL.so.1")

    monkeypatch.setattr(base, "installed", lambda _: {"mine": broken})
    found = find_recognizer(ReadSettings())
    assert isinstance(found, Refusal)
    assert (found.wanted, found.why) == (True, "mine: ImportError")


def test_nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the refusal names it; switched off, nothing is wanted."""
    monkeypatch.setattr(base, "installed", lambda _: {})
    monkeypatch.setattr(base, "find_spec", lambda _: None)
    found = find_recognizer(ReadSettings())
    assert isinstance(found, Refusal)
    assert "headworks[ocr]" in found.why
    off = find_recognizer(ReadSettings(ocr="off"))
    assert isinstance(off, Refusal)
    assert not off.wanted
