"""The file's name beside the text."""

import msgspec
import pytest

from headworks.model.document import Block, Document, Source
from headworks.model.place import PagePlace, Span
from headworks.structure.filename import check_name


def named(name: str, *lines: str) -> Document:
    """Give a checked document of some lines under a file name."""
    blocks, start = [], 0
    for number, line in enumerate(lines):
        span = Span(start, start + len(line))
        blocks.append(Block(id=number, kind="paragraph", span=span, place=PagePlace(1, 1)))
        start += len(line) + 1
    source = Source("0" * 64, name, "application/pdf", 1)
    return check_name(Document(source=source, text="\n".join(lines), blocks=tuple(blocks)))


@pytest.mark.parametrize(
    ("name", "line", "tag", "value"),
    [
        ("采购合同_v2.docx", "版本：V2.0", "version", "v2"),
        ("采购合同 V1.3 终稿.docx", "文件版本号 V1.3", "version", "v1.3"),
        ("操作手册（第三版）.pdf", "第3版 2023年发布", "version", "v3"),
        ("会议纪要20240315.txt", "会议时间：2024年3月15日", "date", "2024-03-15"),
        ("会议纪要_2024-3-15.txt", "2024.03.15 在总部召开", "date", "2024-03-15"),
        ("月报2024年3月.docx", "报告日期：2024年3月31日", "date", "2024-03"),
        ("供货协议（120万元）.pdf", "合同总价：1,200,000.00元", "amount", "1200000"),
        (
            "临江泵站改造项目采购合同.pdf",
            "项目名称：临江泵站改造项目",
            "project",
            "临江泵站改造项目",
        ),
        (
            "临江泵站改造工程-招标文件-v2.docx",
            "临江泵站改造工程招标文件",
            "project",
            "临江泵站改造工程",
        ),
    ],
)
def test_what_both_say_is_a_tag(name: str, line: str, tag: str, value: str) -> None:
    """Version, date, amount and project that name and text agree on become tags."""
    document = named(name, "甲方与乙方订立本合同。", line)
    assert document.metadata.tags[tag] == value
    assert document.problems == ()


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("采购合同_v2.docx", "版本：V1.3", "V1.3"),
        ("会议纪要20240315.txt", "会议时间：2024年4月2日", "2024年4月2日"),
        ("供货协议（120万元）.pdf", "合同总价为人民币1,350,000.00元", "1,350,000.00元"),
        ("临江泵站改造项目合同.pdf", "项目名称：北山变电站扩建", "北山变电站扩建"),
    ],
)
def test_a_contradiction_is_a_warning(name: str, line: str, said: str) -> None:
    """What the text states otherwise than the name gives W_FILENAME with the place, and no tag."""
    document = named(name, "甲方与乙方订立本合同。", line)
    [problem] = document.problems
    assert (problem.code, problem.place) == ("W_FILENAME", "page 1")
    assert problem.message.endswith(said)
    assert problem.span is not None
    assert document.slice(problem.span).endswith(said)
    assert document.metadata.tags == {}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("采购合同.docx", "版本：V1.3，签订日期：2024年3月15日"),
        ("采购合同_v2.docx", "设备支持 USB 3.0 和 V5 接口。"),
        ("扫描件20240315.pdf", "本办法自2017年10月1日起施行。"),
        ("IMG_20240315_101122.jpg", "甲方（盖章）"),
        ("GB50054-2011.pdf", "低压配电设计规范"),
    ],
)
def test_nothing_is_made_up(name: str, line: str) -> None:
    """A name that says nothing, or a text that does not state the matter, changes nothing."""
    document = named(name, line)
    assert document.metadata.tags == {}
    assert document.problems == ()


def test_the_users_tags_stay() -> None:
    """A tag that was given is not written over."""
    document = named("采购合同_v2.docx", "版本：V2.0")
    metadata = msgspec.structs.replace(document.metadata, tags={"version": "v9"})
    given = msgspec.structs.replace(document, metadata=metadata)
    assert check_name(given).metadata.tags["version"] == "v9"
