"""What the steps of the cutting hand to each other.

Takes nothing, gives the small values between units, boundaries, segments and chunks. Never holds
text: everything is an offset.
"""

import re
from typing import Literal

import msgspec

from headworks.model.chunk import Chunk, LedgerEntry
from headworks.model.outline import Heading
from headworks.model.place import Span
from headworks.model.problem import Problem

UnitForm = Literal[
    "heading",  # a heading's own words, with text of its own below it
    "bare",  # a heading with nothing below it
    "text",
    "sentence",
    "piece",  # of a sentence over the ceiling
    "table",
    "rows",  # of a table over the ceiling
    "figure",
    "caption",
    "code",
    "line",  # of code over the ceiling
    "formula",
    "comment",
    "footnote",
    "note",
]
TEXT_FORMS = frozenset({"text", "sentence", "piece"})
_ARTICLES = frozenset({"条", "Article"})
# 2.将第三条修改为： heads the new words of an article.
_AMENDS = re.compile(r"(?:修改|修正|变更)为[：:]\s*$")


def heads_article(heading: Heading) -> bool:
    """Tell whether a heading is 第X条, or gives an article its new words; above it are chapters."""
    return heading.family in _ARTICLES or _AMENDS.search(heading.text) is not None


class Unit(msgspec.Struct, frozen=True, gc=False):
    """What is never cut: a range without white space at its ends, and what it is.

    ``heading`` is the id of the heading that begins with the unit, -1 where none does; ``item`` the
    depth of the numbered item that does, 0 where none does. A piece of something over the
    ceiling has its ``index`` from 1 ``of`` so many; ``header`` are the rows to repeat before it.
    """

    start: int
    end: int
    block: int
    form: UnitForm
    heading: int = -1
    item: int = 0
    index: int = 0
    of: int = 0
    header: Span | None = None


class LeftOut(msgspec.Struct, frozen=True, gc=False):
    """A range that no chunk holds, and why."""

    start: int
    end: int
    reason: str
    place: str


class Cut(msgspec.Struct, frozen=True):
    """The result of cutting a document."""

    chunks: tuple[Chunk, ...]
    ledger: tuple[LedgerEntry, ...]
    problems: tuple[Problem, ...] = ()
