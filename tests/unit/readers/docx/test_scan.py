"""The quick way through the main part gives what the whole tree gives."""

import copy
import random
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from headworks.errors import HeadworksError
from headworks.model.document import Document
from headworks.readers.docx import reader
from headworks.readers.docx.scan import STAND_IN, scan
from tests.build import docx
from tests.unit.readers.docx.conftest import read_path

_STYLES = (
    '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="21"/></w:rPr></w:rPrDefault></w:docDefaults>'
    '<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="h1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
    '<w:numId w:val="1"/></w:numPr></w:pPr><w:rPr><w:b/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="toc"><w:name w:val="toc 1"/></w:style>'
    '<w:style w:type="character" w:styleId="hid"><w:name w:val="hid"/><w:rPr><w:vanish/></w:rPr>'
    "</w:style>"
)
_NUMBERING = docx.abstract(
    0, docx.level(0, "chineseCounting", "第%1条"), docx.level(1, "decimal", "%1.%2")
) + docx.num(1, 0)
_PARAGRAPH_PROPERTIES = (
    "",
    '<w:jc w:val="center"/>',
    '<w:pStyle w:val="h1"/><w:rPr><w:b/></w:rPr>',
    '<w:pStyle w:val="toc"/>',
    "<w:pageBreakBefore/>",
    '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr>',
    '<w:numPr><w:numId w:val="1"/></w:numPr><w:rPr><w:vanish/></w:rPr>',
    '<w:rPr><w:del w:id="1" w:author="甲"/></w:rPr>',
    '<w:rPr><w:ins w:id="1" w:author="甲"/><w:sz w:val="30"/></w:rPr>',
    '<w:jc w:val="left"/><w:pPrChange w:id="1"><w:pPr><w:jc w:val="right"/></w:pPr></w:pPrChange>',
    '<w:rPr><w:rPrChange w:id="1"><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr>',
    "<w:rPr/><w:sectPr/>",
    '<w:spacing w:before="240"/><w:ind w:firstLine="420"/><w:outlineLvl w:val="2"/>',
)
_RUN_PROPERTIES = (
    "",
    "<w:b/>",
    '<w:sz w:val="32"/><w:rFonts w:eastAsia="黑体" w:ascii="Arial"/>',
    "<w:vanish/>",
    '<w:rStyle w:val="hid"/>',
    '<w:vertAlign w:val="superscript"/>',
    '<w:rFonts w:ascii="Wingdings"/>',
    '<w:b/><w:rPrChange w:id="1"><w:rPr><w:i/></w:rPr></w:rPrChange>',
)
_TEXT = st.text(
    st.sampled_from("条款 \t\u3000\u00a0\u200b<&>\"'\r\n12n第一a\uf0fc(。") | st.characters(
        exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"
    ),
    max_size=12,
)  # fmt: skip


def _t(text: str, kept: bool) -> str:
    blanks = ' xml:space="preserve"' if kept else ""
    return f"<w:t{blanks}>{escape(text)}</w:t>"


_CHILD = st.builds(_t, _TEXT, st.booleans()) | st.sampled_from(
    (
        "<w:t/>",
        "<w:tab/>",
        "<w:br/>",
        '<w:br w:type="page"/>',
        '<w:br w:type="column"/>',
        "<w:cr/>",
        "<w:noBreakHyphen/>",
        "<w:lastRenderedPageBreak/>",
        '<w:sym w:font="Wingdings" w:char="F0FE"/>',
        '<w:fldChar w:fldCharType="begin"/>',
        '<w:instrText> TOC \\o "1-3" </w:instrText>',
        '<w:fldChar w:fldCharType="separate"/>',
        '<w:fldChar w:fldCharType="end"/>',
    )
)
_RUN = st.builds(
    lambda properties, children, ids: (
        f"<w:r{ids}>{f'<w:rPr>{properties}</w:rPr>' if properties is not None else ''}"
        f"{''.join(children)}</w:r>"
    ),
    st.sampled_from((*_RUN_PROPERTIES, None)),
    st.lists(_CHILD, max_size=3),
    st.sampled_from(("", ' w:rsidR="00A1B2C3"', ' w:rsidRPr="00A1B2C3" w:rsidR="00A1B2C3"')),
)
_INLINE = st.one_of(
    _RUN,
    _RUN,
    st.sampled_from(
        (
            "<w:r/>",
            '<w:proofErr w:type="spellStart"/>',
            '<w:bookmarkStart w:id="3" w:name="_Toc1"/>',
            '<w:bookmarkEnd w:id="3"/>',
            "\n  ",
        )
    ),
    st.builds(lambda r: f'<w:ins w:id="2" w:author="乙">{r}</w:ins>', _RUN),
    st.builds(lambda r: f'<w:del w:id="2" w:author="乙">{r}</w:del>', _RUN),
    st.builds(lambda r: f'<w:hyperlink w:anchor="a">{r}</w:hyperlink>', _RUN),
)


