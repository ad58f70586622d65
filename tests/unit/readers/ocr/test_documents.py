"""Scans and pictures as documents: what is read, what is told as not read."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from headworks.chunking.cut import cut
from headworks.config import ChunkSettings
from headworks.errors import HeadworksError
from headworks.model.document import Document
from headworks.readers.ocr import base
from headworks.readers.ocr.base import Recognizer, Said
from headworks.readers.pdf import pages
from tests.build.pdf import HEIGHT, LEFT, WIDTH, pdf, write
from tests.build.scans import as_file, marked, painted, scanned, stamped, tilted
from tests.unit.readers.ocr.conftest import ReadBytes
from tests.unit.readers.ocr.fake import BrokenRecognizer, FakeRecognizer

TEXT = "乙方应当在本合同生效之日起四十五日内交付全部货物。"
PLACEHOLDER = "[扫描件文本提取失败]"
PLACES = [(250.0, 300.0 + 60 * row, 1250.0, 340.0 + 60 * row) for row in range(3)]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Recognizer], None]:
    """Give a function that puts an engine in the place of all others."""

    def use(recognizer: Recognizer) -> None:
        monkeypatch.setattr(base, "_kept", {})
        monkeypatch.setattr(base, "installed", lambda _: {"fake": lambda: lambda _: recognizer})

    return use


def sheet(*, ink: int = 40) -> Image.Image:
    """Give a picture of a page with three bars where lines would stand."""
    pixels = np.full((2339, 1654, 3), 250, np.uint8)
    for x0, y0, x1, y1 in PLACES:
        pixels[int(y0) + 8 : int(y1) - 8, int(x0) : int(x1) : 7] = ink
    return Image.fromarray(pixels)


def bodies(document: Document) -> list[str]:
    """Give the texts of the body."""
    return [document.slice(block.span) for block in document.blocks if block.role == "body"]


def test_without_an_engine_a_scan_is_told_as_not_read(
    read_bytes: ReadBytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page gives a placeholder and W_NO_TEXT, the document E_OCR, the chunk its mark."""
    monkeypatch.setattr(base, "find_spec", lambda _: None)
    monkeypatch.setattr(base, "installed", lambda _: {})
    document = read_bytes(scanned([sheet(), sheet()]))
    assert bodies(document) == [PLACEHOLDER] * 2
    assert [problem.code for problem in document.problems] == ["W_NO_TEXT", "W_NO_TEXT", "E_OCR"]
    assert document.lost.picture_only_pages == (1, 2)
    chunks = cut(document, ChunkSettings()).chunks
    assert all(chunk.degraded.startswith("unreadable: page") for chunk in chunks)


def test_recognition_may_be_switched_off(read_bytes: ReadBytes, engine: Any) -> None:
    """With ``ocr = "off"`` no engine is asked, and a scan is told with W_NO_TEXT."""
    engine(BrokenRecognizer())
    document = read_bytes(scanned([sheet()]), ocr="off")
    assert [problem.code for problem in document.problems] == ["W_NO_TEXT"]


def test_an_engine_that_fails_loses_its_page_only(read_bytes: ReadBytes, engine: Any) -> None:
    """A page that recognition fails on gives the placeholder and E_OCR; the text pages stand."""
    engine(BrokenRecognizer())

    def words(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)

    def picture(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(sheet()), 0, 0, WIDTH, HEIGHT)

    document = read_bytes(pdf([words, picture, words]))
    assert bodies(document) == [TEXT, PLACEHOLDER, TEXT]
    assert [(p.code, p.place) for p in document.problems] == [("E_OCR", "page 2")]
    assert "RuntimeError" in document.problems[0].message


def test_the_bound_on_pages(read_bytes: ReadBytes, engine: Any) -> None:
    """Pages past the bound keep the placeholder, with the bound in the message."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    document = read_bytes(scanned([sheet()] * 3), ocr_pages=1)
    assert document.lost.picture_only_pages == (2, 3)
    assert {p.code for p in document.problems} == {"E_OCR"}
    assert all("1 pages" in problem.message for problem in document.problems)
    assert document.metadata.more["recognised_pages"] == ["1"]


def test_the_time_bound_loses_no_page_that_was_read(read_bytes: ReadBytes, engine: Any) -> None:
    """Where the time is nearly over the pages left are told as not read, and nothing is raised."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    document = read_bytes(scanned([sheet()] * 2), timeout_seconds=2.0)
    assert document.lost.picture_only_pages == (1, 2)
    assert all("time bound" in problem.message for problem in document.problems)


