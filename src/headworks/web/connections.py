"""Connections that send too slowly, or what nobody asked for, are closed.

Takes uvicorn's protocol (httptools where it is installed, else h11), gives one with bounds. Never
touches a request that is being answered: its body is bounded where it is read.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

# A head of a request, and what is passed over of a body after the answer (413, 401) was given:
# who sends on reads the answer only afterwards.
_MOST_HEAD = 64 * 1024
_MOST_UNWANTED = 1 << 30


class _Bounded(asyncio.Protocol):
    """Watches the time between requests, and from the first byte of one to the end of its head."""

    seconds: float
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any
    _watching: asyncio.TimerHandle | None = None
    _unanswered = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Count what belongs to no request that is being answered."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._unanswered = 0
            self._rest()
        elif self.cycle is None or self.cycle.response_complete:
            self._unanswered += len(data)
            self._watch()
            unwanted = self.cycle is not None and self.cycle.more_body
            if self._unanswered > (_MOST_UNWANTED if unwanted else _MOST_HEAD):
                self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Watch no longer."""
        self._rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        if self._watching is None:
            self._watching = self.loop.call_later(self.seconds, self._late)

    def _rest(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            self._watching = None

    def _late(self) -> None:
        self._watching = None
        self.transport.abort()


def bounded_protocol(seconds: float) -> type[asyncio.Protocol]:
    """Give a protocol whose connections send the head of a request within so many seconds."""
    return type("BoundedProtocol", (_Bounded, AutoHTTPProtocol), {"seconds": seconds})
