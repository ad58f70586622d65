"""The label grammar."""

import pytest

from headworks.model.folding import fold
from headworks.structure import labels
from headworks.structure.labels import Label


def _read(text: str) -> Label | None:
    return labels.read(text, fold(text), 0, len(text))


@pytest.mark.parametrize(
    ("text", "family", "numbers"),
    [
        ("第一千二百六十条 本法", "条", (1260,)),
        ("第二百〇五条", "条", (205,)),
        ("第１２条 x", "条", (12,)),
        ("第 十 条 合同", "条", (10,)),
        ("第十条之一", "条", (10, 1)),
        ("第一百零三条 x", "条", (103,)),
        ("第一章　总则", "章", (1,)),
        ("第二部分 通用条款", "部分", (2,)),
        ("第—章 总则", "章", (1,)),
        ("笫十—条 违约", "条", (11,)),
        ("—、概述", "一、", (1,)),
        ("第三分编 x", "分编", (3,)),
        ("一、总则", "一、", (1,)),
        ("　　二十一、 附则", "一、", (21,)),
        ("（十）其他", "（一）", (10,)),
        ("( 二) 乙方", "（一）", (2,)),
        ("㈢其他", "（一）", (3,)),
        ("1、甲方", "1、", (1,)),
        ("3 、投标函", "1、", (3,)),
        ("1．甲方", "1.", (1,)),
        ("⒉甲方", "1.", (2,)),
        ("1 范围", "1.", (1,)),
        ("1．1 概述", "1.1", (1, 1)),
        ("3.1 分包", "1.1", (3, 1)),
        ("3.2.1试剂", "1.1.1", (3, 2, 1)),
        ("（1）甲方", "（1）", (1,)),
        ("⑴甲方", "（1）", (1,)),
        ("8) 甲方", "1）", (8,)),
        ("③甲方", "①", (3,)),
        ("★三、要求", "一、", (3,)),
        ("A. 说明", "A.", (1,)),
        ("b) 说明", "a）", (2,)),
        ("IV、说明", "I.", (4,)),
        ("A.1.2 说明", "A.1.1", (1, 1, 2)),
        ("附件一：清单", "附件", (1,)),
        ("附件 7 保修书", "附件", (7,)),
        ("附件1-2 x", "附件", (1, 2)),
        ("附录A（规范性附录）", "附录", (1,)),
        ("附件【】", "附件", ()),
        ("Article 3 Payment", "Article", (3,)),
        ("Section 4.2 Fees", "Section", (4, 2)),
        ("Exhibit B", "Exhibit", (2,)),
    ],
)
def test_reads(text: str, family: str, numbers: tuple[int, ...]) -> None:
    """A label is read with its family and its numbers, however it is spaced and printed."""
    label = _read(text)

    assert label is not None
    assert (label.family, label.numbers) == (family, numbers)


@pytest.mark.parametrize(
    "text",
    [
        "2024年3月1日", "2024.3.1", "24.03.01", "1.5万元", "8.5 mm", "3 天内", "2 个工作日",
        "1000字", "192.168.1.1",
        "13800138000", "V1.0.2", "ISO9001", "1:2", "一、二、三级", "article 3 of the law",
        "甲方应付款", "", "  ",
    ],
)  # fmt: skip
def test_refuses(text: str) -> None:
    """Dates, amounts, addresses, versions and enumerations are no labels."""
    assert _read(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "第三条规定的情形", "第十条第（二）项", "第二条、第三条", "第十一条 的规定",
        "第8条至第10条", "附件1中所列", "11.5.14.2的试验适用",
        "4.4 c）项声明", "（二）项规定", "1）和2）",
    ],
)  # fmt: skip
def test_references(text: str) -> None:
    """Words after a label tell that a clause is spoken of."""
    label = _read(text)

    assert label is not None
    assert labels.is_reference(fold(text), label, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "第五条所有权转移", "第九条中标通知", "第二条内容", "第三条项目概况", "第六条及时通知",
        "第一条 中国", "第五十一条 第三人加入债务",
        "（四）与提起诉讼", "（3）项目管理", "5.2.1 试剂", "7.条文顺序", "第四条款项支付",
    ],
)  # fmt: skip
def test_no_references(text: str) -> None:
    """Words that merely begin like a reference do not make one."""
    label = _read(text)

    assert label is not None
    assert not labels.is_reference(fold(text), label, len(text))


def test_ranges() -> None:
    """The label and the title are told apart."""
    text = "　　第三条、　付款方式"
    label = _read(text)

    assert label is not None
    assert text[label.start : label.end] == "第三条"
    assert text[label.title :] == "付款方式"
