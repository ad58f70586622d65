"""Page headers, footers and numbers."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import HEIGHT, LEADING, LEFT, SONG, TOP, WIDTH, flow, pdf, ruled, wide, write
from tests.unit.readers.pdf.conftest import Read, body, of_role

PARAGRAPHS = [
    f"第{n}条 "
    + "供方应当按照约定的时间和地点交付货物，并承担交付之前的一切风险和费用；" * 3
    + "另有约定的除外。"
    for n in "一二三四五六七八九"
] * 3


def centred(canvas: Canvas, y: float, text: str) -> None:
    """Put a small line in the middle."""
    write(canvas, (WIDTH - wide(text, 9)) / 2, y, text, size=9)


@pytest.mark.parametrize(
    "footer",
    [
        lambda n, total: f"第{n}页 共{total}页",
        lambda n, total: f"- {n} -",
        lambda n, total: f"{n}/{total}",
        lambda n, total: f"Page {n} of {total}",
        lambda n, total: str(n),
        lambda n, total: ["Ⅰ", "Ⅱ", "Ⅲ", "Ⅳ", "Ⅴ", "Ⅵ", "Ⅶ", "Ⅷ", "Ⅸ", "Ⅹ"][n - 1],
        lambda n, total: f"第{'一二三四五六七八九十'[n - 1]}页",
    ],
)
def test_header_and_page_number_are_furniture_on_every_page(read: Read, footer: object) -> None:
    """A company's name above and the count below stand outside the body on all pages (B068)."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        centred(canvas, 50, "华北示范物资有限公司")
        centred(canvas, 800, footer(number, total))  # type: ignore[operator]

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    pages = len(document.page_sizes)
    assert 5 <= pages <= 10
    assert of_role(document, "page_header") == ["华北示范物资有限公司"] * pages
    assert len(of_role(document, "page_number")) == pages
    assert body(document) == PARAGRAPHS


def test_a_heading_that_stands_once_at_a_page_top_is_body(read: Read) -> None:
    """Furniture needs repetition over pages: one heading at a page's top is none (B069)."""

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            centred(canvas, 50, "投标文件")
            centred(canvas, 800, str(number))
            write(canvas, LEFT, 90, f"第{'一二三四五六'[number - 1]}章 技术要求", size=16)
            for index in range(20):
                write(canvas, LEFT, 130 + 25 * index, f"{number}.{index + 1} 设备应当可靠。")

        return draw

    document = read(pdf([page(n) for n in range(1, 7)]))  # type: ignore[misc]
    assert sum(text.endswith("章 技术要求") for text in body(document)) == 6
    assert len(of_role(document, "page_header")) == 6


def test_odd_and_even_pages_may_have_their_own_headers(read: Read) -> None:
    """A header that every other page carries is furniture too."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        if number % 2:
            write(canvas, 400, 50, "设备采购合同", size=9)
        else:
            write(canvas, LEFT, 50, "合同编号：HT-2024-001", size=9)

    document = read(flow(PARAGRAPHS, per_page=14, edge=edge))
    assert body(document) == PARAGRAPHS
    assert len(of_role(document, "page_header")) == len(document.page_sizes)


def test_a_chapter_title_that_runs_as_header_is_furniture(read: Read) -> None:
    """The chapter's title above each of its pages is a header; in the text it stays a heading."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        centred(
            canvas, 50, "第一章 总则" if number <= 3 else "第二章 附则" if number < 7 else "附件"
        )

    document = read(flow(["第一章 总则", *PARAGRAPHS], per_page=16, edge=edge))
    assert body(document) == ["第一章 总则", *PARAGRAPHS]


