"""The reading process: takes requests from its parent until the pipe ends.

Takes framed requests (path, settings) on standard input, gives framed replies (a document or an
error) on what was standard output. Never writes anything else there, never outlives its parent by
more than one document's time.
"""

import contextlib
import gc
import os
import sys
from functools import partial
from io import FileIO
from pathlib import Path

import msgspec

from headworks.config import MEBIBYTE
from headworks.errors import FaultError, HeadworksError, LimitError
from headworks.model import codec
from headworks.model.document import Document
from headworks.readers import progress
from headworks.readers.base import find_reader, read, unpack
from headworks.readers.frames import (
    DOCUMENT,
    FAILURE,
    MEMBERS,
    PROGRESS,
    TEXT,
    Failure,
    Progress,
    Request,
    read_frame,
    write_frame,
)
from headworks.readers.sniff import format_of_suffix

_MAX_DOCUMENTS = 500
_COLLECT_EVERY = 10
_RETIRE_BYTES = 384 * MEBIBYTE
_TIDY_BYTES = 64 * MEBIBYTE
_PIECE_CHARS = 1 << 19
_GRACE_SECONDS = 5.0
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9


def serve(memory_bytes: int, bound_to_parent: bool, expected: str) -> None:
    """Answer requests until the parent closes the pipe or this process should be renewed.

    ``expected`` is the suffix of the file to come first: its reader is imported at once.
    """
    requests, replies = _take_pipes()
    _bound(memory_bytes)
    if bound_to_parent:
        _die_with_parent()
    with contextlib.suppress(Exception):  # the request itself will tell what is wrong
        find_reader(format_of_suffix(expected))
    # Readers build millions of strings and hardly a cycle: looking for cycles costs a tenth of the
    # time. What is imported by now is never garbage.
    gc.disable()
    gc.freeze()
    decoder = msgspec.msgpack.Decoder(Request)
    for count in range(1, _MAX_DOCUMENTS + 1):
        frame = read_frame(requests, memory_bytes)
        if frame is None:
            return
        kind, payload = _answer(decoder.decode(frame[1]), replies)
        last = count == _MAX_DOCUMENTS or _held_bytes() > _RETIRE_BYTES
        write_frame(replies, kind.lower() if last else kind, payload)
        if last:
            return
        if count % _COLLECT_EVERY == 0:
            gc.collect()


def _answer(request: Request, replies: FileIO) -> tuple[bytes, bytes]:
    path = Path(os.fsdecode(request.path))
    _end_after(request.settings.timeout_seconds + _GRACE_SECONDS)
    progress.listen(partial(_say, replies))
    try:
        if request.folder:
            members = unpack(path, request.settings, Path(os.fsdecode(request.folder)))
            return MEMBERS, msgspec.msgpack.encode(members)
        return DOCUMENT, codec.encode(_with_text_sent(read(path, request.settings), replies))
    except HeadworksError as fault:
        failure = Failure(type(fault).__name__, fault.code, fault.message, fault.place)
    except MemoryError:
        failure = Failure(LimitError.__name__, "E_MEMORY", "", path.name)
    except BaseException as fault:  # a value that does not encode, a panic in a Rust library
        failure = Failure(FaultError.__name__, "E_READER", type(fault).__name__, path.name)
    finally:
        _end_after(0.0)
    place = failure.place.encode("utf-8", "replace").decode()  # a name may not be UTF-8
    return FAILURE, msgspec.msgpack.encode(msgspec.structs.replace(failure, place=place))


def _say(replies: FileIO, stage: str, page: int, of: int) -> None:
    write_frame(replies, PROGRESS, msgspec.msgpack.encode(Progress(stage, page, of)))


def _with_text_sent(document: Document, replies: FileIO) -> Document:
    """Send a large text ahead, piece by piece: encoded as a whole it would be there thrice."""
    text = document.text
    if len(text) <= _PIECE_CHARS:
        return document
    bare = msgspec.structs.replace(document, text="")
    for start in range(0, len(text), _PIECE_CHARS):
        write_frame(replies, TEXT, text[start : start + _PIECE_CHARS].encode())
    return bare


def _take_pipes() -> tuple[FileIO, FileIO]:
    """Keep the pipes for the frames alone: a stray print goes to standard error."""
    requests, replies = FileIO(os.dup(0), "rb"), FileIO(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return requests, replies


def _bound(memory_bytes: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; time is still bounded by the parent
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    with contextlib.suppress(OSError):
        os.nice(1)


def _die_with_parent() -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def _end_after(seconds: float) -> None:
    """End this process by a signal that no library can hold up; 0 takes the bound away.

    The parent ends it earlier. This is for a parent that was killed itself.
    """
    if sys.platform != "win32":
        import signal

        signal.setitimer(signal.ITIMER_REAL, seconds)


def _held_bytes() -> int:
    """Give the memory that is held between documents; what is free of it goes back first.

    A scan leaves half a gigabyte that the allocator keeps though nothing needs it: a new process
    for each would load the engine anew.
    """
    held = _resident_bytes()
    if held > _TIDY_BYTES and sys.platform == "linux":
        import ctypes

        with contextlib.suppress(AttributeError):  # an allocator that has no such call
            ctypes.CDLL(None).malloc_trim(0)
        held = _resident_bytes()
    return held


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2] == "bound", sys.argv[3])
