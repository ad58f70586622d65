"""Files and folders as arguments.

Takes what a person wrote, gives a path. Never looks at the disk: what cannot be read is told later,
file by file, so that the others are done.
"""

from pathlib import Path
from typing import Any

import click

from headworks.cli.language import say


class FilePath(click.Path):
    """A path; an empty one (a variable that was not set) is misuse and not the folder one is in."""

    def __init__(self) -> None:
        super().__init__(readable=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Give the path."""
        if value == "":
            self.fail(say("路径是空的", "the path is empty"), param, ctx)
        return super().convert(value, param, ctx)
