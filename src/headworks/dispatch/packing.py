"""Packs: small chunks of one document that are asked about in one call.

Takes what was planned chunk by chunk, gives it with one job for several. Never puts together what
goes to other targets, with other prompts or schemas, at other priorities; never a table, a figure,
a piece of a unit, or words that rules redacted.
"""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from headworks.assembly.context import Shelf
from headworks.assembly.shapes import ChunkRecord
from headworks.dispatch.asking import Asking, Question
from headworks.model.job import Job, work_key

# People wait: their packs are a quarter of the others.
_OF_PEOPLE = 4
# The share of what is for chunks and context that the chunks themselves may take.
_SHARE = 0.5
_ALONE = frozenset({"table", "sheet", "figure"})
_BETWEEN = " "


class Sendable(msgspec.Struct, frozen=True):
    """A chunk that is to be asked about: its question and its job, were it alone."""

    chunk: ChunkRecord
    question: Question
    job: Job


class Pack(msgspec.Struct, frozen=True):
    """Chunks that are asked about together: the keys of their own jobs, the job of all."""

    keys: tuple[str, ...]
    question: Question
    job: Job


def packs(
    sendable: Sequence[Sendable],
    shelf: Shelf,
    asking: Asking,
    scope: tuple[str, str],
    apart: Collection[str] = frozenset(),
) -> tuple[Pack, ...]:
    """Give the packs among what is to be sent, in order; what is in none is sent alone.

    ``scope`` are client and scope of the keys. ``apart`` are keys of jobs that have an end or an
    attempt already: what was asked alone stays alone, and no pack is asked twice.
    """
    found = []
    for group in _groups(sendable, asking):
        left = [one for one in group if one.job.key not in apart]
        if len(left) < 2:
            continue
        first = left[0]
        question = asking.together(shelf, [one.chunk for one in left], first.question.pipeline)
        key = work_key("send", *scope, question.identity)
        if key in apart:
            continue
        job = msgspec.structs.replace(
            first.job,
            id=work_key(first.job.root, key),
            key=key,
            chunk=_BETWEEN.join(one.chunk.id for one in left),
            cost=question.tokens,
        )
        found.append(Pack(tuple(one.job.key for one in left), question, job))
    return tuple(found)


def chunks_of(job: Job) -> tuple[str, ...]:
    """Give the ids of the chunks of a send job."""
    return tuple((job.chunk or "").split(_BETWEEN))


def is_pack(job: Job) -> bool:
    """Tell whether a send job asks about several chunks."""
    return job.chunk is not None and _BETWEEN in job.chunk


def _groups(sendable: Sequence[Sendable], asking: Asking) -> Iterator[list[Sendable]]:
    """Give groups in the order of their first chunks, each as large as settings and window let."""
    most = asking.settings.delivery.pack
    groups: list[list[Sendable]] = []
    under_way: dict[object, tuple[list[Sendable], int]] = {}
    for one in sendable:
        limit = max(1, most // _OF_PEOPLE) if one.job.level == 0 else most
        if limit < 2 or not _may_join(one, asking):
            continue
        room = asking.room(one.question.target) * _SHARE
        kind = _alike(one, asking)
        group, size = under_way.get(kind, ([], 0))
        if not group or len(group) >= limit or size + one.chunk.tokens > room:
            group, size = [], 0
            groups.append(group)
        group.append(one)
        under_way[kind] = group, size + one.chunk.tokens
    yield from groups


def _may_join(one: Sendable, asking: Asking) -> bool:
    chunk, question = one.chunk, one.question
    if asking.target(question.target).kind != "chat" or question.schema is None:
        return False
    if chunk.kind in _ALONE or chunk.has_table or chunk.has_figure or chunk.part is not None:
        return False
    if chunk.redactions or question.left_out or chunk.settings.get("depth") == "section":
        return False
    # A reference inside a schema leads from its root, which is another one in a pack.
    return b'"$ref"' not in msgspec.json.encode(question.schema)


def _alike(one: Sendable, asking: Asking) -> object:
    """Give what chunks of one pack have in common; pipelines that ask the same are one."""
    chunk = one.chunk
    return (asking.manner(one.question), one.job.level, chunk.route.priority, chunk.zone)
