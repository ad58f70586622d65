"""Markdown: structure as blocks, marks gone, text whole."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.config import ReadSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.readers.markdown_inline import plain


def read_markdown(path: Path, content: str | bytes) -> Document:
    """Write a Markdown file and read it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
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
def markdown(tmp_path: Path) -> Path:
    """Give a path for a Markdown file."""
    return tmp_path / "a.md"


def test_headings(markdown: Path) -> None:
    """ATX and setext headings give their level and their text without marks."""
    content = "# 合同 #\n\n总则\n===\n\n文\n---\n\n### **第一章** 定义 {#a}\n\n#第二章 无空格\n"
    assert shown(read_markdown(markdown, content)) == [
        ("h1", "合同"), ("h1", "总则"), ("h2", "文"), ("h3", "第一章 定义"), ("h1", "第二章 无空格")
    ]  # fmt: skip


def test_code_makes_no_headings(markdown: Path) -> None:
    """A fenced code block stays whole, and nothing in it is a heading, a table or a list."""
    code = "# comment\n## x\n\n| a | b |\n|---|---|\n    - y"
    document = read_markdown(markdown, f"# 一\n\n```sh\n{code}\n```\n\n# 二\n")
    assert shown(document) == [("h1", "一"), ("code", code), ("h1", "二")]


def test_fences_nest(markdown: Path) -> None:
    """A longer fence holds a shorter one; an unclosed one runs to the end."""
    document = read_markdown(markdown, "````\n```\n# x\n```\n````\n\n~~~\n# y\n")
    assert shown(document) == [("code", "```\n# x\n```"), ("code", "# y")]


def test_byte_order_mark(markdown: Path) -> None:
    """A BOM before the first heading is taken out, and counted."""
    document = read_markdown(markdown, b"\xef\xbb\xbf# Foo\n")
    assert shown(document) == [("h1", "Foo")]
    assert [removed.count for removed in document.removed] == [1]


def test_paragraphs_stay_apart(markdown: Path) -> None:
    """A blank line parts paragraphs; each is a block of its own with its line's number."""
    document = read_markdown(markdown, "# 题\n\n第一段。\n\n第二段。\n")
    assert shown(document) == [("h1", "题"), ("paragraph", "第一段。"), ("paragraph", "第二段。")]
    assert [block.place.paragraph for block in document.blocks] == [1, 3, 5]  # type: ignore[union-attr]


def test_bold_lead(markdown: Path) -> None:
    """A bold beginning loses its marks and is told apart; a whole bold line is bold."""
    document = read_markdown(markdown, "**第三条 付款** 甲方付款。\n\n**第二部分**\n\n__甲__：乙\n")
    first, second, third = document.blocks
    assert document.slice(first.span) == "第三条 付款 甲方付款。"
    assert first.lead_bold == len("第三条 付款")
    assert (second.style.bold, second.lead_bold) == (True, 0)
    assert third.lead_bold == 1


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("**重点**和*斜体*与~~删~~", "重点和斜体与删"),
        ("见[《民法典》](http://a.b/c_(d) '题')第10条", "见《民法典》第10条"),
        ("图 ![接线图](a.png) 与 [![徽](b.png)](c)", "图 接线图 与 徽"),
        ("`**不动**` 与 \\*星\\*", "**不动** 与 *星*"),
        ("<b>第一条</b> 甲方<br/>乙方", "第一条 甲方\n乙方"),
        ("<待填写>与<span style='x'>值</span>", "<待填写>与值"),
        ("3*4*5 与 snake_case_name", "3*4*5 与 snake_case_name"),
        ("a<!-- 批 -->b &lt;c&gt; &amp;", "ab <c> &"),
        ("<https://example.com/a_b_c>", "https://example.com/a_b_c"),
        ("价格 < 100 且 > 50", "价格 < 100 且 > 50"),
        ("[链接][ref] 与 [普通括号]", "链接 与 [普通括号]"),
    ],
)
def test_inline_marks(line: str, text: str) -> None:
    """Marks go, text stays; code, escapes, products and angle brackets are left alone."""
    assert plain(line) == text


