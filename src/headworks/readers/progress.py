"""How far the reading is: readers say it, whoever listens hears it.

Takes page numbers from readers, gives them to the listener of this process, not too often. Never
slows a reader that nobody listens to.
"""

import time
from collections.abc import Callable
from contextvars import ContextVar

Listener = Callable[[str, int, int], None]
_EVERY_SECONDS = 0.2


class _Listening:
    """A listener and when it last heard anything."""

    def __init__(self, hear: Listener) -> None:
        self.hear = hear
        self.heard = 0.0


_listening: ContextVar[_Listening | None] = ContextVar("listening", default=None)


def listen(hear: Listener | None) -> None:
    """Tell the listener from now on; none stops it."""
    _listening.set(None if hear is None else _Listening(hear))


def is_heard() -> bool:
    """Tell whether anybody listens."""
    return _listening.get() is not None


def page(stage: str, number: int, of: int) -> None:
    """Say that a page (from 1) is being read."""
    listening = _listening.get()
    if listening is None:
        return
    now = time.monotonic()
    if now - listening.heard >= _EVERY_SECONDS or number == of:
        listening.heard = now
        listening.hear(stage, number, of)
