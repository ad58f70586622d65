"""Pages of a flowing document, as far as the file tells them.

Takes page breaks in reading order, those a person set and those Word noted when it last laid
the document out; gives the page that is reached. Never lays anything out itself.
"""

import re

_BREAK_BEFORE, _PAGE = b"pageBreakBefore", b'type="page"'
_TAG, _ON = re.compile(rb"<(?:\w+:)?$"), re.compile(rb'\s*/?>|\s[^>]*val="(?:1|true|on)"')
_BREAK_TAG = re.compile(rb"<(?:\w+:)?br\s[^>]*$")


class PageCount:
    """The page of the place that the reader has come to, from 1."""

    __slots__ = ("_fresh", "page", "rendered")

    def __init__(self) -> None:
        self.page = 1
        self.rendered = False
        self._fresh = False

    def set_break(self) -> None:
        """A break that a person set: a page break, a section on a new page."""
        self.page += 1
        self._fresh = True

    def rendered_break(self) -> None:
        """A break that Word noted. Behind a set one it tells of the same page."""
        self.rendered = True
        if not self._fresh:
            self.page += 1
        self._fresh = False

    def text(self) -> None:
        """Characters stand on the page: the next noted break is a new one."""
        self._fresh = False

    def row_of_cells(self, pages: list[int]) -> None:
        """Come to the end of a table row: its cells run side by side, the longest one counts."""
        self.page = max(pages, default=self.page)


def tells_pages(content: bytes, sections: list[bool], stated: int | None) -> bool:
    """Tell whether the main part's breaks tell the pages.

    Breaks that Word noted do. Those that people set do where they make up the number of pages
    that the file states, or where it states none (one is what generators state unseen).
    ``content`` is the part's XML: looking through its bytes is ten times quicker than through its
    tree. ``sections`` tells of each section from the second on whether it begins on a new page.
    """
    if b"lastRenderedPageBreak" in content:
        return True
    breaks = sum(sections) + _set_breaks(content)
    return breaks > 0 and (stated is None or stated <= breaks + 1)


def _set_breaks(content: bytes) -> int:
    """Count the breaks that people set. Both words are rare: to split at them is quickest."""
    count = 0
    before, *behind = content.split(_BREAK_BEFORE)
    for piece in behind:
        count += bool(_TAG.search(before[-20:]) and _ON.match(piece))
        before = piece
    for piece in content.split(_PAGE)[:-1]:
        count += _BREAK_TAG.match(piece, max(0, piece.rfind(b"<"))) is not None
    return count
