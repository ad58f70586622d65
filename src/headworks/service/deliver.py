"""``run --deliver``: chunks to their targets and back, and an answer beside each document.

Takes the results that a run wrote, gives what became of each document. What was asked and answered
lies in ``OUT/.headworks``: a run that was killed goes on where it was and asks nothing twice.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec

from headworks.assembly import records
from headworks.assembly.answer_records import AnswerRecord
from headworks.assembly.cost import total
from headworks.assembly.cost_records import CostRecord
from headworks.assembly.shapes import SummaryRecord
from headworks.config import Settings
from headworks.dispatch.asking import Asking
from headworks.dispatch.overtaken import apart, drop_others, live_sends, reopen_degraded, sends
from headworks.dispatch.plan import Before, Errand, Planned, jobs, plan
from headworks.dispatch.queue import Queue
from headworks.errors import StorageError
from headworks.model.job import Ask, Job, Lease, Reply, work_key
from headworks.privacy.tokens import Record
from headworks.service import output, vaults
from headworks.service.assemble import Sent, assemble, files
from headworks.service.compose import Composer
from headworks.service.inputs import SUMMARY
from headworks.service.results import Results
from headworks.store import replies
from headworks.store.database import Connection, Database
from headworks.store.sqlite import open_sqlite
from headworks.targets.base import Target
from headworks.targets.table import open_targets

STORE = Path(".headworks") / "delivery.sqlite"
_OVER = ("done", "failed", "cancelled")
_LOOK_SECONDS = 0.1
# Looks in a row that find nothing moving before what is left is left.
_IDLE_LOOKS = 15
# So many jobs wait or run at a time; then the next document's are put in.
_UNDER_WAY = 400

Compose = Callable[[Job], Awaitable[Ask]]
Keep = Callable[[Connection, Lease, Reply], Awaitable[None]]


class Sender(Protocol):
    """The loop that claims send jobs, asks, and keeps replies."""

    async def run(self) -> None:
        """Go on until ``stop``."""
        ...

    async def stop(self) -> None:
        """Take nothing more on; what is under way ends."""
        ...

    def hopeless(self) -> bool:
        """Tell whether all that is left waits for a target that does not come back."""
        ...


MakeSender = Callable[[Queue, Mapping[str, Target], Settings, Compose, Keep], Sender]


class DeliverOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a delivery is about.

    ``base`` is the folder that paths of prompts go from; ``vault`` with ``restored`` also writes
    answers with originals put back, for whoever has the vault's key.
    """

    out: Path
    settings: Settings
    language: str = "zh"
    base: Path | None = None
    vault: Path | None = None
    restored: bool = False


class DeliveredDocument(msgspec.Struct, frozen=True):
    """What became of one document."""

    folder: str
    name: str
    complete: bool
    points: int
    values: int
    conflicts: int
    unsupported: int
    failed: int
    cost: CostRecord


class Delivered(msgspec.Struct, frozen=True):
    """What became of all, and what it cost together."""

    documents: tuple[DeliveredDocument, ...]
    cost: CostRecord

    @property
    def complete(self) -> bool:
        """Tell whether every chunk that was to be asked has its answer."""
        return all(one.complete for one in self.documents)


def is_configured(settings: Settings) -> bool:
    """Tell whether anything may leave: a target for some pipeline, or for all."""
    return bool(settings.delivery.fallback) or any(
        pipeline.target for pipeline in settings.pipelines.values()
    )


def deliver(
    folders: Sequence[str],
    options: DeliverOptions,
    make_sender: MakeSender,
    tell: Callable[[int, int], None] = lambda _done, _all: None,
) -> Delivered:
    """Deliver the documents in these folders of ``out``; ``tell`` hears how many jobs are over.

    Raises ConfigError before anything is sent where targets, prompts or schemas are not there.
    """
    return asyncio.run(_deliver(folders, options, make_sender, tell))


async def _deliver(
    folders: Sequence[str],
    options: DeliverOptions,
    make_sender: MakeSender,
    tell: Callable[[int, int], None],
) -> Delivered:
    asking = Asking(options.settings, options.base)
    asking.check()
    targets = open_targets(options.settings)
    database = await open_sqlite(options.out / STORE)
    try:
        queue = Queue(
            database, options.settings.service, attempts=options.settings.delivery.attempts
        )
        await queue.restart()
        await database.transact(reopen_degraded)
        before = Before(apart=apart(await database.read(sends)))
        plans = {folder: _planned(folder, asking, options, before) for folder in folders}
        keys = {key for planned in plans.values() for one in planned for key in (one.key, one.pack)}
        await database.transact(lambda connection: drop_others(connection, keys))
        composer = Composer(asking, lambda folder: _results(folder, options))
        sender = make_sender(queue, targets, options.settings, composer, replies.keep)
        async with _running(sender):
            standing = await _all_over(database, queue, plans, tell, sender)
        sent = {
            key: Sent(job, await database.read(partial(_reply, job.id)))
            for key, job in standing.items()
        }
    finally:
        await asyncio.gather(*(target.close() for target in targets.values()))
        await database.close()
    done = tuple(_assembled(folder, plans[folder], sent, asking, options) for folder in folders)
    return Delivered(done, total(one.cost for one in done))


