"""The reading child, started before the program itself is loaded.

Takes the arguments of a run, gives the child that it will need. Never starts one for nothing: only
where a single file is named is it known that one is needed.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from headworks.config import ReadSettings
from headworks.readers.sandbox import Sandbox

FLAGS = frozenset({"--salvage", "--reproducible", "--no-report", "-q", "--quiet"})
HELP = "--help"

_waiting: list[Sandbox] = []


def start(arguments: Sequence[str]) -> None:
    """Start the child where the arguments of a run name one file and nothing else."""
    named = [Path(argument) for argument in _named(arguments)]
    if HELP not in arguments and len(named) == 1 and os.path.isfile(named[0]):
        _waiting.append(Sandbox(ReadSettings(), expect=named[0]))
        _waiting[0].start()


def take() -> Sandbox | None:
    """Give the child that was started, once."""
    return _waiting.pop() if _waiting else None


def drop() -> None:
    """End the child where nobody took it."""
    left = take()
    if left is not None:
        left.close()


def _named(arguments: Sequence[str]) -> list[str]:
    """Give the arguments that are neither options nor the values of options."""
    named: list[str] = []
    is_value = False
    for argument in arguments:
        if is_value:
            is_value = False
        elif argument.startswith("-"):
            is_value = argument not in FLAGS and "=" not in argument
        else:
            named.append(argument)
    return named
