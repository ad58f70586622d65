"""What is to be sent of a document, and what need not be: skipped, answered by rules, kept here.

Takes chunk records with their verdicts and the settings, gives send jobs and the reason for each
chunk that has none. Never sends; equal questions have equal keys.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from headworks.assembly.context import Shelf
from headworks.assembly.shapes import ChunkRecord
from headworks.config_delivery import PipelineSettings
from headworks.dispatch.asking import Asking, Question
from headworks.dispatch.packing import Pack, Sendable, packs
from headworks.model.job import LEVELS, Job, work_key
from headworks.model.sentences import sentence_ends
from headworks.model.verdict import Priority

# What a value may be written with; and the labels before a sentence, which are none.
_NUMBER = re.compile(
    r"[0-9０-９]|[百千万]分之|[一二两三四五六七八九十百千万]+(?:个|日|天|月|年|元|次|份)"
)
_LABEL = re.compile(
    r"^\s*(?:第[〇一二三四五六七八九十百\d]+[条章节款项]|[（(]?[〇一二三四五六七八九十\d]{1,3}[)）、.．])"
)
_LEAST_COVERED = 0.5

# Why a chunk is kept whose pipeline nobody has configured: that is no saving.
NOT_CONFIGURED = "no target"
_DECIDED = "its pipeline has no target"

State = Literal["send", "skipped", "rules", "kept"]


class Errand(msgspec.Struct, frozen=True):
    """Whose document it is: the root job, the client, how urgent the upload was.

    ``scope`` is mixed into the keys: equal questions of one scope are asked once. The service
    takes the document's id, a run over files takes none.
    """

    root: str
    document: str
    client: str = ""
    priority: Priority = "nearline"
    scope: str = ""
    stream: str | None = None


class Planned(msgspec.Struct, frozen=True):
    """What is done about one chunk for one pipeline. ``key`` is that of the job, "" where none.

    ``pack`` is the key of the job that asks about it and others in one call. Its answer is kept
    under the chunk's own key all the same. ``shown`` are the chunks in its context, ``abroad``
    those of other files of the run, with the folders of their results.
    """

    chunk: str
    pipeline: str
    state: State
    why: str = ""
    target: str = ""
    key: str = ""
    shown: tuple[str, ...] = ()
    left_out: int = 0
    job: Job | None = None
    pack: str = ""
    abroad: tuple[tuple[str, str], ...] = ()


class Before(msgspec.Struct):
    """What other documents of the run ask, by key, and the pack it is asked in (``made``).

    ``apart`` are the keys of jobs that were done or asked by an earlier run: no pack holds them.
    """

    made: dict[str, str] = {}
    apart: Collection[str] = frozenset()


def plan(
    shelf: Shelf, asking: Asking, errand: Errand, before: Before | None = None
) -> tuple[Planned, ...]:
    """Give what is done about each chunk, in order; the first of equal questions has the job."""
    before = before or Before()
    made: dict[str, Sendable] = {}
    planned: list[Planned] = []
    for chunk in shelf.chunks:
        names = asking.pipelines(chunk)
        if chunk.skipped is not None:
            planned.append(Planned(chunk.id, names[0], "skipped", chunk.skipped))
            continue
        for name in names:
            one, sendable = _one(shelf, chunk, name, asking, errand)
            if sendable is not None and one.key not in before.made and one.key not in made:
                made[one.key] = sendable
                one = msgspec.structs.replace(one, job=sendable.job)
            planned.append(one)
    before.made.update(dict.fromkeys(made, ""))
    scope = errand.client, errand.scope
    found = packs(list(made.values()), shelf, asking, scope, before.apart)
    return _packed(planned, found, before.made)


def _packed(
    planned: Sequence[Planned], found: Sequence[Pack], made: dict[str, str]
) -> tuple[Planned, ...]:
    """Give the plan with the jobs of packs in place of those they hold."""
    by_first = {pack.keys[0]: pack for pack in found}
    shown = {key: pack.question for pack in found for key in pack.keys}
    made.update({key: pack.job.key for pack in found for key in pack.keys})
    told = []
    for one in planned:
        pack = made.get(one.key, "")
        job = one.job
        if job is not None and pack:
            job = by_first[one.key].job if one.key in by_first else None
        beside = shown.get(one.key)
        told.append(
            msgspec.structs.replace(
                one,
                pack=pack,
                job=job,
                shown=(*one.shown, *(beside.shown if beside else ())),
                abroad=(*one.abroad, *(beside.abroad if beside else ())),
            )
        )
    return tuple(told)


def jobs(planned: Sequence[Planned]) -> tuple[Job, ...]:
    """Give the jobs of a plan."""
    return tuple(one.job for one in planned if one.job is not None)


def send_key(errand: Errand, question: Question) -> str:
    """Give the key of a question's job."""
    return work_key("send", errand.client, errand.scope, question.identity)


