"""Questions about one file, one chunk, one code.

Takes paths and names, gives records. Never writes but what it is asked to write.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from headworks.assembly import records
from headworks.assembly.formats import FORMATS
from headworks.assembly.shapes import ChunkRecord, DocumentRecord
from headworks.config import Settings
from headworks.errors import ConfigError, StorageError
from headworks.model.document import Document
from headworks.readers.sandbox import Sandbox
from headworks.service import output
from headworks.structure.passes import structure

_SHORTEST_ID = 4


def outlined(path: Path, settings: Settings) -> tuple[Document, DocumentRecord]:
    """Read a file and give its structure: the document, and its record without chunks."""
    with Sandbox(settings.read, expect=path) as sandbox:
        document = sandbox.read(path)
    document = structure(document, settings.structure)
    versions = records.versions_record(settings.fingerprint(), {})
    return document, records.document_record(document, (), versions, chunks=0)


def find_chunk(out: Path, wanted: str) -> tuple[Path, ChunkRecord] | None:
    """Give the folder and the record of the chunk whose id begins so, among the results in ``out``.

    Raises ConfigError where the beginning is short or fits several chunks.
    """
    if len(wanted) < _SHORTEST_ID:
        raise ConfigError("E_CONFIG", f"an id of at least {_SHORTEST_ID} characters is needed")
    decoder = msgspec.json.Decoder(ChunkRecord)
    mark = b'{"id":"' + wanted.encode("utf-8", "replace")
    found: list[tuple[Path, ChunkRecord]] = []
    for path in sorted(out.glob("*/chunks.jsonl")):
        found.extend(
            (path.parent, decoder.decode(encoded))
            for encoded in _read(path).splitlines()
            if encoded.startswith(mark)
        )
    if len({chunk.id for _, chunk in found}) > 1:
        ids = ", ".join(sorted({chunk.id for _, chunk in found})[:5])
        raise ConfigError("E_CONFIG", f"several chunks begin so: {ids}")
    return found[0] if found else None


def formatted(out: Path, folders: Sequence[str], name: str) -> bytes:
    """Give the chunks of results in a format: jsonl, md, langchain, llamaindex, or html."""
    if name == "html":
        return b"".join(_read(out / folder / "report.html") for folder in folders)
    decoder = msgspec.json.Decoder(ChunkRecord)
    write_format = FORMATS[name]
    return b"".join(
        write_format(decoder.decode_lines(_read(out / folder / "chunks.jsonl")))
        for folder in folders
    )


def write(path: Path, content: bytes) -> None:
    """Put content into a file, whole or not at all."""
    output.write_file(path, content)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "", place=str(path)) from fault
