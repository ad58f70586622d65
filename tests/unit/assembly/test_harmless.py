"""Nothing of a document runs where its Markdown is rendered."""

from typing import Literal

import pytest

from headworks.assembly.harmless import harmless
from headworks.assembly.markdown import markdown
from headworks.model.document import Source
from headworks.model.place import PartPlace, Span
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("0" * 64, "a.docx", "application/docx", 1)
PLACE = PartPlace("word/document.xml", 0)
ATTACKS = (
    "<script>alert(1)</script>",
    "甲方<img src=x onerror=alert(1)>乙方",
    "</td></table><svg/onload=alert(1)>",
    "<!-- --><script>alert(1)</script>",
    "<?php echo 1 ?>",
    "<javascript:alert(1)>",
    "[点击](javascript:alert(1))",
    "[点击]( &#106;ava&#115;cript:alert(1))",
    "[点击](java\\script:alert(1))",
    "[点击](\tJAVASCRIPT:alert(1))",
    "[点击](vbscript:x)",
    "![图](data:text/html;base64,PHNjcmlwdD4=)",
    "[点击][1]\n\n[1]: javascript:alert(1)",
    "[点击][1]\n\n[1]:\njavascript:alert(1)",
    "```\n<script>alert(1)</script>",
    "- ~~~\n  <script>alert(1)</script>",
    "``` x",
)
PLAIN = (
    "a < b，3<5",
    "见[附件](https://example.org/a)",
    "[1]: 合同编号",
    "2>1 且 x<=y",
    "[注]：甲",
)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text: str) -> None:
    """Comparisons, links to pages and notes stay as they are."""
    assert harmless(text) == text


@pytest.mark.parametrize("kind", ["paragraph", "quote", "code", "figure"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_runs(attack: str, kind: Literal["paragraph", "quote", "code", "figure"]) -> None:
    """Whatever kind of block holds it, and whatever comes after it, no tag and no script link."""
    render = pytest.importorskip("markdown_it", reason="markdown-it-py renders the Markdown")
    builder = DocumentBuilder(SOURCE)
    builder.paragraph(attack, PLACE, kind=kind)
    builder.paragraph("x = '<script>alert(2)</script>'", PLACE, kind="code")
    builder.paragraph("结尾<b>", PLACE)
    document = builder.finish()
    shown = markdown(document, document.blocks, [Span(0, len(document.text))], {})
    engine = render.MarkdownIt("commonmark", {"html": True})
    engine.validateLink = lambda _url: True
    page = engine.render(shown).lower()
    for tag in ("<script", "<img src=x", "<svg", "<b>", "<!--", "<?php", "<td"):
        assert tag not in page
    for scheme in ("javascript:", "vbscript:", "data:"):
        assert f'"{scheme}' not in page
