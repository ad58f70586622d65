"""What every kind of target is tested with: one ask, and one of each kind that answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from headworks.config_delivery import TargetSettings
from headworks.model.job import Ask
from headworks.targets.base import Target
from headworks.targets.table import open_target
from tests.simulator.http_server import HttpServer
from tests.simulator.server_model import ServerModel, ServerSettings

KINDS = ("chat", "webhook", "folder", "function", "extract")
ACROSS_HTTP = ("chat", "webhook")
RECORD = {
    "id": "c1",
    "text": "第八条 违约责任\n乙方逾期交货的，违约金为合同总额的10%。其他从略。第三句不取。",
    "heading_path": ["第八条 违约责任"],
    "tags": ["RISK_CLAUSE"],
    "hits": [
        {
            "rule": "contract/penalty",
            "quote": "违约金为合同总额的10%",
            "values": {"amount": {"text": "合同总额的10%", "kind": "percent", "value": "0.10"}},
        }
    ],
}
FAST = ServerSettings(slots=4, speed=50.0, block_tokens=4)


def ask(job: str = "job-1", **changed: Any) -> Ask:
    """Give an ask about the record above."""
    whole = Ask(
        job=job,
        document="doc",
        chunk="c1",
        pipeline="legal-review",
        messages=(("system", "只答JSON。"), ("user", "违约金是多少？")),
        max_tokens=16,
        tokens=40,
        payload=json.dumps(RECORD, ensure_ascii=False).encode(),
    )
    return msgspec.structs.replace(whole, **changed)


def answer_function(given: Ask) -> str:
    """The function that the target of kind function calls."""
    return json.dumps({"points": [], "seen": given.chunk})


@asynccontextmanager
async def opened(
    kind: str, folder: Path, secret: str = "", **changed: Any
) -> AsyncIterator[tuple[Target, HttpServer]]:
    """Give a target of a kind that works, with the server behind it (idle where it has none)."""
    async with HttpServer(ServerModel(FAST)) as server:
        url = server.url if kind == "chat" else f"http://127.0.0.1:{server.port}/hook"
        settings = TargetSettings(
            kind=kind,  # type: ignore[arg-type]
            url=url if kind in ACROSS_HTTP else "",
            path=str(folder / "out") if kind == "folder" else "",
            function="tests.unit.targets.conftest:answer_function" if kind == "function" else "",
            max_in_flight=8,
            timeout_seconds=changed.pop("timeout_seconds", 5.0),
            **changed,
        )
        ticks = asyncio.get_running_loop().time
        target = open_target("here", settings, secret, ticks, lambda: 1_700_000_000.0)
        try:
            yield target, server
        finally:
            await target.close()


def run(work: Coroutine[Any, Any, Any], seconds: float = 20.0) -> Any:
    """Run a coroutine with a bound that only a hang passes."""
    return asyncio.run(asyncio.wait_for(work, seconds))


Sending = Callable[[Target], Coroutine[Any, Any, Any]]
