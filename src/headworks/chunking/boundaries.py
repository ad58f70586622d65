"""Boundaries: what a cut between two units costs, and where there must be one.

Takes units with the document's structure, gives costs for the optimum of ``segment``. Never
decides a cut that is a matter of cost.
"""

from collections.abc import Sequence

from headworks.chunking.base import TEXT_FORMS, Unit
from headworks.chunking.captions import is_caption, names_table
from headworks.chunking.cohesion import bond, both_sides
from headworks.chunking.measure import Measure
from headworks.chunking.semantic import Embed, bonds
from headworks.model.document import Document
from headworks.model.place import CellPlace, SlidePlace

# A cut between two units, by what stands at it.
AT_HEADING = 0.0
AT_ITEM = 0.3
AT_EDGE = 0.8  # of a table, a figure, code
AT_PARAGRAPH = 1.0
AT_LINE = 1.5
AT_SENTENCE = 2.5
# What a chunk pays for holding both sides of a boundary.
OVER_HEADING = 4.0
OVER_ITEM = 0.5
# Held together as long as the ceiling allows, the strongest first.
CLAUSE = 5000.0
KEEP = 1500.0
TITLE = 1000.0
CAPTION = 900.0
COMMENT = 400.0
FOOTNOTE = 50.0
KEEP_OVERSIZE = 5.0
LEAD_IN = 3.0
# Ranks: the smaller the stronger; headings have their level.
ITEM_RANK = 10
WEAK_RANK = 20
_FIGURES = frozenset({"figure", "table", "rows", "formula"})


class Boundaries:
    """Costs before each unit; index 0 and the last index are the document's ends.

    ``forced`` is 2 where a cut must be whatever a rule asks, 1 where one must be by default.
    """

    def __init__(
        self,
        document: Document,
        units: Sequence[Unit],
        measure: Measure,
        embed: Embed | None = None,
    ) -> None:
        self.document = document
        self.embed = embed
        self.units = units
        self.measure = measure
        count = len(units) + 1
        self.cut = [0.0] * count
        self.over = [0.0] * count
        self.rank = [WEAK_RANK] * count
        self.forced = bytearray(count)
        self.rank[0] = self.rank[-1] = 0
        self.forced[0] = self.forced[-1] = 2
        levels = {heading.id: heading.level for heading in document.headings}
        for index in range(1, len(units)):
            self._grade(index, levels)
        self._places()
        self._zones()

    def force(self, index: int, strength: int = 1) -> None:
        """Demand a cut before a unit, moved before the headings that lead to it."""
        while index > 0 and self.units[index - 1].form == "heading" and not self.forced[index]:
            index -= 1
        self.forced[index] = max(self.forced[index], strength)

    def hold(self, first: int, last: int, cost: float) -> None:
        """Raise the cost of each cut inside units ``first`` to ``last`` (inclusive)."""
        for index in range(first + 1, last + 1):
            self.cut[index] += cost

    def weigh_cohesion(self, first: int, last: int) -> None:
        """Move the costs between plain paragraphs of a segment by what they speak of.

        Only a segment that must be cut is weighed, and once.
        """
        text, units = self.document.text, self.units
        weighed: list[int] = []
        sides: list[tuple[str, str]] = []
        for index in range(first + 1, last + 1):
            left, right = units[index - 1], units[index]
            if self.cut[index] == AT_PARAGRAPH and left.block != right.block:
                pair = both_sides(text, left.end, right.start, (left.start, right.end))
                if pair is not None:
                    weighed.append(index)
                    sides.append(pair)
        strengths = map(bond, sides) if self.embed is None else bonds(self.embed, sides)
        for index, strength in zip(weighed, strengths, strict=True):
            self.cut[index] += strength

    def _grade(self, index: int, levels: dict[int, int]) -> None:
        """Set the costs of one boundary by the units on its two sides."""
        left, right = self.units[index - 1], self.units[index]
        if right.heading >= 0:
            if left.form == "bare" and right.form == "bare":
                self.cut[index] = AT_PARAGRAPH
            else:
                self.cut[index] = AT_HEADING
                self.over[index] = OVER_HEADING
                self.rank[index] = min(levels[right.heading], ITEM_RANK - 1)
        elif right.item:
            self.cut[index] = AT_ITEM
            self.over[index] = OVER_ITEM
            self.rank[index] = min(ITEM_RANK + right.item, WEAK_RANK - 1)
        elif left.block == right.block:
            self.cut[index] = AT_LINE if right.form == "line" else AT_SENTENCE
        else:
            both_text = left.form in TEXT_FORMS and right.form in TEXT_FORMS
            self.cut[index] = AT_PARAGRAPH if both_text else AT_EDGE
        self.cut[index] += self._bond(left, right)
        at_rows = "rows" in (left.form, right.form) and self.cut[index] < FOOTNOTE
        if right.index > 1 or (right.index and left.of) or at_rows:
            self.forced[index] = 2

    def _bond(self, left: Unit, right: Unit) -> float:
        """Give what holds two neighbours together."""
        if left.form == "heading":
            return TITLE
        if left.form == "caption" and (right.form in _FIGURES or right.form == "caption"):
            return CAPTION
        if right.form == "comment":
            return COMMENT
        if right.form in {"footnote", "note"}:
            return FOOTNOTE
        if left.form == "bare" and right.form in _FIGURES:
            return TITLE
        if left.form in _FIGURES:
            return self._bond_of_figure(left, right)
        if left.form in TEXT_FORMS and self.document.text[left.end - 1] in "：:":
            return LEAD_IN
        return 0.0

    def _bond_of_figure(self, left: Unit, right: Unit) -> float:
        """Give what holds a figure's caption, or a table's note, to what it stands under."""
        block = self.document.blocks[right.block]
        if is_caption(self.document, block) and left.form == "figure":
            return 0.0 if names_table(self.document, block) else CAPTION
        return LEAD_IN if self.document.text.startswith("注", right.start) else 0.0

    def _places(self) -> None:
        """Cut between sheets and between slides."""
        blocks = self.document.blocks
        if not blocks or not isinstance(blocks[0].place, CellPlace | SlidePlace):
            return
        for index in range(1, len(self.units)):
            left = blocks[self.units[index - 1].block].place
            right = blocks[self.units[index].block].place
            if isinstance(left, CellPlace) and isinstance(right, CellPlace):
                if left.sheet != right.sheet:
                    self.forced[index] = 2
            elif isinstance(left, SlidePlace) and isinstance(right, SlidePlace):
                if left.slide != right.slide:
                    self.forced[index] = 2
                else:
                    self.over[index], self.rank[index] = 0.0, WEAK_RANK

    def _zones(self) -> None:
        for zone in self.document.zones:
            index = self.measure.at(zone.span.start)
            if index < len(self.units):
                self.forced[index] = 2
