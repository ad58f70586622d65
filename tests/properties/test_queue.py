"""Whatever is done with a queue, in whatever order: no job lost, none completed twice."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from hypothesis import HealthCheck, Phase, settings

from headworks.store.database import Database
from headworks.store.postgres import open_postgres
from headworks.store.sqlite import open_sqlite
from tests.build.postgres import PostgresServer, binaries
from tests.properties.queue_machine import QueueMachine

_SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
# Shrinking a sequence of calls to two databases takes minutes: HEADWORKS_SHRINK=1 does it.
_PHASES = tuple(
    phase for phase in Phase if phase is not Phase.shrink or os.environ.get("HEADWORKS_SHRINK")
)
_SERVERS: list[PostgresServer] = []


@pytest.fixture(scope="module", autouse=True)
def _close_servers() -> Iterator[None]:
    """End the server, if one was needed."""
    yield
    while _SERVERS:
        _SERVERS.pop().close()


class OnSqlite(QueueMachine):
    """The embedded engine."""

    async def open(self) -> Database:
        """Open an empty database in a folder of its own."""
        self.folder = Path(tempfile.mkdtemp())
        return await open_sqlite(self.folder / "queue.db")

    def teardown(self) -> None:
        """Remove the folder too."""
        super().teardown()
        shutil.rmtree(self.folder)


class OnPostgres(QueueMachine):
    """PostgreSQL, emptied before each run."""

    async def open(self) -> Database:
        """Open the one database and empty its tables."""
        if not _SERVERS:
            _SERVERS.append(PostgresServer())
        database = await open_postgres(_SERVERS[0].address)
        raw = await asyncpg.connect(_SERVERS[0].address)
        await raw.execute("TRUNCATE jobs, lanes, events, pauses")
        await raw.close()
        return database


OnSqlite.TestCase.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=_SLOW,
    phases=_PHASES,
)
OnPostgres.TestCase.settings = settings(
    max_examples=6,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=_SLOW,
    phases=_PHASES,
)
TestSqlite = OnSqlite.TestCase
TestPostgres = pytest.mark.skipif(binaries() is None, reason="PostgreSQL is not installed")(
    OnPostgres.TestCase
)
