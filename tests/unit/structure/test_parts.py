"""Several documents in one file."""

import pytest

from headworks.config import StructureSettings
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_TWO = """
{look} 购销合同
甲方：水务局
{bold}第一条 标的
闸门。
{bold}第二条 价款
一万元。
甲方（盖章）：
日期：2024年5月1日
{look} 补充协议
甲方：水务局
经协商，双方补充约定如下：
{bold}第一条 延期
延长一年。
{bold}第二条 其他
按第一条执行。
甲方（盖章）：
日期：2024年6月1日
"""


@pytest.mark.parametrize(("look", "bold"), [("|c b 18|", "|b| "), ("", "")])
def test_a_contract_after_the_signatures_of_another(look: str, bold: str) -> None:
    """A second contract has a title, clauses and references of its own, whatever its look."""
    document = structure(read_lines(_TWO.format(look=look, bold=bold)), StructureSettings())
    (ref,) = document.refs

    assert [(h.level, h.text) for h in document.headings if h.level == 0] == [
        (0, "购销合同"),
        (0, "补充协议"),
    ]
    assert document.slice(ref.target_span).startswith("第一条 延期") if ref.target_span else False
    assert [zone.kind for zone in document.zones] == [
        "cover", "body", "signature", "body", "signature",
    ]  # fmt: skip
    assert document.slice(document.zones[3].span).lstrip().startswith("补充协议")


def test_the_contract_that_is_an_attachment() -> None:
    """A contract under 附件一, set like the first one, is the attachment."""
    lines = _TWO.format(look="|c b 18|", bold="|b| ").replace(
        "|c b 18| 补充协议", "|b| 附件一\n|c b 18| 廉政协议"
    )
    document = structure(read_lines(lines), StructureSettings())

    assert [h.text for h in document.headings if h.level == 0] == ["购销合同"]
    assert "附件一 廉政协议" in [h.text for h in document.headings]


def test_a_line_of_the_text() -> None:
    """A short line in the middle of a clause titles nothing."""
    lines = _TWO.format(look="", bold="").replace("日期：2024年5月1日\n", "")
    lines = lines.replace("甲方（盖章）：\n", "")
    document = structure(read_lines(lines), StructureSettings())

    assert [h.text for h in document.headings if h.level == 0] == ["购销合同"]
