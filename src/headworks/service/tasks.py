"""What passes between the service and its worker processes.

Takes nothing, gives frozen values: a task one way; progress, chunks and the end of it the other.
Never holds text of a document: that stays in files.
"""

from typing import Literal

import msgspec

from headworks.assembly.summary import Tally
from headworks.config import Settings
from headworks.readers.frames import Member

# The ways around a stage that is down: no recognition, plain cuts, core rules only.
Way = Literal["no_ocr", "plain", "core"]
WAYS: tuple[Way, ...] = ("no_ocr", "plain", "core")
STAGE_OF_WAY: dict[Way, str] = {"no_ocr": "ocr", "plain": "structure", "core": "rules"}

TASK, TELL = b"R", b"P"  # kinds of frames; the first is that of readers.frames, too
READ_FILE = "read.bin"  # the document as it was read, for other rules without reading again
MEMBERS_FOLDER = ".members"
INPUT_FOLDER = ".input"


class PackSource(msgspec.Struct, frozen=True):
    """A rule pack as bytes, so that a task is judged by the very rules it was taken in with."""

    file: str
    content: bytes


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A document to be processed.

    ``path`` is the original, ``name`` what it is called, ``folder`` where the results go.
    ``parsed`` is the document as it was read before, where it need not be read again. ``seconds``
    is all the time there is.
    """

    job: str
    document: str
    path: str
    name: str
    folder: str
    settings: Settings
    packs: tuple[PackSource, ...] = ()
    parsed: str = ""
    media_type: str = ""
    tags: dict[str, str] = {}
    ways: tuple[Way, ...] = ()
    seconds: float = 300.0


class Stage(msgspec.Struct, frozen=True, tag="stage"):
    """A stage has begun, or reading has come to page ``page`` of ``of``."""

    name: str
    page: int = 0
    of: int = 0


class ChunkMade(msgspec.Struct, frozen=True, tag="chunk"):
    """A chunk that is there, without its text."""

    id: str
    ordinal: int
    kind: str
    pages: tuple[int, ...]
    pipeline: str
    priority: str
    tokens: int
    skipped: bool = False
    cells: str = ""


class Finished(msgspec.Struct, frozen=True, tag="done", kw_only=True):
    """A document that was processed; its files stand in the task's folder.

    ``outcomes`` tells of the stages that have a breaker whether they did their work. ``members``
    are documents that were in this one; an archive is nothing else (``archive``).
    """

    media_type: str = ""
    title: str = ""
    profile: str = ""
    pages: int | None = None
    chars: int = 0
    chunks: int = 0
    skipped: int = 0
    warnings: int = 0
    tally: Tally = Tally()
    versions: dict[str, str] = {}
    timings: dict[str, float] = {}
    ways: tuple[Way, ...] = ()
    outcomes: dict[str, bool] = {}
    members: tuple[Member, ...] = ()
    archive: bool = False


class Refused(msgspec.Struct, frozen=True, tag="refused", kw_only=True):
    """A document that could not be processed. ``stage`` is where; ``again`` may help or not."""

    code: str
    message: str = ""
    place: str = ""
    stage: str = ""
    outcomes: dict[str, bool] = {}
    again: bool = False


class Died(msgspec.Struct, frozen=True, tag="died"):
    """The worker process ended without an answer: ``status`` is its exit status.

    ``timed_out`` tells that it was ended for its time.
    """

    status: int
    timed_out: bool = False
    stage: str = ""


Told = Stage | ChunkMade | Finished | Refused
End = Finished | Refused | Died
