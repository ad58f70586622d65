"""Headings: which lines stand in the outline, and at what level."""

from tests.build.outlines import outline_of, structured


def test_statute() -> None:
    """A statute's title, chapters and articles stand in the outline, articles by a sentence."""
    assert outline_of("""
|c 22| 水闸管理办法
第一章 总则
第一条 为了管好水闸，制定本办法。闸门由站长负责。
第二条 本办法所称水闸，是指渠首的闸。
第二章 启闭
第三条 启闭应当登记：
（一）时间；
（二）人员。
""") == [
        (0, "水闸管理办法"),
        (1, "第一章 总则"),
        (2, "第一条 为了管好水闸，制定本办法。"),
        (2, "第二条 本办法所称水闸，是指渠首的闸。"),
        (1, "第二章 启闭"),
        (2, "第三条 启闭应当登记："),
    ]


def test_number_at_line_start_is_no_heading() -> None:
    """B001: a sentence that begins with the number of another clause stays in its clause."""
    document = structured("""
11.5.14 阻燃试验
11.5.14.1 通则
11.5.14.2的试验适用于ST12外护套。
11.5.14.3的试验应按4.4 c）项声明的电缆阻燃性能进行。
11.5.14.2 试验方法
取三段试样。
""")

    assert [heading.text for heading in document.headings] == [
        "11.5.14 阻燃试验", "11.5.14.1 通则", "11.5.14.2 试验方法",
    ]  # fmt: skip
    assert [ref.text for ref in document.refs][:2] == ["11.5.14.2", "11.5.14.3"]
    assert document.refs[0].status == "resolved"


def test_wrapped_reference_is_no_heading() -> None:
    """第十一条 at the start of a line in the middle of a sentence breaks the run and stays text."""
    lines = [f"第{n}条 甲方按月付款，乙方按月供水。" for n in ("九", "十")]
    outline = outline_of("\n".join([
        "第八条 双方的约定以书面为准。", *lines[:2],
        "乙方迟延供水超过十日的，甲方可以解除合同，违约金按照",
        "第十一条 的规定计算，并在七日内付清。",
        "第十一条 违约金为合同价的百分之五。",
    ]))  # fmt: skip

    assert [text[:4] for _, text in outline] == ["第八条 ", "第九条 ", "第十条 ", "第十一条"]
    assert outline[-1][1] == "第十一条 违约金为合同价的百分之五。"


def test_indented_chinese_run() -> None:
    """B002: 一、 to 二十一、 are found at one level and in order, whatever their indentation."""
    numerals = [
        "一",
        "二",
        "三",
        "四",
        "五",
        "六",
        "七",
        "八",
        "九",
        "十",
        "十一",
        "十二",
        "十三",
        "十四",
        "十五",
        "十六",
        "十七",
        "十八",
        "十九",
        "二十",
        "二十一",
    ]
    lines = []
    for number, numeral in enumerate(numerals):
        lines.append(f"{'　　' if number % 2 else '  '}{numeral}、事项{numeral}")
        lines.append("这里写明该事项的办法，由双方照此执行。")
    outline = outline_of("\n".join(lines))

    assert [level for level, _ in outline] == [1] * 21
    assert [text.split("、")[0].strip() for _, text in outline] == numerals


def test_ways_of_writing_articles() -> None:
    """B014: six ways of writing 第X条 give their integers."""
    document = structured("""
第 十 条 甲。
第十条之一 乙。
第１２条 丙。
第一百零三条 丁。
第二百〇五条 戊。
第一千二百六十条 己。
""")

    assert [heading.numbers for heading in document.headings] == [
        (10,), (10, 1), (12,), (103,), (205,), (1260,),
    ]  # fmt: skip


def test_clauses_without_chapters() -> None:
    """B015: a contract with nothing but 第一条 to 第十五条 has fifteen clauses."""
    numerals = [
        "一",
        "二",
        "三",
        "四",
        "五",
        "六",
        "七",
        "八",
        "九",
        "十",
        "十一",
        "十二",
        "十三",
        "十四",
        "十五",
    ]
    outline = outline_of("\n".join(f"第{n}条 双方约定事项{n}，按此执行。" for n in numerals))

    assert len(outline) == 15
    assert {level for level, _ in outline} == {1}


def test_paragraphs_and_items_of_an_article() -> None:
    """B012: an article keeps its paragraphs, items and closing sentence; the items are anchors."""
    document = structured("""
第四条 前一条。
第五条 下列情形由站长决定：
（一）开闸；
（二）关闸；
（三）检修；
（四）停水。
前款决定应当登记。
紧急时可以先行处理。
第六条 后一条。
""")
    article = document.headings[1]

    assert document.slice(article.extent).startswith("第五条")
    assert document.slice(article.extent).endswith("紧急时可以先行处理。")
    assert [a.path for a in document.anchors if not a.is_heading] == [
        "第五条/（一）", "第五条/（二）", "第五条/（三）", "第五条/（四）",
    ]  # fmt: skip


