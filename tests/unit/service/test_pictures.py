import struct
from pathlib import Path

from reportlab.pdfgen import canvas

from headworks.config import ReadSettings
from headworks.service.pictures import Pictures


def _pdf(path: Path, *, coloured: bool = False) -> Path:
    sheet = canvas.Canvas(str(path), pagesize=(300, 400))
    for number in range(3):
        if coloured:
            sheet.setFillColorRGB(0.8, 0, 0)
        sheet.drawString(40, 300, f"page {number + 1}")
        sheet.showPage()
    sheet.save()
    return path


def _head(picture: bytes) -> tuple[int, int, int]:
    width, height, _, colour = struct.unpack(">IIBB", picture[16:26])
    return width, height, colour


def test_the_first_pages_are_painted(tmp_path: Path) -> None:
    """As many pages as asked for come as PNG, grey where nothing is coloured."""
    pictures = Pictures(ReadSettings())
    try:
        path = _pdf(tmp_path / "a.pdf")
        pictures.begin(path, 2)
        found = pictures.of(path)
        assert sorted(found) == [1, 2]
        assert _head(found[1]) == (400, 534, 0)
        other = _pdf(tmp_path / "b.pdf", coloured=True)
        pictures.begin(other, 1)
        assert _head(pictures.of(other)[1])[2] == 2
    finally:
        pictures.close()


def test_a_broken_file_has_no_pictures(tmp_path: Path) -> None:
    """What cannot be painted is left out, and the next file is painted as if nothing had been."""
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing")
    pictures = Pictures(ReadSettings())
    try:
        pictures.begin(broken, 5)
        assert pictures.of(broken) == {}
        whole = _pdf(tmp_path / "a.pdf")
        pictures.begin(whole, 5)
        pictures.drop()
        pictures.begin(whole, 5)
        assert len(pictures.of(whole)) == 3
    finally:
        pictures.close()


def test_other_formats_start_no_child(tmp_path: Path) -> None:
    """A file that is no PDF costs nothing and has no pictures."""
    pictures = Pictures(ReadSettings())
    pictures.begin(tmp_path / "a.docx", 5)
    assert pictures.of(tmp_path / "a.docx") == {}
