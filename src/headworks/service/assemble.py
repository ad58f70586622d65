"""From a document's replies to its answer: answer.json, answer.md, trace.json, trace.html.

Takes a document's results, what was planned for each chunk and what became of it, gives files.
Never asks a target, never writes to a disk; equal replies give equal bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import msgspec

from headworks.assembly.answer_page import answer_page
from headworks.assembly.answer_records import AnswerRecord, ChunkAnswerRecord, TraceRecord
from headworks.assembly.answers import ReadAnswer, read_answer
from headworks.assembly.citations import Elsewhere
from headworks.assembly.cost import cost, spent_on
from headworks.assembly.cost_records import SpentRecord
from headworks.assembly.join import Speaker, Spoken
from headworks.assembly.restore import restored_answer
from headworks.assembly.shapes import ChunkRecord
from headworks.assembly.statements import Claim, Statement, statements
from headworks.assembly.trace_page import trace_page
from headworks.assembly.whole import Whole, whole
from headworks.dispatch.asking import Asking
from headworks.dispatch.plan import Planned
from headworks.model.job import Job, Reply
from headworks.model.place import Span
from headworks.privacy.tokens import Record
from headworks.service.results import Results

_ENCODER = msgspec.json.Encoder()


class Sent(msgspec.Struct, frozen=True):
    """What became of a send job: the job as it stands, and its reply where it has one."""

    job: Job
    reply: Reply | None


class Assembled(msgspec.Struct, frozen=True):
    """The records of an answer, before they are files."""

    answer: AnswerRecord
    trace: TraceRecord


class _Heard(msgspec.Struct, frozen=True):
    """A planned chunk with its reply as it was read."""

    planned: Planned
    chunk: ChunkRecord
    sent: Sent | None
    read: ReadAnswer | None


def assemble(
    results: Results,
    planned: Sequence[Planned],
    sent: Mapping[str, Sent],
    asking: Asking,
    *,
    document: str,
) -> Assembled:
    """Give the answer of one document. ``sent`` maps the keys of send jobs to their ends.

    ``document`` is the id that its jobs name it by. Where sentences stand is known with the page.
    """
    heard = [_heard(one, results, sent, asking) for one in planned]
    spoken = [answer for one in heard for answer in _spoken(one)]
    shown = {
        (one.chunk, one.pipeline): (*one.shown, *(id_ for _, id_ in one.abroad)) for one in planned
    }
    others = list(_others(results, planned))
    built = whole(results.kept.document, results.chunks, spoken, shown, others)
    answers = list(_answers(heard, built, document))
    trace = TraceRecord(
        source=results.document.source,
        sentences=built.sentences,
        citations=built.citations,
        sizes=[(size.width, size.height) for size in results.kept.document.page_sizes],
    )
    packs = {one.pack: sent[one.pack] for one in planned if one.pack in sent}
    in_vain = [one.reply for one in packs.values() if one.reply and one.job.document == document]
    spent = spent_on(answers, estimated=_is_estimated(heard), in_vain=in_vain)
    return Assembled(_record(results, answers, built, asking, spent), trace)


def _others(results: Results, planned: Sequence[Planned]) -> Iterator[Elsewhere]:
    """Give the other files of the run whose chunks were shown."""
    wanted: dict[str, set[str]] = {}
    for folder, chunk in (place for one in planned for place in one.abroad):
        wanted.setdefault(folder, set()).add(chunk)
    for folder, ids in sorted(wanted.items()):
        other = results.other(folder)
        if other is not None:
            source, chunks = other.document.source, other.shelf.by_id
            found = tuple(chunks[id_] for id_ in sorted(ids) if id_ in chunks)
            yield Elsewhere(folder, source.name, source.sha256, other.kept.document, found)


def files(
    made: Assembled,
    pictures: Mapping[int, str],
    language: str,
    vault: Record | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Give the files of an answer; with a vault's record also those with originals put back."""
    page = answer_page(made.answer, made.trace.sentences, made.trace.citations, language)
    trace = msgspec.structs.replace(made.trace, sentences=page.sentences)
    yield "answer.json", encode(made.answer)
    yield "answer.md", page.text.encode()
    yield "trace.json", encode(trace)
    yield "trace.html", trace_page(made.answer, trace, pictures, language)
    if vault is not None:
        back = restored_answer(made.answer, trace, vault)
        shown = answer_page(back.answer, back.trace.sentences, back.trace.citations, language)
        yield "answer.restored.json", encode(back.answer)
        yield "answer.restored.md", shown.text.encode()


def encode(record: AnswerRecord | TraceRecord) -> bytes:
    """Give a record as JSON on several lines, for a person to open too."""
    return msgspec.json.format(_ENCODER.encode(record), indent=1) + b"\n"


def _heard(planned: Planned, results: Results, sent: Mapping[str, Sent], asking: Asking) -> _Heard:
    chunk = results.shelf.by_id[planned.chunk]
    # Without a job of its own, it is its pack's that tells how it stands.
    one = sent.get(planned.key) or sent.get(planned.pack)
    if one is not None and one.job.key == planned.pack:
        one = Sent(one.job, None)
    read = None
    if one is not None and one.reply is not None and one.reply.body.strip():
        pipeline = asking.pipeline(planned.pipeline)
        # From rules alone the answer has the form of the built-in target's.
        degraded = bool(one.reply.degraded) or asking.target(one.reply.target).kind == "extract"
        wanted = pipeline is not None and not degraded
        read = read_answer(
            one.reply.body, asking.schema(chunk, planned.pipeline) if wanted else None
        )
    return _Heard(planned, chunk, one, read)


