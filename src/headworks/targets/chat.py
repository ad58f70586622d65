"""An OpenAI-compatible model server: llama.cpp, vLLM, Ollama, LM Studio and others.

Takes an ask with messages, gives the streamed answer with its times and tokens. Never retries,
never follows a redirect, and never puts the server's words into a reason.
"""

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

import msgspec

from headworks.config_delivery import TargetSettings
from headworks.model.job import Ask, Reply
from headworks.targets.base import TargetBusy
from headworks.targets.http import checked_url, fault_of, library, open_client
from headworks.targets.load import Load, Loads

# What servers answer that do not know a field of the request.
_UNKNOWN_FIELD = {400, 422, 501}
_HAN = re.compile("[\u2e80-\u9fff\uf900-\ufaff]")


class _Answer(msgspec.Struct):
    """What has come of an answer so far."""

    started: float
    pieces: list[str] = msgspec.field(default_factory=list)
    first_token_at: float | None = None
    model: str = ""
    stopped: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class ChatTarget:
    """A model server at one address. ``key`` is sent only there; none sends no header.

    ``heard`` is told of each first token, with its seconds.
    """

    def __init__(
        self,
        name: str,
        settings: TargetSettings,
        key: str = "",
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.heard: Callable[[Ask, float], None] = lambda ask, seconds: None
        self._settings = settings
        self._clock = clock
        self._wall = wall
        self._knows_schema = True
        place = f"targets.{name}"
        url = checked_url(settings.url, place)
        self._openai = openai = library(place)
        self._http = open_client(settings.max_in_flight, place)
        self._loads = Loads(self._http, url, settings.metrics_url)
        # What the environment says of OpenAI's own accounts is no business of this server.
        unsaid = ["OpenAI-Organization", "OpenAI-Project", *([] if key else ["Authorization"])]
        self._no_headers = dict.fromkeys(unsaid, openai.omit)
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=url,
            max_retries=0,
            timeout=None,
            http_client=self._http,
        )

    async def send(self, ask: Ask) -> Reply:
        """Ask the model; raises TargetBusy or TargetRefused."""
        started = self._clock()
        answer = _Answer(started)
        with_schema = ask.schema is not None and self._knows_schema
        try:
            try:
                await self._stream(ask, answer, with_schema)
            except self._openai.APIStatusError as refusal:
                if not (with_schema and refusal.status_code in _UNKNOWN_FIELD):
                    raise
                await self._stream(ask, answer, False)
                self._knows_schema = False
        except TimeoutError:
            waited = "the answer" if answer.first_token_at is not None else "the first token"
            raise TargetBusy(f"timeout waiting for {waited}") from None
        except self._openai.APIStatusError as refusal:
            raise fault_of(refusal.status_code, refusal.response.headers, self._wall()) from None
        except self._openai.APIConnectionError as fault:
            raise TargetBusy(_connection(fault), overload=False) from None
        except (self._openai.APIError, ValueError):
            raise TargetBusy("the answer is not what the protocol says", overload=False) from None
        return self._reply(ask, answer, started)

    async def load(self) -> Load | None:
        """Give what the server says of its load, where it says anything."""
        return await self._loads.read()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _stream(self, ask: Ask, answer: _Answer, with_schema: bool) -> None:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        async with asyncio.timeout(self._settings.first_token_seconds) as limit:
            stream = await self._client.chat.completions.create(
                extra_headers=self._no_headers,
                **_request(ask, self._settings.model, with_schema),
            )
            try:
                async for part in stream:
                    if _take(part, answer) and answer.first_token_at is None:
                        answer.first_token_at = self._clock()
                        self.heard(ask, answer.first_token_at - answer.started)
                        limit.reschedule(begun + self._settings.timeout_seconds)
            finally:
                # Cancelled or done: the server sees the end of it and frees its slot.
                await stream.close()
        if not answer.stopped:
            raise TargetBusy("the answer broke off", overload=False)

    def _reply(self, ask: Ask, answer: _Answer, started: float) -> Reply:
        ended = self._clock()
        first = answer.first_token_at if answer.first_token_at is not None else ended
        body = "".join(answer.pieces)
        counted = answer.tokens_in is not None and answer.tokens_out is not None
        return Reply(
            job=ask.job,
            chunk=ask.chunk,
            target=self.name,
            body=body,
            model=answer.model or self._settings.model,
            tokens_in=answer.tokens_in if answer.tokens_in is not None else ask.tokens,
            tokens_out=answer.tokens_out if answer.tokens_out is not None else estimate(body),
            estimated=not counted,
            first_token_milliseconds=(first - started) * 1000,
            milliseconds=(ended - started) * 1000,
            stopped=answer.stopped,
        )


def estimate(text: str) -> int:
    """Give 0.6 tokens a Han character and 0.3 another, rounded up."""
    han = len(_HAN.findall(text))
    return -(-(6 * han + 3 * (len(text) - han)) // 10)


def _request(ask: Ask, model: str, with_schema: bool) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": model or "default",
        "messages": [{"role": role, "content": content} for role, content in ask.messages],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
    }
    if ask.max_tokens:
        request["max_tokens"] = ask.max_tokens
    if with_schema:
        shape = {"name": "answer", "schema": ask.schema, "strict": True}
        request["response_format"] = {"type": "json_schema", "json_schema": shape}
    return request


def _take(part: Any, answer: _Answer) -> bool:
    """Take a part of the stream in; tell whether it brought a token."""
    if not hasattr(part, "choices"):
        raise ValueError
    answer.model = part.model or answer.model
    if part.usage is not None:
        answer.tokens_in = part.usage.prompt_tokens
        answer.tokens_out = part.usage.completion_tokens
    brought = False
    for choice in part.choices or ():
        answer.stopped = choice.finish_reason or answer.stopped
        delta = choice.delta
        if delta is None:
            continue
        if delta.content:
            answer.pieces.append(delta.content)
            brought = True
        # Models that think first send that beside the content: it is a token all the same.
        brought = brought or bool(getattr(delta, "reasoning_content", None))
    return brought


def _connection(fault: Exception) -> str:
    cause = type(fault.__cause__).__name__ if fault.__cause__ else type(fault).__name__
    return f"no connection: {cause}"
