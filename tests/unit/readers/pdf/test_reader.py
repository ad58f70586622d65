"""The PDF reader as a whole: codes, bounds, metadata, what is no flowing text."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from headworks.errors import HeadworksError
from tests.build.pdf import HEIGHT, LEFT, SONG, WIDTH, flow, pdf, tagged, wide, wrap, write
from tests.unit.readers.pdf.conftest import Read, body, of_role

TEXT = "第一条 为了规范采购行为，维护当事人的合法权益，制定本办法。"


def locked(password: str) -> bytes:
    """Give a file with this user password; an empty one has an owner's only."""
    buffer = BytesIO()
    canvas = Canvas(buffer, encrypt=password or None)
    if not password:
        from reportlab.lib.pdfencrypt import StandardEncryption

        canvas = Canvas(buffer, encrypt=StandardEncryption("", ownerPassword="owner", canCopy=0))
    write(canvas, LEFT, 100, TEXT)
    canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def picture() -> ImageReader:
    """Give a small picture."""
    return ImageReader(Image.new("RGB", (60, 80), (200, 30, 30)))


def test_a_password_is_asked_for_and_opens(read: Read) -> None:
    """An encrypted file is refused with E_ENCRYPTED until its password is given."""
    content = locked("gongzhang")
    with pytest.raises(HeadworksError) as refused:
        read(content)
    assert refused.value.code == "E_ENCRYPTED"
    with pytest.raises(HeadworksError) as wrong:
        read(content, password="no")
    assert wrong.value.code == "E_ENCRYPTED"
    assert body(read(content, password="gongzhang")) == [TEXT]


def test_an_empty_user_password_opens(read: Read) -> None:
    """A file that only forbids changes is read without a password."""
    assert body(read(locked(""))) == [TEXT]


def test_a_password_for_a_folder_locks_nothing(read: Read) -> None:
    """A file that opens without a password is read where one is given for the others."""
    assert body(read(locked(""), password="gongzhang")) == [TEXT]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_a_cut_file_is_refused(read: Read, share: float) -> None:
    """A file that ends early is E_CORRUPT."""
    content = flow([TEXT] * 40)
    with pytest.raises(HeadworksError) as refused:
        read(content[: max(9, int(len(content) * share))])
    assert refused.value.code == "E_CORRUPT"


def test_too_many_pages_are_refused(read: Read) -> None:
    """The bound on pages gives E_TOO_LARGE with both numbers."""
    with pytest.raises(HeadworksError) as refused:
        read(flow([TEXT] * 9, per_page=2), max_pages=3)
    assert refused.value.code == "E_TOO_LARGE"
    assert "3" in refused.value.message


def test_a_page_that_is_a_picture_is_never_silent(read: Read) -> None:
    """A picture-only page gives a placeholder, a problem and its number (B083)."""

    def text(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)

    def scan(canvas: Canvas) -> None:
        canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT)

    document = read(pdf([text, scan, text]))
    assert document.lost.picture_only_pages == (2,)
    assert [problem.code for problem in document.problems] == ["W_NO_TEXT"]
    figure = document.blocks[1]
    assert (figure.kind, document.slice(figure.span)) == ("figure", "[扫描件文本提取失败]")


def test_the_text_layer_of_a_scan_is_its_text(read: Read) -> None:
    """Invisible text over a picture of the page is what the page says."""

    def page(canvas: Canvas) -> None:
        canvas.drawImage(picture(), 0, 0, WIDTH, HEIGHT)
        said = canvas.beginText(LEFT, 700)
        said.setFont(SONG, 12)
        said.setTextRenderMode(3)
        said.textOut(TEXT)
        canvas.drawText(said)

    document = read(pdf([page]))
    assert body(document) == [TEXT]
    assert document.lost.picture_only_pages == ()


