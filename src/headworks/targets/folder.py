"""JSON lines in a folder, a file for each pipeline.

Takes an ask, appends its record as one line and gives an empty answer once the line is on the
disk. An ask stands there once, even when a process was killed between the write and the note of
it: the file itself is asked. Never rewrites a whole line that is there.
"""

import asyncio
import fcntl
import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import msgspec

from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.model.job import Ask, Reply
from headworks.targets.base import TargetBusy
from headworks.targets.letter import letter

_UNSAFE = re.compile(r"[^\w.-]+")


class _Head(msgspec.Struct):
    """What is read back of a line."""

    job: str = ""


class LinesFile:
    """One file of JSON lines and the jobs in it; other processes may append to it as well."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: set[bytes] = set()
        self._read_to = 0

    def append(self, asks: list[Ask]) -> None:
        """Write the asks that are not there yet, and wait for the disk."""
        with open(self._path, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self._catch_up(file)
            lines = []
            for ask in asks:
                mark = _mark(ask.job)
                if mark not in self._known:
                    self._known.add(mark)
                    lines.append(letter(ask) + b"\n")
            if lines:
                self._write(file, b"".join(lines))

    def _write(self, file: BinaryIO, lines: bytes) -> None:
        try:
            file.write(lines)
            file.flush()
            os.fsync(file.fileno())
        except OSError:
            # Half a line must not stay; what is known of the file is read again.
            os.ftruncate(file.fileno(), self._read_to)
            self._known.clear()
            self._read_to = 0
            raise
        self._read_to += len(lines)

    def _catch_up(self, file: BinaryIO) -> None:
        """Read what was appended since, and cut a line that a killed process left half."""
        size = os.fstat(file.fileno()).st_size
        if size < self._read_to:
            self._known.clear()
            self._read_to = 0
        file.seek(self._read_to)
        for line in file:
            if not line.endswith(b"\n"):
                os.ftruncate(file.fileno(), self._read_to)
                break
            self._read_to += len(line)
            self._known.add(_mark(_job_of(line)))
        file.seek(0, os.SEEK_END)


class FolderTarget:
    """A folder; writes that come together share one wait for the disk."""

    def __init__(
        self,
        name: str,
        settings: TargetSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._clock = clock
        self._folder = Path(settings.path).expanduser()
        self._files: dict[str, LinesFile] = {}
        self._waiting: list[tuple[Ask, asyncio.Future[None]]] = []
        self._turn = asyncio.Lock()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            message = f"path cannot be made: {fault.strerror}"
            raise ConfigError("E_CONFIG", message, place=f"targets.{name}") from fault

    async def send(self, ask: Ask) -> Reply:
        """Write the chunk; raises TargetBusy where the disk does not take it."""
        started = self._clock()
        written = asyncio.get_running_loop().create_future()
        self._waiting.append((ask, written))
        async with self._turn:
            if not written.done():
                await self._write_all()
        await written
        milliseconds = (self._clock() - started) * 1000
        return Reply(
            job=ask.job, chunk=ask.chunk, target=self.name, body="", milliseconds=milliseconds
        )

    async def close(self) -> None:
        """Wait for a write that is under way."""
        async with self._turn:
            self._files.clear()

    async def _write_all(self) -> None:
        batch, self._waiting = self._waiting, []
        by_pipeline: dict[str, list[tuple[Ask, asyncio.Future[None]]]] = {}
        for ask, written in batch:
            by_pipeline.setdefault(ask.pipeline, []).append((ask, written))
        for pipeline, entries in by_pipeline.items():
            fault = await asyncio.to_thread(self._append, pipeline, [ask for ask, _ in entries])
            for _, written in entries:
                if written.done():
                    continue
                if fault is None:
                    written.set_result(None)
                else:
                    written.set_exception(TargetBusy(fault, overload=False))

    def _append(self, pipeline: str, asks: list[Ask]) -> str | None:
        path = self._folder / f"{file_name(pipeline)}.jsonl"
        lines = self._files.setdefault(pipeline, LinesFile(path))
        try:
            lines.append(asks)
        except OSError as fault:
            return f"cannot write: {fault.strerror}"
        return None


def file_name(pipeline: str) -> str:
    """Give a name that is safe in any folder and different for different pipelines."""
    safe = _UNSAFE.sub("_", pipeline).strip(".")[:80]
    if safe and safe == pipeline:
        return safe
    return f"{safe}-{hashlib.blake2b(pipeline.encode(), digest_size=4).hexdigest()}"


def _job_of(line: bytes) -> str:
    try:
        return msgspec.json.decode(line, type=_Head).job
    except msgspec.DecodeError:
        # A line of somebody else's: it stays, and is nobody's ask.
        return ""


def _mark(job: str) -> bytes:
    return hashlib.blake2b(job.encode(), digest_size=12).digest()
