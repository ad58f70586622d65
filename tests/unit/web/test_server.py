"""The listening socket."""

import asyncio
import socket

from headworks.web.server import bound


def test_an_answer_is_sent_at_once() -> None:
    """No write waits for the receiver's acknowledgement of the one before (40 ms each answer)."""

    async def accepted() -> int:
        found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            own = writer.get_extra_info("socket")
            found.set_result(own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listening = bound("127.0.0.1", 0)
        server = await asyncio.start_server(connected, sock=listening)
        async with server:
            _, writer = await asyncio.open_connection(*listening.getsockname())
            told = await found
            writer.close()
        return told

    assert asyncio.run(accepted())
