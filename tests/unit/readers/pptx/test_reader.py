"""The PPTX reader keeps its promises on presentations built by hand."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings, Settings
from headworks.errors import InputError, LimitError
from headworks.model.document import Block, Document
from headworks.model.place import Box, SlidePlace
from headworks.pipeline import Outcome, process_document
from headworks.readers.base import read
from headworks.rules.book import load
from tests.build import pptx
from tests.build.pptx import Slide, box, framed, group, paragraph, picture

_CHART = (
    "<c:chartSpace {names}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>季度收入</a:t></a:r>"
    "</a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>"
    '<c:pt idx="0"><c:v>华东</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef>'
    '<c:strCache><c:pt idx="0"><c:v>一季度</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val>'
    '<c:numRef><c:numCache><c:pt idx="0"><c:v>12.5</c:v></c:pt></c:numCache></c:numRef></c:val>'
    "</c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"
)
_DIAGRAM = (
    "<dgm:dataModel {names}><dgm:ptLst>"
    '<dgm:pt modelId="0" type="doc"/>'
    '<dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>验收</a:t></a:r></a:p></dgm:t></dgm:pt>'
    '<dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>设计</a:t></a:r></a:p></dgm:t></dgm:pt>'
    '<dgm:pt modelId="3"><dgm:t><a:p><a:r><a:t>初步设计</a:t></a:r></a:p></dgm:t></dgm:pt>'
    '</dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/>'
    '<dgm:cxn srcId="0" destId="2" srcOrd="1"/><dgm:cxn srcId="1" destId="3" srcOrd="0"/>'
    "</dgm:cxnLst></dgm:dataModel>"
)

_COUNTER = '<a:p><a:fld id="{1}" type="slidenum"><a:rPr/><a:t>7</a:t></a:fld></a:p>'


def _read(tmp_path: Path, *slides: Slide, **more: list[str]) -> Document:
    path = pptx.write(tmp_path / "a.pptx", slides, **more)  # type: ignore[arg-type]
    return read(path, ReadSettings())


def _outcome(document: Document) -> Outcome:
    settings = Settings()
    return process_document(document, settings, load((), settings.rules))


def _texts(document: Document, role: str = "body") -> list[str]:
    return [document.slice(block.span) for block in document.blocks if block.role == role]


def _block(document: Document, text: str) -> Block:
    return next(block for block in document.blocks if document.slice(block.span) == text)


def test_groups_tables_and_notes_are_read_in_order(tmp_path: Path) -> None:
    """B084: text in a group, in a group in it, in a table and in notes; notes say that they are."""
    document = _read(
        tmp_path,
        Slide(
            [
                framed(pptx.table([["名称", "数量"], ["水泵", "2"]]), (50, 300, 400, 80)),
                group(
                    box("右", (300, 150, 100, 30)),
                    group(
                        box("里下", (60, 190, 50, 20)),
                        box("里上", (60, 150, 50, 20)),
                        at=(50, 140, 100, 80),
                    ),
                    at=(40, 130, 500, 100),
                ),
                box("项目进展", (50, 20, 600, 60), placeholder="title"),
            ],
            notes=[box("", placeholder="sldImg"), box("先讲范围\n再讲数量", placeholder="body")],
        ),
    )
    assert _texts(document) == [
        "项目进展", "里上", "里下", "右", "名称\t数量\n水泵\t2", "[备注] 先讲范围\n再讲数量",
    ]  # fmt: skip
    notes = document.blocks[-1]
    assert (notes.kind, notes.place) == ("note", SlidePlace(1, "notes"))
    table = document.blocks[-2].table
    assert table is not None
    assert (table.rows, table.columns, table.header_rows) == (2, 2, 1)


def test_columns_are_read_row_by_row_unless_a_box_is_tall(tmp_path: Path) -> None:
    """Rows go before columns where a gap parts them; a tall box beside others is a column."""
    rows = [box("甲2", (300, 110, 100, 40)), box("乙1", (50, 200, 100, 40)),
            box("甲1", (50, 112, 100, 40)), box("乙2", (300, 198, 100, 40))]  # fmt: skip
    tall = [box("右上", (300, 110, 100, 40)), box("右下", (300, 200, 100, 40)),
            box("左", (50, 100, 200, 200))]  # fmt: skip
    document = _read(tmp_path, Slide(rows), Slide(tall))
    assert _texts(document) == ["甲1", "甲2", "乙1", "乙2", "左", "右上", "右下"]


def test_boxes_lie_on_the_slide(tmp_path: Path) -> None:
    """A shape in a scaled group has its box in points of the slide, cut off at its edge."""
    inner = group(
        box("框", (10, 10, 20, 10)), at=(100, 200, 200, 100), inner=(0, 0, 100, 50)
    )  # fmt: skip
    document = _read(tmp_path, Slide([inner, box("出界", (600, 500, 300, 100))]))
    boxes = [line[2] for line in document.lines.within(_block(document, "框").span)]
    assert boxes == [Box(1, 120.0, 220.0, 160.0, 240.0)]
    boxes = [line[2] for line in document.lines.within(_block(document, "出界").span)]
    assert boxes == [Box(1, 600.0, 500.0, 720.0, 540.0)]
    assert document.page_sizes[0].width == 720.0


def test_merged_cells_and_lines_in_cells(tmp_path: Path) -> None:
    """Merged cells are in the table's merges, paragraphs of a cell are lines of it."""
    rows = [
        [("设备清单", 'gridSpan="2"'), ("", 'hMerge="1"')],
        [("水泵|备用", 'rowSpan="2"'), "一台"],
        [("", 'vMerge="1"'), "两台"],
    ]
    document = _read(tmp_path, Slide([framed(pptx.table(rows, headed=False))]))
    block = document.blocks[0]
    assert block.table is not None
    assert document.slice(block.table.cell(1, 0)) == "水泵\n备用"
    assert [(m.row, m.column, m.row_span, m.column_span) for m in block.table.merges] == [
        (0, 0, 1, 2), (1, 0, 2, 1),
    ]  # fmt: skip
    assert block.table.header_rows == 0


