"""The crew under faults: dead, hanging and slow workers, drains, memory."""

import asyncio
import os
import signal
from pathlib import Path

import msgspec
import pytest

from headworks.model.job import Job
from headworks.service import weights
from headworks.service.crew import Crew
from headworks.service.intake import retry
from headworks.service.shop import Shop
from headworks.service.tasks import Died, Finished, Refused, Stage
from headworks.service.workplace import Workplace
from tests.service.papers import contract
from tests.service.shops import CONTRACT, opened, over, send, settings, state_of, until


def _crew(shop: Shop) -> Crew:
    return next(loop for loop in shop.loops if isinstance(loop, Crew))


async def _at_work(shop: Shop, job: str) -> int:
    """Give the worker's process when a job has got somewhere."""

    async def look() -> int:
        events = await shop.queue.events(job)
        pids = _crew(shop).workplace.pids()
        return pids[0] if pids and any(e.kind == "stage" for e in events) else 0

    found: int = await until(look)
    return found


async def _stopped(shop: Shop, but: int = 0) -> int:
    """Stop the worker, which is idle or only starting; give its process."""

    async def look() -> int:
        return next((pid for pid in _crew(shop).workplace.pids() if pid != but), 0)

    pid: int = await until(look)
    os.kill(pid, signal.SIGSTOP)
    return pid


async def _has(shop: Shop, attempts: int) -> None:
    """Wait until the worker has been handed its job so many times."""

    async def look() -> bool:
        crew = _crew(shop)
        handed = crew.workplace.free < crew.workplace.size
        return handed and any(lease.job.attempts == attempts for lease in crew.at_work)

    await until(look)


def test_a_killed_worker_gives_its_job_back(tmp_path: Path) -> None:
    """kill -9 of the worker in the middle of a document: another one does it, once."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            pid = await _stopped(shop)
            accepted = await send(shop)
            await _has(shop, 1)
            os.kill(pid, signal.SIGKILL)
            view = await over(shop, accepted.job)
            assert (view.state, view.attempts) == ("done", 2)
            kinds = [event.kind for event in await shop.queue.events(accepted.job)]
            assert kinds.count("retry") == 1
            assert kinds.count("done") == 1
            assert _crew(shop).workplace.deaths == 1

    asyncio.run(scenario())


def test_a_document_that_kills_its_workers_is_put_aside(tmp_path: Path) -> None:
    """After three deaths a document is failed with E_POISON; a retry works later."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            pid = await _stopped(shop)
            accepted = await send(shop)
            for attempt in (1, 2, 3):
                await _has(shop, attempt)
                if attempt > 1:
                    pid = await _stopped(shop, but=pid)
                os.kill(pid, signal.SIGKILL)
            view = await over(shop, accepted.job)
            assert (view.state, view.code) == ("failed", "E_POISON")
            assert view.documents[0].state == "failed"
            originals = [p for p in (tmp_path / "data/originals").rglob("*") if p.is_file()]
            assert len(originals) == 1  # the input is kept
            assert await retry(shop, accepted.job) is not None
            assert (await over(shop, accepted.job)).state == "done"

    asyncio.run(scenario())


def test_a_hanging_worker_is_ended_and_the_others_go_on(tmp_path: Path) -> None:
    """Over its time a document is failed with E_TIMEOUT and told; the next one is processed."""

    async def scenario() -> None:
        async with opened(settings(tmp_path, document_seconds=3.0)) as shop:
            await over(shop, (await send(shop, CONTRACT + "零")).job)
            await _stopped(shop)
            first = await send(shop, CONTRACT + "一")
            await _has(shop, 1)
            second = await send(shop, CONTRACT)
            view = await over(shop, first.job)
            assert (view.state, view.code) == ("failed", "E_TIMEOUT")
            assert (await over(shop, second.job)).state == "done"
            told = shop.observer.exposition().decode()
            assert 'headworks_worker_deaths_total{cause="timeout"} 1.0' in told

    asyncio.run(scenario())


def test_a_drain_ends_what_runs_and_leaves_the_rest(tmp_path: Path) -> None:
    """A drain lets running documents finish; those that wait are done after the restart."""

    async def scenario() -> None:
        chosen = settings(tmp_path)
        async with opened(chosen) as shop:
            jobs = [(await send(shop, contract(n, 60))).job for n in range(3)]
            await _at_work(shop, jobs[0])
            assert await shop.drain(20)
            states = [await state_of(shop, job) for job in jobs]
            assert states[0] == "done"
            assert "waiting" in states
            assert "running" not in states
        async with opened(chosen) as shop:
            for job in jobs:
                assert (await over(shop, job)).state == "done"

    asyncio.run(scenario())


