"""Temporary folders go with their process, also where it was killed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from headworks.readers.scratch import scratch_folder, sweep, sweep_orphans

_DAY = 86_400.0


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder in which temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def _ended() -> int:
    """Give the id of a process that is gone."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_folder_is_gone_after_use(place: Path) -> None:
    """The folder is there in the block, with all that is put into it, and gone after it."""
    with scratch_folder() as folder:
        (folder / "a").write_text("x", encoding="utf-8")
        assert folder.parent == place
    assert not list(place.iterdir())


def test_what_a_killed_process_left_is_swept(place: Path) -> None:
    """The folders of one process go, those of others and of other programs stay."""
    for name in ("headworks-77-abc", "headworks-78-abc", "headworks-config", "other-77-abc"):
        (place / name).mkdir()
    (place / "headworks-77-abc" / "a").mkdir()
    sweep(77)
    assert sorted(entry.name for entry in place.iterdir()) == [
        "headworks-78-abc", "headworks-config", "other-77-abc",
    ]  # fmt: skip


def test_orphans_are_swept_when_they_are_old(place: Path) -> None:
    """What nobody could sweep goes at a later run, unless its process runs or it is new."""
    gone = place / f"headworks-{_ended()}-abc"
    mine = place / f"headworks-{os.getpid()}-abc"
    gone.mkdir()
    mine.mkdir()
    now = gone.stat().st_mtime
    sweep_orphans(now)
    assert gone.is_dir()
    sweep_orphans(now + _DAY)
    assert not gone.exists()
    assert mine.is_dir()
