"""``headworks``: the table of verbs, and the one place where faults become messages and exit codes.

Takes the process's arguments, gives its exit code. Never lets a traceback reach a user for a fault
that has a code.
"""

import os
import sys
import traceback
from pathlib import Path

import click

from headworks import __version__
from headworks.cli import early
from headworks.cli.language import language, say
from headworks.cli.misuse import sentences
from headworks.cli.output import complain, prepare_streams
from headworks.cli.verbs import Verbs
from headworks.errors import FaultError, HeadworksError, StorageError

INTERRUPTED = 130
USAGE = 2

VERBS = {
    "run": (
        "headworks.cli.run:run",
        say(
            "处理文件或文件夹：读取、还原结构、分片、执行规则、决定去向",
            "process files or folders: read, outline, chunk, apply rules, decide routes",
        ),
    ),
    "outline": (
        "headworks.cli.outline:outline",
        say("显示一个文件的分区、大纲和引用", "show the zones, headings and references of a file"),
    ),
    "explain": (
        "headworks.cli.explain:explain",
        say(
            "解释一个错误代码，或一个分片为何去向某条管线",
            "explain an error code, or why a chunk got its route",
        ),
    ),
    "restore": (
        "headworks.cli.restore:restore",
        say(
            "把模型回答中的脱敏记号换回原文",
            "put the originals back in place of a text's tokens",
        ),
    ),
    "rules": (
        "headworks.cli.rules:rules",
        say("检查、测试、解释、改写规则包", "check, test, explain and format rule packs"),
    ),
    "serve": (
        "headworks.cli.serve:serve",
        say(
            "启动服务：接口、队列、工作进程，一个进程树，自带存储",
            "REST API, queue and workers: one process tree, embedded storage",
        ),
    ),
    "worker": (
        "headworks.cli.worker:worker",
        say(
            "在本机或另一台机器上加一个工作者，共用队列",
            "one more worker, on this or another machine, on the shared queue",
        ),
    ),
    "keys": (
        "headworks.cli.keys:keys",
        say("服务的 API 密钥：生成、列出、收回", "the service's API keys: add, list, remove"),
    ),
    "schema": (
        "headworks.cli.schema:schema",
        say("输出结果文件的 JSON Schema", "print the JSON Schema of a result file"),
    ),
    "doctor": (
        "headworks.cli.doctor:doctor",
        say(
            "查看装了什么、缺什么、缺了影响什么",
            "what is installed, what is missing, what it means",
        ),
    ),
    "bench": (
        "headworks.cli.bench:bench",
        say("运行项目自带的基准测试", "run the project's own benchmark"),
    ),
}

_EPILOG = say(
    "示例：\n"
    "  headworks run 合同.docx --rules contract\n"
    "  headworks run 资料/ --rules contract --rules finance --out 结果\n"
    "  headworks outline 合同.pdf\n"
    "退出码：0 完成；1 检查未通过；2 用法错误；3 部分文件未能处理；4 全部未能处理",
    "Examples:\n"
    "  headworks run contract.docx --rules contract\n"
    "  headworks run documents/ --rules contract --rules finance --out results\n"
    "  headworks outline contract.pdf\n"
    "Exit codes: 0 done; 1 a check failed; 2 wrong usage; 3 some inputs failed; 4 all failed",
)

main = Verbs(
    VERBS,
    name="headworks",
    help=say(
        "渠首：办公文档与大模型之间的本地闸口。完整读取文件，还原编号与结构，切成不打断条款和表格的分片，"
        "按规则标记和分流，处处可追溯到原页原位。",
        "The local gateway between office documents and language models: reads files whole, "
        "rebuilds their structure, cuts chunks that never break a clause or a table, tags and "
        "routes them by rules, and leads everything back to its page and place.",
    ),
    epilog=_EPILOG,
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=lambda ctx, _, asked: _show_version(ctx) if asked else None,
            help=say("显示版本", "show the version"),
        )
    ],
)


def run() -> None:
    """Run the command line and end the process."""
    prepare_streams()
    sys.exit(answer(sys.argv[1:]))


def answer(arguments: list[str]) -> int:
    """Run the command line in this process, give its exit code."""
    try:
        if arguments[:1] == ["run"]:
            early.start(arguments[1:])
        code = main.main(arguments, prog_name="headworks", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        complain(help_wanted.format_message())
        return USAGE
    except click.ClickException as misuse:
        complain(sentences(misuse))
        return USAGE
    except HeadworksError as fault:
        complain(fault.sentence(language()))
        return fault.entry.exit
    except (KeyboardInterrupt, click.Abort):
        complain(say("已中断；已完成的文件保留。", "interrupted; what was done is kept"))
        return INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Whoever read has seen enough (click ends with SystemExit then, and else never here);
        # what is still buffered must not fail at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as fault:
        own = StorageError("E_IO", fault.strerror or str(fault), place=_named(fault))
        complain(own.sentence(language()))
        return own.entry.exit
    except Exception as fault:
        return _own_fault(fault)
    finally:
        early.drop()


def _named(fault: OSError) -> str:
    name = fault.filename
    return os.fsdecode(name) if isinstance(name, str | bytes) else ""


def _own_fault(fault: Exception) -> int:
    """Tell a fault of headworks itself in one sentence; where, with HEADWORKS_DEBUG."""
    place = traceback.extract_tb(fault.__traceback__)[-1]
    message = f"{type(fault).__name__} at {Path(place.filename).name}:{place.lineno}"
    own = FaultError("E_FAULT", message)
    complain(own.sentence(language()))
    if "HEADWORKS_DEBUG" in os.environ:
        complain("".join(traceback.format_exception(fault)))
    return own.entry.exit


def _show_version(ctx: click.Context) -> None:
    click.echo(f"headworks {__version__}")
    ctx.exit()
