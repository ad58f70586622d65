"""The DOCX reader: what a person sees in the file stands in the document, in order."""

import zipfile
from pathlib import Path

import pytest

from headworks.errors import InputError, LimitError
from headworks.model.place import PartPlace
from tests.build import docx
from tests.build.docx import abstract, field, level, num, para, part, run, table
from tests.unit.readers.docx.conftest import Read, read_path, texts


def test_paragraphs_and_tables_keep_their_order(read: Read) -> None:
    """A, table 1, B, table 2, C: none lost, none moved (B037)."""
    body = para("甲") + table(["一", "二"]) + para("乙") + table(["三", "四"]) + para("丙")
    document = read(body)
    assert texts(document) == ["甲", "一\t二", "乙", "三\t四", "丙"]
    assert [block.kind for block in document.blocks] == [
        "paragraph", "table", "paragraph", "table", "paragraph",
    ]  # fmt: skip


def test_marks_inside_a_run(read: Read) -> None:
    """Tabs, breaks, symbols and special hyphens become characters; soft hyphens vanish."""
    body = para(
        run("甲\t乙\n丙"),
        "<w:r><w:t>A</w:t><w:noBreakHyphen/><w:t>1</w:t><w:softHyphen/><w:t>2</w:t></w:r>",
        '<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>',
        '<w:r><w:t xml:space="preserve"> m</w:t></w:r>',
        run("3", '<w:vertAlign w:val="superscript"/>'),
    )
    assert texts(read(body)) == ["甲\t乙\n丙A-12☑ m³"]


def test_blanks_at_the_ends_of_a_text_count_only_where_kept(read: Read) -> None:
    """Without xml:space="preserve" indentation of the XML is no text."""
    body = para("<w:r><w:t>\n   第一条 </w:t></w:r>", "<w:r><w:t>付款</w:t></w:r>")
    assert texts(read(body)) == ["第一条付款"]


def test_weight_and_size_of_a_paragraph(read: Read) -> None:
    """All bold is bold; a bold beginning is lead_bold; the size is that of most characters."""
    bold, large = "<w:b/>", '<w:sz w:val="32"/>'
    body = para(run("采购合同", bold + large))
    body += para(run("第三条 付款", bold), run("甲方应在收货后付款。"))
    body += para(run("付款", bold), run("："))
    body += para(run("付款", bold), run("： "), run("甲方付款。"))
    body += para(run("付款", '<w:b w:val="0"/>'))
    first, second, third, run_in, fourth = read(body).blocks
    assert (first.style.bold, first.style.size) == (True, 16.0)
    assert (second.style.bold, second.lead_bold) == (False, 6)
    assert third.style.bold
    assert run_in.lead_bold == 2
    assert not fourth.style.bold


STYLES = """
<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:eastAsia="宋体"/><w:sz w:val="21"/></w:rPr>
</w:rPrDefault></w:docDefaults>
<w:style w:type="paragraph" w:default="1" w:styleId="a"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/><w:basedOn w:val="a"/>
<w:pPr><w:spacing w:before="240"/><w:jc w:val="center"/></w:pPr>
<w:rPr><w:b/><w:rFonts w:eastAsia="黑体"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="2"><w:name w:val="章标题"/><w:basedOn w:val="1"/>
<w:rPr><w:sz w:val="30"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="s"><w:name w:val="Strong"/><w:rPr><w:b/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="T1"><w:name w:val="toc 1"/></w:style>
"""


def test_styles_inherit(read: Read) -> None:
    """A style has what it is based on; defaults stand below; a toggle set twice is off."""
    body = (
        para("总则", style="2")
        + para("正文")
        + para(run("总则", '<w:rStyle w:val="s"/>'), style="1")
    )
    body += para("不是标题", style="1", props='<w:outlineLvl w:val="9"/>')
    heading, plain, toggled, body_level = (
        block.style for block in read(body, styles=STYLES).blocks
    )
    assert (heading.name, heading.outline_level, heading.align) == ("章标题", 1, "center")
    assert (heading.bold, heading.size, heading.font) == (True, 15.0, "黑体")
    assert heading.space_before == 12.0
    assert (plain.name, plain.size, plain.font, plain.bold) == ("Normal", 10.5, "宋体", False)
    assert not toggled.bold
    assert body_level.outline_level is None


