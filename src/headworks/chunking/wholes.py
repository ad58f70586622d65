"""What is to stay whole: clauses, sections a rule asks for, ranges a rule keeps.

Takes boundaries and the document's headings, raises the costs inside what fits the ceiling, and
demands cuts around what should be a chunk of its own. Never holds together what does not fit.
"""

import itertools
from bisect import bisect_left
from collections.abc import Sequence

from headworks.chunking.base import heads_article
from headworks.chunking.boundaries import CLAUSE, KEEP, KEEP_OVERSIZE, TITLE, Boundaries
from headworks.config import ChunkSettings
from headworks.model.chunk import Directive
from headworks.model.document import Document
from headworks.model.outline import Heading
from headworks.model.place import Span
from headworks.model.problem import Problem

# Larger to smaller; ``item`` cuts below the clause and keeps none whole.
_SIZES = ("part", "chapter", "section", "clause", "item")
_OWN_PROFILES = frozenset({"legal", "official"})


class Wholes:
    """Applies unit level, split level and directives to the boundaries of one document."""

    def __init__(self, document: Document, boundaries: Boundaries, settings: ChunkSettings) -> None:
        self.document = document
        self.boundaries = boundaries
        self.measure = boundaries.measure
        self.units = boundaries.units
        self.settings = settings
        self.heading_starts = [heading.span.start for heading in document.headings]
        self.problems: list[Problem] = []

    def run(self, directives: Sequence[Directive]) -> None:
        """Set forced cuts and held ranges."""
        if self.settings.split_at is not None:
            self._split_at(self.settings.split_at)
        else:
            self._units_of_their_own()
        self._lone_headings()
        kept: dict[Span, str] = {}
        for directive in directives:
            if directive.action == "split":
                index = self.measure.over(directive.span.start)
                if index < len(self.units):
                    self.boundaries.force(index)
            elif directive.action == "keep":
                kept.setdefault(directive.span, directive.rule)
            elif directive.action == "section":
                kept.setdefault(self._section(directive.span), directive.rule)
        for span, rule in kept.items():
            self._keep(span, rule)

    def _range(self, span: Span) -> tuple[int, int]:
        """Give the first and the last unit of a range."""
        return self.measure.over(span.start), self.measure.at(span.end) - 1

    def _fits(self, first: int, last: int) -> bool:
        return first <= last and self.measure.fits(first, last)

    def _least(self, index: int) -> int:
        return self.measure.limits.at(self.units[index].start).min_chars

    def _split_at(self, level: int) -> None:
        """Cut at headings up to an outline level, and only there where the sections fit."""
        for heading in self.document.headings:
            style = self.document.blocks[heading.block].style
            outline = heading.level if style.outline_level is None else style.outline_level
            first = self.measure.over(heading.span.start)
            if outline <= level and first < len(self.units):
                self.boundaries.force(first)
        edges = [index for index, forced in enumerate(self.boundaries.forced) if forced]
        for first, after in itertools.pairwise(edges):
            if self._fits(first, after - 1):
                self.boundaries.hold(first, after - 1, CLAUSE)

    def _units_of_their_own(self) -> None:
        """Hold each clause that fits; in the legal profile, cut around each of the unit level."""
        unit = self.settings.unit
        own = has_own_clauses(self.document) or unit != "clause"
        cut_kind = "clause" if unit == "item" else unit
        held_kinds = frozenset() if unit == "item" else frozenset(_SIZES[_SIZES.index(unit) :])
        chapters = above_articles(self.document.headings) if cut_kind == "clause" else frozenset()
        own_end = held_end = -1
        for heading in self.document.headings:
            start, end = heading.extent.start, heading.extent.end
            if start < held_end or heading.kind not in {*held_kinds, cut_kind}:
                continue
            if heading.id in chapters:
                continue
            first, last = self._range(heading.extent)
            if first > last:
                continue
            if heading.kind in held_kinds and self._fits(first, last):
                self.boundaries.hold(first, last, CLAUSE)
                held_end = end
            if heading.kind == cut_kind and start >= own_end and own:
                self._own(self._with_lead_in(first, last, heading), last)
                own_end = end
                if unit == "item":
                    self._cut_items(first, last)

    def _own(self, first: int, last: int) -> None:
        """Cut before and after a clause. A run of clauses that are mere titles is one."""
        forms = self.units[first].form, self.units[first - 1].form if first else "text"
        if forms != ("bare", "bare"):
            self.boundaries.force(first)
        following = self.units[last + 1].form if last + 1 < len(self.units) else "text"
        if last + 1 <= len(self.units) and (self.units[last].form, following) != ("bare", "bare"):
            self.boundaries.forced[last + 1] = max(self.boundaries.forced[last + 1], 1)

    def _with_lead_in(self, first: int, last: int, heading: Heading) -> int:
        """Give where the clause begins with the few words that stand under its chapter's title."""
        begun = first
        while begun > 0 and not self.boundaries.forced[begun]:
            begun -= 1
            if self.measure.chars(begun, first - 1) > self._least(first) // 2:
                return first
            if self.units[begun].form == "heading" and self.units[begun].heading >= 0:
                above = self.document.headings[self.units[begun].heading]
                if above.extent.end < heading.span.end or not self._fits(begun, last):
                    return first
                if begun == 0 or self.units[begun - 1].form != "heading":
                    self.boundaries.hold(begun, first, TITLE)
                    return begun
        return first

    def _cut_items(self, first: int, last: int) -> None:
        """Cut a clause before each item of its first depth; a short lead-in stays with one."""
        depths = [unit.item for unit in self.units[first + 1 : last + 1] if unit.item]
        if not depths:
            return
        starts = [at for at in range(first + 1, last + 1) if self.units[at].item == min(depths)]
        if self.measure.chars(first, starts[0] - 1) > self._least(first):
            self.boundaries.force(starts[0])
        else:
            self.boundaries.hold(starts[0] - 1, starts[0], TITLE)
        for index in starts[1:]:
            self.boundaries.force(index)

    def _lone_headings(self) -> None:
        """Keep a single heading with nothing under it with what stands before it, else after."""
        units, forced = self.units, self.boundaries.forced
        for index, unit in enumerate(units):
            if unit.form != "bare" or unit.heading < 0:
                continue
            after = index + 1
            while after < len(units) and units[after].form == "bare" and units[after].heading < 0:
                after += 1
            if (index and units[index - 1].form == "bare") or (
                after < len(units) and units[after].form == "bare"
            ):
                continue
            led = index > 0 and units[index - 1].form == "heading"
            if index and not led and forced[index] < 2:
                self._join_at(index)
            elif after < len(units) and forced[after] < 2:
                self._join_at(after)

    def _join_at(self, index: int) -> None:
        self.boundaries.forced[index] = 0
        self.boundaries.over[index] = 0.0
        self.boundaries.cut[index] += TITLE

    def _section(self, span: Span) -> Span:
        """Give the extent of the heading that begins in a range, else of the one above it."""
        headings = self.document.headings
        index = bisect_left(self.heading_starts, span.start)
        if index < len(headings) and headings[index].span.start < span.end:
            return headings[index].extent
        above: int | None = index - 1
        while above is not None and above >= 0:
            if headings[above].extent.end > span.start:
                return headings[above].extent
            above = headings[above].parent
        return span

    def _keep(self, span: Span, rule: str) -> None:
        """Hold a range together; where it does not fit, only prefer cuts elsewhere, and say so."""
        first, last = self._range(span)
        if first >= last:
            return
        if not self._fits(first, last):
            self.boundaries.hold(first, last, KEEP_OVERSIZE)
            message = f"{rule}: a range of {self.measure.chars(first, last)} characters to keep"
            self.problems.append(
                Problem("W_SPLIT", message, hint="raise chunk.max_chars", span=span)
            )
            return
        self.boundaries.hold(first, last, KEEP)
        for index in range(first + 1, last + 1):
            if self.boundaries.forced[index] < 2:
                self.boundaries.forced[index] = 0


def has_own_clauses(document: Document) -> bool:
    """Tell whether a clause that fits is a chunk of its own in this kind of document."""
    return document.profile is None or document.profile.name in _OWN_PROFILES


def above_articles(headings: Sequence[Heading]) -> frozenset[int]:
    """Give the headings that hold articles (第X条): they are chapters, whatever their label."""
    found: set[int] = set()
    for heading in headings:
        if not heads_article(heading):
            continue
        parent = heading.parent
        while parent is not None and parent not in found:
            found.add(parent)
            parent = headings[parent].parent
    return frozenset(found)
