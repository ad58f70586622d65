"""Work that is waiting, running or done, and what came back from a target.

Takes nothing, gives frozen values. A job is known by its key: equal keys are equal work, and the
second of them is never done.
"""

from hashlib import blake2b
from typing import Literal

import msgspec

from headworks.model.verdict import Priority

JobKind = Literal["process", "send", "assemble"]
JobState = Literal["waiting", "running", "done", "failed", "cancelled"]

LEVELS: dict[Priority, int] = {"interactive": 0, "nearline": 1, "offline": 2}
# A retry goes one level lower, to this one at most.
LOWEST_LEVEL = 3


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work: a document through the stages, a chunk to a target, answers to a report.

    ``root`` is the job that the user knows: a process job's own id, and that id in the jobs it
    gave rise to. ``chunk`` of a send job about several names them all, with spaces between.
    ``level`` 0 is interactive; inside a level fewest ``cost`` (estimated tokens)
    goes first. ``weight`` is the memory in bytes that it is expected to take. Jobs of one
    ``stream`` run one after the other in the order they were put in. ``attempts`` counts claims,
    not failures. ``fence`` grows with each claim: only the last claim may complete the job.
    ``created`` and ``not_before`` are seconds of the store's clock. ``code`` and ``message`` say
    why it failed, or why it waits.
    """

    id: str
    kind: JobKind
    root: str
    document: str
    key: str
    client: str = ""
    chunk: str | None = None
    target: str | None = None
    level: int = 1
    cost: int = 0
    weight: int = 0
    stream: str | None = None
    state: JobState = "waiting"
    attempts: int = 0
    fence: int = 0
    created: float = 0.0
    not_before: float = 0.0
    code: str = ""
    message: str = ""


class Lease(msgspec.Struct, frozen=True):
    """A claimed job in the hands of a worker. ``fence`` is the claim's number."""

    job: Job
    worker: str
    fence: int


class Event(msgspec.Struct, frozen=True):
    """Something that happened to a root job: ``seq`` grows; ``body`` is JSON, never text.

    Kinds: queued, started, stage, chunk, answered, degraded, retry, done, failed, cancelled.
    """

    seq: int
    root: str
    kind: str
    at: float
    body: dict[str, str | int | float | bool | None]


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """One of several chunks that are asked about together: the job that it would be alone, its
    words as they are asked about, its record.
    """

    job: Job
    text: str
    payload: bytes = b"{}"


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """What goes to a target for one chunk: all text in it is as it may leave (redacted).

    ``messages`` are role and content; ``schema`` is the JSON Schema of the answer where one is
    wanted; ``payload`` is the chunk's record as targets that are no models get it. ``parts`` are
    the chunks of an ask about several, in the order of their numbers.
    """

    job: str
    document: str
    chunk: str
    pipeline: str
    priority: Priority = "nearline"
    messages: tuple[tuple[str, str], ...] = ()
    schema: dict[str, object] | None = None
    max_tokens: int = 0
    tokens: int = 0
    payload: bytes = b"{}"
    parts: tuple[Part, ...] = ()


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What a target answered. Times in milliseconds; tokens as the target counted them.

    ``estimated`` tells that it did not, and the tokens are ours; ``degraded`` says why the answer
    comes from rules alone, empty where it does not; ``stopped`` why a model stopped (``stop``,
    ``length`` where its answer is cut), empty where the target does not say. ``calls`` is how
    often the target was asked for it: twice where the first answer did not read.
    """

    job: str
    chunk: str
    target: str
    body: str
    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    first_token_milliseconds: float = 0.0
    milliseconds: float = 0.0
    attempts: int = 1
    degraded: str = ""
    stopped: str = ""
    calls: int = 1


def work_key(*parts: str) -> str:
    """Give the key of a piece of work: 32 hex digits over what it depends on."""
    return blake2b("\x1f".join(parts).encode(), digest_size=16).hexdigest()
