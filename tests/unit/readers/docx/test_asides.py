"""What hangs on paragraphs: comments, notes, pictures, charts, formulas, hidden text."""

from pathlib import Path
from typing import Any

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document
from headworks.readers.docx.reader import read_picture
from tests.build.docx import NAMESPACES, build, cell, para, part, run, table
from tests.unit.readers.docx.conftest import Read, texts


def comment(comment_id: int, author: str, text: str, paragraph: str) -> str:
    """Give a ``w:comment`` with one paragraph of an id."""
    return (
        f'<w:comment w:id="{comment_id}" w:author="{author}" w:date="2024-05-0{comment_id + 1}">'
        f'<w:p w14:paraId="{paragraph}">{run(text)}</w:p></w:comment>'
    )


def mark(comment_id: int) -> str:
    """Give a comment's reference."""
    return f'<w:r><w:commentReference w:id="{comment_id}"/></w:r>'


def ranged(comment_id: int, text: str) -> str:
    """Give text with a comment on it."""
    return (
        f'<w:commentRangeStart w:id="{comment_id}"/>{run(text)}'
        f'<w:commentRangeEnd w:id="{comment_id}"/>{mark(comment_id)}'
    )


def commented() -> dict[str, Any]:
    """Give parts with a comment, a reply, a resolved one and one in a footnote."""
    inner = comment(0, "张三", "比例太高", "A0") + comment(1, "李四", "已改为三成", "A1")
    inner += comment(2, "王五", "核对日期", "A2") + comment(3, "张三", "脚注也要核对", "A3")
    extended = (
        '<w15:commentEx w15:paraId="A0" w15:done="0"/>'
        '<w15:commentEx w15:paraId="A1" w15:paraIdParent="A0" w15:done="0"/>'
        '<w15:commentEx w15:paraId="A2" w15:done="1"/>'
    )
    notes = (
        f'<w:footnote w:id="-1" w:type="separator">{para()}</w:footnote>'
        f'<w:footnote w:id="7">{para("<w:r><w:footnoteRef/></w:r>", "含税", mark(3))}</w:footnote>'
    )
    return {
        "parts": {
            "comments.xml": part("comments", inner),
            "commentsExtended.xml": f"<w15:commentsEx {NAMESPACES}>{extended}</w15:commentsEx>",
            "footnotes.xml": part("footnotes", notes),
        },
        "relations": {
            "c": ("comments", "comments.xml"),
            "e": ("commentsExtended", "commentsExtended.xml"),
            "f": ("footnotes", "footnotes.xml"),
        },
    }


def about(document: Document, index: int) -> str:
    """Give the text that a block is about."""
    span = document.blocks[index].about
    return document.slice(span) if span is not None else ""


def test_comments_stand_behind_their_paragraph(read: Read) -> None:
    """Author, date, replies, resolved, the range, one in a footnote; none in the text (B059)."""
    body = para("首付款为", ranged(0, "五成"), "。") + para("甲方付款", ranged(2, "三月一日"))
    body += para("价格", '<w:r><w:footnoteReference w:id="7"/></w:r>', "固定")
    document = read(body, **commented())
    assert [(block.kind, document.slice(block.span)) for block in document.blocks] == [
        ("paragraph", "首付款为五成。"),
        ("comment", "[批注] 张三: 比例太高"),
        ("comment", "[批注] 李四 回复 张三: 已改为三成"),
        ("paragraph", "甲方付款三月一日"),
        ("comment", "[批注] 王五: 核对日期（已解决）"),
        ("paragraph", "价格[1]固定"),
        ("footnote", "[1] 含税"),
        ("comment", "[批注] 张三: 脚注也要核对"),
    ]
    assert [about(document, at) for at in (1, 2, 4)] == ["五成", "五成", "三月一日"]
    assert (document.blocks[1].author, document.blocks[1].date) == ("张三", "2024-05-01")


