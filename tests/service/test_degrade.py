"""Degraded work: the ways around stages that are down, and full processing when they are back."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from reportlab.pdfgen.canvas import Canvas

from headworks.assembly.shapes import ChunkRecord, DocumentRecord
from headworks.config import Settings
from headworks.config_service import ServiceSettings
from headworks.model.chunk import Chunk
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.service import ways as ways_module
from headworks.service.degrade import Stages, way_of
from headworks.service.headquarters import open_shop
from headworks.service.packs import Packs
from headworks.service.shop import Shop
from headworks.service.tasks import PackSource
from headworks.service.upkeep import Upkeep
from headworks.service.views import document_view, job_view
from headworks.service.ways import PLAIN_CHARS, plain_chunks, through
from headworks.store import documents
from headworks.store.database import Connection
from tests.build.pdf import pdf
from tests.service.papers import contract
from tests.service.shops import CONTRACT, opened, over, send, settings, until


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """Give the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Give a clock."""
    return Clock()


@pytest.fixture
def stages(clock: Clock) -> Stages:
    """Give breakers over the clock."""
    return Stages(ServiceSettings(breaker_share=0.5, breaker_seconds=60.0), clock)


def _document(tmp_path: Path, text: str) -> Document:
    path = tmp_path / "文.md"
    path.write_text(text, encoding="utf-8")
    return read(path, Settings().read)


def _packs(tmp_path: Path, *names: str) -> tuple[PackSource, ...]:
    chosen = msgspec.structs.replace(Settings().rules, as_of="2026-01-01")
    return Packs(chosen, tmp_path / "rules").choose(names).sources


def _down(stages: Stages, stage: str, format_: str = "pdf") -> None:
    """Have a stage fail until its breaker opens."""
    for _ in range(4):
        stages.heard(format_, (), {stage: False})


def test_a_stage_that_fails_often_is_gone_around(stages: Stages) -> None:
    """Half of the documents failing at recognition, it is left out for documents with pages."""
    assert stages.ways("pdf") == ()
    _down(stages, "ocr")
    assert stages.ways("pdf") == ("no_ocr",)
    assert stages.ways("docx") == ()
    assert stages.states()["ocr"] == "open"


def test_a_stage_is_tried_on_one_document_after_a_minute(stages: Stages, clock: Clock) -> None:
    """Half open, one document goes the whole way; its success brings the stage back, told once."""
    _down(stages, "ocr")
    clock.now += 59
    assert stages.ways("pdf") == ("no_ocr",)
    assert stages.on_trial() == ()
    clock.now += 2
    assert stages.on_trial() == ("ocr",)
    assert stages.ways("pdf") == ()
    assert stages.ways("pdf") == ("no_ocr",)
    stages.heard("pdf", ("no_ocr",), {"reader": True})
    assert stages.back() == ()
    stages.heard("pdf", (), {"reader": True, "ocr": True})
    assert stages.back() == ("ocr",)
    assert stages.back() == ()
    assert stages.ways("pdf") == ()


def test_a_trial_that_fails_keeps_the_stage_down(stages: Stages, clock: Clock) -> None:
    """A failure on trial opens the breaker for another minute."""
    _down(stages, "structure")
    clock.now += 61
    assert stages.ways("docx") == ()
    stages.heard("docx", (), {"structure": False})
    assert stages.ways("docx") == ("plain",)


def test_a_reader_that_fails_rests_alone(stages: Stages, clock: Clock) -> None:
    """Documents of the format wait until their reader may be tried; other formats go on."""
    _down(stages, "reader", "xls")
    assert stages.reader_rests("xls") == pytest.approx(60)
    assert stages.reader_rests("xlsx") == 0
    clock.now += 61
    assert stages.reader_rests("xls") == 0
    assert stages.reader_rests("xls") > 0  # one is on trial


def test_a_document_that_says_nothing_of_a_stage_gives_its_trial_back(
    stages: Stages, clock: Clock
) -> None:
    """A text page on trial for recognition leaves the trial to the next document."""
    _down(stages, "ocr")
    clock.now += 61
    assert stages.ways("pdf") == ()
    stages.heard("pdf", (), {"reader": True})
    assert stages.ways("pdf") == ()


def test_ways_lead_around_their_stages() -> None:
    """Each way names its stage; readers have none."""
    assert [way_of(stage) for stage in ("ocr", "structure", "rules", "reader:pdf")] == [
        "no_ocr", "plain", "core", None,
    ]  # fmt: skip


def test_plain_cuts_hold_every_character_once(tmp_path: Path) -> None:
    """Plain chunks are of at most 1,000 characters, end at sentences and lose nothing."""
    document = _document(tmp_path, contract(3, 60))
    chunks = plain_chunks(document, Settings())
    assert "".join(chunk.text_in(document.text) for chunk in chunks) == document.text
    assert max(chunk.chars for chunk in chunks) <= PLAIN_CHARS
    ends = [chunk.text_in(document.text)[-1] for chunk in chunks]
    assert set(ends) <= set("。；\n")
    assert all("plain" in chunk.degraded for chunk in chunks)


def test_a_failing_structure_does_not_fail_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the structure cannot be found the document is cut plainly, and judged all the same."""

    def broken(*_: object) -> Document:
        raise RuntimeError("a fault of our own")

    monkeypatch.setattr("headworks.pipeline.structure", broken)
    arrived = through(_document(tmp_path, CONTRACT), Settings(), _packs(tmp_path, "contract"))
    assert arrived.ways == ("plain",)
    assert arrived.outcomes == {"structure": False, "rules": True}
    assert any("RISK_CLAUSE" in verdict.tags for verdict in arrived.outcome.verdicts)


