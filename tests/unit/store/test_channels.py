"""Waiting inside one process: nothing missed, nothing kept for long."""

import asyncio

import pytest

from headworks.store import channels
from headworks.store.channels import Channels


@pytest.fixture
def anyio_backend() -> str:
    """Run asynchronous tests with asyncio."""
    return "asyncio"


pytestmark = pytest.mark.anyio


async def test_everyone_who_waits_is_woken() -> None:
    """A call wakes all who wait on its channel, and nobody on another."""
    calls = Channels()
    waits = [asyncio.create_task(calls.wait("a", 5.0)) for _ in range(3)]
    other = asyncio.create_task(calls.wait("b", 0.05))
    await asyncio.sleep(0.01)
    calls.call("a")
    assert await asyncio.gather(*waits) == [True] * 3
    assert not await other


async def test_a_call_between_look_and_wait_is_kept() -> None:
    """Who looked before the call and waits after it looks again; this does not go on for ever."""
    calls = Channels()
    calls.call("a")
    assert await calls.wait("a", 0.0)
    assert await calls.wait("a", 0.0)
    assert not await calls.wait("a", 0.01)


async def test_an_old_call_is_no_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call long gone does not wake who comes now."""
    monkeypatch.setattr(channels, "_KEPT_SECONDS", -1.0)
    calls = Channels()
    calls.call("a")
    assert not await calls.wait("a", 0.0)


async def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many channels were called, few are remembered; those who waited leave nothing."""
    monkeypatch.setattr(channels, "_REMEMBERED", 10)
    calls = Channels()
    for number in range(1000):
        calls.call(f"events:{number}")
        await calls.wait(f"silent:{number}", 0.0)
    assert len(calls._kept) == 10
    assert calls._waiting == {}


async def test_a_cancelled_wait_is_forgotten() -> None:
    """Who gives up waiting is not woken, and the others are."""
    calls = Channels()
    gone, stays = (asyncio.create_task(calls.wait("a", 5.0)) for _ in range(2))
    await asyncio.sleep(0.01)
    gone.cancel()
    await asyncio.sleep(0)
    calls.call_all()
    assert await stays
    assert gone.cancelled()
