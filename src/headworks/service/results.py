"""A document's results in a folder, read again: what delivery plans with, asks with, assembles.

Takes the folder, gives its records and the shelf that context is taken from. Never writes.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec

from headworks.assembly import kept
from headworks.assembly.context import Shelf, meanings
from headworks.assembly.kept import KEPT_FILE, Kept
from headworks.assembly.shapes import ChunkRecord, DocumentRecord
from headworks.assembly.trace_page import pictures_in
from headworks.errors import StorageError
from headworks.model.place import Span
from headworks.model.verdict import Edit
from headworks.privacy.veil import Veil

_DOCUMENT = msgspec.json.Decoder(DocumentRecord)
_CHUNKS = msgspec.json.Decoder(ChunkRecord)

Others = Callable[[str], Mapping[str, ChunkRecord]]


class Results:
    """The files of one document. Each is read when it is first needed."""

    def __init__(self, folder: Path, *, beside: bool = False) -> None:
        """``beside`` tells that the results of other files of the run lie beside the folder."""
        self.folder = folder
        self._beside = beside

    @cached_property
    def document(self) -> DocumentRecord:
        """``document.json``."""
        try:
            return _DOCUMENT.decode(self._read("document.json"))
        except msgspec.DecodeError as fault:
            raise self._broken("document.json", fault) from fault

    @cached_property
    def chunks(self) -> list[ChunkRecord]:
        """``chunks.jsonl``."""
        try:
            return _CHUNKS.decode_lines(self._read("chunks.jsonl"))
        except msgspec.DecodeError as fault:
            raise self._broken("chunks.jsonl", fault) from fault

    @cached_property
    def kept(self) -> Kept:
        """The document as the stages left it."""
        return kept.decode(self._read(KEPT_FILE), str(self.folder / KEPT_FILE))

    @cached_property
    def veil(self) -> Veil | None:
        """What lies over the document where rules took something out of it."""
        edits = {
            (edit.start, edit.end): Edit(
                Span(edit.start, edit.end), edit.label, edit.token, edit.rule
            )
            for chunk in self.chunks
            for edit in chunk.redactions
        }
        if not edits:
            return None
        return Veil(self.kept.document, [edits[place] for place in sorted(edits)])

    @cached_property
    def shelf(self) -> Shelf:
        """The chunks and definitions that context is taken from."""
        others: Others = self._others if self._beside else lambda _: {}
        titles = [one.text for one in self.document.outline if one.level == 0]
        title = titles[0] if titles else ""
        if self.veil is not None:
            title = self.veil.words(title)
        return Shelf(self.chunks, meanings(self.kept.document, self.veil), others, title)

    def other(self, folder: str) -> "Results | None":
        """Give the results of another file of the run, as far as it was made to be delivered."""
        place = self.folder.parent / Path(folder).name
        if not self._beside or not (place / KEPT_FILE).is_file():
            return None
        return Results(place, beside=True)

    @property
    def pictures(self) -> dict[int, str]:
        """The page pictures of the report; none where there is none."""
        path = self.folder / "report.html"
        return pictures_in(self._read("report.html")) if path.is_file() else {}

    def _others(self, folder: str) -> Mapping[str, ChunkRecord]:
        path = self.folder.parent / Path(folder).name
        return _by_id(path, path.stat().st_mtime_ns) if path.is_dir() else {}

    def _read(self, name: str) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError as fault:
            place = str(self.folder / name)
            raise StorageError("E_IO", fault.strerror or str(fault), place=place) from fault

    def _broken(self, name: str, fault: Exception) -> StorageError:
        return StorageError("E_IO", str(fault), place=str(self.folder / name))


@lru_cache(maxsize=8)
def _by_id(folder: Path, _changed: int) -> Mapping[str, ChunkRecord]:
    return {chunk.id: chunk for chunk in Results(folder).chunks}
