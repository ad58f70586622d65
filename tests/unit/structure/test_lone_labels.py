"""Labels alone on their lines, with the title on the next: one heading, in every format."""

from pathlib import Path

import pytest

from tests.build.forms import FORMS, structured
from tests.build.outlines import outline_of


def _outline(folder: Path, form: str, lines: str) -> list[tuple[int, str]]:
    return [(h.level, h.text) for h in structured(folder, form, lines).headings]


@pytest.mark.parametrize("form", FORMS)
def test_bare_numbers(tmp_path: Path, form: str) -> None:
    """1 over 范围 and 2.1 over 文字 are headings where the numbers run on and text follows."""
    assert _outline(tmp_path, form, """
t| 采购文件编制规程
1
范围
本规程规定了采购文件的编制方法，适用于货物类采购项目。
2
编制要求
2.1
文字
文字应当简明，不得有歧义，引用的条款应当写明编号。
2.2
表格
表格应当有编号和名称，跨页的表格应当重复表头。
3
审查
审查由两人以上进行，意见应当书面记录并归档保存。
""") == [
        (0, "采购文件编制规程"), (1, "1 范围"), (1, "2 编制要求"), (2, "2.1 文字"),
        (2, "2.2 表格"), (1, "3 审查"),
    ]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_a_title_set_otherwise_than_its_label(tmp_path: Path, form: str) -> None:
    """A bold title under a plain 一、, 附录A or A.1 is its title."""
    assert _outline(tmp_path, form, """
t| 调度方案
一、
b| 总体安排
按照水情分三期调度，每期开始前发布通知。
二、
b| 分工
一处负责上游，二处负责下游，值班表另发。
np|
附录A
b| 记录要求
A.1
格式
记录用统一的表格，字迹应当清楚。
A.2
保存
记录保存五年，由档案室保管。
""") == [
        (0, "调度方案"), (1, "一、 总体安排"), (1, "二、 分工"), (1, "附录A 记录要求"),
        (2, "A.1 格式"), (2, "A.2 保存"),
    ]  # fmt: skip


def test_numbers_of_a_flattened_table() -> None:
    """Bare numbers with names and no text under them are a table's rows, and head nothing."""
    assert outline_of("""
|c b 22| 清单
以下为本站备件，由仓库保管，每季度清点一次。
1
滚轮
2
止水橡皮
3
螺杆
以上备件不得外借，损坏的应当及时补足并登记。
""") == [(0, "清单")]


def test_a_document_s_own_title_under_its_attachment_label() -> None:
    """附件1 above a title of several larger lines does not take the first of them."""
    outline = outline_of("""
附件1
|c b 22| 清河灌区
|c b 22| 供水合同
|b| 第一条 标的
甲方每日供水一千方，以流量计为准。
|b| 第二条 价款
水费按月结清，逾期加收滞纳金。
""")
    assert (1, "第一条 标的") in outline
    assert (1, "附件1 清河灌区") not in outline
