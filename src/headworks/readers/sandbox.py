"""Reading in a process of its own: kept, reused, bounded in time and memory.

Takes a path, gives the document or the typed error that the child met. Never lets a document's
fault reach this process: a child that hangs, dies or eats memory is ended and replaced.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from io import FileIO
from pathlib import Path
from typing import Self, cast

import msgspec

from headworks import errors
from headworks.config import ReadSettings
from headworks.errors import FaultError, HeadworksError, LimitError
from headworks.model import codec
from headworks.model.document import Document
from headworks.readers.frames import (
    FAILURE,
    PROGRESS,
    REQUEST,
    TEXT,
    Failure,
    Member,
    Progress,
    Request,
    read_frame,
    write_frame,
)
from headworks.readers.progress import Listener
from headworks.readers.scratch import sweep

_CHILD = "headworks.readers.child"
_KINDS: dict[str, type[HeadworksError]] = {
    kind.__name__: kind
    for kind in (
        errors.InputError,
        errors.LimitError,
        errors.FaultError,
        errors.StorageError,
        errors.ConfigError,
    )
}
# What the allocators of Python, Rust and C++ say when they give up.
_OUT_OF_MEMORY = (
    b"MemoryError",
    b"memory allocation of",
    b"bad_alloc",
    b"ut of memory",
    b"Cannot allocate memory",
)
_TAIL_BYTES = 4096
_PIPE_BYTES = 1 << 20
_F_SETPIPE_SZ = 1031
_LEAST_WAIT_SECONDS = 0.25
_SIGKILL = 9
# A child that is killed from outside is begun again so often, the first time counted.
_TRIES = 3
_EXIT_SECONDS = 1.0
_ON_THE_WAY = (TEXT, PROGRESS)  # frames before the reply


def _nobody(_stage: str, _page: int, _of: int) -> None:
    """Hear nothing."""


class Sandbox:
    """One child process that reads documents one after the other. One a thread.

    ``read`` is ``ask`` and ``answer``; between the two the caller may work on something else while
    the child reads. ``expect`` names the file to come first, so that its reader is being
    imported while the caller still prepares.
    """

    def __init__(self, settings: ReadSettings, expect: Path | None = None) -> None:
        self._settings = settings
        self._expected = expect.suffix if expect is not None else ""
        self._process: _Child | None = None
        self._asked: tuple[Path, float] | None = None
        self._is_new = True  # the child had read nothing before what it was asked for last
        self._killed = False  # by somebody else, and not for its memory

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the child where none is running; it prepares itself beside the caller's work."""
        if self._process is None:
            self._process = _Child(self._settings.memory_bytes, self._expected)

    def change(self, settings: ReadSettings) -> None:
        """Read by other settings from now on; a child with another memory bound is replaced."""
        if settings.memory_bytes != self._settings.memory_bytes:
            self.close()
        self._settings = settings

    def read(self, path: Path) -> Document:
        """Give the file's document, or raise what its reading met."""
        self.ask(path)
        return self.answer()

    def unpack(self, path: Path, folder: Path) -> list[Member]:
        """Write the documents that are in a file into an empty folder; none are in most files."""
        self._ask(path, os.fsencode(folder.absolute()))
        return msgspec.msgpack.decode(self._reply(), type=list[Member])

    def ask(self, path: Path) -> None:
        """Set the child to work on a file. One at a time: ``answer`` comes next."""
        self._ask(path, b"")

    def _ask(self, path: Path, folder: bytes) -> None:
        asked = Request(os.fsencode(path.absolute()), self._settings, folder)
        request = msgspec.msgpack.encode(asked)
        self._is_new = not self._running().has_read
        try:
            self._running().send(request)
        except OSError:  # the idle child was ended by somebody else: a new one may work
            self.close()
            self._running().send(request)
        self._asked = (path, time.monotonic() + self._settings.timeout_seconds)

    def answer(self, tell: Listener = _nobody) -> Document:
        """Wait for the document that was asked for; ``tell`` hears how far the reading is."""
        texts: list[str] = []
        asked = self._asked
        for left in reversed(range(_TRIES)):
            self._killed = False
            try:
                reply = self._reply(texts, tell)
                break
            except LimitError as fault:
                # What is left of other documents took the room, or somebody killed the child who
                # did not mean this document: a new one has all of the room.
                helps = self._killed or not self._is_new
                if fault.code != "E_MEMORY" or asked is None or not helps or not left:
                    raise
                texts.clear()
                self.ask(asked[0])
        document = codec.decode(reply)
        return msgspec.structs.replace(document, text=_joined(texts)) if texts else document

    def _reply(self, texts: list[str] | None = None, tell: Listener = _nobody) -> bytearray:
        """Wait for what was asked for, or raise what the child met.

        Pieces of a large text go into ``texts``.
        """
        if self._asked is None or self._process is None:
            raise FaultError("E_READER", "an answer without a question")
        (path, deadline), self._asked = self._asked, None
        texts = [] if texts is None else texts
        frame, timed_out = self._process.receive(deadline, texts, tell)
        if frame is None:
            raise self._death(path, timed_out)
        kind, payload = frame
        if kind.islower():  # it has grown or is old, and ends itself
            self.close()
            self.start()
        if kind.upper() != FAILURE:
            return payload
        failure = msgspec.msgpack.decode(payload, type=Failure)
        if failure.code == "E_MEMORY":  # its heap is in pieces: the next document gets a new one
            self.close()
        raise error_of(failure)

    def close(self) -> None:
        """End the child and whatever it started."""
        process, self._process = self._process, None
        if process is not None:
            process.end()

    def _running(self) -> "_Child":
        self.start()
        assert self._process is not None
        return self._process

    def _death(self, path: Path, timed_out: bool) -> HeadworksError:
        """Tell why the child ended, and clear away what is left of it."""
        process, self._process = self._process, None
        assert process is not None
        status, for_memory = process.end()
        if timed_out:
            return LimitError("E_TIMEOUT", f"{self._settings.timeout_seconds:g} s", place=path.name)
        self._killed = status == -_SIGKILL and not for_memory
        if for_memory or status == -_SIGKILL:
            return LimitError("E_MEMORY", place=path.name)
        return FaultError("E_READER", f"the reading process ended with {status}", place=path.name)


