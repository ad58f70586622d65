"""What a model is shown beside a chunk: targets of references, definitions, neighbours.

Takes a document's records and the room in tokens, gives the chunk's body and pieces of context by
priority. Never cuts a sentence or a table's row, never takes words that rules redacted.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from headworks.assembly.formats import leaving
from headworks.assembly.shapes import ChunkRecord
from headworks.model.document import Document
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends
from headworks.privacy.veil import Veil

Count = Callable[[str], int]

# Shares of the room that is left: no reference takes it all, neighbours take little.
_REFERENCE_SHARE = 0.5
_NEIGHBOUR_SHARE = 0.25
_MOST_NEIGHBOUR_TOKENS = 240
_MOST_REFERENCES = 8
_MOST_DEFINITIONS = 8
_MOST_TARGETS = 4
# What the words around a piece take.
_FRAME_TOKENS = 12
_TABULAR = frozenset({"table", "sheet"})
_LINE = re.compile(r"\n+")
_STOPS = re.compile(r"[。;；\n]")


class Wishes(msgspec.Struct, frozen=True):
    """Which context is wanted, and how much of the chunk itself (``depth``, as rules set it)."""

    references: bool = True
    definitions: bool = True
    neighbours: bool = True
    depth: str = ""


class Piece(msgspec.Struct, frozen=True):
    """A piece of context: reference, definition, section, before or after."""

    kind: str
    title: str
    text: str


class Material(msgspec.Struct, frozen=True):
    """A chunk's body and its context. ``left_out`` counts characters that had no room.

    ``chunks`` are those of the document that the context is of, ``abroad`` those of other files of
    the run, each with the folder of its file's results.
    """

    body: str
    pieces: tuple[Piece, ...]
    left_out: int = 0
    chunks: tuple[str, ...] = ()
    abroad: tuple[tuple[str, str], ...] = ()


class Meaning(msgspec.Struct, frozen=True):
    """A definition as it may leave: the term, and the sentence that says what it means."""

    term: str
    text: str
    span: Span


class Shelf:
    """One document's chunks and definitions, from which context is taken.

    ``title`` is the document's own, where its heading paths begin with one. ``others`` gives the
    chunks of another file of the run, by the folder of its results.
    """

    def __init__(
        self,
        chunks: Sequence[ChunkRecord],
        meanings: Sequence[Meaning] = (),
        others: Callable[[str], Mapping[str, ChunkRecord]] = lambda _: {},
        title: str = "",
    ) -> None:
        self.by_id = {chunk.id: chunk for chunk in chunks}
        self.chunks = chunks
        self.meanings = meanings
        self.title = title
        self._others = others

    def material(self, chunk: ChunkRecord, wishes: Wishes, room: int, count: Count) -> Material:
        """Give a chunk with as much context as has room, most needed first."""
        body, left_out = _fitted(_body(chunk, wishes.depth), chunk, room, count)
        taken = _Taken(room - count(body), count)
        if wishes.depth == "section":
            self._section(chunk, taken)
        if wishes.references:
            self._references(chunk, taken)
        if wishes.definitions:
            self._definitions(chunk, body, taken)
        if wishes.neighbours:
            self._neighbours(chunk, taken)
        chunks, abroad = dict.fromkeys(taken.chunks), dict.fromkeys(taken.abroad)
        return Material(body, tuple(taken.pieces), left_out, tuple(chunks), tuple(abroad))

    def _section(self, chunk: ChunkRecord, taken: "_Taken") -> None:
        for other in self.chunks:
            if other.parent.id == chunk.parent.id and other.id != chunk.id and not other.skipped:
                title = other.heading_path[-1] if other.heading_path else ""
                taken.add("section", title, _units(other), taken.room, other.id)

    def _references(self, chunk: ChunkRecord, taken: "_Taken") -> None:
        done: set[str] = set()
        for ref in chunk.references[:_MOST_REFERENCES]:
            if ref.target in done:
                continue
            done.add(ref.target)
            most = int(taken.room * _REFERENCE_SHARE)
            found = self._others(ref.folder) if isinstance(ref.folder, str) else self.by_id
            targets = [found[id_] for id_ in ref.chunks if id_ in found and id_ != chunk.id]
            units = [unit for target in targets[:_MOST_TARGETS] for unit in _units(target)]
            if units:
                held = targets[0].id if found is self.by_id else ""
                took = taken.add("reference", f"{ref.text} → {ref.target}", units, most, held)
                if took and isinstance(ref.folder, str):
                    taken.abroad += [(ref.folder, one.id) for one in targets[:_MOST_TARGETS]]
            elif ref.context:
                taken.add("reference", ref.text, _sentences(ref.context), most, "")

    def _definitions(self, chunk: ChunkRecord, body: str, taken: "_Taken") -> None:
        used = [
            meaning
            for meaning in self.meanings
            if meaning.term in body
            and not any(start < meaning.span.end and meaning.span.start < end
                        for start, end in chunk.spans)
        ]  # fmt: skip
        for meaning in used[:_MOST_DEFINITIONS]:
            taken.add("definition", meaning.term, [meaning.text], taken.room, "")

    def _neighbours(self, chunk: ChunkRecord, taken: "_Taken") -> None:
        most = min(_MOST_NEIGHBOUR_TOKENS, int(taken.room * _NEIGHBOUR_SHARE))
        before = self.by_id.get(chunk.previous or "")
        after = self.by_id.get(chunk.next or "")
        if before is not None and not before.skipped:
            taken.add("before", "", _units(before), most, before.id, from_end=True)
        if after is not None and not after.skipped:
            taken.add("after", "", _units(after), most, after.id)


class _Taken:
    """The context gathered so far, and the room that is left for more."""

    def __init__(self, room: int, count: Count) -> None:
        self.room = room
        self.pieces: list[Piece] = []
        self.chunks: list[str] = []
        self.abroad: list[tuple[str, str]] = []
        self._count = count

    def add(
        self, kind: str, title: str, units: Sequence[str], most: int, chunk: str,
        *, from_end: bool = False,
    ) -> bool:  # fmt: skip
        """Take whole units as long as they have room; from the end for what stands before.

        Tells whether anything was taken.
        """
        room = min(most, self.room) - _FRAME_TOKENS - self._count(title)
        held: list[str] = []
        for unit in reversed(units) if from_end else units:
            tokens = self._count(unit)
            if tokens > room:
                break
            room -= tokens
            held.append(unit)
        text = "".join(reversed(held) if from_end else held).strip()
        if text:
            self.pieces.append(Piece(kind, title, text))
            self.room -= self._count(text) + self._count(title) + _FRAME_TOKENS
            if chunk:
                self.chunks.append(chunk)
        return bool(text)


def meanings(document: Document, veil: Veil | None) -> list[Meaning]:
    """Give a document's definitions as they may leave, each with its whole sentence."""
    text = veil.document.text if veil else document.text
    found = []
    for definition in document.definitions:
        if veil is not None and veil.hides(definition.span):
            continue
        start = min(definition.span.start, definition.meaning.start)
        end = max(definition.span.end, definition.meaning.end)
        start = _after_stop(text, start)
        stop = _STOPS.search(text, end)
        end = stop.end() if stop is not None and stop.end() - end < _REACH else end
        sentence = text[start:end].strip()
        shown = veil.shown(sentence) if veil else sentence
        found.append(Meaning(definition.term, shown, Span(start, end)))
    return found


