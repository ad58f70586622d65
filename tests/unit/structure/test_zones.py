"""Zones and contents pages."""

from pathlib import Path

import pytest

from headworks.config import StructureSettings
from headworks.errors import ConfigError
from headworks.model.document import Document
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_CONTRACT = """
|c b 26| 供水合同
|c 14| 合同编号：青山-2024-1
|c 14| 甲方：青山渠管理站
|c b 16| 目  录
第一条 标的	1
第二条 付款	2
附件一 计量表	3
|b| 第一条 标的
渠水一千方，按月交付，以闸口流量计为准。
|b| 第二条 付款
乙方按月付款，迟延的按日支付违约金，详见附件一。
甲方（盖章）：　　　　　　乙方（盖章）：
法定代表人（签字）：
日期：　　年　月　日
|b| 附件一 计量表
|t| 月份;水量/一月;80
"""


def _structured(lines: str, profile: str = "legal") -> Document:
    return structure(read_lines(lines), StructureSettings(profile=profile))


def _zones(document: Document) -> list[tuple[str, str]]:
    return [
        (zone.kind, document.slice(zone.span).strip().split("\n")[0]) for zone in document.zones
    ]


def test_contract_zones() -> None:
    """Cover, contents, body, signature and appendix of a contract are told apart."""
    document = _structured(_CONTRACT)

    assert _zones(document) == [
        ("cover", "供水合同"),
        ("contents", "目  录"),
        ("body", "第一条 标的"),
        ("signature", "甲方（盖章）：      乙方（盖章）："),
        ("appendix", "附件一 计量表"),
    ]
    assert document.zones[-1].name == "附件一 计量表"


def test_contents_lines_are_no_headings() -> None:
    """The lines of a contents page stand in no outline; the headings they name do."""
    document = _structured(_CONTRACT)

    assert [heading.text for heading in document.headings] == [
        "供水合同", "第一条 标的", "第二条 付款", "附件一 计量表",
    ]  # fmt: skip


def test_contents_with_leaders_and_no_head() -> None:
    """Three lines with leaders and page numbers are a contents page without its word."""
    document = _structured("""
一、总则................1
二、付款................2
三、验收................3
一、总则
双方依法约定如下。
二、付款
按月付清全部价款。
三、验收
当场验收渠水水量。
""")

    assert [zone.kind for zone in document.zones] == ["contents", "body"]
    assert len(document.headings) == 3


def test_contents_without_page_numbers() -> None:
    """Under 目录, lines that come again as headings are contents even without page numbers."""
    document = _structured("""
目录
一、总则
二、付款
一、总则
双方依法约定如下。
二、付款
按月付清全部价款。
""")

    assert [heading.text for heading in document.headings] == ["一、总则", "二、付款"]
    assert document.zones[0].kind == "contents"


def test_contents_by_style() -> None:
    """Lines that the reader marked as contents are contents, their head included."""
    document = _structured("""
|b c| 目 录
|toc| 一、总则 1
|toc| 二、付款 2
一、总则
双方依法约定如下。
二、付款
按月付清全部价款。
""")

    assert [zone.kind for zone in document.zones] == ["contents", "body"]


def test_the_word_contents_alone_opens_nothing() -> None:
    """目录 as a line of a form, with no entries after it, is no contents page."""
    document = _structured("""
一、投标文件
投标人应当装订成册，并编制下列内容。
目录
编制要求由招标人另行规定，投标人应当遵守。
二、报价
报价应当以人民币计算。
""")

    assert [zone.kind for zone in document.zones] == ["body"]


def test_body_goes_on_after_an_appendix() -> None:
    """A chapter as high as the appendix before it is body again."""
    document = _structured("""
|h1| 第一章 须知
投标人应当遵守本须知的规定。
|h1| 附件一 格式
按此格式填写全部内容。
|h1| 第二章 合同
双方应当依法订立合同。
""")

    assert [zone.kind for zone in document.zones] == ["body", "appendix", "body"]
    assert [heading.level for heading in document.headings] == [1, 1, 1]


def test_statute_has_no_cover() -> None:
    """A title right above the text makes no cover."""
    document = _structured("|c 22| 水闸办法\n第一条 为了管好水闸，制定本办法。")

    assert [zone.kind for zone in document.zones] == ["body"]


def test_empty_document() -> None:
    """A document without text has no zones and no headings."""
    document = _structured("")

    assert document.zones == ()
    assert document.headings == ()


def test_manual_profile_has_no_signature() -> None:
    """The profile names the states: a manual has no signatures."""
    assert "signature" not in [zone.kind for zone in _structured(_CONTRACT, "manual").zones]


