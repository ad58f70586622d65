"""``headworks rules``: check, test, explain, fmt, stats, diff.

Takes packs by shipped name or file, prints what is found; exit 1 where a check or an example
fails. Never changes a pack.
"""

from pathlib import Path

import click
import msgspec

from headworks.cli import rulebook
from headworks.cli.language import language, say
from headworks.cli.output import complain, line, painted, raw
from headworks.cli.paths import FilePath
from headworks.cli.settings import settings_from
from headworks.cli.verbs import Verb, Verbs
from headworks.rules.printer import Language
from headworks.rules.telling import as_json as complaint_values
from headworks.service import boilerplate as indexing
from headworks.service import rulework
from headworks.service.inputs import find
from headworks.service.output import write_file

_FAILED = 1
_SOME, _NOTHING = 3, 4
_NOWHERE = Path("headworks-out")
_PATH = FilePath()

_TABLE = {
    "check": ("headworks.cli.rules:check", say("编译并检查规则包", "compile and lint packs")),
    "test": ("headworks.cli.rules:test", say("运行规则自带的样例", "run the rules' examples")),
    "explain": (
        "headworks.cli.rules:explain",
        say("逐片说明标签与去向的来由", "why each chunk got its tags and its route"),
    ),
    "fmt": (
        "headworks.cli.rules:fmt",
        say("把规则印成标准句子，供业务人员核对", "print the rules as canonical sentences"),
    ),
    "stats": (
        "headworks.cli.rules:stats",
        say("在一批文件上统计命中、重叠与冲突", "hit rate, overlap and conflicts over files"),
    ),
    "diff": (
        "headworks.cli.rules:diff",
        say("两版规则使哪些分片的标签或去向改变", "which chunks change tag or route"),
    ),
}

_TABLE["boilerplate"] = (
    "headworks.cli.rules:boilerplate",
    say("为“在其他文件中出现过”做索引", "index files for rules on what other files have too"),
)

rules = Verbs(
    _TABLE,
    name="rules",
    help=say(
        "规则包的工作：检查、测试、解释、打印、统计、比较。PACK 是自带的名字或 YAML 文件。",
        "Work on rule packs: check, test, explain, print, count, compare. PACK is a shipped name "
        "or a YAML file.",
    ),
)


@click.command(
    cls=Verb,
    help=say(
        "编译并检查规则包；有错误时退出码为 1。", "Compile and lint packs; exit 1 on an error."
    ),
)
@click.argument("packs", nargs=-1, required=True, metavar="PACK...")
@click.option("--json", "as_json", is_flag=True, help=say("输出 JSON", "print JSON"))
@click.option("--strict", is_flag=True, help=say("警告也算不通过", "a warning fails too"))
def check(packs: tuple[str, ...], as_json: bool, strict: bool) -> int:
    """Check packs."""
    found = {name: rulework.complaints(name) for name in packs}
    everything = [complaint for complaints in found.values() for complaint in complaints]
    if as_json:
        listed = [complaint_values(complaint, language()) for complaint in everything]
        raw(msgspec.json.format(msgspec.json.encode(listed), indent=1) + b"\n")
    else:
        for text in rulebook.complaints(found):
            line(text)
    return _FAILED if any(one.is_error or strict for one in everything) else 0


@click.command(
    cls=Verb,
    help=say(
        "运行规则自带的样例；有一个不符时退出码为 1。",
        "Run the examples that the rules carry; exit 1 where one fails.",
    ),
)
@click.argument("packs", nargs=-1, required=True, metavar="PACK...")
@click.option(
    "-v", "--verbose", is_flag=True, help=say("也列出相符的样例", "list the passing ones too")
)
def test(packs: tuple[str, ...], verbose: bool) -> int:
    """Run examples."""
    failed = 0
    for name in packs:
        results = rulework.example_results(name)
        failed += sum(not result.passed for result in results)
        for text in rulebook.examples(name, results, verbose):
            line(text)
    return _FAILED if failed else 0


