"""How the loop to targets ends: told to stop, cancelled, or with work nobody wants any more."""

import asyncio
from pathlib import Path

import pytest

from headworks.model.job import Ask
from headworks.store import replies
from tests.build.field import (
    Answering,
    Field,
    job,
    with_field,
)


def test_a_stop_lets_what_is_under_way_end(tmp_path: Path) -> None:
    """Stopping claims nothing more and keeps the answers that were coming."""

    async def slow(_: Ask) -> str:
        await asyncio.sleep(0.1)
        return "yes"

    target = Answering("main", slow)

    async def work(field: Field) -> None:
        running = await _under_way(field, target, "under-way")
        await field.queue.enqueue([job("later")])
        await field.delivery.stop()
        await running
        ended, later = await field.queue.get("under-way"), await field.queue.get("later")
        assert ended is not None
        assert later is not None
        assert (ended.state, later.state) == ("done", "waiting")

    with_field(tmp_path, [target], work, limits={"main": 1})


def test_being_cancelled_gives_the_jobs_back(tmp_path: Path) -> None:
    """A loop that is cancelled puts what it had back, untried."""
    target = Answering("main", _never)

    async def work(field: Field) -> None:
        running = await _under_way(field, target, "j")
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        back = await field.queue.get("j")
        assert back is not None
        assert (back.state, back.attempts) == ("waiting", 0)

    with_field(tmp_path, [target], work)


@pytest.mark.parametrize("how", ["cancel", "give_up"])
def test_what_is_no_longer_wanted_is_broken_off(how: str, tmp_path: Path) -> None:
    """A cancelled root or a deleted document ends the ask, and nothing of it is kept."""
    target = Answering("main", _never)

    async def work(field: Field) -> None:
        running = await _under_way(field, target, "j")
        await field.queue.cancel("root")
        if how == "give_up":
            await field.delivery.give_up("doc")
        while target.now:
            await asyncio.sleep(0.01)
        await field.delivery.stop()
        await running
        assert await field.queue._database.read(lambda c: replies.of_job(c, "j")) is None

    with_field(tmp_path, [target], work, lease_seconds=0.3)


async def _never(_: Ask) -> str:
    await asyncio.sleep(3600)
    return ""


async def _under_way(field: Field, target: Answering, name: str) -> "asyncio.Task[None]":
    """Start the loop and wait until the target is asked about a job."""
    await field.queue.enqueue([job(name)])
    running = asyncio.create_task(field.delivery.run())
    while not target.now:
        await asyncio.sleep(0.005)
    return running
