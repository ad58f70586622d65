"""``headworks restore``: a text with tokens, such as a model's answer, gets its originals back.

Takes a text file and a vault, prints the restored text. Never prints an original anywhere but in
that text; what is odd about its tokens goes to standard error.
"""

import sys
from pathlib import Path

import click

from headworks.cli.language import say
from headworks.cli.output import complain, painted, raw
from headworks.cli.paths import FilePath
from headworks.cli.verbs import Verb
from headworks.errors import InputError, StorageError
from headworks.privacy.tokens import Restored
from headworks.service import ask, vaults

_ODD = 1


@click.command(
    cls=Verb,
    help=say(
        "把文本（如模型的回答）中的脱敏记号换回原文，输出到标准输出。"
        "记录由 headworks run --vault 写入，密钥取自 HEADWORKS_VAULT_KEY 或它的文件。"
        "不认识的和重复的记号会报告；"
        "有不认识的记号时退出码为 1。",
        "Put the originals back in place of the tokens of a text, such as a model's answer, and "
        "print it. The record was kept by headworks run --vault; the key comes from "
        "HEADWORKS_VAULT_KEY or HEADWORKS_VAULT_KEY_FILE. Unknown and repeated tokens are told; "
        "with unknown ones the exit code is 1.",
    ),
)
@click.argument("file", type=FilePath(), metavar="FILE|-")
@click.option(
    "--vault",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help=say("保险箱文件夹", "the folder of the vault"),
)
@click.option(
    "--document",
    metavar="NAME|ID",
    help=say(
        "文档的文件名，或文档号的开头；保险箱里有多份文档时要写",
        "the document's file name or the beginning of its id, where the vault holds several",
    ),
)
@click.option(
    "-o",
    "output",
    type=FilePath(),
    metavar="FILE",
    help=say("写到这里，不写到标准输出", "write here and not to standard output"),
)
def restore(file: Path, folder: Path, document: str | None, output: Path | None) -> int:
    """Restore a text."""
    found = vaults.restored(_text(file), folder, document)
    content = found.text.encode("utf-8", "surrogatepass")
    if output is None:
        raw(content)
    else:
        ask.write(output, content)
    for told in _oddities(found):
        complain(painted(told, "yellow"))
    return _ODD if found.unknown or found.ambiguous else 0


def _text(file: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "", place=str(file)) from fault
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise InputError("E_TYPE", "not UTF-8", place=str(file)) from fault


def _oddities(found: Restored) -> list[str]:
    told = (
        (found.unknown, say("不认识的记号：", "unknown tokens: ")),
        (found.ambiguous, say("对应多个原文、未换回的记号：", "stand for several values: ")),
        (found.repeated, say("比原文中多的记号：", "more often than in the document: ")),
    )
    return [said + ", ".join(tokens) for tokens, said in told if tokens]
