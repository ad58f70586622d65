"""What passes through the pipes between the reading process and its parent.

Takes and gives frames: length, kind, payload. Never imports anything that reads a document, so
that the parent starts fast.
"""

import os
import struct
from io import FileIO

import msgspec

from headworks.config import ReadSettings

HEAD = struct.Struct("<Qc")  # length of the payload, kind of the frame
REQUEST = b"R"
DOCUMENT, FAILURE, MEMBERS = b"D", b"E", b"M"  # in lower case: the same, and the child ends now
PROGRESS = b"P"  # how far the reading is
TEXT = b"T"  # a piece of a large text, on the way before the document that it is of


class Request(msgspec.Struct, array_like=True):
    """What the parent asks for. Paths are in the file system's own bytes.

    With a ``folder`` the file is not read: the documents in it are written there.
    """

    path: bytes
    settings: ReadSettings
    folder: bytes = b""


class Failure(msgspec.Struct, array_like=True):
    """A typed error on its way to the parent; ``kind`` is the name of its class."""

    kind: str
    code: str
    message: str
    place: str


class Member(msgspec.Struct, array_like=True):
    """A document that was in another one.

    ``shown`` is its name there, ``path`` where it stands now; with a ``failure`` it does not.
    """

    shown: str
    path: str
    failure: Failure | None = None


class Progress(msgspec.Struct, array_like=True):
    """Reading (``read``) or recognition (``ocr``) has come to a page, from 1, of so many."""

    stage: str
    page: int
    of: int


def take_pipes() -> tuple[FileIO, FileIO]:
    """Keep standard input and output for the frames alone: a stray print goes to standard error."""
    requests, replies = FileIO(os.dup(0), "rb"), FileIO(os.dup(1), "wb")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return requests, replies


def read_frame(pipe: FileIO, most_bytes: int) -> tuple[bytes, bytearray] | None:
    """Give a frame's kind and payload, or none where the pipe ended or the frame is too long."""
    head = _read_exactly(pipe, HEAD.size)
    if head is None:
        return None
    length, kind = HEAD.unpack(head)
    payload = _read_exactly(pipe, length) if length <= most_bytes else None
    return None if payload is None else (kind, payload)


def write_frame(pipe: FileIO, kind: bytes, payload: bytes) -> None:
    """Write a frame whole."""
    head = HEAD.pack(len(payload), kind)
    # One system call for the small frames that most are.
    for piece in (head + payload,) if len(payload) < 65_536 else (head, payload):
        view = memoryview(piece)
        while view:
            view = view[pipe.write(view) or 0 :]


def _read_exactly(pipe: FileIO, length: int) -> bytearray | None:
    payload = bytearray(length)
    view, done = memoryview(payload), 0
    while done < length:
        count = pipe.readinto(view[done:])
        if not count:
            return None
        done += count
    return payload
