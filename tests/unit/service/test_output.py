import errno
from pathlib import Path

import pytest

from headworks.errors import StorageError
from headworks.service import output

FILES = {"document.json": b"{}", "text.txt": b"new"}


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    """A later run's folder takes the place of an earlier one; nothing of the old stays."""
    output.write_folder(tmp_path, "a", {**FILES, "old.txt": b""}.items())
    output.write_folder(tmp_path, "a", FILES.items())
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == sorted(FILES)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_full_disk_leaves_the_old_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full the run says E_IO, the old result stays, nothing half written does."""
    output.write_folder(tmp_path, "a", {**FILES, "text.txt": b"old"}.items())

    def full(self: Path, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StorageError) as caught:
        output.write_folder(tmp_path, "a", FILES.items())
    with pytest.raises(StorageError):
        output.write_file(tmp_path / "summary.json", b"{}")
    assert caught.value.code == "E_IO"
    assert (tmp_path / "a" / "text.txt").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    """A folder that holds other things than results is never replaced or removed."""
    mine = tmp_path / "a"
    mine.mkdir()
    (mine / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StorageError):
        output.write_folder(tmp_path, "a", FILES.items())
    output.remove_folder(tmp_path, "a")
    assert (mine / "letter.txt").read_text(encoding="utf-8") == "mine"


def test_what_a_killed_run_left_is_cleared(tmp_path: Path) -> None:
    """Half-written folders of a process that is gone are taken away by the next run."""
    left = tmp_path / ".headworks-999999999-abc-new"
    left.mkdir()
    output.prepare(tmp_path)
    assert not left.exists()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """A results' folder in the place of a file is E_IO before anything is read."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StorageError) as caught:
        output.prepare(tmp_path / "file" / "out")
    assert caught.value.code == "E_IO"


def test_a_folder_without_the_right_to_write_is_told_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be made in the results' folder, E_IO names it before any work."""

    def refusing(self: Path, *_: object, **__: object) -> None:
        if self.parent == tmp_path:
            raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "mkdir", refusing)
    with pytest.raises(StorageError) as caught:
        output.prepare(tmp_path)
    assert (caught.value.code, caught.value.place) == ("E_IO", str(tmp_path))
