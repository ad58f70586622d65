"""Names in a table: the cells below a heading such as 姓名, 联系人 or Contact.

Takes folded text whose tables have a line a row and a tab between cells, gives the places of the
names. Never trusts a heading alone: at least half of the cells below it must look like names.
"""

import re

_HEADS = (
    "姓名|联系人|联系人姓名|经办人|负责人|收件人|收货人|申请人|报销人|审批人|持卡人|户名|学生姓名|员工姓名"
    "|客户姓名|项目经理|参会人|参会人员|与会人员|签到人|责任人|值班人|驾驶员|班组成员|作业人员|工作负责人"
)
_LATIN_HEADS = "contact|contact person|contact name|employee|employee name|full name|attendee"
# “Name” alone heads parts and products too: one of these beside it says that people are meant.
_BESIDE = re.compile(
    r"(?:^|\t)(?:phone|tel|telephone|mobile|e-?mail|gender|position|department|title|id number"
    r"|role|signature|company)\.?[ ]*(?=\t|$)"
)
_HEAD = re.compile(rf"(?:{_HEADS}|{_LATIN_HEADS}|name)[ ]*(?:\([^()\t]{{0,10}}\))?")
_GATE = re.compile(rf"(?:^|\t)[ ]*(?P<head>{_HEAD.pattern})[ ]*(?=\t|$)", re.MULTILINE)
# What stands in a column of names and is none.
_NO_NAMES = frozenset(
    ("待定", "暂无", "同上", "合计", "小计", "总计", "空缺", "不详", "未填", "备注")
)
_HAN_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}|[\u4e00-\u9fff]{1,10}·[\u4e00-\u9fff]{1,10}")
_LATIN_NAME = re.compile(r"[a-z][a-z.'-]{0,20}(?: [a-z][a-z.'-]{0,20}){1,3}")
_BLANK_INSIDE = re.compile(r"(?<=[\u4e00-\u9fff])[ ]+(?=[\u4e00-\u9fff])")


def names_in_columns(text: str, looks_like_name: re.Pattern[str]) -> list[tuple[int, int]]:
    """Give the ranges of the cells that hold names; the pattern tells a certain Chinese name."""
    found: set[tuple[int, int]] = set()
    reached = -1
    for match in _GATE.finditer(text):
        start = text.rfind("\n", 0, match.start("head")) + 1
        end = text.find("\n", start)
        if start <= reached or end < 0:
            continue
        reached = start
        heads = text[start:end]
        for column, head in enumerate(heads.split("\t")):
            if "\t" in heads and _means_people(head.strip(), heads):
                found.update(_names(_column(text, end + 1, column), text, looks_like_name))
    return sorted(found)


def _means_people(head: str, heads: str) -> bool:
    if _HEAD.fullmatch(head) is None:
        return False
    return not head.startswith("name") or _BESIDE.search(heads) is not None


def _column(text: str, at: int, column: int) -> list[tuple[int, int]]:
    """Give the filled cells of a column, down to where the table ends or has another heading."""
    cells: list[tuple[int, int]] = []
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        row = text[at:end].split("\t")
        if len(row) < 2 or (column < len(row) and _HEAD.fullmatch(row[column].strip())):
            break
        if column < len(row):
            before = at + sum(len(cell) + 1 for cell in row[:column])
            cell = row[column]
            inner = cell.strip()
            begin = before + len(cell) - len(cell.lstrip())
            if inner:
                cells.append((begin, begin + len(inner)))
        at = end + 1
    return cells


def _names(
    cells: list[tuple[int, int]], text: str, looks_like_name: re.Pattern[str]
) -> list[tuple[int, int]]:
    certain, likely = 0, []
    for start, end in cells:
        cell = _BLANK_INSIDE.sub("", text[start:end])
        if looks_like_name.fullmatch(cell) or _LATIN_NAME.fullmatch(cell):
            certain += 1
            likely.append((start, end))
        elif _HAN_NAME.fullmatch(cell) and cell not in _NO_NAMES:
            likely.append((start, end))
    return likely if certain * 2 >= len(cells) else []