@pytest.mark.parametrize("name", ["novel", "missing.yaml"])
def test_unknown_profile(name: str) -> None:
    """A profile that does not exist is refused."""
    with pytest.raises(ConfigError):
        _structured("一、总则", name)


def test_own_profile(tmp_path: Path) -> None:
    """A profile may be a YAML file of one's own: its states and moves hold."""
    path = tmp_path / "plain.yaml"
    path.write_text("name: plain\nabout: body only\nmoves: {}\n", encoding="utf-8")
    document = _structured("一、总则\n双方约定。\n附件一 清单\n闸门两扇。", str(path))

    assert [zone.kind for zone in document.zones] == ["body"]
    assert document.profile is not None
    assert document.profile.name == "plain"


def test_broken_profile(tmp_path: Path) -> None:
    """A file that holds no profile is refused."""
    path = tmp_path / "broken.yaml"
    path.write_text("name: broken\ncolour: red\n", encoding="utf-8")

    with pytest.raises(ConfigError):
        _structured("一、总则", str(path))


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (_CONTRACT, "legal"),
        (
            "|c b 22| 闸门说明书\n1 安装\n1.1 准备\n先装底座，再装闸板。\n1.2 接线\n按图接线。",
            "manual",
        ),
        (
            "|c b 22| 水闸技术标准\n1 范围\n本标准规定水闸的要求。\n2 规范性引用文件\n"
            "下列文件适用于本标准。\n"
            "3 术语和定义\n下列术语适用。\n附录A（规范性附录）\nA.1 方法\n按此试验。",
            "standard",
        ),
        (
            "|c b 22| 关于水闸管理的通知\n各单位：\n一、提高认识\n（一）加强领导\n站长负责。",
            "official",
        ),
        ("|t| 名称;数量;单价/闸门;2;100/启闭机;1;50/螺栓;9;1", "table"),
        ("渠首建于早年，灌溉万亩良田，两岸百姓受益至今。", "general"),
    ],
)  # fmt: skip
def test_auto_profile(lines: str, name: str) -> None:
    """``auto`` takes the profile that the evidence speaks for, and says why."""
    profile = _structured(lines, "auto").profile

    assert profile is not None
    assert profile.name == name
    assert profile.why


def test_parties_at_the_head_are_no_signatures() -> None:
    """甲方： and 乙方： above the clauses open no signatures; with seals at the end they do."""
    document = _structured("""
|c b 22| 检修合同
|b| 一、说明
本合同样式供参考，由双方在签订时修改确定，未尽事宜另行约定，以书面为准，口头约定无效。
|c b 20| 保密协议
甲方：
乙方：
地址：
根据有关法律，双方就保密事宜达成如下协议，共同遵守。
|b| 第一条 保密范围
双方的图纸均属保密范围，未经许可不得外传。
甲方（盖章）：            乙方（盖章）：
代表：                    代表：
""")
    signatures = [zone for zone in document.zones if zone.kind == "signature"]

    assert [document.slice(zone.span)[:6] for zone in signatures] == ["甲方（盖章）"]


def test_tables_that_ask_for_a_seal() -> None:
    """A table of requirements that speaks of seals is no signature; one of the parties is."""
    document = _structured("""
|b| 第一条 评审
评审按下表进行，不符合的按无效投标处理，由评标委员会书面说明理由并公示。
|t| 序号;评审因素/1;授权书由法定代表人签字或盖章，符合要求/2;甲方要求的证明
|b| 第二条 签订
双方签字盖章后生效，一式四份，双方各执两份，具有同等效力。
|t| 甲方（盖章）：;乙方（盖章）：/代表：;代表：
""")
    signatures = [zone for zone in document.zones if zone.kind == "signature"]

    assert [document.slice(zone.span)[:6] for zone in signatures] == ["甲方（盖章）"]


def test_signatures_end_with_running_text() -> None:
    """A sentence after the signatures of a form is the body again."""
    document = _structured("""
|b| 第一条 承诺
我方承诺遵守各项规定，不弄虚作假，愿意承担由此产生的全部责任。
法定代表人（签字）：
日期：    年  月  日
本公司授权下列人员负责编制投标文件，并对其内容作出解释和说明。
""")

    assert [zone.kind for zone in document.zones] == ["body", "signature", "body"]


def test_the_name_of_an_appendix_on_the_next_line() -> None:
    """附件1： alone on its line is named by the title below it."""
    document = _structured("""
|b| 第一条 卫生
卫生按附件执行，由站长每周检查一次并记录。
|b 14| 附件1：
|b c 14| 卫生标准
地面每日清扫，垃圾每日清运，餐具每餐消毒。
""")

    assert [zone.name for zone in document.zones if zone.kind == "appendix"] == ["附件1： 卫生标准"]
