"""Which other documents have a text too, or nearly: an index of the lines of many documents.

Takes fingerprints by document, gives bytes for a file; takes those, answers in how many other
documents a text stands. Never holds a word of a document, and never misses a text that is as
alike as was asked: candidates come from the rarest pieces, of which one must be shared.
"""

import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import ceil

import msgspec

from headworks.errors import RulesError
from headworks.rules.fingerprint import Fingerprint

_FORMAT = "headworks-corpus-1"
_SIZE = 8
_TINY = 1e-9


class _Stored(msgspec.Struct, frozen=True, array_like=True):
    """The file: lists of numbers as bytes, the texts in the order of their hashes."""

    format: str
    documents: list[str]
    wholes: bytes
    figures: bytes
    holder_bounds: bytes
    holders: bytes
    pieces: bytes
    text_bounds: bytes
    texts: bytes
    place_bounds: bytes
    places: bytes


class Corpus:
    """The index of a pack, read; one is shared by all documents of a process."""

    def __init__(self, stored: _Stored) -> None:
        self.documents = stored.documents
        self._numbers = {sha256: number for number, sha256 in enumerate(stored.documents)}
        self._wholes = {
            stored.wholes[at : at + _SIZE]: at // _SIZE
            for at in range(0, len(stored.wholes), _SIZE)
        }
        self._figures = stored.figures
        self._holders = _Lists(stored.holder_bounds, stored.holders)
        self._pieces = {piece: number for number, piece in enumerate(_numbers(stored.pieces))}
        self._texts = _Lists(stored.text_bounds, stored.texts)
        self._places = _Lists(stored.place_bounds, stored.places)

    def __len__(self) -> int:
        return len(self._wholes)

    def elsewhere(self, lines: Iterable[Fingerprint], sha256: str, share: float) -> int:
        """Give how many documents but this one have all the lines, each so much alike (0 to 1)."""
        found: set[int] | None = None
        for line in lines:
            holding = self._holding(line, share)
            found = holding if found is None else found & holding
            if not found:
                return 0
        if found is None:
            return 0
        return len(found - {self._numbers.get(sha256, -1)})

    def _holding(self, sought: Fingerprint, share: float) -> set[int]:
        found: set[int] = set()
        same = self._wholes.get(sought.whole)
        if same is not None:
            found.update(self._holders.at(same))
        if share < 1:
            for text in self._alike(sought, share):
                found.update(self._holders.at(text))
        return found

    def _alike(self, sought: Fingerprint, share: float) -> Iterable[int]:
        """Give the texts with the same figures that share enough pieces."""
        size = len(sought.pieces)
        known = [self._pieces[piece] for piece in sought.pieces if piece in self._pieces]
        # Two texts that are alike share ``needed`` pieces: one of any size - needed + 1.
        needed = max(1, ceil(share * size - _TINY))
        unknown = size - len(known)
        lookups = size - needed + 1 - unknown
        if lookups <= 0:
            return
        known.sort()
        ours = set(known)
        for text in self._candidates(known[:lookups], size, share):
            at = text * _SIZE
            if self._figures[at : at + _SIZE] != sought.figures:
                continue
            shared = len(ours.intersection(self._texts.at(text)))
            if shared >= share * (size + self._texts.count(text) - shared) - _TINY:
                yield text

    def _candidates(self, rarest: Sequence[int], size: int, share: float) -> set[int]:
        """Give the texts of a fitting size that have one of the pieces among their rarest, too."""
        found: set[int] = set()
        least, most = share * size - _TINY, size / share + _TINY
        bounds, pieces = self._texts.bounds, self._texts.all
        for piece in rarest:
            for text in self._places.at(piece):
                begin = bounds[text]
                count = bounds[text + 1] - begin
                if least <= count <= most:
                    last = begin + count - max(1, ceil(share * count - _TINY))
                    if pieces[last] >= piece:
                        found.add(text)
        return found


