"""A reference as parsed, and what one in a list takes over from the one before.

Takes parsed references, gives them completed: 第十三条第一项、第六项 means 第十三条第六项. Never
looks a place up.
"""

import re

import msgspec

from headworks.model.place import Span
from headworks.structure.steps import Step


class Found(msgspec.Struct, frozen=True):
    """One reference as parsed: its range, the steps it names, and where it is looked for.

    ``law`` is another text, ``part`` the part of this one that 本须知 names, ``relative`` the word
    of 前款 or 本条; ``above`` tells that 上述 looks back from here; ``title`` is the heading of
    this document that stands before: 投标人须知第1.4.1项; ``contract`` the part of a contract
    that does: 通用条款3.1.
    """

    span: Span
    steps: tuple[Step, ...]
    last: tuple[Step, ...] = ()
    law: str | None = None
    part: str | None = None
    relative: str | None = None
    count: int = 1
    above: bool = False
    bare: bool = False
    title: str | None = None
    contract: str | None = None


_DEPTH = {
    "编": -6, "部分": -5, "卷": -5, "篇": -5, "分编": -4, "附件": -4, "附录": -4, "附表": -4,
    "章": -3, "节": -2, "条": 1, "款": 2, "项": 3, "目": 4,
}  # fmt: skip


def carried(before: Found, parsed: Found) -> Found:
    """Take over what a list leaves out: 第十三条第一项、第六项 means 第十三条第六项."""
    first = parsed.steps[0] if parsed.steps else None
    if first is None or parsed.relative is not None or parsed.part is not None:
        return parsed
    depth = depth_of(first)
    held = [depth_of(step) for step in before.steps]
    alike = depth in held or (first.unit in ("款", "项", "目") and len(first.numbers) == 1)
    if not alike:
        return parsed
    kept = tuple(step for step in before.steps if depth_of(step) < depth)
    relative = before.relative
    if relative is not None and _DEPTH.get(relative[-1], 9) >= depth:
        relative = None
    return msgspec.structs.replace(
        parsed, steps=(*kept, *parsed.steps), relative=relative, count=before.count,
        part=before.part, title=parsed.title or before.title, above=before.above or parsed.above,
        contract=parsed.contract or before.contract,
    )  # fmt: skip


def depth_of(step: Step) -> float:
    """Give how deep a step names; a decimal number names a clause whatever its unit is called."""
    if len(step.numbers) > 1 and "." in step.written and step.unit not in ("章", "节"):
        return 0.5
    return _DEPTH.get(step.unit, 9)


def goes_on_after(folded: str, end: int, start: int) -> bool:
    """Tell whether a list of articles of one law goes on: 《水法》第五条（取水）、第六条."""
    return start - end <= 48 and _LIST_GAP.fullmatch(folded, end, start) is not None


_LIST_GAP = re.compile(r"[ ]?(?:\([^()\n]{1,40}\))?[ ]?(?:[、,;]|以?及|和|或|与|至)?[ ]?")
