"""``headworks serve``: the service in one process tree.

Takes flags over the settings, serves until it is told to end. Never prints a log on standard
output: the address alone stands there.
"""

from pathlib import Path

import click

from headworks.cli.extras import needed
from headworks.cli.language import say
from headworks.cli.output import line
from headworks.cli.settings import settings_from
from headworks.cli.verbs import Verb


@click.command(
    cls=Verb,
    help=say(
        "启动服务：REST 接口、队列、工作进程，一个进程树，自带 SQLite 存储，旁边不需要任何东西。"
        "只在本机监听；要对外监听先用 headworks keys add 生成密钥。"
        "Ctrl-C 或 SIGTERM 后做完手头的再退出。",
        "Serve the REST API with queue and workers in one process tree, on its own SQLite store. "
        "It listens on this machine alone; make a key with headworks keys add to listen beyond it. "
        "Ctrl-C or SIGTERM ends it when what is under way is done.",
    ),
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help=say("监听地址，默认 127.0.0.1", "address to listen on (127.0.0.1)"),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=say("端口，默认 8750（0 任选）", "port (8750; 0: any)"),
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help=say("数据文件夹，默认 ./headworks-data", "data folder (./headworks-data)"),
)
@click.option(
    "--workers",
    type=click.IntRange(0),
    metavar="N",
    help=say("工作进程数，默认 0（按核数）", "workers (0: by cores)"),
)
@click.option(
    "--watch",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help=say("收取放进这个文件夹的文件", "take in what is put into this folder"),
)
@click.option(
    "--rules",
    multiple=True,
    metavar="PACK",
    help=say(
        "上传没有指名规则包时用的包，可重复",
        "a rule pack for uploads that name none; repeatable",
    ),
)
@click.option(
    "--config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help=say("设置文件，默认 ./headworks.toml（若有）", "settings (./headworks.toml, if any)"),
)
def serve(  # noqa: PLR0913, PLR0917 -- click hands each option over
    host: str | None,
    port: int | None,
    data: Path | None,
    workers: int | None,
    watch: Path | None,
    rules: tuple[str, ...],
    config: Path | None,
) -> int:
    """Serve until told to end."""
    needed("service", "litestar", "uvicorn", "prometheus_client", "openai", "jinja2")
    from headworks.web import server  # its libraries are an extra

    flags = {
        "service.host": host,
        "service.port": port,
        "service.folder": None if data is None else str(data),
        "service.workers": workers,
        "service.watch": None if watch is None else str(watch),
        "rules.packs": rules,
    }
    settings = settings_from(flags, config)
    base = None if config is None else config.parent
    server.serve(
        settings, lambda address: line(say(f"渠首：{address}", f"headworks: {address}")), base
    )
    return 0
