"""Automatic numbers: counted as Word counts them, standing in the text as a person sees them."""

from tests.build.docx import abstract, level, num, para, table
from tests.unit.readers.docx.conftest import Read, texts

LVL0 = level(0, "decimal", "%1.")


def override(at: int, start: int) -> str:
    """Give an override of a level's start."""
    return f'<w:lvlOverride w:ilvl="{at}"><w:startOverride w:val="{start}"/></w:lvlOverride>'


def test_clauses_and_items_restart_under_each_clause(read: Read) -> None:
    """第一条 to 第二十五条, and （一）（二） from the start under each (B003)."""
    numbering = abstract(
        0, level(0, "chineseCountingThousand", "第%1条"), level(1, "chineseCounting", "（%2）")
    ) + num(1, 0)
    body = "".join(
        para("付款", num=(1, 0)) + para("首付款", num=(1, 1)) + para("尾款", num=(1, 1))
        for _ in range(25)
    )
    document = read(body, numbering=numbering)
    got = texts(document)
    assert got[0::3][:2] == ["第一条 付款", "第二条 付款"]
    assert got[72] == "第二十五条 付款"
    assert set(got[1::3]) == {"（一）首付款"}
    assert set(got[2::3]) == {"（二）尾款"}
    first = document.blocks[0]
    assert document.text[: first.auto] == "第一条 "
    assert (first.style.list_id, first.style.list_level) == ("0", 0)


def test_formats_of_east_asia_stand_in_the_text(read: Read) -> None:
    """①, 甲, 壹 and １ are rendered (B003)."""
    formats = [
        ("decimalEnclosedCircle", "%1"),
        ("ideographTraditional", "%1、"),
        ("chineseLegalSimplified", "%1、"),
        ("decimalFullWidth", "%1．"),
    ]
    numbering = "".join(abstract(i, level(0, *each)) for i, each in enumerate(formats))
    numbering += "".join(num(i + 1, i) for i in range(len(formats)))
    body = "".join(para("条款", num=(i + 1, 0)) for i in range(len(formats)))
    assert texts(read(body, numbering=numbering)) == [
        "① 条款",
        "甲、条款",
        "壹、条款",
        "１．条款",
    ]


def test_a_level_without_numbers_adds_none(read: Read) -> None:
    """Heading styles with numFmt none get no 1 or 1.1 (B005)."""
    numbering = abstract(0, level(0, "none", ""), level(1, "none", "")) + num(1, 0)
    styles = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
    )
    document = read(para("总则", style="H1"), numbering=numbering, styles=styles)
    assert texts(document) == ["总则"]
    assert document.blocks[0].auto == 0
    assert document.blocks[0].style.list_id is None


def test_plain_lists_keep_their_numbers(read: Read) -> None:
    """1. / (1) / a) of plain paragraphs stand in the text (B007)."""
    numbering = abstract(
        0, LVL0, level(1, "decimal", "(%2)"), level(2, "lowerLetter", "%3)")
    ) + num(1, 0)
    body = para("甲", num=(1, 0)) + para("乙", num=(1, 1)) + para("丙", num=(1, 2))
    body += para("丁", num=(1, 2)) + para("戊", num=(1, 0)) + para("己", num=(1, 1))
    assert texts(read(body, numbering=numbering)) == [
        "1. 甲", "(1) 乙", "a) 丙", "b) 丁", "2. 戊", "(1) 己",
    ]  # fmt: skip


def test_a_list_goes_on_after_plain_text_and_restarts_where_overridden(read: Read) -> None:
    """4 and 5 continue; a new num with startOverride begins at 1, without one it goes on (B009)."""
    numbering = abstract(0, LVL0) + num(1, 0) + num(2, 0, override(0, 1)) + num(3, 0)
    body = "".join(para("甲", num=(1, 0)) for _ in range(3)) + para("文字")
    body += "".join(para("乙", num=(1, 0)) for _ in range(2))
    body += para("丙", num=(2, 0)) + para("丁", num=(2, 0)) + para("戊", num=(3, 0))
    document = read(body, numbering=numbering)
    assert texts(document) == [
        "1. 甲", "2. 甲", "3. 甲", "文字", "4. 乙", "5. 乙", "1. 丙", "2. 丁", "3. 戊",
    ]  # fmt: skip
    lists = [block.style.list_id for block in document.blocks]
    assert lists[0] == lists[4] == lists[8]
    assert lists[6] != lists[0]


def test_numbers_of_several_levels_and_legal_ones(read: Read) -> None:
    """%1.%2 shows both levels; isLgl turns 一 into 1."""
    numbering = abstract(
        0,
        level(0, "chineseCounting", "第%1章"),
        level(1, "decimal", "%1.%2", "<w:isLgl/>"),
        level(2, "decimal", "%1-%3"),
    ) + num(1, 0)
    body = para("总则", num=(1, 0)) + para("目的", num=(1, 1)) + para("其他", num=(1, 0))
    body += para("范围", num=(1, 1)) + para("附", num=(1, 2))
    assert texts(read(body, numbering=numbering)) == [
        "第一章 总则", "1.1 目的", "第二章 其他", "2.1 范围", "二-1 附",
    ]  # fmt: skip


