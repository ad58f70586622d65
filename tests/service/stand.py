"""A service without its API, as a process of its own: takes in a folder, tells how it stands.

``python -m tests.service.stand SETTINGS IN`` reads settings (TOML), takes every file in IN in,
and writes a line of JSON now and then. SIGTERM drains, SIGUSR1 tries failed jobs again.
"""

import asyncio
import json
import signal
import sys
from pathlib import Path

from headworks.config import load
from headworks.dispatch.queue import QueueFull
from headworks.dispatch.standing import JobFilter
from headworks.errors import StorageError
from headworks.service.headquarters import open_shop
from headworks.service.intake import Upload, intake, retry
from headworks.service.members import pieces
from headworks.service.observe import log_to_standard_error
from headworks.service.shop import Shop
from headworks.store.database import Connection


async def main(settings: Path, papers: Path) -> int:
    """Run until SIGTERM."""
    log_to_standard_error()
    shop = await open_shop(load(settings, environment={}))
    over = asyncio.Event()
    again: list[asyncio.Task[None]] = []
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, over.set)
    loop.add_signal_handler(signal.SIGUSR1, lambda: again.append(loop.create_task(retry_all(shop))))
    await shop.start()
    telling = asyncio.create_task(tell(shop))
    taking = asyncio.create_task(take_in(shop, papers))
    await over.wait()
    taking.cancel()
    telling.cancel()
    await asyncio.gather(taking, telling, return_exceptions=True)
    whole = await shop.drain()
    await shop.close()
    say({"drained": whole})
    return 0


async def take_in(shop: Shop, papers: Path) -> None:
    """Take every file in, in order; what the disk refuses is tried again."""
    for path in sorted(papers.iterdir()):
        while True:
            try:
                await intake(shop, Upload(name=path.name, content=pieces(path)))
                break
            except (QueueFull, StorageError) as fault:
                say({"refused": str(getattr(fault, "code", "full"))})
                await asyncio.sleep(0.2)
    say({"taken": True})


async def retry_all(shop: Shop) -> None:
    """Try every failed job again: the cause is gone."""
    for job in await shop.queue.listing(JobFilter(state="failed"), limit=1000):
        await retry(shop, job.id)
    say({"retried": True})


async def tell(shop: Shop) -> None:
    """Say how many jobs stand how."""
    while True:
        try:
            rows = await shop.database.read(_states)
            down = [name for name, state in shop.stages.states().items() if state != "closed"]
            say({"states": rows, "down": down})
        except StorageError as fault:
            say({"fault": fault.code})
        await asyncio.sleep(0.15)


async def _states(connection: Connection) -> dict[str, int]:
    rows = await connection.fetch("SELECT state, COUNT(*) AS jobs FROM jobs GROUP BY state")
    return {row["state"]: int(row["jobs"]) for row in rows}


def say(line: dict[str, object]) -> None:
    """Write a line for whoever started this."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]))))
