"""What headworks asks of a database, so that one set of statements serves both engines.

Takes nothing, gives two protocols. ``sqlite`` and ``postgres`` beside it keep them; statements use
``?`` for values, ``ON CONFLICT`` and ``RETURNING``, which both speak. Never holds a statement.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, Protocol, TypeVar

Value = TypeVar("Value")
Engine = Literal["sqlite", "postgres"]


class Row(Protocol):
    """A row of a result; columns by name."""

    def __getitem__(self, name: str, /) -> Any: ...


class Connection(Protocol):
    """One transaction. It is over when the work that got it returns; raising undoes it."""

    engine: Engine

    async def fetch(self, statement: str, *values: object) -> Sequence[Row]:
        """Run a statement and give its rows."""
        ...

    async def execute(self, statement: str, *values: object) -> int:
        """Run a statement and give how many rows it touched."""
        ...

    def now(self) -> float:
        """Give the store's clock in seconds, the same through a transaction.

        Embedded: wall time at the start plus monotonic time since. PostgreSQL: its own clock.
        """
        ...


Work = Callable[[Connection], Awaitable[Value]]


class Database(Protocol):
    """An engine. Work handed in awaits nothing but its connection, so SQLite's one writer can run
    it to its end inside a group commit."""

    engine: Engine

    async def transact(self, work: Work[Value]) -> Value:
        """Run the work in a transaction; it is durable when this returns."""
        ...

    async def read(self, work: Work[Value]) -> Value:
        """Run work that changes nothing, beside the writer."""
        ...

    async def notify(self, channel: str) -> None:
        """Wake whoever waits on the channel, in every process."""
        ...

    async def wait(self, channel: str, seconds: float) -> bool:
        """Wait for a notification, at most so long; tell whether one came."""
        ...

    async def close(self) -> None:
        """Finish what was handed in and let go."""
        ...
