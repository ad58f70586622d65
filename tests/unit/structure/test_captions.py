"""What names a table: its caption, or the attachment that it is."""

from headworks.config import StructureSettings
from headworks.structure.passes import structure
from tests.build.lines import read_lines


def test_names_of_tables() -> None:
    """A table has the name of its caption, marked or numbered, else of its attachment."""
    document = structure(
        read_lines("""
|c b 18| 采购合同
|b| 第一条 标的
|t| 名称;数量/闸门;3
见附件一和表2。
|b| 附件一 采购清单
[TABLE: 附件一-采购清单]
|t| 名称;数量/闸门;3
表2 付款计划
|t| 期;额/一;100
|b| 附件二 人员名单
|t| 姓名;职务/张三;主任
"""),
        StructureSettings(),
    )

    assert [block.table.name for block in document.blocks if block.table is not None] == [
        None,
        "附件一-采购清单",
        "表2 付款计划",
        "附件二 人员名单",
    ]
