"""From a send job to what is asked: the function that delivery is handed.

Takes jobs and where a document's results lie, gives asks. Never keeps more than a few documents.
"""

import asyncio
from collections.abc import Callable
from functools import lru_cache

from headworks.dispatch.asking import Asking, Question
from headworks.dispatch.plan import Errand, send_key
from headworks.errors import InputError
from headworks.model.job import Ask, Job
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
        chunk = results.shelf.by_id.get(job.chunk or "")
        if chunk is None:
            raise InputError("E_NOT_FOUND", "the chunk is gone", place=job.chunk or "")
        question = self._question(results, job)
        return Ask(
            job=job.id,
            document=job.document,
            chunk=chunk.id,
            pipeline=question.pipeline,
            priority=chunk.route.priority,  # type: ignore[arg-type]
            messages=question.messages,
            schema=question.schema,
            max_tokens=question.max_tokens,
            tokens=question.tokens,
            payload=question.payload,
        )

    def forget(self) -> None:
        """Let go of the documents that are held."""
        self._open.cache_clear()

    def _question(self, results: Results, job: Job) -> Question:
        """Give the question of a job: a chunk may go to several pipelines at one target."""
        chunk = results.shelf.by_id[job.chunk or ""]
        scope = job.document if self._scoped else ""
        errand = Errand(job.root, job.document, job.client, scope=scope)
        fitting: Question | None = None
        for name in self._asking.pipelines(chunk):
            question = self._asking.question(results.shelf, chunk, name)
            if question is None:
                continue
            if send_key(errand, question) == job.key:
                return question
            if fitting is None and question.target == job.target:
                fitting = question  # the prompt was changed since it was planned
        if fitting is None:
            raise InputError("E_NOT_FOUND", f"no pipeline leads to {job.target}", place=job.id)
        return fitting
