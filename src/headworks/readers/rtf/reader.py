"""Reading RTF: groups and control words in, paragraphs and tables out.

Takes an RTF file or its bytes, gives blocks with their looks. Never keeps a picture's or an
object's bytes, never runs a field.
"""

from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Source
from headworks.readers.builder import DocumentBuilder
from headworks.readers.rtf.walk import Walk


def read_rtf(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read an RTF file."""
    builder = DocumentBuilder(source)
    raw = path.read_bytes()
    whole = write_rtf(raw, builder)
    if not whole and not settings.salvage:
        raise InputError("E_CORRUPT", "groups are not closed: the file is cut off")
    if not whole:
        builder.problem("W_SALVAGED", "groups are not closed: the file is cut off")
    return builder.finish()


def write_rtf(raw: bytes, builder: DocumentBuilder) -> bool:
    """Write the blocks of RTF; tell whether it was whole."""
    walk = Walk(raw, builder)
    walk.run()
    known = {key: text for key, text in walk.facts.items() if text.strip("? ")}
    metadata = builder.metadata
    builder.metadata = msgspec.structs.replace(
        metadata,
        title=metadata.title or known.get("title"),
        author=metadata.author or known.get("author"),
    )
    if walk.pictures:
        more = {**builder.metadata.more, "pictures": walk.pictures}
        builder.metadata = msgspec.structs.replace(builder.metadata, more=more)
    return walk.whole
