"""Pages of a flowing document, as far as the file tells them.

Takes page breaks in reading order, those a person set and those Word noted when it last laid
the document out; gives the page that is reached. Never lays anything out itself.
"""


class PageCount:
    """The page of the place that the reader has come to, from 1."""

    __slots__ = ("_fresh", "page", "rendered", "set_breaks")

    def __init__(self) -> None:
        self.page = 1
        self.rendered = False
        self.set_breaks = 0
        self._fresh = False

    @property
    def known(self) -> bool:
        """Tell whether the file told anything of pages."""
        return self.rendered or self.set_breaks > 0

    def set_break(self) -> None:
        """A break that a person set: a page break, a section on a new page."""
        self.page += 1
        self.set_breaks += 1
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
