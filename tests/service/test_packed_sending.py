"""Small chunks of one document in one call, through the whole service and the simulated server."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from headworks.assembly.answer_records import AnswerRecord
from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.packing import is_pack
from tests.service.shops import opened, over, send, settings
from tests.simulator.http_server import HttpServer
from tests.simulator.server_model import ServerModel, ServerSettings

CLAUSES = "".join(
    f"## 第{number}条 {place}\n\n货物到达后由乙方在{place}看管并记录。\n\n"
    for number, place in zip(
        "一二三四五六七八",
        ["东门", "西门", "南门", "北门", "一库", "二库", "三库", "四库"],
        strict=True,
    )
)
NOTHING: dict[str, Any] = {"points": [], "values": []}


def _say(asked: dict[str, Any]) -> str:
    """Answer all passages but the second; alone, that one too."""
    schema = asked["response_format"]["json_schema"]["schema"]
    parts = schema["properties"].get("parts")
    if parts is None:
        return msgspec.json.encode(NOTHING).decode()
    told = [{"part": at, "answer": NOTHING} for at in range(1, parts["maxItems"] + 1) if at != 2]
    return msgspec.json.encode({"parts": told}).decode()


def _settings(tmp_path: Path, url: str) -> Settings:
    chosen = settings(tmp_path, rules__packs=[])
    return msgspec.structs.replace(
        chosen,
        targets={"local": TargetSettings(kind="chat", url=url, model="m")},
        delivery=DeliverySettings(fallback="local"),
    )


def test_a_pack_gives_each_chunk_its_answer(tmp_path: Path) -> None:
    """One call for all small chunks, one more for the one it missed; the document is complete."""

    async def scenario() -> None:
        async with HttpServer(ServerModel(ServerSettings(speed=200.0))) as server:
            server.say = _say
            async with opened(_settings(tmp_path, server.url)) as shop:
                accepted = await send(shop, CLAUSES)
                assert (await over(shop, accepted.job)).state == "done"
                jobs = await shop.queue.listing()
                sends = [job for job in jobs if job.kind == "send"]
                assert {job.state for job in sends} == {"done"}
                fence = next(job.fence for job in jobs if job.kind == "assemble")
                raw = await shop.blobs.read(accepted.document, fence, "answer.json")
                answer = msgspec.json.decode(raw, type=AnswerRecord)
                events = [event.kind for event in await shop.queue.events(accepted.job)]
            calls = [one for one in server.requests if one.path.endswith("/completions")]
        chunks = len(answer.answers)
        assert chunks > 4
        assert answer.complete
        assert {one.state for one in answer.answers} == {"answered"}
        assert [is_pack(job) for job in sends].count(True) == 1
        assert len(sends) == chunks + 1
        assert events.count("answered") == chunks
        assert answer.cost.spent.calls == len(calls) == 2

    asyncio.run(scenario())
