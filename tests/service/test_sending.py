"""Documents to targets and back through the whole service."""

import asyncio
from functools import partial
from pathlib import Path

import msgspec

from headworks.assembly.answer_records import AnswerRecord
from headworks.service.views import document_view
from headworks.store import replies
from tests.build.pdf import pdf, write
from tests.service.shops import opened, over, send, settings


def test_answers_are_assembled_beside_the_document(tmp_path: Path) -> None:
    """Each chunk is asked, its answer is told and counted, and the answer's files are there."""

    async def scenario() -> None:
        async with opened(settings(tmp_path, delivery__fallback="extract")) as shop:
            accepted = await send(shop)
            view = await over(shop, accepted.job)
            assert view.state == "done"
            assert view.jobs == {
                "process": {"done": 1}, "send": {"done": 2}, "assemble": {"done": 1},
            }  # fmt: skip
            found = await document_view(shop, accepted.document)
            assert found is not None
            assert found.answer
            row = await shop.queue.listing()
            fence = next(job.fence for job in row if job.kind == "assemble")
            names = await shop.blobs.names(accepted.document, fence)
            assert set(names) == {"answer.json", "answer.md", "trace.json", "trace.html"}
            raw = await shop.blobs.read(accepted.document, fence, "answer.json")
            answer = msgspec.json.decode(raw, type=AnswerRecord)
            assert answer.complete
            kept = await shop.database.read(lambda c: replies.of_document(c, accepted.document))
            assert len(kept) == 2
            kinds = [event.kind for event in await shop.queue.events(accepted.job)]
            assert kinds.count("answered") == 2
            told = shop.observer.exposition().decode()
            assert 'headworks_model_calls_total{outcome="answered",target="extract"} 2.0' in told

    asyncio.run(scenario())


def test_without_targets_nothing_is_sent(tmp_path: Path) -> None:
    """Where no target is configured a document ends with its chunks."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            view = await over(shop, (await send(shop)).job)
            assert view.jobs == {"process": {"done": 1}}
            assert shop.delivery is None

    asyncio.run(scenario())


def test_the_trace_shows_pages_but_those_with_redactions(tmp_path: Path) -> None:
    """trace.html of a PDF has its pages as pictures; none that something was taken out on."""
    texts = (
        "第一条 违约金为合同总额的10%，不超过50万元。",
        "第二条 联系人身份证号 11010519491231002X。",
    )
    pages = [partial(write, x=90, y=90, text=text) for text in texts]

    async def scenario() -> None:
        async with opened(settings(tmp_path, delivery__fallback="extract")) as shop:
            accepted = await send(shop, pdf(pages), "合同.pdf")
            assert (await over(shop, accepted.job)).state == "done"
            jobs = await shop.queue.listing()
            fence = next(job.fence for job in jobs if job.kind == "assemble")
            page = await shop.blobs.read(accepted.document, fence, "trace.html")
            assert page.count(b"data:image/png;base64,") == 1

    asyncio.run(scenario())
