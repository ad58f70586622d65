"""Files inside documents are documents of their own; what charts keep for themselves is not."""

import zipfile
from io import BytesIO
from pathlib import Path

import pypdfium2
import pytest

from headworks.config import ReadSettings
from headworks.readers import peek
from headworks.readers.base import read, unpack
from headworks.service.containers import may_hold
from tests.build import docx, ofd, pptx, xlsx
from tests.build.held import packaged
from tests.build.packages import compound_file, zipped
from tests.build.pdf import LEFT, pdf, write

TEXT = "附件正文".encode()


def _names(tmp_path: Path, path: Path) -> list[str]:
    folder = tmp_path / "out"
    folder.mkdir()
    assert may_hold(path)
    return [member.shown for member in unpack(path, ReadSettings(), folder)]


@pytest.mark.parametrize("wide", [True, False])
def test_a_packaged_file_keeps_its_name(tmp_path: Path, wide: bool) -> None:
    """A file that was wrapped as an object comes out whole, under its Chinese name."""
    wrapped = packaged(tmp_path / "w.bin", "验收记录表.txt", TEXT, wide=wide)
    path = docx.build(
        tmp_path / "a.docx", docx.para("正文"), parts={"word/embeddings/oleObject1.bin": wrapped}
    )
    assert _names(tmp_path, path) == ["验收记录表.txt"]
    assert (tmp_path / "out" / "00001" / "验收记录表.txt").read_bytes() == TEXT
    document = read(path, ReadSettings())
    assert document.metadata.more["attachments"] == ["验收记录表.txt (12 bytes)"]
    assert not document.problems


def test_documents_in_documents(tmp_path: Path) -> None:
    """A workbook in a document in a workbook: each is found; equal names are told apart."""
    inner = xlsx.workbook(tmp_path / "i.xlsx", [xlsx.Sheet(xlsx.rows_of([["甲", 1]]))]).read_bytes()
    word = docx.build(
        tmp_path / "w.docx", docx.para("文"), parts={"word/embeddings/Sheet1.xlsx": inner}
    ).read_bytes()
    parts = {"xl/embeddings/a/Word.docx": word, "xl/embeddings/b/Word.docx": word}
    path = _with_parts(tmp_path, parts)
    assert _names(tmp_path, path) == [
        "Word.docx", "Word.docx/Sheet1.xlsx", "Word (2).docx", "Word (2).docx/Sheet1.xlsx",
    ]  # fmt: skip
    assert len(read(path, ReadSettings()).metadata.more["attachments"]) == 2  # type: ignore[arg-type]


def _with_parts(tmp_path: Path, parts: dict[str, bytes]) -> Path:
    path = xlsx.workbook(tmp_path / "a.xlsx", [xlsx.Sheet(xlsx.rows_of([["乙", 2]]))])
    with zipfile.ZipFile(path, "a") as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return path


def test_a_charts_own_workbook_is_none(tmp_path: Path) -> None:
    """The workbook behind a chart is no document; an object that is no file is told as unread."""
    other = compound_file(tmp_path / "e.bin", ["Equation Native"]).read_bytes()
    links = '<Relationships><Relationship Target="../embeddings/Book1.xlsx"/></Relationships>'
    path = docx.build(
        tmp_path / "a.docx",
        docx.para("正文"),
        parts={
            "word/embeddings/Book1.xlsx": b"PK",
            "word/charts/_rels/chart1.xml.rels": links,
            "word/embeddings/oleObject9.bin": other,
        },
    )
    assert _names(tmp_path, path) == []
    document = read(path, ReadSettings())
    assert "attachments" not in document.metadata.more
    assert document.lost.unread_parts == ("embedded object word/embeddings/oleObject9.bin",)


def test_files_attached_to_a_pdf(tmp_path: Path) -> None:
    """A PDF's attachments are found without its pages being read."""
    path = tmp_path / "a.pdf"
    page = pdf([lambda canvas: write(canvas, LEFT, 100, "第一条 付款")])
    source = pypdfium2.PdfDocument(BytesIO(page))
    source.new_attachment("价格表.txt").set_data(TEXT)
    source.save(path)
    source.close()
    assert _names(tmp_path, path) == ["价格表.txt"]
    plain = tmp_path / "plain.pdf"
    plain.write_bytes(page)
    assert not may_hold(plain)


def test_a_mark_between_two_blocks(tmp_path: Path) -> None:
    """A PDF is looked through in blocks: a mark that lies over two of them is seen."""
    path = tmp_path / "a.pdf"
    for before in ((1 << 20) - 8, (1 << 20) - 1, 1 << 20, (2 << 20) - 5):
        path.write_bytes(b"%PDF".ljust(before) + b"/EmbeddedFile" + bytes(100))
        assert peek.pdf_holds_files(path)
    path.write_bytes(b"%PDF".ljust(3 << 20) + b"/Embedded")
    assert not peek.pdf_holds_files(path)


def test_files_attached_to_an_ofd(tmp_path: Path) -> None:
    """An OFD's attachments are found by the list that its document names."""
    page = [ofd.words("发票", (20, 20))]
    made = ofd.write(tmp_path / "made.ofd", [page], attached={"明细.txt": TEXT})
    assert _names(tmp_path, made) == ["明细.txt"]
    document = read(made, ReadSettings())
    assert document.metadata.more["attachments"] == ["明细.txt (12 bytes)"]
    assert not document.problems


def test_a_look_from_outside(tmp_path: Path) -> None:
    """Archives and documents are told apart by the names in them, a broken zip by none."""
    plain = docx.build(tmp_path / "a.docx", docx.para("正文"))
    assert not may_hold(plain)
    deck = pptx.write(tmp_path / "a.pptx", [pptx.Slide([pptx.box("一")])])
    assert not may_hold(deck)
    archive = zipped(tmp_path / "a.zip", {"word/a.txt": b"x"})
    assert may_hold(archive)
    names = peek.names_in_zip(archive)
    assert names == [b"word/a.txt"]
    archive.write_bytes(archive.read_bytes()[:-30])
    assert peek.names_in_zip(archive) is None
