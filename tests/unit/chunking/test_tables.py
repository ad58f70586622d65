"""Tables: whole where they fit, else between rows with their header."""

import msgspec

from headworks.model.document import Merge
from headworks.model.place import CellPlace
from headworks.readers.builder import DocumentBuilder
from tests.build.document import SOURCE, build
from tests.unit.chunking.conftest import Cutter


def rows(count: int, cell: str = "设备") -> str:
    """Give the marked lines of a table with one header row."""
    body = [f"| {number} | {cell}{number} | 1,200.50" for number in range(1, count + 1)]
    return "\n".join(["|= 编号 | 名称 | 单价", *body])


def test_a_table_that_fits_is_whole_with_its_caption(cutting: Cutter) -> None:
    """Caption, unit line and table are one chunk."""
    lines = f"{'前文很长。' * 60}\n表1 设备清单\n单位：万元\n{rows(10)}\n{'后文很长。' * 60}"
    _, _, texts = cutting(lines, max_chars=400)
    table = next(text for text in texts if "编号" in text)
    assert "表1 设备清单\n单位：万元\n编号\t名称\t单价\n1\t设备1" in table
    assert table.count("设备") == 11


def test_a_large_table_is_cut_between_rows_with_its_header(cutting: Cutter) -> None:
    """200 rows at 500 characters: header in each part, caption once, each row once (B033)."""
    document, result, texts = cutting(f"# 一、价格\n表1 设备清单\n{rows(200)}", max_chars=500)
    assert all("编号\t名称\t单价\n" in text for text in texts)
    assert sum("表1" in text for text in texts) == 1
    assert max(chunk.chars for chunk in result.chunks) <= 500
    lines = [line for text in texts for line in text.split("\n") if line[0].isdigit()]
    assert [line.split("\t")[0] for line in lines] == [str(n) for n in range(1, 201)]
    parts = [chunk.part for chunk in result.chunks]
    assert [(part.index, part.of) for part in parts if part] == [
        (index, len(parts)) for index in range(1, len(parts) + 1)
    ]
    header = parts[1].header if parts[1] else None
    assert header is not None
    assert document.slice(header) == "编号\t名称\t单价\n"
    assert [entry.reason for entry in result.ledger] == ["overlap"]


def test_a_header_of_two_rows_is_repeated_whole(cutting: Cutter) -> None:
    """Every header row is repeated, not the first alone."""
    lines = "|= 项目 | 金额\n|= | 万元\n" + "\n".join(f"| 第{n}项 | {n}" for n in range(60))
    _, _, texts = cutting(lines, max_chars=100)
    assert all(text.startswith("项目\t金额\n\t万元\n") for text in texts)


def test_the_last_part_is_no_crumb(cutting: Cutter) -> None:
    """Rows are shared out so that no last part holds a row or two."""
    _, result, _ = cutting(rows(100), max_chars=300)
    assert result.chunks[-1].chars > 100


def test_rows_under_one_merged_cell_stay_together(cutting: Cutter) -> None:
    """A cell over several rows keeps them in one part where that fits."""
    lines = "|= 类别 | 名称\n" + "\n".join(
        f"| {'大类' if n % 4 == 0 else ''} | 设备{n:03d}" for n in range(40)
    )
    document = build(lines)
    block = document.blocks[0]
    assert block.table is not None
    merges = tuple(Merge(1 + 4 * n, 0, 4, 1) for n in range(10))
    table = msgspec.structs.replace(block.table, merges=merges)
    merged = msgspec.structs.replace(
        document, blocks=(msgspec.structs.replace(block, table=table),)
    )
    _, _, texts = cutting(merged, max_chars=80)
    assert all(text.split("\n")[1].startswith("大类") for text in texts)
    assert len(texts) == 5


def test_a_row_over_the_ceiling_is_cut_between_cells_and_sentences(cutting: Cutter) -> None:
    """A row too large is parts: whole cells where they fit, else sentences; a warning names it."""
    lines = f"{rows(9)}\n| 10 | {'这是很长的说明。' * 20} | 3\n| 11 | 短 | 4"
    _, result, texts = cutting(lines, max_chars=100)
    assert max(chunk.chars for chunk in result.chunks) <= 100
    pieces = [chunk for chunk, text in zip(result.chunks, texts, strict=True) if "说明" in text]
    assert len(pieces) >= 2
    assert all(chunk.part is not None for chunk in pieces)
    assert all(text.rstrip().endswith(("。", "3")) for text in texts if "说明" in text)
    assert [problem.code for problem in result.problems] == ["W_SPLIT"]


def test_cells_that_fit_are_not_cut(cutting: Cutter) -> None:
    """A row too large with cells that fit is cut between its cells only."""
    cells = [f"{name}格的内容写在这里。" * 4 for name in "甲乙丙丁"]
    _, result, texts = cutting(f"| {' | '.join(cells)}", max_chars=100)
    assert all(any(cell in text for text in texts) for cell in cells)
    assert all(chunk.part is not None for chunk in result.chunks)


def test_a_lead_in_stays_with_its_table(cutting: Cutter) -> None:
    """A line that ends with a colon is not parted from the table that it announces."""
    lines = f"{'前文很长。' * 12}\n设备如下：\n{rows(3)}\n{'后文很长。' * 12}"
    _, _, texts = cutting(lines, max_chars=120)
    assert any("设备如下：\n编号" in text for text in texts)


def test_a_figure_keeps_the_caption_below_it(cutting: Cutter) -> None:
    """图3-2 under a picture stays with it, and not with the table that follows."""
    text = "设备的安装位置见下图所示。" * 6
    lines = f"{text}\n! 接线图\n图3-2 接线\n{rows(2)}\n{text}"
    _, _, texts = cutting(lines, max_chars=100)
    assert any("接线图\n图3-2 接线" in text for text in texts)


def test_sheets_are_apart(cutting: Cutter) -> None:
    """Each sheet has its own chunks, of kind sheet."""
    _, result, texts = cutting(f"[[价格]]\n{rows(3)}\n[[汇总]]\n{rows(2, '合计')}")
    assert [chunk.kind for chunk in result.chunks] == ["sheet", "sheet"]
    assert "合计" not in texts[0]


def test_a_giant_sheet_is_cut_by_row_groups(cutting: Cutter) -> None:
    """Twenty thousand rows: every row whole, in order, under the ceiling."""
    builder = DocumentBuilder(SOURCE)
    cells = [["编号", "名称"]] + [[str(n), f"设备{n}"] for n in range(20_000)]
    builder.table(cells, CellPlace("价格", 0, 0), grid={"header_rows": 1})
    _, result, texts = cutting(builder.finish())
    assert max(chunk.chars for chunk in result.chunks) <= 800
    assert sum(text.count("\n") for text in texts) == 20_000
    assert result.chunks[1].part is not None