def _one(
    shelf: Shelf,
    chunk: ChunkRecord,
    name: str,
    asking: Asking,
    errand: Errand,
) -> tuple[Planned, Sendable | None]:
    pipeline = asking.pipeline(name)
    if pipeline is None:
        why = _DECIDED if name in asking.settings.pipelines else NOT_CONFIGURED
        return Planned(chunk.id, name, "kept", why), None
    rules = answered_by_rules(chunk, pipeline)
    if rules:
        return Planned(chunk.id, name, "rules", rules, pipeline.target), None
    question = asking.question(shelf, chunk, name)
    assert question is not None  # a pipeline with a target asks
    job = send_job(chunk, question, errand)
    one = Planned(
        chunk.id, name, "send", "", question.target, job.key, question.shown, question.left_out,
        abroad=question.abroad,
    )  # fmt: skip
    return one, Sendable(chunk, question, job)


def send_job(chunk: ChunkRecord, question: Question, errand: Errand) -> Job:
    """Give the job that asks about one chunk."""
    key = send_key(errand, question)
    level = LEVELS.get(chunk.route.priority, 1)  # type: ignore[call-overload]
    if errand.priority == "offline":
        level = max(level, LEVELS["offline"])
    return Job(
        id=work_key(errand.root, key),
        kind="send",
        root=errand.root,
        document=errand.document,
        key=key,
        client=errand.client,
        chunk=chunk.id,
        target=question.target,
        level=level,
        cost=question.tokens,
        stream=errand.stream,
    )


def answered_by_rules(chunk: ChunkRecord, pipeline: PipelineSettings) -> str:
    """Give the rules that answer a chunk without a model, "" where they do not.

    They do where the pipeline lets them, they took every value it wants (or any, where it names
    none), nothing about the chunk is in doubt, and little is left that they did not look at.
    """
    if not pipeline.rules_alone:
        return ""
    if chunk.review or chunk.undecided or chunk.conflicts or chunk.degraded:
        return ""
    found: dict[str, None] = {}
    by: dict[str, None] = {}
    for hit in chunk.hits:
        for name in hit.values:
            found[name] = None
            by[hit.rule] = None
    if not found or any(name not in found for name in pipeline.wanted):
        return ""
    return "、".join(by) if _is_covered(chunk) else ""


def _is_covered(chunk: ChunkRecord) -> bool:
    """Tell whether rules took a value from each sentence with a number, and from most of all.

    Headings hold nothing to take. A sentence that no value was taken from may hold what a model
    would find.
    """
    headings = {heading.strip() for heading in chunk.heading_path}
    taken = sorted(
        _local(chunk, value.start) for hit in chunk.hits for value in hit.values.values()
    )
    covered = whole = 0
    start = 0
    for end in sentence_ends(chunk.text, 0, len(chunk.text)):
        sentence = chunk.text[start:end]
        is_taken = bisect_left(taken, start) < bisect_left(taken, end)
        start = end
        if sentence.strip() in headings:
            continue
        if not is_taken and _NUMBER.search(_LABEL.sub("", sentence)):
            return False
        whole += len(sentence.strip())
        covered += len(sentence.strip()) if is_taken else 0
    return covered >= _LEAST_COVERED * whole


def _local(chunk: ChunkRecord, offset: int) -> int:
    """Give where an offset of the document stands in the chunk's text."""
    before = 0
    for start, end in chunk.spans:
        if offset < end:
            return before + max(0, offset - start)
        before += end - start
    return before