def _joined(texts: list[str]) -> str:
    """Join the pieces, letting each go on the way."""
    texts.reverse()
    text = texts.pop()
    while texts:
        text += texts.pop()  # grows where it is
    return text


def error_of(failure: Failure) -> HeadworksError:
    """Give the exception that a child met."""
    kind = _KINDS.get(failure.kind, FaultError)
    return kind(failure.code, failure.message, place=failure.place)


class _Child:
    """A running child: its process, its pipes, and what it says on standard error."""

    def __init__(self, memory_bytes: int, expected: str) -> None:
        self._memory_bytes = memory_bytes
        self._busy = self.has_read = False
        self._broken = False  # its pipe ended by itself: it is about to tell why by its status
        # The kernel's bond is to the thread that starts the child: a pool's thread may end earlier.
        main_thread = threading.current_thread() is threading.main_thread()
        bond = "bound" if main_thread else "free"
        self._said = os.memfd_create("headworks-child") if hasattr(os, "memfd_create") else None
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD, str(memory_bytes), bond, expected],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if self._said is None else self._said,
            bufsize=0,
            start_new_session=True,
        )
        # Unbuffered pipes of Popen are raw files, whatever their declared type says.
        self._requests = cast(FileIO, self._process.stdin)
        self._replies = cast(FileIO, self._process.stdout)
        if sys.platform == "linux":
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.fcntl(self._replies.fileno(), _F_SETPIPE_SZ, _PIPE_BYTES)

    def send(self, request: bytes) -> None:
        self._busy = True
        write_frame(self._requests, REQUEST, request)

    def receive(
        self, deadline: float, texts: list[str], tell: Listener
    ) -> tuple[tuple[bytes, bytearray] | None, bool]:
        """Give the reply frame, or none; and whether the child was ended for its time.

        The pieces of a large text, which come before, go into ``texts``; ``tell`` hears progress.
        """
        over = threading.Event()

        def end_it() -> None:
            over.set()
            self._kill()

        # Who comes late for an answer finds it in the pipe and needs a moment to take it.
        wait_seconds = max(_LEAST_WAIT_SECONDS, deadline - time.monotonic())
        timer = threading.Timer(wait_seconds, end_it)
        timer.daemon = True
        timer.start()
        try:
            while (frame := self._next()) is not None and frame[0] in _ON_THE_WAY:
                if frame[0] == TEXT:
                    texts.append(frame[1].decode())
                else:
                    heard = msgspec.msgpack.decode(frame[1], type=Progress)
                    tell(heard.stage, heard.page, heard.of)
        except (OSError, UnicodeDecodeError):
            frame = None
        finally:
            timer.cancel()
        self._busy = frame is None
        self.has_read = True
        self._broken = frame is None and not over.is_set()
        return frame, over.is_set()

    def _next(self) -> tuple[bytes, bytearray] | None:
        return read_frame(self._replies, self._memory_bytes)

    def end(self) -> tuple[int, bool]:
        """End the child with its group; give its status and whether memory was the cause."""
        status, peak_bytes = self._reap()
        if self._busy:  # it had no time to clear away what it was working in
            sweep(self._process.pid)
        said = b""
        if self._said is not None:
            size = os.fstat(self._said).st_size
            said = os.pread(self._said, _TAIL_BYTES, max(0, size - _TAIL_BYTES))
            os.close(self._said)
        self._requests.close()
        self._replies.close()
        near = peak_bytes > 0.7 * self._memory_bytes
        return status, near or any(sign in said for sign in _OUT_OF_MEMORY)

    def _reap(self) -> tuple[int, int]:
        """End the child, give its status (its own where it was ending already), peak memory."""
        if not hasattr(os, "wait4"):
            self._kill()
            return self._process.wait(), 0
        pid, status, usage = 0, 0, None
        ends_at = time.monotonic() + (_EXIT_SECONDS if self._broken else 0.0)
        while not pid and time.monotonic() < ends_at:
            time.sleep(0.002)
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
        self._kill()  # the group, too, where the child itself is gone
        if usage is None or not pid:
            _, status, usage = os.wait4(self._process.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        # A child begins with its parent's peak: only one that is above that is its own.
        own = usage.ru_maxrss > _peak_of_this_process()
        unit = 1 if sys.platform == "darwin" else 1024
        return self._process.returncode, usage.ru_maxrss * unit if own else 0

    def _kill(self) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


def _peak_of_this_process() -> int:
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
