"""Likeness: which of several places with one number is meant, by the words beside them.

Takes the folded text and anchors, gives those whose own words agree with the reference. Never
looks at distance: that is the resolution's.
"""

import re
from collections.abc import Sequence

from headworks.model.outline import Anchor
from headworks.model.place import Span
from headworks.structure.steps import Step

_NAMED_BEFORE = re.compile(r"[《\"]([^《》\"\n]{2,40})[》\"][^。;\n]{0,8}\Z")
_NAMED_AFTER = re.compile(r"[ ]?[:《\"]?([^\W\d_]{2,20})")


def named_beside(folded: str, at: Span, found: Sequence[Anchor]) -> Anchor | None:
    """Give the appendix whose title stands beside the reference: 《卫生标准》（见附件1）."""
    if len(found) < 2:
        return None
    names = [
        match[1]
        for match in (
            _NAMED_BEFORE.search(folded, max(0, at.start - 60), at.start),
            _NAMED_AFTER.match(folded, at.end, at.end + 30),
        )
        if match is not None
    ]
    for name in names:
        for anchor in found:
            below = folded.find("\n", anchor.span.end + 1, anchor.span.end + 60)
            if name in folded[anchor.span.start : max(anchor.span.end, below)]:
                return anchor
    return None


def versions(folded: str, named: Sequence[Anchor], step: Step) -> list[Anchor]:
    """Give the versions （B） among clauses that bear one number: 3.7.3（A）, 3.7.3（B）."""
    letter = step.written.strip("（）()项目条款").lower()
    if len(letter) != 1 or not letter.isalpha() or not letter.isascii():
        return []
    return [
        anchor
        for anchor in named
        if f"({letter})" in folded[anchor.span.start : anchor.span.start + 14]
    ]