def test_a_failing_pack_leaves_the_core_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where judging fails, the core rules judge: personal data is taken out as it was meant."""
    true_judge = ways_module.RuleBook.judge

    def judge(self: ways_module.RuleBook, *rest: object) -> tuple[tuple[Chunk, ...], object]:
        if any(pack.name == "contract" for pack in self.packs):
            raise RuntimeError("a fault of a pack")
        return true_judge(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(ways_module.RuleBook, "judge", judge)
    document = _document(tmp_path, CONTRACT + "\n身份证号 11010519491231002X\n")
    arrived = through(document, Settings(), _packs(tmp_path, "contract", "privacy"))
    assert arrived.ways == ("core",)
    assert arrived.outcomes == {"structure": True, "rules": False}
    labels = [edit.label for verdict in arrived.outcome.verdicts for edit in verdict.edits]
    assert labels == ["ID_CARD"]
    arrived = through(document, Settings(), _packs(tmp_path, "contract"))
    assert [edit for verdict in arrived.outcome.verdicts for edit in verdict.edits] == []


def test_a_pack_that_does_not_compile_any_more_is_gone_around(tmp_path: Path) -> None:
    """A pack whose bytes this program refuses does not fail a document that was taken in."""
    bad = PackSource("own.yaml", "name: own\nrules: [{id: x, rule: 胡言乱语}]\n".encode())
    arrived = through(_document(tmp_path, CONTRACT), Settings(), (bad,))
    assert arrived.ways == ("core",)


def _scan() -> bytes:
    """Give a PDF whose page is a picture without text."""

    def draw(canvas: Canvas) -> None:
        for place in range(60):
            canvas.rect(60 + place % 10 * 45, 80 + place // 10 * 100, 40, 80, fill=1)

    return pdf([draw])


def test_degraded_documents_are_marked_and_done_again(tmp_path: Path) -> None:
    """With a way around, the result says so; when the stage is back it is processed in full."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            _down(shop.stages, "structure", "markdown")
            accepted = await send(shop)
            view = await over(shop, accepted.job)
            assert view.documents[0].degraded == ("plain",)
            record, chunks = await _records(shop, accepted.document)
            assert record.degraded == ["plain"]
            assert [w.code for w in record.warnings] == ["W_DEGRADED"]
            assert all(chunk.degraded for chunk in chunks)
            kinds = [event.kind for event in await shop.queue.events(accepted.job)]
            assert "degraded" in kinds
            shop.stages.reset("structure")

            async def whole() -> bool:
                found = await document_view(shop, accepted.document)
                return found is not None and not found.degraded

            await until(whole)
            record, chunks = await _records(shop, accepted.document)
            assert record.degraded is msgspec.UNSET
            assert [chunk.anchor for chunk in chunks] == ["第一条", "第二条"]
            assert 'headworks_degraded_total{way="plain"} 1.0' in (
                shop.observer.exposition().decode()
            )

    asyncio.run(scenario())


async def _records(shop: Shop, document: str) -> tuple[DocumentRecord, list[ChunkRecord]]:
    view = await document_view(shop, document)
    assert view is not None
    record = await shop.blobs.read(document, view.fence, "document.json")
    lines = await shop.blobs.read(document, view.fence, "chunks.jsonl")
    return (
        msgspec.json.decode(record, type=DocumentRecord),
        msgspec.json.Decoder(ChunkRecord).decode_lines(lines),
    )


def test_without_recognition_pages_are_left_unread_and_marked(tmp_path: Path) -> None:
    """While recognition is down a document that needs it is marked; one that does not is not."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            _down(shop.stages, "ocr")
            plain = await send(shop, CONTRACT)
            scan = await send(shop, _scan(), "扫描.pdf")
            assert (await over(shop, plain.job)).documents[0].degraded == ()
            assert (await over(shop, scan.job)).documents[0].degraded == ("no_ocr",)

    asyncio.run(scenario())


def test_one_degraded_document_is_the_trial(tmp_path: Path) -> None:
    """Where no new document comes, a degraded one is put in to try the stage on."""

    async def scenario() -> None:
        clock = Clock()
        shop = await open_shop(settings(tmp_path), crew=False)
        try:
            shop.stages = Stages(ServiceSettings(), clock)
            first = await send(shop)
            leases = await shop.queue.claim("w", ["process"])

            async def done(connection: Connection) -> None:
                await documents.finish(connection, first.document, 1, {}, degraded="plain")

            await shop.queue.complete(leases[0], done)
            _down(shop.stages, "structure", "markdown")
            upkeep = Upkeep(shop, clock)
            await upkeep.again()
            assert len(await shop.queue.listing()) == 1
            clock.now += 61
            await upkeep.again()
            await upkeep.again()
            assert len(await shop.queue.listing()) == 2
        finally:
            await shop.close()

    asyncio.run(scenario())


def test_documents_wait_for_a_reader_that_rests(tmp_path: Path) -> None:
    """A format whose reader is down waits for it, uncounted; then one is tried, then all go."""

    async def scenario() -> None:
        async with opened(settings(tmp_path, breaker_seconds=1.5)) as shop:
            await over(shop, (await send(shop, CONTRACT, "先.txt")).job)  # the worker is there
            _down(shop.stages, "reader", "markdown")
            accepted = [await send(shop, f"{CONTRACT}{number}") for number in range(3)]
            other = await send(shop, CONTRACT, "合同.txt")
            assert (await over(shop, other.job)).state == "done"
            waiting = await job_view(shop, accepted[0].job)
            assert waiting is not None
            assert (waiting.state, waiting.why) == ("waiting", "retry")
            for one in accepted:
                view = await over(shop, one.job)
                assert (view.state, view.attempts) == ("done", 1)

    asyncio.run(scenario())