def test_levels_come_from_numbering() -> None:
    """B072, B073: headings set like the body get their levels from their numbers."""
    assert outline_of("""
第一章 概述
1 范围
本文件规定渠首的运行要求。
1.1 适用对象
适用于全部水闸。
1.1.1 试剂
试剂应当新鲜。
1.2 不适用对象
不适用于泵站。
2 要求
见第一章。
第二章 附则
""") == [
        (1, "第一章 概述"),
        (2, "1 范围"),
        (3, "1.1 适用对象"),
        (4, "1.1.1 试剂"),
        (3, "1.2 不适用对象"),
        (2, "2 要求"),
        (1, "第二章 附则"),
    ]


def test_items_below_a_clause() -> None:
    """Below the clause a title with something under it is a heading; a sentence or field is not."""
    assert outline_of("""
|c b 16| 供水合同
|b| 第一条 标的
1.名称：渠水
2.数量：一千方
|b| 第二条 价款
1.单价
（1）单价为每方一元。
2.总价
（1）总价为一千元。
3.乙方应当在月末开票。
""") == [
        (0, "供水合同"),
        (1, "第一条 标的"),
        (1, "第二条 价款"),
        (2, "1.单价"),
        (2, "2.总价"),
    ]


def test_run_in_clauses_of_the_main_run() -> None:
    """A clause of the main run that goes on as a sentence stands in the outline with the others."""
    outline = outline_of("""
|b a2| 一、工程项目：渠首改造
|b a2| 二、工作内容
负责闸门安装。
|b a2| 三、工程质量
应当合格。
|a2| 四、未尽事宜由双方协商，协商不成的向法院起诉。败诉方承担费用。
""")

    assert [text for _, text in outline] == [
        "一、工程项目：渠首改造",
        "二、工作内容",
        "三、工程质量",
        "四、未尽事宜由双方协商，协商不成的向法院起诉。",
    ]


def test_first_automatic_rest_typed() -> None:
    """A run whose first number is automatic and whose others are typed is one run."""
    outline = outline_of("""
|b a3| 一、 标的
渠水。
|b| 二、付款
月付。
|b| 三、验收
当场验收。
""")

    assert outline == [(1, "一、 标的"), (1, "二、付款"), (1, "三、验收")]


def test_restart_in_a_part_and_an_appendix() -> None:
    """Numbers that start again in a part or an appendix are read as new runs, each in its place."""
    assert outline_of("""
|h1| 渠首工程合同
|h2| 1 概况
文字一段，说明情况。
|h2| 2 工期
文字一段，说明情况。
|h1| 第二部分 通用条款
|h2| 1 定义
文字一段，说明情况。
|h2| 2 义务
文字一段，说明情况。
|h1| 附件一 保修书
|h2| 一、范围
文字一段，说明情况。
|h2| 二、期限
文字一段，说明情况。
""") == [
        (0, "渠首工程合同"),
        (1, "1 概况"),
        (1, "2 工期"),
        (1, "第二部分 通用条款"),
        (2, "1 定义"),
        (2, "2 义务"),
        (1, "附件一 保修书"),
        (2, "一、范围"),
        (2, "二、期限"),
    ]


def test_list_inside_a_numbered_section() -> None:
    """A list that starts at 1. inside section 4 leaves section 5 what it is."""
    assert [
        text
        for _, text in outline_of("""
|b| 1 概况
甲乙双方约定如下事项。
|b| 2 标的
|b| 3 分工
1. 甲方负责供水；
2. 乙方负责收水；
3. 双方负责计量。
|b| 4 工期
甲乙双方约定如下事项。
""")
    ] == ["1 概况", "2 标的", "3 分工", "4 工期"]


def test_mixed_writing_in_one_run() -> None:
    """1、 2. 3、 by one hand are one run."""
    assert [
        level
        for level, _ in outline_of("""
|b| 1、标的
渠水一千方。
|b| 2.付款
按月付清。
|b| 3、验收
当场验收。
""")
    ] == [1, 1, 1]


def test_label_and_title_on_two_lines() -> None:
    """A label alone on its line takes the title from the next."""
    assert outline_of("""
第一条
标的与数量
渠水一千方，按月交付。
第二条
付款方式
按月付清。
""") == [(1, "第一条 标的与数量"), (1, "第二条 付款方式")]


def test_bold_run_in() -> None:
    """A heading set bold at the start of its paragraph ends where the bold ends."""
    outline = outline_of("""
|lb6| 第三条 付款 甲方应按月付款给乙方。
|lb6| 第四条 验收 乙方应当场验收渠水。
""")

    assert outline == [(1, "第三条 付款"), (1, "第四条 验收")]


def test_clauses_in_one_paragraph() -> None:
    """Clauses that run on in one paragraph are each a heading that starts inside the block."""
    document = structured("""
第一条 甲方供水，水量以计量为准，每月结清。第二条 乙方收水，渠道由乙方维护。第三条 其他另行商定。
""")

    assert [heading.number for heading in document.headings] == [1, 2, 3]
    assert {heading.block for heading in document.headings} == {0}


def test_document_without_labels() -> None:
    """Size and weight alone make headings where nothing is numbered."""
    assert outline_of("""
|c b 22| 渠首运行手册
|b 16| 启动
合上总闸，等待指示灯亮起，然后打开进水口。
|b 14| 检查
检查油位，检查皮带，检查接线是否牢固。
|b 16| 停机
关闭进水口，断开总闸，填写运行记录。
""") == [
        (0, "渠首运行手册"),
        (1, "启动"),
        (2, "检查"),
        (1, "停机"),
    ]
