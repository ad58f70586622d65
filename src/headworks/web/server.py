"""The server: one process that listens, works and drains when it is told to end.

Takes settings, serves until SIGTERM or SIGINT. Never listens beyond loopback without a key.
"""

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

from headworks.config import Settings
from headworks.errors import ConfigError
from headworks.service.headquarters import open_shop
from headworks.service.observe import log_to_standard_error
from headworks.web.access import Keys, require_keys
from headworks.web.app import application

_BACKLOG = 2048


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
    listening = _bound(service.host, service.port)
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
            timeout_graceful_shutdown=max(1, round(service.drain_seconds)),
            h11_max_incomplete_event_size=64 * 1024,
        ),
        on_start=lambda: tell(_address(listening)),
        on_exit=shop.hang_up,
    )
    try:
        await server.serve(sockets=[listening])
    finally:
        await shop.close()


class _Server(uvicorn.Server):
    """Tells when it is ready; lets event streams end when it is told to."""

    def __init__(
        self, config: uvicorn.Config, on_start: Callable[[], None], on_exit: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._on_exit = on_exit

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Take nothing more on from the moment of the signal; a second one does not wait.

        The signal is not raised again afterwards: to end when told to is a good end.
        """
        self._on_exit()
        self.force_exit = self.should_exit
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then tell."""
        await super().startup(sockets)
        if self.started:
            self._on_start()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
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
