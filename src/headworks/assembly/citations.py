"""What the sentences and values of an answer stand on: chunks, ranges, pages and boxes.

Takes statements and the chunks they came from, gives citations and how each is supported. Never
cites a place that does not say so: without one a sentence is marked unsupported.
"""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from headworks.assembly import boxes as page_boxes
from headworks.assembly.answer_records import CitationRecord, Support
from headworks.assembly.cells import cells, paragraphs
from headworks.assembly.figures import comparable, missing
from headworks.assembly.leaving import Leaving
from headworks.assembly.locating import Found, Library, Way, bare
from headworks.assembly.polarity import opposite
from headworks.assembly.shapes import ChunkRecord
from headworks.model.document import Document
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends

# The share of a sentence's pairs of characters that its source must have.
_WORDS_HELD = 0.6
_LEAST_PAIRS = 4
_MOST_QUOTE = 400


class Standing(msgspec.Struct, frozen=True):
    """How a sentence or value is supported, by which citations, and what is missing."""

    support: Support
    citations: tuple[int, ...] = ()
    why: str = ""


class Elsewhere(msgspec.Struct, frozen=True):
    """Another file of the run, chunks of which were shown: what it is, where its results are."""

    folder: str
    name: str
    sha256: str
    document: Document
    chunks: tuple[ChunkRecord, ...]