_REACH = 200


def _after_stop(text: str, start: int) -> int:
    near = max(0, start - _REACH)
    last = near
    for stop in _STOPS.finditer(text, near, start):
        last = stop.end()
    return last if last > near or near == 0 else start


def _body(chunk: ChunkRecord, depth: str) -> str:
    """Give what of the chunk is sent: a table as Markdown, less where a rule wants less."""
    if chunk.kind in _TABULAR or chunk.has_table:
        return chunk.markdown.strip() or leaving(chunk).strip()
    text = leaving(chunk).strip()
    if depth == "title":
        return chunk.heading_path[-1] if chunk.heading_path else next(iter(_units(chunk)), text)
    if depth == "first_sentence":
        return next(iter(_sentences(text)), text).strip()
    if depth.startswith("first_n:") and depth[8:].isdigit():
        return _beginning(text, int(depth[8:]))
    return text


def _beginning(text: str, most: int) -> str:
    """Give the whole sentences within the first characters; at least one."""
    ends = sentence_ends(text, 0, len(text))
    index = bisect_right(ends, most)
    return text[: ends[max(0, index - 1)]].strip() if ends else text


def _fitted(body: str, chunk: ChunkRecord, room: int, count: Count) -> tuple[str, int]:
    """Give as many whole sentences or rows as have room, and how many characters have not."""
    if count(body) <= room:
        return body, 0
    held: list[str] = []
    size = 0
    for unit in _lines(body) if chunk.has_table else _sentences(body):
        tokens = count(unit)
        if held and size + tokens > room:
            break
        size += tokens
        held.append(unit)
    kept = "".join(held)
    return kept.rstrip(), len(body) - len(kept)


def _units(chunk: ChunkRecord) -> list[str]:
    text = leaving(chunk)
    return _lines(text) if chunk.kind in _TABULAR else _sentences(text)


def _sentences(text: str) -> list[str]:
    return list(_cut(text, sentence_ends(text, 0, len(text))))


def _lines(text: str) -> list[str]:
    return list(_cut(text, [found.end() for found in _LINE.finditer(text)]))


def _cut(text: str, ends: Sequence[int]) -> Iterator[str]:
    start = 0
    for end in (*ends, len(text)):
        if end > start:
            yield text[start:end]
        start = max(start, end)
