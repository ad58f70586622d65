"""Kinds of headings that were read wrongly once: each with the evidence that decides it."""

import pytest

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.structure.passes import structure
from tests.build.lines import read_lines


def _structured(lines: str) -> Document:
    return structure(read_lines(lines), StructureSettings())


def _outline(lines: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in _structured(lines).headings]


def test_spaced_decimals() -> None:
    """3. 1 and 3. 1.2 are labels where 3 and 3.1 stand before; 2. 3 台 is point 2."""
    assert _outline("""
|b| 3 协议
3. 1 一般规定
终端应当应答，站端应当记录。
3. 1.1 心跳
每分钟一次，超时断开。
3. 1. 2 注册
上电后注册，成功后上报。
3. 2 消息
消息为二进制，长度不限。
""") == [
        (1, "3 协议"), (2, "3. 1 一般规定"), (3, "3. 1.1 心跳"), (3, "3. 1. 2 注册"),
        (2, "3. 2 消息"),
    ]  # fmt: skip
    document = _structured("1. 2 台水泵。\n2. 3 台闸门。\n3. 4 台电机。")
    assert [anchor.numbers for anchor in document.anchors] == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    "words",
    ["应用场景", "对外接口", "并发控制", "经济分析", "请求参数", "在线监测", "和解方案", "按键定义",
     "与会人员", "组织实施", "信息发布", "联系方式", "为什么选择我们", "本项目概况", "注意事项"],
)  # fmt: skip
def test_names_that_begin_like_sentences(words: str) -> None:
    """A bold line of a few words is a heading, whatever character it begins with."""
    assert (1, words) in _outline(f"""
|c b 22| 方案
|b| 技术路线
平台用于灌区调度，值班员在屏幕上查看水位。
|b| {words}
这里写明其内容，由值班员照此办理并记录在案。
""")


@pytest.mark.parametrize(
    "words",
    ["请于三日内付款", "以上各项均须满足", "本项目不接受联合体投标", "注：单位为元", "其中人工费"],
)
def test_sentences_in_bold(words: str) -> None:
    """A bold line that asks, restricts or remarks heads nothing."""
    assert (1, words) not in _outline(f"""
|c b 22| 方案
|b| 技术路线
平台用于灌区调度，值班员在屏幕上查看水位。
|b| {words}
这里写明其内容，由值班员照此办理并记录在案。
""")


def test_attachment_in_smaller_print() -> None:
    """Bold lines of 10 points head an attachment set in 10 points, though the body is of 12."""
    body = "\n".join(
        "|12| 甲方按月付款，乙方按月供水，双方每季核对一次读数并签字。" for _ in range(60)
    )
    small = "\n".join(
        f"|b 10| {head}\n"
        + "|10| 工人应当遵守渠首的各项规矩，服从站长的指挥，不得擅自启闭闸门。\n" * 5
        for head in ("遵纪守法", "工作环境", "诚信廉洁")
    )
    found = [
        text for _, text in _outline(f"|b 14| 第一条 付款\n{body}\n|b 14| 附件2：守则\n{small}")
    ]

    assert found == ["第一条 付款", "附件2：守则", "遵纪守法", "工作环境", "诚信廉洁"]


def test_interleaved_runs() -> None:
    """（一） 1.1 （二） 1.2: the items go on, and hold the points between them."""
    assert _outline("""
|b| 第一条 服务
（一）守法
1.1 乙方应当守法，按时付薪。
1.2 乙方应当为工人投保。
（二）保密
1.3 双方应当保密，不得外传。
|b| 第二条 价款
总价不变，按月支付。
""") == [(1, "第一条 服务"), (2, "（一）守法"), (2, "（二）保密"), (1, "第二条 价款")]


def test_title_among_sentences() -> None:
    """（1） that has points of its own is a title, though （2） to （4） are sentences."""
    outline = _outline("""
|b| 第一条 违约
（1）交付违约
① 迟延交付的，每日扣千分之一。
② 质量不合格的，应当更换。
（2）付款违约：迟延付款的，每日加收千分之一。
（3）保密违约：泄露图纸的，赔偿损失。
（4）其他违约：赔偿损失，并承担费用。
|b| 第二条 争议
由站长调解，调解不成的申请仲裁。
""")

    assert outline == [(1, "第一条 违约"), (2, "（1）交付违约"), (1, "第二条 争议")]


def test_last_of_fields() -> None:
    """The last point of a list of fields is a field too, though a bullet list follows it."""
    assert _outline("""
|c b 22| 须知
投标人应当仔细阅读本须知，按要求编制投标文件。
|b 14| 开标
1. 开标时间：九点
2. 开标地点：渠首
3. 开标程序：
• 宣布纪律
• 拆封唱标
|b 14| 评标
由评标委员会评审，三日内完成并公示。
""") == [(0, "须知"), (1, "开标"), (1, "评标")]


def test_items_after_filling_in_notes() -> None:
    """填写说明 explains its own items only; the first （一） of the body is read as elsewhere."""
    assert "（二）支付方式" in [
        text
        for _, text in _outline("""
|c b 22| 技术合同
|c b 16| 填写说明
一、编号由登记处填写，不得涂改。
二、空白处划线，双方签字确认。
三、本合同书一式四份，双方各执两份。
依据有关法律，双方就检修事宜达成协议，共同遵守下列各条。
一、标的
检修闸门两扇，启闭机两台，在枯水期进行。
二、经费
（一）经费是指完成检修所需的成本，由甲方支付给乙方，包括材料和人工。
（二）支付方式
①一次总付：十万元
②分期支付：首付三成
三、期限
三十日内完成，遇汛期顺延，双方另行确认。
""")
    ]


