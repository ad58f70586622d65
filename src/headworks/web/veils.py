"""What a reader is shown of a document that rules took something out of.

Takes lines of ``chunks.jsonl``, gives them with the delivered text in place of the original. Never
shows a key of the role read what stood there before: originals are for those who may send.
"""

import re
from collections.abc import AsyncIterator
from typing import Any

import msgspec

# Files that hold the words as they were.
ORIGINALS = frozenset({"text.txt", "document.json", "ledger.jsonl"})
_REDACTED = re.compile(rb'"redactions"\s*:\s*\[\s*\{')


def veiled(line: bytes) -> bytes:
    """Give a chunk's line as it leaves."""
    if not _REDACTED.search(line):
        return line
    chunk: dict[str, Any] = msgspec.json.decode(line)
    chunk["text"] = chunk.get("delivered") or ""
    return msgspec.json.encode(chunk)


async def veiled_lines(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Give the lines of a stream as they leave."""
    held: list[bytes] = []
    async for piece in stream:
        *lines, rest = piece.split(b"\n")
        if not lines:
            held.append(rest)
            continue
        lines[0] = b"".join([*held, lines[0]])
        held = [rest]
        yield b"".join(veiled(line) + b"\n" for line in lines)
    if last := b"".join(held):
        yield veiled(last)