def _p(properties: str | None, inner: list[str], ids: str) -> str:
    head = "" if properties is None else f"<w:pPr>{properties}</w:pPr>"
    return f"<w:p{ids}>{head}{''.join(inner)}</w:p>"


_PARAGRAPH = st.builds(
    _p,
    st.sampled_from((*_PARAGRAPH_PROPERTIES, None)),
    st.lists(_INLINE, max_size=4),
    st.sampled_from(("", ' w14:paraId="0012ABCD" w:rsidR="00A1B2C3"', ' w:rsidDel="00A1B2C3"')),
)


def _table(rows: list[list[tuple[str, str]]]) -> str:
    return docx.table(
        *(docx.row(*(docx.cell(inner, props=props) for props, inner in cells)) for cells in rows)
    )


def _containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(inner, min_size=1, max_size=3).map("".join)
    properties = st.sampled_from(("", '<w:gridSpan w:val="2"/>', "<w:vMerge/>", "<w:rPr/>"))
    cells = st.lists(st.tuples(properties, several), min_size=1, max_size=3)
    return st.one_of(
        st.lists(cells, min_size=1, max_size=3).map(_table),
        several.map(lambda body: f"<w:sdt><w:sdtContent>{body}</w:sdtContent></w:sdt>"),
        several.map(
            lambda body: (
                "<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>"
                f"{body}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>"
            )
        ),
        several.map(
            lambda body: (
                '<w:p><w:del w:id="1"><w:r><w:pict><v:shape><v:textbox><w:txbxContent>'
                f"{body}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:del></w:p>"
            )
        ),
    )


_BLOCKS = st.lists(st.recursive(_PARAGRAPH, _containers, max_leaves=6), max_size=8).map("".join)


_RICH = "".join(
    (
        docx.para("第一章 总则", style="h1"),
        _p(
            '<w:jc w:val="both"/><w:ind w:firstLine="420"/>', [docx.run("甲方"), docx.run("乙")], ""
        ),
        docx.table(["序号", "名称"], ["1", docx.run("a&b\t", "<w:b/>")], ["", "x"]),
        _p(None, [docx.field("TOC \\o", "目录"), '<w:bookmarkEnd w:id="3"/>'], ""),
        _p("<w:rPr><w:del/></w:rPr>", [docx.run("接"), "<w:r><w:br/></w:r>"], ""),
        f'<w:p><w:del w:id="1"><w:r><w:pict><w:txbxContent>{docx.table(["删", "去"])}'
        "</w:txbxContent></w:pict></w:r></w:del></w:p>",
        docx.para("续", num=(1, 1)),
        "<w:p/>",
    )
)


def _either(path: Path, monkeypatch: pytest.MonkeyPatch, **more: Any) -> list[Document | str]:
    """Read a file both ways; a failure counts by its code."""
    found: list[Document | str] = []
    for way in (scan, lambda _content: None):
        monkeypatch.setattr(reader, "scan", way)
        try:
            found.append(read_path(path, **more))
        except HeadworksError as problem:
            found.append(problem.code)
    return found