def test_chapter_misspelt() -> None:
    """第一部份 and 第（二）部分 are parts; #### **一、** left by Markdown is read."""
    document = _structured("""
|b 16| 第一部份 总则
本规程适用于渠首，由站长负责解释。
|b 16| 第（二）部分 启闭
#### **一、启门**
启门前检查止水，确认无人在闸前。
#### **二、闭门**
闭门后检查开度，登记流量与时间。
""")

    assert [(h.family, h.numbers) for h in document.headings] == [
        ("部分", (1,)), ("部分", (2,)), ("一、", (1,)), ("一、", (2,)),
    ]  # fmt: skip


def test_cover_of_a_form_inside_a_chapter() -> None:
    """投标文件, set like the title inside 第二章, is a part of it: 第三章 goes on."""
    outline = _outline("""
|c b 30| 招标文件
|c b 22| 第一章 公告
招标条件已具备，欢迎投标人前来投标。
|c b 22| 第二章 文件格式
|c b 30| 投标文件
投标人名称：
|b 14| 一、投标函
我方愿意按招标文件的要求投标并承担责任。
|b 14| 二、承诺
我方承诺所供货物全新，质保三年以上。
|c b 22| 第三章 需求
闸门两扇，启闭机两台，供货期六十日。
""")

    assert outline == [
        (0, "招标文件"), (1, "第一章 公告"), (1, "第二章 文件格式"), (2, "投标文件"),
        (3, "一、投标函"), (3, "二、承诺"), (1, "第三章 需求"),
    ]  # fmt: skip


def test_attachments_between_chapters() -> None:
    """附件1 between 第一章 and 第二章 stands under 第一章, and 三、 goes on after 附件2."""
    assert _outline("""
|c b 22| 第一章 须知
投标人应当仔细阅读，按要求编制投标文件。
|b 14| 一、递交
递交到渠首，逾期不予受理，密封不合格的退回。
|b 14| 二、资格
|b 12| 附件1：承诺书
我方承诺遵守各项规定，不弄虚作假。
|b 12| 附件2：声明函
我方声明近三年没有重大违法记录。
|b 14| 三、评审
评审由评标委员会负责，三日内完成并公示。
|c b 22| 第二章 合同
合同另行签订，以双方签字盖章的文本为准。
""") == [
        (1, "第一章 须知"), (2, "一、递交"), (2, "二、资格"), (3, "附件1：承诺书"),
        (3, "附件2：声明函"), (2, "三、评审"), (1, "第二章 合同"),
    ]  # fmt: skip


def test_title_after_the_foreword() -> None:
    """The title stands above 1 范围 where the cover is a picture and a foreword comes first."""
    document = _structured("""
|f| [图片]
|c b 14 h1| 前言
本标准由渠首提出并归口，由北渠管理站起草。
|pn| I
|c b 15| 水闸运行
|c b 15| 通信协议
1 范围
本标准规定了水闸的通信协议，适用于渠首。
2 术语
水闸是启闭的建筑物，渠首是取水的地方。
""")

    assert [(h.level, h.text) for h in document.headings][:2] == [
        (1, "前言"), (0, "水闸运行 通信协议"),
    ]  # fmt: skip


def test_stray_contents_style() -> None:
    """三、 in the style of a contents entry, with no page number, is a heading of the body."""
    document = _structured("""
|b| 一、准则
评审应当公平，由评标委员会独立完成。
|b| 二、程序
先审资格，再审报价，最后出具评审报告。
|toc b| 三、细则
满分一百分，报价占三十分，技术占七十分。
""")

    assert [heading.text for heading in document.headings] == ["一、准则", "二、程序", "三、细则"]
    assert {zone.kind for zone in document.zones} == {"body"}


def test_outline_level_on_body_text() -> None:
    """Sentences that carry an outline level take it from the short line set like them."""
    lines = "\n".join(
        "|h1| 我方保证遵守招标文件的各项规定，不以任何形式弄虚作假，愿意承担由此产生的责任。"
        for _ in range(4)
    )
    texts = [
        text
        for _, text in _outline(f"|b 14| 一、承诺\n|h1| 我方承诺：\n{lines}\n|b 14| 二、声明\n无。")
    ]

    assert texts == ["一、承诺", "二、声明"]


def test_a_long_name_in_a_title() -> None:
    """一、修改《…》 heads its points however long the name is, and 1.将第二条修改为： new words."""
    named = "《灌区管理局关于渠首枢纽水闸启闭登记、值班交接和水位观测记录保存期限若干问题的规定》"
    blocks = [
        f"{number}、修改{named}\n1.将第二条修改为：\n“闸门由站长启闭。”\n2.将第五条修改为：\n“水位每日记录。”"
        for number in ("一", "二", "三")
    ]
    levels = [level for level, _ in _outline("\n".join(["|c 22| 决定", *blocks]))]
    assert levels == [0, *[1, 2, 2] * 3]
