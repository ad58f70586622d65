"""What the queue does in a second, on both engines, with few and with very many jobs waiting.

``python -m benchmarks.queue [WAITING…] [--engine sqlite|postgres]``. Sends of four clients at
three levels wait; then single jobs are put in, claimed and completed by callers side by side.
"""

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.model.job import Lease
from headworks.store.database import Connection, Database
from headworks.store.postgres import open_postgres
from headworks.store.sqlite import open_sqlite
from tests.build.jobs import send
from tests.build.postgres import PostgresServer, binaries

_CALLERS = 64
_JOBS = 4000
_FILL = 50_000
_LEVELS, _CLIENTS = 3, 4

HEAD = (
    "| engine | waiting | enqueues/s | claims/s | claims/s by 16 | completes/s | tasks/s"
    " | claim, one caller: median (99th) ms | bulk enqueues/s | memory MB |"
    "\n|---|---|---|---|---|---|---|---|---|---|"
)


def _fill_statement(engine: str) -> str:
    """Give the statement that puts in many jobs at once, as the queue would."""
    numbers = {
        "sqlite": "WITH RECURSIVE n(i) AS (SELECT ? UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        " {insert} FROM n",
        "postgres": "{insert} FROM generate_series(CAST(? AS BIGINT), CAST(? AS BIGINT)) AS n(i)",
    }[engine]
    insert = (
        "INSERT INTO jobs (id, single, kind, root, document, key, client, chunk, target, level,"
        " cost, weight, state, created, not_before, asked, size, raised) SELECT 'w' || i, 'k' || i,"
        " 'send', 'r' || (i / 100), 'd' || (i / 100), 'k' || i, 'c' || (i % 4), 'chunk', 'model',"
        " i % 3, (i * 7919) % 2000, 0, 'waiting', 1e9, 0, i % 3, (i * 7919) % 2000, 1e9"
    )
    return numbers.format(insert=insert)


async def fill(database: Database, count: int) -> None:
    """Let so many jobs wait."""
    statement = _fill_statement(database.engine)
    for start in range(0, count, _FILL):
        last = min(start + _FILL, count) - 1

        async def work(connection: Connection, start: int = start, last: int = last) -> None:
            await connection.execute(statement, start, last)

        await database.transact(work)
    queue = Queue(database, ServiceSettings())
    # One job each through the queue sets the lanes going.
    await queue.enqueue(
        [
            send(f"lane-{client}-{level}", client=f"c{client}", level=level, cost=3000)
            for client in range(_CLIENTS)
            for level in range(_LEVELS)
        ]
    )


async def side_by_side(count: int, callers: int, call: Callable[[int], Awaitable[None]]) -> float:
    """Run calls by so many callers; give how many a second."""
    numbers = iter(range(count))

    async def caller() -> None:
        for number in numbers:
            await call(number)

    began = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(callers)))
    return count / (time.perf_counter() - began)


async def measure(database: Database, waiting: int) -> str:
    """Measure on a filled queue; give the line of the table."""
    queue = Queue(database, ServiceSettings(lease_seconds=3600.0))
    await fill(database, waiting)
    chance = random.Random(3)
    leases: list[Lease] = []
    singles: list[float] = []

    async def put(number: int) -> None:
        cost, client = chance.randint(0, 2000), f"c{number % _CLIENTS}"
        await queue.enqueue([send(f"new-{number}", client=client, level=number % 3, cost=cost)])

    async def claim(_number: int) -> None:
        leases.extend(await queue.claim("bench", ["send"], targets=["model"]))

    async def complete(number: int) -> None:
        await queue.complete(leases[number])

    async def task(_number: int) -> None:
        for lease in await queue.claim("bench", ["send"], targets=["model"]):
            await queue.complete(lease)

    async def timed_claim(_number: int) -> None:
        began = time.perf_counter()
        await queue.claim("bench", ["send"], targets=["model"])
        singles.append((time.perf_counter() - began) * 1000)

    enqueues = await side_by_side(_JOBS, _CALLERS, put)
    claims = await side_by_side(_JOBS, _CALLERS, claim)
    began = time.perf_counter()
    batched = 0
    for _ in range(100):
        batched += len(await queue.claim("bench", ["send"], targets=["model"], most=16))
    together = batched / (time.perf_counter() - began)
    completes = await side_by_side(len(leases), _CALLERS, complete)
    tasks = await side_by_side(_JOBS // 2, _CALLERS, task)
    await side_by_side(300, 1, timed_claim)
    began = time.perf_counter()
    await queue.enqueue([send(f"bulk-{n}", level=2) for n in range(5000)])
    bulk = 5000 / (time.perf_counter() - began)
    return (
        f"| {database.engine} | {waiting:,} | {enqueues:,.0f} | {claims:,.0f} |"
        f" {together:,.0f} | {completes:,.0f} |"
        f" {tasks:,.0f} | {statistics.median(singles):.2f}"
        f" ({statistics.quantiles(singles, n=100)[98]:.2f}) | {bulk:,.0f} | {_memory():.0f} |"
    )


def _memory() -> float:
    """Give the resident memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def flush_milliseconds() -> float:
    """Give what one flush to this disk takes: no commit is quicker."""
    with tempfile.NamedTemporaryFile() as file:
        times = []
        for _ in range(50):
            file.write(b"x" * 4096)
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


async def on_sqlite(waiting: int) -> str:
    """Measure the embedded engine."""
    with tempfile.TemporaryDirectory() as folder:
        database = await open_sqlite(Path(folder) / "queue.db")
        try:
            return await measure(database, waiting)
        finally:
            await database.close()


async def on_postgres(server: PostgresServer, waiting: int) -> str:
    """Measure PostgreSQL on an empty schema."""
    import asyncpg

    raw = await asyncpg.connect(server.address)
    await raw.execute(f"CREATE SCHEMA s{waiting}")
    await raw.close()
    database = await open_postgres(f"{server.address}?search_path=s{waiting}")
    try:
        return await measure(database, waiting)
    finally:
        await database.close()


def main(waitings: Sequence[int], engines: Sequence[str]) -> None:
    """Measure and print."""
    print(f"one flush to the disk: {flush_milliseconds():.2f} ms; {_CALLERS} callers\n\n{HEAD}")
    if "sqlite" in engines:
        for waiting in waitings:
            print(asyncio.run(on_sqlite(waiting)), flush=True)
    if "postgres" in engines and binaries() is not None:
        server = PostgresServer(flush=True)
        try:
            for waiting in waitings:
                print(asyncio.run(on_postgres(server, waiting)), flush=True)
        finally:
            server.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("waiting", nargs="*", type=int, default=[10_000, 1_000_000])
    parser.add_argument("--engine", choices=["sqlite", "postgres"], action="append")
    chosen = parser.parse_args()
    main(chosen.waiting, chosen.engine or ["sqlite", "postgres"])
