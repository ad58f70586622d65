"""``python -m tests.service.soak --minutes 30``: documents all the time, and memory stays flat.

Documents are sent in as quick as they are done, deleted after a while; the resident memory of the
service and of its tree is noted, and what it grew by from the first third to the last is told.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from headworks.config import load
from headworks.dispatch.queue import QueueFull
from headworks.service.headquarters import open_shop
from headworks.service.intake import Accepted, Upload, intake
from headworks.service.removal import remove
from headworks.service.shop import Shop
from tests.service.driving import write_settings
from tests.service.papers import paper
from tests.service.shops import pieces_of

_KEPT = 300
_AHEAD = 40
_EVERY_SECONDS = 5.0
_MOST_GROWTH = 1.10


class Soak:
    """Feeds a shop and looks at its memory."""

    def __init__(self, shop: Shop, seconds: float) -> None:
        self.shop = shop
        self.until = time.monotonic() + seconds
        self.sent = 0
        self.samples: list[tuple[int, int]] = []  # the service alone, and its whole tree
        self._kept: list[Accepted] = []

    async def feed(self) -> None:
        """Send documents in, a few ahead of the workers; delete the oldest."""
        while time.monotonic() < self.until:
            stats = await self.shop.queue.stats()
            if stats.waiting > _AHEAD:
                await asyncio.sleep(0.2)
                continue
            for _ in range(10):
                name, content = await asyncio.to_thread(paper, self.sent)
                try:
                    upload = Upload(
                        name=name, content=pieces_of(content), client=f"c{self.sent % 7}"
                    )
                    self._kept.append(await intake(self.shop, upload))
                except QueueFull as full:
                    await asyncio.sleep(full.retry_after)
                    continue
                self.sent += 1
            await asyncio.sleep(2.1)  # the count of the queue is two seconds old
            while len(self._kept) > _KEPT:
                await remove(self.shop, self._kept.pop(0).document)

    async def look(self) -> None:
        """Note memory now and then."""
        while time.monotonic() < self.until:
            await asyncio.sleep(_EVERY_SECONDS)
            own = _resident("self")
            tree = own + sum(_resident(str(pid)) for pid in _below("self"))
            self.samples.append((own, tree))
            say(f"{self.sent} sent, service {own >> 20} MiB, tree {tree >> 20} MiB")


async def main() -> int:
    """Run; 0 where memory stayed flat."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=30.0)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="headworks-soak-") as folder:
        settings = write_settings(Path(folder) / "headworks.toml", Path(folder) / "data")
        shop = await open_shop(load(settings, environment={}))
        await shop.start()
        soak = Soak(shop, asked.minutes * 60)
        await asyncio.gather(soak.feed(), soak.look())
        await shop.drain()
        stats = await shop.queue.stats()
        await shop.close()
    third = max(1, len(soak.samples) // 3)
    told = []
    for number, what in enumerate(("service", "tree")):
        first = median(sample[number] for sample in soak.samples[third : 2 * third])
        last = median(sample[number] for sample in soak.samples[-third:])
        told.append(last / first)
        say(f"{what}: {int(first) >> 20} MiB in the middle third, {int(last) >> 20} MiB at the end")
    say(f"{soak.sent} documents, {stats.failed} failed")
    flat = all(growth <= _MOST_GROWTH for growth in told) and not stats.failed
    say("flat" if flat else "NOT FLAT")
    return 0 if flat else 1


def _resident(pid: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


def _below(pid: str) -> list[int]:
    found: list[int] = []
    waiting = [pid]
    while waiting:
        try:
            for task in Path(f"/proc/{waiting.pop()}/task").iterdir():
                children = [int(child) for child in (task / "children").read_text().split()]
                found += children
                waiting += map(str, children)
        except OSError:
            continue
    return found


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
