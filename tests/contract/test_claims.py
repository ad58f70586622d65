"""Claims: in which order jobs go, on both engines."""

from collections import Counter

import pytest

from headworks.dispatch.queue import Queue
from headworks.store.database import Connection, Database
from tests.build.jobs import job, send

pytestmark = pytest.mark.anyio


async def order(queue: Queue, room: int = 1 << 40, most: int = 1) -> list[str]:
    """Claim until nothing comes; give the ids in order."""
    claimed: list[str] = []
    while leases := await queue.claim("w", ["process"], room, most=most):
        claimed += [lease.job.id for lease in leases]
    return claimed


async def later(database: Database, seconds: float) -> None:
    """Let time pass for what waits: everything in the tables moves into the past."""

    async def work(connection: Connection) -> None:
        for column in ("created", "raised", "not_before", "passed", "lease_until"):
            await connection.execute(f"UPDATE jobs SET {column} = {column} - ?", seconds)

    await database.transact(work)


async def test_urgent_first_then_smallest_then_first_in(queue: Queue) -> None:
    """Levels come first, fewest cost inside a level, and of equals the one put in first."""
    await queue.enqueue(
        [
            job("b", level=1, cost=5),
            job("a", level=1, cost=5),
            job("late", level=2, cost=0),
            job("small", level=1, cost=1),
            job("urgent", level=0, cost=100),
        ]
    )
    assert await order(queue) == ["urgent", "small", "b", "a", "late"]


async def test_many_at_once_go_in_the_same_order(queue: Queue) -> None:
    """A claim of many gives what as many claims of one would."""
    await queue.enqueue(
        [job(f"{client}{cost}", client=client, cost=cost) for client in "ab" for cost in (3, 1, 2)]
    )
    assert await order(queue, most=10) == ["a1", "b1", "a2", "b2", "a3", "b3"]


async def test_clients_share(queue: Queue) -> None:
    """A client with a hundred jobs does not keep one with two waiting for all of them."""
    await queue.enqueue([job(f"big{n}", client="big", cost=10) for n in range(40)])
    await queue.claim("w", ["process"], most=8)
    await queue.enqueue([job(f"small{n}", client="small", cost=10) for n in range(2)])
    first = (await order(queue))[:5]
    assert Counter(name[:3] for name in first)["sma"] == 2


async def test_share_is_by_cost(queue: Queue) -> None:
    """Of two clients that both have much, each is served the same cost."""
    await queue.enqueue([job(f"heavy{n}", client="heavy", cost=30) for n in range(10)])
    await queue.enqueue([job(f"light{n}", client="light", cost=10) for n in range(30)])
    first = Counter(name[:5] for name in (await order(queue))[:20])
    assert first == {"heavy": 5, "light": 15}


async def test_nobody_makes_up_for_absence(queue: Queue) -> None:
    """A client that comes back after a while takes turns, it does not go first for as long."""
    await queue.enqueue([job("once", client="away", cost=10)])
    await queue.enqueue([job(f"here{n}", client="here", cost=10) for n in range(40)])
    await queue.claim("w", ["process"], most=20)
    await queue.enqueue([job(f"back{n}", client="away", cost=10) for n in range(10)])
    first = Counter(name[:4] for name in (await order(queue))[:10])
    assert first["here"] >= 4


async def test_streams_keep_order(queue: Queue) -> None:
    """Jobs of a stream run one after the other as they were put in, whatever their cost."""
    await queue.enqueue([job("one", stream="s", cost=9), job("two", stream="s", cost=1)])
    await queue.enqueue([job("three", stream="s", cost=0), job("free", cost=100)])
    (one,) = await queue.claim("w", ["process"])
    (free,) = await queue.claim("w", ["process"])
    assert (one.job.id, free.job.id) == ("one", "free")
    assert await queue.claim("w", ["process"]) == ()
    assert await queue.why("two") == "stream"
    assert await queue.fail(one, "E_CORRUPT", "", retry=False) == "failed"
    (two,) = await queue.claim("w", ["process"])
    await queue.cancel("two")
    (three,) = await queue.claim("w", ["process"])
    assert (two.job.id, three.job.id) == ("two", "three")


async def test_a_stream_waits_for_a_retry(queue: Queue, database: Database) -> None:
    """A job that is tried again holds its stream until it has ended."""
    await queue.enqueue([job("one", stream="s"), job("two", stream="s")])
    (one,) = await queue.claim("w", ["process"])
    assert await queue.fail(one, "E_IO", "", retry=True, delay=5.0) == "waiting"
    assert await queue.claim("w", ["process"]) == ()
    assert await queue.why("one") == "retry"
    await later(database, 10.0)
    (again,) = await queue.claim("w", ["process"])
    assert again.job.id == "one"
    assert await queue.claim("w", ["process"]) == ()


