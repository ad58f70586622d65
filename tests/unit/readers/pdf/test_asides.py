"""What stands beside the flowing text: footnotes, figures, comments, fields, links, attachments."""

from io import BytesIO
from pathlib import Path

import pypdfium2
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import HEIGHT, LEFT, fields, pdf, wide, wrap, write
from tests.unit.readers.pdf.conftest import Read, body, of_role

FIRST = "第一条 甲方应当在收到货物之日起十五日内完成验收，并出具书面验收单据；逾期未提的视为符合。"
SECOND = "第二条 质量保证期为二十四个月，自验收合格之日起计算。"


def paragraph(canvas: Canvas, y: float, text: str) -> None:
    """Put a paragraph with an indent."""
    for index, line in enumerate(wrap(text)):
        write(canvas, LEFT + (24 if not index else 0), y + 20 * index, line)


def test_footnotes_do_not_break_the_text_that_goes_on(read: Read) -> None:
    """Small lines below a short rule are footnotes; the sentence goes on past them (B071)."""
    lines = wrap(FIRST)

    def first(canvas: Canvas) -> None:
        write(canvas, LEFT, 80, "第一章 验收与质量")
        paragraph(canvas, 100, SECOND)
        write(canvas, LEFT + 24, 700, lines[0])
        canvas.line(LEFT, HEIGHT - 730, LEFT + 140, HEIGHT - 730)
        write(canvas, LEFT, 745, "1 本条所称货物，包括附件所列的备品备件。", size=9)
        write(canvas, LEFT, 758, "2 本条所称日，指自然日。", size=9)

    def second(canvas: Canvas) -> None:
        for index, line in enumerate(lines[1:]):
            write(canvas, LEFT, 80 + 20 * index, line)
        paragraph(canvas, 200, SECOND)

    document = read(pdf([first, second]))
    notes = [document.slice(block.span) for block in document.blocks if block.kind == "footnote"]
    assert notes == ["1 本条所称货物，包括附件所列的备品备件。", "2 本条所称日，指自然日。"]
    assert FIRST in body(document)


def test_a_figure_is_a_block_and_its_caption_too(read: Read) -> None:
    """A picture in the text gives a figure with its box, the line below it a caption."""
    picture = ImageReader(Image.new("RGB", (40, 30), (20, 90, 160)))

    def page(canvas: Canvas) -> None:
        paragraph(canvas, 80, FIRST)
        canvas.drawImage(picture, 200, HEIGHT - 400, 200, 150)
        caption = "图3-2 系统结构示意"
        write(canvas, 297.6 - wide(caption) / 2, 425, caption)
        for index in range(6):
            paragraph(canvas, 460 + 40 * index, SECOND)

    document = read(pdf([page]))
    kinds = [block.kind for block in document.blocks]
    assert kinds[:3] == ["paragraph", "figure", "caption"]
    ((_, _, box),) = document.lines.within(document.blocks[1].span)
    assert (round(box.x0), round(box.y0), round(box.x1), round(box.y1)) == (200, 250, 400, 400)
    assert document.slice(document.blocks[2].span) == "图3-2 系统结构示意"


def test_a_comment_follows_the_paragraph_it_lies_on(read: Read) -> None:
    """An annotation is a comment block with its author, tied to the text under it."""

    def page(canvas: Canvas) -> None:
        paragraph(canvas, 100, FIRST)
        paragraph(canvas, 200, SECOND)
        canvas.textAnnotation("期限应改为三十日", Rect=(300, HEIGHT - 105, 320, HEIGHT - 90))

    document = read(pdf([page]))
    assert [block.kind for block in document.blocks] == ["paragraph", "comment", "paragraph"]
    comment = document.blocks[1]
    assert document.slice(comment.span).startswith("[批注] ")
    assert "期限应改为三十日" in document.slice(comment.span)
    assert comment.about == document.blocks[0].span


