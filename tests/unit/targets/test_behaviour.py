"""What every target promises, whatever its kind."""

import asyncio
import json
from pathlib import Path

import pytest

from headworks.targets.base import TargetBusy, TargetRefused
from tests.unit.targets.conftest import ACROSS_HTTP, KINDS, ask, opened, run


@pytest.mark.parametrize("kind", KINDS)
def test_an_ask_gets_its_reply(kind: str, tmp_path: Path) -> None:
    """The reply names job, chunk and target, and its times are not negative."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, _):
            reply = await target.send(ask())
        assert (reply.job, reply.chunk, reply.target) == ("job-1", "c1", "here")
        assert 0 <= reply.first_token_milliseconds <= reply.milliseconds
        assert reply.degraded == ""

    run(work())


@pytest.mark.parametrize("kind", KINDS)
def test_many_asks_at_once_get_each_its_own(kind: str, tmp_path: Path) -> None:
    """Twenty asks under way together do not mix."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, _):
            replies = await asyncio.gather(*(target.send(ask(f"job-{n}")) for n in range(20)))
        assert [reply.job for reply in replies] == [f"job-{n}" for n in range(20)]

    run(work())


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_ask_again_gives_the_same_body(kind: str, tmp_path: Path) -> None:
    """A target that answers here or in the simulator says the same twice."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, _):
            first, second = await target.send(ask()), await target.send(ask())
        assert first.body == second.body

    run(work())


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_ask_leaves_the_target_working(kind: str, tmp_path: Path) -> None:
    """Cancelling one ask does not hurt the next."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            server.faults.append("hang")
            task = asyncio.create_task(target.send(ask("cancelled")))
            await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            server.faults.clear()
            assert (await target.send(ask("after"))).job == "after"

    run(work())


@pytest.mark.parametrize("kind", KINDS)
def test_it_closes_and_closes_again(kind: str, tmp_path: Path) -> None:
    """Letting go twice is no fault."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, _):
            await target.send(ask())
            await target.close()

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
@pytest.mark.parametrize(
    ("fault", "overload", "at_door", "delay"),
    [
        ("429", True, True, 1.0),
        ("503", True, True, 1.0),
        ("500", False, False, None),
        ("drop", False, False, None),
        ("drop_midway", False, False, None),
    ],
)
def test_what_may_work_later_is_busy(
    kind: str, fault: str, overload: bool, at_door: bool, delay: float | None, tmp_path: Path
) -> None:
    """429, 5xx and lost connections say busy, with Retry-After; the next ask works."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            server.faults.append(fault)  # type: ignore[arg-type]
            with pytest.raises(TargetBusy) as caught:
                await target.send(ask())
            busy = caught.value
            assert (busy.overload, busy.at_door, busy.delay) == (overload, at_door, delay)
            assert (await target.send(ask())).body

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
@pytest.mark.parametrize("fault", ["400", "401", "302"])
def test_what_never_works_is_refused(kind: str, fault: str, tmp_path: Path) -> None:
    """4xx and redirects say refused, and nothing is sent to where a redirect leads."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            server.faults.append(fault)  # type: ignore[arg-type]
            with pytest.raises(TargetRefused):
                await target.send(ask())
            assert len(server.requests) == 1

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
def test_a_server_that_hangs_is_given_up(kind: str, tmp_path: Path) -> None:
    """A server that never answers ends as a timeout, which counts as overload."""

    async def work() -> None:
        seconds = {"timeout_seconds": 0.2}
        if kind == "chat":
            seconds["first_token_seconds"] = 0.2
        async with opened(kind, tmp_path, **seconds) as (target, server):
            server.faults.append("hang")
            with pytest.raises(TargetBusy, match="timeout") as caught:
                await target.send(ask())
            assert caught.value.overload
            assert not caught.value.at_door

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
def test_nobody_listening_is_busy(kind: str, tmp_path: Path) -> None:
    """No server at the address is a fault that may pass, not an overload."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            await server.stop()
            with pytest.raises(TargetBusy, match="no connection") as caught:
                await target.send(ask())
            assert not caught.value.overload

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
def test_the_environments_proxy_is_not_asked(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proxies of the environment see nothing: bytes go to the configured address only."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_ORG_ID", "an-account")

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            await target.send(ask())
        headers = server.requests[0].headers
        assert "authorization" not in headers
        assert "openai-organization" not in headers

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
def test_connections_are_kept(kind: str, tmp_path: Path) -> None:
    """Asks one after the other share one connection."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            for number in range(5):
                await target.send(ask(f"job-{number}"))
            assert server.connections == 1

    run(work())


@pytest.mark.parametrize("kind", ACROSS_HTTP)
def test_a_reason_never_carries_text(kind: str, tmp_path: Path) -> None:
    """What a server says of a failure may hold the chunk's text: the reason does not."""

    async def work() -> None:
        async with opened(kind, tmp_path) as (target, server):
            server.faults.extend(["500", "400"])
            for kind_of in (TargetBusy, TargetRefused):
                with pytest.raises(kind_of) as caught:
                    await target.send(ask())
                assert "scripted" not in json.dumps(str(caught.value))
                assert caught.value.__cause__ is None

    run(work())
