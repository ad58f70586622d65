"""What a chunk is: its kind, its zone, the headings above it.

Takes a run of units with the document's structure, gives the words that the record carries.
Never looks at more than the run.
"""

from bisect import bisect_right
from collections.abc import Sequence

from headworks.chunking.base import Unit
from headworks.model.chunk import ChunkKind
from headworks.model.document import Document
from headworks.model.outline import Heading
from headworks.model.place import CellPlace, SlidePlace

_ZONE_KINDS: dict[str, ChunkKind] = {
    "cover": "cover", "contents": "contents", "signature": "signature",
}  # fmt: skip
_OF_FORM: dict[str, ChunkKind] = {
    "table": "table", "rows": "table", "figure": "figure", "code": "code", "line": "code",
    "note": "note",
}  # fmt: skip
_NAMING = frozenset({"heading", "bare", "caption", "comment"})
_PLAIN = frozenset({"text", "sentence", "piece"})


class Kinds:
    """Looks up zone, trail and kind of runs of units of one document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.zone_starts = [zone.span.start for zone in document.zones]
        self.heading_starts = [heading.span.start for heading in document.headings]

    def zone(self, offset: int) -> str:
        """Give the kind of the zone that holds an offset."""
        if not self.zone_starts:
            return "body"
        return self.document.zones[max(0, bisect_right(self.zone_starts, offset) - 1)].kind

    def trail(self, units: Sequence[Unit]) -> tuple[int, ...]:
        """Give the headings above and at the first words that are no mere title."""
        first = next((unit for unit in units if unit.form != "heading"), units[-1])
        return tuple(heading.id for heading in self.above(first.start))

    def above(self, offset: int) -> list[Heading]:
        """Give the headings whose extent holds an offset, outermost first."""
        headings = self.document.headings
        index = bisect_right(self.heading_starts, offset) - 1
        if index < 0:
            return []
        found: list[Heading] = []
        heading: Heading | None = headings[index]
        while heading is not None:
            if heading.span.start <= offset < heading.extent.end:
                found.append(heading)
            heading = None if heading.parent is None else headings[heading.parent]
        return found[::-1]

    def kind(self, units: Sequence[Unit], zone: str, trail: Sequence[int]) -> ChunkKind:
        """Give the kind of a run of units."""
        place = self.document.blocks[units[0].block].place
        if isinstance(place, CellPlace):
            return "sheet"
        if zone in _ZONE_KINDS:
            return _ZONE_KINDS[zone]
        if isinstance(place, SlidePlace):
            return "note" if all(unit.form == "note" for unit in units) else "slide"
        forms = {unit.form for unit in units} - _NAMING
        kinds = {_OF_FORM.get(form) for form in forms}
        if len(kinds) == 1 and (only := kinds.pop()) is not None:
            return only
        if forms and forms <= _PLAIN and all(unit.item for unit in units if unit.form in _PLAIN):
            listed: ChunkKind = "list"
        else:
            listed = "section" if trail else "text"
        if any(self.document.headings[number].kind == "clause" for number in trail):
            return "clause"
        if zone == "appendix":
            return "appendix"
        return listed
