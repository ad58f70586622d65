"""Tables drawn with lines."""

from reportlab.pdfgen.canvas import Canvas

from tests.build.pdf import HEIGHT, LEFT, TOP, WIDTH, pdf, ruled, write
from tests.unit.readers.pdf.conftest import Read, body

X = [90.0, 150.0, 300.0, 400.0, 500.0]


def cells(document: object, block: object) -> list[list[str]]:
    """Give a table's texts by row."""
    table = block.table  # type: ignore[attr-defined]
    return [
        [document.slice(table.cell(row, column)) for column in range(table.columns)]  # type: ignore[attr-defined]
        for row in range(table.rows)
    ]


def test_a_ruled_table_is_one_block_with_its_cells(read: Read) -> None:
    """Rows and columns come from the lines; text above and below stays outside."""
    texts = [
        ["序号", "名称", "数量", "单价"],
        ["1", "变压器", "2", "1,200.00"],
        ["2", "开关柜", "", "350.50"],
    ]

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 60, "一、供货范围：")
        ruled(canvas, X, [80, 100, 120, 140], texts)
        write(canvas, LEFT, 170, "以上价格含税。")

    document = read(pdf([page]))
    assert [block.kind for block in document.blocks] == ["paragraph", "table", "paragraph"]
    assert cells(document, document.blocks[1]) == texts
    assert document.blocks[1].table.header_rows == 1  # type: ignore[union-attr]


def test_a_cell_leads_to_its_own_box(read: Read) -> None:
    """The box of a cell's text is the cell's, not the table's (B087)."""

    def page(canvas: Canvas) -> None:
        ruled(canvas, X[:3], [80, 100, 120], [["名称", "规格"], ["电缆", "YJV 4×25"]])

    document = read(pdf([page]))
    table = document.blocks[0].table
    assert table is not None
    ((_, _, box),) = document.lines.within(table.cell(1, 1))
    assert (round(box.x0), round(box.y0), round(box.x1), round(box.y1)) == (150, 100, 300, 120)


def test_merged_cells_keep_their_reach(read: Read) -> None:
    """A cell over two columns or rows is one cell; the places it covers are empty."""
    texts = [
        ["项目", "报价", "", "备注"],
        ["", "大写", "小写", ""],
        ["一包", "壹万元", "10000", "含税"],
    ]
    merged = [(0, 0, 2, 1), (0, 1, 1, 2), (0, 3, 2, 1)]

    def page(canvas: Canvas) -> None:
        ruled(canvas, X, [80, 100, 120, 140], texts, merged=merged)

    document = read(pdf([page]))
    table = document.blocks[0].table
    assert table is not None
    assert cells(document, document.blocks[0]) == texts
    reach = {(m.row, m.column, m.row_span, m.column_span) for m in table.merges}
    assert reach == set(merged)
    assert table.header_rows == 2


def test_wrapped_cell_text_is_whole_again(read: Read) -> None:
    """Lines that a cell's edge broke join; lines that were meant as lines stay."""
    long = "供应商应当在合同签订\n之日起三十日内交付全部\n货物并完成安装"

    def page(canvas: Canvas) -> None:
        ruled(
            canvas,
            [90, 150, 268],
            [80, 100, 150],
            [["条款", "内容"], ["交付", long]],
        )

    document = read(pdf([page]))
    assert cells(document, document.blocks[0])[1][1] == long.replace("\n", "")


def test_a_table_over_pages_is_one_with_its_header_once(read: Read) -> None:
    """Parts with the same columns join; the repeated header is counted, not repeated."""
    head = ["序号", "名称", "数量", "单价"]

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            rows = [
                head,
                *[[str(n), f"设备{n}", "1", "9.5"] for n in range(number * 10, number * 10 + 8)],
            ]
            ruled(canvas, X, [TOP + 20 * n for n in range(10)], rows)

        return draw

    document = read(pdf([page(n) for n in range(3)]))  # type: ignore[misc]
    (block,) = document.blocks
    assert block.table is not None
    assert (block.table.rows, block.table.header_rows) == (25, 1)
    assert (block.place.page, block.place.last_page) == (1, 3)  # type: ignore[union-attr]
    assert {entry.reason: entry.count for entry in document.removed} == {"repeated_header": 16}
    pages = {box.page for _, _, box in document.lines.within(block.span)}
    assert pages == {1, 2, 3}


