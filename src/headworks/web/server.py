"""The server: one process that listens, works and drains when it is told to end.

Takes settings, serves until SIGTERM or SIGINT. Never listens beyond loopback without a key.
"""

import asyncio
import signal
import socket
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FrameType

import uvicorn

from headworks.config import Settings
from headworks.errors import ConfigError
from headworks.service.headquarters import open_shop
from headworks.service.observe import log_to_standard_error
from headworks.web.access import Keys, require_keys
from headworks.web.app import application
from headworks.web.connections import bounded_protocol

_BACKLOG = 2048
# Without a whole head of a request for so long, a connection is closed.
_HEAD_SECONDS = 20
# Answers under way when all work is over: the ends of event streams, the last pages of a file.
_LAST_SECONDS = 5

Draining = Coroutine[None, None, object]


def serve(settings: Settings, tell: Callable[[str], None], base: Path | None = None) -> None:
    """Listen and work; ``tell`` is given the address when requests are answered.

    ``base`` is the folder that paths of prompts and schemas in the settings go from.

    Raises ConfigError where the address is taken or no key guards it, and what ``open_shop`` does.
    """
    asyncio.run(_serve(settings, tell, base))


async def _serve(settings: Settings, tell: Callable[[str], None], base: Path | None) -> None:
    service = settings.service
    keys = Keys(Path(service.folder))
    require_keys(service.host, keys)
    listening = bound(service.host, service.port)
    log_to_standard_error()
    shop = await open_shop(settings, base=base)
    server = _Server(
        uvicorn.Config(
            application(shop, keys),
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=_LAST_SECONDS,
            h11_max_incomplete_event_size=64 * 1024,
            http=bounded_protocol(_HEAD_SECONDS),
        ),
        on_start=lambda: tell(_address(listening)),
        drain=shop.drain,
    )
    try:
        await server.serve(sockets=[listening])
    finally:
        await shop.close()


class _Server(uvicorn.Server):
    """Tells when it is ready; told to end, it answers on until what is under way is over."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], drain: Callable[[], Draining]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._drain = drain
        self._draining: asyncio.Task[None] | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take nothing more on from the moment of the signal; a second one does not wait.

        Meanwhile it says so: /readyz and uploads are 503, what is asked is answered. The signal is
        not raised again afterwards: to end when told to is a good end.
        """
        if self._draining is not None:
            self.force_exit = self.should_exit = True
            return
        self._draining = asyncio.get_running_loop().create_task(self._end())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell. Signals come through the loop, between two of its steps."""
        await super().startup(sockets)
        if self.started:
            loop = asyncio.get_running_loop()
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, self.handle_exit, number, None)
            self._on_start()

    async def _end(self) -> None:
        try:
            await self._drain()
        finally:
            self.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """Give a socket that listens. Raises ConfigError where it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends each write of an answer at once; without it the body
    # waits for the receiver's acknowledgement of the head, 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
    except OSError as fault:
        listening.close()
        message = f"cannot listen on {host}:{port}: {fault.strerror or fault}"
        raise ConfigError("E_CONFIG", message) from fault
    listening.setblocking(False)
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
