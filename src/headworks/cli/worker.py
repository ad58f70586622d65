"""``headworks worker``: one more worker on the shared queue, on this or another machine.

Takes settings that name a PostgreSQL and an S3 store, works until it is told to end. Never answers
requests.
"""

import asyncio
import signal
from pathlib import Path

import click

from headworks.cli.extras import needed
from headworks.cli.language import say
from headworks.cli.output import line
from headworks.cli.settings import settings_from
from headworks.cli.verbs import Verb
from headworks.config import Settings
from headworks.errors import ConfigError


@click.command(
    cls=Verb,
    help=say(
        "在本机或另一台机器上加一个工作者，与其他工作者共用队列。设置文件的 [service] 要写明 "
        "database（PostgreSQL 地址）和 files（如 s3://桶）。Ctrl-C 或 SIGTERM 后做完手头的再退出；"
        "机器突然失联时，它的工作一分钟内由别人接手。",
        "One more worker, on this or another machine, on the shared queue. [service] must name "
        "database (a PostgreSQL address) and files (such as s3://bucket). Ctrl-C or SIGTERM ends "
        "it when what is under way is done; a machine that is lost gives its work back within a "
        "minute.",
    ),
)
@click.option(
    "--workers",
    type=click.IntRange(0),
    metavar="N",
    help=say("工作进程数，默认 0（按核数）", "workers (0: by cores)"),
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help=say("设置文件，默认 ./headworks.toml（若有）", "settings (./headworks.toml, if any)"),
)
def worker(workers: int | None, config: Path | None) -> int:
    """Work until told to end."""
    settings = settings_from({"service.workers": workers}, config)
    if not settings.service.database:
        message = (
            "a worker of its own needs [service] database (PostgreSQL) and files; "
            "with the embedded store the workers are part of headworks serve"
        )
        raise ConfigError("E_CONFIG", message)
    needed("scale", "asyncpg", "fsspec", "prometheus_client", "openai", "jinja2")
    asyncio.run(_work(settings, None if config is None else config.parent))
    return 0


async def _work(settings: Settings, base: Path | None) -> None:
    from headworks.service.headquarters import open_shop, worker_name  # its libraries are an extra
    from headworks.service.observe import log_to_standard_error

    log_to_standard_error()
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    shop = await open_shop(settings, "worker", base=base)
    try:
        await shop.start()
        line(say(f"工作者 {worker_name()} 已就绪", f"worker {worker_name()} is ready"))
        await ending.wait()
        await shop.drain()
    finally:
        await shop.close()
