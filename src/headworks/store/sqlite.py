"""The embedded engine: SQLite, written by one thread, many transactions in one commit.

Takes work (coroutines over a connection), gives its values once they are on the disk. Never lets
a second process write, and never keeps a part of a transaction: what the disk refuses is
StorageError E_IO, and the next transaction finds the state from before.
"""

import asyncio
import fcntl
import os
import queue
import sqlite3
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from headworks.errors import FaultError, HeadworksError, StorageError
from headworks.store.channels import Channels
from headworks.store.database import Engine, Row, Value, Work
from headworks.store.tables import statements

# As many transactions share one commit; more only make the first of them wait.
_MOST_TOGETHER = 256
_READERS = 2
_BUSY_MILLISECONDS = 5_000
# Another program may hold the file that long (a copy, a look with the sqlite3 shell).
_BUSY_SECONDS = 30.0
_PRAGMAS = (
    f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -32768",
    "PRAGMA wal_autocheckpoint = 2000",
    "PRAGMA journal_size_limit = 67108864",
)


class SqliteConnection:
    """One transaction on the embedded engine; its methods never really wait."""

    engine: Engine = "sqlite"

    def __init__(self, raw: sqlite3.Connection, now: float) -> None:
        self._raw = raw
        self._now = now

    async def fetch(self, statement: str, *values: object) -> Sequence[Row]:
        """Run a statement and give its rows."""
        return self._raw.execute(statement, values).fetchall()

    async def execute(self, statement: str, *values: object) -> int:
        """Run a statement and give how many rows it touched."""
        return self._raw.execute(statement, values).rowcount

    def now(self) -> float:
        """Give the store's clock in seconds."""
        return self._now


class _Task(NamedTuple):
    """Work handed to the writer, and where its outcome goes."""

    work: Work[Any]
    future: asyncio.Future[Any]


Outcome = tuple[Any, BaseException | None]


class SqliteDatabase:
    """The embedded database. Made by ``open_sqlite``."""

    engine: Engine = "sqlite"

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock
        self._wall, self._started = time.time(), time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._channels = Channels()
        self._inbox: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = False
        self._raw = _connect(path)
        for statement in statements("sqlite"):
            self._raw.execute(statement)
        self._local = threading.local()
        self._read_connections: list[sqlite3.Connection] = []
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="headworks-read")
        self._writer = threading.Thread(target=self._write, name="headworks-write", daemon=True)
        self._writer.start()

    def now(self) -> float:
        """Give the clock: wall time at the start and monotonic time since, whatever is set."""
        return self._wall + (time.monotonic() - self._started)

    async def transact(self, work: Work[Value]) -> Value:
        """Run the work in a transaction; it is durable when this returns."""
        if self._closed:
            raise StorageError("E_IO", "the database is closed", place=str(self.path))
        future: asyncio.Future[Value] = self._loop.create_future()
        self._inbox.put(_Task(work, future))
        return await future

    async def read(self, work: Work[Value]) -> Value:
        """Run work that changes nothing, beside the writer."""
        if self._closed:
            raise StorageError("E_IO", "the database is closed", place=str(self.path))
        return await self._loop.run_in_executor(self._readers, self._read, work)

    async def notify(self, channel: str) -> None:
        """Wake whoever waits on the channel; the embedded engine has one process."""
        self._channels.call(channel)

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for a notification, at most so long; tell whether one came."""
        return await self._channels.wait(channel, seconds)

    async def close(self) -> None:
        """Finish what was handed in and let go."""
        if self._closed:
            return
        self._closed = True
        self._inbox.put(None)
        await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        for raw in (*self._read_connections, self._raw):
            raw.close()
        os.close(self._lock)

    def _read(self, work: Work[Value]) -> Value:
        """Run reading work on this thread's own connection, in one view of the tables."""
        raw: sqlite3.Connection | None = getattr(self._local, "raw", None)
        try:
            if raw is None:
                raw = _connect(self.path)
                raw.execute("PRAGMA query_only = 1")
                self._local.raw = raw
                self._read_connections.append(raw)
            raw.execute("BEGIN")
            try:
                return _drive(work, SqliteConnection(raw, self.now()))
            finally:
                if raw.in_transaction:
                    raw.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise _refused(error, self.path) from error

    def _write(self) -> None:
        """Be the writer: take what is there, run it in one transaction, tell the outcomes."""
        while True:
            first = self._inbox.get()
            if first is None:
                return
            tasks, last = [first], False
            while len(tasks) < _MOST_TOGETHER and not last:
                try:
                    task = self._inbox.get_nowait()
                except queue.Empty:
                    break
                if task is None:
                    last = True
                else:
                    tasks.append(task)
            outcomes = self._commit([task.work for task in tasks])
            self._loop.call_soon_threadsafe(_settle, tasks, outcomes)
            if last:
                return

    def _commit(self, works: Sequence[Work[Any]]) -> list[Outcome]:
        """Run works in one transaction, each in its own savepoint."""
        raw = self._raw
        try:
            self._begin()
            connection = SqliteConnection(raw, self.now())
            outcomes = [_in_savepoint(raw, connection, work) for work in works]
            raw.execute("COMMIT")
        except sqlite3.Error as error:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            return [(None, _refused(error, self.path))] * len(works)
        return outcomes

    def _begin(self) -> None:
        """Begin to write; wait while another program holds the file."""
        until = time.monotonic() + _BUSY_SECONDS
        while True:
            try:
                self._raw.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                if time.monotonic() > until:
                    raise


