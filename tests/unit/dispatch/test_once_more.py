"""One more question where an answer does not read: over the simulated server, with a store."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from headworks.assembly import prompts
from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job, Reply
from headworks.store import replies
from headworks.store.sqlite import open_sqlite
from headworks.targets.table import open_targets
from tests.simulator.http_server import HttpServer
from tests.simulator.server_model import ServerModel, ServerSettings

GOOD = '{"points": [], "values": []}'
SCHEMA = prompts.schema_of("answer")
Say = Callable[[dict[str, Any]], str]


async def _compose(job: Job) -> Ask:
    return Ask(
        job=job.id,
        document="doc",
        chunk="c1",
        pipeline="p",
        priority="interactive" if job.level == 0 else "nearline",
        messages=(("system", "只输出 JSON。"), ("user", "违约金是多少？")),
        schema=SCHEMA,
        max_tokens=400,
        payload=b'{"text": "One. Two.", "hits": []}',
    )


def _delivered(
    folder: Path, say: Say, *, level: int = 1, attempts: int = 4
) -> tuple[Job, Reply | None, HttpServer]:
    """Deliver one job to the simulated server; give how it ended."""

    async def whole() -> tuple[Job, Reply | None, HttpServer]:
        model = ServerModel(ServerSettings(speed=200.0))
        async with HttpServer(model) as server:
            server.say = say
            target = TargetSettings(kind="chat", url=server.url, model="m")
            delivery = DeliverySettings(attempts=attempts, retry_seconds=0.001, breaker_failures=50)
            settings = Settings(targets={"local": target}, delivery=delivery)
            database = await open_sqlite(folder / "store.sqlite")
            queue = Queue(database, settings.service)
            targets = open_targets(settings)
            sender = Delivery(queue, targets, settings, _compose, replies.keep)
            await queue.enqueue([Job(id="j", kind="send", root="r", document="doc", key="k",
                                     chunk="c1", target="local", level=level)])  # fmt: skip
            running = asyncio.create_task(sender.run())
            while (job := await queue.get("j")) is None or job.state in ("waiting", "running"):
                await asyncio.sleep(0.01)
            await sender.stop()
            await running
            kept = await database.read(lambda connection: replies.of_job(connection, "j"))
            await targets["local"].close()
            await database.close()
            return job, kept, server

    return asyncio.run(asyncio.wait_for(whole(), 20))


def _asked(server: HttpServer) -> list[str]:
    """Give the last message of each request for an answer."""
    bodies = [one.body for one in server.requests if one.path.endswith("/chat/completions")]
    return [msgspec.json.decode(body)["messages"][-1]["content"] for body in bodies]


def test_what_does_not_read_is_asked_once_more_and_told_why(tmp_path: Path) -> None:
    """The same chunk, with what was wrong; one attempt, two calls, the tokens of both."""
    say: Say = lambda asked: GOOD if "重新作答" in asked["messages"][-1]["content"] else "不知道。"  # noqa: E731
    job, kept, server = _delivered(tmp_path, say)
    first, second = _asked(server)
    assert second.startswith(first)
    assert "no JSON" in second
    assert (job.state, job.attempts) == ("done", 1)
    assert kept is not None
    assert (kept.body, kept.calls, kept.attempts) == (GOOD, 2, 1)
    assert kept.tokens_out == 800


def test_an_answer_that_misses_its_schema_twice_has_failed(tmp_path: Path) -> None:
    """No third question: the job is in the failed list, its last answer kept beside it."""
    job, kept, server = _delivered(tmp_path, lambda _: '{"points": "none"}')
    assert len(_asked(server)) == 2
    assert "points" in _asked(server)[1].split("违约金是多少？")[1]
    assert (job.state, job.code, job.attempts) == ("failed", "E_ANSWER", 1)
    assert kept is not None
    assert (kept.body, kept.calls, kept.degraded) == ('{"points": "none"}', 2, "")


def test_a_person_gets_the_rules_answer_instead(tmp_path: Path) -> None:
    """Interactive work that does not read ends with what rules know, and says so."""
    job, kept, _ = _delivered(tmp_path, lambda _: "", level=0)
    assert job.state == "done"
    assert kept is not None
    assert kept.degraded.startswith("E_ANSWER: ")
    assert (kept.model, kept.calls) == ("rules", 2)


def test_attempts_above_four_hold(tmp_path: Path) -> None:
    """``delivery.attempts`` says how often a send is tried, whatever the queue does by itself."""

    def say(_: dict[str, Any]) -> str:
        raise ConnectionError

    job, _, server = _delivered(tmp_path, say, attempts=6)
    assert (job.state, job.attempts) == ("failed", 6)
    assert len(_asked(server)) == 6
