"""Waiting for something to happen, inside one process.

Takes names of channels, gives whether something came. A call that comes between somebody's look
and the wait that follows it is kept for that wait; never is a call kept for long.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict

# Channels there are as many as documents: the oldest are forgotten beyond this many.
_REMEMBERED = 10_000
# A call is kept for this many waits to come and for so long: who looked before it looks again.
_KEPT_WAITS = 2
_KEPT_SECONDS = 1.0


class Channels:
    """The channels of one event loop."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}

    def call(self, channel: str) -> None:
        """Wake whoever waits on the channel."""
        self._kept[channel] = (time.monotonic(), _KEPT_WAITS)
        self._kept.move_to_end(channel)
        if len(self._kept) > _REMEMBERED:
            self._kept.popitem(last=False)
        for future in self._waiting.pop(channel, set()):
            if not future.done():
                future.set_result(None)

    def call_all(self) -> None:
        """Wake everyone: calls may have been missed."""
        for channel in list(self._waiting):
            self.call(channel)

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for a call, at most so long; tell whether one came."""
        if self._take_kept(channel):
            return True
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(channel, set()).add(future)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(seconds, 0)):
                    await future
                return True
        finally:
            waiting = self._waiting.get(channel)
            if waiting is not None:
                waiting.discard(future)
                if not waiting:
                    del self._waiting[channel]
        return False

    def _take_kept(self, channel: str) -> bool:
        """Tell whether a call is kept, and use it up."""
        at, waits = self._kept.pop(channel, (0.0, 0))
        if not waits or time.monotonic() - at > _KEPT_SECONDS:
            return False
        if waits > 1:
            self._kept[channel] = (at, waits - 1)
        return True