def test_contents_are_recognised_by_style_and_by_field(read: Read) -> None:
    """TOC lines have the role contents; results of fields are kept, instructions are not (B063)."""
    link = '<w:hyperlink w:anchor="_Toc1">' + run("第二章 付款\t4") + "</w:hyperlink>"
    begin = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    toc = begin("begin") + "<w:r><w:instrText>TOC \\o</w:instrText></w:r>" + begin("separate")
    body = para("第一章 总则\t3", style="T1") + para(toc, link) + para(begin("end"))
    body += para('<w:bookmarkStart w:id="0" w:name="_Toc1"/>', "第一章 总则")
    body += para(
        "见", field("REF _Ref1 \\r \\h", "第3.2款"), "，", field('HYPERLINK "http://x"', "官网")
    )
    document = read(body, styles=STYLES)
    assert texts(document, "contents") == ["第一章 总则\t3", "第二章 付款\t4"]
    assert texts(document) == ["第一章 总则", "见第3.2款，官网"]


def test_a_contents_field_that_never_ends_swallows_nothing(read: Read) -> None:
    """An unclosed TOC field leaves the body in the body."""
    begin = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'.format
    toc = begin("begin") + "<w:r><w:instrText>TOC</w:instrText></w:r>" + begin("separate")
    assert texts(read(para(toc, "目录") + para("第一条 付款"))) == ["目录", "第一条 付款"]