def test_a_skipped_level_counts_as_used_once(read: Read) -> None:
    """A list that begins at its second level shows 1.1, and its next first level is 2."""
    numbering = abstract(0, LVL0, level(1, "decimal", "%1.%2.")) + num(1, 0)
    body = para("甲", num=(1, 1)) + para("乙", num=(1, 0))
    assert texts(read(body, numbering=numbering)) == ["1.1. 甲", "2. 乙"]


def test_restart_rules_of_a_level(read: Read) -> None:
    """lvlRestart 0 never restarts; without it each higher level does."""
    numbering = abstract(0, LVL0, level(1, "decimal", "(%2)", '<w:lvlRestart w:val="0"/>')) + num(
        1, 0
    )
    body = (para("甲", num=(1, 0)) + para("乙", num=(1, 1))) * 2
    assert texts(read(body, numbering=numbering)) == ["1. 甲", "(1) 乙", "2. 甲", "(2) 乙"]


def test_styles_bring_their_list_level(read: Read) -> None:
    """A style's numPr numbers its paragraphs, at the level that is linked to the style."""
    linked = '<w:pStyle w:val="{}"/>'
    numbering = abstract(
        0,
        level(0, "chineseCounting", "第%1章", linked.format("H1")),
        level(1, "decimal", "%1.%2", linked.format("H2")),
    ) + num(7, 0)
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{name}"><w:name w:val="{name}"/><w:pPr><w:numPr>'
        f'<w:numId w:val="7"/></w:numPr></w:pPr></w:style>'
        for name in ("H1", "H2")
    )
    body = para("总则", style="H1") + para("目的", style="H2")
    body += para("无号", style="H2", num=(0, 0)) + para("范围", style="H2")
    assert texts(read(body, numbering=numbering, styles=styles)) == [
        "第一章 总则", "一.1 目的", "无号", "一.2 范围",
    ]  # fmt: skip


def test_a_numbering_style_is_followed(read: Read) -> None:
    """numStyleLink leads through the style to the list that defines the levels."""
    numbering = (
        '<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="Clauses"/></w:abstractNum>'
        '<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Clauses"/>'
        + level(0, "chineseCounting", "%1、")
        + "</w:abstractNum>"
        + num(1, 0)
        + num(2, 1)
    )
    styles = (
        '<w:style w:type="numbering" w:styleId="Clauses"><w:name w:val="Clauses"/><w:pPr><w:numPr>'
        '<w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
    )
    body = para("付款", num=(1, 0)) + para("交货", num=(1, 0))
    assert texts(read(body, numbering=numbering, styles=styles)) == ["一、付款", "二、交货"]


def test_an_override_may_replace_a_level(read: Read) -> None:
    """lvlOverride with a whole level changes how the number looks, not what it counts."""
    other = f'<w:lvlOverride w:ilvl="0">{level(0, "upperLetter", "%1)")}</w:lvlOverride>'
    numbering = abstract(0, LVL0) + num(1, 0) + num(2, 0, other)
    body = para("甲", num=(1, 0)) + para("乙", num=(2, 0))
    assert texts(read(body, numbering=numbering)) == ["1. 甲", "B) 乙"]


def test_bullets_are_signs_not_private_characters(read: Read) -> None:
    """Symbol font bullets become the signs that a person sees."""
    fonts = '<w:rPr><w:rFonts w:ascii="{0}" w:hAnsi="{0}"/></w:rPr>'
    numbering = (
        abstract(0, level(0, "bullet", "\uf0b7", fonts.format("Symbol")))
        + abstract(1, level(0, "bullet", "\uf0fc", fonts.format("Wingdings")))
        + abstract(2, level(0, "bullet", "\ue123"))
        + num(1, 0) + num(2, 1) + num(3, 2)
    )  # fmt: skip
    body = para("甲", num=(1, 0)) + para("乙", num=(2, 0)) + para("丙", num=(3, 0))
    assert texts(read(body, numbering=numbering))[:2] == ["• 甲", "✓ 乙"]


def test_suffix_hidden_number_and_leftover_list(read: Read) -> None:
    """suff nothing joins, a vanished number is not shown, a num that does not exist is none."""
    numbering = (
        abstract(0, level(0, "decimal", "%1．", '<w:suff w:val="nothing"/>'))
        + abstract(1, level(0, "decimal", "%1.", "<w:rPr><w:vanish/></w:rPr>"))
        + abstract(2, level(0, "chineseCounting", "第%1章 ", '<w:suff w:val="nothing"/>'))
        + num(1, 0) + num(2, 1) + num(3, 2)
    )  # fmt: skip
    body = para("甲", num=(1, 0)) + para("乙", num=(2, 0)) + para("丙", num=(9, 0))
    body += para("丁", num=(0, 0)) + para("总则", num=(3, 0))
    assert texts(read(body, numbering=numbering)) == ["1．甲", "乙", "丙", "丁", "第一章 总则"]


def test_empty_numbered_paragraphs_count_and_print_in_cells_only(read: Read) -> None:
    """An empty item advances the list; a column of them is a table's 序号 column."""
    numbering = abstract(0, LVL0) + num(1, 0)
    cells = [
        [f"<w:tc>{para(num=(1, 0))}</w:tc>", "螺栓"],
        [f"<w:tc>{para(num=(1, 0))}</w:tc>", "垫片"],
    ]
    body = para("甲", num=(1, 0)) + para(num=(1, 0)) + table(*cells) + para("乙", num=(1, 0))
    assert texts(read(body, numbering=numbering)) == ["1. 甲", "3.\t螺栓\n4.\t垫片", "5. 乙"]