def test_pages_that_begin_with_a_table_keep_it(read: Read) -> None:
    """The table's header row at the same place of each page is no page header (B068)."""
    rows = [["序号", "名称", "数量"], *[[str(n), f"设备{n}", "2"] for n in range(1, 25)]]

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            centred(canvas, 50, "设备清单")
            centred(canvas, 810, f"第 {number} 页 共 4 页")
            part = [rows[0], *rows[1 + 6 * (number - 1) : 1 + 6 * number]]
            ruled(canvas, [90, 150, 350, 480], [TOP + 20 * n for n in range(8)], part)

        return draw

    document = read(pdf([page(n) for n in range(1, 5)]))  # type: ignore[misc]
    (table,) = [block for block in document.blocks if block.kind == "table"]
    assert table.table is not None
    assert (table.table.rows, table.table.header_rows) == (25, 1)
    assert of_role(document, "page_header") == ["设备清单"] * 4
    assert len(of_role(document, "page_number")) == 4


def test_a_footer_in_a_ruled_box_is_furniture(read: Read) -> None:
    """A footer set in boxes, as forms of companies have, is no table of the body (B068)."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        ruled(
            canvas,
            [90, 250, 400, 500],
            [790, 812],
            [["文件编号：QP-07", "版本：A/2", f"第{number}页"]],
        )

    document = read(flow(PARAGRAPHS, per_page=14, edge=edge))
    assert body(document) == PARAGRAPHS
    assert not [block for block in document.blocks if block.kind == "table"]


def test_text_of_the_last_line_is_not_taken_for_a_footer(read: Read) -> None:
    """Different last lines of pages, and numbered forms at page tops, stay body."""

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            write(canvas, LEFT, 90, f"附件{number} 授权书", size=14)
            for index in range(24):
                write(
                    canvas, LEFT, 130 + 27 * index, f"{number}.{index + 1} 声明事项{index * number}"
                )

        return draw

    document = read(pdf([page(n) for n in range(1, 7)]))  # type: ignore[misc]
    assert {block.role for block in document.blocks} == {"body"}
    assert HEIGHT > 0


def test_large_words_at_one_place_of_most_pages_are_a_watermark(read: Read) -> None:
    """An upright watermark behind the text is none of its lines."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        canvas.setFillColorRGB(0.85, 0.85, 0.85)
        write(canvas, 180, 433, "内部资料", size=60)
        canvas.setFillColorRGB(0, 0, 0)

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert body(document) == PARAGRAPHS
    assert of_role(document, "watermark") == ["内部资料"] * len(document.page_sizes)


def test_turned_words_at_the_side_of_many_pages_are_no_body(read: Read) -> None:
    """A binding line's words, set upwards at the edge of each page, stay out of the text."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        canvas.saveState()
        canvas.translate(40, 400)
        canvas.rotate(90)
        canvas.setFont(SONG, 10)
        canvas.drawString(0, 0, "装订线内不得答题")
        canvas.restoreState()

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert body(document) == PARAGRAPHS
    assert of_role(document, "watermark") == ["装订线内不得答题"] * len(document.page_sizes)


def test_a_chapter_and_the_page_number_in_one_header_are_furniture(read: Read) -> None:
    """``第一章 总则 13`` goes up with the pages by its last number; the chapter's own stays."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        said = f"第一章 总则 {12 + number}" if number % 2 else f"{12 + number} 第1篇 采购"
        centred(canvas, 50, said)

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert body(document) == PARAGRAPHS


def test_a_page_number_off_its_place_is_furniture(read: Read) -> None:
    """A number that goes on from its neighbours' stands outside the body wherever it is printed."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        centred(canvas, 800 if number != 3 else 775, str(number))

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert body(document) == PARAGRAPHS
    assert len(of_role(document, "page_number")) == len(document.page_sizes)


def test_a_number_alone_that_counts_no_pages_is_body(read: Read) -> None:
    """A lone figure at a page's foot that its neighbours do not lead to stays in the text."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        centred(canvas, 800 if number != 3 else 775, str(number if number != 3 else 1998))

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert "1998" in "".join(body(document))


