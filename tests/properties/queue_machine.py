"""A queue driven at random, beside a simple account of what must be true of it.

Used by ``test_queue`` on both engines: jobs come in, are claimed, completed, fail, are given back,
lost, cancelled and put back, in any order, by workers that may hold leases long gone.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from itertools import count
from typing import Any, TypeVar

import hypothesis.strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.model.job import Job, Lease
from headworks.store.database import Connection, Database, Row
from tests.build.jobs import job
from tests.contract.test_claims import later

Value = TypeVar("Value")
_OPEN = "state = 'waiting' AND gate = ''"


class QueueMachine(RuleBasedStateMachine):
    """Random calls of a queue. A subclass opens the database."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.database = self.run(self.open())
        settings = ServiceSettings(lease_seconds=30.0, ageing_seconds=100.0, deaths=3)
        self.queue = Queue(self.database, settings)
        self.ids: list[str] = []
        self.numbers = count(1)
        self.leases: list[Lease] = []
        self.completed: Counter[str] = Counter()

    async def open(self) -> Database:
        """Open an empty database."""
        raise NotImplementedError

    def run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """Run a call to its end."""
        return self.runner.run(coroutine)

    def rows(self, statement: str, *values: object) -> list[Row]:
        """Look into the tables."""

        async def work(connection: Connection) -> list[Row]:
            return list(await connection.fetch(statement, *values))

        return self.run(self.database.read(work))

    def teardown(self) -> None:
        """Everything that is left can be done, and is done once."""
        self.run(later(self.database, 1000.0))
        self.run(self.queue.restart(""))
        for _ in range(len(self.ids) * 5 + 5):
            self.the_tables_hold()
            leases = self.run(self.queue.claim("end", ["process"], most=3))
            for lease in leases:
                self.complete_one(lease)
            if not leases:
                break
        live = self.rows("SELECT id FROM jobs WHERE state IN ('waiting', 'running')")
        self.run(self.database.close())
        self.runner.close()
        assert live == []

    def complete_one(self, lease: Lease) -> bool:
        """Complete a lease and note that its work was done."""
        done: list[str] = []

        async def work(connection: Connection) -> None:
            done.append(lease.job.id)

        answer = self.run(self.queue.complete(lease, work))
        assert answer or not done
        self.completed.update(done)
        return answer

    @initialize()
    def begin(self) -> None:
        """Begin with nothing."""

    @rule(
        client=st.sampled_from("ab"),
        level=st.integers(0, 2),
        cost=st.integers(0, 5),
        stream=st.sampled_from([None, None, "s", "t"]),
        key=st.integers(0, 30),
        jobs=st.integers(1, 3),
    )
    def put_in(
        self, client: str, level: int, cost: int, stream: str | None, key: int, jobs: int
    ) -> None:
        """Put jobs in; keys come again."""
        wanted = [
            job(
                f"j{next(self.numbers)}",
                key=f"k{key + n}",
                client=client,
                level=level,
                cost=cost,
                stream=stream,
            )
            for n in range(jobs)
        ]
        put: tuple[Job, ...] = self.run(self.queue.enqueue(wanted))
        assert [one.key for one in put] == [one.key for one in wanted]
        assert all(one.state in ("waiting", "running", "done") for one in put)
        new = {one.id for one in put}
        self.ids += [one.id for one in wanted if one.id in new]

    @rule()
    def claim_one(self) -> None:
        """A claim takes the most urgent, and of its client the smallest."""
        ready = self.rows(
            f"SELECT level, client, size, ticket, id FROM jobs WHERE {_OPEN}"
            " ORDER BY level, size, ticket"
        )
        leases = self.run(self.queue.claim(f"w{len(self.leases)}", ["process"]))
        self.leases += leases
        if not leases:
            assert ready == []
            return
        (lease,) = leases
        assert lease.job.state == "running"
        if ready:
            before = {row["id"]: row for row in ready}
            assert lease.job.level <= ready[0]["level"]
            if lease.job.id in before:
                mine = [row["id"] for row in ready if _same_lane(row, before[lease.job.id])]
                assert mine[0] == lease.job.id

    @rule(most=st.integers(1, 6))
    def claim_many(self, most: int) -> None:
        """A claim of many never gives one job twice."""
        leases = self.run(self.queue.claim(f"w{len(self.leases)}", ["process"], most=most))
        assert len({lease.job.id for lease in leases}) == len(leases) <= most
        self.leases += leases

    @precondition(lambda self: self.leases)
    @rule(
        at=st.integers(0, 1000), ending=st.sampled_from(["done", "done", "retry", "fail", "back"])
    )
    def end(self, at: int, ending: str) -> None:
        """End a lease, perhaps one that is long gone."""
        lease = self.leases[at % len(self.leases)]
        held = self.rows(
            "SELECT id FROM jobs WHERE id = ? AND fence = ? AND state = 'running'",
            lease.job.id,
            lease.fence,
        )
        if ending == "done":
            self.complete_one(lease)
            return
        if ending == "back":
            ended: object = self.run(self.queue.give_back(lease))
        else:
            ended = self.run(self.queue.fail(lease, "E_IO", "", retry=ending == "retry"))
        assert bool(ended) == bool(held)

    @rule(seconds=st.sampled_from([2.0, 31.0, 101.0]))
    def time_passes(self, seconds: float) -> None:
        """Leases run out, what waits for its time is due, what has waited long rises."""
        self.run(later(self.database, seconds))
        self.run(self.queue.expire())
        self.run(self.queue.promote())

    @precondition(lambda self: self.ids)
    @rule(at=st.integers(0, 1000), back=st.booleans())
    def by_hand(self, at: int, back: bool) -> None:
        """A person cancels a job or puts one back."""
        name = self.ids[at % len(self.ids)]
        if back:
            self.run(self.queue.retry(name))
        else:
            self.run(self.queue.cancel(name))

    @rule()
    def crash(self) -> None:
        """The service dies and starts: nothing runs."""
        self.run(self.queue.restart("w"))
        assert self.rows("SELECT id FROM jobs WHERE state = 'running'") == []

    @invariant()
    def the_tables_hold(self) -> None:
        """What must be true after each call, in one look."""

        async def look(connection: Connection) -> list[list[Row]]:
            return [list(await connection.fetch(statement)) for statement in _LOOKS]

        jobs, doubled, streams, forgotten = self.run(self.database.read(look))
        states = {row["id"]: row["state"] for row in jobs}
        assert set(self.ids) <= set(states), "a job was lost"
        assert all(count == 1 for count in self.completed.values()), "a job was completed twice"
        done = {name for name, state in states.items() if state == "done"}
        assert done == set(self.completed), "a job is done without its work, or the other way"
        assert doubled == [], "two jobs of a key are live or done"
        assert all(row["through"] == 1 for row in streams), (
            "a stream is stuck, or runs side by side"
        )
        assert forgotten == [], "a job may be claimed and nobody looks for it"


_LOOKS = (
    "SELECT id, state FROM jobs",
    "SELECT key FROM jobs WHERE state IN ('waiting', 'running', 'done')"
    " GROUP BY key HAVING COUNT(*) > 1",
    "SELECT stream, SUM(CASE WHEN gate = 'stream' THEN 0 ELSE 1 END) AS through FROM jobs"
    " WHERE stream IS NOT NULL AND state IN ('waiting', 'running') GROUP BY stream",
    f"SELECT id FROM jobs WHERE {_OPEN} AND NOT EXISTS (SELECT 1 FROM lanes WHERE"
    " lanes.kind = jobs.kind AND lanes.target = jobs.target AND lanes.level = jobs.level"
    " AND lanes.client = jobs.client AND lanes.active = 1)",
)


def _same_lane(one: Row, other: Row) -> bool:
    return (one["level"], one["client"]) == (other["level"], other["client"])