def test_scores_are_kept_and_doubts_are_told(read_bytes: ReadBytes, engine: Any) -> None:
    """A block is as sure as its worst line; doubtful lines are counted, and mark their chunk."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98), Said(TEXT, 0.55), Said("", 0.0)]))
    document = read_bytes(scanned([sheet()]))
    assert min(block.confidence for block in document.blocks) == pytest.approx(0.55)
    assert document.lost.doubtful_lines == 1
    [problem] = document.problems
    assert (problem.code, problem.place) == ("W_OCR", "page 1")
    assert cut(document, ChunkSettings()).chunks[0].degraded == "doubtful: page 1"


def test_a_text_layer_and_a_picture_are_not_doubled(read_bytes: ReadBytes, engine: Any) -> None:
    """A stamp that the page's text layer gives is not read out of the picture again."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98), Said("编号123", 0.9), Said(TEXT, 0.97)]))

    def page(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(sheet()), 0, 0, WIDTH, HEIGHT)
        write(canvas, 92, 388 * 72 / 200, "编号 A123")

    document = read_bytes(pdf([page]))
    assert document.text.count("123") == 1
    assert "编号 A123" in document.text


def test_a_picture_of_a_page_beside_little_text_is_read(read_bytes: ReadBytes, engine: Any) -> None:
    """A licence pasted under its heading gives its words in its place; a photograph stays one."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 60, "营业执照")
        canvas.drawImage(ImageReader(sheet()), 60, 250, 480, 500)

    document = read_bytes(pdf([page]))
    assert bodies(document)[0] == "营业执照"
    assert document.text.count(TEXT) == 3
    engine(FakeRecognizer(PLACES[:1], [Said("公园", 0.9)]))
    assert "[图片]" in bodies(read_bytes(pdf([page])))


def test_a_photograph_beside_little_text_is_not_even_tried(
    read_bytes: ReadBytes, engine: Any
) -> None:
    """A picture without even ground is no printed page: hundreds of them cost no recognition."""
    fake = FakeRecognizer(PLACES, [Said(TEXT, 0.98)])
    engine(fake)
    grains = np.random.default_rng(7).integers(0, 256, (300, 300, 3), np.uint8)

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 60, "一、安装现场的照片如下。")
        canvas.drawImage(ImageReader(Image.fromarray(grains)), 60, 250, 480, 500)

    assert bodies(read_bytes(pdf([page]))) == ["一、安装现场的照片如下。", "[图片]"]
    assert fake.found == 0


@pytest.mark.parametrize(
    ("name", "kind", "media_type"),
    [
        ("扫描件.png", "PNG", "image/png"),
        ("扫描件.jpg", "JPEG", "image/jpeg"),
        ("扫描件.bmp", "BMP", "image/bmp"),
        ("扫描件.tif", "TIFF", "image/tiff"),
    ],
)
def test_pictures_are_documents(
    read_bytes: ReadBytes, engine: Any, name: str, kind: str, media_type: str
) -> None:
    """PNG, JPEG, BMP and TIFF give a page of text with boxes in points."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    document = read_bytes(as_file(sheet(), kind, dpi=(200, 200)), name)
    assert document.source.media_type == media_type
    assert document.text.count(TEXT) == 3
    size = document.page_sizes[0]
    assert (size.width, size.height) == pytest.approx((595.4, 842.0), abs=0.5)
    [first, *_] = [box for _, _, box in document.lines.within(document.blocks[0].span)]
    assert (first.x0, first.x1) == pytest.approx((90.0, 450.0), abs=3.0)


