"""An event loop whose time is made: it jumps to the next timer, so an hour takes a second.

Takes a coroutine, gives its result; the same seeds give the same run. Never sleeps.
"""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

Value = TypeVar("Value")


class _Jumping(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.seconds = 0.0

    def select(self, timeout: float | None = None) -> list[Any]:
        """Look for what is ready; else let the time be over at once."""
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            # Nothing is due: only a thread can bring something.
            return super().select(5)
        self.seconds += max(0.0, timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Give the made time in seconds since the start."""
        return self._jumping.seconds


def run_virtually(work: Coroutine[Any, Any, Value]) -> Value:
    """Run a coroutine to its end in made time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)
