"""The RTF reader keeps its promises on files built by hand."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.config import ReadSettings
from headworks.errors import HeadworksError, InputError
from headworks.model.document import Document, Merge, Source
from headworks.readers.base import read
from headworks.readers.builder import DocumentBuilder
from headworks.readers.rtf.reader import write_rtf
from tests.build import rtf
from tests.build.rtf import coded, hexed, row


def _read(tmp_path: Path, body: str | bytes) -> Document:
    return read(rtf.write(tmp_path / "a.rtf", body), ReadSettings())


def _texts(document: Document, role: str = "body") -> list[str]:
    return [document.slice(block.span) for block in document.blocks if block.role == role]


def test_code_pages_and_unicode(tmp_path: Path) -> None:
    """Bytes are read in their font's code page, raw or escaped; Unicode replaces its stand-in."""
    body = (
        rf"\pard\f0 {hexed('第一条 货物')}\par \f2 {hexed('第二條 貨物', 'big5')}\par \f1 "
        rf"{coded('第三条 𠮷')}\par \uc2 \u31532{hexed('第')}\u22235{hexed('四')}\uc1\par "
    )
    raw = body.encode("ascii") + b"\\f0 " + "第五条".encode("gbk") + b"\\par "
    assert _texts(_read(tmp_path, raw)) == [
        "第一条 货物", "第二條 貨物", "第三条 𠮷", "第四", "第五条",
    ]  # fmt: skip


def test_what_is_no_text_is_skipped(tmp_path: Path) -> None:
    """Destinations, pictures, binary bytes and the instructions of fields give no text."""
    body = (
        rb"{\info{\title Deal}{\author Li}}{\*\generator Word;}{\*\unknown hidden}"
        rb"{\pict\pngblip 89504e470d0a}{\shppict x}"
        rb"\pard A{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}{\pict\bin5 }{\\x}B\par "
        rb"{\object{\*\objdata 0102}{\result shown}}\par "
    )
    body = body.replace(rb"{\shppict x}", rb"{\*\shppict{\pict 00ff}}")
    document = _read(tmp_path, body)
    assert _texts(document) == ["AlinkB", "shown"]
    assert (document.metadata.title, document.metadata.author) == ("Deal", "Li")


def test_tables_stand_on_one_grid(tmp_path: Path) -> None:
    """Cells stand where their edges say, merged ones across columns and rows are merges."""
    body = (
        rf"\pard {hexed('清单')}\par "
        + row(hexed("名称"), hexed("数量"), hexed("单价"))
        + row(hexed("小计"), "300", edges=(4000, 6000))
        + row("A", "1", "2", marks=(r"\clvmgf", "", ""))
        + row("", "3", "4", marks=(r"\clvmrg", "", ""))
        + r"\pard after\par "
    )
    document = _read(tmp_path, body)
    block = document.blocks[1]
    assert document.slice(block.span) == "名称\t数量\t单价\n小计\t\t300\nA\t1\t2\n\t3\t4"
    assert block.table is not None
    assert block.table.merges == (Merge(1, 0, 1, 2), Merge(2, 0, 2, 1))
    assert _texts(document)[-1] == "after"


def test_looks_and_lists(tmp_path: Path) -> None:
    """Styles give outline levels, bold runs in; a list's number is text told as automatic."""
    body = (
        rf"\pard\s1\b\fs32 {hexed('第一章 总则')}\b0\par \pard\plain "
        rf"{{\listtext\pard\plain 1.\tab}}{{\b {hexed('定义')}}}{hexed('　见附件。')}\par "
        rf"\pard\qc {hexed('居中')}\par "
    )
    chapter, item, centred = _read(tmp_path, body).blocks
    assert (chapter.style.outline_level, chapter.style.bold, chapter.style.size) == (1, True, 16.0)
    assert (item.auto, item.lead_bold) == (3, 5)
    assert centred.style.align == "center"


def test_asides_stand_behind_their_paragraph(tmp_path: Path) -> None:
    """Notes, comments and text boxes are blocks after the paragraph; page headers are furniture."""
    body = (
        r"{\header\pard secret\par}{\footer\pard page 1\par}"
        r"\pard Pay{\*\atnauthor Li}\chatn{\*\annotation{\*\atnid 1}too late} in"
        r"{\footnote\pard\chftn  net days} ten days"
        r"{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt\pard box\par}}{\shprslt double}}.\par "
    )
    document = _read(tmp_path, body)
    shown = [(block.kind, block.role, document.slice(block.span)) for block in document.blocks]
    assert shown == [
        ("paragraph", "page_header", "secret"),
        ("paragraph", "page_footer", "page 1"),
        ("paragraph", "body", "Pay in ten days."),
        ("comment", "body", "[批注] Li: too late"),
        ("footnote", "body", "net days"),
        ("paragraph", "body", "box"),
    ]


def test_hidden_and_deleted_text_is_no_body(tmp_path: Path) -> None:
    """What does not show is kept with its role."""
    document = _read(tmp_path, r"\pard price {\v secret}{\deleted old}{\revised new}\par ")
    assert _texts(document) == ["price new"]
    assert _texts(document, "hidden_text") == ["secret"]
    assert _texts(document, "deleted_revision") == ["old"]


def test_symbols_are_signs(tmp_path: Path) -> None:
    """A private character of a symbol font is the sign that a person sees."""
    assert _texts(_read(tmp_path, r"\pard\f3\u-3844?\f1  yes\par ")) == ["✓ yes"]


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    """Groups that never close are E_CORRUPT; salvage keeps what stands before."""
    path = tmp_path / "a.rtf"
    path.write_bytes(rb"{\rtf1\ansi {\b one\par two")
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_CORRUPT"
    assert read(path, ReadSettings(salvage=True)).text == "one\ntwo"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([
    b"{", b"}", b"\\par ", b"\\cell ", b"\\row ", b"\\trowd ", b"\\intbl ", b"\\cellx100 ",
    b"\\pard ", b"{\\footnote ", b"{\\header ", b"{\\*\\annotation ", b"\\u22235?", b"\\'d6",
    b"\\'d0", b"text", b"{\\listtext 1.}", b"{\\fonttbl{\\f0 x;}}", b"\\uc3 ", b"\\bin2 ",
    b"\\clmrg", b"\\clvmrg", b"\\nestcell ", b"{\\upr{a}{\\*\\ud b}}", b"{\\shptxt ",
]), max_size=40))  # fmt: skip
def test_any_sequence_of_words_reads(pieces: list[bytes]) -> None:
    """Whatever order words come in, the reader gives blocks whose ranges fit, or a typed error."""
    builder = DocumentBuilder(Source("0" * 64, "a.rtf", "", 0))
    try:
        write_rtf(b"{\\rtf1 " + b"".join(pieces) + b"}", builder)
    except HeadworksError:
        return
    document = builder.finish()
    ends = [block.span.end for block in document.blocks]
    assert ends == sorted(ends)
    assert not ends or ends[-1] == len(document.text)
