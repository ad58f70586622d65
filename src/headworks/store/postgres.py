"""The engine for many machines: PostgreSQL through asyncpg.

Takes work (coroutines over a connection), gives its values once they are durable. Never gives up
at once where the server is away or two transactions are in each other's way: the work is run
again, so work must bear that. Time is the server's.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import asyncpg

from headworks.errors import ConfigError, FaultError, HeadworksError, StorageError
from headworks.store.channels import Channels
from headworks.store.database import Engine, Row, Value, Work
from headworks.store.tables import statements

# Machines that join at the same time make the tables one after the other.
_TABLES_LOCK = 7_350_021
_CHANNEL = "headworks"
_CONNECTIONS = 8
# A server that restarts is waited for so long; then the caller is told E_IO.
_AWAY_SECONDS = 60.0
_CONNECT_SECONDS = 10.0
# Calls of one channel that come within this time are one.
_CALL_SECONDS = 0.02
_CLOCK_SECONDS = 1.0
# Plans must walk the queue's indexes whatever the statistics say of a table that just grew.
_SETTINGS = {
    "application_name": "headworks",
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "jit": "off",
}
_AGAIN = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    # Two put the same key in at once; the second finds the first's.
    asyncpg.UniqueViolationError,
    OSError,
    TimeoutError,
)


class PostgresConnection:
    """One transaction on PostgreSQL."""

    engine: Engine = "postgres"

    def __init__(self, raw: Any, now: float) -> None:
        self._raw = raw
        self._now = now

    async def fetch(self, statement: str, *values: object) -> Sequence[Row]:
        """Run a statement and give its rows."""
        rows: Sequence[Row] = await self._raw.fetch(_numbered(statement), *values)
        return rows

    async def execute(self, statement: str, *values: object) -> int:
        """Run a statement and give how many rows it touched."""
        status: str = await self._raw.execute(_numbered(statement), *values)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdecimal() else 0

    def now(self) -> float:
        """Give the server's clock in seconds."""
        return self._now


class PostgresDatabase:
    """The database of many machines. Made by ``open_postgres``."""

    engine: Engine = "postgres"

    def __init__(self, address: str, pool: Any) -> None:
        self._address = address
        self._pool = pool
        self._channels = Channels()
        self._calls: set[str] = set()
        self._called = asyncio.Event()
        # When the server's clock was looked at, by ours, and what it said.
        self._clock = (0.0, 0.0)
        self._closed = False
        self._tasks = [
            asyncio.create_task(self._listen(), name="headworks-listen"),
            asyncio.create_task(self._call(), name="headworks-call"),
        ]

    async def transact(self, work: Work[Value]) -> Value:
        """Run the work in a transaction; it is durable when this returns.

        Where the connection breaks in the commit nobody knows whether it was done: work is run
        again and finds out by itself (keys, fences).
        """
        return await self._run(work, readonly=False)

    async def read(self, work: Work[Value]) -> Value:
        """Run work that changes nothing, in one view of the tables."""
        return await self._run(work, readonly=True)

    async def notify(self, channel: str) -> None:
        """Wake whoever waits on the channel: here at once, in other processes very soon."""
        self._channels.call(channel)
        self._calls.add(channel)
        self._called.set()

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for a notification, at most so long; tell whether one came."""
        return await self._channels.wait(channel, seconds)

    async def close(self) -> None:
        """Finish what was handed in and let go."""
        if self._closed:
            return
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*_AGAIN):
            async with asyncio.timeout(_CONNECT_SECONDS):
                await self._pool.close()
                return
        self._pool.terminate()

    async def _run(self, work: Work[Value], *, readonly: bool) -> Value:
        """Run work, again while the server is away or the work was in another's way."""
        until = time.monotonic() + _AWAY_SECONDS
        delay = 0.02
        while True:
            if self._closed:
                raise StorageError("E_IO", "the database is closed", place=self._place())
            try:
                return await self._once(work, readonly=readonly)
            except _AGAIN as error:
                if _is_ours(error):
                    raise FaultError("E_FAULT", str(error)) from error
                if time.monotonic() > until:
                    raise self._refused(error) from error
            except asyncpg.PostgresError as error:
                raise self._refused(error) from error
            await asyncio.sleep(delay * random.uniform(0.5, 1.5))
            delay = min(delay * 2, 1.0)

    async def _once(self, work: Work[Value], *, readonly: bool) -> Value:
        """Run work in one transaction."""
        async with self._pool.acquire(timeout=_CONNECT_SECONDS) as raw:
            now = await self._now(raw)
            # One view of the tables is enough for reading, and lets numbers agree.
            isolation = "repeatable_read" if readonly else "read_committed"
            async with raw.transaction(isolation=isolation, readonly=readonly):
                return await work(PostgresConnection(raw, now))

    async def _now(self, raw: Any) -> float:
        """Give the server's clock, looked at once a second and carried on by ours."""
        looked, at = self._clock
        if looked == 0.0 or time.monotonic() - looked > _CLOCK_SECONDS:
            at = await raw.fetchval("SELECT extract(epoch FROM clock_timestamp())::float8")
            looked = time.monotonic()
            self._clock = (looked, at)
        return at + (time.monotonic() - looked)

    def _refused(self, error: BaseException) -> HeadworksError:
        """Give what the user is told when the server says no."""
        return StorageError("E_IO", str(error) or type(error).__name__, place=self._place())

    def _place(self) -> str:
        """Give the address without its password."""
        return self._address.rpartition("@")[2]

    async def _call(self) -> None:
        """Pass calls on to the other processes, a few at a time and after their commit."""
        while True:
            await self._called.wait()
            await asyncio.sleep(_CALL_SECONDS)
            self._called.clear()
            channels, self._calls = sorted(self._calls), set()
            with contextlib.suppress(*_AGAIN, asyncpg.PostgresError):
                async with self._pool.acquire(timeout=_CONNECT_SECONDS) as raw:
                    await raw.execute(
                        "SELECT pg_notify($1, channel) FROM unnest($2::text[]) AS channel",
                        _CHANNEL,
                        channels,
                    )

    async def _listen(self) -> None:
        """Hear calls of other processes; after a break everyone looks for himself."""
        while True:
            raw: Any = None
            with contextlib.suppress(*_AGAIN, asyncpg.PostgresError):
                raw = await asyncpg.connect(
                    self._address, timeout=_CONNECT_SECONDS, server_settings=_SETTINGS
                )
                ended = asyncio.Event()
                raw.add_termination_listener(lambda _connection, ended=ended: ended.set())
                await raw.add_listener(_CHANNEL, self._hear)
                self._channels.call_all()
                try:
                    await ended.wait()
                finally:
                    if not raw.is_closed():
                        raw.terminate()
            self._channels.call_all()
            await asyncio.sleep(0.5)

    def _hear(self, _connection: object, _process: int, _channel: str, payload: str) -> None:
        self._channels.call(payload)


