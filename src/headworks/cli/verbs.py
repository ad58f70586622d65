"""Click's commands with help in Chinese and English; a verb is imported when it is asked for.

Takes tables of verbs, gives click commands. Never imports a verb's module to list it.
"""

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from headworks.cli.language import say
from headworks.cli.output import columns, width, wrap


class Verb(click.Command):
    """A command whose help is told in the user's language."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        settings.setdefault("options_metavar", say("[选项]", "[OPTIONS]"))
        super().__init__(*arguments, **settings)

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Give ``--help`` with its own help translated."""
        return _translated_help(super().get_help_option(ctx))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write usage, what the verb does, and its options."""
        _head(self, ctx, formatter)
        _entries(formatter, say("选项：", "Options:"), _options(self, ctx))


class Verbs(click.Group):
    """A group whose verbs are named in a table: name to place and one line of help."""

    def __init__(self, table: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        settings.setdefault("options_metavar", "")
        settings.setdefault("subcommand_metavar", say("命令 [参数]…", "COMMAND [ARGS]..."))
        super().__init__(**settings)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the verbs in the table's order."""
        return list(self._table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb's module and give the verb."""
        if cmd_name not in self._table:
            return None
        module, _, name = self._table[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Give ``--help`` with its own help translated."""
        return _translated_help(super().get_help_option(ctx))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write usage, what the program does, and the verbs."""
        _head(self, ctx, formatter)
        verbs = [(name, entry[1]) for name, entry in self._table.items()]
        _entries(formatter, say("命令：", "Commands:"), verbs)
        _entries(formatter, say("选项：", "Options:"), _options(self, ctx))
        if self.epilog:
            formatter.write("\n" + self.epilog + "\n")


def _head(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    pieces = " ".join(piece for piece in command.collect_usage_pieces(ctx) if piece)
    formatter.write(f"{say('用法：', 'Usage: ')}{ctx.command_path} {pieces}\n")
    for paragraph in (command.help or "").split("\n\n"):
        formatter.write("\n")
        for text in wrap(paragraph, min(columns(), 100) - 2):
            formatter.write(f"  {text}\n")


def _options(command: click.Command, ctx: click.Context) -> list[tuple[str, str]]:
    records = (param.get_help_record(ctx) for param in command.get_params(ctx))
    return [(name, _translated_notes(told)) for name, told in filter(None, records) if told]


def _translated_notes(told: str) -> str:
    """Give what click adds in brackets in the user's language."""
    told = re.sub(r"  \[required\]$", say("  [必填]", "  [required]"), told)
    return re.sub(r"\[(\w+)(<=?)x\2(\w+)\]$|\[x(>=?)([\w.]+)\]$", _range, told)


def _range(match: re.Match[str]) -> str:
    low, _, high, sign, bound = match.groups()
    if low is not None:
        return say(f"[{low} 至 {high}]", f"[{low} to {high}]")
    if sign == ">":
        return say(f"[大于 {bound}]", f"[over {bound}]")
    return say(f"[至少 {bound}]", f"[at least {bound}]")


def _entries(formatter: click.HelpFormatter, title: str, entries: list[tuple[str, str]]) -> None:
    if not entries:
        return
    formatter.write(f"\n{title}\n")
    left = min(30, max(width(name) for name, _ in entries) + 2)
    room = max(20, min(columns(), 100) - left - 2)
    for name, told in entries:
        lines = wrap(told, room) or [""]
        if width(name) > left - 2:
            formatter.write(f"  {name}\n")
        else:
            formatter.write(f"  {name}{' ' * (left - width(name))}{lines.pop(0)}\n")
        for text in lines:
            formatter.write(" " * (left + 2) + text + "\n")


def _translated_help(option: click.Option | None) -> click.Option | None:
    if option is not None:
        option.help = say("显示本说明", "show this message")
    return option
