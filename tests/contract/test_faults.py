"""Faults of disk, clock and server: told, survived, and nothing half done."""

import asyncio
import contextlib
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.errors import ConfigError, FaultError, StorageError
from headworks.store.database import Connection, Database
from headworks.store.postgres import open_postgres
from headworks.store.sqlite import open_sqlite
from tests.build.jobs import job
from tests.build.postgres import PostgresServer
from tests.contract.conftest import schema_address
from tests.service.scale_out import Plan, carry_out

pytestmark = pytest.mark.anyio


@contextlib.contextmanager
def small_disk(limit: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


async def test_a_full_disk_takes_nothing_half(tmp_path: Path) -> None:
    """While the disk is full each call is E_IO or whole; with space again the queue goes on."""
    path = tmp_path / "queue.db"
    database = await open_sqlite(path)
    queue = Queue(database, ServiceSettings())
    await queue.enqueue([job("before")])
    size = max(path.stat().st_size, path.with_name("queue.db-wal").stat().st_size)
    kept: list[str] = []
    refused = 0
    with small_disk(size + 64 * 1024):
        for n in range(60):
            pair = [job(f"a{n}", document="x" * 2000), job(f"b{n}")]
            try:
                kept += [one.id for one in await queue.enqueue(pair)]
            except StorageError:
                refused += 1
        (lease,) = await _patiently(queue)
    assert refused > 10
    assert await queue.complete(lease)
    kept += [one.id for one in await queue.enqueue([job("after")])]
    claimed = await queue.claim("w", ["process"], most=500)
    assert sorted([one.job.id for one in claimed] + [lease.job.id]) == sorted([*kept, "before"])
    await database.close()
    with contextlib.closing(sqlite3.connect(path)) as raw:
        assert raw.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def _patiently(queue: Queue) -> tuple:  # type: ignore[type-arg]
    """Claim; where even this is refused, lift the bound and claim again."""
    try:
        return await queue.claim("w", ["process"])
    except StorageError:
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        return await queue.claim("w", ["process"])


async def test_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    """While another program holds the file, work waits and reading goes on; then all is done."""
    database = await open_sqlite(tmp_path / "queue.db")
    queue = Queue(database, ServiceSettings())
    await queue.enqueue([job("a")])
    with contextlib.closing(sqlite3.connect(tmp_path / "queue.db", isolation_level=None)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        putting = asyncio.create_task(queue.enqueue([job("b")]))
        await asyncio.sleep(0.2)
        assert not putting.done()
        assert await queue.get("a") is not None
        raw.execute("ROLLBACK")
    assert (await asyncio.wait_for(putting, 10.0))[0].id == "b"
    await database.close()


async def test_one_process_has_the_embedded_database(tmp_path: Path) -> None:
    """A second service on the same folder is refused with a reason; after a close it may."""
    first = await open_sqlite(tmp_path / "queue.db")
    with pytest.raises(StorageError, match="E_IO"):
        await open_sqlite(tmp_path / "queue.db")
    await first.close()
    await first.close()
    with pytest.raises(StorageError, match="E_IO"):
        await Queue(first, ServiceSettings()).enqueue([job("a")])
    await (await open_sqlite(tmp_path / "queue.db")).close()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A file of something else is refused as E_IO and left as it is."""
    path = tmp_path / "queue.db"
    path.write_bytes(b"not a database" * 1000)
    with pytest.raises(StorageError, match="E_IO"):
        await open_sqlite(path)
    assert path.read_bytes() == b"not a database" * 1000


async def test_a_clock_jump_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the wall clock an hour forward or back, leases neither run out nor last longer."""
    database = await open_sqlite(tmp_path / "queue.db")
    queue = Queue(database, ServiceSettings(lease_seconds=5.0))
    await queue.enqueue([job("a"), job("b")])
    (lease,) = await queue.claim("w", ["process"])
    await queue.fail(lease, "E_IO", "", retry=True, delay=0.05)
    real = time.time
    for jump in (3600.0, -3600.0):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump)
        (lease,) = await queue.claim("w", ["process"])
        assert await queue.expire() == 0
        await queue.fail(lease, "E_IO", "", retry=True, delay=0.05)
        await asyncio.sleep(0.1)
    assert len(await queue.claim("w", ["process"], most=5)) == 2
    await database.close()


async def test_a_start_with_a_clock_gone_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine whose clock was a day ahead before its restart does not let retries wait a day."""
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 86_400.0)
    database = await open_sqlite(tmp_path / "queue.db")
    queue = Queue(database, ServiceSettings())
    await queue.enqueue([job("a")])
    (lease,) = await queue.claim("w", ["process"])
    await queue.fail(lease, "E_IO", "", retry=True)
    await database.close()
    monkeypatch.setattr(time, "time", real)
    database = await open_sqlite(tmp_path / "queue.db")
    queue = Queue(database, ServiceSettings())
    await queue.restart()
    await asyncio.sleep(0.01)
    assert len(await queue.claim("w", ["process"])) == 1
    await database.close()


async def test_failing_work_does_not_touch_its_neighbours(database: Database) -> None:
    """Of transactions that share a commit, one that raises undoes only itself."""

    async def insert(connection: Connection, name: str, *, fails: bool) -> str:
        await connection.execute("INSERT INTO counters (name, value) VALUES (?, 1)", name)
        if fails:
            raise KeyError(name)
        return name

    outcomes = await asyncio.gather(
        *(
            database.transact(lambda c, n=n: insert(c, f"n{n:02}", fails=n % 3 == 0))
            for n in range(30)
        ),
        return_exceptions=True,
    )

    async def names(connection: Connection) -> list[str]:
        rows = await connection.fetch(
            "SELECT name FROM counters WHERE name <> 'fence' ORDER BY name"
        )
        return [row["name"] for row in rows]

    kept = [one for one in outcomes if isinstance(one, str)]
    assert await database.read(names) == kept
    assert [n for n, one in enumerate(outcomes) if isinstance(one, KeyError)] == [*range(0, 30, 3)]


async def test_work_that_waits_for_something_else_is_refused(tmp_path: Path) -> None:
    """Embedded work that awaits anything but its connection is our fault and says so."""
    database = await open_sqlite(tmp_path / "queue.db")

    async def sleeps(connection: Connection) -> None:
        await asyncio.sleep(0.01)

    with pytest.raises(FaultError, match="E_FAULT"):
        await database.transact(sleeps)
    await Queue(database, ServiceSettings()).enqueue([job("a")])
    await database.close()


async def test_reading_changes_nothing(database: Database) -> None:
    """Work handed to ``read`` cannot write, on either engine."""

    async def writes(connection: Connection) -> None:
        await connection.execute("INSERT INTO counters (name, value) VALUES ('x', 1)")

    with pytest.raises((FaultError, StorageError)):
        await database.read(writes)


async def test_an_address_that_is_none() -> None:
    """A wrong address of PostgreSQL is a setting to correct."""
    with pytest.raises(ConfigError, match="E_CONFIG"):
        await open_postgres("mysql://somewhere/else")


async def test_a_restarting_server_is_waited_for(server: PostgresServer) -> None:
    """Calls made while PostgreSQL crashes and comes back are done, not refused; so are those who
    listen."""
    address = await schema_address(server)
    one, two = await open_postgres(address), await open_postgres(address)
    queues = Queue(one, ServiceSettings()), Queue(two, ServiceSettings())
    await queues[0].enqueue([job("a")])
    (lease,) = await queues[1].claim("w", ["process"])
    # A claim that is younger than the server's log writer may be undone by the crash.
    await asyncio.sleep(1.0)
    restarting = asyncio.create_task(asyncio.to_thread(server.restart, "immediate"))
    assert await queues[1].complete(lease, then=[job("next")])
    await queues[0].enqueue([job("b")])
    await restarting
    assert len(await queues[0].claim("w", ["process"], most=5)) == 2
    for _ in range(100):
        await two.notify("events:news")
        if await one.wait("events:news", 0.1):
            break
    else:
        pytest.fail("nobody listens after the restart")
    await one.close()
    await two.close()


def test_killed_workers_and_a_crashed_server_lose_nothing(server: PostgresServer) -> None:
    """Of jobs on PostgreSQL, with workers killed and the server crashing, each is done once."""
    address = asyncio.run(schema_address(server))
    plan = Plan(3, 300, 10.0, lease_seconds=2.0, kills=4, restarts=1, gap_seconds=0.4)
    run = carry_out(server, address, plan)
    assert (run.completed, run.lost, run.doubled) == (300, 0, 0)
    assert run.kills >= 3
    assert run.disorder == 0
