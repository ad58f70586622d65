"""How far the reading is, said by readers and heard across the pipe."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.readers import progress
from headworks.readers.sandbox import Sandbox
from tests.build.pdf import pdf, write


@pytest.fixture
def heard() -> list[tuple[str, int, int]]:
    """Give what is heard; the listening ends with the test."""
    return []


def test_nobody_listening_hears_nothing() -> None:
    """Without a listener a page costs nothing."""
    progress.listen(None)
    assert not progress.is_heard()
    progress.page("read", 1, 2)


def test_pages_are_told_now_and_then(heard: list[tuple[str, int, int]]) -> None:
    """Of many pages in an instant the first and the last are told."""
    progress.listen(lambda *said: heard.append(said))
    try:
        for number in range(1, 101):
            progress.page("read", number, 100)
    finally:
        progress.listen(None)
    assert heard[0] == ("read", 1, 100)
    assert heard[-1] == ("read", 100, 100)
    assert len(heard) < 10


def test_a_pdf_tells_its_pages_through_the_pipe(
    tmp_path: Path, heard: list[tuple[str, int, int]]
) -> None:
    """The reading child says which page of how many it has come to."""
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([lambda canvas: write(canvas, 90, 90, "第一条 货物")] * 3))
    with Sandbox(ReadSettings()) as sandbox:
        sandbox.ask(path)
        document = sandbox.answer(lambda *said: heard.append(said))
        assert document.metadata.pages == 3
        sandbox.read(path)  # and without a listener as before
    assert heard[-1] == ("read", 3, 3)