def test_filled_in_fields_and_links_are_taken(read: Read) -> None:
    """The value of a form's field stands in the text; addresses are listed."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, "Supplier:")
        canvas.acroForm.textfield(
            name="supplier", value="North Works Ltd", x=160, y=HEIGHT - 104, width=200, height=16
        )
        write(canvas, LEFT, 150, SECOND)
        canvas.linkURL("https://example.org/notice", (90, 600, 200, 620))

    document = read(pdf([page]))
    assert any("North Works Ltd" in text for text in body(document))
    assert document.metadata.more["links"] == ["https://example.org/notice"]


def test_attached_files_are_listed(read: Read, tmp_path: Path) -> None:
    """A file inside the file is named in the metadata, with its size."""
    path = tmp_path / "with.pdf"
    source = pypdfium2.PdfDocument(BytesIO(pdf([lambda canvas: write(canvas, LEFT, 100, FIRST)])))
    source.new_attachment("价格表.xlsx").set_data(b"cells")
    source.save(path)
    source.close()
    document = read(path)
    assert document.metadata.more["attachments"] == ["价格表.xlsx (5 bytes)"]
    assert not document.problems
    assert of_role(document, "body")


def test_a_logo_on_every_page_is_no_figure(read: Read) -> None:
    """A picture at one place of several pages belongs to the paper, not to the text."""
    logo = ImageReader(Image.new("RGB", (60, 60), (160, 20, 20)))

    def page(canvas: Canvas) -> None:
        canvas.drawImage(logo, 60, HEIGHT - 90, 60, 60)
        paragraph(canvas, 150, FIRST)

    document = read(pdf([page, page, page, page]))
    assert {block.kind for block in document.blocks} == {"paragraph"}


def test_a_raised_figure_stays_at_its_word(read: Read) -> None:
    """A small raised 2 joins the m before it without a space."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, "占地面积400m")
        write(canvas, LEFT + wide("占地面积400m"), 96, "2", size=7)
        write(canvas, LEFT + wide("占地面积400m") + 5, 100, "以上的场地。")

    assert body(read(pdf([page]))) == ["占地面积400m2以上的场地。"]


def test_ticked_boxes_say_that_they_are(read: Read) -> None:
    """A box to tick gives ☑ or ☐, once, however its appearance is drawn."""

    def page(canvas: Canvas) -> None:
        for y, ticked in ((100, True), (140, False)):
            write(canvas, LEFT, y, "同意以上条款：")
            canvas.acroForm.checkbox(
                name=f"agreed{y}", checked=ticked, x=200, y=HEIGHT - y - 3, size=14
            )

    assert body(read(pdf([page]))) == ["同意以上条款： ☑", "同意以上条款： ☐"]


def test_a_field_in_two_parts_gives_its_value(read: Read) -> None:
    """The value that only a field's parent holds is taken where the page shows nothing."""
    widget = "<</Type/Annot/Subtype/Widget/Parent 7 0 R/Rect[160 695 360 712]>>"
    content = fields([widget], "<</FT/Tx/T(supplier)/V(North Works)/Kids[6 0 R]>>")
    assert body(read(content)) == ["Supplier: North Works"]


def test_a_line_through_words_is_a_comment(read: Read) -> None:
    """Words struck out by a reader are told as such; a note without an author has no colon."""
    struck = "<</Type/Annot/Subtype/StrikeOut/T(Li)/Rect[90 695 160 712]>>"
    noted = "<</Type/Annot/Subtype/Text/Contents(why?)/Rect[90 695 160 712]>>"
    document = read(fields([struck, noted]))
    said = [document.slice(block.span) for block in document.blocks if block.kind == "comment"]
    assert said == ["[批注] Li: 删除线", "[批注] why?"]
    assert document.blocks[1].about == document.blocks[0].span


def test_a_caption_at_the_margin_right_below_its_picture_is_one(read: Read) -> None:
    """图3-1 under a picture is its caption wherever it begins; elsewhere it begins a sentence."""
    picture = ImageReader(Image.new("RGB", (40, 30), (20, 90, 160)))

    def page(canvas: Canvas) -> None:
        paragraph(canvas, 80, FIRST)
        canvas.drawImage(picture, 200, HEIGHT - 400, 200, 150)
        write(canvas, LEFT, 425, "图3-1 设备布置图")
        paragraph(canvas, 460, "图3-1 中的设备由乙方提供，甲方负责土建和基础。")

    kinds = [block.kind for block in read(pdf([page])).blocks]
    assert kinds == ["paragraph", "figure", "caption", "paragraph"]


def test_a_file_pinned_to_a_page_is_listed_by_its_name(read: Read) -> None:
    """The name is the file's own, not what somebody wrote beside the pin."""
    pin = "<</Type/Annot/Subtype/FileAttachment/Rect[9 9 29 29]/Contents(prices)/FS 7 0 R>>"
    names = "<</Type/Filespec/F(price.xlsx)/UF(price.xlsx)/EF<</F 8 0 R>>>>"
    document = read(fields([pin], names, "<</Length 3>>stream\nabc\nendstream"))
    assert document.metadata.more["attachments"] == ["price.xlsx"]
