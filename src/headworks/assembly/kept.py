"""``document.bin``: a document as the stages left it, kept beside its results for the assembly.

Takes a document and how many chunks it was cut into, gives bytes; and the way back. Never leaves
the folder of the results: it holds the text as it was read.
"""

import msgspec

from headworks.errors import StorageError
from headworks.model.codec import decode as decode_document
from headworks.model.codec import encode as encode_document
from headworks.model.document import Document

KEPT_FILE = "document.bin"
_VERSION = 1


class Kept(msgspec.Struct, frozen=True):
    """What assembly needs beside the records; ``cut`` counts chunks before rules merged some."""

    document: Document
    cut: int


class _Wire(msgspec.Struct, frozen=True, array_like=True):
    version: int
    cut: int
    document: bytes


_DECODER = msgspec.msgpack.Decoder(_Wire)


def encode(document: Document, cut: int) -> bytes:
    """Give the bytes of the file."""
    return msgspec.msgpack.encode(_Wire(_VERSION, cut, encode_document(document)))


def decode(content: bytes, place: str = KEPT_FILE) -> Kept:
    """Give what was kept. Raises StorageError (E_IO) for bytes of another version."""
    try:
        wire = _DECODER.decode(content)
        if wire.version != _VERSION:
            raise ValueError(f"version {wire.version}")
        return Kept(decode_document(wire.document), wire.cut)
    except (ValueError, msgspec.DecodeError) as fault:
        raise StorageError("E_IO", f"not a kept document: {fault}", place=place) from fault
