"""Opening a service: store, queue, files, rules, crew and what else goes on.

Takes settings, gives a ``Shop`` that is ready to be started. Never starts anything by itself.
"""

import asyncio
import os
import socket
from pathlib import Path
from typing import Literal

from headworks.config import Settings
from headworks.dispatch.asking import Asking
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.service.crew import Crew
from headworks.service.outbound import Outbound, is_configured
from headworks.service.packs import Packs
from headworks.service.shop import Shop
from headworks.service.upkeep import Upkeep
from headworks.service.watching import Watching
from headworks.service.workplace import Workplace
from headworks.store import rule_files
from headworks.store.blobs import Blobs
from headworks.store.database import Database
from headworks.store.folder import FolderBlobs
from headworks.store.sqlite import open_sqlite
from headworks.targets.table import open_targets

Role = Literal["serve", "worker"]


async def open_shop(
    settings: Settings, role: Role = "serve", crew: bool = True, base: Path | None = None
) -> Shop:
    """Open the service's parts; ``serve`` also watches the folder. Without a crew none works here.

    ``base`` is the folder that paths of prompts and schemas go from.

    Raises RulesError, ConfigError or StorageError, before anything is started.
    """
    folder = Path(settings.service.folder)
    folder.mkdir(parents=True, exist_ok=True)
    packs = Packs(settings.rules, folder / "rules")
    database = await _database(settings, folder)
    try:
        await database.transact(rule_files.prepare)
        blobs = await _blobs(settings, folder)
    except BaseException:
        await database.close()
        raise
    queue = Queue(database, settings.service)
    shop = Shop(settings, database, queue, blobs, packs)
    shop.closing.append(blobs.close)
    if database.engine == "sqlite":  # whoever had leases before is gone
        await queue.restart()
    if crew:
        _hire(shop, worker_name(), _outbound(shop, role, base))
    shop.loops.append(Upkeep(shop))
    if role == "serve" and settings.service.watch:
        shop.loops.append(Watching(shop))
    return shop


def worker_name() -> str:
    """Give a name that no other running process of any machine has."""
    return f"{socket.gethostname()}:{os.getpid()}"


def _hire(shop: Shop, name: str, outbound: Outbound | None) -> None:
    workplace = Workplace(shop.settings)
    shop.closing.append(workplace.close)
    assemble = None if outbound is None else outbound.assemble
    shop.loops.append(Crew(shop, workplace, name, assemble))


def _outbound(shop: Shop, role: Role, base: Path | None) -> Outbound | None:
    """Open the targets and set delivery up; none where nothing may leave.

    A process that serves asks the targets; workers of other machines only plan and assemble, so
    that a model server's bound is kept by one process.

    Raises ConfigError where a target, a prompt or a schema is not there.
    """
    settings = shop.settings
    if not is_configured(settings):
        return None
    asking = Asking(settings, base)
    asking.check()
    outbound = Outbound(shop, asking)
    shop.plan = outbound.plan
    shop.closing.append(outbound.close)
    if role == "serve":
        targets = open_targets(settings)
        delivery = Delivery(shop.queue, targets, settings, outbound.compose, outbound.keep)
        delivery.hear = shop.observer.answered
        shop.delivery = delivery
        shop.loops.append(delivery)
        shop.closing += [target.close for target in targets.values()]
    return outbound


async def _database(settings: Settings, folder: Path) -> Database:
    address = settings.service.database
    if not address:
        return await open_sqlite(folder / "headworks.sqlite")
    from headworks.store.postgres import open_postgres  # needs asyncpg, which is an extra

    return await open_postgres(address)


async def _blobs(settings: Settings, folder: Path) -> Blobs:
    address = settings.service.files
    if not address:
        return FolderBlobs(folder)
    from headworks.store.remote import FsspecBlobs  # needs fsspec, which is an extra

    return await asyncio.to_thread(FsspecBlobs, address)
