"""One page's picture, for the API and the console."""

import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from headworks.config import ReadSettings
from headworks.service.pictures import Pictures
from tests.build.pdf import pdf, write

DOTS_PER_INCH = 72


def _page(text: str) -> bytes:
    def draw(canvas: Canvas) -> None:
        write(canvas, 100, 700, text)

    return pdf([draw, draw])


@pytest.fixture
def pictures() -> Iterator[Pictures]:
    """A child that paints."""
    painter = Pictures(ReadSettings())
    yield painter
    painter.close()


def _rows(png: bytes) -> tuple[int, list[bytes]]:
    """Give the bytes a pixel has, and the rows of a PNG as the child writes it."""
    width, height = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    start = png.index(b"IDAT") + 4
    length = int.from_bytes(png[start - 8 : start - 4], "big")
    unpacked = zlib.decompress(png[start : start + length])
    line = len(unpacked) // height
    return line // width, [unpacked[y * line + 1 : (y + 1) * line] for y in range(height)]


def test_an_original_without_a_name_is_painted(tmp_path: Path, pictures: Pictures) -> None:
    """A page is painted by what the file is, not by how it is called, and only where it is."""
    original = tmp_path / "0f3a"
    original.write_bytes(_page("付款"))
    assert (pictures.page(original, 2, DOTS_PER_INCH) or b"").startswith(b"\x89PNG")
    assert pictures.page(original, 3, DOTS_PER_INCH) is None


def test_what_is_redacted_is_black_on_the_page(tmp_path: Path, pictures: Pictures) -> None:
    """Covered boxes show nothing of what is below them, and only on their page."""
    original = tmp_path / "0f3b"
    original.write_bytes(_page("身份证"))
    covers = [(1, 50.0, 60.0, 250.0, 220.0)]
    channels, rows = _rows(pictures.page(original, 1, DOTS_PER_INCH, covers) or b"")
    assert all(not any(rows[y][60 * channels : 240 * channels]) for y in range(61, 219))
    channels, rows = _rows(pictures.page(original, 2, DOTS_PER_INCH, covers) or b"")
    assert any(rows[100][60 * channels : 240 * channels])