def test_a_comment_in_a_cell_follows_the_table(read: Read) -> None:
    """A table is not broken by a comment in it, which still knows its words."""
    body = table(["序号", "货物"], ["1", cell(para("水泵", ranged(0, "两台")))]) + para("后")
    document = read(body, **commented())
    assert texts(document)[:2] == ["序号\t货物\n1\t水泵两台", "[批注] 张三: 比例太高"]
    assert about(document, 1) == "两台"


def test_endnotes_have_marks_of_their_own(read: Read) -> None:
    """Endnotes count in Roman numbers, as Word shows them."""
    notes = part("endnotes", f'<w:endnote w:id="2">{para("见附件")}</w:endnote>')
    body = para("价格", '<w:r><w:endnoteReference w:id="2"/></w:r>')
    document = read(
        body, parts={"endnotes.xml": notes}, relations={"n": ("endnotes", "endnotes.xml")}
    )
    assert texts(document) == ["价格[i]", "[i] 见附件"]


def picture(relation: str, description: str = "") -> str:
    """Give a run with an inline picture of 100 by 50 points."""
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="1270000" cy="635000"/><wp:docPr id="1" '
        f'name="p" descr="{description}"/><a:graphic><a:graphicData><pic:pic><pic:blipFill>'
        f'<a:blip r:embed="{relation}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>'
        "</wp:inline></w:drawing></w:r>"
    )


def test_pictures_are_figures_with_their_description(read: Read) -> None:
    """A description that a person wrote is text; a file's name is not; sizes are listed."""
    body = para("见下图", picture("p1", "泵房平面图")) + para(picture("p1", "IMG_2024.png"))
    body += table(["图", cell(para(picture("p1")))])
    document = read(body, relations={"p1": ("image", "media/image1.png")})
    figures = [block for block in document.blocks if block.kind == "figure"]
    assert [document.slice(block.span) for block in figures] == ["[图片：泵房平面图]", "[图片]"]
    assert figures[0].alt == "泵房平面图"
    assert texts(document)[-1] == "图\t[图片]"
    assert document.metadata.more["figures"] == ["picture word/media/image1.png 100x50 pt"] * 3


def test_the_bytes_of_a_picture_are_there_on_request(tmp_path: Path) -> None:
    """A listed picture can be fetched; a part that is not there is an error."""
    path = build(tmp_path / "a.docx", para("甲"), parts={"word/media/image1.png": b"PNG"})
    assert read_picture(path, "word/media/image1.png", ReadSettings()) == b"PNG"
    with pytest.raises(InputError):
        read_picture(path, "word/media/image2.png", ReadSettings())


