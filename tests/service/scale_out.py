"""Many workers on PostgreSQL: throughput, order, and faults, as a command.

``python -m tests.service.scale_out [JOBS]`` runs the jobs with 1, 2 and 4 worker processes, then
once more with 4 while workers are killed (kill -9) and the server crashes and comes back. It
prints what it saw and ends with 1 where a job was lost or completed twice.
"""

import asyncio
import os
import random
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import asyncpg

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.store.postgres import open_postgres
from tests.build.jobs import job
from tests.build.postgres import PostgresServer
from tests.service.queue_worker import OUTCOMES

ROOT = Path(__file__).resolve().parents[2]
_LONGEST_SECONDS = 300.0


class Plan(NamedTuple):
    """A run: so many jobs of so many milliseconds, with or without faults."""

    workers: int
    jobs: int
    milliseconds: float
    lease_seconds: float = 30.0
    kills: int = 0
    restarts: int = 0
    gap_seconds: float = 2.0


class Run(NamedTuple):
    """What a run came to."""

    plan: Plan
    seconds: float
    completed: int
    doubled: int
    lost: int
    again: int
    disorder: int
    kills: int
    restarts: int

    def row(self) -> str:
        """Give the run as a line of a table."""
        return (
            f"| {self.plan.workers} | {self.plan.jobs} | {self.kills} | {self.restarts} |"
            f" {self.plan.jobs / self.seconds:.0f} | {self.completed} | {self.lost} |"
            f" {self.doubled} | {self.again} | {self.disorder} |"
        )


HEAD = (
    "| workers | jobs | kill -9 | crashes of the database | jobs/s | completed | lost | doubled"
    " | claimed again | first claims out of order |\n"
    "|---|---|---|---|---|---|---|---|---|---|"
)


def _start(address: str, number: int, plan: Plan) -> subprocess.Popen[bytes]:
    """Start a worker process."""
    arguments = [address, f"w{number}", str(plan.milliseconds), str(plan.lease_seconds)]
    return subprocess.Popen(
        [sys.executable, "-m", "tests.service.queue_worker", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )


async def _put_in(address: str, plan: Plan) -> None:
    """Put the jobs in: four clients, three levels, costs at random."""
    raw = await asyncpg.connect(address)
    await raw.execute(OUTCOMES)
    await raw.close()
    database = await open_postgres(address)
    queue = Queue(database, ServiceSettings(max_queue=10 * plan.jobs))
    chance = random.Random(7)
    jobs = [
        job(f"job-{n}", client=f"c{n % 4}", level=n % 3, cost=chance.randint(1, 1000))
        for n in range(plan.jobs)
    ]
    for start in range(0, len(jobs), 1000):
        await queue.enqueue(jobs[start : start + 1000])
    await database.close()


def _work(server: PostgresServer, address: str, plan: Plan) -> tuple[float, int, int]:
    """Let workers work, with the faults of the plan; give seconds, kills and restarts."""
    chance = random.Random(11)
    workers = {n: _start(address, n, plan) for n in range(plan.workers)}
    began = fault_at = time.monotonic()
    kills = restarts = 0
    try:
        while any(worker.poll() is None for worker in workers.values()):
            time.sleep(0.05)
            if time.monotonic() - began > _LONGEST_SECONDS:
                raise TimeoutError("the run does not end")
            alive = [n for n, worker in workers.items() if worker.poll() is None]
            if not alive or time.monotonic() - fault_at < plan.gap_seconds:
                continue
            fault_at = time.monotonic()
            if kills < plan.kills:
                number = chance.choice(alive)
                workers[number].kill()
                workers[number].wait()
                workers[number] = _start(address, number, plan)
                kills += 1
            if restarts < plan.restarts and kills >= (restarts + 1) * 2:
                server.restart("immediate")
                restarts += 1
    finally:
        for worker in workers.values():
            worker.kill()
            worker.wait()
    return time.monotonic() - began, kills, restarts


async def _judge(address: str, plan: Plan, seconds: float, faults: tuple[int, int]) -> Run:
    """Count what the records say."""
    raw = await asyncpg.connect(address)
    completed = await raw.fetchval("SELECT COUNT(DISTINCT job) FROM outcomes")
    records = await raw.fetchval("SELECT COUNT(*) FROM outcomes")
    done = await raw.fetchval("SELECT COUNT(*) FROM jobs WHERE state = 'done'")
    again = await raw.fetchval("SELECT COUNT(*) FROM outcomes WHERE attempt > 1")
    # Claims are numbered: those at the first attempt must go by level.
    levels = await raw.fetch(
        "SELECT level FROM jobs JOIN outcomes ON job = id WHERE attempt = 1 ORDER BY outcomes.fence"
    )
    await raw.close()
    ordered = [row["level"] for row in levels]
    disorder = sum(before > after for before, after in pairwise(ordered))
    return Run(
        plan,
        seconds,
        completed,
        records - completed,
        plan.jobs - min(completed, done),
        again,
        disorder,
        *faults,
    )


def carry_out(server: PostgresServer, address: str, plan: Plan) -> Run:
    """Carry out a run on an empty schema."""
    asyncio.run(_put_in(address, plan))
    seconds, kills, restarts = _work(server, address, plan)
    return asyncio.run(_judge(address, plan, seconds, (kills, restarts)))


async def new_schema(server: PostgresServer, name: str) -> str:
    """Make an empty schema and give the address that uses it alone."""
    raw = await asyncpg.connect(server.address)
    await raw.execute(f"CREATE SCHEMA {name}")
    await raw.close()
    return f"{server.address}?search_path={name}"


def main(jobs: int) -> int:
    """Carry out all runs; give the exit code."""
    server = PostgresServer(flush=True)
    plans = [Plan(workers, jobs, 10.0) for workers in (1, 2, 4)]
    plans.append(Plan(4, jobs, 10.0, lease_seconds=4.0, kills=12, restarts=3, gap_seconds=1.0))
    runs = []
    try:
        print(HEAD, flush=True)
        for number, plan in enumerate(plans):
            address = asyncio.run(new_schema(server, f"run_{number}"))
            runs.append(carry_out(server, address, plan))
            print(runs[-1].row(), flush=True)
    finally:
        server.close()
    bad = [run for run in runs if run.lost or run.doubled or run.completed != run.plan.jobs]
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5000))