def test_charts_and_diagrams_give_their_words(tmp_path: Path) -> None:
    """A chart gives title, series and categories; a diagram its words, what hangs on one after."""
    slide = Slide(
        [
            framed('<c:chart r:id="chart"/>', (50, 100, 300, 100)),
            framed('<dgm:relIds r:dm="dm"/>', (50, 250, 300, 100)),
        ],
        parts={
            "chart": ("chart", _CHART.replace("{names}", pptx.names())),
            "dm": ("diagramData", _DIAGRAM.replace("{names}", pptx.names())),
        },
    )
    document = _read(tmp_path, slide)
    assert _texts(document) == [
        "[图表]\n季度收入\n华东：一季度 12.5",
        "[图示]\n设计\n初步设计\n验收",
    ]
    assert {block.kind for block in document.blocks} == {"figure"}


def test_numbers_of_lists_are_text(tmp_path: Path) -> None:
    """Automatic numbers count by level and start where they say; they are told as automatic."""
    number = '<a:pPr lvl="{}"><a:buAutoNum type="{}"/></a:pPr>'
    lines = [
        paragraph("范围", number.format(0, "ea1ChsPeriod")),
        paragraph("供货", number.format(1, "arabicParenBoth")),
        paragraph("安装", number.format(1, "arabicParenBoth")),
        paragraph("价格", number.format(0, "ea1ChsPeriod")),
        paragraph("税费", number.format(1, "arabicParenBoth")),
        paragraph("正文"),
        paragraph("七", '<a:pPr><a:buAutoNum type="circleNumDbPlain" startAt="7"/></a:pPr>'),
    ]
    document = _read(tmp_path, Slide([box(lines)]))
    assert _texts(document) == [
        "一. 范围", "(1) 供货", "(2) 安装", "二. 价格", "(1) 税费", "正文", "⑦ 七",
    ]  # fmt: skip
    assert document.blocks[1].auto == 4
    assert document.blocks[1].style.list_level == 1


def test_furniture_is_no_body(tmp_path: Path) -> None:
    """Dates, footers, slide numbers and the words of a layout are furniture, those once."""
    shapes = [
        box("标题", (50, 20, 600, 50), placeholder="title"),
        box("3", (600, 500, 50, 20), placeholder="sldNum"),
        box("内部资料", (300, 500, 100, 20), placeholder="ftr"),
        box("2026-01-01", (50, 500, 100, 20), placeholder="dt"),
        box([_COUNTER], (400, 500, 50, 20)),
    ]
    document = _read(
        tmp_path, Slide(shapes), Slide(shapes), layout=[box("公司标识", (600, 5, 90, 20))]
    )
    assert _texts(document) == ["标题", "标题"]
    assert _texts(document, "page_number") == ["7", "3", "7", "3"]
    assert _texts(document, "page_header") == ["公司标识"]
    assert sorted(set(_texts(document, "page_footer"))) == ["2026-01-01", "内部资料"]


