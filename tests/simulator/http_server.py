"""The simulated model server on a port: OpenAI's chat completions with streaming, and faults.

Takes a ``ServerModel`` and a script of faults, serves HTTP/1.1 with keep-alive on this machine.
``/metrics`` and ``/slots`` are as llama.cpp writes them. Run it alone with
``python -m tests.simulator.http_server --port 8080 --slots 8``.
"""

import argparse
import asyncio
import contextlib
import json
import sys
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal

import msgspec

from tests.simulator.server_model import Overloaded, ServerModel, ServerSettings

Fault = Literal[
    "ok", "drop", "drop_midway", "hang", "500", "503", "429", "400", "401", "302",
    "broken_json", "not_json", "slow_first", "empty", "no_usage", "error_event",
]  # fmt: skip
_REASONS = {
    200: "OK", 302: "Found", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found",
    429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable",
}  # fmt: skip


class Request(msgspec.Struct, frozen=True):
    """What came: for tests to look at."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class HttpServer:
    """``faults`` are for the next requests in order, ``always`` for those after them.

    ``say`` gives the answer to a request, ``answer`` where it is not set. ``refuses_schema``
    answers 400 where a JSON schema is asked for; ``pages`` false hides ``/metrics``, ``/slots``.
    """

    def __init__(self, model: ServerModel, faults: Iterable[Fault] = ()) -> None:
        self.model = model
        self.faults = deque(faults)
        self.always: Fault = "ok"
        self.refuses_schema = False
        self.pages = True
        self.answer = '{"points": [], "values": []}'
        self.say: Callable[[dict[str, Any]], str] = lambda asked: self.answer
        self.slow_seconds = 1.0
        self.retry_after = "1"
        self.requests: list[Request] = []
        self.connections = 0
        self.port = 0
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def url(self) -> str:
        """The address for a target's settings."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def start(self, port: int = 0) -> None:
        """Listen on this machine only."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port and all connections."""
        if self._server is not None:
            self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def __aenter__(self) -> "HttpServer":
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            while (request := await _read(reader)) is not None:
                self.requests.append(request)
                if not await self._answer(request, reader, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _answer(
        self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Answer one request; tell whether the connection stays."""
        if request.path in {"/metrics", "/slots"}:
            found = self.pages
            page = self._metrics() if request.path == "/metrics" else self._slots()
            _write(writer, 200 if found else 404, page if found else b"")
            await writer.drain()
            return True
        fault = self.faults.popleft() if self.faults else self.always
        if fault == "drop":
            writer.transport.abort()
            return False
        if fault == "hang":
            await asyncio.sleep(3600)
        if fault.isdigit():
            headers = {"Retry-After": self.retry_after} if fault in {"429", "503"} else {}
            if fault == "302":
                headers = {"Location": "http://127.0.0.1:9/elsewhere"}
            _write(writer, int(fault), b'{"error": {"message": "scripted"}}', headers)
            await writer.drain()
            return True
        if not request.path.endswith("/chat/completions"):
            # A receiver of webhooks: it takes what comes.
            if fault == "drop_midway":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                await writer.drain()
                writer.transport.abort()
                return False
            _write(writer, 200, self.answer.encode())
            await writer.drain()
            return True
        asked = json.loads(request.body)
        if self.refuses_schema and "response_format" in asked:
            _write(writer, 400, b'{"error": {"message": "response_format is not known"}}')
            await writer.drain()
            return True
        return await self._complete(asked, fault, reader, writer)

    async def _complete(
        self,
        asked: dict[str, Any],
        fault: Fault,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Stream an answer; when the client goes away, its slot is free."""
        telling = asyncio.ensure_future(self._stream(asked, fault, writer))
        leaving = asyncio.ensure_future(_left(reader))
        self._tasks |= {telling, leaving}
        await asyncio.wait({telling, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if not telling.done():
            telling.cancel()
        ended = await asyncio.gather(telling, leaving, return_exceptions=True)
        self._tasks -= {telling, leaving}
        return ended[0] is True

    async def _stream(
        self, asked: dict[str, Any], fault: Fault, writer: asyncio.StreamWriter
    ) -> bool:
        prompt = max(1, sum(len(one["content"]) for one in asked["messages"]) // 2)
        most = int(asked.get("max_tokens") or 64)
        begun = False
        if fault == "slow_first":
            await asyncio.sleep(self.slow_seconds)
        pieces = _pieces("" if fault == "empty" else self.say(asked), most)
        sent = 0
        try:
            async for count in self.model.answer(prompt, most):
                if not begun:
                    begun = True
                    _begin_events(writer)
                    _event(writer, _part({"role": "assistant"}))
                for piece in pieces[sent : sent + count]:
                    _event(writer, _part({"content": piece}))
                sent += count
                await writer.drain()
                if fault == "drop_midway":
                    writer.transport.abort()
                    return False
                if fault == "broken_json":
                    _chunk(writer, b'data: {"choices": [{"delta": {"content": "x"\n\n')
                if fault == "not_json":
                    _chunk(writer, b"data: <html>oops</html>\n\n")
                if fault == "error_event":
                    _event(writer, {"error": {"message": "scripted", "code": 500}})
        except Overloaded as refusal:
            seconds = refusal.retry_after
            headers = {} if seconds is None else {"Retry-After": str(seconds)}
            _write(writer, refusal.status, b'{"error": {"message": "full"}}', headers)
            await writer.drain()
            return True
        _event(writer, _part({}, "stop"))
        if fault != "no_usage" and (asked.get("stream_options") or {}).get("include_usage"):
            usage = {"prompt_tokens": prompt, "completion_tokens": most,
                     "total_tokens": prompt + most}  # fmt: skip
            _event(writer, _part(None, None, usage))
        _chunk(writer, b"data: [DONE]\n\n")
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        return True

    def _metrics(self) -> bytes:
        model = self.model
        return (
            "# HELP llamacpp:requests_processing Number of requests processing.\n"
            "# TYPE llamacpp:requests_processing gauge\n"
            f"llamacpp:requests_processing {model.active}\n"
            "# TYPE llamacpp:requests_deferred gauge\n"
            f"llamacpp:requests_deferred {model.waiting}\n"
        ).encode()

    def _slots(self) -> bytes:
        slots = [
            {"id": number, "n_ctx": 4096, "is_processing": number < self.model.active}
            for number in range(self.model.slots)
        ]
        return json.dumps(slots).encode()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    line = await reader.readline()
    if not line:
        return None
    method, path, _ = line.decode().split(" ", 2)
    headers: dict[str, str] = {}
    while (line := await reader.readline()) not in {b"\r\n", b""}:
        name, _, value = line.decode().partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(method, path, headers, body)


async def _left(reader: asyncio.StreamReader) -> None:
    """Wait until the client has gone, without taking a byte of its next request."""
    while not reader.at_eof():
        await asyncio.sleep(0.02)


def _write(
    writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str] | None = None
) -> None:
    lines = [f"HTTP/1.1 {status} {_REASONS[status]}", "Content-Type: application/json",
             f"Content-Length: {len(body)}"]  # fmt: skip
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)


def _begin_events(writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    )


def _chunk(writer: asyncio.StreamWriter, part: bytes) -> None:
    writer.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")


def _event(writer: asyncio.StreamWriter, part: dict[str, Any]) -> None:
    _chunk(writer, b"data: " + json.dumps(part).encode() + b"\n\n")


def _part(
    delta: dict[str, str] | None, stopped: str | None = None, usage: dict[str, int] | None = None
) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": stopped}]
    return {"id": "sim", "object": "chat.completion.chunk", "created": 0, "model": "simulated",
            "choices": choices, "usage": usage}  # fmt: skip


def _pieces(answer: str, most: int) -> list[str]:
    """Cut an answer into at most so many tokens."""
    size = max(1, -(-len(answer) // most))
    return [answer[at : at + size] for at in range(0, len(answer), size)]


async def _serve(port: int, settings: ServerSettings) -> None:
    server = HttpServer(ServerModel(settings))
    await server.start(port)
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--slots", type=int, default=8)
    parser.add_argument("--speed", type=float, default=1.0)
    chosen = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(chosen.port, ServerSettings(slots=chosen.slots, speed=chosen.speed)))
