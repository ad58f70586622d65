"""Runs of load against the server model in made time: what a limit makes of a server.

Takes a limit (adaptive, or a fixed number), a server and a script of changes, gives figures.
"""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from statistics import fmean, quantiles
from typing import Any

import msgspec

from headworks.dispatch.concurrency import AdaptiveLimit, LimitPolicy
from tests.simulator.server_model import Overloaded, ServerModel, ServerSettings
from tests.simulator.virtual import run_virtually

Change = tuple[float, int]


class Run(msgspec.Struct, kw_only=True):
    """A run's length and load. ``changes`` are times and slots; ``people`` a rate a second."""

    seconds: float = 600.0
    server: ServerSettings = ServerSettings()
    changes: Sequence[Change] = ()
    people: float = 0.0
    background: bool = True
    most: int = 64
    told: bool = False
    warm: float = 0.0
    seed: int = 3


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """``rate`` are answer tokens a second; waits are first-token seconds of interactive asks."""

    rate: float
    people_mean: float
    people_p95: float
    background_p95: float
    most_in_house: int
    refused: int
    limits: tuple[int, ...]


class FixedLimit:
    """A limit that stays, with the calls of the adaptive one."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.in_flight = 0
        self._blocked_until = 0.0

    def room(self, level: int) -> int:
        """Give what is left of the fixed number."""
        if self.blocked_seconds():
            return 0
        return 1 if level == 0 else self.limit - self.in_flight

    def start(self, level: int, tokens: int = 0) -> None:
        """Count one."""
        self.in_flight += 1

    def answered(self, ticket: None, first: float, whole: float) -> None:
        """Count one that is over."""
        self.in_flight -= 1

    def first_token(self, ticket: None, seconds: float) -> None:
        """Learn nothing."""

    def overloaded(self, ticket: None, kind: str, delay: float | None = None) -> None:
        """Count one that is over; wait as long as it asks."""
        self.in_flight -= 1
        self._blocked_until = asyncio.get_running_loop().time() + (delay or 1.0)

    def observe(self, running: int | None, waiting: int | None, slots: int | None) -> None:
        """Learn nothing."""

    def blocked_seconds(self) -> float:
        """Give what is left of the wait."""
        return max(0.0, self._blocked_until - asyncio.get_running_loop().time())


class Field:
    """One run: the server, the limit, background without end and people who come by chance."""

    def __init__(self, run: Run, limit: AdaptiveLimit | FixedLimit) -> None:
        self.run = run
        self.limit = limit
        self.server = ServerModel(run.server)
        self.people: list[float] = []
        self.firsts: list[float] = []
        self.limits: list[int] = []
        self._random = random.Random(run.seed)
        self._freed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def go(self) -> Figures:
        """Run to the end and give the figures."""
        parts = [self._script(), self._watch()]
        if self.run.background:
            parts.append(self._background())
        if self.run.people:
            parts.append(self._people())
        tasks = [asyncio.ensure_future(part) for part in parts]
        await asyncio.sleep(self.run.seconds)
        rate = self.server.tokens_out / self.run.seconds
        for task in [*tasks, *self._tasks]:
            task.cancel()
        await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)
        return Figures(
            rate=rate,
            people_mean=fmean(self.people) if self.people else 0.0,
            people_p95=quantiles(self.people, n=20)[-1] if len(self.people) > 1 else 0.0,
            background_p95=quantiles(self.firsts, n=20)[-1] if len(self.firsts) > 1 else 0.0,
            most_in_house=self.server.most_in_house,
            refused=self.server.refused,
            limits=tuple(self.limits),
        )

    async def _background(self) -> None:
        while True:
            self._freed.clear()
            while self.limit.room(2) > 0:
                self._begin(2, self._random.randint(300, 1500), self._random.randint(40, 300))
            await _at_most(self._freed, self.limit.blocked_seconds())

    async def _people(self) -> None:
        chance = random.Random(self.run.seed + 1)
        while True:
            await asyncio.sleep(chance.expovariate(self.run.people))
            while self.limit.room(0) <= 0:
                self._freed.clear()
                await self._freed.wait()
            self._begin(0, 600, 100)

    async def _script(self) -> None:
        begun = 0.0
        for at, slots in self.run.changes:
            await asyncio.sleep(at - begun)
            begun = at
            self.server.set_slots(slots)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            self.limits.append(self.limit.limit)
            if self.run.told:
                server = self.server
                self.limit.observe(server.active, server.waiting, server.slots)
                self._freed.set()

    def _begin(self, level: int, prompt: int, answer: int) -> None:
        # Counted here: the task itself starts only when this one pauses.
        ticket: Any = self.limit.start(level, prompt)
        task = asyncio.ensure_future(self._ask(ticket, level, prompt, answer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ask(self, ticket: Any, level: int, prompt: int, answer: int) -> None:
        now = asyncio.get_running_loop().time
        begun, first = now(), 0.0
        try:
            async for _ in self.server.answer(prompt, answer):
                if not first:
                    first = now() - begun
                    self.limit.first_token(ticket, first)
                    self._freed.set()
            self.limit.answered(ticket, first, now() - begun)
            if begun >= self.run.warm:
                (self.firsts if level else self.people).append(first)
        except Overloaded as refusal:
            self.limit.overloaded(ticket, "refused", refusal.retry_after)
        finally:
            self._freed.set()


async def _at_most(event: asyncio.Event, seconds: float) -> None:
    """Wait for the event, at most so long where seconds are given."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), max(seconds, 0.001) if seconds else None)


def adaptive(run: Run, policy: LimitPolicy | None = None) -> Figures:
    """Run with the adaptive limit."""

    async def work() -> Figures:
        clock = asyncio.get_running_loop().time
        return await Field(run, AdaptiveLimit(policy or LimitPolicy(most=run.most), clock)).go()

    return run_virtually(work())


def fixed(run: Run, limit: int) -> Figures:
    """Run with a fixed number under way."""

    async def work() -> Figures:
        return await Field(run, FixedLimit(limit)).go()

    return run_virtually(work())


def best_fixed(run: Run, search: Sequence[int]) -> tuple[int, Figures]:
    """Give the fixed number with the highest rate."""
    tried: list[tuple[int, Figures]] = [(limit, fixed(run, limit)) for limit in search]
    rate: Callable[[tuple[int, Figures]], float] = lambda pair: pair[1].rate  # noqa: E731
    return max(tried, key=rate)
