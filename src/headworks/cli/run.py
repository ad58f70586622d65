"""``headworks run``: files and folders in, folders of results out.

Takes PATHs and options, gives an exit code. Never stops at one broken file.
"""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from headworks.assembly.formats import FORMATS
from headworks.cli import early
from headworks.cli.language import language, say
from headworks.cli.output import Progress, complain, line, painted, raw
from headworks.cli.paths import FilePath
from headworks.cli.settings import settings_from
from headworks.cli.shown import failure, refused, results
from headworks.cli.verbs import Verb
from headworks.errors import ConfigError, StorageError
from headworks.service import ask, vaults
from headworks.service.inputs import find
from headworks.service.one import Done, Failed, Result, RunOptions
from headworks.service.run import RunResult
from headworks.service.run import run as run_all

_OUT = Path("headworks-out")
_NOTHING = 4

_PATH = FilePath()
_WHOLE = click.IntRange(min=0)


def _cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@click.command(cls=Verb, help=say(
    "处理文件或文件夹，把结果写进 OUT/<文件名>/：document.json、text.txt、chunks.jsonl、"
    "ledger.jsonl、report.html，以及汇总 OUT/summary.json。一个文件出错不影响其余文件。",
    "Process files or folders and write the results to OUT/<file name>/: document.json, text.txt, "
    "chunks.jsonl, ledger.jsonl, report.html, and OUT/summary.json over all. One broken file does "
    "not stop the others.",
))  # fmt: skip
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
@click.option(
    "--out",
    type=_PATH,
    default=_OUT,
    metavar="DIR",
    help=say("结果文件夹，默认 ./headworks-out", "results go here (./headworks-out)"),
)
@click.option(
    "--rules",
    "packs",
    multiple=True,
    metavar="PACK",
    help=say(
        "规则包：自带的名字（contract、finance…）或 YAML 文件；可重复",
        "a rule pack: a shipped name (contract, finance ...) or a YAML file; repeatable",
    ),
)
@click.option(
    "--max-chars",
    type=click.IntRange(min=1),
    metavar="N",
    help=say("分片字符上限，默认 800", "ceiling of a chunk, in characters (800)"),
)
@click.option(
    "--min-chars",
    type=_WHOLE,
    metavar="N",
    help=say("小于它的相邻分片合并，默认 80", "smaller neighbours are joined (80)"),
)
@click.option(
    "--overlap",
    type=_WHOLE,
    metavar="N",
    help=say("相邻分片重叠的字符数，整句计，默认 0", "overlap, in whole sentences (0)"),
)
@click.option(
    "--tokens",
    metavar="NAME",
    help=say("用这个分词器计数，默认估算", "count tokens with this tokenizer (an estimate)"),
)
@click.option(
    "--profile",
    metavar="NAME",
    help=say(
        "结构档案：legal（默认）、manual、table、general、official、standard、auto",
        "numbering and zones: legal (default), manual, table, general, official, standard, auto",
    ),
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help=say("进程数，默认与核数相同", "processes (the number of cores)"),
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([*FORMATS, "html"]),
    metavar="NAME",
    help=say(
        "另输出分片：jsonl、md、html、langchain、llamaindex",
        "also print the chunks as jsonl, md, html, langchain or llamaindex",
    ),
)
@click.option(
    "-o",
    "output",
    metavar="FILE",
    help=say(
        "--format 写到这里；- 为标准输出（默认）", "where --format goes; - is standard output"
    ),
)
@click.option(
    "--vault",
    type=_PATH,
    metavar="DIR",
    help=say(
        "把脱敏的原文加密存在这里，供 restore 换回；密钥在 HEADWORKS_VAULT_KEY",
        "keep redacted originals here, encrypted, for restore (HEADWORKS_VAULT_KEY)",
    ),
)
@click.option(
    "--password", metavar="TEXT", help=say("加密文件的密码", "password of encrypted files")
)
@click.option(
    "--salvage",
    is_flag=True,
    help=say("文件损坏时保留能读出的部分", "keep what can be read of a broken file"),
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help=say("每个文件的读取时限，默认 300 秒", "time bound of reading one file (300)"),
)
@click.option(
    "--reproducible",
    is_flag=True,
    help=say(
        "document.json 不写耗时，两次运行的字节相同",
        "keep timings out of document.json: equal runs give equal bytes",
    ),
)
@click.option("--no-report", is_flag=True, help=say("不写 report.html", "write no report.html"))
@click.option(
    "--report-pages",
    type=_WHOLE,
    default=20,
    metavar="N",
    help=say("报告中附前 N 页的图片，默认 20", "pictures of the first N pages (20)"),
)
@click.option(
    "--config",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help=say("设置文件，默认 ./headworks.toml（若有）", "settings (./headworks.toml, if any)"),
)
@click.option(
    "--deliver",
    is_flag=True,
    help=say(
        "把分片发给 headworks.toml 里配置的目标，汇成答案：answer.md、trace.html…",
        "send chunks to the targets of headworks.toml and assemble answers (answer.md, trace.html)",
    ),
)
@click.option(
    "--restored",
    is_flag=True,
    help=say(
        "另写换回原文的答案（需要 --vault 及其密钥）",
        "also write answers with originals put back (needs --vault and its key)",
    ),
)
@click.option("-q", "--quiet", is_flag=True, help=say("不显示分片表", "show no table"))  # fmt: skip
def run(**options: Any) -> int:
    """Process files or folders."""
    settings = settings_from(
        {
            "rules.packs": options["packs"],
            "chunk.max_chars": options["max_chars"],
            "chunk.min_chars": options["min_chars"],
            "chunk.overlap": options["overlap"],
            "chunk.tokens": options["tokens"],
            "structure.profile": options["profile"],
            "read.password": options["password"],
            "read.salvage": options["salvage"],
            "read.timeout_seconds": options["timeout"],
        },
        options["config"],
    )
    if options["vault"] is not None:
        settings = vaults.prepared(settings, options["vault"])
    chosen = RunOptions(
        out=options["out"],
        settings=settings,
        jobs=options["jobs"] or _cores(),
        reproducible=options["reproducible"],
        report=not options["no_report"],
        report_pages=options["report_pages"],
        vault=options["vault"],
        deliver=options["deliver"],
    )
    _check_delivery(options)
    inputs = find(options["paths"], chosen.out)
    _check_format(options, len(inputs))
    if not inputs:
        complain(say("没有找到可处理的文件", "no file to process was found"))
        return _NOTHING
    progress = Progress(len(inputs))
    try:
        result = run_all(inputs, chosen, lambda one: progress.step(_name(one)), early.take())
    except StorageError as fault:
        progress.clear()
        complain(fault.sentence(language()))
        return _NOTHING if fault.place == str(chosen.out) else fault.entry.exit
    finally:
        progress.clear()
    code = _tell(result, chosen, options)
    return max(code, _deliver(result, chosen, options)) if options["deliver"] else code