class _Lists:
    """Many lists of numbers in one array: ``bounds[n]`` to ``bounds[n + 1]`` is list n."""

    def __init__(self, bounds: bytes, numbers: bytes) -> None:
        self.bounds = _numbers(bounds)
        self.all = _numbers(numbers)
        if not self.bounds or self.bounds[-1] != len(self.all):
            raise ValueError("lists and bounds do not fit")

    def at(self, number: int) -> "array[int]":
        """Give one list."""
        return self.all[self.bounds[number] : self.bounds[number + 1]]

    def count(self, number: int) -> int:
        """Give the length of one list."""
        return self.bounds[number + 1] - self.bounds[number]


def read_corpus(content: bytes, place: str) -> Corpus:
    """Read an index. Raises RulesError where the bytes are none."""
    try:
        stored = msgspec.msgpack.decode(content, type=_Stored)
        if stored.format != _FORMAT:
            raise ValueError(stored.format)
        return Corpus(stored)
    except (msgspec.DecodeError, ValueError) as problem:
        message = "这不是 headworks rules boilerplate 写的索引"
        raise RulesError("E_RULES", message, place=place) from problem


class Gathering:
    """The lines of many documents, each line kept once, until they are written."""

    def __init__(self) -> None:
        self._documents: dict[str, int] = {}
        self._holders: dict[bytes, array[int]] = {}
        self._lines: dict[bytes, tuple[bytes, array[int]]] = {}

    def add(self, sha256: str, lines: Iterable[Fingerprint]) -> None:
        """Take a document in; the same bytes a second time are the same document."""
        if sha256 in self._documents:
            return
        number = self._documents[sha256] = len(self._documents)
        for line in lines:
            listed = self._holders.get(line.whole)
            if listed is None:
                self._lines[line.whole] = (line.figures, array("I", line.pieces))
                self._holders[line.whole] = array("I", (number,))
            elif listed[-1] != number:
                listed.append(number)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(self._documents)

    @property
    def lines(self) -> int:
        """How many different lines there are."""
        return len(self._lines)

    @property
    def shared(self) -> int:
        """How many of them stand in more than one document."""
        return sum(len(listed) > 1 for listed in self._holders.values())

    def written(self) -> bytes:
        """Give the index: the same bytes in whatever order the documents came."""
        ordered = sorted(self._documents)
        rank = {sha256: number for number, sha256 in enumerate(ordered)}
        ranks = [rank[sha256] for sha256 in self._documents]
        wholes = sorted(self._lines)
        holders = [sorted(ranks[number] for number in self._holders[whole]) for whole in wholes]
        often = Counter(piece for _, pieces in self._lines.values() for piece in pieces)
        # The rarest have the lowest numbers: a text's list begins with what tells it from others.
        pieces = sorted(often, key=lambda piece: (often[piece], piece))
        numbers = {piece: number for number, piece in enumerate(pieces)}
        texts = [
            array("I", sorted(numbers[piece] for piece in self._lines[whole][1]))
            for whole in wholes
        ]
        places = [array("I") for _ in pieces]
        for text, listed in enumerate(texts):
            for piece in listed:
                places[piece].append(text)
        stored = _Stored(
            _FORMAT,
            ordered,
            b"".join(wholes),
            b"".join(self._lines[whole][0] for whole in wholes),
            *_flat(holders),
            _bytes(pieces),
            *_flat(texts),
            *_flat(places),
        )
        return msgspec.msgpack.encode(stored)


def write_corpus(documents: Mapping[str, Iterable[Fingerprint]]) -> bytes:
    """Give the index of documents by their hash."""
    gathered = Gathering()
    for sha256, lines in documents.items():
        gathered.add(sha256, lines)
    return gathered.written()


def _flat(lists: Sequence[Sequence[int]]) -> tuple[bytes, bytes]:
    bounds = [0]
    for listed in lists:
        bounds.append(bounds[-1] + len(listed))
    return _bytes(bounds), _bytes(number for listed in lists for number in listed)


def _bytes(numbers: Iterable[int]) -> bytes:
    """Write numbers of four bytes, the lowest byte first on every machine."""
    packed = array("I", numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _numbers(content: bytes) -> "array[int]":
    packed = array("I")
    packed.frombytes(content)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed
