"""A model server's behaviour: slots, a queue, prefill and decode by tokens, overload, noise.

Takes asks by their token counts, gives their tokens when they would come. It knows no HTTP:
``http_server`` puts it on a port, ``virtual`` runs it in made time.

The model: each of ``slots`` requests has a slot, others wait in line (429 once ``queue_limit``
wait). A first token costs the prompt's tokens over ``prefill_rate``; prefill goes before decode,
as continuous batching does it. Decoding gives ``decode_rate`` tokens a second alone and each
further running request slows all by ``share``. Above ``thrash_at`` requests in the house memory
is swapped: everything slows with the square of the excess.
"""

import asyncio
import random
from collections import deque
from collections.abc import AsyncIterator

import msgspec


class ServerSettings(msgspec.Struct, frozen=True, kw_only=True):
    slots: int = 8
    prefill_rate: float = 3000.0
    decode_rate: float = 40.0
    share: float = 0.02
    fixed_seconds: float = 0.03
    thrash_at: int = 24
    queue_limit: int | None = None
    retry_after: float | None = 1.0
    noise: float = 0.0
    stalls: float = 0.0
    stall_seconds: float = 2.0
    block_tokens: int = 16
    speed: float = 1.0
    seed: int = 7


class Overloaded(Exception):  # noqa: N818 -- a state of the server
    def __init__(self, status: int, retry_after: float | None) -> None:
        super().__init__(status)
        self.status = status
        self.retry_after = retry_after


class ServerModel:
    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.slots = settings.slots
        self.active = 0
        self.most_in_house = 0
        self.tokens_out = 0
        self.served = 0
        self.refused = 0
        self._line: deque[asyncio.Future[None]] = deque()
        self._random = random.Random(settings.seed)

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._line)

    def set_slots(self, slots: int) -> None:
        """Change the capacity while it runs: those who run go on."""
        self.slots = slots
        self._let_in()

    async def answer(self, prompt_tokens: int, answer_tokens: int) -> AsyncIterator[int]:
        """Give the counts of tokens as they come: 1 first, then blocks."""
        await self._enter()
        try:
            await self._pause(self._prefill_seconds(prompt_tokens))
            yield 1
            left = answer_tokens - 1
            while left > 0:
                block = min(self.settings.block_tokens, left)
                await self._pause(block * self._step_seconds())
                left -= block
                yield block
            self.served += 1
            self.tokens_out += answer_tokens
        finally:
            self.active -= 1
            self._let_in()

    async def _enter(self) -> None:
        limit = self.settings.queue_limit
        if self.active >= self.slots and limit is not None and self.waiting >= limit:
            self.refused += 1
            raise Overloaded(429, self.settings.retry_after)
        place = asyncio.get_running_loop().create_future()
        self._line.append(place)
        self._let_in()
        self.most_in_house = max(self.most_in_house, self.active + self.waiting)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.active -= 1
                self._let_in()
            elif place in self._line:
                self._line.remove(place)
            raise

    def _let_in(self) -> None:
        while self._line and self.active < self.slots:
            place = self._line.popleft()
            if not place.done():
                self.active += 1
                place.set_result(None)

    def _prefill_seconds(self, tokens: int) -> float:
        settings = self.settings
        seconds = settings.fixed_seconds + tokens / settings.prefill_rate
        if settings.noise:
            seconds *= self._random.lognormvariate(0.0, settings.noise)
        if self._random.random() < settings.stalls:
            seconds += settings.stall_seconds
        return seconds * self._thrash()

    def _step_seconds(self) -> float:
        crowd = 1.0 + self.settings.share * max(0, self.active - 1)
        return crowd * self._thrash() / self.settings.decode_rate

    def _thrash(self) -> float:
        return max(1.0, (self.active + self.waiting) / self.settings.thrash_at) ** 2

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.settings.speed)
