"""Workbooks: what a person sees on the sheets is what the document holds."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.comments import Comment

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Block, Document, Merge
from headworks.model.place import CellPlace, a1
from headworks.readers.base import read
from tests.build.packages import ENTITY_BOMB, compound_file
from tests.build.xlsx import MAIN, STRICT, Sheet, cell, rows_of, workbook

Build = Callable[..., Document]
PEOPLE = [["姓名", "部门", "电话"], ["甲", "采购", "00123"], ["乙", "财务", "00456"]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Give a function that writes a workbook of sheets and reads it."""

    def written(*sheets: Sheet, **more: object) -> Document:
        path = workbook(tmp_path / "book.xlsx", sheets, **more)  # type: ignore[arg-type]
        return read(path, ReadSettings())

    return written


def tables(document: Document) -> list[Block]:
    """Give the blocks that are tables."""
    return [block for block in document.blocks if block.table is not None]


def cells(document: Document, block: Block) -> list[list[str]]:
    """Give a table's texts by row."""
    table = block.table
    assert table is not None
    return [
        [document.slice(table.cell(row, column)) for column in range(table.columns)]
        for row in range(table.rows)
    ]


def body(document: Document) -> str:
    """Give what is not hidden."""
    return "\n".join(document.slice(b.span) for b in document.blocks if b.role == "body")


def test_values_as_displayed(build: Build) -> None:
    """Currency, percent, thousands and accounting stand as displayed."""
    row = cell("A1", 1199, 1) + cell("B1", 0.255, 2) + cell("C1", -5, 3) + cell("D1", 1234567, 4)
    formats = ["¥#,##0.00", "0.00%", '_ * #,##0.00_ ;_ * \\-#,##0.00_ ;_ * "-"??_ ', "#,##0"]
    document = build(Sheet(f'<row r="1">{row}</row>'), formats=formats)
    assert cells(document, tables(document)[0]) == [["¥1,199.00", "25.50%", "-5.00", "1,234,567"]]
    assert document.metadata.more["stored_values"] == [
        "Sheet1!A1=1199", "Sheet1!B1=0.255", "Sheet1!C1=-5", "Sheet1!D1=1234567"
    ]  # fmt: skip


@pytest.mark.parametrize(("date1904", "serial"), [(False, 45383), (True, 43921)])
def test_dates_of_both_epochs(build: Build, date1904: bool, serial: int) -> None:
    """Dates stand as dates in workbooks of both epochs, builtin and Chinese formats alike."""
    row = cell("A1", serial, 1) + cell("B1", serial, 2) + cell("C1", serial, 3) + cell("D1", 0.5, 4)
    formats = ["14", "31", "yyyy-mm-dd", "h:mm"]
    document = build(Sheet(f'<row r="1">{row}</row>'), formats=formats, date1904=date1904)
    shown = [["2024/4/1", "2024年4月1日", "2024-04-01", "12:00"]]
    assert cells(document, tables(document)[0]) == shown
    stored = document.metadata.more["stored_values"]
    assert stored == ["Sheet1!A1=2024-04-01", "Sheet1!B1=2024-04-01", "Sheet1!D1=12:00:00"]


def test_formulas(build: Build) -> None:
    """A formula shows its cached value; without one it is flagged and never stands as text."""
    rows = (
        '<row r="1"><c r="A1"><f>SUM(B1:B3)</f><v>6</v></c><c r="B1"><f>NOW()</f></c>'
        '<c r="C1" t="str"><f>"甲"&amp;"乙"</f><v>甲乙</v></c></row>'
    )
    document = build(Sheet(rows))
    assert cells(document, tables(document)[0]) == [["6", "", "甲乙"]]
    assert [problem.code for problem in document.problems] == ["W_FORMULA"]
    assert "Sheet1!B1" in document.problems[0].place
    assert document.metadata.more["formulas"] == [
        "Sheet1!A1=SUM(B1:B3)", "Sheet1!B1=NOW()", 'Sheet1!C1="甲"&"乙"'
    ]  # fmt: skip


def test_hidden_sheets_rows_and_columns(build: Build) -> None:
    """What is hidden stays out of the body, stands in hidden blocks and in the report."""
    rows = rows_of(PEOPLE).replace('<row r="3">', '<row r="3" hidden="1">')
    shown = Sheet(rows, before='<cols><col min="3" max="3" hidden="1"/></cols>')
    document = build(
        shown,
        Sheet(rows_of([["秘密一"]]), name="藏", state="hidden"),
        Sheet(rows_of([["秘密二"]]), name="深藏", state="veryHidden"),
    )
    assert all(word not in body(document) for word in ("乙", "00123", "00456", "秘密"))
    assert all(word in document.text for word in ("乙", "00123", "00456", "秘密一", "秘密二"))
    assert document.lost.hidden_sheets == ("藏", "深藏")
    assert {problem.code for problem in document.problems} == {"W_HIDDEN"}
    assert "深藏 (veryHidden)" in document.metadata.more["sheets"]  # type: ignore[operator]


