"""``headworks doctor``: what is installed, what is missing, what each missing part switches off.

Takes nothing, prints a list; the exit code is 1 where a needed part is missing.
Never imports a heavy part to find out.
"""

import click

from headworks.cli.language import language, say
from headworks.cli.output import can_show, fit, line, painted, width
from headworks.cli.verbs import Verb
from headworks.service.doctor import examine

_DETAIL = 34


@click.command(
    cls=Verb,
    help=say(
        "查看装了什么、缺什么、缺了影响什么。",
        "What is installed, what is missing, what that switches off.",
    ),
)
def doctor() -> int:
    """Look at the installation."""
    marks = ("✓", "✗", "–") if can_show("✓✗–") else ("+", "x", "-")
    broken = False
    for finding in examine():
        does = finding.does_zh if language() == "zh" else finding.does_en
        if finding.present:
            mark = painted(marks[0], "green")
        elif finding.needed:
            mark, broken = painted(marks[1], "red"), True
        else:
            mark = painted(marks[2], "yellow")
        detail = finding.detail or ("" if finding.present else say("未安装", "not installed"))
        # A long list, such as the packs, stands whole at the end of its line.
        whole = width(detail) > _DETAIL
        told = f"{does}: {detail}" if whole else does
        shown = "" if whole else detail
        line(f"{mark} {fit(finding.name, 18)} {fit(shown, _DETAIL)} {painted(told, 'dim')}")
    if broken:
        line(
            say(
                "有必需的部分缺失：请重新安装 headworks",
                "a needed part is missing: install headworks again",
            )
        )
    return 1 if broken else 0