def test_pipe_table(markdown: Path) -> None:
    """A pipe table is a table: cells without marks, escaped pipes kept, line breaks as such."""
    content = "| 名称 | 数量 |\n|:---|---:|\n| **螺栓**<br>M8 | 10 |\n| a\\|b | `x|y` |\n\n后文\n"
    document = read_markdown(markdown, content)
    table = document.blocks[0].table
    assert table is not None
    assert (table.rows, table.columns, table.header_rows) == (3, 2, 1)
    assert document.slice(document.blocks[0].span) == "名称\t数量\n螺栓\nM8\t10\na|b\tx|y"
    assert document.slice(table.cell(1, 0)) == "螺栓\nM8"


def test_html_table(markdown: Path) -> None:
    """An HTML table keeps its merged cells; <br> is a line end, never text."""
    content = (
        "前文\n\n<table>\n<thead><tr><th rowspan='2'>项目</th><th colspan=2>金额</th></tr>\n"
        "<tr><th>含税</th><th>不含税</th></tr></thead>\n"
        "<tr><td>甲<br><br>乙</td><td>1</td><td>2</td></tr>\n</table>\n\n后文\n"
    )
    document = read_markdown(markdown, content)
    block = document.blocks[1]
    assert block.table is not None
    assert document.slice(block.span) == "项目\t金额\t\n\t含税\t不含税\n甲\n乙\t1\t2"
    assert block.table.header_rows == 2
    spans = {(m.row, m.column, m.row_span, m.column_span) for m in block.table.merges}
    assert spans == {(0, 0, 2, 1), (0, 1, 1, 2)}
    assert "<" not in document.text


def test_lists_keep_their_marks(markdown: Path) -> None:
    """Items keep their numbers and bullets, and know how deep they stand."""
    document = read_markdown(markdown, "1. 甲\n   - 乙\n   - 丙\n2. 丁\n\n- [ ] 待办\n")
    assert [text for _, text in shown(document)] == ["1. 甲", "- 乙", "- 丙", "2. 丁", "- [ ] 待办"]
    assert [block.style.list_level for block in document.blocks] == [0, 1, 1, 0, 0]


def test_quotes_notes_and_comments(markdown: Path) -> None:
    """Quotations and footnotes have their kind; HTML comments and link definitions are gone."""
    content = "> 引文\n\n<!-- 注\n释 -->\n\n正文[^1]\n\n[^1]: 脚注\n\n[ref]: http://a.b\n\n***\n"
    assert shown(read_markdown(markdown, content)) == [
        ("quote", "引文"), ("paragraph", "正文[^1]"), ("footnote", "[^1] 脚注")
    ]  # fmt: skip


def test_front_matter(markdown: Path) -> None:
    """Front matter goes into the metadata and is no text."""
    document = read_markdown(markdown, "---\ntitle: '供货合同'\nauthor: 王\n---\n\n# 题\n")
    assert (document.metadata.title, document.metadata.author) == ("供货合同", "王")
    assert document.text == "题"


def test_html_around_markdown(markdown: Path) -> None:
    """Tags around text go, centred text is centred, scripts are no text."""
    content = "<div align='center'>封面</div>\n\n<script>\nvar x = 1;\n</script>\n\n<h2>标题</h2>\n"
    document = read_markdown(markdown, content)
    assert shown(document) == [("paragraph", "封面"), ("h2", "标题")]
    assert document.blocks[0].style.align == "center"


@given(st.text("ab *_`[](){}<>|#-+!~=\\\n\t&;:1.甲第条一、。", max_size=200))
def test_any_text_reads(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    """No combination of marks makes the reader fail or lose a Chinese character outside marks."""
    path = tmp_path_factory.mktemp("any") / "a.md"
    document = read_markdown(path, "起\n\n" + content + "\n\n终")
    assert document.text.startswith("起")
    for block in document.blocks:
        assert document.slice(block.span).strip()


@pytest.mark.corpus
def test_corpus_laws(corpus: Path) -> None:
    """Every article of the corpus' laws begins a block of its own."""
    article = re.compile("第[一二三四五六七八九十百千零]+条(?:之[一二三四五六七八九十]+)? ")
    for path in [*corpus.glob("files/law_md/*.md"), *corpus.glob("statutes/laws/*.md")]:
        document = read(path, ReadSettings())
        expected = [
            found[0]
            for line in path.read_text(encoding="utf-8").split("\n")
            if (found := article.match(line))
        ]
        texts = [document.slice(block.span) for block in document.blocks]
        begun = [found[0] for text in texts if (found := article.match(text)) is not None]
        assert begun == expected
