"""Originals between the moment they are on the disk and the moment a document has them.

Takes streams of bytes, keeps them, and when the caller is through takes away what no document
uses. Never takes bytes away that another upload of the same is about to use, and never lets a
document be put in and be deleted at the same time.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol
from uuid import uuid4

from headworks.store import documents, holds
from headworks.store.blobs import Blobs, Stored
from headworks.store.database import Connection, Database
from headworks.store.locks import hold


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

            async def is_used(connection: Connection) -> bool:
                if await documents.uses(connection, sha256):
                    return True
                return await holds.held(connection, sha256)

            async def take_away() -> None:
                await shop.blobs.delete_original(sha256)

            return await unless_used(shop.database, holds.name_of(sha256), is_used, take_away)


class Keeping:
    """The originals of one call. Made by ``keeping``."""

    def __init__(self, shop: Store) -> None:
        self._shop = shop
        self._name = uuid4().hex
        self._held: list[str] = []
        self._used: set[str] = set()

    async def put(self, content: AsyncIterator[bytes], limit: int) -> Stored:
        """Keep the bytes of a stream, whole or not at all."""
        return await self._shop.blobs.put_stream(content, limit, self._claim)

    async def hold(self, sha256: str) -> None:
        """Hold an original that is there."""
        self._shop.originals.hold(sha256)
        self._held.append(sha256)
        if self._shop.database.engine == "postgres":  # other processes delete, too
            await self._shop.database.transact(lambda c: holds.keep(c, sha256, self._name))

    def used(self, sha256: str) -> None:
        """Say that a document has it now."""
        self._used.add(sha256)

    async def end(self) -> None:
        """Hold nothing any more; what no document has goes."""
        for sha256 in self._held:
            self._shop.originals.release(sha256)
        if self._held and self._shop.database.engine == "postgres":
            await self._shop.database.transact(lambda c: holds.release(c, self._name))
        for sha256 in dict.fromkeys(self._held):
            if sha256 not in self._used:
                await self._shop.originals.forget(self._shop, sha256)
        self._held.clear()

    @asynccontextmanager
    async def _claim(self, sha256: str) -> AsyncIterator[None]:
        """Be alone with an original while it gets its name; it is held from then on."""
        async with self._shop.originals.turns.of(sha256):
            await self.hold(sha256)
            yield


@asynccontextmanager
async def keeping(shop: Store) -> AsyncIterator[Keeping]:
    """Hold originals as long as the context is open; afterwards those unused are gone."""
    held = Keeping(shop)
    try:
        yield held
    finally:
        await held.end()


async def unless_used(
    database: Database,
    name: str,
    is_used: Callable[[Connection], Awaitable[bool]],
    take_away: Callable[[], Awaitable[None]],
) -> bool:
    """Take files away unless they are used; tell whether they went.

    No process that holds the name to use them comes in between. On the embedded engine there is
    none, and the caller has the turn.
    """

    async def work(connection: Connection) -> bool:
        await hold(connection, name)
        if await is_used(connection):
            return False
        await take_away()
        return True

    if database.engine == "postgres":
        return await database.transact(work)
    if await database.read(is_used):
        return False
    await take_away()
    return True
