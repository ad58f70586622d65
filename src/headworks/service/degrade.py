"""Degraded work: which stages are down, the ways around them, what is to be done again.

Takes what became of documents and a clock, gives the ways for the next one. Never decides what a
way does (``ways`` does), and never keeps a document waiting for a stage that has a way around.
"""

import time
from collections.abc import Callable, Mapping

from headworks.config_service import ServiceSettings
from headworks.dispatch.breaker import Breaker, BreakerPolicy, BreakerState
from headworks.service.tasks import STAGE_OF_WAY, WAYS, Way

_WINDOW = 20
_AT_LEAST = 4
_TRIALS = 1
# Formats whose pages may be pictures: only they say anything of recognition.
PAGED = frozenset({"pdf", "png", "jpeg", "tiff", "bmp", "ofd"})


class Stages:
    """A breaker for each stage: recognition, structure, rules, and the reader of each format."""

    def __init__(
        self, settings: ServiceSettings, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._policy = BreakerPolicy(
            failures=0,
            share=settings.breaker_share,
            at_least=_AT_LEAST,
            window=_WINDOW,
            open_seconds=settings.breaker_seconds,
            trials=_TRIALS,
        )
        self._clock = clock
        self._breakers: dict[str, Breaker] = {}
        self._down: set[str] = set()

    def states(self) -> dict[str, BreakerState]:
        """Give the state of each stage that was used."""
        return {name: breaker.state for name, breaker in sorted(self._breakers.items())}

    def ways(self, format_: str) -> tuple[Way, ...]:
        """Give the ways that a document goes now. A half open stage has one document on trial."""
        return tuple(
            way
            for way in WAYS
            if (way != "no_ocr" or format_ in PAGED) and not self._of(STAGE_OF_WAY[way]).allows()
        )

    def reader_rests(self, format_: str) -> float:
        """Tell how long documents of a format wait for their reader; 0 where one may go."""
        breaker = self._of(f"reader:{format_}")
        return 0.0 if breaker.allows() else max(1.0, breaker.seconds_left())

    def heard(self, format_: str, ways: tuple[Way, ...], outcomes: Mapping[str, bool]) -> None:
        """Count what became of a document that went these ways."""
        asked = {f"reader:{format_}": outcomes.get("reader")}
        for way in WAYS:
            stage = STAGE_OF_WAY[way]
            if way not in ways and (way != "no_ocr" or format_ in PAGED):
                asked[stage] = outcomes.get(stage)
        for stage, good in asked.items():
            breaker = self._of(stage)
            if good is None:
                breaker.abandoned()
            elif good:
                breaker.succeeded()
            else:
                breaker.failed()
            if breaker.state == "open":
                self._down.add(stage)

    def back(self) -> tuple[str, ...]:
        """Give the stages that were down and are closed again, each once."""
        found = tuple(s for s in sorted(self._down) if self._of(s).state == "closed")
        self._down.difference_update(found)
        return found

    def on_trial(self) -> tuple[str, ...]:
        """Give the stages that wait for a document to be tried on."""
        return tuple(
            stage
            for stage in sorted(self._down)
            if self._of(stage).state == "half_open" and self._of(stage).would_allow()
        )

    def reset(self, stage: str) -> None:
        """Close a stage's breaker: a person says that the cause is gone."""
        self._of(stage).reset()

    def _of(self, stage: str) -> Breaker:
        if stage not in self._breakers:
            self._breakers[stage] = Breaker(self._policy, self._clock)
        return self._breakers[stage]


def way_of(stage: str) -> Way | None:
    """Give the way around a stage; none for readers, which have none."""
    return next((way for way, its in STAGE_OF_WAY.items() if its == stage), None)
