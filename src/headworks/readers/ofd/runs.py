"""Characters of an OFD page into fragments: stretches on one baseline without a wide gap.

Takes placed characters, gives fragments as the PDF reader has them, so that both are laid out
alike. Never reorders but by place.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import groupby, pairwise

from headworks.readers.ofd.content import Char
from headworks.readers.pdf.lines import WIDE_GAP, Fragment

_ASCENT, _DESCENT = 0.86, 0.14
_SPACE_GAP = 0.3  # ems between Latin letters: a space that was not written
_SAME_LINE = 0.3
_BLANK = frozenset(" \t\u3000\u00a0\r\n")


class Runs:
    """The fragments of one page; keeps the characters to cut them again at a table's lines."""

    def __init__(self, page: int, chars: Sequence[Char]) -> None:
        self._page = page
        upright = [char for char in chars if not char.look.angle]
        self._chars = _on_lines(upright)
        self.fragments: list[Fragment] = []
        begin = 0
        for index in range(1, len(self._chars) + 1):
            if index == len(self._chars) or self._parts(index):
                self._add(begin, index)
                begin = index
        self.turned = [
            fragment
            for key, group in groupby(
                (char for char in chars if char.look.angle),
                key=lambda char: (char.look.angle, char.look.size),
            )
            if (fragment := _turned(page, list(group), key[0])) is not None
        ]

    def cut(self, fragment: Fragment, edges: Sequence[float]) -> list[Fragment]:
        """Give a fragment cut where its characters cross one of the vertical lines."""
        found: list[Fragment] = []
        begin, side = fragment.first, -1
        for index in range(fragment.first, fragment.last + 1):
            char = self._chars[index]
            if char.text in _BLANK:
                continue
            here = bisect(edges, (char.x + char.end) / 2)
            if here != side and side >= 0:
                found.extend(self._made(begin, index))
                begin = index
            side = here
        found.extend(self._made(begin, fragment.last + 1))
        return found

    def _parts(self, index: int) -> bool:
        """Tell whether a fragment ends before a character."""
        before, after = self._chars[index - 1], self._chars[index]
        size = max(before.look.size, after.look.size)
        if (
            abs(after.base - before.base) > _SAME_LINE * size
            or before.look.visible != after.look.visible
        ):
            return True
        return after.x - before.end > WIDE_GAP * size or after.x < before.x - 0.5 * size

    def _add(self, begin: int, end: int) -> None:
        self.fragments.extend(self._made(begin, end))

    def _made(self, begin: int, end: int) -> list[Fragment]:
        while begin < end and self._chars[begin].text in _BLANK:
            begin += 1
        while end > begin and self._chars[end - 1].text in _BLANK:
            end -= 1
        if begin == end:
            return []
        chars = self._chars[begin:end]
        text, lead = _text(chars)
        size = max(char.look.size for char in chars)
        first, last = chars[0], chars[-1]
        x0, x1 = min(char.x for char in chars), max(char.end for char in chars)
        return [
            Fragment(
                text, self._page, x0, first.base - _ASCENT * size, x1,
                first.base + _DESCENT * size, first.base, size, first.look.font, first.look.bold,
                last.look.bold, 0 if last.look.bold else lead, begin, end - 1,
                hidden=not first.look.visible, start=x0, reach=x1,
            )
        ]  # fmt: skip


def _on_lines(chars: list[Char]) -> list[Char]:
    """Give characters by line and, in a line, from left to right."""
    lines: list[list[Char]] = []
    for char in sorted(chars, key=lambda char: char.base):
        if lines and char.base - lines[-1][0].base <= _SAME_LINE * char.look.size:
            lines[-1].append(char)
        else:
            lines.append([char])
    return [char for line in lines for char in sorted(line, key=lambda char: char.x)]


def _text(chars: Sequence[Char]) -> tuple[str, int]:
    """Give the characters as text, a space where a gap is one, and how many lead in bold."""
    pieces, lead, bold = [chars[0].text], 0, True
    for before, after in pairwise(chars):
        gap = after.x - before.end
        size = min(before.look.size, after.look.size)
        wanted = _SPACE_GAP if before.text.isascii() and after.text.isascii() else 0.6
        if gap > wanted * size and before.text not in _BLANK and after.text not in _BLANK:
            pieces.append(" ")
        pieces.append(after.text)
    for char in chars:
        bold = bold and char.look.bold
        lead += bold
    return "".join(pieces), lead


def _turned(page: int, chars: list[Char], angle: int) -> Fragment | None:
    text = "".join(char.text for char in chars).strip()
    if not text:
        return None
    look, size = chars[0].look, chars[0].look.size
    x0, x1 = min(char.x for char in chars), max(char.end for char in chars)
    y0, y1 = min(char.base for char in chars) - size, max(char.base for char in chars)
    return Fragment(
        text, page, x0, y0, max(x1, x0 + size), y1, y1, size, look.font, look.bold,
        chars[-1].look.bold, 0, 0, 0, angle=angle,
    )  # fmt: skip
