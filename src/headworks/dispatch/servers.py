"""What delivery knows of each target: its limit, its breaker, its device.

Takes the settings, gives a ``Server`` for each target; takes what the servers say of themselves.
Never sends anything to one.
"""

from collections.abc import Callable, Mapping
from typing import Protocol, runtime_checkable

import msgspec

from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.dispatch.breaker import Breaker, BreakerPolicy, BreakerState
from headworks.dispatch.concurrency import AdaptiveLimit, LimitPolicy, Ticket
from headworks.dispatch.pools import Devices, share_of
from headworks.model.job import Ask, Reply
from headworks.targets.base import Target
from headworks.targets.load import Load

Clock = Callable[[], float]
# Targets that are no servers: what they can is known, and nothing is to be found out.
_OWN = frozenset({"folder", "extract", "function"})


@runtime_checkable
class TellsLoad(Protocol):
    """A target whose server tells its load."""

    async def load(self) -> Load | None:
        """Give the load now, none where it says nothing."""
        ...


@runtime_checkable
class TellsFirstToken(Protocol):
    """A target that tells of the first token of an answer while the rest still comes."""

    heard: Callable[[Ask, float], None]


class ServerState(msgspec.Struct, frozen=True):
    """How a target stands, for metrics and the console."""

    target: str
    limit: int
    in_flight: int
    breaker: BreakerState
    blocked_seconds: float


class Server:
    """A target with what was learned of it."""

    def __init__(
        self, target: Target, settings: TargetSettings, breaker: BreakerPolicy, clock: Clock
    ) -> None:
        self.target = target
        self.name = target.name
        self.settings = settings
        first = settings.max_in_flight if settings.kind in _OWN else LimitPolicy().first
        self.limit = AdaptiveLimit(LimitPolicy(most=settings.max_in_flight, first=first), clock)
        self.breaker = Breaker(breaker, clock)
        self._tickets: dict[str, Ticket] = {}
        if isinstance(target, TellsFirstToken):
            target.heard = self._first_token

    async def ask(self, ask: Ask, ticket: Ticket) -> Reply:
        """Ask the target; the limit hears of the first token as soon as it is there.

        Raises TargetBusy or TargetRefused.
        """
        self._tickets[ask.job] = ticket
        try:
            return await self.target.send(ask)
        finally:
            self._tickets.pop(ask.job, None)

    def _first_token(self, ask: Ask, seconds: float) -> None:
        ticket = self._tickets.get(ask.job)
        if ticket is not None:
            self.limit.first_token(ticket, seconds)

    def room(self, level: int) -> int:
        """Tell how many asks of a level may go now; half open, one."""
        if not self.breaker.would_allow():
            return 0
        room = self.limit.room(level)
        return min(room, 1) if self.breaker.state == "half_open" else room

    def state(self) -> ServerState:
        """Give how it stands now."""
        return ServerState(
            self.name,
            self.limit.limit,
            self.limit.in_flight,
            self.breaker.state,
            self.limit.blocked_seconds(),
        )

    async def look(self) -> None:
        """Ask the server for its load, where it tells one."""
        if isinstance(self.target, TellsLoad):
            load = await self.target.load()
            if load is not None:
                self.limit.observe(load.running, load.waiting, load.slots)

    def feel(self, devices: Devices) -> None:
        """Ask the device for memory and temperature, where one is named."""
        if self.settings.gpu is not None:
            self.limit.scale(share_of(devices.read(self.settings.gpu)))


def open_servers(
    targets: Mapping[str, Target], settings: Settings, clock: Clock
) -> dict[str, Server]:
    """Give a server for each target."""
    delivery = settings.delivery
    policy = BreakerPolicy(
        failures=delivery.breaker_failures, open_seconds=delivery.breaker_seconds
    )
    built_in = TargetSettings(kind="extract")
    return {
        name: Server(target, settings.targets.get(name, built_in), policy, clock)
        for name, target in targets.items()
    }
