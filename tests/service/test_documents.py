"""Documents through a service with real worker processes."""

import asyncio
import io
import zipfile
from pathlib import Path

import msgspec
import pytest

from headworks.assembly.shapes import ChunkRecord, DocumentRecord
from headworks.dispatch.queue import QueueFull
from headworks.errors import HeadworksError, InputError, LimitError, RulesError
from headworks.service.intake import rerun, retry
from headworks.service.removal import cancel, remove
from headworks.service.shop import Shop
from headworks.service.views import document_view, job_view
from tests.build.mail import eml
from tests.service.shops import CONTRACT, opened, over, send, settings, until


async def _files(shop: Shop, document: str) -> dict[str, bytes]:
    view = await document_view(shop, document)
    assert view is not None
    names = await shop.blobs.names(document, view.fence)
    return {name: await shop.blobs.read(document, view.fence, name) for name in names}


def test_an_upload_becomes_judged_chunks(tmp_path: Path) -> None:
    """What is sent in comes out as the files of ``run``, behind its document's fence."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, tags={"client": "甲"})
            view = await over(shop, accepted.job)
            assert view.state == "done"
            assert view.documents[0].counts["chunks"] == 2
            assert set(view.documents[0].versions) == {"contract", "privacy"}
            files = await _files(shop, accepted.document)
            chunks = msgspec.json.Decoder(ChunkRecord).decode_lines(files["chunks.jsonl"])
            assert [chunk.anchor for chunk in chunks] == ["第一条", "第二条"]
            record = msgspec.json.decode(files["document.json"], type=DocumentRecord)
            assert record.source.name == "合同.md"
            assert record.metadata.tags["client"] == "甲"
            assert record.timings is msgspec.UNSET

    asyncio.run(scenario())


def test_events_tell_stages_and_chunks_without_text(tmp_path: Path) -> None:
    """Each chunk has an event with id and route; no event has words of the document."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop)
            await over(shop, accepted.job)
            events = await shop.queue.events(accepted.job)
            kinds = [event.kind for event in events]
            assert kinds[:2] == ["queued", "started"]
            assert kinds[-1] == "done"
            assert [e.body["stage"] for e in events if e.kind == "stage"] == [
                "read", "structure", "chunk", "judge", "write",
            ]  # fmt: skip
            chunks = [event.body for event in events if event.kind == "chunk"]
            assert [chunk["pipeline"] for chunk in chunks] == ["general", "legal-review"]
            told = msgspec.json.encode([event.body for event in events]).decode()
            assert "违约" not in told
            assert "设备" not in told

    asyncio.run(scenario())


def test_the_same_upload_twice_is_one_document(tmp_path: Path) -> None:
    """Equal bytes under equal rules are not run again; other rules, names or clients are."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            first = await send(shop)
            await over(shop, first.job)
            same = await send(shop)
            assert (same.document, same.job, same.existing) == (first.document, first.job, True)
            others = [
                await send(shop, rules=("finance",)),
                await send(shop, name="别的.md"),
                await send(shop, client="乙"),
            ]
            assert len({first.document, *(other.document for other in others)}) == 4
            for other in others:
                assert (await over(shop, other.job)).state == "done"
            stats = await shop.queue.listing()
            assert len(stats) == 4

    asyncio.run(scenario())


def test_equal_uploads_give_equal_bytes(tmp_path: Path) -> None:
    """Two services that get the same bytes keep the same files."""

    async def scenario(folder: Path) -> dict[str, bytes]:
        async with opened(settings(folder)) as shop:
            accepted = await send(shop)
            await over(shop, accepted.job)
            return await _files(shop, accepted.document)

    assert asyncio.run(scenario(tmp_path / "a")) == asyncio.run(scenario(tmp_path / "b"))


def test_what_is_in_a_container_is_documents_of_its_job(tmp_path: Path) -> None:
    """An archive's files are documents of the same job; what is none is listed with its code."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("甲/一.md", CONTRACT)
        archive.writestr("二.txt", CONTRACT + "二")
        archive.writestr("三.exe", b"MZ\0\0" * 100)

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, packed.getvalue(), "包.zip", client="丙")
            view = await over(shop, accepted.job)
            assert view.state == "done"
            assert view.jobs == {"process": {"done": 3}}
            first, *members = view.documents
            assert first.counts["members"] == 2
            assert first.counts["members_failed"] == 1
            assert {(m.name, m.place, m.client) for m in members} == {
                ("一.md", "包.zip/甲/", "丙"), ("二.txt", "包.zip/", "丙"),
            }  # fmt: skip
            files = await _files(shop, accepted.document)
            listed = msgspec.json.decode(files["members.json"])
            assert [line.get("code", "") for line in listed] == ["", "", "E_TYPE"]
            assert {line.get("document") for line in listed[:2]} == {m.id for m in members}

    asyncio.run(scenario())


def test_a_mail_is_a_document_with_its_attachments(tmp_path: Path) -> None:
    """A mail is read itself, and its attachment is a document of the same job."""
    letter = eml(tmp_path / "a.eml", "正文在此。", attached={"附件.md": CONTRACT.encode()})

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, letter.read_bytes(), "信.eml")
            view = await over(shop, accepted.job)
            assert [document.name for document in view.documents] == ["信.eml", "附件.md"]
            assert all(document.counts["chunks"] for document in view.documents)

    asyncio.run(scenario())