def test_a_table_goes_on_below_its_repeated_caption(read: Read) -> None:
    """A line such as 表2（续） above the next part does not part the table; it stays out of it."""
    head = ["序号", "名称", "数量", "单价"]

    def page(number: int) -> object:
        def draw(canvas: Canvas) -> None:
            write(canvas, 240, 80, "表2 设备清单" + ("（续）" if number else ""))
            rows = [head, *[[f"{number}{n}", f"设备{n}", "1", "9.5"] for n in range(6)]]
            ruled(canvas, X, [TOP + 20 * n for n in range(8)], rows)

        return draw

    document = read(pdf([page(n) for n in range(2)]))  # type: ignore[misc]
    assert [(block.kind, block.role) for block in document.blocks] == [
        ("caption", "body"),
        ("table", "body"),
        ("paragraph", "page_header"),
    ]
    assert document.blocks[1].table is not None
    assert document.blocks[1].table.rows == 13


def test_columns_that_go_on_at_the_side_are_not_stacked(read: Read) -> None:
    """A wide table whose other columns follow on the next page stays two tables, told (B043)."""
    left_rows = [["A", "B", "C"], ["1", "2", "3"], ["4", "5", "6"]]
    right_rows = [["D", "E", "F"], ["7", "8", "9"], ["10", "11", "12"]]

    def left(canvas: Canvas) -> None:
        ruled(canvas, [90, 200, 300, 500], [80, 100, 120, 140], left_rows)

    def right(canvas: Canvas) -> None:
        ruled(canvas, [90, 250, 420, 500], [80, 100, 120, 140], right_rows)

    document = read(pdf([left, right]))
    assert [block.kind for block in document.blocks] == ["table", "table"]
    assert [problem.code for problem in document.problems] == ["W_TABLE"]


def test_a_table_without_lines_is_found_by_its_columns(read: Read) -> None:
    """Rows whose pieces stand in columns are a table; a wrapped cell stays in its row."""
    rows = [
        ["模块", "级别", "说明"],
        ["登录", "一级", "对接统一认证并支持单点"],
        ["", "", "登录"],
        ["缴费", "二级", "在线支付押金"],
        ["报修", "二级", "提交后查看进度"],
    ]

    def page(canvas: Canvas) -> None:
        write(canvas, LEFT, 60, "系统由以下各个模块组成，功能要求见下：")
        for index, row in enumerate(rows):
            for x, text in zip((90, 200, 290), row, strict=True):
                write(canvas, x, 100 + 18 * index, text)
        write(canvas, LEFT, 220, "以上模块应当一次验收。")

    document = read(pdf([page]))
    assert [block.kind for block in document.blocks] == ["paragraph", "table", "paragraph"]
    found = cells(document, document.blocks[1])
    assert found[0] == rows[0]
    assert found[1][2].replace("\n", "") == "对接统一认证并支持单点登录"
    assert found[2:] == rows[3:]


def test_signatures_side_by_side_are_no_table(read: Read) -> None:
    """Fields beside their labels, and two parties side by side, stay lines."""
    lines = [
        ("甲方（盖章）：", "乙方（盖章）："),
        ("法定代表人：", "法定代表人："),
        ("开户银行：", "开户银行："),
        ("日期： 年 月 日", "日期： 年 月 日"),
    ]

    def page(canvas: Canvas) -> None:
        for index, (left, right) in enumerate(lines):
            write(canvas, LEFT, 100 + 24 * index, left)
            write(canvas, 330, 100 + 24 * index, right)

    document = read(pdf([page]))
    assert {block.kind for block in document.blocks} == {"paragraph"}
    assert len(document.blocks) == 4


def test_a_table_set_sideways_is_read_upright(read: Read) -> None:
    """A table turned by a quarter on an upright page has its rows; boxes are the page's own."""
    texts = [["序号", "名称", "数量"], ["1", "变压器", "2"], ["2", "开关柜", "5"]]

    def page(canvas: Canvas) -> None:
        canvas.translate(0, HEIGHT)
        canvas.rotate(-90)  # text runs down the page
        canvas.translate(0, WIDTH - HEIGHT)
        ruled(canvas, [100, 180, 400, 600], [80, 100, 120, 140], texts)

    document = read(pdf([page]))
    (block,) = document.blocks
    assert cells(document, block) == texts
    size = document.page_sizes[0]
    assert size.width < size.height
    assert block.table is not None
    ((_, _, box),) = document.lines.within(block.table.cell(1, 1))
    assert box.y1 - box.y0 > 200
    assert round(box.x1 - box.x0) == 20
    assert 0 <= box.x0 < box.x1 <= size.width


def test_a_frame_around_text_is_no_table(read: Read) -> None:
    """One box around a paragraph leaves it a paragraph."""

    def page(canvas: Canvas) -> None:
        canvas.rect(60, 300, 480, 480)
        write(canvas, LEFT, 100, "第一条 本合同一式四份。")

    document = read(pdf([page]))
    assert body(document) == ["第一条 本合同一式四份。"]
    assert document.blocks[0].kind == "paragraph"
