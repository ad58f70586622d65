"""Real inference: llama.cpp's own server over a tiny model that is written here."""

import asyncio
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job
from headworks.store import replies
from headworks.store.sqlite import open_sqlite
from headworks.targets.base import TargetRefused
from headworks.targets.chat import ChatTarget

SLOTS = 2
MISSING = [name for name in ("gguf", "xllamacpp") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"{', '.join(MISSING)} not installed: make llama"
)
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"found": {"type": "boolean"}, "unit": {"enum": ["%", "元"]}},
    "required": ["found", "unit"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a llama.cpp server in a process of its own."""
    from tests.llama.tiny_model import write

    model = tmp_path_factory.mktemp("model") / "tiny.gguf"
    write(model)
    command = [sys.executable, "-m", "tests.llama.serve", str(model), str(SLOTS)]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        assert server.stdin is not None
        said = server.stdout.readline().strip()
        if not said.startswith("http"):
            pytest.skip("xllamacpp does not start here")
        yield said
        server.kill()


def ask(job: str = "j", **changed: Any) -> Ask:
    """Give an ask that the tiny model says nonsense to."""
    whole: dict[str, Any] = {
        "messages": (("user", "违约金 is the value"),),
        "max_tokens": 24,
        "tokens": 9,
    }
    return Ask(job=job, document="d", pipeline="p", **({"chunk": "c"} | whole | changed))


def with_target(address: str, work: Callable[[ChatTarget], Coroutine[Any, Any, None]]) -> None:
    """Run work with a target at the server."""

    async def whole() -> None:
        settings = TargetSettings(kind="chat", url=f"{address}/v1", max_in_flight=8)
        target = ChatTarget("llama", settings)
        try:
            await work(target)
        finally:
            await target.close()

    asyncio.run(asyncio.wait_for(whole(), 60))


def test_an_answer_is_streamed_and_counted(address: str) -> None:
    """Tokens are the server's count, the first token comes before the end, the cut is told."""

    async def work(target: ChatTarget) -> None:
        reply = await target.send(ask(max_tokens=200))
        assert reply.body
        assert (reply.tokens_out, reply.estimated, reply.stopped) == (200, False, "length")
        assert reply.tokens_in > 9
        assert 0 < reply.first_token_milliseconds < reply.milliseconds

    with_target(address, work)


def test_the_same_ask_gives_the_same_answer(address: str) -> None:
    """Temperature 0 says the same nonsense twice."""

    async def work(target: ChatTarget) -> None:
        assert (await target.send(ask())).body == (await target.send(ask())).body

    with_target(address, work)


def test_a_schema_is_kept_to_and_the_answer_stops(address: str) -> None:
    """Even random weights answer in the schema, and the model itself ends the answer."""

    async def work(target: ChatTarget) -> None:
        reply = await target.send(ask(schema=SCHEMA, max_tokens=200))
        answer = json.loads(reply.body)
        assert set(answer) == {"found", "unit"}
        assert answer["unit"] in {"%", "元"}
        assert reply.stopped == "stop"
        assert reply.tokens_out < 200

    with_target(address, work)


def test_a_prompt_over_the_window_is_refused(address: str) -> None:
    """What can never fit is refused, not tried again."""

    async def work(target: ChatTarget) -> None:
        with pytest.raises(TargetRefused, match="400"):
            await target.send(ask(messages=(("user", "违约金" * 2000),)))

    with_target(address, work)


def test_a_cancelled_ask_frees_its_slot(address: str) -> None:
    """The server stops when the connection goes."""

    async def work(target: ChatTarget) -> None:
        under_way = asyncio.create_task(target.send(ask(max_tokens=900)))
        await asyncio.sleep(0.05)
        under_way.cancel()
        await asyncio.gather(under_way, return_exceptions=True)
        until = time.monotonic() + 20
        while (load := await target.load()) is None or load.running:
            assert time.monotonic() < until
            await asyncio.sleep(0.02)
        assert (load.slots, load.waiting) == (SLOTS, 0)

    with_target(address, work)


def test_the_whole_loop_delivers_to_it(address: str, tmp_path: Path) -> None:
    """Twenty jobs through queue and limit are answered each once, whole, and kept."""

    async def compose(job: Job) -> Ask:
        return ask(job.id, chunk=job.chunk)

    async def work(target: ChatTarget) -> None:
        settings = Settings(
            service=ServiceSettings(),
            targets={"llama": TargetSettings(kind="chat", url=f"{address}/v1")},
        )
        database = await open_sqlite(tmp_path / "store.sqlite")
        queue = Queue(database, settings.service)
        names = [f"j{number}" for number in range(20)]
        await queue.enqueue(
            [
                Job(
                    id=name,
                    kind="send",
                    root="r",
                    document="d",
                    key=name,
                    chunk=name,
                    target="llama",
                    cost=20,
                )
                for name in names
            ]
        )
        delivery = Delivery(queue, {"llama": target}, settings, compose, replies.keep)
        running = asyncio.create_task(delivery.run())
        kept: tuple[Any, ...] = ()
        while len(kept) < len(names):
            await asyncio.sleep(0.02)
            kept = await database.read(lambda c: replies.of_document(c, "d"))
        await delivery.stop()
        await running
        await database.close()
        assert sorted(reply.job for reply in kept) == sorted(names)
        assert {(reply.tokens_out, reply.estimated, reply.attempts) for reply in kept} == {
            (24, False, 1)
        }

    with_target(address, work)
