"""``headworks keys``: add, list and remove the API keys of a data folder.

Takes names and roles, prints a new key once. Never shows a key again: only its hash is kept.
"""

from pathlib import Path

import click

from headworks.cli.language import say
from headworks.cli.output import fit, line
from headworks.cli.settings import settings_from
from headworks.cli.verbs import Verb, Verbs
from headworks.web.access import RANKS, Key, Keys

_TABLE = {
    "add": ("headworks.cli.keys:add", say("生成一个密钥，只显示这一次", "make a key, shown once")),
    "list": ("headworks.cli.keys:list_keys", say("列出密钥的名字与权限", "list names and roles")),
    "remove": ("headworks.cli.keys:remove", say("收回一个密钥", "take a key away")),
}
_PRIORITIES = ("interactive", "nearline", "offline")

keys = Verbs(
    _TABLE,
    name="keys",
    help=say(
        "服务的 API 密钥：只保存散列值；服务在下一个请求起生效，不需重启。",
        "API keys of the service: only hashes are kept; a change holds from the next request on.",
    ),
)

_data = click.option(
    "--data",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help=say(
        "服务的数据文件夹，默认 ./headworks-data",
        "the service's data folder (./headworks-data)",
    ),
)


@click.command(cls=Verb, help=say("生成一个密钥。", "Make a key."))
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(list(RANKS)),
    default="submit",
    metavar="read|submit|admin",
    help=say("读取、提交（默认）、管理", "read, submit (default) or admin"),
)
@click.option(
    "--client", default="", metavar="NAME", help=say("默认归属的客户", "whose documents it sends")
)
@click.option(
    "--only",
    multiple=True,
    metavar="CLIENT",
    help=say("只能看到和提交这些客户的文档", "it sees and sends for these clients alone"),
)
@click.option(
    "--highest",
    type=click.Choice(_PRIORITIES),
    default="interactive",
    metavar="|".join(_PRIORITIES),
    help=say("可用的最高优先级", "the most urgent priority it may ask for"),
)
@click.option(
    "--rate", type=click.IntRange(1), metavar="N", help=say("每分钟请求数", "requests a minute")
)
@_data
def add(  # noqa: PLR0913, PLR0917 -- click hands each option over
    name: str,
    role: str,
    client: str,
    only: tuple[str, ...],
    highest: str,
    rate: int | None,
    data: Path | None,
) -> int:
    """Make a key and print it."""
    kept = only if not client or not only or client in only else (client, *only)
    key = Key(
        name=name,
        digest="",
        role=role,  # type: ignore[arg-type]
        client=client or (only[0] if only else ""),
        clients=kept,
        highest=highest,  # type: ignore[arg-type]
        rate_per_minute=rate,
    )
    line(_keys(data).add(key))
    return 0


@click.command(cls=Verb, name="list", help=say("列出密钥。", "List the keys."))
@_data
def list_keys(data: Path | None) -> int:
    """Print the keys' names, roles and clients."""
    for key in _keys(data).all:
        clients = ", ".join(key.clients) or say("所有客户", "every client")
        line(f"{fit(key.name, 20)} {fit(key.role, 8)} {fit(key.highest, 12)} {clients}")
    return 0


@click.command(cls=Verb, help=say("收回一个密钥。", "Take a key away."))
@click.argument("name")
@_data
def remove(name: str, data: Path | None) -> int:
    """Remove a key."""
    kept = _keys(data)
    kept.remove(name)
    if not kept.all:
        line(
            say(
                "没有密钥了：服务只答本机", "no key is left: the service answers this machine alone"
            )
        )
    return 0


def _keys(data: Path | None) -> Keys:
    settings = settings_from({})
    return Keys(data or Path(settings.service.folder))
