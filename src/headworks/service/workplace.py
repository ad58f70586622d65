"""The worker processes of a service: handed a task each, heard on the way, replaced when dead.

Takes tasks and a listener, gives their ends. Never lets a worker pass its time: it is ended with
whatever it started, and another takes its place.
"""

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from time import monotonic

import msgspec

from headworks.config import Settings
from headworks.readers.frames import HEAD
from headworks.service.tasks import (
    TASK,
    ChunkMade,
    Died,
    End,
    Finished,
    Refused,
    Stage,
    Task,
    Told,
)

_BENCH = "headworks.service.workbench"
_LARGEST_MESSAGE = 64 << 20
_MOST_TASKS = 1_000  # then a worker is replaced: what libraries keep is let go
_DEATH_REST_SECONDS = 0.5  # a worker that dies at once is not started a hundred times a second
_END_SECONDS = 2.0
_START_SECONDS = 60.0

Hear = Callable[[Stage | ChunkMade], None]
_DECODER: msgspec.msgpack.Decoder[Told] = msgspec.msgpack.Decoder(Told)


def default_workers() -> int:
    """Give one worker a core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, len(os.sched_getaffinity(0)))
    return os.cpu_count() or 1


class Workplace:
    """So many workers, each started when it is first needed. ``run`` waits for a free one."""

    def __init__(self, settings: Settings) -> None:
        self._memory_bytes = settings.read.memory_bytes
        count = settings.service.workers or default_workers()
        self._workers = [_Worker(self._memory_bytes) for _ in range(count)]
        self._free: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for worker in reversed(self._workers):
            self._free.put_nowait(worker)
        self.deaths = 0

    @property
    def size(self) -> int:
        """Give how many workers there are."""
        return len(self._workers)

    @property
    def free(self) -> int:
        """Give how many have nothing to do."""
        return self._free.qsize()

    def pids(self) -> tuple[int, ...]:
        """Give the running worker processes."""
        return tuple(worker.pid for worker in self._workers if worker.pid)

    async def start(self) -> None:
        """Start all workers, so that the first tasks need not wait for imports."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def run(self, task: Task, hear: Hear, seconds: float) -> End:
        """Have a task done by a free worker, in so many seconds of the monotonic clock."""
        worker = await self._free.get()
        try:
            end = await worker.run(task, hear, seconds)
        except BaseException:  # given up by the caller: what the worker does is of no use
            await worker.end()
            raise
        finally:
            self._free.put_nowait(worker)
        if isinstance(end, Died):
            self.deaths += 1
        return end

    async def close(self) -> None:
        """End all workers at once."""
        await asyncio.gather(*(worker.end() for worker in self._workers))


class _Worker:
    """One worker's process, which may be another one after a death."""

    def __init__(self, memory_bytes: int) -> None:
        self._memory_bytes = memory_bytes
        self._process: asyncio.subprocess.Process | None = None
        self._ready = False
        self._done = 0
        self._died_at = 0.0

    @property
    def pid(self) -> int:
        process = self._process
        return process.pid if process is not None and process.returncode is None else 0

    async def start(self) -> None:
        if self._process is not None and self._process.returncode is None:
            return
        rest = self._died_at + _DEATH_REST_SECONDS - monotonic()
        if self._died_at and rest > 0:
            await asyncio.sleep(rest)
        self._done = 0
        # The kernel's bond is to the thread that starts a process: another may end earlier.
        main_thread = threading.current_thread() is threading.main_thread()
        bond = "bound" if main_thread else "free"
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", _BENCH, str(self._memory_bytes), bond,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,
            limit=1 << 20,
        )  # fmt: skip
        self._ready = False

    async def _prepared(self) -> asyncio.subprocess.Process:
        """Give the process when it has imported what it needs: a document's time begins then."""
        await self.start()
        process = self._process
        assert process is not None
        if not self._ready:
            async with asyncio.timeout(_START_SECONDS):
                await _told(process)
            self._ready = True
        return process

    async def run(self, task: Task, hear: Hear, seconds: float) -> End:
        last = _Last()

        def note(told: Stage | ChunkMade) -> None:
            if isinstance(told, Stage):
                last.stage = told.name
            hear(told)

        try:
            process = await self._prepared()
        except (OSError, EOFError, TimeoutError, msgspec.DecodeError):
            status = await self.end()
            self._died_at = monotonic()
            return Died(status)
        try:
            async with asyncio.timeout(seconds):
                end = await _ask(process, task, note)
        except TimeoutError:
            status = await self.end()
            return Died(status, timed_out=True, stage=last.stage)
        except (OSError, EOFError, msgspec.DecodeError):
            status = await self.end()
            self._died_at = monotonic()
            return Died(status, stage=last.stage)
        self._done += 1
        if self._done >= _MOST_TASKS:
            await self.end()
        return end

    async def end(self) -> int:
        """End the process with its group; give its status, -9 where it did not end by itself."""
        process, self._process = self._process, None
        if process is None:
            return 0
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        _let_go(process)
        return process.returncode if process.returncode is not None else -9


class _Last:
    """The stage that was told last."""

    stage = ""


async def _ask(process: asyncio.subprocess.Process, task: Task, hear: Hear) -> Finished | Refused:
    """Hand a task over and hear the worker out."""
    requests = process.stdin
    assert requests is not None
    payload = msgspec.msgpack.encode(task)
    requests.write(HEAD.pack(len(payload), TASK) + payload)
    await requests.drain()
    while True:
        told = await _told(process)
        if isinstance(told, Finished | Refused):
            return told
        hear(told)


async def _told(process: asyncio.subprocess.Process) -> Told:
    """Give what a worker says next."""
    replies = process.stdout
    assert replies is not None
    length, _ = HEAD.unpack(await replies.readexactly(HEAD.size))
    if length > _LARGEST_MESSAGE:
        raise EOFError
    return _DECODER.decode(await replies.readexactly(length))


def _let_go(process: asyncio.subprocess.Process) -> None:
    """Close the pipes at once: a process that lives on under them would keep them open."""
    transport = getattr(process, "_transport", None)
    if transport is not None:
        transport.close()
