"""Pictures inside documents: read where they are most of what there is, told where they are not."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from headworks.chunking.cut import cut
from headworks.config import ChunkSettings, ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.readers.ocr import base
from headworks.readers.ocr.base import Recognizer, Said
from tests.build import docx, ofd, pptx
from tests.build.scans import as_file
from tests.unit.readers.ocr.fake import BrokenRecognizer, FakeRecognizer
from tests.unit.readers.ocr.test_documents import PLACEHOLDER, PLACES, TEXT, sheet

Build = Callable[[Path, str], Document]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Recognizer], None]:
    """Give a function that puts an engine in the place of all others."""

    def use(recognizer: Recognizer) -> None:
        monkeypatch.setattr(base, "_kept", {})
        monkeypatch.setattr(base, "installed", lambda _: {"fake": lambda: lambda _: recognizer})

    return use


def _words() -> FakeRecognizer:
    return FakeRecognizer(PLACES, [Said(TEXT, 0.98)])


def _drawn(points: tuple[int, int] = (420, 590)) -> str:
    wide, high = (side * 12_700 for side in points)
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="{wide}" cy="{high}"/><wp:docPr id="1"/>'
        '<a:graphic><a:graphicData><pic:pic><pic:blipFill><a:blip r:embed="i"/></pic:blipFill>'
        "</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )


def _word(tmp_path: Path, *body: str, picture: bytes | None = None, **more: Any) -> Document:
    image = as_file(sheet(), "PNG") if picture is None else picture
    path = docx.build(
        tmp_path / "a.docx",
        "".join(body),
        parts={"word/media/i.png": image},
        relations={"i": ("image", "media/i.png")},
    )
    return read(path, ReadSettings(**more))


def _slides(tmp_path: Path, text: str = "", **more: Any) -> Document:
    blip = '<p:blipFill><a:blip r:embed="i"/></p:blipFill>'
    shape = pptx.picture("", (10, 10, 500, 500)).replace("<p:blipFill/>", blip)
    slide = pptx.Slide([*([pptx.box(text)] if text else []), shape])
    slide.parts = {"i": ("image", as_file(sheet(), "PNG"))}
    return read(pptx.write(tmp_path / "a.pptx", [slide]), ReadSettings(**more))


def _pages(tmp_path: Path, **more: Any) -> Document:
    image = as_file(sheet(), "PNG")
    page = [ofd.image("6", (0, 0, 210, 297))]
    path = ofd.write(tmp_path / "a.ofd", [page], pictures={"6": image})
    return read(path, ReadSettings(**more))


def bodies(document: Document) -> list[str]:
    """Give the texts of the body."""
    return [document.slice(block.span) for block in document.blocks if block.role == "body"]


def test_a_page_pasted_into_word(tmp_path: Path, engine: Any) -> None:
    """A scan in a document with next to no text gives its words, where the picture stands."""
    engine(_words())
    document = _word(tmp_path, docx.para("前"), docx.para(_drawn()), docx.para("后"))
    assert bodies(document) == ["前", TEXT * 3, "后"]
    assert document.metadata.more["recognised_pictures"] == ["word/media/i.png"]
    assert not document.problems


def test_pictures_beside_much_text_stay_pictures(tmp_path: Path, engine: Any) -> None:
    """What illustrates a text, a logo and a photograph are not recognised."""
    engine(_words())
    assert "[图片]" in bodies(_word(tmp_path, docx.para("正文" * 300), docx.para(_drawn())))
    assert bodies(_word(tmp_path, docx.para(_drawn((90, 90))))) == ["[图片]"]
    noise = as_file(Image.effect_noise((900, 1200), 90).convert("RGB"), "PNG")
    assert bodies(_word(tmp_path, docx.para("照"), docx.para(_drawn()), picture=noise)) == [
        "照", "[图片]",
    ]  # fmt: skip


def test_a_document_of_pictures_that_cannot_be_read(tmp_path: Path, engine: Any) -> None:
    """Without recognition a document of scans is told by placeholder, problem and mark."""
    engine(BrokenRecognizer())
    document = _word(tmp_path, docx.para(_drawn()))
    assert bodies(document) == [PLACEHOLDER]
    assert [problem.code for problem in document.problems] == ["E_OCR"]
    assert cut(document, ChunkSettings()).chunks[0].degraded.startswith("unreadable")
    off = _word(tmp_path, docx.para(_drawn()), ocr="off")
    assert [problem.code for problem in off.problems] == ["W_NO_TEXT"]


def test_a_page_on_a_slide(tmp_path: Path, engine: Any) -> None:
    """A slide that is a picture gives its words with the picture's box, also below a title."""
    engine(_words())
    document = _slides(tmp_path)
    assert bodies(document) == [TEXT * 3]
    assert len(document.lines) == 1
    assert not document.lost.picture_only_pages
    assert bodies(_slides(tmp_path, "标题")) == ["标题", TEXT * 3]


def test_a_slide_that_cannot_be_read(tmp_path: Path, engine: Any) -> None:
    """A slide whose only picture fails has the placeholder and is listed."""
    engine(BrokenRecognizer())
    document = _slides(tmp_path)
    assert bodies(document) == [PLACEHOLDER]
    assert document.lost.picture_only_pages == (1,)
    assert {problem.code for problem in document.problems} == {"W_NO_TEXT", "E_OCR"}


def test_a_page_of_an_ofd(tmp_path: Path, engine: Any) -> None:
    """An OFD page that is a picture is recognised as a PDF's is, with a box for each line."""
    engine(_words())
    document = _pages(tmp_path)
    assert bodies(document) == [TEXT * 3]
    assert len(document.lines) == 3
    assert document.metadata.more["recognised_pages"] == ["1"]
    engine(BrokenRecognizer())
    failed = _pages(tmp_path)
    assert bodies(failed) == [PLACEHOLDER]
    assert failed.lost.picture_only_pages == (1,)
