"""kill -9 while chunks are with their target."""

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.model.job import Job
from headworks.store import replies
from headworks.store.sqlite import open_sqlite
from tests.unit.dispatch.killed_delivery import PACKS, alone, packs

COUNT = 60
KILLS = 5


def test_no_answer_is_lost_and_none_asked_again(tmp_path: Path, root: Path) -> None:
    """After five kills each job is done with one answer, and what was stored was not asked again.

    A job's attempts are its claims: no fewer than it was asked, no more than one for each kill and
    each failure beside the one that was answered. A second question, where an answer does not
    read, is asked within the attempt, and of none that was stored.
    """
    store, notes = tmp_path / "store.sqlite", tmp_path / "notes"
    command = [sys.executable, "-m", "tests.unit.dispatch.killed_delivery",
               str(store), str(notes), str(COUNT)]  # fmt: skip
    chance = random.Random(5)
    for number in range(KILLS):
        with subprocess.Popen(command, cwd=root) as process:
            _until_asked(notes, (number + 1) * COUNT // (KILLS + 2))
            time.sleep(chance.uniform(0, 0.03))
            process.kill()
    subprocess.run(command, cwd=root, check=True, timeout=60)

    jobs, kept = asyncio.run(_what_is_there(store))
    assert [job.state for job in jobs] == ["done"] * COUNT
    in_packs = [one.id for pack in packs() for one in alone(pack)]
    singles = [str(number) for number in range(COUNT)]
    assert Counter(kept) == Counter([*singles, *in_packs])
    asked: Counter[str] = Counter()
    again: Counter[str] = Counter()
    stored: set[str] = set()
    for line in notes.read_text(encoding="utf-8").splitlines():
        kind, *ids = line.split()
        if kind == "stored":
            stored = set(ids)
        else:
            assert ids[0] not in stored
            asked[ids[0]] += kind == "asked"
            again[ids[0]] += kind == "again"
    # Of a pack only the forgotten chunk is asked alone.
    forgotten = {f"{pack}1" for pack in PACKS if int(pack) % 2 == 0}
    assert set(asked) == {*singles, *PACKS, *forgotten}
    assert {name for name in again if again[name]} == set(singles[::5])
    assert all(again[name] <= asked[name] for name in again)
    for job in jobs:
        failures = job.attempts - asked[job.id]
        assert 0 <= failures <= KILLS
        assert job.attempts <= 2 + KILLS


def _until_asked(notes: Path, count: int) -> None:
    """Wait until so many asks were noted in all."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if notes.exists() and notes.read_text(encoding="utf-8").count("asked") >= count:
            return
        time.sleep(0.005)
    raise AssertionError("the delivery does not get on")


async def _what_is_there(store: Path) -> tuple[list[Job], list[str]]:
    database = await open_sqlite(store)
    queue = Queue(database, ServiceSettings())
    jobs = [await queue.get(str(number)) for number in range(COUNT)]
    kept = await database.read(lambda connection: replies.of_document(connection, "doc"))
    assert all(msgspec.json.decode(reply.body) == {"answer": int(reply.job)} for reply in kept)
    assert {reply.job for reply in kept if reply.calls > 1} == {
        str(number) for number in range(0, COUNT, 5)
    }
    await database.close()
    return [job for job in jobs if job is not None], [reply.job for reply in kept]
