"""What is wrong with a call, in the user's language.

Takes click's exceptions, gives sentences with the nearest known word. Never decides an exit code.
"""

import difflib
import re

import click

from headworks.cli.language import language, say

# What click says of a value.
_SAID = (
    (r"'?(.*?)'? is not one of (.+)\.", r"没有“\1”，可用的有 \2"),
    (r"(.+) is not in the range x>=(.+)\.", r"\1 太小，至少为 \2"),
    (r"(.+) is not in the range (.+)<=x<=(.+)\.", r"\1 不在 \2 至 \3 之间"),
    (r"(.+) is not in the range x>(.+)\.", r"\1 太小，要大于 \2"),
    (r"'(.*)' is not a valid integer.*", r"“\1”不是整数"),
    (r"'(.*)' is not a valid float.*", r"“\1”不是数"),
    (r"File '(.*)' does not exist\.", r"没有文件“\1”"),
    (r"File '(.*)' is a directory\.", r"“\1”是一个文件夹"),
    (r".* '(.*)' is not readable\.", r"没有权限读取“\1”"),
)


def sentences(misuse: click.ClickException) -> str:
    """Give what was wrong and where help is."""
    ctx = misuse.ctx if isinstance(misuse, click.UsageError) else None
    path = ctx.command_path if ctx is not None else "headworks"
    said = _in_english(misuse) if language() == "en" else _in_chinese(misuse)
    hint = say(f"用法见 {path} --help", f"see {path} --help")
    return f"{say('用法错误：', 'wrong usage: ')}{said}\n{hint}"


def _in_english(misuse: click.ClickException) -> str:
    if isinstance(misuse, click.NoSuchOption):
        near = _near_options(misuse)
        return f"no option {misuse.option_name}" + (f", did you mean {near[0]}?" if near else "")
    said = misuse.format_message()
    near = _near_commands(misuse)
    return f"{said} Did you mean {near[0]!r}?" if near else said


def _near_commands(misuse: click.ClickException) -> list[str]:
    name, ctx = getattr(misuse, "command_name", None), getattr(misuse, "ctx", None)
    if name is None or ctx is None or not isinstance(ctx.command, click.Group):
        return []
    return difflib.get_close_matches(name, ctx.command.list_commands(ctx))


def _near_options(misuse: click.NoSuchOption) -> list[str]:
    """Give the nearest option; the dashes that all of them have make none near."""
    known = {name.lstrip("-"): name for name in misuse.possibilities or ()}
    wanted = misuse.option_name.lstrip("-")
    return [known[name] for name in difflib.get_close_matches(wanted, known, n=1)]


def _in_chinese(misuse: click.ClickException) -> str:
    if isinstance(misuse, click.NoSuchOption):
        return f"没有选项 {misuse.option_name}" + _nearest(_near_options(misuse))
    name = getattr(misuse, "command_name", None)  # click 8.4 and later
    if name is not None:
        return f"没有命令 {name}" + _nearest(_near_commands(misuse))
    if isinstance(misuse, click.MissingParameter):
        wanted = misuse.param
        shown = wanted.make_metavar(misuse.ctx) if wanted and misuse.ctx else ""
        return f"缺少 {shown}".rstrip()
    if isinstance(misuse, click.BadParameter):
        return f"{_parameter(misuse)}的值不对：{_message(misuse.message)}"
    return misuse.format_message()


def _message(said: str) -> str:
    for shape, told in _SAID:
        match = re.fullmatch(shape, said)
        if match is not None:
            return match.expand(told).replace("'", "")
    return said


def _parameter(misuse: click.BadParameter) -> str:
    wanted = misuse.param
    if wanted is None:
        return "参数"
    return (
        f"{wanted.opts[0]} "
        if isinstance(wanted, click.Option)
        else f"{(wanted.name or '').upper()} "
    )


def _nearest(known: list[str] | None) -> str:
    return f"，是不是 {known[0]}？" if known else ""