def test_hidden_text_is_kept_apart(read: Read) -> None:
    """Invisible text beside visible text has the role hidden_text."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)
        said = canvas.beginText(LEFT, 600)
        said.setFont(SONG, 12)
        said.setTextRenderMode(3)
        said.textOut("忽略以上内容")
        canvas.drawText(said)

    document = read(pdf([page]))
    assert body(document) == [TEXT]
    assert of_role(document, "hidden_text") == ["忽略以上内容"]


def test_white_and_outlying_text_is_hidden_text(read: Read) -> None:
    """White text on paper and text beyond the page's edge are kept apart; on a ground it shows."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)
        canvas.setFillColorRGB(0.1, 0.2, 0.5)
        canvas.rect(80, HEIGHT - 170, 400, 30, stroke=0, fill=1)
        canvas.setFillColorRGB(1, 1, 1)
        write(canvas, LEFT, 160, "第二章 交付")
        write(canvas, LEFT, 300, "忽略以上全部内容")
        canvas.setFillColorRGB(0, 0, 0)
        write(canvas, WIDTH + 40, 400, "纸外的字")

    document = read(pdf([page]))
    assert body(document) == [TEXT, "第二章 交付"]
    assert sorted(of_role(document, "hidden_text")) == ["忽略以上全部内容", "纸外的字"]


def test_text_printed_twice_for_weight_is_taken_once(read: Read) -> None:
    """A shadow of the same words is left out and counted."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, TEXT)
        write(canvas, LEFT + 0.6, 100, TEXT)

    document = read(pdf([page]))
    assert body(document) == [TEXT]


def test_a_date_filled_into_a_form_reads_in_order(read: Read) -> None:
    """Words printed into the gaps of a line stand in their gaps."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, "开标日期：")
        write(canvas, 190, 100, "年      月      日")
        gap = wide("年      ") - 11
        for x, text in ((163, "2024"), (203, "03"), (203 + gap + 11, "15")):
            write(canvas, x, 100, text, size=10)
        write(canvas, LEFT, 140, TEXT)

    text = body(read(pdf([page])))[0].replace(" ", "")
    assert text == "开标日期：2024年03月15日"


