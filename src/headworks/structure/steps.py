"""The steps of a reference: 第二章, 第1.4.1项, 附件三; and which labels a step may mean.

Takes nothing, gives the types that grammar and resolution share. Never looks at a text.
"""

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from headworks.model.place import Span
from headworks.structure.labels import APPENDIX


class Step(NamedTuple):
    """One step of a reference: unit (条, 款, 项, 附件 …), number, and how it is written.

    ``last`` is the last number where the step is a range (第一至四项).
    """

    unit: str
    numbers: tuple[int, ...]
    written: str
    last: int | None = None


class Resolution(NamedTuple):
    """What came of a reference."""

    path: str
    status: Literal["resolved", "dangling", "external"]
    span: Span | None
    why: str


# Which label families a unit may mean where the document does not write the unit itself.
_MEANS: dict[str, tuple[str, ...]] = {
    "条": ("条", "Article", "一、", "1.", "1、", "Section"),
    "款": ("款", "（一）", "（1）", "1）", "1.", "1、"),
    "项": ("项", "（一）", "（1）", "1）", "1.", "1、", "①", "a）", "（a）", "a."),
    "目": ("目", "1.", "1、", "（1）", "1）", "①", "a）"),
    "点": ("点", "一、", "（一）", "1.", "1、", "（1）", "1）"),
    "章": ("章", "Chapter", "1.", "一、"),
    "节": ("节", "Section", "一、", "（一）", "1."),
    "部分": ("部分", "Part"), "卷": ("卷", "Part"), "篇": ("篇", "Part"),
    "编": ("编",), "分编": ("分编",),
    "Section": ("Section", "1.", "1、", "条"), "Clause": ("Clause", "条", "1.", "1、"),
    "Article": ("Article", "条", "1."), "Chapter": ("Chapter", "章", "1."), "Part": ("Part",
    "部分"),
}  # fmt: skip
_CHINESE = frozenset({"一、", "（一）", "条", "款", "项", "点", "节"})
_UNITS = frozenset({"条", "款", "项", "目", "点", "节"})
_NUMBERED = re.compile(r"[\d０-９(（]")
_CIRCLED = re.compile(r"[①-⑳]")
_DIGITS = re.compile(r"[\d０-９]")


@lru_cache(maxsize=2048)
def families(step: Step) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the label families a step may mean: first those written as it is, then the others.

    第1项 is rather （1） than （一）, and （a） is neither.
    """
    letter = step.written.strip("()（）项目").lower()
    if step.unit in ("项", "目") and len(letter) == 1 and letter.isascii() and letter.isalpha():
        return ("a）", "（a）", "a."), ()
    if _CIRCLED.search(step.written):
        return ("①",), ()
    named = _MEANS.get(step.unit, (step.unit,))
    if step.unit not in _UNITS:
        return named, ()
    digits = _DIGITS.search(step.written) is not None and step.unit not in ("条", "节")
    like = tuple(family for family in named if (family in _CHINESE) != digits)
    if "(" in step.written or "（" in step.written:
        like = tuple(family for family in like if "）" in family)
    return like, tuple(family for family in named if family not in like)


def is_spelled(step: Step) -> bool:
    """Tell whether a step is 第二款, a paragraph, and not 第2款 or 第（二）款, a numbered item."""
    return step.unit == "款" and not _NUMBERED.search(step.written)


def shown(step: Step) -> str:
    """Give a step as a path names it: 第2.4款 is 2.4, others stay as written."""
    if len(step.numbers) > 1 and "." in step.written and step.unit not in APPENDIX:
        return ".".join(map(str, step.numbers))
    return step.written
