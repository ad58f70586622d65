"""From a send job to what is asked: the function that delivery is handed.

Takes jobs and where a document's results lie, gives asks. Never keeps more than a few documents.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import msgspec

from headworks.assembly.shapes import ChunkRecord
from headworks.dispatch.asking import Asking, Question
from headworks.dispatch.packing import chunks_of, is_pack
from headworks.dispatch.plan import Errand, send_job, send_key
from headworks.errors import InputError
from headworks.model.job import Ask, Job, Part
from headworks.service.results import Results

# So many documents are held at a time: jobs of one come together.
_MOST_OPEN = 16


class Composer:
    """Composes asks. ``find`` gives the results of a document by its id."""

    def __init__(
        self, asking: Asking, find: Callable[[str], Results], *, scoped: bool = False
    ) -> None:
        """``scoped`` tells that equal questions are asked once a document, not once a run."""
        self._asking = asking
        self._scoped = scoped
        self._turn = asyncio.Lock()
        self._open = lru_cache(maxsize=_MOST_OPEN)(find)

    async def __call__(self, job: Job) -> Ask:
        """Give what a job asks; a large document is opened beside the loop, once."""
        async with self._turn:
            return await asyncio.to_thread(self.compose, job)

    def compose(self, job: Job) -> Ask:
        """Give what a job asks. Raises InputError (E_NOT_FOUND) where its chunk is gone."""
        results = self._open(job.document)
        chunks = []
        for id_ in chunks_of(job):
            chunk = results.shelf.by_id.get(id_)
            if chunk is None:
                raise InputError("E_NOT_FOUND", "the chunk is gone", place=id_)
            chunks.append(chunk)
        question = self._question(results, chunks, job)
        return Ask(
            job=job.id,
            document=job.document,
            chunk=job.chunk or "",
            pipeline=question.pipeline,
            priority=chunks[0].route.priority,  # type: ignore[arg-type]
            messages=question.messages,
            schema=question.schema,
            max_tokens=question.max_tokens,
            tokens=question.tokens,
            payload=question.payload,
            parts=tuple(self._parts(results, chunks, question, job)) if is_pack(job) else (),
        )

    def forget(self) -> None:
        """Let go of the documents that are held."""
        self._open.cache_clear()

    def _errand(self, job: Job) -> Errand:
        scope = job.document if self._scoped else ""
        return Errand(job.root, job.document, job.client, scope=scope, stream=job.stream)

    def _parts(
        self, results: Results, chunks: Sequence[ChunkRecord], question: Question, job: Job
    ) -> Iterator[Part]:
        """Give the chunks of a pack, each with the job that it is alone."""
        first = self._asking.question(results.shelf, chunks[0], question.pipeline)
        assert first is not None  # its pipeline asks about all of them
        for chunk, text in zip(chunks, question.texts, strict=True):
            own = self._alone(results, chunk, first)
            alone = send_job(chunk, own, self._errand(job))
            alone = msgspec.structs.replace(alone, level=job.level)
            yield Part(job=alone, text=text, payload=own.payload)

    def _alone(self, results: Results, chunk: ChunkRecord, first: Question) -> Question:
        """Give the question about a chunk of a pack: the pipeline may have another name there."""
        for name in self._asking.pipelines(chunk):
            own = self._asking.question(results.shelf, chunk, name)
            if own is not None and self._asking.manner(own) == self._asking.manner(first):
                return own
        raise InputError("E_NOT_FOUND", "the pack is asked otherwise now", place=chunk.id)

    def _question(self, results: Results, chunks: Sequence[ChunkRecord], job: Job) -> Question:
        """Give the question of a job: a chunk may go to several pipelines at one target."""
        errand = self._errand(job)
        fitting: Question | None = None
        for name in self._asking.pipelines(chunks[0]):
            if self._asking.pipeline(name) is None:
                continue
            if is_pack(job):
                question = self._together(results, chunks, name)
            else:
                question = self._asking.question(results.shelf, chunks[0], name)
            if question is None:
                continue
            if send_key(errand, question) == job.key:
                return question
            if fitting is None and question.target == job.target:
                fitting = question  # the prompt was changed since it was planned
        if fitting is None:
            raise InputError("E_NOT_FOUND", f"no pipeline leads to {job.target}", place=job.id)
        return fitting

    def _together(
        self, results: Results, chunks: Sequence[ChunkRecord], name: str
    ) -> Question | None:
        """Give what is asked about several; none where the pipeline wants no JSON."""
        if self._asking.schema(chunks[0], name) is None:
            return None
        return self._asking.together(results.shelf, chunks, name)
