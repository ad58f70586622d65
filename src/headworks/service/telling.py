"""Events of a document while it is processed: told in small groups, in order.

Takes what a worker says, writes events and wakes who follows the job. Never text.
"""

import asyncio
import contextlib
from typing import Self

from headworks.dispatch import journal
from headworks.model.job import Job
from headworks.service.tasks import ChunkMade, Stage
from headworks.store.database import Connection, Database

_FLUSH_SECONDS = 0.2
_MOST_TOGETHER = 500
_UNTOLD = ("direct", "check")  # over before anybody could look


class Telling:
    """Gathers what is heard and writes it now and then; what is left goes with the end."""

    def __init__(self, database: Database, job: Job) -> None:
        self.chunks: list[ChunkMade] = []
        self._database = database
        self._job = job
        self._waiting: list[tuple[str, journal.Body]] = []
        self._over = asyncio.Event()
        self._flushing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._flushing = asyncio.create_task(self._flush_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._over.set()
        if self._flushing is not None:
            await asyncio.gather(self._flushing, return_exceptions=True)

    async def write(self, connection: Connection) -> None:
        """Write what is left in the transaction of the document's end."""
        for kind, body in self._waiting:
            await journal.emit(connection, self._job.root, kind, body)

    async def flush(self) -> None:
        """Write what is left now."""
        while self._waiting:
            some = self._waiting[:_MOST_TOGETHER]
            await self._database.transact(_Some(self._job.root, some).write)
            del self._waiting[: len(some)]
            await self._database.notify(f"events:{self._job.root}")

    def hear(self, told: Stage | ChunkMade) -> None:
        """Take what a worker says."""
        if isinstance(told, Stage):
            if told.name in _UNTOLD:
                return
            body: journal.Body = {"document": self._job.document, "stage": told.name}
            if told.of:
                body |= {"page": told.page, "of": told.of}
            self._say("stage", body)
            return
        self.chunks.append(told)
        chunk: journal.Body = {
            "document": self._job.document,
            "chunk": told.id,
            "ordinal": told.ordinal,
            "kind": told.kind,
            "pages": ",".join(map(str, told.pages)),
            "cells": told.cells,
            "pipeline": told.pipeline,
            "priority": told.priority,
            "tokens": told.tokens,
            "skipped": told.skipped,
        }
        self._say("chunk", chunk)

    def _say(self, kind: str, body: journal.Body) -> None:
        self._waiting.append((kind, body))

    async def _flush_on(self) -> None:
        """Write now and then; it is let end, never broken off: nothing is written twice."""
        while not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_FLUSH_SECONDS):
                    await self._over.wait()
            if not self._over.is_set():
                await self.flush()


class _Some:
    """A group of events of one job."""

    def __init__(self, root: str, events: list[tuple[str, journal.Body]]) -> None:
        self._root = root
        self._events = events

    async def write(self, connection: Connection) -> None:
        """Write them in order."""
        for kind, body in self._events:
            await journal.emit(connection, self._root, kind, body)