def test_hidden_slides_and_shapes_are_marked(tmp_path: Path) -> None:
    """What does not show in the show is hidden text, and the document warns of it."""
    document = _read(
        tmp_path,
        Slide([box("看得见", (50, 50, 100, 30)), box("藏", (50, 200, 100, 30), hidden=True)]),
        Slide([box("备用页")], hidden=True),
    )
    assert _texts(document) == ["看得见"]
    assert _texts(document, "hidden_text") == ["藏", "备用页"]
    assert document.metadata.more["hidden_slides"] == ["2"]
    assert [problem.code for problem in document.problems] == ["W_HIDDEN"]


def test_comments_name_their_author(tmp_path: Path) -> None:
    """A comment is a block of its own on its slide, with author and date."""
    document = _read(tmp_path, Slide([box("正文")], comments=[("0", "数字要核对")]))
    comment = document.blocks[-1]
    assert document.slice(comment.span) == "[批注] 李明: 数字要核对"
    assert (comment.kind, comment.author, comment.date) == (
        "comment",
        "李明",
        "2026-01-02T08:00:00",
    )


def test_of_two_forms_of_a_shape_one_is_read(tmp_path: Path) -> None:
    """A shape that stands in the file for new and for old programs is read once."""
    both = (
        f'<mc:AlternateContent><mc:Choice Requires="a14">{box("公式")}</mc:Choice>'
        f"<mc:Fallback>{box('公式')}</mc:Fallback></mc:AlternateContent>"
    )
    assert _texts(_read(tmp_path, Slide([both]))) == ["公式"]


def test_a_slide_of_pictures_alone_is_told(tmp_path: Path) -> None:
    """A slide with a picture and no word is listed as lost; a described one gives its words."""
    document = _read(
        tmp_path, Slide([picture("图片1")]), Slide([picture("厂区总平面图")]), Slide([box("字")])
    )
    assert document.lost.picture_only_pages == (1,)
    assert _texts(document) == ["[图片]", "[图片：厂区总平面图]", "字"]


def test_each_slide_is_a_chunk(tmp_path: Path) -> None:
    """A slide is a chunk of kind slide with its number as page; a long one is several."""
    long = [f"第{n}点说明内容，文字较长，需要讲解清楚，不能省略。" * 4 for n in range(12)]
    document = _read(
        tmp_path,
        Slide([box("年度汇报", (50, 20, 600, 60), placeholder="ctrTitle")]),
        Slide(
            [box("一、概况", (50, 20, 600, 60), placeholder="title"), box("短", (50, 200, 90, 30))]
        ),
        Slide(
            [box("二、问题", (50, 20, 600, 60), placeholder="title"), box(long, (50, 200, 90, 30))]
        ),
    )
    outcome = _outcome(document)
    pages = []
    for chunk in outcome.chunks:
        places = [document.block_at(span.start) for span in chunk.spans]
        pages.append({block.place.slide for block in places if block is not None})  # type: ignore[union-attr]
    assert {chunk.kind for chunk in outcome.chunks} == {"slide"}
    assert pages[:2] == [{1}, {2}]
    assert len(pages) > 3
    assert all(page == {3} for page in pages[2:])
    assert [(h.level, h.text) for h in outcome.document.headings] == [
        (0, "年度汇报"), (1, "一、概况"), (1, "二、问题"),
    ]  # fmt: skip


def test_the_largest_line_is_the_title_where_none_is_named(tmp_path: Path) -> None:
    """A short line at the top, larger than the rest, heads a slide without a title."""
    document = _read(
        tmp_path,
        Slide(
            [
                box("2.1 数据采集", (50, 20, 400, 50), size=32),
                box("采集频率五秒", (50, 200, 400, 50)),
            ]
        ),
    )
    assert [block.style.outline_level for block in document.blocks] == [1, None]


def test_broken_and_oversized_presentations_are_refused(tmp_path: Path) -> None:
    """A presentation cut short is E_CORRUPT, one over the limit of pages E_TOO_LARGE."""
    path = pptx.write(tmp_path / "a.pptx", [Slide([box("一")]), Slide([box("二")])])
    with pytest.raises(LimitError) as caught:
        read(path, ReadSettings(max_pages=1))
    assert caught.value.code == "E_TOO_LARGE"
    cut = tmp_path / "b.pptx"
    cut.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputError) as refused:
        read(cut, ReadSettings())
    assert refused.value.code == "E_CORRUPT"
    assert "一" in read(cut, ReadSettings(salvage=True)).text


@pytest.mark.corpus
def test_real_presentations_read(corpus: Path) -> None:
    """Every presentation of the corpus gives text of each slide that holds any."""
    for path in sorted((corpus / "files" / "pptx").glob("*.pptx")):
        document = read(path, ReadSettings(ocr="off"))
        slides = {block.place.slide for block in document.blocks}  # type: ignore[union-attr]
        assert len(slides) == document.metadata.pages
        assert len(_outcome(document).chunks) >= len(slides)