def pale(canvas: Canvas, places: list[tuple[float, float]], text: str, size: float) -> None:
    """Put words in light grey."""
    canvas.saveState()
    canvas.setFillColorRGB(0.88, 0.88, 0.88)
    for x, y in places:
        write(canvas, x, y, text, size=size)
    canvas.restoreState()


@pytest.mark.parametrize("pages", [2, 6])
def test_pale_words_behind_the_text_are_a_watermark(read: Read, pages: int) -> None:
    """Large pale words once, and small ones all over a page, are none of the lines they cross."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        if number == 1:
            pale(canvas, [(150, 320)], "样本", 80)
        else:
            pale(canvas, [(x, y) for x in (100, 300) for y in (130, 233, 255)], "仅供内部使用", 14)

    paragraphs = PARAGRAPHS[: 3 * pages]
    document = read(flow(paragraphs, per_page=16, edge=edge))
    assert body(document) == paragraphs
    assert of_role(document, "watermark")[0] == "样本"
    assert "仅供内部使用" in " ".join(of_role(document, "watermark"))


def test_pale_words_that_stand_clear_are_read(read: Read) -> None:
    """What a form asks for in grey is body, and so is light text on a dark ground."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 100, "供应商名称：")
        pale(canvas, [(200, 100), (200, 140)], "请填写", 12)
        write(canvas, LEFT, 140, "开户银行：")
        canvas.rect(80, HEIGHT - 210, 400, 30, stroke=0, fill=1)
        pale(canvas, [(LEFT, 200)], "第二章 交付", 20)

    document = read(pdf([page]))
    assert body(document) == ["供应商名称： 请填写", "开户银行： 请填写", "第二章 交付"]


@pytest.mark.parametrize("size", [16, 22])
def test_the_title_of_forms_printed_alike_is_body(read: Read, size: int) -> None:
    """A large line that begins each page of filled-in forms is their title, no header."""

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            write(canvas, 220, 90, "设备验收单", size=size)
            write(canvas, LEFT, 130, f"编号：YS-2024-{number * 7 % 10}{number}")
            for index, name in enumerate(("设备名称：", "规格型号：", "数量：", "验收人：")):
                write(canvas, LEFT, 160 + 22 * index, f"{name}{'甲乙丙丁戊己庚'[number - 1]}")

        return draw

    document = read(pdf([page(n) for n in range(1, 8)]))  # type: ignore[misc]
    assert body(document).count("设备验收单") == 7


def test_a_header_as_near_as_a_line_and_as_large_as_the_text_is_furniture(read: Read) -> None:
    """What begins nearly all pages in the text's own size, one line above it, is a header."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        write(canvas, LEFT, TOP - 20, "设备采购合同")
        centred(canvas, 800, f"{1 + number // 4}-{number % 4 + 1}")

    document = read(flow(PARAGRAPHS, per_page=16, edge=edge))
    assert body(document) == PARAGRAPHS


def test_large_words_printed_over_a_line_are_taken_out_of_it(read: Read) -> None:
    """A dark watermark across one page's lines leaves them whole, on their very baseline too."""

    def edge(canvas: Canvas, number: int, total: int) -> None:
        write(canvas, 150, TOP + 5 * LEADING, "样本", size=40)
        write(canvas, 510, TOP + 5 * LEADING, "勿用", size=40)

    document = read(flow(PARAGRAPHS[:3], edge=edge))
    assert body(document) == PARAGRAPHS[:3]
    assert "".join(of_role(document, "watermark")).replace(" ", "") == "样本勿用"


def test_a_large_first_letter_is_no_watermark(read: Read) -> None:
    """An initial over two lines stands beside them and stays in the text."""

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, TOP + 20, "本", size=32)
        write(canvas, LEFT + 34, TOP, "办法适用于在境内开展的采购活动，另有规定的除外，")
        write(canvas, LEFT + 34, TOP + 20, "并应当遵守国家有关规定。")

    assert "本" in "".join(body(read(pdf([page]))))