def _part(body: str) -> bytes:
    return f"<w:document {docx.NAMESPACES}><w:body>{body}</w:body></w:document>".encode()


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(body=_BLOCKS, revisions=st.sampled_from(("accepted", "rejected", "marked")))
def test_both_ways_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, revisions: str
) -> None:
    """A document reads the same with its plain paragraphs taken out of the XML."""
    path = docx.build(tmp_path / "sample.docx", body, styles=_STYLES, numbering=_NUMBERING)
    quick, whole = _either(path, monkeypatch, revisions=revisions)
    assert quick == whole


@pytest.mark.parametrize("number", range(40))
def test_elements_in_odd_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A document reads the same both ways wherever its elements stand."""
    dice = random.Random(number)
    root = etree.fromstring(_part(_RICH * 2))
    for _ in range(dice.randint(1, 6)):
        elements = list(root.iter())[2:]
        moved, target = dice.choice(elements), dice.choice(elements)
        target.insert(dice.randint(0, len(target)), copy.deepcopy(moved))
    body = b"".join(etree.tostring(child) for child in root[0]).decode()
    body = re.sub(' xmlns:[^"]*"[^"]*"', "", body)
    path = docx.build(tmp_path / "sample.docx", body, styles=_STYLES, numbering=_NUMBERING)
    for revisions in ("accepted", "rejected", "marked"):
        quick, whole = _either(path, monkeypatch, revisions=revisions)
        assert quick == whole


@pytest.mark.parametrize("number", range(40))
def test_damaged_xml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Broken XML is refused or saved as it is when the whole tree is built."""
    dice = random.Random(number)
    tokens = re.findall("<[^<>]*>|[^<>]+", _RICH)
    for _ in range(dice.randint(1, 2)):
        at = dice.randrange(len(tokens))
        odd = ("<!-- x -->", "<![CDATA[a]]>", "</w:p>", "<w:p>", "<w:rPr>", "</w:rPr >", "&#65;")
        tokens[at] = dice.choice(("", dice.choice(tokens), tokens[at][:-1], *odd))
    path = docx.build(tmp_path / "sample.docx", "".join(tokens), styles=_STYLES)
    for salvage in (False, True):
        quick, whole = _either(path, monkeypatch, salvage=salvage)
        assert quick == whole


def test_plain_paragraphs_leave_the_tree() -> None:
    """A stretch of plain paragraphs, and one of plain cells, is one element of the tree."""
    found = scan(_part(docx.para("甲") * 5 + docx.table(["乙", "丙", "丁"])))
    assert found is not None
    assert len(found.paragraphs) == 8
    assert [len(stretch) for stretch in found.cells] == [3]
    assert len(list(found.root.iter())) == 6  # document, body, paragraph, table, row, cell


@pytest.mark.parametrize(
    "part",
    [
        _part("<!-- <w:p><w:r><w:t>a</w:t></w:r></w:p> -->"),
        _part("<w:p><w:r><w:t><![CDATA[a]]></w:t></w:r></w:p>"),
        _part("<?word a?><w:p/>"),
        _part(f'<w:p {STAND_IN}="0 1"/>'),
        _part('<w:p xmlns:w="urn:x"/>'),
        _part("<w:p><w:r><w:t>\x01</w:t></w:r></w:p>"),
        _part("<w:p><w:r><w:t>]]></w:t></w:r></w:p>"),
        _part("<w:p><w:r><w:rPr><w:b></w:rPr><w:rPr></w:b></w:rPr></w:r></w:p>"),
        _part("<w:p></w:p>").replace(b"<w:", b"<x:").replace(b"xmlns:w=", b"xmlns:x="),
        _part("<w:p/>").decode().encode("utf-16"),
        b'<?xml version="1.0" encoding="gb18030"?>' + _part("<w:p/>"),
        _part("<w:p/>") + b"<",
        _part("<w:p><w:r><w:t>a</w:t></w:r></w:p>").replace(b">a<", b">\xff<"),
        b"",
    ],
)
def test_odd_parts_are_read_as_a_whole(part: bytes) -> None:
    """A part is taken apart only where each sign in it means what it seems to."""
    assert scan(part) is None