@click.command(
    cls=Verb,
    help=say(
        "处理 FILE，说明每个分片的标签与去向从何而来；--rule 说明一条规则为何没有触发。",
        "Process FILE and tell why each chunk got its tags and its route; --rule tells why one "
        "rule did not fire.",
    ),
)
@click.argument("packs", nargs=-1, required=True, metavar="PACK... FILE")
@click.option(
    "--chunk", metavar="N|ID", help=say("只看这个分片：序号或分片号", "one chunk: its number or id")
)
@click.option("--rule", metavar="ID", help=say("只看这条规则", "one rule"))
@click.option("--all", "whole", is_flag=True, help=say("也列出未触发的规则", "unfired rules too"))
@click.option("--profile", metavar="NAME", help=say("结构档案", "numbering and zones to expect"))
def explain(
    packs: tuple[str, ...], chunk: str | None, rule: str | None, whole: bool, profile: str | None
) -> int:
    """Explain decisions."""
    *names, file = packs
    if not names:
        message = say("先写规则包，最后写文件", "name the packs first, the file last")
        raise click.UsageError(message, click.get_current_context())
    settings = settings_from({"structure.profile": profile})
    reader: Language = "en" if language() == "en" else "zh"
    found = rulework.explained(names, Path(file), settings, reader)
    shown = rulebook.explanations(found, chunk, rule, whole=whole or rule is not None)
    if not shown:
        message = say("没有这样的分片或规则", "no such chunk or rule")
        raise click.UsageError(message, click.get_current_context())
    for text in shown:
        line(text)
    return 0


@click.command(
    cls=Verb,
    help=say(
        "把规则印成标准句子：引号、括号、全部与任一都写明。",
        "Print the rules as canonical sentences, quotes and brackets written out.",
    ),
)
@click.argument("packs", nargs=-1, required=True, metavar="PACK...")
@click.option(
    "--language", "wanted", type=click.Choice(["zh", "en"]), help=say("语言", "the language")
)
def fmt(packs: tuple[str, ...], wanted: str | None) -> int:
    """Print rules."""
    for name in packs:
        for rule in rulework.printed(name, "en" if (wanted or language()) == "en" else "zh"):
            title = f"  {rule.title}" if rule.title else ""
            line(painted(rule.id, "bold") + painted(title, "dim"))
            line(f"  {rule.sentence}")
    return 0


@click.command(
    cls=Verb,
    help=say(
        "在文件上统计每条规则的命中率；低于 5%、高于 50% 的会指出；并列出重叠与冲突。",
        "Count each rule's hits over files; under 5 % and over 50 % are pointed out; overlaps and "
        "conflicts are listed.",
    ),
)
@click.argument("packs", nargs=1, metavar="PACK[,PACK...]")
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
def stats(packs: str, paths: tuple[Path, ...]) -> int:
    """Count hits."""
    inputs = find(paths, _NOWHERE)
    found = rulework.statistics(packs.split(","), inputs, settings_from({}))
    for text in rulebook.statistics(found):
        line(text)
    return _done(len(inputs), len(found.failed))


@click.command(
    cls=Verb,
    help=say(
        "比较两版规则：在这些文件上，哪些分片的标签或去向会改变。",
        "Compare two packs: which chunks of these files change tag or route.",
    ),
)
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
def diff(old: str, new: str, paths: tuple[Path, ...]) -> int:
    """Compare packs."""
    inputs = find(paths, _NOWHERE)
    found, failed = rulework.changes(old.split(","), new.split(","), inputs, settings_from({}))
    for text in rulebook.differences(found, failed):
        line(text)
    return _done(len(inputs), len(failed))


@click.command(
    cls=Verb,
    help=say(
        "读一批文件，把每一行的散列写成索引，供规则“在其他文件中出现过”使用；索引里没有原文。",
        "Read files and write an index of their lines' hashes, for rules on what other files have "
        "too; no text is kept.",
    ),
)
@click.argument("paths", nargs=-1, required=True, type=_PATH, metavar="PATH...")
@click.option(
    "-o", "--out", required=True, type=click.Path(path_type=Path), metavar="FILE",
    help=say("索引文件，规则包用 corpus 写它的名字", "the index; a pack names it as its corpus"),
)  # fmt: skip
@click.option("--profile", metavar="NAME", help=say("结构档案", "numbering and zones to expect"))
def boilerplate(paths: tuple[Path, ...], out: Path, profile: str | None) -> int:
    """Index files."""
    inputs = tuple(
        entry for entry in find(paths, _NOWHERE) if entry.path.resolve() != out.resolve()
    )
    found = indexing.index_of(inputs, settings_from({"structure.profile": profile}))
    if found.documents:
        write_file(out, found.content)
        line(rulebook.indexed(found, out))
    for text in found.failed:
        line(painted(text, "yellow"))
    return _done(len(inputs), len(found.failed))


def _done(inputs: int, failed: int) -> int:
    """Give the exit code over files: 0 all done, 3 some could not be processed, 4 none could."""
    if not inputs:
        complain(say("没有找到可处理的文件", "no file to process was found"))
    if failed >= inputs:
        return _NOTHING
    return _SOME if failed else 0
