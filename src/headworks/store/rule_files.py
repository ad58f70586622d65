"""The rule packs that documents were taken in with, by the hash of their bytes.

Takes packs as files, gives them again by hash on any machine. Never changes one: other bytes are
another file.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from headworks.store.database import Connection

_TABLE = (
    "CREATE TABLE IF NOT EXISTS rule_files"
    " (digest TEXT PRIMARY KEY, file TEXT NOT NULL, content TEXT NOT NULL)"
)


def digest_of(content: bytes) -> str:
    """Give the hash that a pack's bytes are kept under."""
    return blake2b(content, digest_size=16).hexdigest()


async def prepare(connection: Connection) -> None:
    """Make the table where there is none."""
    await connection.execute(_TABLE)


async def keep(connection: Connection, files: Iterable[tuple[str, bytes]]) -> None:
    """Keep packs: names of files with their bytes."""
    for file, content in files:
        await connection.execute(
            "INSERT INTO rule_files (digest, file, content) VALUES (?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            digest_of(content),
            file,
            b64encode(content).decode(),
        )


async def find(connection: Connection, digests: Sequence[str]) -> dict[str, bytes]:
    """Give the bytes of packs by their hashes; those that are not there are missing."""
    found: dict[str, bytes] = {}
    for digest in dict.fromkeys(digests):
        rows = await connection.fetch("SELECT content FROM rule_files WHERE digest = ?", digest)
        if rows:
            found[digest] = b64decode(rows[0]["content"])
    return found
