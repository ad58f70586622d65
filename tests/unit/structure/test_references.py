"""References: what points where."""

import pytest

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.model.outline import CrossRef
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_CONTRACT = """
|c b 22| 供水合同
|b| 第一条 标的
渠水一千方，以流量计为准。
水质应当达标。
|b| 第二条 违约
有下列情形之一的，违约：
（一）迟延供水；
（二）迟延付款；
（三）擅自停水。
前款所列情形由站长认定。
{text}
|b| 第三条 计量
5.1 每月计量一次。
5.2 每季核对一次。
5.3 每年结算一次。
图3-2 水闸剖面
|b| 附件一 计量表
按表填写各月水量。
|b| 附件三 价目
2.4 单价以此为准。
表1 水价
|t| 月份;水价/一月;1.2
"""


def _document(text: str) -> Document:
    return structure(read_lines(_CONTRACT.replace("{text}", text)), StructureSettings())


def _refs(text: str) -> list[tuple[str, str, str]]:
    document = _document(text)
    found = [ref for ref in document.refs if ref.text != "前款"]
    return [(ref.text, ref.target, ref.status) for ref in found]


def _one(text: str) -> tuple[CrossRef, str]:
    document = _document(text)
    ref = next(ref for ref in document.refs if document.text[ref.span.start - 1] == "按")
    return ref, document.slice(ref.target_span) if ref.target_span else ""


@pytest.mark.parametrize(
    ("text", "target", "begins"),
    [
        ("按附件三第2.4款执行。", "附件三/2.4", "2.4 单价"),
        ("按附件一执行。", "附件一", "附件一 计量表"),
        ("按第二条第（二）项处理。", "第二条/（二）", "（二）迟延付款"),
        ("按第二条第二项处理。", "第二条/（二）", "（二）迟延付款"),
        ("按第一条第二款处理。", "第一条/第二款", "水质应当达标"),
        ("按第二条第二款处理。", "第二条/第二款", "前款所列情形"),
        ("按第二条第（一）至（三）项处理。", "第二条/（一）~第二条/（三）", "（一）迟延供水"),
        ("按5.2条执行。", "5.2", "5.2 每季"),
        ("按第5.1条至第5.3条执行。", "5.1~5.3", "5.1 每月"),
        ("按本条第三项处理。", "第二条/（三）", "（三）擅自停水"),
        ("按图3-2施工。", "图3-2", "图3-2 水闸剖面"),
        ("按表1计价。", "表1", "表1 水价"),
        ("按前条计量。", "第一条", "第一条 标的"),
        ("按上一条执行。", "第一条", "第一条 标的"),
        ("按下一条执行。", "第三条", "第三条 计量"),
        ("按第一条至第三条执行。", "第一条~第三条", "第一条 标的"),
        ("按第5.1至5.3款执行。", "5.1~5.3", "5.1 每月"),
        ("按第二条第一款第（二）项处理。", "第二条/（二）", "（二）迟延付款"),
    ],
)  # fmt: skip
def test_resolved(text: str, target: str, begins: str) -> None:
    """A reference whose place is here is resolved to that place."""
    ref, found = _one(text)

    assert (ref.target.replace("(", "（").replace(")", "）"), ref.status) == (target, "resolved")
    assert found.startswith(begins)


@pytest.mark.parametrize(
    ("text", "target", "why"),
    [
        ("按附件二执行。", "附件二", "no 附件二 in this document"),
        ("按第九条处理。", "第九条", "no 第九条 in this document"),
        ("按第二条第（五）项处理。", "第二条/第（五）项", "no 第（五）项 in 第二条"),
        ("按图9-9施工。", "图9-9", "no caption 图9-9"),
        ("按附件执行。", "附件", "which attachment is not said"),
        ("按附件【】执行。", "附件【】", "which attachment is not said"),
    ],
)
def test_dangling(text: str, target: str, why: str) -> None:
    """A reference whose place should be here and is not says what was missing."""
    ref, _ = _one(text)

    assert (ref.target, ref.status, ref.why) == (target, "dangling", why)


def test_laws_are_external() -> None:
    """Articles of laws are external, in a list and without book marks too."""
    refs = _refs("依照《民法典》第五百九十条、第五百九十一条和水法第三条，参照本合同第一条办理。")

    assert [(text, status) for text, _, status in refs] == [
        ("《民法典》第五百九十条", "external"),
        ("第五百九十一条", "external"),
        ("第三条", "external"),
        ("第一条", "resolved"),
    ]


def test_other_agreements_are_external() -> None:
    """主合同第二条 is no clause of this text, however many it has."""
    refs = _refs("按主合同第二条和技术协议第一条执行，不按本协议第三条。")

    assert [(target, status) for _, target, status in refs] == [
        ("主合同/第二条", "external"),
        ("技术协议/第一条", "external"),
        ("第三条", "resolved"),
    ]


def test_an_attachment_at_the_start_of_a_line() -> None:
    """附件三第2.4款 that begins a line refers to it; 附件三 价目 there lists it."""
    assert [text for text, _, _ in _refs("附件三第2.4款优先。")] == ["附件三第2.4款"]


def test_lists_take_over_what_they_leave_out() -> None:
    """第二条第一项、第三项 names 第二条 twice."""
    refs = _refs("第二条第一项、第三项除外，另行约定。".replace("第二条", "本合同第二条", 1))

    assert [target for _, target, _ in refs] == ["第二条/（一）", "第二条/（三）"]
    assert {status for _, _, status in refs} == {"resolved"}


