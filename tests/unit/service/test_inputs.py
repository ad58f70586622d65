import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from headworks.errors import ConfigError
from headworks.service.inputs import find


def _touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


def test_a_folder_gives_its_files_in_order(tmp_path: Path) -> None:
    """Folders are walked to the bottom; hidden files, lock files and system files are left out."""
    top = tmp_path / "in"
    _touch(
        top / "b.docx", top / "a.docx", top / "sub" / "c.pdf", top / ".hidden.docx",
        top / "~$b.docx", top / "Thumbs.db", top / ".git" / "x.md",
    )  # fmt: skip
    found = find([top], tmp_path / "out")
    assert [entry.path.relative_to(top).as_posix() for entry in found] == [
        "a.docx", "b.docx", "sub/c.pdf",
    ]  # fmt: skip


def test_equal_names_get_distinct_folders(tmp_path: Path) -> None:
    """Two inputs of one name, or of one name in another case, do not share a folder."""
    _touch(tmp_path / "x" / "a.docx", tmp_path / "y" / "A.docx", tmp_path / "z" / "summary.json")
    found = find([tmp_path / "x", tmp_path / "y", tmp_path / "z"], tmp_path / "out")
    assert [entry.folder for entry in found] == ["a.docx", "A.docx~2", "summary.json~2"]


def test_a_file_named_twice_is_taken_once(tmp_path: Path) -> None:
    """A file given by itself and by its folder is one input."""
    _touch(tmp_path / "a.md")
    assert len(find([tmp_path / "a.md", tmp_path], tmp_path / "out")) == 1


def test_results_are_no_inputs(tmp_path: Path) -> None:
    """The results' folder is left out of a walk that would come to it."""
    _touch(tmp_path / "a.md", tmp_path / "out" / "a.md" / "text.txt")
    found = find([tmp_path], tmp_path / "out")
    assert [entry.path.name for entry in found] == ["a.md"]


def test_results_of_another_run_are_no_inputs(tmp_path: Path) -> None:
    """What an earlier run wrote to another folder within is not processed as documents."""
    made = tmp_path / "results" / "b.md"
    _touch(tmp_path / "a.md", made / "document.json", made / "chunks.jsonl", made / "text.txt")
    _touch(tmp_path / "results" / "summary.json", tmp_path / "results" / "notes.md")
    found = find([tmp_path], tmp_path / "out")
    assert [entry.path.name for entry in found] == ["a.md", "notes.md"]


def test_results_never_take_the_place_of_an_input(tmp_path: Path) -> None:
    """A results' folder in which a result would stand where a file is, is refused."""
    _touch(tmp_path / "a.md")
    with pytest.raises(ConfigError, match="E_CONFIG"):
        find([tmp_path / "a.md"], tmp_path)


def test_a_path_that_is_not_there_stays_an_input(tmp_path: Path) -> None:
    """A missing file is told by its own error later, so that the others are done."""
    assert [entry.path.name for entry in find([tmp_path / "no.docx"], tmp_path / "o")] == [
        "no.docx"
    ]


def test_a_name_that_is_no_text_is_made_one(tmp_path: Path) -> None:
    """Control characters and bytes that are not UTF-8 do not go from a name into results."""
    (tmp_path / "a\x1b[31m.md").write_text("x", encoding="utf-8")
    assert find([tmp_path], tmp_path / "out")[0].folder == "a\ufffd[31m.md"


def test_a_loop_of_links_stays_an_input(tmp_path: Path) -> None:
    """A link that leads to itself fails alone later; the walk and the others are not stopped."""
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "around").symlink_to(tmp_path)
    _touch(tmp_path / "a.md")
    found = find([tmp_path, tmp_path / "loop.md"], tmp_path / "out")
    assert [entry.path.name for entry in found] == ["a.md", "loop.md"]


def test_a_folder_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder without the right to list it is an input that fails, not one that was empty."""
    _touch(tmp_path / "a.md", tmp_path / "closed" / "b.md")
    listing = os.scandir

    def refusing(path: str) -> Iterator[os.DirEntry[str]]:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return listing(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = find([tmp_path], tmp_path / "out")
    assert [entry.path.name for entry in found] == ["a.md", "closed"]
