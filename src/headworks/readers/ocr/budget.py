"""The time that recognition may take: what the reading's own bound leaves.

Takes a clock and a bound, tells whether one more page fits. Never waits.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

KEPT = 0.08  # share of the bound that is left for layout and the way back
KEPT_SECONDS = 1.0
FIRST_SECONDS = 3.0  # what a page is taken to need before one was read
SLACK = 1.3


class Budget:
    """Counts from the moment it is made."""

    def __init__(self, timeout_seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        kept = max(KEPT_SECONDS, KEPT * timeout_seconds)
        self._ends = clock() + timeout_seconds - kept
        self._longest = 0.0

    def allows(self) -> bool:
        """Tell whether the longest page so far, and a little more, would still fit."""
        need = self._longest * SLACK if self._longest else FIRST_SECONDS
        return self._clock() + need <= self._ends

    @contextmanager
    def step(self) -> Iterator[None]:
        """Count one page."""
        began = self._clock()
        try:
            yield
        finally:
            self._longest = max(self._longest, self._clock() - began)
