"""Waiting for something to happen, inside one process.

Takes names of channels, gives whether something came. Never loses a call that comes between a
look and the wait that follows it: a task that waits is told of what came since its last wait.
"""

import asyncio
import contextlib
from collections import OrderedDict
from weakref import WeakKeyDictionary

# Channels there are as many as documents: the oldest are forgotten beyond this many.
_REMEMBERED = 10_000


class Channels:
    """The channels of one event loop."""

    def __init__(self) -> None:
        self._calls = 0
        self._last: OrderedDict[str, int] = OrderedDict()
        self._seen: WeakKeyDictionary[asyncio.Task[object], dict[str, int]] = WeakKeyDictionary()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}

    def call(self, channel: str) -> None:
        """Wake whoever waits on the channel."""
        self._calls += 1
        self._last[channel] = self._calls
        self._last.move_to_end(channel)
        if len(self._last) > _REMEMBERED:
            self._last.popitem(last=False)
        for future in self._waiting.pop(channel, set()):
            if not future.done():
                future.set_result(None)

    def call_all(self) -> None:
        """Wake everyone: calls may have been missed."""
        for channel in {*self._last, *self._waiting}:
            self.call(channel)

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for a call, at most so long; tell whether one came."""
        came = self._news(channel)
        if came or seconds <= 0:
            return came
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(channel, set()).add(future)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await future
        finally:
            waiting = self._waiting.get(channel)
            if waiting is not None:
                waiting.discard(future)
                if not waiting:
                    del self._waiting[channel]
        return self._news(channel)

    def _news(self, channel: str) -> bool:
        """Tell whether a call came that this task has not been told of, and note that it is."""
        task = asyncio.current_task()
        if task is None:
            return False
        seen = self._seen.setdefault(task, {})
        last = self._last.get(channel, 0)
        if last <= seen.get(channel, 0):
            return False
        if len(seen) > _REMEMBERED:
            seen.clear()
        seen[channel] = last
        return True
