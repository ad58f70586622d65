"""READ FIRST in this folder: from a structured document to chunks and a ledger.

Takes a document, settings and what rules ask of the cutting; gives chunks in order, the ledger and
problems. Never changes the text, never loses a code point of it.
"""

from collections.abc import Iterator, Sequence

from headworks.chunking.base import Cut, Unit
from headworks.chunking.boundaries import Boundaries
from headworks.chunking.joining import fingerprint, join
from headworks.chunking.kinds import Kinds
from headworks.chunking.ledger import account
from headworks.chunking.left_out import left_out
from headworks.chunking.limits import Limits
from headworks.chunking.measure import Measure
from headworks.chunking.overlap import overlap_before
from headworks.chunking.segment import Optimum
from headworks.chunking.semantic import embedding
from headworks.chunking.titles import in_path_only
from headworks.chunking.tokens import counter
from headworks.chunking.units import Units
from headworks.chunking.wholes import Wholes
from headworks.config import ChunkSettings
from headworks.model.chunk import Chunk, Directive, Part, chunk_id
from headworks.model.document import Document
from headworks.model.place import Span, describe
from headworks.model.problem import Problem

__all__ = ["cut", "join"]

DOUBTFUL = 0.7  # a recognised block whose worst line is below this marks its chunk


def cut(document: Document, settings: ChunkSettings, directives: Sequence[Directive] = ()) -> Cut:
    """Give the chunks whose total cost is least, and the ledger of what is in none."""
    out = left_out(document, settings, directives)
    edges = [directive.span.start for directive in directives if directive.action == "split"]
    edges += [zone.span.start for zone in document.zones]
    limits = Limits(document, settings)
    taken = Units(document, out, edges, limits)
    units = taken.run()
    titles = in_path_only(document, units, settings, directives)
    if titles:
        gone = {entry.start for entry in titles}
        units = [unit for unit in units if unit.start not in gone]
        out = sorted([*out, *titles], key=lambda entry: entry.start)
    measure = Measure(document.text, units, out, limits)
    boundaries = Boundaries(document, units, measure, embedding(settings.cohesion))
    wholes = Wholes(document, boundaries, settings)
    wholes.run(directives)
    chunks = tuple(_chunks(document, limits, boundaries))
    problems = (*wholes.problems, *_split_problems(document, limits, taken))
    return Cut(chunks, account(document, out, chunks), problems)


def _chunks(document: Document, limits: Limits, boundaries: Boundaries) -> Iterator[Chunk]:
    maker = _Maker(document, limits, boundaries)
    optimum = Optimum(boundaries, limits.settings)
    first = 0
    for index in range(1, len(boundaries.units) + 1):
        if boundaries.forced[index]:
            settings = limits.at(boundaries.units[first].start)
            if settings is not optimum.settings:
                optimum = Optimum(boundaries, settings)
            for run in optimum.runs(first, index - 1):
                yield maker.make(*run)
            first = index


class _Maker:
    """Makes chunks of runs of units, in order."""

    def __init__(self, document: Document, limits: Limits, boundaries: Boundaries) -> None:
        settings = limits.settings
        self.document = document
        self.limits = limits
        self.measure = boundaries.measure
        self.units = boundaries.units
        self.kinds = Kinds(document)
        self.count = counter(settings.tokens)
        self.fingerprint = fingerprint(settings)
        self.ordinal = 0
        self.previous: Chunk | None = None

    def make(self, first: int, last: int) -> Chunk:
        """Give the chunk of units ``first`` to ``last`` (inclusive)."""
        units = self.units[first : last + 1]
        spans = self.measure.spans(first, last)
        zone = self.kinds.zone(spans[0].start)
        trail = self.kinds.trail(units)
        part = next((unit for unit in units if unit.of), None)
        header = None if part is None else part.header
        overlap = None
        if header is not None:
            spans.insert(0, header)
        elif self.limits.settings.overlap and part is None:
            overlap = self._overlap(spans, zone)
            if overlap is not None:
                spans.insert(0, overlap)
        held = tuple(spans)
        text = "".join([self.document.text[span.start : span.end] for span in held])
        chunk = Chunk(
            id=chunk_id(self.document.source.sha256, held, self.fingerprint),
            document=self.document.source.sha256,
            ordinal=self.ordinal,
            spans=held,
            kind=self.kinds.kind(units, zone, trail),
            zone=zone,
            trail=trail,
            chars=len(text),
            tokens=self.count(text),
            part=None if part is None else Part(part.index, part.of, header),
            overlap=overlap,
            degraded=self._degraded(units),
        )
        self.ordinal += 1
        self.previous = chunk
        return chunk

    def _overlap(self, spans: Sequence[Span], zone: str) -> Span | None:
        previous = self.previous
        if previous is None or previous.zone != zone or previous.part is not None:
            return None
        text = self.document.text
        own = sum(len(span) for span in spans)
        settings = self.limits.at(spans[0].start)
        room = max(0, min(settings.overlap, settings.max_chars - own))
        found = overlap_before(text, previous.spans[-1], spans[0].start, room)
        if found is None or self.limits.weigh is None:
            return found
        whole = "".join(text[span.start : span.end] for span in [found, *spans])
        return None if self.limits.too_heavy(whole) else found

    def _degraded(self, units: Sequence[Unit]) -> str:
        """Say which places recognition could not read, or read with little certainty."""
        blocks = [self.document.blocks[unit.block] for unit in units]
        return "; ".join(
            f"{how}: {', '.join(places)}"
            for how, low, high in (("unreadable", 0.0, 0.0), ("doubtful", 1e-9, DOUBTFUL))
            if (
                places := dict.fromkeys(
                    describe(block.place) for block in blocks if low <= block.confidence <= high
                )
            )
        )


def _split_problems(document: Document, limits: Limits, taken: Units) -> Iterator[Problem]:
    """Say where a sentence or a table's row was cut, since it passes the ceiling alone."""
    for unit in taken.found:
        if unit.form == "piece" and unit.index == 1:
            place = describe(document.blocks[unit.block].place)
            ceiling = limits.at(unit.start).max_chars
            message = f"a sentence over {ceiling} characters in {unit.of} parts"
            yield Problem("W_SPLIT", message, place, span=Span(unit.start, unit.end))
    for row, count in taken.rows_cut.items():
        block = document.block_at(row.start)
        place = "" if block is None else describe(block.place)
        ceiling = limits.ceiling_over(row)
        message = f"a table row of {len(row)} characters, over {ceiling}, in {count} parts"
        yield Problem("W_SPLIT", message, place, span=row)