def test_a_tiff_has_a_page_a_frame(read_bytes: ReadBytes, engine: Any) -> None:
    """All frames are pages, whatever their colours."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    frames = [sheet().convert(mode) for mode in ("1", "L", "CMYK")]
    content = as_file(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    document = read_bytes(content, "扫描件.tiff")
    assert document.metadata.pages == 3
    assert len(document.page_sizes) == 3
    assert {block.place.page for block in document.blocks} == {1, 2, 3}  # type: ignore[union-attr]


def test_a_broken_picture_is_corrupt(read_bytes: ReadBytes, engine: Any) -> None:
    """A picture cut short is E_CORRUPT; with ``salvage`` what is left is read."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    content = as_file(sheet(), "PNG")
    cut_short = content[: len(content) // 2]
    with pytest.raises(HeadworksError) as refused:
        read_bytes(cut_short, "扫描件.png")
    assert refused.value.code == "E_CORRUPT"
    assert read_bytes(cut_short, "扫描件.png", salvage=True).metadata.pages == 1


def test_boxes_lie_on_the_page_as_it_is_shown(
    read_bytes: ReadBytes, recognizer: Recognizer
) -> None:
    """The boxes of a page that lay on its side lie where its words stand on the picture."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 700, TEXT)
        write(canvas, LEFT, 724, "甲方应当在收到货物后三日内组织验收并签署记录。")

    upright = read_bytes(scanned([painted(page)]))
    if TEXT not in upright.text:
        pytest.skip("no font with Chinese characters")
    [box, *_] = [b for _, _, b in upright.lines.within(upright.blocks[0].span)]
    assert (box.x0, box.y1) == pytest.approx((LEFT, 702.0), abs=4.0)
    turned = read_bytes(scanned([painted(page).rotate(-90, expand=True)]))
    [box, *_] = [b for _, _, b in turned.lines.within(turned.blocks[0].span)]
    # Turned clockwise, the line's left edge is above and its foot is left of its head.
    assert (box.y0, box.x0) == pytest.approx((LEFT, HEIGHT - 702.0), abs=4.0)
    size = turned.page_sizes[0]
    assert (size.width, size.height) == pytest.approx((HEIGHT, WIDTH), abs=1.0)


def test_twenty_nine_text_pages_and_ten_pictures(
    read_bytes: ReadBytes, recognizer: Recognizer
) -> None:
    """Landscape pictures among upright pages of text are read in their places (B083)."""

    def words(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)

    def drawing(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, "设备布置图说明：全部尺寸以毫米计。")

    picture = tilted(painted(drawing), 0.8).crop((0, 0, 1654, 1100))

    def show(canvas: Canvas) -> None:
        canvas.setPageSize((HEIGHT, WIDTH))
        canvas.drawImage(ImageReader(picture), 0, 0, HEIGHT, WIDTH)

    document = read_bytes(pdf([*[words] * 29, *[show] * 3]))
    if "布置图" not in document.text:
        pytest.skip("no font with Chinese characters")
    assert document.text.count("设备布置图说明") == 3
    assert document.text.count(TEXT) == 29
    assert document.lost.picture_only_pages == ()
    assert document.metadata.more["recognised_pages"] == ["30", "31", "32"]


def test_a_text_layer_that_lies_is_read_from_the_page(
    read_bytes: ReadBytes, engine: Callable[[Recognizer], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where most of a page's characters cannot be what it shows, what is read takes their place."""
    engine(FakeRecognizer(PLACES, [Said(TEXT, 0.98)]))
    monkeypatch.setattr(pages, "unreadable", len)

    def page(canvas: Canvas) -> None:
        for row in range(3):
            write(canvas, LEFT, 100 + 24 * row, "乱码甲乙丙丁戊己庚辛壬癸")

    document = read_bytes(pdf([page]))
    assert [problem.code for problem in document.problems] == ["W_GLYPH"]
    assert "乱码" not in document.text
    assert document.text.count(TEXT) == 3
    engine(BrokenRecognizer())
    assert read_bytes(pdf([page])).text.count("乱码") == 3


def test_a_seal_and_a_watermark_stand_apart(read_bytes: ReadBytes, recognizer: Recognizer) -> None:
    """A stamped scan gives its words, the seal as a figure, the mark as a watermark (B081)."""

    def page(canvas: Canvas) -> None:
        marked("严禁外传")(canvas)
        for row in range(10):
            write(canvas, LEFT, 100 + 26 * row, TEXT)
        write(canvas, LEFT, 620, "甲方（盖章）：江城水务有限责任公司")

    document = read_bytes(scanned([stamped(painted(page), 210, 620)]))
    if TEXT not in document.text:
        pytest.skip("no font with Chinese characters")
    assert "江城水务有限责任公司" in document.text
    assert "[印章]" in bodies(document)
    assert any(block.role == "watermark" for block in document.blocks)
    assert not any("外传" in text for text in bodies(document))
    assert document.lost.covered_lines == 1