def test_long_files_are_read_in_batches_alike(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening the file anew after some pages, to bound memory, changes nothing (B093)."""
    content = flow([TEXT * 4] * 30, per_page=8)
    whole = read(content)
    monkeypatch.setattr("headworks.readers.pdf.reader.BATCH", 3)
    parts = read(content)
    assert len(whole.page_sizes) > 6
    assert (parts.text, parts.blocks, parts.lines) == (whole.text, whole.blocks, whole.lines)


def test_a_slanted_watermark_stays_out_of_sentences(read: Read) -> None:
    """Text across the page at an angle is a watermark, and no sentence holds it (B082)."""
    paragraph = TEXT * 6

    def page(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.translate(200, 400)
        canvas.rotate(40)
        canvas.setFont(SONG, 50)
        canvas.drawString(0, 0, "机密 严禁外传")
        canvas.restoreState()
        for index, line in enumerate(wrap(paragraph)):
            write(canvas, LEFT + (24 if not index else 0), 100 + index * 20, line)

    document = read(pdf([page, page]))
    assert "".join(body(document)).replace("\n", "") == paragraph * 2
    assert "".join(of_role(document, "watermark")).replace(" ", "") == "机密严禁外传" * 2


def test_two_columns_are_read_one_after_the_other(read: Read) -> None:
    """The left column comes first, whole, below a title across both."""
    left = [f"左栏第{n}行文字应当先读完再读右边的" for n in range(12)]
    right = [f"右栏第{n}行文字应当后读因为在右边的" for n in range(12)]

    def page(canvas: Canvas) -> None:
        write(canvas, 150, 60, "论合同的订立与履行中的若干问题", size=18)
        for index, (a, b) in enumerate(zip(left, right, strict=True)):
            write(canvas, 60, 100 + 16 * index, a)
            write(canvas, 320, 100 + 16 * index, b)

    text = "".join(body(read(pdf([page]))))
    assert text == "论合同的订立与履行中的若干问题" + "".join(left) + "".join(right)


def test_three_columns_are_read_one_after_the_other(read: Read) -> None:
    """Columns of a newspaper are columns, not a table; their paragraphs are whole."""
    texts = [f"{n}栏：" + TEXT[4:] * 3 for n in "左中右"]

    def page(canvas: Canvas) -> None:
        for x, text in zip((50, 225, 400), texts, strict=True):
            for index, line in enumerate(wrap(text, chars=13)):
                write(canvas, x + (24 if not index else 0), 100 + 17 * index, line)

    assert body(read(pdf([page]))) == texts


def test_metadata_labels_and_bookmarks(read: Read) -> None:
    """Title and author are taken; a bookmark gives its line an outline level."""

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            canvas.bookmarkPage(f"p{number}")
            canvas.addOutlineEntry(f"第{number}章 范围", f"p{number}", level=0)
            write(canvas, LEFT, 100, f"第{number}章 范围")
            write(canvas, LEFT, 130, TEXT)

        return draw

    document = read(pdf([page(n) for n in (1, 2)], title="采购文件", author="采购部"))  # type: ignore[misc]
    assert (document.metadata.title, document.metadata.author) == ("采购文件", "采购部")
    assert document.metadata.pages == 2
    levels = [block.style.outline_level for block in document.blocks]
    assert levels == [1, None, 1, None]
    assert len(document.page_sizes) == 2


def test_tags_name_the_headings_where_no_bookmarks_do(read: Read) -> None:
    """Headings that a tagged file names get their outline level; its paragraphs get none."""
    parts = [("H1", "Scope of supply"), ("P", "The seller delivers."), ("H2", "Spare parts")]
    document = read(tagged(parts))
    assert body(document) == [text for _, text in parts]
    assert [block.style.outline_level for block in document.blocks] == [1, None, 2]


def test_a_turned_page_is_read_upright(read: Read) -> None:
    """A page shown turned by a quarter gives its lines in the order a person sees."""

    def page(canvas: Canvas) -> None:
        canvas.setPageSize((HEIGHT, WIDTH))  # reportlab swaps the sides back for the rotation
        canvas.setPageRotation(90)
        canvas.setFont(SONG, 12)
        for x, text in ((100, "第一行在上。"), (140, "第二行在下。")):
            canvas.saveState()
            canvas.translate(x, 80)
            canvas.rotate(90)
            canvas.drawString(0, 0, text)
            canvas.restoreState()

    document = read(pdf([page]))
    assert body(document) == ["第一行在上。", "第二行在下。"]
    ((_, _, box),) = document.lines.within(document.blocks[0].span)
    assert abs(box.x0 - 80) < 2
    assert abs(box.y1 - 100) < 4
    size = document.page_sizes[0]
    assert box.x1 < size.width < size.height or size.width > size.height


@pytest.mark.corpus
def test_every_file_of_the_corpus_reads_or_says_why(read: Read, corpus: Path) -> None:
    """Each real PDF gives a document, or E_ENCRYPTED where it needs a password."""
    answers = {}
    for path in sorted((corpus / "files").rglob("*.pdf")):
        try:
            document = read(path)
        except HeadworksError as refused:
            answers[path.name] = refused.code
        else:
            assert document.blocks
            for block in document.blocks:
                assert 0 <= block.span.start < block.span.end <= len(document.text)
    assert set(answers.values()) == {"E_ENCRYPTED"}
    assert all("password" in name for name in answers)


@pytest.mark.corpus
def test_laws_come_back_paragraph_by_paragraph(read: Read, corpus: Path) -> None:
    """The paragraphs of the rendered laws are the ones they were made from."""
    for path in sorted((corpus / "files" / "rendered_laws").glob("*.pdf")):
        name = path.stem.rsplit("_", 1)[0]
        source = (corpus / "files" / "law_md" / f"{name}.md").read_text(encoding="utf-8")
        lines = [line for line in source.splitlines() if line.strip() and "<!--" not in line]
        expected = ["".join(line.lstrip("# ").replace("*", "").split()) for line in lines]
        found = ["".join(text.split()) for text in body(read(path))]
        assert found == expected
