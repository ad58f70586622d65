"""``headworks bench``: the project's own benchmark.

Takes its arguments along, gives its exit code. Never part of an installed package: where the
repository is not at hand it says where to find it.
"""

import subprocess
import sys
from importlib.util import find_spec

import click

from headworks.cli.language import say
from headworks.cli.output import complain
from headworks.cli.verbs import Verb

_MODULE = "benchmarks.pipeline"
_ABSENT = 2


@click.command(cls=Verb, context_settings={"ignore_unknown_options": True}, help=say(
    "运行项目自带的基准测试（需要在源码目录中）；与已安装的同类工具对比。",
    "Run the project's own benchmark, in a checkout of the repository, beside the peers installed.",
))  # fmt: skip
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bench(arguments: tuple[str, ...]) -> int:
    """Run the benchmark of the repository in the current folder."""
    sys.path.insert(0, "")
    try:
        present = find_spec(_MODULE) is not None
    except ModuleNotFoundError:
        present = False
    if not present:
        complain(
            say(
                "基准测试不在安装包里：请在 headworks 源码目录中运行 make bench",
                "the benchmark is not in the installed package: run make bench in a checkout",
            )
        )
        return _ABSENT
    return subprocess.run([sys.executable, "-m", _MODULE, *arguments], check=False).returncode
