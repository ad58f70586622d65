"""What a target is, and how it says that it cannot.

Takes an ``Ask``, gives a ``Reply``. Never retries and never counts: dispatch does.
"""

from typing import Protocol

from headworks.model.job import Ask, Reply


class Target(Protocol):
    """A place that chunks go to: a model server, a webhook, a folder, a function."""

    name: str

    async def send(self, ask: Ask) -> Reply:
        """Send one chunk and give the answer. Raises TargetBusy or TargetRefused."""
        ...

    async def close(self) -> None:
        """Let go of connections and files."""
        ...


class TargetBusy(Exception):  # noqa: N818 -- the word of the design: a state, not an error
    """The target cannot now: 429, 5xx, a timeout, no connection. The same may work later.

    ``delay`` is what it asked for in seconds, none where it did not; ``reason`` has no text of
    the chunk; ``overload`` tells 429, 503 and timeouts from other faults; ``at_door`` that the
    ask was sent away unread (429, or any with Retry-After): that is no failure of it.
    """

    def __init__(
        self,
        reason: str,
        delay: float | None = None,
        *,
        overload: bool = True,
        at_door: bool = False,
    ) -> None:
        super().__init__(reason, delay)
        self.at_door = at_door
        self.reason = reason
        self.delay = delay
        self.overload = overload


class TargetRefused(Exception):  # noqa: N818 -- beside TargetBusy
    """The target will never take this ask: 4xx, a payload too long, a wrong key."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
