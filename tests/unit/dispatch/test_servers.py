"""What delivery knows of each target."""

import asyncio
from collections.abc import Callable

from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.pools import Devices
from headworks.dispatch.servers import open_servers
from headworks.model.job import Ask, Reply
from headworks.targets.extract import ExtractTarget
from headworks.targets.load import Load
from tests.unit.dispatch.test_breaker import Clock
from tests.unit.dispatch.test_pools import library


class Telling:
    """A target whose server tells its load."""

    name = "told"

    async def send(self, ask: Ask) -> Reply:
        """Never asked here."""
        raise NotImplementedError

    async def close(self) -> None:
        """Nothing to let go of."""

    async def load(self) -> Load | None:
        """Give six slots."""
        return Load(running=0, waiting=0, slots=6)


SETTINGS = Settings(
    delivery=DeliverySettings(breaker_failures=2, breaker_seconds=10),
    targets={"told": TargetSettings(kind="chat", url="http://127.0.0.1:9", gpu=0)},
)


class Streaming(Telling):
    """A target that tells of its first tokens."""

    def __init__(self) -> None:
        self.heard: Callable[[Ask, float], None] = lambda ask, seconds: None

    async def send(self, ask: Ask) -> Reply:
        """Tell of the first token, then answer."""
        self.heard(ask, 0.25)
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body="yes")


def test_first_tokens_are_heard_of_while_the_answer_comes() -> None:
    """The limit hears of them with the ticket of their ask; of an ask that is over, no more."""
    target = Streaming()
    server = open_servers({"told": target}, SETTINGS, Clock())["told"]
    told: list[tuple[int, float]] = []
    server.limit.first_token = lambda ticket, seconds: told.append(  # type: ignore[method-assign]
        (ticket.number, seconds)
    )
    ask = Ask(job="j", document="d", chunk="c", pipeline="p")
    asyncio.run(server.ask(ask, server.limit.start(1)))
    target.heard(ask, 9.0)
    assert told == [(1, 0.25)]


def test_slots_and_heat_make_the_limit() -> None:
    """What the server tells is the limit; a hot device takes from it."""
    server = open_servers({"told": Telling()}, SETTINGS, Clock())["told"]
    assert server.room(1) == 2
    asyncio.run(server.look())
    assert server.room(1) == 6
    server.feel(Devices(library(85, 40)))
    assert server.room(1) == 3
    assert server.state().limit == 3


def test_half_open_there_is_room_for_one() -> None:
    """An open breaker leaves no room, a half open one a single place."""
    clock = Clock()
    server = open_servers({"told": Telling()}, SETTINGS, clock)["told"]
    asyncio.run(server.look())
    for _ in range(2):
        server.breaker.failed()
    assert (server.room(1), server.room(0)) == (0, 0)
    clock.now += 10
    assert (server.room(1), server.room(0)) == (1, 1)


def test_what_is_no_server_starts_with_its_whole_bound() -> None:
    """A folder, a function, the built-in target: there is nothing to find out."""
    server = open_servers({"extract": ExtractTarget("extract")}, SETTINGS, Clock())["extract"]
    assert server.room(1) == 32
    asyncio.run(server.look())
    assert server.room(1) == 32
