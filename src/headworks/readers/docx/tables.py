"""Tables: from rows of cells with spans to a regular grid.

Takes rows and cells in the file's order with their texts, gives rows of texts of equal length,
the merges and the header rows. Never reads paragraphs: the texts are given to it.
"""

import re
from collections.abc import Iterator

import msgspec

from headworks.readers.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    W_DEL,
    W_INS,
    W_SDT,
    W_SDTCONTENT,
    W_TBLPR,
    W_TC,
    W_TCPR,
    W_TR,
    W_TRPR,
    W_VAL,
    number,
    on,
    w,
)
from headworks.readers.docx.package import Element

_W_GRIDSPAN, _W_VMERGE, _W_HMERGE = w("gridSpan"), w("vMerge"), w("hMerge")
_W_GRIDBEFORE, _W_GRIDAFTER, _W_HEADER = w("gridBefore"), w("gridAfter"), w("tblHeader")
_W_CAPTION = w("tblCaption")
_W_CUSTOM, _W_SHADE, _W_FILL = w("customXml"), w("shd"), w("fill")
_WRAPPERS = frozenset({W_SDT, W_SDTCONTENT, _W_CUSTOM, W_INS, MC_ALTERNATE})
_MAX_COLUMNS = 512
_HEADER_CHARS = 40
_FIGURES = re.compile(r"[\d\s.,%￥¥$+\-−/:：年月日]+$")
_HEAD_WORD = re.compile(
    r"\s*(?:序号|编号|代码|条款|条目|阶段|角色|岗位|评审|评分|考核|检查|审查|"
    r".{0,12}(?:名称|姓名|说明|描述|备注|内容|要求|标准|数量|单位|单价|总价|合价|价格|报价|金额|合计|小计|"
    r"版本|版本号|日期|时间|期限|类型|类别|种类|规格|型号|品牌|产地|参数|指标|分值|得分|权重|"
    r"职务|职称|职责|负责人|联系人|电话|方式|方法|含义|定义|解释|地址|地点|用途|来源|状态|"
    r"优先级|必填|必需|默认值|字段|项目|任务|模块|功能|结果|比例|因素|偏离|应答|响应|证书))"
    r"\s*(?:[（(][^）)]{0,16}[）)])?\s*$"
)
_ORDINAL_HEAD = re.compile(r"(?:序\s*号|编\s*号|No\.?|#|项\s*目|名\s*称)$", re.IGNORECASE)


class Cell(msgspec.Struct):
    """One ``w:tc``: its text, how far it reaches, how it looks."""

    text: str
    across: int = 1
    merge_down: str | None = None
    merge_across: str | None = None
    shaded: bool = False
    bold: bool = False


class Row(msgspec.Struct):
    """One ``w:tr``."""

    cells: list[Cell]
    before: int = 0
    header: bool = False


class Grid(msgspec.Struct, frozen=True):
    """A regular grid: texts, merges as (row, column, row span, column span), header rows."""

    rows: list[list[str]]
    merges: list[tuple[int, int, int, int]]
    header_rows: int


class _Placed(msgspec.Struct):
    cell: Cell
    row: int
    column: int
    across: int
    down: int = 1


def rows_of(table: Element) -> Iterator[Element]:
    """Give a table's rows, also those inside content controls."""
    return _inner(table, W_TR)


def cells_of(row: Element) -> Iterator[Element]:
    """Give a row's cells, also those inside content controls."""
    return _inner(row, W_TC)


def caption_of(table: Element) -> str | None:
    """Give the title that a table has among its properties (its alternative text)."""
    found = table.find(f"{W_TBLPR}/{_W_CAPTION}")
    return (found.get(W_VAL) or None) if found is not None else None


def row_revision(row: Element) -> str | None:
    """Tell whether a whole row was inserted or deleted: the tag of the change."""
    properties = row.find(W_TRPR)
    if properties is not None:
        for tag in (W_INS, W_DEL):
            if properties.find(tag) is not None:
                return tag
    return None


def as_row(row: Element, cells: list[Cell]) -> Row:
    """Give a row with its own properties."""
    properties = row.find(W_TRPR)
    if properties is None:
        return Row(cells)
    before, header = properties.find(_W_GRIDBEFORE), properties.find(_W_HEADER)
    skipped = number(before.get(W_VAL)) if before is not None else 0
    return Row(
        cells,
        before=max(0, min(skipped or 0, _MAX_COLUMNS)),
        header=header is not None and on(header.get(W_VAL)),
    )


def with_text(shape: Cell, text: str, *, bold: bool) -> Cell:
    """Give a cell of the same shape with a text."""
    return Cell(text, shape.across, shape.merge_down, shape.merge_across, shape.shaded, bold)


def shape_of(cell: Element) -> Cell:
    """Give an empty cell with a cell's own properties."""
    return shape(cell.find(W_TCPR))


