"""Archives and mails give their members, within bounds."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.base import read, unpack
from headworks.readers.frames import Member
from tests.build import archive, mail
from tests.build.packages import zipped


def _members(tmp_path: Path, path: Path, settings: ReadSettings | None = None) -> dict[str, Member]:
    folder = tmp_path / "out"
    folder.mkdir()
    return {member.shown: member for member in unpack(path, settings or ReadSettings(), folder)}


def _codes(members: dict[str, Member]) -> dict[str, str]:
    return {
        name: member.failure.code if member.failure is not None else ""
        for name, member in members.items()
    }


@pytest.mark.parametrize("encoding", ["gbk", "utf-8", "big5", None])
def test_names_are_read_in_their_encoding(tmp_path: Path, encoding: str | None) -> None:
    """Names in GBK, Big5 or UTF-8, marked or not, are read; folders stay in what is shown."""
    names = ["合同/采购文件.txt", "合同/附件一.txt"]
    if encoding == "big5":
        names = ["合約/採購文件與驗收標準.txt", "合約/附件一設備清單.txt"]
    path = archive.named(tmp_path / "a.zip", dict.fromkeys(names, b"x"), encoding)
    members = _members(tmp_path, path)
    assert list(members) == names
    assert Path(members[names[0]].path).name == names[0].rpartition("/")[2]


def test_what_systems_leave_is_left_out(tmp_path: Path) -> None:
    """Hidden files, lock files and a Mac's twin files are no documents."""
    names = ["a.txt", "__MACOSX/._a.txt", ".DS_Store", "~$a.docx", "b/Thumbs.db", "b/"]
    path = zipped(tmp_path / "a.zip", dict.fromkeys(names, b"x"))
    assert list(_members(tmp_path, path)) == ["a.txt"]


def test_archives_in_archives_are_opened(tmp_path: Path) -> None:
    """A nested archive stands for its members, a mail in it for itself and its attachments."""
    inner = zipped(tmp_path / "inner.zip", {"深/说明.txt": b"x"})
    letter = mail.eml(tmp_path / "letter.eml", "正文", attached={"附件.txt": b"y"})
    path = zipped(tmp_path / "a.zip", {"包.zip": inner.read_bytes(), "信.eml": letter.read_bytes()})
    assert list(_members(tmp_path, path)) == ["包.zip/深/说明.txt", "信.eml", "信.eml/附件.txt"]


def test_a_broken_member_does_not_stop_the_others(tmp_path: Path) -> None:
    """Damaged, locked, nested and broken, and escaping members are refused one by one."""
    inner = zipped(tmp_path / "inner.zip", {"x.txt": b"x"}).read_bytes()
    parts = {
        "坏.txt": b"content",
        "锁.txt": b"c",
        "../出.txt": b"x",
        "断.zip": inner[:-20],
        "好.txt": b"x",
    }
    path = zipped(tmp_path / "a.zip", parts)
    archive.locked(archive.damaged(path, "坏.txt"), "锁.txt")
    assert _codes(_members(tmp_path, path)) == {
        "坏.txt": "E_CORRUPT", "锁.txt": "E_ENCRYPTED", "../出.txt": "E_CORRUPT",
        "断.zip": "E_CORRUPT", "好.txt": "",
    }  # fmt: skip
    assert not (tmp_path / "出.txt").exists()


def test_bombs_are_refused(tmp_path: Path) -> None:
    """An archive over the bound is refused whole, a member over the ratio alone."""
    path = zipped(tmp_path / "a.zip", {"大.txt": b" " * (40 << 20), "小.txt": b"x"})
    assert _codes(_members(tmp_path, path)) == {"大.txt": "E_TOO_LARGE", "小.txt": ""}
    with pytest.raises(LimitError) as caught:
        unpack(path, ReadSettings(max_unpacked_bytes=1 << 20), tmp_path / "out")
    assert caught.value.code == "E_TOO_LARGE"


def test_nesting_is_bounded(tmp_path: Path) -> None:
    """Archives in archives without end are refused at a depth, with what is above them done."""
    content = zipped(tmp_path / "0.zip", {"x.txt": b"x"}).read_bytes()
    for level in range(8):
        content = zipped(tmp_path / f"{level}.zip", {"n.zip": content, "t.txt": b"t"}).read_bytes()
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    codes = _codes(_members(tmp_path, path))
    assert codes["n.zip/n.zip/t.txt"] == ""
    assert [code for code in codes.values() if code] == ["E_TOO_LARGE"]


def test_an_archive_is_no_document(tmp_path: Path) -> None:
    """Asked for as a document, an archive says what it is; an empty one is E_EMPTY."""
    for parts, code in (({"a.txt": b"x"}, "E_TYPE"), ({"b/": b""}, "E_EMPTY")):
        with pytest.raises(InputError) as caught:
            read(zipped(tmp_path / "a.zip", parts), ReadSettings())
        assert caught.value.code == code


def test_most_files_hold_none(tmp_path: Path) -> None:
    """A plain file and a mail without attachments give no members."""
    text = tmp_path / "a.txt"
    text.write_text("正文", encoding="utf-8")
    assert not _members(tmp_path, text)
    assert not unpack(mail.eml(tmp_path / "b.eml", "x"), ReadSettings(), tmp_path / "out")
