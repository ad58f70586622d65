"""Sniffing: what a file is, is told by its content and not by its name."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError, StorageError
from headworks.readers.base import read
from headworks.readers.sniff import sniff
from tests.build.packages import compound_file, office_package, zip_bomb, zipped
from tests.build.xlsx import Sheet, rows_of, workbook

PROGRAM = b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" + bytes(range(256)) * 8
ELF = b"\x7fELF\x02\x01\x01" + bytes(64)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)
GIF = b"GIF89a" + bytes(64)


def written(path: Path, content: bytes) -> Path:
    """Write a file."""
    path.write_bytes(content)
    return path


def code_of(path: Path, settings: ReadSettings | None = None) -> str:
    """Give the code that reading a file ends with."""
    with pytest.raises((InputError, StorageError)) as caught:
        read(path, settings or ReadSettings())
    assert path.name in caught.value.place
    return caught.value.code


@pytest.mark.parametrize("kind", ["docx", "xlsx", "pptx"])
def test_packages_by_content_types(tmp_path: Path, kind: str) -> None:
    """A package is told by its declared main part, under any name."""
    kind_found = sniff(office_package(tmp_path / "合同.bin", kind))
    assert kind_found.format == kind
    assert kind_found.misnamed


@pytest.mark.parametrize(
    ("stream", "name"), [("WordDocument", "doc"), ("Workbook", "xls"), ("Book", "xls")]
)
def test_compound_files_by_stream(tmp_path: Path, stream: str, name: str) -> None:
    """A legacy file is told by its streams, wherever they stand in the directory."""
    streams = ["\x05SummaryInformation", *[f"x{n}" for n in range(7)], stream]
    assert sniff(compound_file(tmp_path / "file.wps", streams)).format == name


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        ("第一条 甲方应当付款。\n".encode(), "a.txt", "text"),
        ("第一条 甲方应当付款。\n".encode("gb18030"), "a.txt", "text"),
        ("合同\n第二行 text\n".encode("utf-16-le"), "a.txt", "text"),
        (b"# Title\n\ntext **bold** here\n\n## Part\n", "a.txt", "markdown"),
        (b"# a shell comment\nls -l\n# another\n", "a.txt", "text"),
        (b"plain words only\n", "a.md", "markdown"),
        (b"a,b\n1,2\n", "a.csv", "csv"),
        (b"junk before\n%PDF-1.7\n", "a.txt", "pdf"),
        (b"{\\rtf1 text}", "a.doc", "rtf"),
        (b"<!DOCTYPE html><html><body>x</body></html>", "a.txt", "html"),
        (b"MZ is how this sentence begins, and it is text.", "a.txt", "text"),
    ],
)
def test_other_formats(tmp_path: Path, content: bytes, name: str, kind: str) -> None:
    """PDF, RTF, HTML, CSV, Markdown and plain text are told by what stands in them."""
    assert sniff(written(tmp_path / name, content)).format == kind


@pytest.mark.parametrize("content", [PROGRAM, ELF, GIF, bytes(range(256)) * 40])
def test_not_a_document(tmp_path: Path, content: bytes) -> None:
    """A program, a moving picture or any other binary named .docx is E_TYPE."""
    assert code_of(written(tmp_path / "contract.docx", content)) == "E_TYPE"


@pytest.mark.parametrize(
    ("name", "content", "kind", "misnamed"),
    [
        ("scan.png", PNG, "png", False),
        ("scan.docx", PNG, "png", True),
        ("scan.JPG", b"\xff\xd8\xff\xe0" + bytes(64), "jpeg", False),
        ("scan.tif", b"II*\x00" + bytes(64), "tiff", False),
        ("scan.bmp", b"BM" + bytes(12) + b"\x28" + bytes(64), "bmp", False),
        ("BM.txt", "BM 型号说明".encode(), "text", False),
    ],
)
def test_pictures(tmp_path: Path, name: str, content: bytes, kind: str, misnamed: bool) -> None:
    """A picture is told by its first bytes, whatever it is named."""
    found = sniff(written(tmp_path / name, content))
    assert (found.format, found.misnamed) == (kind, misnamed)


def test_empty(tmp_path: Path) -> None:
    """No bytes are E_EMPTY, and so is a text of white space."""
    assert code_of(written(tmp_path / "a.docx", b"")) == "E_EMPTY"
    assert code_of(written(tmp_path / "a.txt", b" \r\n\t\n")) == "E_EMPTY"


def test_missing(tmp_path: Path) -> None:
    """A file that is not there is E_IO, named."""
    assert code_of(tmp_path / "nowhere.docx") == "E_IO"


def test_truncated_package(tmp_path: Path) -> None:
    """A package cut short is E_CORRUPT."""
    path = workbook(tmp_path / "book.xlsx", [Sheet(rows_of([["甲"] * 5] * 50))])
    content = path.read_bytes()
    assert code_of(written(path, content[: len(content) * 7 // 10])) == "E_CORRUPT"


def test_damaged_part(tmp_path: Path) -> None:
    """A package whose sheet does not inflate is E_CORRUPT."""
    path = workbook(tmp_path / "book.xlsx", [Sheet(rows_of([["甲", "乙"]] * 500))])
    content = bytearray(path.read_bytes())
    middle = content.find(b"xl/worksheets/sheet1.xml") + 60
    content[middle : middle + 40] = b"\xff" * 40
    assert code_of(written(path, bytes(content))) == "E_CORRUPT"


def test_encrypted_package(tmp_path: Path) -> None:
    """An Office document with a password is E_ENCRYPTED."""
    path = compound_file(tmp_path / "a.docx", ["EncryptionInfo", "EncryptedPackage"])
    assert code_of(path) == "E_ENCRYPTED"


def test_zip_bomb(tmp_path: Path) -> None:
    """A part that unpacks a thousand times its size is E_TOO_LARGE before it is unpacked."""
    assert code_of(zip_bomb(tmp_path / "bomb.docx")) == "E_TOO_LARGE"


def test_unpacked_size(tmp_path: Path) -> None:
    """A package that unpacks over the bound is E_TOO_LARGE."""
    path = workbook(tmp_path / "book.xlsx", [Sheet(rows_of([["甲" * 20] * 5] * 500))])
    assert code_of(path, ReadSettings(max_unpacked_bytes=10_000)) == "E_TOO_LARGE"


def test_file_size(tmp_path: Path) -> None:
    """A file over the bound of bytes is E_TOO_LARGE."""
    path = written(tmp_path / "a.txt", b"text " * 100)
    with pytest.raises(LimitError):
        read(path, ReadSettings(max_bytes=100))


def test_path_out_of_the_package(tmp_path: Path) -> None:
    """A package with an entry that leaves it is refused."""
    path = tmp_path / "a.docx"
    office_package(path, "docx")
    zipped(path, {"[Content_Types].xml": "", "word/document.xml": "<x/>", "../../evil": "x"})
    assert code_of(path) == "E_CORRUPT"


def test_unsupported_package(tmp_path: Path) -> None:
    """A plain zip and a presentation are E_TYPE as long as no reader takes them."""
    assert code_of(zipped(tmp_path / "a.odp", {"notes.bin": "x"})) in ("E_TYPE", "E_EMPTY")


def test_wrong_name_is_read(tmp_path: Path) -> None:
    """A supported format under a wrong name is read, with a warning."""
    path = workbook(tmp_path / "book.doc", [Sheet(rows_of([["甲", "乙"]]))])
    document = read(path, ReadSettings())
    assert "甲\t乙" in document.text
    assert [problem.code for problem in document.problems] == ["W_NAME"]


@pytest.mark.corpus
def test_corpus_legacy_names(corpus: Path) -> None:
    """The corpus' files with wrong names are told for what they are."""
    found = {path.name: sniff(path).format for path in corpus.glob("files/legacy/*")}
    assert found["bill_xls_named_csv.csv"] == "xls"
    assert found["poi_chinese_properties_doc.doc"] == "doc"
    assert sniff(corpus / "files/docx_hard/doc_ext_but_docx.doc").format == "docx"
