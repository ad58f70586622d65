"""What a service tells of itself: metrics, spans, logs."""

import asyncio
import json
import logging
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from headworks.config_service import ServiceSettings
from headworks.errors import StorageError
from headworks.model.job import Job, Reply
from headworks.service.observe import LOGGER, JsonLines, Observer
from headworks.service.upkeep import Upkeep
from tests.service.shops import CONTRACT, opened, over, send, settings


def _values(observer: Observer) -> dict[tuple[str, tuple[str, ...]], float]:
    found = {}
    for family in text_string_to_metric_families(observer.exposition().decode()):
        for sample in family.samples:
            found[sample.name, tuple(sample.labels.values())] = sample.value
    return found


def test_metrics_count_documents_stages_rules_and_the_queue(tmp_path: Path) -> None:
    """Prometheus gets durations by format and stage, rule hits, the queue by level."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop)
            await over(shop, accepted.job)
        async with opened(settings(tmp_path), crew=False, start=False) as waiting:
            await send(waiting, CONTRACT + "二", priority="offline")
            await Upkeep(waiting).count()
            later = _values(waiting.observer)
            assert later["headworks_queue_length", ("process", "2")] == 1
            assert later["headworks_queue_oldest_seconds", ("2",)] >= 0
        told = _values(shop.observer)
        assert told["headworks_documents_total", ("markdown", "done")] == 1
        assert told["headworks_stage_seconds_count", ("markdown", "judge")] == 1
        assert told["headworks_rule_hits_total", ("contract/route-legal",)] == 1
        assert told["headworks_uploads_total", ("accepted",)] == 1
        assert told["headworks_chunks_total", ("clause",)] == 2

    asyncio.run(scenario())


def test_spans_carry_the_ids_of_chunks_in_one_trace(tmp_path: Path) -> None:
    """A job is one trace: the document, its stages, each chunk with its id; no text."""
    traces = tmp_path / "spans.jsonl"

    async def scenario() -> tuple[str, list[str]]:
        async with opened(settings(tmp_path, traces=str(traces))) as shop:
            accepted = await send(shop)
            await over(shop, accepted.job)
            events = await shop.queue.events(accepted.job)
            chunks = [str(event.body["chunk"]) for event in events if event.kind == "chunk"]
            sent = Job(
                id="s", kind="send", root=accepted.job, document=accepted.document, key="s",
                chunk=chunks[0], target="model",
            )  # fmt: skip
            reply = Reply(job="s", chunk=chunks[0], target="model", body="答", milliseconds=20)
            shop.observer.answered(sent, reply, "answered")
            return accepted.job, chunks

    job, chunks = asyncio.run(scenario())
    raw = traces.read_text(encoding="utf-8")
    spans = [json.loads(line) for line in raw.splitlines()]
    assert {span["trace"] for span in spans} == {spans[0]["trace"]}
    assert {"process", "stage.read", "stage.judge", "chunk", "send"} <= {s["name"] for s in spans}
    of_chunks = [s["attributes"]["headworks.chunk"] for s in spans if s["name"] == "chunk"]
    assert of_chunks == chunks
    assert all(span["attributes"]["headworks.root"] == job for span in spans)
    assert "违约" not in raw
    assert "答" not in raw


def test_logs_are_json_lines_with_ids_and_no_text(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each line has an event and ids; neither text nor the file's name stands in any."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, name="绝密合同.md")
            await over(shop, accepted.job)
            shop.observer.fault("here", StorageError("E_IO", "绝密"))

    with caplog.at_level(logging.INFO, LOGGER):
        asyncio.run(scenario())
    lines = [JsonLines().format(record) for record in caplog.records if record.name == LOGGER]
    events = [json.loads(line) for line in lines]
    assert {"accepted", "document_done", "fault"} <= {event["event"] for event in events}
    done = next(event for event in events if event["event"] == "document_done")
    assert {"job", "document", "attempt", "format", "seconds"} <= done.keys()
    assert not any(word in line for line in lines for word in ("绝密", "违约", "设备"))


def test_model_calls_are_counted() -> None:
    """An answer counts its call, tokens and times; a refusal its outcome alone."""
    observer = Observer(ServiceSettings())
    job = Job(id="s", kind="send", root="r", document="d", key="s", chunk="c", target="model")
    reply = Reply(
        job="s", chunk="c", target="model", body="", tokens_in=90, tokens_out=10,
        first_token_milliseconds=200, milliseconds=900,
    )  # fmt: skip
    observer.answered(job, reply, "answered")
    observer.answered(job, None, "busy")
    told = _values(observer)
    assert told["headworks_model_calls_total", ("answered", "model")] == 1
    assert told["headworks_model_calls_total", ("busy", "model")] == 1
    assert told["headworks_model_tokens_total", ("model", "in")] == 90
    assert told["headworks_model_seconds_sum", ("model", "end")] == pytest.approx(0.9)


def test_a_loop_that_fails_is_told_and_goes_on(tmp_path: Path) -> None:
    """A fault of a loop's turn is logged by its code and the loop is started again."""

    class Failing:
        """A loop that fails the first time."""

        name = "failing"
        turns = 0

        async def run(self) -> None:
            self.turns += 1
            if self.turns == 1:
                raise StorageError("E_IO", "No space left on device")

        async def stop(self) -> None:
            """Nothing runs."""

        async def give_up(self, document: str) -> None:
            """Nothing runs."""

    async def scenario() -> int:
        async with opened(settings(tmp_path), crew=False, start=False) as shop:
            failing = Failing()
            shop.loops[:] = [failing]
            await shop.start()
            await asyncio.sleep(0.5)
            return failing.turns

    assert asyncio.run(scenario()) == 2