def test_used_range_is_the_real_one(build: Build) -> None:
    """Styled empty cells down to the last row and out to XFD cost nothing and add nothing."""
    styled = "".join(f'<row r="{n}"><c r="A{n}" s="1"/><c r="XFD{n}" s="1"/></row>'
                     for n in (*range(4, 3000), 1_048_576))  # fmt: skip
    merged = '<mergeCells count="1"><mergeCell ref="D1:XFD1"/></mergeCells>'
    document = build(Sheet(rows_of(PEOPLE) + styled, after=merged), formats=["0.00"])
    table = tables(document)[0].table
    assert table is not None
    assert (table.rows, table.columns) == (3, 3)


def test_all_sheets_once(build: Build) -> None:
    """Thirty sheets, some empty, one with a header row only: all listed, each text once."""
    sheets = [Sheet(rows_of([[f"内容{n}", "乙"], ["丙", "丁"]])) for n in range(28)]
    document = build(*sheets, Sheet(), Sheet(rows_of([["列一", "列二", "列三"]])))
    assert len(document.metadata.more["sheets"]) == 30  # type: ignore[arg-type]
    assert all(document.text.count(f"内容{n}\t") == 1 for n in range(28))
    assert cells(document, tables(document)[-1]) == [["列一", "列二", "列三"]]


def test_identifiers_stay_text(build: Build) -> None:
    """Leading zeros, 18-digit and 19-digit numbers stay as they are."""
    row = cell("A1", "00123") + cell("B1", "110101199001011234") + cell("C1", 6222020200112233445)
    document = build(Sheet(f'<row r="1">{row}</row>'))
    shown = [["00123", "110101199001011234", "6222020200112233445"]]
    assert cells(document, tables(document)[0]) == shown


def test_merged_cells(build: Build) -> None:
    """A merged cell's text stands once, with how far it reaches."""
    merged = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="B1:C1"/></mergeCells>'
    table = [["类别", "数量", None], ["设备", 1, 2], [None, 3, 4]]
    document = build(Sheet(rows_of(table), after=merged))
    block = tables(document)[0]
    assert cells(document, block)[2] == ["", "3", "4"]
    assert block.table is not None
    assert set(block.table.merges) == {Merge(1, 0, 2, 1), Merge(0, 1, 1, 2)}


def test_several_tables_on_a_sheet(build: Build) -> None:
    """Empty bands of rows and columns tell tables apart; titles above them are paragraphs."""
    rows = [
        ["采购清单", None, None, None, None, None],
        ["序号", "名称", None, None, "代码", "值"],
        [1, "螺栓", None, None, "甲", 3],
        [2, "螺母", None, None, "乙", 4],
        [],
        ["说明事项", None, None, None, None, None],
        ["日期", "经办", None, None, None, None],
        ["今天", "王某", None, None, None, None],
        ["明天", "李某", None, None, None, None],
    ]
    document = build(Sheet(rows_of(rows)))
    first = [cells(document, block)[0] for block in tables(document)]
    assert first == [["序号", "名称"], ["代码", "值"], ["日期", "经办"]]
    paragraphs = [document.slice(b.span) for b in document.blocks if b.kind == "paragraph"]
    assert paragraphs == ["Sheet1", "采购清单", "说明事项"]


def test_cells_lead_back_to_the_sheet(build: Build) -> None:
    """Each cell of a table has its own name in the sheet, also below rows that were left out."""
    above = rows_of([[None, "序号", "金额"], [None, 1, 10], [None, 2, 20]], first=3)
    document = build(Sheet(above + rows_of([[None, 3, 30]], first=7)))
    (block,) = tables(document)
    assert block.place == CellPlace("Sheet1", 2, 1)
    table = block.table
    assert table is not None
    names = [a1(table.source_row(row), table.column) for row in range(table.rows)]
    assert names == ["B3", "B4", "B5", "B7"]