def test_paragraph_before() -> None:
    """前款 is the paragraph before with its items."""
    document = _document("双方应当遵守。")
    ref = next(ref for ref in document.refs if ref.text == "前款")

    assert ref.status == "resolved"
    assert ref.target_span is not None
    assert document.slice(ref.target_span).endswith("（三）擅自停水。")


def test_labels_are_no_references() -> None:
    """A label at its own place points nowhere, nor do amounts, dates and lists of attachments."""
    assert (
        _refs("水价为每方3.14元，自2024年5月1日起，共1.5万元。\n附件：\n附件4：水样\n附件5：合格证")
        == []
    )


def test_english() -> None:
    """Section 4.2 and Exhibit B are read and resolved."""
    document = structure(
        read_lines("""
|b| 4. Payment
4.1 The buyer pays monthly.
4.2 Late payment bears interest under Section 4.1 and Exhibit B.
|b| Exhibit B
Prices as agreed by the parties.
"""),
        StructureSettings(),
    )

    assert [(ref.text, ref.status) for ref in document.refs] == [
        ("Section 4.1", "resolved"), ("Exhibit B", "resolved"),
    ]  # fmt: skip


def test_dangling_references_are_reported() -> None:
    """Each place that is named and is not here is a warning, once."""
    document = _document("按附件二执行，附件二另行签订；按第九条处理。")

    assert [(problem.code, problem.message) for problem in document.problems] == [
        ("W_REFERENCE", "附件二: no 附件二 in this document"),
        ("W_REFERENCE", "第九条: no 第九条 in this document"),
    ]


def test_tables_are_named_by_their_captions() -> None:
    """The table under 表1 水价 carries that name."""
    tables = [block.table for block in _document("双方应当遵守。").blocks if block.table]

    assert [table.name for table in tables] == ["表1 水价"]


_TENDER = """
|c b 22| 招标文件
|c b 16| 第一章 投标人须知前附表
|t| 条款号;名称;内容/1.1.2;招标人;水务局/10.2;有效期;九十天
|c b 16| 第二章 投标人须知
|b| 1. 适用范围
1.1 适用于前附表第1.1.2项的招标人，定义见第2条，有效期见前附表10.2项。
|b| 2. 定义
2.1 招标人为前附表所列单位。
|c b 16| 第三章 合同条款
|b| 第一条 定义
见本合同。
|b| 第二条 价格
见第一条。
"""


def test_rows_of_a_table_and_clauses_of_a_part() -> None:
    """前附表10.2项 is that row of the table; 第2条 is in the part that counts its clauses so."""
    document = structure(read_lines(_TENDER), StructureSettings())
    led = {ref.text: document.slice(ref.target_span) for ref in document.refs if ref.target_span}

    assert led["第1.1.2项"] == "1.1.2\t招标人\t水务局"
    assert led["10.2项"] == "10.2\t有效期\t九十天"
    assert led["第2条"].startswith("2. 定义")
    assert led["第一条"].startswith("第一条 定义")


_PARTS = """
|c b 22| 衬砌工程施工合同
|b 16| 第一部分 合同协议书
一、工程概况
工程为东干渠衬砌，内容见专用条款第2条。
二、合同工期
工期为九十日，按通用条款3.1起算。
|b 16| 第二部分 通用合同条款
|b| 1. 词语定义
1.1 发包人是合同协议书第一条所列的当事人。
|b| 3. 工期
3.1 工期自开工令载明的日期起算。
|b| 4. 质量
4.1 质量按《专用合同条款》第2.1款验收，第9.9款以本合同专用条款第9.9款为准。
|b 16| 第三部分 专用条款
|b| 2. 工程内容
2.1 衬砌长度三公里。
|b| 3. 工期
3.1 工期自进场之日起算，不适用通用条款第3.1款。
"""


def test_parts_of_a_contract_by_their_names() -> None:
    """通用条款3.1 is the 3.1 of that part, wherever it is spoken of."""
    document = structure(read_lines(_PARTS), StructureSettings())
    found = {
        (ref.target, document.slice(ref.target_span)[:8] if ref.target_span else ref.status)
        for ref in document.refs
    }

    assert ("第三部分/2", "2. 工程内容\n") in found
    assert ("第二部分/3.1", "3.1 工期自") in {(target, words[:7]) for target, words in found}
    assert not any(words.startswith("3.1 工期自进") for _, words in found)
    assert ("第一部分/一", "一、工程概况\n工") in found
    assert ("第三部分/2.1", "2.1 衬砌长度") in {(target, words[:8]) for target, words in found}
    assert ("专用条款/9.9", "dangling") in found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("按通用条款5.1执行。", "no 通用条款 in this document"),
        ("按专用合同条款第5.1款执行。", "no 专用条款 in this document"),
        ("按照本合同专用条款第一条执行。", "no 专用条款 in this document"),
        ("按合同协议书第二条执行。", "no 合同协议书 in this document"),
        ("按《通用条款》第5.1款执行。", "no 通用条款 in this document"),
    ],
)
def test_parts_that_a_contract_has_not(text: str, why: str) -> None:
    """专用条款第5条 without that part is dangling and is not the document's own."""
    ref = next(ref for ref in _document(text).refs if ref.text != "前款")

    assert (ref.status, ref.why) == ("dangling", why)


def test_parts_of_another_text() -> None:
    """《示范文本》通用条款第5.1款 is of the text that is named."""
    ref = next(
        ref for ref in _document("按《示范文本》通用条款第5.1款执行。").refs if ref.text != "前款"
    )

    assert (ref.status, ref.target) == ("external", "《示范文本》通用条款/第5.1款")