def test_fields_without_a_result_show_what_they_draw(read: Read) -> None:
    """A circled number, a symbol and a check box of a form are characters."""

    def bare(instruction: str) -> str:
        return (
            '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>'
            f'{instruction}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>'
        )

    box = (
        '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:checked/></w:checkBox>'
        "</w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r>"
        '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )
    choice = box.replace(
        "<w:checkBox><w:checked/></w:checkBox>",
        '<w:ddList><w:result w:val="1"/><w:listEntry w:val="甲"/>'
        '<w:listEntry w:val="乙"/></w:ddList>',
    )
    body = para(bare("eq \\o\\ac(○,3)"), bare('SYMBOL 252 \\f "Wingdings"'), box, "是", choice)
    assert texts(read(body)) == ["③✓☑是乙"]


def test_content_controls_links_and_smart_tags_are_text(read: Read) -> None:
    """What stands in wrappers is read once, in place."""
    body = para("甲", f"<w:sdt><w:sdtContent>{run('乙')}</w:sdtContent></w:sdt>",
                f"<w:smartTag>{run('丙')}</w:smartTag>")  # fmt: skip
    body += f"<w:sdt><w:sdtContent>{para('丁')}{table(['一', '二'])}</w:sdtContent></w:sdt>"
    assert texts(read(body)) == ["甲乙丙", "丁", "一\t二"]


def test_hidden_text_has_its_role(read: Read) -> None:
    """Vanished characters stay out of the paragraph and stand in a block of their own."""
    body = para(run("价格"), run("底价八十万", "<w:vanish/>"), run("面议"))
    document = read(body)
    assert texts(document) == ["价格面议"]
    assert texts(document, "hidden_text") == ["底价八十万"]


REVISED = para(
    run("价款为"),
    '<w:del w:author="张三" w:date="2024-03-01T08:00:00Z">'
    "<w:r><w:delText>旧</w:delText></w:r></w:del>",
    f'<w:ins w:author="李四" w:date="2024-03-02T08:00:00Z">{run("新")}</w:ins>',
    run("价"),
)


@pytest.mark.parametrize(
    ("revisions", "shown", "gone"),
    [
        ("accepted", "价款为新价", ["旧"]),
        ("rejected", "价款为旧价", ["新"]),
        ("marked", "价款为[删除 张三 2024-03-01：旧][新增 李四 2024-03-02：新]价", []),
    ],
)
def test_tracked_changes(read: Read, revisions: str, shown: str, gone: list[str]) -> None:
    """Accepted gives the new text only, never both; what is out stands apart (B058)."""
    document = read(REVISED, settings={"revisions": revisions})
    assert texts(document) == [shown]
    assert texts(document, "deleted_revision") == gone


def test_a_deleted_paragraph_mark_joins_two_paragraphs(read: Read) -> None:
    """Text before and after a deleted mark is one paragraph; moved text stands once."""
    body = para("甲方", props="<w:rPr><w:del/></w:rPr>") + para("付款")
    body += para(f"<w:moveFrom>{run('移走')}</w:moveFrom>", "甲") + para(
        f"<w:moveTo>{run('移走')}</w:moveTo>"
    )
    assert texts(read(body)) == ["甲方付款", "甲", "移走"]
    assert texts(read(body, settings={"revisions": "rejected"})) == ["甲方", "付款", "移走甲"]
    before_table = para("甲", props="<w:rPr><w:del/></w:rPr>") + table(["一", "二"])
    assert texts(read(before_table)) == ["甲", "一\t二"]


def test_a_text_box_is_read_once_with_its_list(read: Read) -> None:
    """DrawingML box with a VML fallback: the text once, after its paragraph (B060)."""
    listed = para("盒内一", num=(1, 0)) + para("盒内二", num=(1, 0))
    inner = f"<w:txbxContent>{listed}</w:txbxContent>"
    box = (
        '<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic>'
        f"<a:graphicData><wps:wsp><wps:txbx>{inner}</wps:txbx></wps:wsp></a:graphicData></a:graphic>"
        f"</wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{inner}"
        "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    numbering = abstract(0, level(0, "decimal", "%1.")) + num(1, 0)
    document = read(para("前", box, "后") + para("尾"), numbering=numbering)
    assert texts(document) == ["前后", "1. 盒内一", "2. 盒内二", "尾"]


def test_pages_come_from_noted_and_set_breaks(read: Read) -> None:
    """Three pages: a set break with its note behind it counts once (B065)."""
    note, br = "<w:r><w:lastRenderedPageBreak/></w:r>", '<w:r><w:br w:type="page"/></w:r>'
    body = (
        para("一")
        + para(br)
        + para(note, "二")
        + para("还是二")
        + para("二", note, "三")
        + para("三")
    )
    pages = [block.place.page for block in read(body).blocks if isinstance(block.place, PartPlace)]
    assert pages == [1, 2, 2, 2, 3]


def test_without_a_word_of_pages_none_is_given(read: Read) -> None:
    """No page is better than always the first; the paragraph's index is always there (B088)."""
    document = read(para("一") + para("二"))
    assert [block.place for block in document.blocks] == [
        PartPlace("word/document.xml", 0), PartPlace("word/document.xml", 1),
    ]  # fmt: skip
    assert document.metadata.more["page_numbers"] == "not in the file"


def test_headers_and_footers_stand_once_as_furniture(read: Read) -> None:
    """Distinct ones once each, tables in them too, page numbers apart, never in the body (B062)."""

    def refs(*names: str) -> str:
        return "<w:sectPr>" + "".join(
            f'<w:{kind}Reference w:type="{variant}" r:id="{name}"/>'
            for name, kind, variant in (n.split(":") for n in names)
        ) + "</w:sectPr>"  # fmt: skip

    first = refs("h1:header:first", "h2:header:default", "f1:footer:default")
    second = refs("h3:header:default", "f1:footer:default", "f2:footer:even")
    body = para("甲", props=first) + para("乙") + second
    page = field("PAGE", "1")
    parts = {
        "h1.xml": part("hdr", para("机密")),
        "h2.xml": part("hdr", para("采购合同") + table(["文号", "〔2024〕3号"])),
        "h3.xml": part("hdr", para("技术附件")),
        "f1.xml": part("ftr", para("第", page, "页 共", field("NUMPAGES", "9"), "页")),
        "f2.xml": part(
            "ftr", para("第", field("PAGE", "2"), "页 共", field("NUMPAGES", "9"), "页")
        ),
    }
    kinds = {"h": "header", "f": "footer"}
    relations = {name[:2]: (kinds[name[0]], name) for name in parts}
    document = read(body, parts=parts, relations=relations)
    assert texts(document) == ["甲", "乙"]
    assert texts(document, "page_header") == ["机密", "采购合同", "文号\t〔2024〕3号", "技术附件"]
    assert texts(document, "page_number") == ["第1页 共9页"]
    assert document.metadata.more["page_headers"] == [
        "first: 机密",
        "default: 采购合同 文号 〔2024〕3号",
        "default: 技术附件",
    ]


def test_a_watermark_in_a_header_is_one(read: Read) -> None:
    """WordArt of a header has the role watermark."""
    art = '<w:r><w:pict><v:shape><v:textpath string="内部资料"/></v:shape></w:pict></w:r>'
    document = read(
        para("甲") + '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>',
        parts={"header1.xml": part("hdr", para(art))},
        relations={"h": ("header", "header1.xml")},
    )
    assert texts(document, "watermark") == ["内部资料"]


def test_strict_documents_read_alike(tmp_path: Path) -> None:
    """The namespaces of strict OOXML are known."""
    path = docx.build(tmp_path / "a.docx", para("甲"))
    strict = tmp_path / "strict.docx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(strict, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            for before, after in (
                (
                    "schemas.openxmlformats.org/wordprocessingml/2006/main",
                    "purl.oclc.org/ooxml/wordprocessingml/main",
                ),
                (
                    "schemas.openxmlformats.org/officeDocument/2006/",
                    "purl.oclc.org/ooxml/officeDocument/",
                ),
            ):
                text = text.replace(before, after)
            new.writestr(name, text)
    assert texts(read_path(strict)) == ["甲"]


def test_properties_become_metadata(read: Read) -> None:
    """Title, author, dates and custom properties are taken."""
    core = (
        '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:t="t"><dc:title>采购合同</dc:title>'
        "<dc:creator>张三</dc:creator><t:created>2024-01-02T00:00:00Z</t:created></cp:coreProperties>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
    custom = f'<Properties xmlns="{kind}"><property name="密级"><v>内部</v></property></Properties>'
    metadata = read(
        para("甲"), parts={"docProps/core.xml": core, "docProps/custom.xml": custom}
    ).metadata
    assert (metadata.title, metadata.author) == ("采购合同", "张三")
    assert metadata.created == "2024-01-02T00:00:00Z"
    assert metadata.more["custom"] == ["密级=内部"]


def test_a_broken_field_mutes_no_more_than_its_paragraph(read: Read) -> None:
    """A field that begins and never ends hides nothing behind it."""
    broken = (
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>REF</w:instrText></w:r>'
    )
    assert texts(read(para("甲", broken) + para("乙"))) == ["甲", "乙"]


def _damaged(tmp_path: Path, name: str, content: str | bytes) -> Path:
    path = docx.build(tmp_path / "whole.docx", para("甲") + para("乙"))
    broken = tmp_path / "broken.docx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(broken, "w") as new:
        for member in old.namelist():
            new.writestr(member, content if member == name else old.read(member))
    return broken


def test_bad_xml_is_corrupt_and_salvaged_on_request(tmp_path: Path) -> None:
    """Broken XML is E_CORRUPT; with salvage the readable part stays, with a warning."""
    xml = f"<w:document {docx.NAMESPACES}><w:body>{para('甲')}{para('乙')}<w:p><w:r><w:t>丙"
    path = _damaged(tmp_path, "word/document.xml", xml)
    with pytest.raises(InputError) as caught:
        read_path(path)
    assert caught.value.code == "E_CORRUPT"
    document = read_path(path, salvage=True)
    assert texts(document)[:2] == ["甲", "乙"]
    assert [problem.code for problem in document.problems] == ["W_SALVAGED"]


def test_a_broken_part_beside_the_text_is_only_a_warning(read: Read) -> None:
    """Properties that do not parse refuse no document."""
    document = read(para("甲"), parts={"docProps/core.xml": "<cp:coreProperties"})
    assert texts(document) == ["甲"]
    assert document.lost.unread_parts == ("docProps/core.xml",)


def test_salvage_keeps_what_stands_behind_the_damage(tmp_path: Path) -> None:
    """Paragraphs behind an error that stops the parser, or that it left nested, are kept."""
    inner = para("甲") + "<w:p><w:r><w:rPr><w:b></w:r></w:p>" + para("乙")
    inner += '<w:p w:x="<">' + para("丙") + "</w:tbl>" + para("丁") + "\x01" + para("戊")
    xml = f"<w:document {docx.NAMESPACES}><w:body>{inner}</w:body></w:document>"
    document = read_path(_damaged(tmp_path, "word/document.xml", xml), salvage=True)
    assert [text for text in texts(document) if text.strip()] == ["甲", "乙", "丙", "丁", "戊"]


def test_a_truncated_file_is_corrupt_and_salvaged_on_request(tmp_path: Path) -> None:
    """A zip cut before its directory is E_CORRUPT; salvage reads what unpacks."""
    path = docx.build(tmp_path / "a.docx", "".join(para(f"第{n}段") for n in range(500)))
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * 0.8)])
    with pytest.raises(InputError, match="E_CORRUPT"):
        read_path(path)
    document = read_path(path, salvage=True)
    assert texts(document)[0] == "第0段"
    assert document.problems[0].code == "W_SALVAGED"