def test_a_chart_is_its_title_and_values(read: Read) -> None:
    """Series, categories and values of a chart are text."""

    def points(tag: str, *values: str) -> str:
        inner = "".join(f'<c:pt idx="{i}"><c:v>{v}</c:v></c:pt>' for i, v in enumerate(values))
        return f"<c:{tag}><c:strRef><c:strCache>{inner}</c:strCache></c:strRef></c:{tag}>"

    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>销量</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    series = f"<c:ser>{points('tx', '水泵')}{points('cat', '一月', '二月')}{points('val', '3', '4.4000000000000004')}</c:ser>"  # noqa: E501
    chart = f"<c:chartSpace {NAMESPACES}>{title}{series}</c:chartSpace>"
    body = para(
        '<w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="c"/>'
        "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
    document = read(
        body, parts={"charts/chart1.xml": chart, "word/charts/chart1.xml": chart},
        relations={"c": ("chart", "charts/chart1.xml")},
    )  # fmt: skip
    assert texts(document) == ["[图表]\n销量\n水泵：一月 3；二月 4.4"]


def test_formulas_are_one_line(read: Read) -> None:
    """Fractions, powers, roots and sums read as a person writes them in a line."""

    def r(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    power = f"<m:sSup><m:e>{r('x')}</m:e><m:sup>{r('2')}</m:sup></m:sSup>"
    root = f"<m:rad><m:deg/><m:e>{power}{r('+1')}</m:e></m:rad>"
    fraction = f"<m:f><m:num>{r('a+b')}</m:num><m:den>{r('c')}</m:den></m:f>"
    total = f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>{r("i=1")}</m:sub><m:sup>{r("n")}</m:sup><m:e>{r("i")}</m:e></m:nary>'  # noqa: E501
    body = para("公式", f"<m:oMath>{power}{r('=')}{fraction}</m:oMath>")
    body += para(f"<m:oMathPara><m:oMath>{root}{r('=')}{total}</m:oMath></m:oMathPara>")
    document = read(body)
    assert texts(document) == ["公式x^2=(a+b)/c", "√(x^2+1)=∑_(i=1)^ni"]
    assert [block.kind for block in document.blocks] == ["paragraph", "formula"]


def test_a_formula_editors_object_stays_in_its_line(read: Read) -> None:
    """It is marked where it stands, and told as unread."""
    inner = '<v:shape><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Equation.DSMT4"/>'
    body = para("其中", f"<w:r><w:object>{inner}</w:object></w:r>", "为违约金")
    document = read(body, relations={"i": ("image", "media/image1.wmf")})
    assert texts(document) == ["其中[公式]为违约金"]
    assert document.lost.unread_parts == ("formula object",)


def test_captions_are_known_by_their_style(read: Read) -> None:
    """A paragraph of the caption style that names a table is a caption; a heading is not."""
    styles = '<w:style w:type="paragraph" w:styleId="c"><w:name w:val="caption"/></w:style>'
    document = read(para("表 1 供货清单", style="c") + para("总则", style="c"), styles=styles)
    assert [block.kind for block in document.blocks] == ["caption", "paragraph"]


def test_what_was_not_read_is_named(read: Read) -> None:
    """An embedded document and an object are warned of; hidden text too."""
    ole = '<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12" r:id="o"/></w:object></w:r>'
    image = '<w:r><w:object><v:shape><v:imagedata r:id="i"/></v:shape><o:OLEObject ProgID="Excel.Sheet.12" r:id="o"/></w:object></w:r>'  # noqa: E501
    body = para(image, run("底价", "<w:vanish/>")) + '<w:altChunk r:id="a"/>' + para(ole, "文")
    document = read(body, relations={"i": ("image", "media/image1.emf")})
    assert [problem.code for problem in document.problems] == ["W_PART", "W_HIDDEN"]
    assert document.lost.unread_parts == ("embedded Excel.Sheet.12", "embedded document altChunk")


HTML = (
    '<html><head><meta charset="utf-8"><title>无</title></head><body><h1>采购合同</h1>'
    "<p><b>第一条</b> 标的</p><ol><li>水泵</li><li>阀门</li></ol><p>见下表：<br>价目</p>"
    "<table><tr><th>货物</th><th>单价</th></tr><tr><td>水泵</td><td>3</td></tr></table></body></html>"
)


def test_an_embedded_web_page_is_read(read: Read) -> None:
    """Web programs write a document as one HTML or MHTML part: a person sees it all."""
    mail = (
        "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n"
        'Content-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: 8bit\n\n'
        f"{HTML}\n--x--\n"
    )
    for name, content in (("a.html", HTML), ("a.mht", mail)):
        document = read(
            para("前") + '<w:altChunk r:id="a"/>' + para("后"),
            parts={f"word/{name}": content.encode()},
            relations={"a": ("aFChunk", name)},
        )
        assert texts(document) == [
            "前",
            "采购合同",
            "第一条 标的",
            "1. 水泵",
            "2. 阀门",
            "见下表：\n价目",
            "货物\t单价\n水泵\t3",
            "后",
        ]
        assert document.blocks[1].style.outline_level == 1
