"""The model server as a target: streaming, tokens, schema."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from headworks.targets.base import TargetBusy
from headworks.targets.chat import ChatTarget, estimate
from headworks.targets.http import retry_after
from tests.unit.targets.conftest import ask, opened, run

SCHEMA: dict[str, object] = {"type": "object", "properties": {"points": {"type": "array"}}}


def asked(requests: list[Any]) -> list[dict[str, Any]]:
    """Give the bodies of the requests."""
    return [json.loads(request.body) for request in requests]


def test_the_answer_is_streamed_whole(tmp_path: Path) -> None:
    """Pieces are joined, the server's counts taken, and the first token comes before the end."""

    async def work() -> None:
        async with opened("chat", tmp_path, model="m") as (target, server):
            heard: list[tuple[str, float]] = []
            assert isinstance(target, ChatTarget)
            target.heard = lambda given, seconds: heard.append((given.job, seconds))
            reply = await target.send(ask(max_tokens=64))
        assert reply.body == server.answer
        assert (reply.tokens_out, reply.estimated, reply.stopped) == (64, False, "stop")
        assert reply.model == "simulated"
        assert reply.first_token_milliseconds < reply.milliseconds
        assert [(job, 1000 * seconds) for job, seconds in heard] == [
            ("job-1", reply.first_token_milliseconds)
        ]
        (request,) = asked(server.requests)
        assert request["stream"] is True
        assert request["model"] == "m"
        assert request["messages"][1] == {"role": "user", "content": "违约金是多少？"}

    run(work())


def test_tokens_are_estimated_where_the_server_does_not_count(tmp_path: Path) -> None:
    """Without usage in the stream the tokens are ours, and said to be."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            server.faults.append("no_usage")
            reply = await target.send(ask())
        assert reply.estimated
        assert (reply.tokens_in, reply.tokens_out) == (40, estimate(server.answer))

    run(work())


def test_a_schema_is_asked_for(tmp_path: Path) -> None:
    """A wanted schema goes out as the server's JSON schema mode."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            await target.send(ask(schema=SCHEMA))
            await target.send(ask())
        first, second = asked(server.requests)
        assert first["response_format"]["json_schema"]["schema"] == SCHEMA
        assert "response_format" not in second

    run(work())


def test_a_server_without_schemas_is_asked_once_more_without(tmp_path: Path) -> None:
    """A 400 to the schema falls back once, and the next ask leaves it out at once."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            server.refuses_schema = True
            first = await target.send(ask(schema=SCHEMA))
            second = await target.send(ask("job-2", schema=SCHEMA))
        assert first.body == second.body == server.answer
        assert ["response_format" in body for body in asked(server.requests)] == [
            True,
            False,
            False,
        ]

    run(work())


@pytest.mark.parametrize("fault", ["broken_json", "not_json", "error_event", "drop_midway"])
def test_a_broken_stream_is_no_answer(fault: Any, tmp_path: Path) -> None:
    """What breaks off or is no JSON is tried again later, never kept as an answer."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            server.faults.append(fault)
            with pytest.raises(TargetBusy) as caught:
                await target.send(ask(max_tokens=64))
            assert not caught.value.overload

    run(work())


def test_a_slow_first_token_is_waited_for_within_its_own_bound(tmp_path: Path) -> None:
    """The bound of the first token is not that of the answer."""

    async def work() -> None:
        async with opened("chat", tmp_path, first_token_seconds=0.1) as (target, server):
            server.slow_seconds = 0.5
            server.faults.append("slow_first")
            with pytest.raises(TargetBusy, match="first token"):
                await target.send(ask())
            assert (await target.send(ask())).body

    run(work())


def test_an_empty_answer_is_an_answer(tmp_path: Path) -> None:
    """A model that says nothing has answered."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            server.faults.append("empty")
            reply = await target.send(ask())
        assert (reply.body, reply.stopped) == ("", "stop")

    run(work())


def test_a_cancelled_ask_frees_its_slot(tmp_path: Path) -> None:
    """When an ask is broken off, the server sees the connection go and stops working for it."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            task = asyncio.create_task(target.send(ask(max_tokens=100_000)))
            while server.model.active == 0:
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            while server.model.active:
                await asyncio.sleep(0.01)

    run(work())


def test_a_key_goes_to_its_server_only(tmp_path: Path) -> None:
    """The key of the settings' variable is the bearer token."""

    async def work() -> None:
        async with opened("chat", tmp_path, secret="s3cret") as (target, server):
            await target.send(ask())
        assert server.requests[0].headers["authorization"] == "Bearer s3cret"

    run(work())


def test_the_servers_load_is_read(tmp_path: Path) -> None:
    """Running, waiting and slots come from /metrics and /slots; hidden pages give none."""

    async def work() -> None:
        async with opened("chat", tmp_path) as (target, server):
            assert isinstance(target, ChatTarget)
            load = await target.load()
            assert load is not None
            assert (load.running, load.waiting, load.slots) == (0, 0, 4)
        async with opened("chat", tmp_path) as (target, server):
            assert isinstance(target, ChatTarget)
            server.pages = False
            assert await target.load() is None
            assert await target.load() is None
            # Each page that is not there was asked for once.
            assert len(server.requests) == 2

    run(work())


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Thu, 01 Jan 1970 00:02:00 GMT"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:10 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
    ],
)
def test_retry_after_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds and dates are understood; nonsense is none."""
    assert retry_after(headers, 100.0) == seconds