async def open_postgres(address: str) -> PostgresDatabase:
    """Open the database at ``postgresql://…``, making the tables where there are none.

    Raises ConfigError for an address that is none, StorageError E_IO where no server answers.
    """
    place = address.rpartition("@")[2]
    began = time.monotonic()
    while True:
        try:
            pool = await asyncpg.create_pool(
                address,
                min_size=0,
                max_size=_CONNECTIONS,
                timeout=_CONNECT_SECONDS,
                reset=_leave_as_it_is,
                server_settings=_SETTINGS,
            )
            await _make_tables(pool)
            return PostgresDatabase(address, pool)
        except (asyncpg.ClientConfigurationError, ValueError) as error:
            raise ConfigError("E_CONFIG", str(error), place=place) from error
        except _AGAIN as error:
            # A server that says that it starts is there: it is worth waiting for.
            starting = isinstance(error, asyncpg.CannotConnectNowError)
            if time.monotonic() - began > (_AWAY_SECONDS if starting else _CONNECT_SECONDS):
                raise StorageError("E_IO", str(error), place=place) from error
        except asyncpg.PostgresError as error:
            raise StorageError("E_IO", str(error), place=place) from error
        await asyncio.sleep(0.2)


async def _leave_as_it_is(_connection: object) -> None:
    """A transaction of ours leaves nothing behind in its session that would have to be reset."""


async def _make_tables(pool: Any) -> None:
    """Make what is missing, one machine at a time."""
    async with pool.acquire() as raw, raw.transaction():
        await raw.execute(f"SELECT pg_advisory_xact_lock({_TABLES_LOCK})")
        await raw.execute("SET LOCAL client_min_messages = warning")
        for statement in statements("postgres"):
            await raw.execute(statement)


def _is_ours(error: BaseException) -> bool:
    """Tell a wrong use of the driver, which no second try heals, from a connection that is gone."""
    return isinstance(error, asyncpg.InterfaceError) and "closed" not in str(error)


@lru_cache(maxsize=4096)
def _numbered(statement: str) -> str:
    """Give a statement with ``$1`` for the first ``?``, as PostgreSQL numbers them.

    No statement of ours has a question mark in a literal.
    """
    pieces = statement.split("?")
    return "".join(
        f"{piece}${number}" if number < len(pieces) else piece
        for number, piece in enumerate(pieces, 1)
    )