class Citations:
    """Gathers the citations of one document; equal places are one. Ids count from 1.

    ``others`` are files that answers may quote where their chunks were shown.
    """

    def __init__(
        self,
        document: Document,
        chunks: Sequence[ChunkRecord],
        others: Sequence[Elsewhere] = (),
    ) -> None:
        self._document = document
        self.library = Library(Leaving(chunk) for chunk in chunks)
        self._elsewhere: dict[str, Elsewhere] = {}
        for other in others:
            for chunk in other.chunks:
                if self.library.lend(Leaving(chunk)):
                    self._elsewhere[chunk.id] = other
        self._known: dict[tuple[str, tuple[Span, ...]], CitationRecord] = {}

    @property
    def records(self) -> list[CitationRecord]:
        """The citations so far, by id."""
        return list(self._known.values())

    def of_sentence(
        self, text: str, quotes: Sequence[str], chunk: str, near: Sequence[str] = ()
    ) -> Standing:
        """Give what a sentence stands on: its quotes, else its own words; numbers must be there.

        ``near`` are the chunks that were shown beside its own.
        """
        found, lost = self._located(quotes, (chunk, *near))
        source = self._source(chunk, found)
        unknown = missing(text, source)
        if unknown:
            why = "not in the source: " + "、".join(unknown)
            return Standing("none", self._all(found), why)
        denied = opposite(text, source)
        if denied:
            why = "the source says the opposite: " + "、".join(denied)
            return Standing("none", self._all(found), why)
        if found:
            near_ones = any(one.how == "near" for one in found)
            support: Support = "near" if near_ones or lost else "quoted"
            return Standing(support, self._all(found), _told(lost))
        own = self.library.locate(text, (chunk,)) or self._by_words(text, chunk)
        if own is None:
            return Standing("none", (), _told(lost) or "nothing in the source says so")
        support = "words" if own.how == "words" or lost else "near"
        return Standing("quoted" if own.how == "exact" and not lost else support, self._all([own]))

    def of_value(
        self, value: str, quotes: Sequence[str], chunk: str, near: Sequence[str] = ()
    ) -> Standing:
        """Give what a value stands on: itself within its quote, itself, or its quote."""
        found, lost = self._located(quotes, (chunk, *near))
        source = self._source(chunk, found)
        if missing(value, source):
            why = "not in the source: " + "、".join(missing(value, source))
            return Standing("none", self._all(found), why)
        inside = [one for one in found if _holds(one, value)]
        if inside:
            support: Support = "near" if any(one.how == "near" for one in inside) else "quoted"
            return Standing(support, self._all(inside), _told(lost))
        own = self.library.locate(value, (chunk, *near))
        if own is not None:
            return Standing("near" if lost or own.how == "near" else "quoted", self._all([own]))
        if found and comparable(value) in comparable(source):
            return Standing("near", self._all(found), _told(lost))
        words = self._by_words(value, chunk)
        if words is not None:
            return Standing("words", self._all([words]), _told(lost))
        return Standing("none", self._all(found), "the value is not in its source")

    def of_range(self, start: int, end: int, chunk: str, words: str) -> int:
        """Cite a range of the document, as rules name theirs, with its words as they may leave."""
        leaving, span = self.library.by_id[chunk], Span(start, end)
        key = (chunk, (span,))
        if key not in self._known:
            made = self._made(leaving, (span,), "rule", 100.0, ())
            self._known[key] = msgspec.structs.replace(made, quote=words[:_MOST_QUOTE])
        return self._known[key].id

    def _located(
        self, quotes: Sequence[str], chunks: Sequence[str]
    ) -> tuple[list[Found], list[str]]:
        found: list[Found] = []
        lost: list[str] = []
        for quote in quotes:
            one = self.library.locate(quote, chunks)
            if one is None:
                lost.append(quote)
            else:
                found.append(one)
        return found, lost

    def _source(self, chunk: str, found: Sequence[Found]) -> str:
        """Give the words a statement may rest on: its chunk's, with headings, and quoted ones'."""
        ids = dict.fromkeys((chunk, *(one.leaving.chunk.id for one in found)))
        parts: list[str] = []
        for leaving in (self.library.by_id[id_] for id_ in ids if id_ in self.library.by_id):
            parts += [*leaving.chunk.heading_path, leaving.text]
        return "\n".join(parts)

    def _by_words(self, text: str, chunk: str) -> Found | None:
        """Give the sentences of a chunk that share the most of a sentence's words with it."""
        leaving = self.library.by_id.get(chunk)
        wanted = _pairs(text)
        if leaving is None or len(wanted) < _LEAST_PAIRS:
            return None
        scored = []
        start = 0
        for end in sentence_ends(leaving.text, 0, len(leaving.text)):
            shared = wanted & _pairs(leaving.text[start:end])
            scored.append((len(shared), start, end, shared))
            start = end
        held: set[str] = set()
        spans: list[Span] = []
        for _, start, end, shared in sorted(scored, key=lambda one: (-one[0], one[1]))[:3]:
            if len(shared - held) >= max(2, len(wanted) // 10):
                held |= shared
                spans.append(_trimmed(leaving.text, start, end))
        share = len(held) / len(wanted)
        if share < _WORDS_HELD:
            return None
        return Found(leaving, tuple(sorted(spans)), "words", round(100 * share, 1))

    def _all(self, found: Sequence[Found]) -> tuple[int, ...]:
        ids = []
        for one in found:
            ranges = tuple(span for part in one.spans for span in one.leaving.ranges(part))
            ids.append(self._record(one.leaving, ranges, one.how, one.score, one.spans))
        return tuple(dict.fromkeys(ids))

    def _record(
        self,
        leaving: Leaving,
        ranges: tuple[Span, ...],
        how: Way | str,
        score: float,
        shown: Sequence[Span] = (),
    ) -> int:
        key = (leaving.chunk.id, ranges)
        if key not in self._known:
            self._known[key] = self._made(leaving, ranges, str(how), score, shown)
        return self._known[key].id

    def _made(
        self,
        leaving: Leaving,
        ranges: tuple[Span, ...],
        how: str,
        score: float,
        shown: Sequence[Span],
    ) -> CitationRecord:
        chunk = leaving.chunk
        other = self._elsewhere.get(chunk.id)
        document = self._document if other is None else other.document
        found = page_boxes.boxes(document, ranges)
        blocks = page_boxes.blocks_in(document, ranges)
        quote = " … ".join(leaving.text[span.start : span.end].strip() for span in shown)
        return CitationRecord(
            id=len(self._known) + 1,
            chunk=chunk.id,
            ordinal=chunk.ordinal,
            heading_path=chunk.heading_path,
            quote=quote[:_MOST_QUOTE],
            ranges=[(span.start, span.end) for span in ranges],
            pages=page_boxes.pages(blocks, found) or chunk.pages,
            boxes=found,
            cells=cells(blocks, ranges) or chunk.cells,
            paragraphs=paragraphs(blocks) or chunk.paragraphs,
            how=how,  # type: ignore[arg-type]
            score=score,
            document=UNSET if other is None else other.sha256,
            folder=UNSET if other is None else other.folder,
            name=UNSET if other is None else other.name,
        )


def sentences_of(text: str) -> list[str]:
    """Give the sentences of an answer's point, in order; a label goes with what it labels."""
    found, start = [], 0
    for end in sentence_ends(text, 0, len(text)):
        sentence = text[start:end].strip()
        if any(char.isalpha() for char in sentence) or end == len(text):
            if sentence:
                found.append(sentence)
            start = end
    return found


def _holds(found: Found, value: str) -> bool:
    there = "".join(found.leaving.text[span.start : span.end] for span in found.spans)
    return bare(value) in bare(there) or comparable(value) in comparable(there)


def _trimmed(text: str, start: int, end: int) -> Span:
    words = text[start:end]
    return Span(start + len(words) - len(words.lstrip()), start + len(words.rstrip()))


def _pairs(text: str) -> set[str]:
    words = "".join(char for char in bare(text) if char.isalnum())
    return {words[at : at + 2] for at in range(len(words) - 1)}


def _told(lost: Sequence[str]) -> str:
    return f"quotes not found: {len(lost)}" if lost else ""