async def open_sqlite(path: Path) -> SqliteDatabase:
    """Open the embedded database, making it where there is none.

    Raises StorageError E_IO where the file cannot be used or another process has it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageError("E_IO", str(error.strerror), place=str(path)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return SqliteDatabase(path, lock)
    except BlockingIOError as error:
        os.close(lock)
        raise StorageError("E_IO", "another headworks has it open", place=str(path)) from error
    except sqlite3.Error as error:
        os.close(lock)
        raise _refused(error, path) from error


def _connect(path: Path) -> sqlite3.Connection:
    raw = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    raw.row_factory = sqlite3.Row
    for pragma in _PRAGMAS:
        raw.execute(pragma)
    return raw


def _drive(work: Work[Value], connection: SqliteConnection) -> Value:
    """Run work to its end: nothing it may await ever waits."""
    coroutine: Any = work(connection)
    try:
        coroutine.send(None)
    except StopIteration as stop:
        value: Value = stop.value
        return value
    except RuntimeError as error:
        if "no running event loop" not in str(error):
            raise
    coroutine.close()
    raise FaultError("E_FAULT", "work in a transaction awaits something besides its connection")


def _in_savepoint(
    raw: sqlite3.Connection, connection: SqliteConnection, work: Work[Any]
) -> Outcome:
    """Run one piece of work so that its failure undoes nothing but itself.

    What the disk refuses undoes the whole transaction: SQLite may have done so already.
    """
    raw.execute("SAVEPOINT work")
    try:
        value = _drive(work, connection)
    except Exception as error:
        if isinstance(error, sqlite3.Error) and _is_storage(error):
            raise
        raw.execute("ROLLBACK TO work")
        raw.execute("RELEASE work")
        return None, error
    raw.execute("RELEASE work")
    return value, None


def _settle(tasks: Sequence[_Task], outcomes: Sequence[Outcome]) -> None:
    """Hand outcomes to those who wait for them, in the event loop."""
    for task, (value, error) in zip(tasks, outcomes, strict=True):
        if task.future.done():
            continue
        if error is None:
            task.future.set_result(value)
        else:
            task.future.set_exception(error)


_STORAGE_ERRORS = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_NOMEM,
}


def _is_storage(error: sqlite3.Error) -> bool:
    """Tell an error of the disk from one of the statement."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _STORAGE_ERRORS


def _refused(error: sqlite3.Error, path: Path) -> HeadworksError:
    """Give what the user is told: the disk's refusal, or our own fault."""
    if _is_storage(error):
        return StorageError("E_IO", str(error), place=str(path))
    return FaultError("E_FAULT", str(error), place=path.name)
