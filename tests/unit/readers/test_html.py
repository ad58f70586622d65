"""HTML: what a browser shows, as blocks."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read


def read_html(path: Path, body: str, encoding: str = "utf-8", head: str = "") -> Document:
    """Write a page and read it."""
    page = f"<!DOCTYPE html><html><head>{head}</head><body>{body}</body></html>"
    path.write_bytes(page.encode(encoding))
    return read(path, ReadSettings())


def shown(document: Document) -> list[tuple[str, str]]:
    """Give kind and text of each block; a heading's kind is its level."""
    return [
        (
            f"h{block.style.outline_level}" if block.style.outline_level else block.kind,
            document.slice(block.span),
        )
        for block in document.blocks
    ]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """Give a path for a page."""
    return tmp_path / "a.html"


def test_blocks(page: Path) -> None:
    """Headings, paragraphs, quotations and code in order, white space as a browser shows it."""
    body = (
        "<h1>采购 <i>合同</i></h1>\n<p>第一条\n  甲方<br>付款。</p>文字<div>块</div>"
        "<blockquote>引文</blockquote><pre>a\n  b</pre><script>x</script><!-- 注 -->"
    )
    assert shown(read_html(page, body)) == [
        ("h1", "采购 合同"), ("paragraph", "第一条 甲方\n付款。"), ("paragraph", "文字"),
        ("paragraph", "块"), ("quote", "引文"), ("code", "a\n  b"),
    ]  # fmt: skip


def test_table(page: Path) -> None:
    """B044: a table keeps merged cells and line breaks; one that only places things is none."""
    rows = "<tr><th>名<th>量<tr><td rowspan=2>甲<br>乙<td>1<tr><td>2"
    table = f"<table><caption>表1</caption>{rows}</table>"
    document = read_html(page, f"<table><tr><td>{table}</td></tr></table>")
    assert shown(document) == [("caption", "表1"), ("table", "名\t量\n甲\n乙\t1\n\t2")]
    grid = document.blocks[1].table
    assert grid is not None
    assert (grid.header_rows, len(grid.merges)) == (1, 1)


def test_lists(page: Path) -> None:
    """Numbers that the browser makes stand in the text, and are known as made."""
    document = read_html(page, "<ol start=3><li>甲</li><li>乙<ul><li>丙</li></ul></li></ol>")
    assert [text for _, text in shown(document)] == ["3. 甲", "4. 乙", "丙"]
    assert [block.auto for block in document.blocks] == [3, 3, 0]
    assert [block.style.list_level for block in document.blocks] == [0, 0, 1]


def test_looks(page: Path) -> None:
    """Bold beginnings, bold and centred paragraphs are known; hidden text is apart."""
    body = (
        "<p><b>第三条 付款</b> 甲方付款。</p><p align=center><strong>第二部分</strong></p>"
        "<p style='display:none'>藏</p>"
    )
    first, second, third = read_html(page, body).blocks
    assert first.lead_bold == len("第三条 付款")
    assert (second.style.bold, second.style.align, second.lead_bold) == (True, "center", 0)
    assert third.role == "hidden_text"


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("gb18030", '<meta charset="gb2312">'),
        ("gb18030", ""),
        ("utf-8", '<meta charset="gbk">'),
        ("utf-8-sig", ""),
    ],
)
def test_encodings(page: Path, encoding: str, head: str) -> None:
    """The declared charset is used where the bytes agree with it, and the title is metadata."""
    document = read_html(page, "<p>第一条 甲方应当付款。", encoding, head + "<title>题 名</title>")
    assert document.text == "第一条 甲方应当付款。"
    assert document.metadata.title == "题 名"


def test_spreadsheet_in_name_only(tmp_path: Path) -> None:
    """A page named .xls, as web systems export them, is read with a warning."""
    document = read_html(tmp_path / "导出.xls", "<table><tr><td>甲<td>1<tr><td>乙<td>2</table>")
    assert document.text == "甲\t1\n乙\t2"
    assert [problem.code for problem in document.problems] == ["W_NAME"]


@given(st.text("甲乙<>/=\"' \npdivtablrhx&;!-#1[]", max_size=200))
def test_any_page_reads(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    """No page makes the reader fail."""
    document = read_html(tmp_path_factory.mktemp("any") / "a.html", "<p>起</p>" + body)
    assert document.text.startswith("起")


def test_forms_show_what_is_filled_in(tmp_path: Path) -> None:
    """Of fields the values show, of a choice the one made, of a box its tick; hidden ones never."""
    document = read_html(
        tmp_path / "a.html",
        '<p>甲方：<input value="海川公司"> <input type="checkbox" checked>同意'
        '<input type="hidden" value="秘"><select><option>一</option><option selected>二</option>'
        "</select></p>",
    )
    assert document.text == "甲方：海川公司 ☑同意二"


@pytest.mark.parametrize(("depth", "codes"), [(1500, []), (5000, ["W_PART"])])
def test_deep_pages(tmp_path: Path, depth: int, codes: list[str]) -> None:
    """However deep elements nest their words are read; beyond the parser's bound it is told."""
    body = f"<p>前</p>{'<div>' * depth}底{'</div>' * depth}<p>后</p>"
    document = read_html(tmp_path / "a.html", body)
    assert [problem.code for problem in document.problems] == codes
    assert document.text.startswith("前\n底" if not codes else "前")
