from collections.abc import Iterator
from pathlib import Path

import pytest

from headworks.cli import early


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """End what a test started."""
    yield
    early.drop()


def test_one_file_starts_the_child(tmp_path: Path) -> None:
    """A run of one file has its reading child before the program is loaded; it is given once."""
    path = tmp_path / "a.md"
    path.write_text("x", encoding="utf-8")
    early.start([str(path), "--out", "o", "-q", "--rules=contract", "--max-chars", "500"])
    assert early.take() is not None
    assert early.take() is None


@pytest.mark.parametrize("more", [["b.md"], ["--help"], ["-q", "b.md"], ["missing.md"]])
def test_nothing_is_started_in_doubt(tmp_path: Path, more: list[str]) -> None:
    """Several names, or a wish for help, start nothing."""
    path = tmp_path / "a.md"
    path.write_text("x", encoding="utf-8")
    early.start([str(path), *more])
    assert early.take() is None


def test_a_folder_starts_nothing(tmp_path: Path) -> None:
    """How many files a folder has is not known yet."""
    early.start([str(tmp_path)])
    assert early.take() is None
