"""Links across the files of a run: 见附件三 leads to the file that is 附件三.

Takes the results of a run, changes what was written where a reference leads to another file, and
gives the results on. Never holds more than one document's text, never guesses between two files
of one number, nor which of two files that ask for it an attachment belongs to.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from headworks.assembly import records
from headworks.assembly.relink import (
    Place,
    Target,
    relinked_chunks,
    relinked_document,
    with_backlinks,
)
from headworks.assembly.report import renewed
from headworks.assembly.shapes import BacklinkRecord, ChunkRecord, DocumentRecord
from headworks.errors import StorageError
from headworks.service import output
from headworks.service.one import Done, Result
from headworks.structure.across import Asked, Key, Offer, asked, is_called, lead

# A reference to a whole attachment names its first chunks; the range tells the rest.
_MOST_CHUNKS = 32
_REPORT, _CHUNKS, _DOCUMENT = "report.html", "chunks.jsonl", "document.json"
_TEXT = "text.txt"

_RECORD = msgspec.json.Decoder(DocumentRecord)
_LINES = msgspec.json.Decoder(ChunkRecord)
Backlinks = dict[str, list[BacklinkRecord]]  # by the id of the chunk they point to


class _Attached(msgspec.Struct, frozen=True):
    """A file that is an attachment: what may be referred to, and where its results are."""

    offer: Offer
    folder: str
    above: PurePosixPath


def link(out: Path, results: Sequence[Result]) -> tuple[Result, ...]:
    """Lead references to the attachments among the results; give the results as they are now."""
    attached: dict[Key, list[_Attached]] = {}
    for one in results:
        if isinstance(one, Done) and one.offer is not None:
            above = PurePosixPath(one.record.path).parent
            found = _Attached(one.offer, one.record.folder, above)
            attached.setdefault(found.offer.key, []).append(found)
    if not attached:
        return tuple(results)
    pointing: dict[str, Backlinks] = {}
    asking = _asking(results, attached)
    linked = tuple(
        _linked(out, one, asking[one.record.folder], pointing)
        if isinstance(one, Done) and one.record.folder in asking
        else one
        for one in results
    )
    for folder, links in pointing.items():
        chunks = with_backlinks(_LINES.decode_lines(_read(out / folder / _CHUNKS)), links)
        record = _RECORD.decode(_read(out / folder / _DOCUMENT))
        _rewrite(out / folder, record, record, chunks)
    return linked


def _asking(
    results: Sequence[Result], attached: Mapping[Key, Sequence[_Attached]]
) -> dict[str, dict[Key, tuple[_Attached, bool]]]:
    """Give, by folder and by what is asked for, the file meant, and whether others mean it too."""
    asking: dict[str, dict[Key, _Attached]] = {}
    askers: Counter[str] = Counter()
    for one in results:
        if not isinstance(one, Done):
            continue
        for key in one.asks:
            other = _nearest(attached.get(key, ()), PurePosixPath(one.record.path).parent)
            if other is not None and other.folder != one.record.folder:
                asking.setdefault(one.record.folder, {})[key] = other
                askers[other.folder] += 1
    return {
        folder: {key: (other, askers[other.folder] > 1) for key, other in meant.items()}
        for folder, meant in asking.items()
    }


def _linked(
    out: Path,
    one: Done,
    meant: Mapping[Key, tuple[_Attached, bool]],
    pointing: dict[str, Backlinks],
) -> Done:
    """Lead the references of one document, and note what points into the others."""
    folder = out / one.record.folder
    own = _read(folder / _TEXT).decode("utf-8", "replace")
    # Where several ask for it, an attachment belongs to those that call it by its name.
    sure = {
        key: other
        for key, (other, contested) in meant.items()
        if not contested or is_called(other.offer, own)
    }
    record = _RECORD.decode(_read(folder / _DOCUMENT))
    wanted: dict[str, list[tuple[Place, Asked]]] = {}
    files = {other.folder: other for other in sure.values()}
    for ref in record.references:
        named = asked(ref.text) if ref.status == "dangling" else None
        if named is not None and named.key in sure:
            wanted.setdefault(sure[named.key].folder, []).append(((ref.start, ref.end), named))
    targets: dict[Place, Target] = {}
    for name, asking in wanted.items():
        targets.update(_targets(out, files[name], asking))
    if not targets:
        return one
    led = relinked_document(record, targets)
    chunks = relinked_chunks(_LINES.decode_lines(_read(folder / _CHUNKS)), targets)
    _note(one.record.folder, chunks, pointing)
    _rewrite(folder, record, led, chunks)
    done = msgspec.structs.replace(one.record, warnings=len(led.warnings))
    return msgspec.structs.replace(one, record=done)


def _nearest(found: Sequence[_Attached], above: PurePosixPath) -> _Attached | None:
    """Give the only one in the same folder; else the only one in a folder above or below it."""
    here = [one for one in found if one.above == above]
    if here:
        return here[0] if len(here) == 1 else None
    near = [one for one in found if one.above in above.parents or above in one.above.parents]
    return near[0] if len(near) == 1 else None


def _targets(
    out: Path, other: _Attached, asking: Iterable[tuple[Place, Asked]]
) -> Iterator[tuple[Place, Target]]:
    text = _read(out / other.folder / _TEXT).decode("utf-8", "replace")
    chunks = _LINES.decode_lines(_read(out / other.folder / _CHUNKS))
    for place, wanted in asking:
        found = lead(wanted, other.offer, text)
        held: tuple[str, ...] = ()
        if found.span is not None:
            start, end = found.span.start, found.span.end
            spans = ((chunk.id, chunk.spans) for chunk in chunks)
            held = tuple(
                id_ for id_, own in spans if any(low < end and start < high for low, high in own)
            )[:_MOST_CHUNKS]
        source = other.offer.source.sha256
        yield place, Target(found.path, source, other.folder, found.span, held, found.why)


def _note(folder: str, chunks: Iterable[ChunkRecord], pointing: dict[str, Backlinks]) -> None:
    for chunk in chunks:
        for ref in chunk.references:
            if isinstance(ref.folder, str) and ref.chunks:
                back = BacklinkRecord(
                    chunk.id, ref.text, ref.start, ref.end, chunk.document, folder
                )
                pointing.setdefault(ref.folder, {}).setdefault(ref.chunks[0], []).append(back)


def _rewrite(
    folder: Path, before: DocumentRecord, record: DocumentRecord, chunks: Sequence[ChunkRecord]
) -> None:
    """Write a document's record and chunks in place of those before, and its page anew."""
    output.write_file(folder / _DOCUMENT, records.encode(record))
    output.write_file(folder / _CHUNKS, records.encode_lines(chunks))
    if os.path.isfile(folder / _REPORT):
        page = renewed(_read(folder / _REPORT), before, record, chunks)
        output.write_file(folder / _REPORT, page)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "", place=str(path)) from fault
