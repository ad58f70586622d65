"""The bound of the queue: how many process jobs may wait, and when to come back.

Takes a number of places, gives them or raises QueueFull. Never asks the database while the last
count and what has come in since leave places.
"""

import asyncio
import time
from collections import deque

from headworks.dispatch.standing import count_waiting
from headworks.store.database import Database

_RATE_SECONDS = 60.0
_LEAST_SECONDS, _MOST_SECONDS = 1.0, 60.0
# Who is told to come back is told when so much of the queue should be free again.
_SHARE_FREE = 0.02
# Where several processes put jobs in, a count is good that long.
_SHARED_SECONDS = 0.5


class QueueFull(Exception):  # noqa: N818 -- the word of the design: a state, not an error
    """The queue holds as many process jobs as it may: come back after so many seconds."""

    def __init__(self, retry_after: float) -> None:
        super().__init__(retry_after)
        self.retry_after = retry_after


class Places:
    """Counts places of process jobs as this process takes them."""

    def __init__(self, database: Database, bound: int) -> None:
        self._database = database
        self._bound = bound
        self._counted = 0
        # Put in since the count, and on their way.
        self._since = 0
        self._pending = 0
        self._at = 0.0
        self._counting = asyncio.Lock()
        self._ends: deque[float] = deque(maxlen=1000)

    async def take(self, wanted: int) -> None:
        """Take places, to be told of by ``taken``. Raises QueueFull."""
        if not wanted:
            return
        if self._over(wanted) or self._stale():
            async with self._counting:
                if self._over(wanted) or self._stale():
                    await self._count()
        if self._over(wanted):
            raise QueueFull(self._retry_after())
        self._pending += wanted

    def taken(self, wanted: int) -> None:
        """Tell that places that were taken are in the database, or that it came to nothing."""
        self._pending -= wanted
        self._since += wanted

    def freed(self) -> None:
        """Tell that a process job has ended."""
        self._ends.append(time.monotonic())

    def _over(self, wanted: int) -> bool:
        return self._counted + self._since + self._pending + wanted > self._bound

    def _stale(self) -> bool:
        shared = self._database.engine == "postgres"
        return shared and time.monotonic() > self._at + _SHARED_SECONDS

    async def _count(self) -> None:
        """Ask the database; what is on its way now may or may not be in its answer."""
        since = self._since
        self._counted = await self._database.read(
            lambda connection: count_waiting(connection, "process", self._bound)
        )
        self._since -= since
        self._at = time.monotonic()

    def _retry_after(self) -> float:
        """Give when some places should be free, by how quickly jobs have ended lately."""
        now = time.monotonic()
        lately = sum(now - end < _RATE_SECONDS for end in self._ends)
        if not lately:
            return _MOST_SECONDS / 2
        seconds = _RATE_SECONDS / lately * max(self._bound * _SHARE_FREE, 1)
        return min(max(seconds, _LEAST_SECONDS), _MOST_SECONDS)
