"""ODS: the sheets as a person sees them."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document
from headworks.readers.base import read
from tests.build.packages import zipped

_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)
_STYLES = (
    '<office:automatic-styles><style:style style:name="ta2" style:family="table">'
    '<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
)


def ods(path: Path, sheets: str, manifest: str = "<manifest/>") -> Path:
    """Write a spreadsheet of these tables."""
    content = (
        f'<office:document-content {_NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/">{_STYLES}'
        f"<office:body><office:spreadsheet>{sheets}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    return zipped(
        path, {"mimetype": mimetype, "META-INF/manifest.xml": manifest, "content.xml": content}
    )


def text(value: str, more: str = "") -> str:
    """Give the XML of a text cell."""
    return (
        f'<table:table-cell office:value-type="string"{more}><text:p>{value}</text:p>'
        "</table:table-cell>"
    )


def number(value: str, shown: str, kind: str = "float", more: str = "") -> str:
    """Give the XML of a number cell."""
    return (
        f'<table:table-cell office:value-type="{kind}" office:value="{value}"{more}>'
        f"<text:p>{shown}</text:p></table:table-cell>"
    )


def table_of(document: Document, place: int) -> list[list[str]]:
    """Give the texts of a block's table."""
    table = document.blocks[place].table
    assert table is not None
    return [
        [document.slice(table.cell(row, column)) for column in range(table.columns)]
        for row in range(table.rows)
    ]


def row(cells: str, more: str = "") -> str:
    """Give the XML of a row."""
    return f"<table:table-row{more}>{cells}</table:table-row>"


def test_shown_values_and_repetition(tmp_path: Path) -> None:
    """Cells show their text, long integers whole; counted empty rows and columns cost nothing."""
    empty = '<table:table-cell table:number-columns-repeated="16380"/>'
    rows = (
        row(text("项目") + text("金额") + text("号码") + empty)
        + row(text("甲") + number("1199.5", "¥1,199.50") + number("110101199001010000", "1.1E+17"))
        + row(text("乙") + number("0.25", "25%", "percentage") + empty)
        + row(empty, ' table:number-rows-repeated="1048570"')
    )
    sheet = f'<table:table table:name="账">{rows}</table:table>'
    document = read(ods(tmp_path / "a.ods", sheet), ReadSettings())
    assert table_of(document, 1) == [
        ["项目", "金额", "号码"],
        ["甲", "¥1,199.50", "110101199001010000"],
        ["乙", "25%", ""],
    ]


def test_hidden_merged_and_noted(tmp_path: Path) -> None:
    """Hidden rows and sheets are apart, merged cells keep their reach, annotations are comments."""
    note = (
        "<office:annotation><dc:creator>王</dc:creator><text:p>核实</text:p></office:annotation>"
        "<text:p>类</text:p>"
    )
    merged = ' table:number-rows-spanned="2"'
    rows = (
        row(f'<table:table-cell office:value-type="string"{merged}>{note}</table:table-cell>'
            + text("一"))
        + row("<table:covered-table-cell/>" + text("二"))
        + row(text("藏") + text("三"), ' table:visibility="collapse"')
    )  # fmt: skip
    sheets = (
        f'<table:table table:name="明">{rows}</table:table>'
        f'<table:table table:name="暗" table:style-name="ta2">{row(text("秘密"))}</table:table>'
    )
    document = read(ods(tmp_path / "a.ods", sheets), ReadSettings())
    assert table_of(document, 1) == [["类", "一"], ["", "二"]]
    table = document.blocks[1].table
    assert table is not None
    assert [merge.row_span for merge in table.merges] == [2]
    comment = next(block for block in document.blocks if block.kind == "comment")
    assert document.slice(comment.span) == "[批注] 王: 核实"
    hidden = [document.slice(b.span) for b in document.blocks if b.role == "hidden_text"]
    assert hidden == ["藏\t三", "暗", "秘密"]
    assert document.lost.hidden_sheets == ("暗",)


def test_encrypted(tmp_path: Path) -> None:
    """A spreadsheet with a password is E_ENCRYPTED."""
    path = ods(tmp_path / "a.ods", "", "<manifest><encryption-data/></manifest>")
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_ENCRYPTED"
