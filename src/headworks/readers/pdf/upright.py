"""Text set downwards in columns from right to left, as old books and letters have it.

Takes a page's fragments, tells whether they are such columns, what stands above and below them, and
which characters beside the text are one. Never turns anything: that is done to the whole page.
"""

import re
from collections import defaultdict
from itertools import pairwise

import msgspec

from headworks.readers.pdf.lines import Fragment

LEAST_COLUMNS = 2
LEAST_STACK = 3
TALL = 1.6  # times as high as wide
LEAST_SHARE = 0.6  # of the page's characters
LONG = 4  # characters: columns this long tell where columns begin and end

_COUNT = re.compile("[-–—第 ]*(?:[\\divxlcIVXLC]{1,5}|[〇一二三四五六七八九十百]{1,5})[-–—页 ]*")


def runs_down(found: list[Fragment]) -> bool:
    """Tell whether most of a page's text stands in columns of upright characters."""
    columns = [part for part in found if _is_column(part)]
    if len(columns) < LEAST_COLUMNS:
        return False
    chars = sum(len(part.text) for part in found)
    return sum(len(part.text) for part in columns) >= LEAST_SHARE * chars


def _is_column(part: Fragment) -> bool:
    wide, high = part.x1 - part.x0, part.y1 - part.y0
    return (
        len(part.text) > 1
        and part.angle == 0
        and wide < 2.5 * part.size
        and high > max(TALL * wide, 0.6 * part.size * len(part.text.replace(" ", "")))
    )


def within_columns(parts: list[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Give what stands in the columns, and what is printed above or below them.

    The page is turned: columns are lines from left to right, above them is on the left.
    """
    columns = [p for p in parts if len(p.text) >= LONG and p.x1 - p.x0 > TALL * (p.y1 - p.y0)]
    if not columns:
        return parts, []
    left, right = min(part.x0 for part in columns), max(part.x1 for part in columns)
    inner: list[Fragment] = []
    outer: list[Fragment] = []
    for part in parts:
        beyond = part.x1 < left or part.x0 > right
        (outer if beyond else inner).append(part)
    return inner, outer


def beside_text(parts: list[Fragment]) -> tuple[list[Fragment], list[Fragment]]:
    """Give the fragments, and apart those that are words set downwards at the text's side.

    装 / 订 / 线 down the margin would else stand in the lines that happen to be as high.
    """
    stacks: dict[int, list[Fragment]] = defaultdict(list)
    for part in parts:
        if len(part.text) == 1 and "\u3400" <= part.text <= "\u9fff":
            stacks[round(part.x0 / 4)].append(part)
    found = [stack for stack in stacks.values() if len(stack) >= LEAST_STACK]
    if not found:
        return parts, []
    aside: list[Fragment] = []
    taken: set[int] = set()
    for stack in found:
        stack.sort(key=lambda part: part.base)
        if _is_beside(stack, parts):
            taken.update(map(id, stack))
            aside.append(_as_one(stack))
    return [part for part in parts if id(part) not in taken], aside


def _is_beside(stack: list[Fragment], parts: list[Fragment]) -> bool:
    """Tell whether a stack stands clear of the text at its height, and not in its lines."""
    first, last = stack[0], stack[-1]
    steps = [below.base - above.base for above, below in pairwise(stack)]
    if max(steps) - min(steps) > 2 or min(steps) < 0.8 * first.size:
        return False
    own = set(map(id, stack))
    near = [p for p in parts if id(p) not in own and first.y0 < p.base < last.y1 + p.size]
    if not near:
        return False
    right = max(part.x1 for part in stack)
    if right > min(part.x0 for part in near) and first.x0 < max(part.x1 for part in near):
        return False
    bases = [part.base for part in near]
    in_line = sum(any(abs(part.base - base) < 3 for base in bases) for part in stack)
    return in_line < len(stack)


def _as_one(stack: list[Fragment]) -> Fragment:
    first, last = stack[0], stack[-1]
    right = max(part.x1 for part in stack)
    text = "".join(part.text for part in stack)
    return msgspec.structs.replace(first, text=text, x1=right, y1=last.y1, angle=90, last=last.last)


def is_page_number(part: Fragment) -> bool:
    """Tell whether what stands above or below the columns is a page's number."""
    return _COUNT.fullmatch(part.text) is not None
