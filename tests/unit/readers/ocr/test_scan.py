"""Pictures of pages read by the builtin engine: turned, tilted, stamped, marked."""

import numpy as np
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from headworks.readers.ocr.base import Recognizer, Said
from headworks.readers.ocr.scan import scan
from headworks.readers.ocr.seen import Scan
from tests.build.pdf import LEFT, write
from tests.build.scans import DPI, marked, painted, sealed, stamped, tilted
from tests.unit.readers.ocr.fake import FakeRecognizer

LINES = (
    "第一条 供货范围：乙方向甲方供应变压器两台。",
    "货物应当在合同生效之日起四十五日内运抵交货地点。",
    "双方应当按照本合同的约定全面履行各自的义务。",
)
SIGNED = ("甲方（盖章）：江城水务有限责任公司", "法定代表人：周立人", "签订日期：2024年3月15日")


def contract(canvas: Canvas) -> None:
    """Draw a short contract."""
    write(canvas, LEFT, 100, "设备采购合同", size=18)
    for index, line in enumerate(LINES):
        write(canvas, LEFT, 140 + 24 * index, line)
    for index, line in enumerate(SIGNED):
        write(canvas, LEFT, 600 + 24 * index, line)


def seen(picture: Image.Image, recognizer: Recognizer) -> Scan:
    """Read a picture; skip where this machine has no Chinese font to paint with."""
    found = scan(np.asarray(picture)[:, :, ::-1].copy(), recognizer, DPI)
    if not found.lines:
        pytest.skip("no font with Chinese characters")
    return found


def joined(found: Scan) -> str:
    """Give what was read, without spaces."""
    ordered = sorted(found.lines, key=lambda line: line.foot)
    return "".join(line.text for line in ordered).replace(" ", "")


WHOLE = "设备采购合同" + "".join((*LINES, *SIGNED)).replace(" ", "")


def test_a_tilted_page_is_straightened(recognizer: Recognizer) -> None:
    """A page that lay aslant is read whole, and its tilt is known to a quarter of a degree."""
    found = seen(tilted(painted(contract), 1.6), recognizer)
    assert joined(found) == WHOLE
    assert found.skew == pytest.approx(1.6, abs=0.25)


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_turned_back(recognizer: Recognizer, turn: int) -> None:
    """A page on its side or its head is read whole; the turn is that of its text, clockwise."""
    found = seen(painted(contract).rotate(-turn, expand=True), recognizer)
    assert joined(found) == WHOLE
    assert found.turn == turn


def test_text_under_a_seal_is_read(recognizer: Recognizer) -> None:
    """A red round seal over names and date is found apart, and what it covers is read (B081)."""
    found = seen(stamped(painted(contract), 200, 624), recognizer)
    assert joined(found) == WHOLE
    assert len(found.seals) == 1
    assert [line.covered for line in sorted(found.lines, key=lambda line: line.foot)] == [
        *[False] * 4, *[True] * 3,
    ]  # fmt: skip


def test_a_seal_says_whose_it_is(recognizer: Recognizer) -> None:
    """The name around a seal and the words below its star are read, whatever it lies over."""

    def draw(canvas: Canvas) -> None:
        for row in range(8):
            write(canvas, LEFT, 380 + 22 * row, "乙方应当在本合同生效之日起四十五日内交付货物。")
        sealed("青岛海川机电设备有限公司", "合同专用章", 300, 480)(canvas)
        sealed("北川市江口区人民法院", "", 200, 250)(canvas)

    found = seen(painted(draw), recognizer)
    assert sorted(found.seal_texts) == [
        "北川市江口区人民法院", "青岛海川机电设备有限公司 合同专用章",
    ]  # fmt: skip
    assert sum(line.covered for line in found.lines) >= 4


def test_red_text_is_no_seal(recognizer: Recognizer) -> None:
    """A red letterhead is text."""

    def head(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0.85, 0.1, 0.1)
        write(canvas, LEFT, 120, "江城市人民政府文件", size=36)
        canvas.setFillGray(0)
        write(canvas, LEFT, 200, "江政发〔2024〕3号")

    found = seen(painted(head), recognizer)
    assert found.seals == []
    assert "江城市人民政府文件" in joined(found)


def test_a_slanted_watermark_stays_out_of_the_lines(recognizer: Recognizer) -> None:
    """A pale word aslant over a page is apart, and the lines it crosses are clean (B082)."""

    def page(canvas: Canvas) -> None:
        marked("机密 严禁外传")(canvas)
        contract(canvas)
        for row in range(12):
            write(canvas, LEFT, 230 + 26 * row, LINES[2])

    found = seen(painted(page), recognizer)
    assert joined(found).count(LINES[2]) == 13
    assert "外传" not in joined(found)
    assert any("严禁外传" in line.text for line in found.slanted)


def test_paper_without_ink_is_blank() -> None:
    """An empty sheet is blank, a dark one is not."""
    fake = FakeRecognizer([], [Said("", 0.0)])
    assert scan(np.full((2339, 1654, 3), 246, np.uint8), fake, DPI).blank
    assert not scan(np.full((2339, 1654, 3), 90, np.uint8), fake, DPI).blank
