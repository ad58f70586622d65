"""Originals between the moment they are on the disk and the moment a document has them.

Takes streams of bytes, keeps them, and when the caller is through takes away what no document
uses. Never takes bytes away that another upload of the same is about to use, and never lets a
document be put in and be deleted at the same time.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from headworks.store import documents
from headworks.store.blobs import Blobs, Stored
from headworks.store.database import Database


class Turns:
    """Takes turns by name: who has the turn of a name is alone with it."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._wanted = Counter[str]()

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Have the turn of a name."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        self._wanted[name] += 1
        try:
            async with lock:
                yield
        finally:
            self._wanted[name] -= 1
            if not self._wanted[name]:
                del self._wanted[name], self._locks[name]


class Store(Protocol):
    """What of a service is needed here."""

    database: Database
    blobs: Blobs
    originals: "Originals"


class Originals:
    """Which originals somebody in this process is about to use."""

    def __init__(self) -> None:
        self.turns = Turns()
        self._held = Counter[str]()

    def hold(self, sha256: str) -> None:
        """Keep an original though no document has it yet."""
        self._held[sha256] += 1

    def release(self, sha256: str) -> None:
        """Hold it no longer."""
        self._held[sha256] -= 1
        if self._held[sha256] <= 0:
            del self._held[sha256]

    async def forget(self, shop: Store, sha256: str) -> bool:
        """Take an original away that nobody has or is about to use; tell whether it was one."""
        async with self.turns.of(sha256):
            if sha256 in self._held:
                return False
            if await shop.database.read(lambda connection: documents.uses(connection, sha256)):
                return False
            await shop.blobs.delete_original(sha256)
            return True


class Keeping:
    """The originals of one call. Made by ``keeping``."""

    def __init__(self, shop: Store) -> None:
        self._shop = shop
        self._held: list[str] = []
        self._used: set[str] = set()

    async def put(self, content: AsyncIterator[bytes], limit: int) -> Stored:
        """Keep the bytes of a stream, whole or not at all."""
        return await self._shop.blobs.put_stream(content, limit, self._claim)

    def hold(self, sha256: str) -> None:
        """Hold an original that is there."""
        self._shop.originals.hold(sha256)
        self._held.append(sha256)

    def used(self, sha256: str) -> None:
        """Say that a document has it now."""
        self._used.add(sha256)

    async def end(self) -> None:
        """Hold nothing any more; what no document has goes."""
        for sha256 in self._held:
            self._shop.originals.release(sha256)
        for sha256 in dict.fromkeys(self._held):
            if sha256 not in self._used:
                await self._shop.originals.forget(self._shop, sha256)
        self._held.clear()

    @asynccontextmanager
    async def _claim(self, sha256: str) -> AsyncIterator[None]:
        """Be alone with an original while it gets its name; it is held from then on."""
        async with self._shop.originals.turns.of(sha256):
            self.hold(sha256)
            yield


@asynccontextmanager
async def keeping(shop: Store) -> AsyncIterator[Keeping]:
    """Hold originals as long as the context is open; afterwards those unused are gone."""
    held = Keeping(shop)
    try:
        yield held
    finally:
        await held.end()