@pytest.mark.parametrize(
    ("rows", "merged", "count"),
    [
        ([["序号", "名称", "金额"], [1, "甲", 2.5], [2, "乙", 3]], (), 1),
        ([["年份", 2021, 2022], ["收入", 10, 20], ["成本", 5, 6]], (), 1),
        ([["项目", "金额", None], [None, "含税", "不含税"], ["甲", 1, 2]], ("A1:A2", "B1:C1"), 2),
        ([["甲方", "某公司"], ["乙方", "另一公司"]], (), 0),
        ([[1, 2, 3], [4, 5, 6]], (), 0),
    ],
)
def test_header_rows(
    build: Build, rows: list[list[str | int | None]], merged: tuple[str, ...], count: int
) -> None:
    """One header row, several under merged cells, or none."""
    areas = "".join(f'<mergeCell ref="{area}"/>' for area in merged)
    document = build(Sheet(rows_of(rows), after=f"<mergeCells>{areas}</mergeCells>"))
    table = tables(document)[0].table
    assert table is not None
    assert table.header_rows == count


def test_shared_strings(build: Build) -> None:
    """Shared strings come whole: runs joined, phonetic readings left out, escapes resolved."""
    strings = (
        "<si><t>甲&amp;乙</t></si><si><r><t>粗</t></r><r><rPr><b/></rPr><t>体</t></r>"
        '<rPh sb="0" eb="1"><t>ツ</t></rPh></si><si/><si><t>上_x000D_\n下</t></si>'
    )
    row = "".join(f'<c r="{c}1" t="s"><v>{n}</v></c>' for n, c in enumerate("ABCD"))
    document = build(Sheet(f'<row r="1">{row}</row>'), strings=strings)
    assert cells(document, tables(document)[0]) == [["甲&乙", "粗体", "", "上\n下"]]


@pytest.mark.parametrize("style", ["prefixed", "positional", "strict", "commented"])
def test_unusual_xml(tmp_path: Path, style: str) -> None:
    """Prefixes, cells without names, the strict namespace and comments read the same."""
    plain = workbook(tmp_path / "plain.xlsx", [Sheet(rows_of(PEOPLE))])
    odd = tmp_path / "odd.xlsx"
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(odd, "w") as target:
        for name in source.namelist():
            xml = source.read(name).decode()
            if "sheet1" in name:
                xml = _oddly(xml, style)
            elif style == "strict":
                xml = xml.replace(MAIN, STRICT)
            target.writestr(name, xml)
    assert read(odd, ReadSettings()).text == read(plain, ReadSettings()).text


def _oddly(xml: str, style: str) -> str:
    if style == "prefixed":
        for name in ("worksheet", "sheetData", "row", "c ", "c>", "is", "t>", "v"):
            xml = xml.replace(f"<{name}", f"<x:{name}").replace(f"</{name}", f"</x:{name}")
        return xml.replace("xmlns=", "xmlns:x=")
    if style == "positional":
        return re.sub(r'<(row|c) r="\w+"', r"<\1", xml)
    if style == "strict":
        return xml.replace(MAIN, STRICT)
    return xml.replace("</row>", "</row><!-- kept by a tool -->")