def _deliver(result: RunResult, chosen: RunOptions, options: dict[str, Any]) -> int:
    """Deliver what was made; the parts of it are loaded for the runs that want it."""
    config = options["config"] or Path("headworks.toml")
    delivered = import_module("headworks.cli.deliver").delivered
    printing = options["format_"] is not None and options["output"] in (None, "-")
    quiet = options["quiet"] or printing
    code: int = delivered(result, chosen, config, restored=options["restored"], quiet=quiet)
    return code


def _check_delivery(options: dict[str, Any]) -> None:
    if options["restored"] and (options["vault"] is None or not options["deliver"]):
        message = say(
            "--restored 要与 --deliver 和 --vault 一起用",
            "--restored goes with --deliver and --vault",
        )
        raise ConfigError("E_CONFIG", message)


def _check_format(options: dict[str, Any], inputs: int) -> None:
    if options["output"] is not None and options["format_"] is None:
        options["format_"] = "jsonl"
    if options["format_"] == "html" and (options["no_report"] or inputs > 1):
        message = say(
            "--format html 只用于一个文件，且不能与 --no-report 同时使用",
            "--format html is for one file, and not together with --no-report",
        )
        raise ConfigError("E_CONFIG", message)


def _name(result: Result) -> str:
    return result.record.path


def _tell(result: RunResult, chosen: RunOptions, options: dict[str, Any]) -> int:
    """Print the failures, the format asked for, the table; give the exit code."""
    for one in result.results:
        if isinstance(one, Failed):
            complain(painted(failure(one), "red"))
            if one.detail and "HEADWORKS_DEBUG" in os.environ:
                complain(one.detail)
    printing = False
    if options["format_"] is not None:
        printing = _print_format(result, chosen.out, options["format_"], options["output"] or "-")
    if not options["quiet"] and not printing:
        for text in results(result, chosen.out):
            line(text)
    if result.summary.failed:
        complain(refused(result.summary.failed, len(result.results)))
    return result.exit_code


def _print_format(result: RunResult, out: Path, name: str, target: str) -> bool:
    """Print or write the chunks in a format; tell whether standard output was used."""
    folders = [one.record.folder for one in result.results if isinstance(one, Done)]
    content = ask.formatted(out, folders, name)
    if target == "-":
        raw(content)
        return True
    ask.write(Path(target), content)
    return False