def test_an_entity_bomb_is_refused(tmp_path: Path) -> None:
    """A document type declaration never gets as far as being expanded."""
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + part("document", "&b;")
    hidden = '<?xml version="1.0" encoding="UTF-32BE"?>' + bomb
    for name, content in (("plain", bomb.encode()), ("hidden", hidden.encode("utf-32-be"))):
        folder = tmp_path / name
        folder.mkdir()
        with pytest.raises(InputError, match="E_CORRUPT"):
            read_path(_damaged(folder, "word/document.xml", content))


def test_a_zip_bomb_is_refused_before_unpacking(tmp_path: Path) -> None:
    """Unpacked size and ratio are bounded by the directory alone."""
    path = docx.build(tmp_path / "a.docx", para("甲"), parts={"bomb.bin": b"\0" * 40_000_000})
    with pytest.raises(LimitError, match="E_TOO_LARGE"):
        read_path(path)
    small = docx.build(tmp_path / "b.docx", para("甲"), parts={"big.bin": bytes(1000)})
    with pytest.raises(LimitError, match="E_TOO_LARGE"):
        read_path(small, max_unpacked_bytes=1000)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    """Tables within tables beyond reason are E_TOO_LARGE, never a crash."""
    body = para("甲")
    for _ in range(900):
        body = f"<w:tbl><w:tr><w:tc>{body}{para()}</w:tc></w:tr></w:tbl>"
    path = docx.build(tmp_path / "a.docx", body)
    with pytest.raises(LimitError, match="E_TOO_LARGE"):
        read_path(path)


def test_a_document_without_its_part_is_corrupt(tmp_path: Path) -> None:
    """A zip that names a document part and has none is E_CORRUPT."""
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("[Content_Types].xml", "<Types/>")
    with pytest.raises(InputError, match="E_CORRUPT"):
        read_path(path)


@pytest.mark.corpus
def test_every_document_of_the_corpus_reads(corpus: Path) -> None:
    """All real documents read, but for the truncated and the encrypted one."""
    refused = []
    for path in sorted((corpus / "files").rglob("*.docx")):
        try:
            document = read_path(path)
        except InputError as problem:
            refused.append((path.name, problem.code))
        else:
            assert document.text
            assert read_path(path) == document
    assert refused == [
        ("annual_framework_truncated.docx", "E_CORRUPT"),
        ("poi_encrypted_pass.docx", "E_CORRUPT"),  # sniffed as E_ENCRYPTED before it comes here
    ]
