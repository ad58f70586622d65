"""Connections that send too slowly, or too much."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from headworks.web.connections import bounded_protocol

_SECONDS = 0.3
_HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"
Ask = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[bytes]]


async def _refusing(scope: Any, receive: Any, send: Any) -> None:
    """Answer 413 without reading a body."""
    await send({"type": "http.response.start", "status": 413, "headers": []})
    await send({"type": "http.response.body", "body": b"no"})


def _asked(ask: Ask) -> bytes:
    async def run() -> bytes:
        listening = socket.create_server(("127.0.0.1", 0))
        protocol = bounded_protocol(_SECONDS)
        config = uvicorn.Config(_refusing, http=protocol, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        try:
            return await asyncio.wait_for(ask(reader, writer), 10)
        finally:
            writer.close()
            server.should_exit = True
            await serving

    return asyncio.run(run())


async def _rest(reader: asyncio.StreamReader) -> bytes:
    with contextlib.suppress(ConnectionError):
        return await reader.read()
    return b"reset"


def test_a_head_that_never_ends_is_cut_off() -> None:
    """Whether nothing comes, or a letter now and then."""

    async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        return await _rest(reader)

    async def drops(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(b"GET / HTTP/1.1\r\nHost: ")
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(b"a")
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(1), 0.05)
        return b"reset"

    assert _asked(nothing) in (b"", b"reset")
    assert _asked(drops) == b"reset"


def test_a_head_of_megabytes_is_refused() -> None:
    """No more than its bound is held of it."""

    async def large(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        with contextlib.suppress(ConnectionError):
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            for _ in range(64):
                writer.write(b"X: " + b"a" * 65_536 + b"\r\n")
                await writer.drain()
        return await _rest(reader)

    assert not _asked(large).startswith(b"HTTP/1.1 200")


def test_who_sends_on_after_the_answer_is_cut_off() -> None:
    """The answer is there before the body was read; a body without an end is not read for ever."""

    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        writer.write(_HEAD)
        told = await reader.readline()
        with contextlib.suppress(ConnectionError):
            while not reader.at_eof():
                writer.write(b"x" * 1_000_000)
                await writer.drain()
        return told

    assert _asked(endless).startswith(b"HTTP/1.1 413")