def test_comments_on_cells(tmp_path: Path) -> None:
    """A comment on a cell is a comment block with its author, placed on that cell."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in PEOPLE:
        sheet.append(row)
    sheet["B2"].comment = Comment("请核实部门", "王审")
    book.save(tmp_path / "book.xlsx")
    document = read(tmp_path / "book.xlsx", ReadSettings())
    comment = next(block for block in document.blocks if block.kind == "comment")
    assert document.slice(comment.span) == "[批注] 王审: 请核实部门"
    assert comment.author == "王审"
    assert comment.place == CellPlace("Sheet", 1, 1)


def test_text_boxes(build: Build) -> None:
    """The text of a shape on the sheet is a paragraph at its anchor."""
    drawing = (
        '<d:wsDr xmlns:d="urn:d" xmlns:a="urn:a"><d:twoCellAnchor><d:from><d:col>2</d:col>'
        "<d:row>5</d:row></d:from><d:sp><d:txBody><a:p><a:r><a:t>仅供</a:t></a:r><a:r><a:t>内部"
        "</a:t></a:r></a:p></d:txBody></d:sp></d:twoCellAnchor></d:wsDr>"
    )
    document = build(Sheet(rows_of(PEOPLE), parts={"drawing": drawing}))
    last = document.blocks[-1]
    assert document.slice(last.span) == "仅供内部"
    assert last.place == CellPlace("Sheet1", 5, 2)


def test_notes_below_a_table(build: Build) -> None:
    """A note below a table is a paragraph of its own, not a row."""
    document = build(Sheet(rows_of([*PEOPLE, ["注：电话为分机号。"]])))
    assert cells(document, tables(document)[0])[-1][0] == "乙"
    assert document.slice(document.blocks[-1].span) == "注：电话为分机号。"


def test_large_sheet(build: Build) -> None:
    """Thousands of rows come whole and in order, with every cell at its offset."""
    rows = [["编号", "数量"], *([f"物料{n}", n] for n in range(5000))]
    document = build(Sheet(rows_of(rows)))
    block = tables(document)[0]
    table = block.table
    assert table is not None
    assert (table.rows, table.columns, table.header_rows) == (5001, 2, 1)
    assert document.slice(table.cell(4321, 0)) == "物料4320"
    assert document.slice(table.cell(5000, 1)) == "4999"


def test_too_many_cells(tmp_path: Path) -> None:
    """More cells than the bound allows are E_TOO_LARGE."""
    path = workbook(tmp_path / "book.xlsx", [Sheet(rows_of(PEOPLE))])
    with pytest.raises(LimitError) as caught:
        read(path, ReadSettings(max_cells=4))
    assert caught.value.code == "E_TOO_LARGE"


def test_entity_bomb(tmp_path: Path) -> None:
    """A part that declares entities is refused, whichever part it is."""
    for part in ("rows", "strings"):
        sheet = Sheet(rows_of(PEOPLE))
        path = workbook(tmp_path / f"{part}.xlsx", [sheet], strings="<si><t>a</t></si>")
        _prepend(path, "sheet1.xml" if part == "rows" else "sharedStrings.xml", ENTITY_BOMB)
        with pytest.raises(InputError) as caught:
            read(path, ReadSettings())
        assert caught.value.code == "E_CORRUPT"


def _prepend(path: Path, part: str, text: str) -> None:
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name, text.encode() + content if name.endswith(part) else content)


def test_encrypted(tmp_path: Path) -> None:
    """A workbook with a password is E_ENCRYPTED."""
    path = compound_file(tmp_path / "book.xlsx", ["EncryptionInfo", "EncryptedPackage"])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_ENCRYPTED"


@pytest.mark.corpus
def test_corpus_workbooks(corpus: Path) -> None:
    """Every spreadsheet of the corpus is read, or refused with a code of the contract."""
    paths = [*corpus.glob("files/*/*.xls*"), *corpus.glob("files/legacy/*.csv")]
    refused = {}
    for path in paths:
        try:
            document = read(path, ReadSettings())
        except InputError as fault:
            refused[path.name] = fault.code
            continue
        for block in document.blocks:
            if block.table is not None:
                memory = memoryview(block.table.starts).cast("I")
                assert len(memory) == block.table.rows * block.table.columns
    assert refused == {
        "corrupted_xlsx.xlsx": "E_CORRUPT",
        "encrypted_unstructured.xlsx": "E_ENCRYPTED",
    }


@pytest.mark.parametrize("kept", [0.5, 0.8])
def test_salvage(tmp_path: Path, kept: float) -> None:
    """Of a workbook cut short, --salvage keeps the rows before the cut, and says so."""
    rows = [["编号", "数量"], *([f"物料{n * 7919}", n * 31] for n in range(3000))]
    path = workbook(tmp_path / "book.xlsx", [Sheet(rows_of(rows))])
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_CORRUPT"
    document = read(path, ReadSettings(salvage=True))
    assert "物料7919\t31" in document.text
    assert "W_SALVAGED" in [problem.code for problem in document.problems]


def test_a_broken_side_part(build: Build) -> None:
    """Broken comments cost the comments, not the workbook; the part is named."""
    document = build(Sheet(rows_of(PEOPLE), parts={"comments": "<comments><comm"}))
    assert "采购" in document.text
    assert [problem.code for problem in document.problems] == ["W_PART"]
    assert document.lost.unread_parts == ("xl/comments1.xml",)


def test_printed_headers_and_footers(build: Build) -> None:
    """The printed page's header and footer are furniture; page numbers alone are nothing."""
    after = (
        "<headerFooter><oddHeader>&amp;L&amp;&quot;宋体&quot;&amp;10内部资料&amp;R2024年</oddHeader>"
        "<oddFooter>&amp;C第&amp;P页</oddFooter><evenFooter>&amp;P/&amp;N</evenFooter></headerFooter>"
    )
    document = build(Sheet(rows_of(PEOPLE), after=after))
    furniture = [
        (block.role, document.slice(block.span))
        for block in document.blocks
        if block.role != "body"
    ]
    assert furniture == [("page_header", "内部资料 2024年"), ("page_footer", "第页")]