def _results(folder: str, options: DeliverOptions) -> Results:
    return Results(options.out / folder, beside=True)


def _planned(
    folder: str, asking: Asking, options: DeliverOptions, before: Before
) -> tuple[Planned, ...]:
    results = _results(folder, options)
    root = work_key("deliver", folder, results.document.source.sha256)
    return plan(results.shelf, asking, Errand(root, folder), before)


@contextlib.asynccontextmanager
async def _running(sender: Sender) -> AsyncIterator[None]:
    """Let the sender go on beside; its own fault ends the wait."""
    own = asyncio.current_task()
    assert own is not None
    task = asyncio.create_task(sender.run(), name="delivery")

    def broke(ended: asyncio.Task[None]) -> None:
        if not ended.cancelled() and ended.exception() is not None:
            own.cancel()

    task.add_done_callback(broke)
    try:
        yield
    except asyncio.CancelledError:
        if task.done() and not task.cancelled():
            fault = task.exception()
            if fault is not None:
                raise fault from None
        raise
    finally:
        task.remove_done_callback(broke)
        await sender.stop()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _all_over(
    database: Database,
    queue: Queue,
    plans: Mapping[str, Sequence[Planned]],
    tell: Callable[[int, int], None],
    sender: Sender,
) -> dict[str, Job]:
    """Put the jobs in, document after document, and wait until each is done or has failed.

    What waits for a target that does not come back is left to the next run.

    Few documents are under way at a time: what is asked about them is composed from their files.
    """
    left = list(plans.values())[::-1]
    put: set[str] = set()
    idle, before = 0, -1
    every = len({job.key for planned in plans.values() for job in jobs(planned)})
    while True:
        live = await database.read(live_sends)
        while left and (live < _UNDER_WAY or idle > _IDLE_LOOKS):
            new = [job for job in jobs(left.pop()) if job.key not in put]
            put.update(job.key for job in new)
            standing = await queue.enqueue(new) if new else ()
            live += sum(job.state not in _OVER for job in standing)
        tell(max(0, len(put) - live), every)
        idle = idle + 1 if sender.hopeless() and live == before else 0
        before = live
        if not left and (not live or idle > _IDLE_LOOKS):
            break
        await queue.wait("deliveries", _LOOK_SECONDS)
    found = await database.read(sends)
    # What a pack answered stands under jobs of its chunks.
    put.update(one.key for planned in plans.values() for one in planned if one.pack)
    return {job.key: job for job in found if job.key in put}


async def _reply(job: str, connection: Connection) -> Reply | None:
    return await replies.of_job(connection, job)


def _assembled(
    folder: str,
    planned: Sequence[Planned],
    sent: Mapping[str, Sent],
    asking: Asking,
    options: DeliverOptions,
) -> DeliveredDocument:
    results = _results(folder, options)
    made = assemble(results, planned, sent, asking, document=folder)
    for name, content in files(made, results.pictures, options.language, _record(results, options)):
        output.write_file(results.folder / name, content)
    return _told(folder, made.answer)


def _record(results: Results, options: DeliverOptions) -> Record | None:
    """Give what the vault holds of a document, where originals are to be put back."""
    if options.vault is None or not options.restored or results.veil is None:
        return None
    return vaults.record_of(options.vault, results.document.source.sha256)


def _told(folder: str, answer: AnswerRecord) -> DeliveredDocument:
    return DeliveredDocument(
        folder=folder,
        name=answer.source.name,
        complete=answer.complete,
        points=len(answer.points),
        values=len(answer.values),
        conflicts=len(answer.conflicts),
        unsupported=len(answer.unsupported),
        failed=_count(answer, ("failed", "waiting")),
        cost=answer.cost,
    )


def _count(answer: AnswerRecord, states: Iterable[str]) -> int:
    return sum(one.state in states for one in answer.answers)


def note_in_summary(out: Path, cost: CostRecord) -> None:
    """Write what delivery cost into the run's summary."""
    path = out / SUMMARY
    try:
        record = msgspec.json.decode(path.read_bytes(), type=SummaryRecord)
    except (OSError, msgspec.DecodeError) as fault:
        raise StorageError("E_IO", str(fault), place=str(path)) from fault
    output.write_file(path, records.encode(msgspec.structs.replace(record, delivery=cost)))
