"""Tables: regular grids, merged text once, headers found, frames unwrapped."""

import re

from headworks.model.document import Merge, Table
from tests.build.docx import cell, para, row, run, table
from tests.unit.readers.docx.conftest import Read, texts

ACROSS = '<w:gridSpan w:val="{}"/>'.format
BEGIN, GO_ON = '<w:vMerge w:val="restart"/>', "<w:vMerge/>"


def only(read: Read, body: str) -> tuple[Table, list[list[str]]]:
    """Give the only table of a document and its cells' texts."""
    document = read(body)
    (block,) = [block for block in document.blocks if block.table is not None]
    grid = block.table
    assert grid is not None
    cells = [
        [document.slice(grid.cell(r, c)) for c in range(grid.columns)] for r in range(grid.rows)
    ]
    return grid, cells


def test_merged_text_stands_once_and_equal_neighbours_stay(read: Read) -> None:
    """A row merged over 3, a column merged over 4, two equal cells that are not merged (B035)."""
    body = table(
        row(cell("设备清单", props=ACROSS(3))),
        row(cell("泵", props=BEGIN), "型号", "A"),
        row(cell("", props=GO_ON), "功率", "A"),
        row(cell("", props=GO_ON), "扬程", "B"),
        row(cell("", props=GO_ON), "数量", "B"),
    )
    grid, cells = only(read, body)
    assert (grid.rows, grid.columns) == (5, 3)
    assert grid.merges == (Merge(0, 0, 1, 3), Merge(1, 0, 4, 1))
    assert cells[0] == ["设备清单", "", ""]
    assert [line[0] for line in cells[1:]] == ["泵", "", "", ""]
    assert [line[2] for line in cells[1:]] == ["A", "A", "B", "B"]


def test_all_rows_of_a_one_column_table(read: Read) -> None:
    """Six rows of one column, the last over a page break: all there (B041)."""
    rows = [[f"第{n}行"] for n in range(5)]
    last = row(f"<w:tc>{para('前', '<w:r><w:lastRenderedPageBreak/></w:r>', '后')}</w:tc>")
    grid, cells = only(read, table(*rows, last))
    assert (grid.rows, grid.columns) == (6, 1)
    assert cells[5] == ["前后"]


def test_grid_lines_that_no_cell_begins_at_are_no_columns(read: Read) -> None:
    """Spans left over from long gone cells do not make empty columns."""
    grid, cells = only(
        read,
        table(
            row(cell("甲", props=ACROSS(3)), cell("乙", props=ACROSS(2))),
            row(cell("丙", props=ACROSS(3)), cell("丁", props=ACROSS(2))),
        ),
    )
    assert grid.columns == 2
    assert grid.merges == ()
    assert cells == [["甲", "乙"], ["丙", "丁"]]


def test_rows_that_begin_late_keep_their_columns(read: Read) -> None:
    """gridBefore moves a row's cells to the right."""
    _, cells = only(
        read, table(["甲", "乙", "丙"], row("丁", "戊", props='<w:gridBefore w:val="1"/>'))
    )
    assert cells[1] == ["", "丁", "戊"]


def test_paragraphs_and_nested_tables_in_cells(read: Read) -> None:
    """A cell's paragraphs are lines; a nested table's rows are lines, in order."""
    nested = f"<w:tc>{para('上')}{table(['一', '二'], ['三', '四'])}{para('下')}</w:tc>"
    _, cells = only(read, table(["头", "尾"], row(nested, "右")))
    assert cells[1] == ["上\n一 二\n三 四\n下", "右"]


def test_a_frame_of_one_cell_is_no_table(read: Read) -> None:
    """A 1x1 table is unwrapped into its paragraphs and tables."""
    document = read(table([cell(para("第一条 付款"), para("甲方付款。"), table(["一", "二"]))]))
    assert texts(document) == ["第一条 付款", "甲方付款。", "一\t二"]


def test_header_rows(read: Read) -> None:
    """Marked rows count; else bold words over plain ones, 序号 rows, words over figures."""
    marked = row("甲", "乙", props="<w:tblHeader/>")
    bold = [cell(para(run(text, "<w:b/>"))) for text in ("名称", "说明")]
    assert only(read, table(marked, ["1", "2"]))[0].header_rows == 1
    assert only(read, table(bold, ["泵", "一台"], ["阀", "两台"]))[0].header_rows == 1
    assert only(read, table(["序号", "货物", "备注"], ["1", "泵", ""]))[0].header_rows == 1
    assert only(read, table(["货物", "数量"], ["泵", "3"], ["阀", "12"]))[0].header_rows == 1
    all_marked = [row(*texts, props="<w:tblHeader/>") for texts in (["名称", "数量"], ["泵", "3"])]
    assert only(read, table(*all_marked))[0].header_rows == 1
    title = row(cell("价格表", props=ACROSS(3)))
    assert only(read, table(title, ["序号", "货物", "单价"], ["1", "泵", "3"]))[0].header_rows == 2


def test_a_form_has_no_header_row(read: Read) -> None:
    """Pairs of names and values are no columns under a head."""
    form = table(["项目名称", "水厂", "编号", "甲一"], ["地点", "北京", "日期", "2024年"])
    assert only(read, form)[0].header_rows == 0
    assert only(read, table(["甲方：", "乙方："], ["地址：", "地址："]))[0].header_rows == 0


def test_a_deleted_row_is_gone(read: Read) -> None:
    """A row that a tracked change deleted stands apart from the table."""
    body = table(["甲", "乙"], row("丙", "丁", props="<w:del/>"), ["戊", "己"])
    document = read(body)
    assert texts(document) == ["甲\t乙\n戊\t己"]
    assert texts(document, "deleted_revision") == ["丙 丁"]


def test_tables_in_tables_without_end(read: Read) -> None:
    """A hundred tables in each other lose no paragraph: those far down are lines of their cell."""
    body = para("第0层")
    for depth in range(1, 101):
        body = table(row(cell(f"第{depth}层"), f"<w:tc>{body}</w:tc>"))
    found = re.findall("第([0-9]+)层", read(body).text)
    assert found == [str(depth) for depth in range(100, -1, -1)]
