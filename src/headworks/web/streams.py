"""Bytes on their way in and out, a piece at a time.

Takes streams, gives streams, or a page of a file's lines. Never holds a file, waits for ever for a
sender, or begins an answer that cannot be begun.
"""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from time import monotonic

import msgspec
from litestar.exceptions import InternalServerException

from headworks.web.uploads import RequestError

# A sender that is slower than a telephone's modem, or silent, is let go.
_SILENT_SECONDS = 60.0
_SLOWEST = 1024
_MOST_PLACES = 4096

# A file's bytes from a byte on.
From = Callable[[int], AsyncIterator[bytes]]


class LinePage(msgspec.Struct, frozen=True):
    """Lines of a file, and the byte after the last of them."""

    lines: list[bytes]
    end: int


class LinePlaces:
    """Where lines of files begin: whoever reads page by page goes on without reading it all."""

    def __init__(self) -> None:
        self._places: OrderedDict[tuple[str, int, int], int] = OrderedDict()

    async def page(
        self, file: tuple[str, int], content: From, first: int, most: int
    ) -> list[bytes]:
        """Give lines of a file (a document and its fence) from ``first`` on."""
        start = self._places.get((*file, first))
        found = await lines_of(content, start or 0, 0 if start is not None else first, most)
        self._places[(*file, first + len(found.lines))] = found.end
        while len(self._places) > _MOST_PLACES:
            self._places.popitem(last=False)
        return found.lines


async def lines_of(content: From, start: int, skip: int, most: int) -> LinePage:
    """Give so many lines after skipping some, from a byte on; a last one may lack its end."""
    held, at, wanted = bytearray(), start, most
    async with aclosing(_closable(content(start))) as pieces:
        async for piece in pieces:
            passed = 0
            if skip:
                lines = piece.count(b"\n")
                if lines < skip:
                    skip, at = skip - lines, at + len(piece)
                    continue
                for _ in range(skip):
                    passed = piece.index(b"\n", passed) + 1
                skip, at = 0, at + passed
            held += memoryview(piece)[passed:]
            wanted -= piece.count(b"\n", passed)
            if wanted <= 0:
                break
    found = bytes(held).split(b"\n", most)
    rest = found.pop() if len(found) > most or not found[-1] else b""
    return LinePage(found, at + len(held) - len(rest))


async def begun(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Give a stream whose first piece is there: what cannot be read is told with its status."""
    first = await anext(stream, b"")

    async def whole() -> AsyncIterator[bytes]:
        yield first
        async for piece in stream:
            yield piece

    return whole()


async def framed(before: bytes, stream: AsyncIterator[bytes], after: bytes) -> AsyncIterator[bytes]:
    """Give a stream between two pieces."""
    yield before
    async for piece in stream:
        yield piece
    yield after


async def sent(stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Give a body as it comes. Raises RequestError where it comes too slowly, or stops."""
    began, size = monotonic(), 0
    while True:
        try:
            async with asyncio.timeout(_SILENT_SECONDS):
                piece = await anext(stream, None)
        except TimeoutError as fault:
            message = f"nothing came for {_SILENT_SECONDS:g} s"
            raise RequestError("E_REQUEST", message) from fault
        except InternalServerException as fault:  # the framework's word for a broken connection
            raise RequestError("E_REQUEST", "the connection broke") from fault
        if piece is None:
            return
        size += len(piece)
        seconds = monotonic() - began
        if seconds > _SILENT_SECONDS and size < seconds * _SLOWEST:
            raise RequestError("E_REQUEST", f"less than {_SLOWEST} bytes a second came")
        yield piece


async def _closable(stream: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Give a stream that can be closed, and what is behind it with it."""
    try:
        async for piece in stream:
            yield piece
    finally:
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()