def shape(properties: Element | None) -> Cell:
    """Give an empty cell with the properties of a ``w:tcPr``."""
    found = Cell("")
    if properties is None:
        return found
    for child in properties:
        tag = child.tag
        if tag == _W_GRIDSPAN:
            found.across = max(1, min(number(child.get(W_VAL)) or 1, _MAX_COLUMNS))
        elif tag == _W_VMERGE:
            found.merge_down = child.get(W_VAL) or "continue"
        elif tag == _W_HMERGE:
            found.merge_across = child.get(W_VAL) or "continue"
        elif tag == _W_SHADE:
            found.shaded = (child.get(_W_FILL) or "auto").lower() not in ("auto", "ffffff")
    return found


def grid_of(rows: list[Row]) -> Grid:
    """Give the regular grid that the rows and their spans amount to."""
    placed = _place(rows)
    columns = sorted({cell.column for cell in placed})
    # A grid line that no cell begins at is no column: files keep lines of long gone cells.
    index = {column: at for at, column in enumerate(columns)}
    texts = [[""] * len(columns) for _ in rows]
    merges: list[tuple[int, int, int, int]] = []
    for cell in placed:
        first = index[cell.column]
        last = first
        while last + 1 < len(columns) and columns[last + 1] < cell.column + cell.across:
            last += 1
        texts[cell.row][first] = cell.cell.text
        if last > first or cell.down > 1:
            merges.append((cell.row, first, cell.down, last - first + 1))
    return Grid(texts, merges, _header_rows(rows, texts, merges))


def _place(rows: list[Row]) -> list[_Placed]:
    placed: list[_Placed] = []
    above: dict[int, _Placed] = {}
    for at, row in enumerate(rows):
        column = row.before
        below: dict[int, _Placed] = {}
        previous: _Placed | None = None
        for cell in row.cells:
            upper = above.get(column)
            if cell.merge_across == "continue" and previous is not None:
                previous.across += cell.across
                previous.cell.text = "\n".join(filter(None, (previous.cell.text, cell.text)))
            elif (
                cell.merge_down == "continue" and upper is not None and upper.across == cell.across
            ):
                upper.down += 1
                # What stands in a covered cell is not shown, but a program may have left it there.
                if cell.text.strip() and cell.text != upper.cell.text:
                    upper.cell.text = "\n".join(filter(None, (upper.cell.text, cell.text)))
                below[column] = upper
            else:
                previous = _Placed(cell, at, column, cell.across)
                placed.append(previous)
                if cell.merge_down is not None:
                    below[column] = previous
            column += cell.across
        above = below
    return placed


def _header_rows(
    rows: list[Row], texts: list[list[str]], merges: list[tuple[int, int, int, int]]
) -> int:
    """Count the rows that head the columns: marked ones, else by how they look."""
    marked = 0
    while marked < len(rows) and rows[marked].header:
        marked += 1
    if 0 < marked <= max(1, min(6, len(rows) // 2)) and marked < len(rows):
        return marked
    # No mark, or one on all rows, as some programs write it.
    if len(rows) < 2 or not texts or len(texts[0]) < 2:
        return 0
    title = 1 if len(rows[0].cells) == 1 and len(rows) > 2 else 0
    if not _heads(rows, texts, title):
        return 0
    down = max((span for row, _, span, _ in merges if row == title), default=1)
    across = any(row == title and span > 1 for row, _, _, span in merges)
    deep = title + (down if across or down < len(rows) - title else 1)
    return deep if deep < len(rows) and deep - title <= 3 else 0


def _heads(rows: list[Row], texts: list[list[str]], at: int) -> bool:
    """Tell whether a row heads the ones below: short distinct words, set off or over figures."""
    head = [cell.text.strip() for cell in rows[at].cells]
    if len(head) < 2 or not all(head) or any(len(text) > _HEADER_CHARS for text in head):
        return False
    if len(set(head)) < len(head) or any(_FIGURES.match(text) for text in head):
        return False
    if any(text.endswith(("：", ":")) for text in head):
        return False
    below = rows[at + 1 :]
    following = below[0].cells
    if _ORDINAL_HEAD.match(head[0]) and len(head) > 2:
        return True
    if all(cell.bold for cell in rows[at].cells) and not all(cell.bold for cell in following):
        return True
    if all(cell.shaded for cell in rows[at].cells) and not all(cell.shaded for cell in following):
        return True
    named = [bool(_HEAD_WORD.match(text)) for text in head]
    if len(head) > 1 and named[0] and named[1] and sum(named) * 3 >= len(named) * 2:
        return True
    regular = all(len(row.cells) == len(head) for row in below)
    return (
        regular and len(below) > 1 and any(_figures_below(texts, at, c) for c in range(len(head)))
    )


def _figures_below(texts: list[list[str]], at: int, column: int) -> bool:
    filled = [row[column] for row in texts[at + 1 :] if column < len(row) and row[column].strip()]
    return len(filled) > 1 and all(_FIGURES.match(text) for text in filled)


def _inner(container: Element, wanted: str) -> Iterator[Element]:
    for child in container:
        tag = child.tag
        if tag == wanted:
            yield child
        elif tag in _WRAPPERS or tag in (MC_CHOICE, MC_FALLBACK):
            if tag == MC_ALTERNATE:
                chosen = child.find(MC_CHOICE)
                child = chosen if chosen is not None else child  # noqa: PLW2901
            yield from _inner(child, wanted)
