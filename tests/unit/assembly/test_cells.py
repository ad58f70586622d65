import pytest

from headworks.assembly.cells import cells, paragraphs, sheet_name, table_cells
from headworks.assembly.shapes import ParagraphsRecord
from headworks.model.document import Document, Source
from headworks.model.place import CellPlace, PartPlace, Span
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("0" * 64, "a.xlsx", "application/xlsx", 1)


def _sheets() -> Document:
    builder = DocumentBuilder(SOURCE)
    grid = [["品名", "单价"], ["水泵", "1,200"], ["阀门", "85"]]
    builder.table(grid, CellPlace("价目", 4, 1), grid={"row": 4, "column": 1})
    builder.table([["a", "b"]], CellPlace("Q1 plan", 0, 0))
    return builder.finish()


def test_a_chunk_of_a_sheet_names_its_cells() -> None:
    """Rows of a sheet are named as the spreadsheet names them, across the whole grid."""
    document = _sheets()
    table = document.blocks[0].table
    assert table is not None
    assert cells(document.blocks, [table.row_span(1, 3)]) == "价目!B6:C7"
    assert table_cells(document.blocks[0]) == "价目!B5:C7"


def test_a_single_cell_is_named_alone() -> None:
    """A range within a row names the cells it touches and no others."""
    document = _sheets()
    table = document.blocks[0].table
    assert table is not None
    assert cells(document.blocks, [table.cell(1, 1)]) == "价目!C6"


def test_stretches_of_several_sheets_are_joined_by_commas() -> None:
    """A chunk over two sheets names both ranges; a sheet's name is quoted where it must be."""
    document = _sheets()
    assert cells(document.blocks, [Span(0, len(document.text))]) == "价目!B5:C7,'Q1 plan'!A1:B1"


@pytest.mark.parametrize(
    ("name", "shown"),
    [("价目", "价目"), ("Sheet1", "Sheet1"), ("Q1 plan", "'Q1 plan'"), ("it's", "'it''s'"),
     ("2024", "'2024'")],
)  # fmt: skip
def test_sheet_names_are_quoted_as_formulas_quote_them(name: str, shown: str) -> None:
    """A name that is more than one plain word is quoted, its apostrophes doubled."""
    assert sheet_name(name) == shown


def test_paragraphs_lead_back_into_the_part() -> None:
    """A flowing source gives part and first and last paragraph, runs of one part joined."""
    builder = DocumentBuilder(SOURCE)
    for index, text in enumerate(["一", "二", "三"]):
        builder.paragraph(text, PartPlace("word/document.xml", index + 5))
    builder.paragraph("注", PartPlace("word/footnotes.xml", 1))
    document = builder.finish()
    assert paragraphs(document.blocks) == [
        ParagraphsRecord("word/document.xml", 5, 7),
        ParagraphsRecord("word/footnotes.xml", 1, 1),
    ]
    assert cells(document.blocks, [Span(0, 1)]) is None