def test_what_is_no_document_is_refused_and_not_kept(tmp_path: Path) -> None:
    """A program, an empty file, one over the bound, an unknown pack: an error and no bytes."""

    async def scenario() -> None:
        async with opened(settings(tmp_path, max_upload_bytes=10_000), crew=False) as shop:
            cases: list[tuple[bytes, str, tuple[str, ...], type[HeadworksError]]] = [
                (b"MZ\0\0" * 100, "a.docx", (), InputError),
                (b"", "a.txt", (), InputError),
                (b"x" * 10_001, "a.txt", (), LimitError),
                (CONTRACT.encode(), "a.md", ("no-such-pack",), RulesError),
                (CONTRACT.encode(), "a.md", ("../../etc/passwd",), RulesError),
            ]
            for content, name, rules, kind in cases:
                with pytest.raises(kind):
                    await send(shop, content, name, rules=rules)
            kept = [p for p in (tmp_path / "data").rglob("*") if p.is_file()]
            assert [p.name for p in kept if "headworks.sqlite" not in p.name] == []

    asyncio.run(scenario())


def test_a_full_queue_says_when_to_come_back(tmp_path: Path) -> None:
    """Over ``max_queue`` waiting documents an upload is refused with a time, and not kept."""

    async def scenario() -> None:
        async with opened(settings(tmp_path, max_queue=2), crew=False) as shop:
            for number in range(2):
                await send(shop, f"{CONTRACT}{number}")
            with pytest.raises(QueueFull) as refused:
                await send(shop, f"{CONTRACT}3")
            assert refused.value.retry_after > 0
            originals = [p for p in (tmp_path / "data/originals").rglob("*") if p.is_file()]
            assert len(originals) == 2
            assert (await send(shop, f"{CONTRACT}0")).existing  # what is there needs no place

    asyncio.run(scenario())


def test_other_rules_judge_without_reading_again(tmp_path: Path) -> None:
    """A rerun is another document of the same source, judged by other packs, read once."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            first = await send(shop)
            await over(shop, first.job)
            before = await _files(shop, first.document)
            # Were it read again, it would fail.
            view = await document_view(shop, first.document)
            assert view is not None
            again = await rerun(shop, first.document, ("finance",))
            done = await over(shop, again.job)
            assert again.document != first.document
            assert set(done.documents[0].versions) == {"finance"}
            after = await _files(shop, again.document)
            assert after["read.bin"] == before["read.bin"]
            assert after["text.txt"] == before["text.txt"]
            assert await _files(shop, first.document) == before
            fresh = await send(shop, rules=("finance",))
            assert fresh.document == again.document

    asyncio.run(scenario())


def test_deletion_is_complete(tmp_path: Path) -> None:
    """After a deletion no file, row, job or event of the document or what was in it is left."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("一.md", CONTRACT)

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, packed.getvalue(), "包.zip")
            await over(shop, accepted.job)
            assert await remove(shop, accepted.document)
            assert await document_view(shop, accepted.document) is None
            assert await shop.queue.listing() == ()
            assert await shop.queue.events(accepted.job) == ()
            kept = [p for p in (tmp_path / "data").rglob("*") if p.is_file()]
            assert [p.name for p in kept if "headworks.sqlite" not in p.name] == []
            assert not await remove(shop, accepted.document)

    asyncio.run(scenario())


def test_a_cancelled_job_ends_and_can_be_retried(tmp_path: Path) -> None:
    """Cancelling takes a waiting document out; a retry puts it in again."""

    async def scenario() -> None:
        chosen = settings(tmp_path)
        async with opened(chosen, crew=False) as shop:
            accepted = await send(shop)
            waiting = await job_view(shop, accepted.job)
            assert waiting is not None
            assert (waiting.state, waiting.why) == ("waiting", "behind 0")
            assert await cancel(shop, accepted.job) == 1
            assert (await over(shop, accepted.job)).state == "cancelled"
        async with opened(chosen) as shop:
            assert await retry(shop, accepted.job) is not None
            assert (await over(shop, accepted.job)).state == "done"

    asyncio.run(scenario())


def test_rules_are_renewed_while_running(tmp_path: Path) -> None:
    """A changed pack file judges what comes later; what came before keeps its version."""
    pack = tmp_path / "own.yaml"
    rule = "name: own\nversion: {version}\nrules:\n  - id: one\n"
    rule += "    rule: 当文本包含“设备”时，标记为{tag}\n"
    pack.write_text(rule.format(version="1.0.0", tag="甲"), encoding="utf-8")

    async def scenario() -> None:
        async with opened(settings(tmp_path, rules__packs=[str(pack)])) as shop:
            first = await send(shop)
            assert (await over(shop, first.job)).documents[0].versions["own"][:5] == "1.0.0"
            pack.write_text(rule.format(version="1.0.1", tag="乙"), encoding="utf-8")

            async def renewed() -> bool:
                return shop.packs.choose().versions["own"].startswith("1.0.1")

            await until(renewed, 10)
            second = await send(shop)
            assert second.document != first.document
            assert (await over(shop, second.job)).documents[0].versions["own"][:5] == "1.0.1"
            pack.write_text("name: own\nrules: [{id: x, rule: 胡言乱语}]\n", encoding="utf-8")
            reloaded = await asyncio.to_thread(shop.packs.reload)
            assert reloaded.refused is not None
            assert shop.packs.choose().versions["own"].startswith("1.0.1")

    asyncio.run(scenario())