def _spoken(heard: _Heard) -> Iterator[Spoken]:
    """Give what was said about a chunk: by its model, then by the rules that took values."""
    chunk, planned = heard.chunk, heard.planned
    if heard.read is not None and heard.read.layer != "raw" and heard.sent is not None:
        reply = heard.sent.reply
        assert reply is not None  # it was read
        speaker = Speaker(chunk.id, planned.pipeline, "model", reply.model or reply.target)
        yield Spoken(speaker, chunk, tuple(statements(heard.read)))
    if planned.state == "skipped":
        return
    for hit in chunk.hits:
        claims: list[Statement] = []
        ranges: list[Span] = []
        for name, value in hit.values.items():
            claims.append(Claim(name, value.text, _subject(chunk)))
            ranges.append(Span(value.start, value.end))
        if claims:
            speaker = Speaker(chunk.id, planned.pipeline, "rule", hit.rule)
            yield Spoken(speaker, chunk, tuple(claims), tuple(ranges))


def _subject(chunk: ChunkRecord) -> str:
    """Give what a rule's value is about: the clause it stands in."""
    return chunk.heading_path[-1] if chunk.heading_path else chunk.anchor or ""


def _answers(heard: Sequence[_Heard], built: Whole, document: str) -> Iterator[ChunkAnswerRecord]:
    """Give what became of each chunk, with the points and values that came of it."""
    points: dict[tuple[str, str], list[int]] = {}
    values: dict[tuple[str, str], list[int]] = {}
    for point in built.points:
        for place in product(point.chunks, point.pipelines):
            points.setdefault(place, []).append(point.id)
    for value in built.values:
        for place in dict.fromkeys((said.chunk, said.pipeline) for said in value.said):
            values.setdefault(place, []).append(value.id)
    for one in heard:
        place = one.planned.chunk, one.planned.pipeline
        answered = _answered(one, document)
        yield msgspec.structs.replace(
            answered, points=points.get(place, []), values=values.get(place, [])
        )


def _answered(heard: _Heard, document: str) -> ChunkAnswerRecord:
    chunk, planned, sent, read = heard.chunk, heard.planned, heard.sent, heard.read
    reply = sent.reply if sent is not None else None
    state, why = _state(heard, document)
    mine = (
        state in ("answered", "degraded", "delivered", "failed")
        and reply is not None
        and _is_own(heard, document)
    )
    faults = list(read.faults) if read is not None and read.layer == "raw" else []
    if planned.left_out:
        faults.append(f"{planned.left_out} characters had no room in the model's window")
    if reply is not None and reply.stopped not in ("", "stop"):
        faults.append(f"the model stopped: {reply.stopped}")
    raw = read is not None and read.layer == "raw"
    return ChunkAnswerRecord(
        chunk=chunk.id,
        ordinal=chunk.ordinal,
        pipeline=planned.pipeline,
        target=reply.target if reply is not None else planned.target,
        state=state,  # type: ignore[arg-type]
        why=why,
        layer=read.layer if read is not None else None,
        faults=faults,
        model=reply.model if reply is not None else "",
        tokens_in=reply.tokens_in if mine and reply else 0,
        tokens_out=reply.tokens_out if mine and reply else 0,
        attempts=reply.attempts if mine and reply else 0,
        milliseconds=round(reply.milliseconds, 3) if mine and reply else 0.0,
        points=[],
        values=[],
        raw=read.text if raw and read is not None else None,
        calls=reply.calls if mine and reply and state != "delivered" else 0,
    )


def _state(heard: _Heard, document: str) -> tuple[str, str]:
    """Give what became of a chunk, and why. A call is its job's own chunk's; others share it."""
    planned, sent = heard.planned, heard.sent
    if planned.state != "send":
        return planned.state, planned.why
    if sent is None:
        return "waiting", ""
    job, reply = sent.job, sent.reply
    if reply is None and job.key == planned.pack and job.state == "done":
        return "waiting", ""  # it is to be asked alone
    if job.state in ("failed", "cancelled"):
        return "failed", f"{job.code} {job.message}".strip() or job.state
    if reply is None or job.state != "done":
        return "waiting", job.message
    if heard.read is not None and heard.read.layer == "raw":
        return "failed", "E_ANSWER"
    if not _is_own(heard, document):
        return "shared", job.id
    if reply.degraded:
        return "degraded", reply.degraded
    return ("answered" if reply.body.strip() else "delivered"), ""


def _is_own(heard: _Heard, document: str) -> bool:
    """Tell whether a chunk's call is its own: others share it, and it is counted once."""
    job = heard.sent.job if heard.sent is not None else None
    return job is not None and (job.chunk, job.document) == (heard.planned.chunk, document)


def _is_estimated(heard: Sequence[_Heard]) -> bool:
    return any(one.sent.reply.estimated for one in heard if one.sent is not None and one.sent.reply)


def _record(
    results: Results,
    answers: list[ChunkAnswerRecord],
    built: Whole,
    asking: Asking,
    spent: SpentRecord,
) -> AnswerRecord:
    document = results.kept.document
    return AnswerRecord(
        source=results.document.source,
        complete=not any(one.state in ("failed", "waiting", "degraded") for one in answers),
        restored=False,
        points=built.points,
        values=built.values,
        conflicts=[one.id for one in built.values if one.kind == "conflict"],
        unsupported=[one.id for one in built.sentences if one.support == "none"],
        answers=answers,
        review={chunk.id: chunk.review for chunk in results.chunks if chunk.review},
        cost=cost(
            document.text,
            results.chunks,
            answers,
            spent,
            cut=results.kept.cut,
            ceiling=asking.settings.chunk.max_chars,
        ),
        versions=results.document.versions,
    )