async def test_a_stream_has_one_level(queue: Queue) -> None:
    """An urgent job takes those before it in its stream along."""
    await queue.enqueue([job("one", stream="s", level=2), job("other", level=1)])
    await queue.enqueue([job("two", stream="s", level=0)])
    assert (await queue.claim("w", ["process"]))[0].job.id == "one"


async def test_heavy_jobs_let_light_ones_pass_for_a_while(queue: Queue, database: Database) -> None:
    """What does not fit waits while lighter ones go, but not for ever: then all wait for it."""
    await queue.enqueue([job("heavy", weight=100, cost=1), job("light", weight=10, cost=2)])
    await queue.enqueue([job("tiny", weight=1, cost=3), job("other", weight=1, client="other")])
    assert [lease.job.id for lease in await queue.claim("w", ["process"], 50, most=2)] == [
        "light",
        "other",
    ]
    assert await queue.why("heavy") == "memory"
    await later(database, 31.0)
    assert await queue.claim("w", ["process"], 50) == ()
    assert (await queue.claim("w", ["process"], 100))[0].job.id == "heavy"
    assert (await queue.claim("w", ["process"], 50))[0].job.id == "tiny"


async def test_room_shrinks_with_what_is_claimed(queue: Queue) -> None:
    """Jobs claimed together fit together."""
    await queue.enqueue([job(f"j{n}", weight=40, cost=n) for n in range(3)])
    assert len(await queue.claim("w", ["process"], 100, most=3)) == 2


async def test_long_waiting_rises(queue: Queue, database: Database) -> None:
    """A job that has waited its time goes up a level, step by step, and at the top to the front."""
    await queue.enqueue([job("old", level=2, cost=50)])
    for level in (1, 0):
        await later(database, 61.0)
        assert await queue.promote() == 1
        standing = await queue.get("old")
        assert standing is not None
        assert standing.level == level
    await queue.enqueue([job("new", level=0, cost=1)])
    await later(database, 61.0)
    assert await queue.promote() == 2
    assert await order(queue) == ["old", "new"]


async def test_ageing_is_no_flood(queue: Queue, database: Database) -> None:
    """However many have waited long, few of them stand before urgent work at a time."""
    await queue.enqueue([send(f"old{n}", level=1) for n in range(100)])
    await later(database, 61.0)
    assert await queue.promote() == 16
    assert await queue.promote() == 0
    await queue.claim("w", ["send"], most=4)
    assert await queue.promote() == 4


async def test_places_and_kinds_are_chosen(queue: Queue) -> None:
    """A claim gives only the kinds asked for, at targets that have room."""
    await queue.enqueue([send("a", target="x"), send("b", target="y"), job("c")])
    assert await queue.claim("w", ["send"], targets=[]) == ()
    assert [one.job.id for one in await queue.claim("w", ["send"], targets=["y"], most=9)] == ["b"]
    assert [one.job.id for one in await queue.claim("w", ["assemble", "process"], most=9)] == ["c"]


async def test_pauses(queue: Queue) -> None:
    """What is paused is not claimed and says so; the rest goes on; resumed it goes on too."""
    await queue.enqueue([job("a", client="one"), job("b", client="two"), send("s")])
    await queue.pause("client:one")
    await queue.pause("target:model")
    claimed = await queue.claim("w", ["process", "send"], most=9)
    assert [lease.job.id for lease in claimed] == ["b"]
    assert await queue.why("a") == "paused"
    assert (await queue.stats()).paused == ("client:one", "target:model")
    await queue.resume("client:one")
    await queue.pause("all")
    assert await queue.claim("w", ["process"], most=9) == ()
    await queue.resume("all")
    assert len(await queue.claim("w", ["process"], most=9)) == 1


async def test_many_clients(queue: Queue) -> None:
    """More clients than are looked at in one go are all served."""
    await queue.enqueue([send(f"j{n}", client=f"client{n}") for n in range(200)])
    claimed = [lease.job.id for lease in await queue.claim("w", ["send"], most=200)]
    claimed += [lease.job.id for lease in await queue.claim("w", ["send"], most=200)]
    claimed += [lease.job.id for lease in await queue.claim("w", ["send"], most=200)]
    claimed += [lease.job.id for lease in await queue.claim("w", ["send"], most=200)]
    assert sorted(claimed) == sorted(f"j{n}" for n in range(200))


async def test_why_counts_those_ahead(queue: Queue) -> None:
    """A waiting job knows how many are before it."""
    await queue.enqueue([job("a", cost=1), job("b", cost=2), job("c", cost=3), job("d", level=2)])
    assert [await queue.why(name) for name in "abcd"] == [f"behind {n}" for n in range(4)]
