"""Documents to bytes and back: between the reading process and its parent, and into the store.

Takes a ``Document`` or its bytes, gives the other; the two are each other's inverse. Never reads
bytes of an unknown layout: the first field names the version.
"""

from operator import attrgetter

import msgspec

from headworks.model.document import PLAIN, Block, BlockKind, Document, Role, Style
from headworks.model.place import Place, Span

VERSION = 1


class _Plain(msgspec.Struct, array_like=True, gc=False):
    """A block with nothing beside the fields that each block has; its style by number.

    Nineteen of twenty blocks are like this. Positions for names and numbers for styles make it a
    quarter of the bytes and of the time, and the blocks share their styles afterwards.
    """

    id: int
    kind: BlockKind
    span: Span
    role: Role
    place: Place
    style: int


class _Wire(msgspec.Struct, array_like=True):
    version: int
    document: Document
    styles: list[Style]
    plain: list[_Plain | None]  # none where the next of ``whole`` stands
    whole: list[Block]


_SHORT = frozenset(_Plain.__struct_fields__)
_FIELDS = tuple(name for name in Block.__struct_fields__ if name not in _SHORT)
_further = attrgetter(*_FIELDS)
_NOTHING_FURTHER = _further(Block(0, "paragraph", Span(0, 0), place=None))  # type: ignore[arg-type]
_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Wire)


def encode(document: Document) -> bytes:
    """Give the document's bytes (msgpack)."""
    numbers: dict[Style, int] = {PLAIN: 0}
    plain: list[_Plain | None] = []
    whole: list[Block] = []
    for block in document.blocks:
        if _further(block) == _NOTHING_FURTHER:
            style = numbers.setdefault(block.style, len(numbers))
            plain.append(_Plain(block.id, block.kind, block.span, block.role, block.place, style))
        else:
            plain.append(None)
            whole.append(block)
    bare = msgspec.structs.replace(document, blocks=())
    return _encoder.encode(_Wire(VERSION, bare, list(numbers), plain, whole))


def decode(raw: bytes | bytearray | memoryview) -> Document:
    """Give the document again. Raises msgspec.DecodeError for anything else."""
    wire = _decoder.decode(raw)
    if wire.version != VERSION:
        raise msgspec.DecodeError(f"document layout {wire.version}, this is {VERSION}")
    styles = wire.styles
    whole = iter(wire.whole)
    blocks = [
        next(whole)
        if block is None
        else Block(block.id, block.kind, block.span, block.place, block.role, styles[block.style])
        for block in wire.plain
    ]
    return msgspec.structs.replace(wire.document, blocks=tuple(blocks))