def test_a_drain_gives_back_what_takes_too_long(tmp_path: Path) -> None:
    """What is not over when the drain's time is gives its job back, and no attempt is counted."""

    async def scenario() -> None:
        chosen = settings(tmp_path)
        async with opened(chosen) as shop:
            await _stopped(shop)
            accepted = await send(shop)
            await _has(shop, 1)
            assert not await shop.drain(0.2)
            job = await shop.queue.get(accepted.job)
            assert job is not None
            assert (job.state, job.attempts) == ("waiting", 0)
        async with opened(chosen) as shop:
            view = await over(shop, accepted.job)
            assert (view.state, view.attempts) == ("done", 1)

    asyncio.run(scenario())


def test_a_service_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """What was running when the service ended runs again at the next start."""

    async def scenario() -> None:
        chosen = settings(tmp_path)
        async with opened(chosen, crew=False) as shop:
            accepted = await send(shop)
            leases = await shop.queue.claim("gone", ["process"])  # and then the power went
            assert [lease.job.id for lease in leases] == [accepted.job]
        async with opened(chosen) as shop:
            view = await over(shop, accepted.job)
            assert (view.state, view.attempts) == ("done", 2)

    asyncio.run(scenario())


def test_a_clock_that_jumps_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall clock an hour on, leases hold and no document runs twice."""
    import time

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, contract(3, 150))
            await _at_work(shop, accepted.job)
            real = time.time
            monkeypatch.setattr(time, "time", lambda: real() + 3600)
            assert await shop.queue.expire() == 0
            view = await over(shop, accepted.job)
            assert (view.state, view.attempts) == ("done", 1)

    asyncio.run(scenario())


def test_memory_bounds_what_runs_at_a_time(tmp_path: Path) -> None:
    """Documents whose weights do not fit together run one after the other; a giant runs alone."""

    async def scenario() -> None:
        chosen = settings(tmp_path, workers=3, memory_bytes=400 << 20)
        async with opened(chosen) as shop:
            crew, most = _crew(shop), 0
            jobs = [(await send(shop, contract(n, 30))).job for n in range(4)]
            jobs.append((await send(shop, "甲,乙\n" * 2_500_000, "大.csv")).job)
            while True:
                most = max(most, sum(lease.job.weight for lease in crew.at_work))
                states = [await state_of(shop, job) for job in jobs[:4]]
                if states == ["done"] * 4:
                    break
                await asyncio.sleep(0.01)
            assert 0 < most <= 400 << 20

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("media_type", "format_"),
    [
        ("application/pdf", "pdf"),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
        ("application/vnd.ms-excel.sheet.binary.macroEnabled.12", "xlsb"),
        ("application/x-plans", "plans"),
        ("", "unknown"),
    ],
)
def test_media_types_have_short_names(media_type: str, format_: str) -> None:
    """Metrics and breakers go by short names of formats."""
    assert weights.format_of(media_type) == format_


def test_a_message_of_each_kind_crosses_the_pipe() -> None:
    """What a worker says is the same on the other side."""
    told: list[Stage | Finished | Refused] = [
        Stage("read", 3, 9),
        Finished(chunks=2, ways=("plain",), timings={"read": 0.5}),
        Refused(code="E_TYPE", outcomes={"reader": False}),
    ]
    decoder = msgspec.msgpack.Decoder(Stage | Finished | Refused)
    assert [decoder.decode(msgspec.msgpack.encode(one)) for one in told] == told


def test_workers_outlive_their_tasks_not_their_service(tmp_path: Path) -> None:
    """A workplace that closes leaves no process behind."""

    async def scenario() -> tuple[int, ...]:
        workplace = Workplace(settings(tmp_path, workers=2))
        await workplace.start()
        pids = workplace.pids()
        await workplace.close()
        return pids

    pids = asyncio.run(scenario())
    assert len(pids) == 2
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_deaths_and_jobs_have_their_types() -> None:
    """A death is no answer of a worker: it never crosses the pipe."""
    assert Died(-9).timed_out is False
    assert Job(id="a", kind="process", root="a", document="d", key="k").state == "waiting"
