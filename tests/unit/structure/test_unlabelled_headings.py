"""Headings that no label makes: titles, front matter, attachments, forms, several documents."""

from tests.build.outlines import outline_of, structured


def test_front_matter() -> None:
    """What explains the form is a heading whose items are none."""
    outline = outline_of("""
|c b 22| 供水合同
|c 16| 填 写 说 明
一、本合同由双方填写，一式两份，各执一份。
二、空白处应当划线，不得留空。
第一条 甲方供水给乙方。
第二条 乙方付款给甲方。
""")

    assert [text for _, text in outline] == [
        "供水合同", "填 写 说 明", "第一条 甲方供水给乙方。", "第二条 乙方付款给甲方。",
    ]  # fmt: skip


def test_title_printed_twice() -> None:
    """A title that is printed again on the first page of the text is listed once."""
    outline = outline_of("""
|c b 26| 供水合同
|c 14| 项目名称：渠首
|c b 22| 供水合同
第一条 甲方供水给乙方。
""")

    assert [level for level, _ in outline] == [0, 1]


def test_title_over_two_lines() -> None:
    """A title set over two lines is one heading."""
    document = structured("""
|c b 22| 青山渠管理站
|c b 22| 闸门 采购合同
第一条 甲方供水给乙方，乙方按月付款，双方每季对账一次。
""")

    assert document.headings[0].text == "青山渠管理站 闸门 采购合同"


def test_list_of_attachments() -> None:
    """Attachments that are only listed open nothing; those that follow do."""
    document = structured("""
|h1| 第一章 文件
投标文件包括下列附件：
附件1 投标函；
附件2 报价表；
附件3 声明函；
|h2| 附件1 投标函
致招标人：我方愿意投标。
|h2| 附件2 报价表
|t| 名称;价格/闸门;100
""")

    assert [h.text for h in document.headings if h.kind == "appendix"] == [
        "附件1 投标函",
        "附件2 报价表",
    ]
    assert [zone.name for zone in document.zones if zone.kind == "appendix"] == [
        "附件1 投标函", "附件2 报价表",
    ]  # fmt: skip


def test_form_lines_are_no_headings() -> None:
    """Lines to sign, date or fill in are no headings, however they are set."""
    assert outline_of("""
|b| 第一条 付款
甲方按月付款给乙方。
|b| 甲方（盖章）：
|b| 法定代表人（签字）：
|b| 日期：　　年　月　日
|b c| 2024年3月1日
""") == [(1, "第一条 付款")]


def test_tables_are_no_headings() -> None:
    """Numbers in the cells of a table head nothing."""
    assert outline_of("""
|b| 一、清单
|t| 一、名称;1. 数量/第一条;2. 单价
|b| 二、付款
按月付款。
""") == [(1, "一、清单"), (1, "二、付款")]


def test_several_documents() -> None:
    """B020: a second title starts the path anew."""
    document = structured("""
|c b 22| 渠首公司章程
第一条 公司名称为渠首公司。
第二条 公司住所在渠首。
|c b 22| 股东名册
股东甲持股百分之五十，股东乙持股百分之五十。
|c b 22| 营业证明
兹证明渠首公司依法设立，合法存续。
""")
    tops = [
        (h.level, h.text, h.parent) for h in document.headings if h.kind in ("title", "section")
    ]

    assert tops == [
        (0, "渠首公司章程", None), (0, "股东名册", None), (0, "营业证明", None),
    ]  # fmt: skip


def test_evidence() -> None:
    """A heading keeps its evidence."""
    document = structured("""
|b 12| 第一条 付款
甲方按月付款给乙方。
|b 12| 第二条 验收
乙方当场验收。
""")

    assert document.headings[1].evidence[:3] == ("label run 1..2", "bold", "size 12")


def test_deterministic() -> None:
    """The same document gives the same structure."""
    lines = "第一条 甲方供水。\n一、水量\n按月计量。\n（一）方法\n用流量计。"

    assert structured(lines) == structured(lines)


def test_sections_of_one_style_are_peers() -> None:
    """Where several sections are set like the first line, that line is a section too."""
    assert outline_of("""
|h1 b| 概述
闸门由门叶和启闭机组成。
|h1 b| 安装
先装底座，再装门叶。
|h2 b| 准备
清点全部零件。
|h1 b| 维护
每月加油一次。
""") == [(1, "概述"), (1, "安装"), (2, "准备"), (1, "维护")]


def test_title_over_sections_of_one_style() -> None:
    """A line that says what the document is stays the title over sections set like it."""
    assert outline_of("""
|h1 b| 闸门操作手册
|h1 b| 安装
先装底座，再装门叶。
|h1 b| 维护
每月加油一次。
""") == [(0, "闸门操作手册"), (1, "安装"), (1, "维护")]
