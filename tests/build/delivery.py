"""Answers for tests: the built contract's results in a folder, targets that note what is asked."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from headworks.assembly import kept, records
from headworks.assembly.kept import KEPT_FILE
from headworks.assembly.passages import chunk_records
from headworks.assembly.shapes import ChunkRecord
from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.asking import Asking
from headworks.dispatch.plan import Errand, Planned, plan
from headworks.model.job import Ask, Job, Reply
from headworks.service.assemble import Assembled, Sent, assemble
from headworks.service.results import Results
from tests.build.outcome import Built, built

ANSWERS = {
    0: '{"points": [{"text": "乙方供应附件一的设备。", "quote": "乙方向甲方供应附件一所列的设备"}],'
       ' "values": []}',
    1: '```json\n{"points": [{"text": "逾期交货的违约金是合同总额的10%。", "quote":'
       ' "违约金为合同总额的10%"}, {"text": "违约金另加30%的利息。", "quote": ""}], "values":'
       ' [{"name": "违约金比例", "about": "逾期交货", "value": "10%", "quote":'
       ' "乙方逾期交货的，违约金为合同总额的10%"}, {"name": "上限", "about": "", "value":'
       ' "[AMOUNT_1]", "quote": "但最高不超过[AMOUNT_1]"}]}\n```',
    2: '{"points": [{"text": "表列水泵和阀门。", "quote": "水泵"}], "values": [{"name": "上限",'
       ' "about": "", "value": "60万元", "quote": ""}]}',
}  # fmt: skip


def settings(**delivery: object) -> Settings:
    """Give settings with one chat target that all pipelines go to, each chunk alone."""
    delivery = {"pack": 1, **delivery}
    chat = TargetSettings(kind="chat", url="http://127.0.0.1:1/v1", model="m", window=4096)
    return Settings(
        targets={"local": chat},
        delivery=DeliverySettings(fallback="local", **delivery),  # type: ignore[arg-type]
    )


def chunks_of(outcome: Built | None = None) -> list[ChunkRecord]:
    """Give the chunk records of the built contract; its table is not skipped."""
    outcome = outcome or unskipped()
    return chunk_records(outcome.document, outcome.chunks, outcome.verdicts)


def unskipped() -> Built:
    """Give the built contract with all its chunks to be delivered."""
    outcome = built()
    verdicts = tuple(msgspec.structs.replace(one, skip=None) for one in outcome.verdicts)
    return outcome._replace(verdicts=verdicts)


def results_in(folder: Path, outcome: Built | None = None, cut: int | None = None) -> Results:
    """Write the results of the built contract and give them."""
    outcome = outcome or unskipped()
    folder.mkdir(parents=True, exist_ok=True)
    chunks = chunks_of(outcome)
    versions = records.versions_record("settings", {"contract": "1.0.0 hash"})
    record = records.document_record(outcome.document, outcome.ledger, versions, chunks=len(chunks))
    (folder / "document.json").write_bytes(records.encode(record))
    (folder / "chunks.jsonl").write_bytes(records.encode_lines(chunks))
    (folder / KEPT_FILE).write_bytes(kept.encode(outcome.document, cut or len(chunks)))
    return Results(folder)


def planned_for(results: Results, chosen: Settings, document: str = "doc") -> tuple[Planned, ...]:
    """Plan what is sent of results."""
    return plan(results.shelf, Asking(chosen), Errand("root", document))


def answered(
    results: Results, chosen: Settings | None = None, say: Callable[[int], str] | None = None
) -> Assembled:
    """Assemble the results with an answer for each chunk."""
    chosen = chosen or settings()
    planned = planned_for(results, chosen)
    sent: dict[str, Sent] = {}
    for one in planned:
        if one.job is not None:
            chunk = results.shelf.by_id[one.chunk]
            body = (say or ANSWERS.__getitem__)(chunk.ordinal)
            reply = Reply(job=one.job.id, chunk=one.chunk, target="local", body=body, model="m",
                          tokens_in=100, tokens_out=20, milliseconds=250.0)  # fmt: skip
            done = msgspec.structs.replace(one.job, state="done")
            sent[one.key] = Sent(done, reply)
    return assemble(results, planned, sent, Asking(chosen), document="doc")


class Said:
    """A target that answers from a function and notes what it was asked."""

    def __init__(self, name: str, say: Callable[[Ask], str]) -> None:
        self.name, self.say = name, say
        self.asks: list[Ask] = []

    async def send(self, ask: Ask) -> Reply:
        """Answer."""
        self.asks.append(ask)
        body = self.say(ask)
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body=body, model="said",
                     tokens_in=ask.tokens, tokens_out=len(body) // 2, milliseconds=1.0)  # fmt: skip

    async def close(self) -> None:
        """Nothing to let go of."""


def failed(job: Job) -> Sent:
    """Give the end of a job that failed."""
    over = msgspec.structs.replace(job, state="failed", code="E_TARGET", message="HTTP 500")
    return Sent(over, None)
