"""``headworks outline``: zones, the heading tree and the references of one file.

Takes a path, prints a tree or JSON. Never cuts and never judges.
"""

from pathlib import Path

import click
import msgspec

from headworks.assembly.shapes import DocumentRecord, HeadingRecord, ReferenceRecord, ZoneRecord
from headworks.cli.language import say
from headworks.cli.output import can_show, columns, fit, line, painted, raw
from headworks.cli.paths import FilePath
from headworks.cli.settings import settings_from
from headworks.cli.verbs import Verb
from headworks.details import in_chinese
from headworks.service import ask

ZONES = {
    "cover": ("封面", "cover"),
    "contents": ("目录", "contents"),
    "body": ("正文", "body"),
    "appendix": ("附件", "appendix"),
    "signature": ("签署", "signature"),
}


@click.command(
    cls=Verb,
    help=say(
        "显示一个文件的分区、大纲和引用。",
        "Show the zones, the heading tree and the references of a file.",
    ),
)
@click.argument("path", type=FilePath(), metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help=say("输出 JSON", "print JSON"))
@click.option(
    "--evidence",
    is_flag=True,
    help=say("同时显示每个标题的依据", "also show why each line is a heading"),
)
@click.option("--profile", metavar="NAME", help=say("结构档案", "numbering and zones to expect"))
@click.option("--password", metavar="TEXT", help=say("文件的密码", "password of the file"))
@click.option(
    "--salvage",
    is_flag=True,
    help=say("文件损坏时保留能读出的部分", "keep what can be read of a broken file"),
)
def outline(
    path: Path, as_json: bool, evidence: bool, profile: str, password: str, salvage: bool
) -> int:
    """Show a file's structure."""
    settings = settings_from(
        {"structure.profile": profile, "read.password": password, "read.salvage": salvage}
    )
    _, record = ask.outlined(path, settings)
    if as_json:
        shown = msgspec.json.decode(msgspec.json.encode(record))
        for absent in ("ledger", "chunks", "timings"):
            shown.pop(absent, None)
        raw(msgspec.json.format(msgspec.json.encode(shown), indent=1) + b"\n")
        return 0
    for text in _shown(record, evidence):
        line(text)
    return 0


def _shown(record: DocumentRecord, evidence: bool) -> list[str]:
    lines = [painted(record.source.name, "bold") + "  " + painted(_facts(record), "dim")]
    if record.profile:
        told = say("结构档案 ", "profile ") + record.profile.name
        lines.append(painted(f"{told}{_aside(record.profile.why)}", "dim"))
    lines += ["", painted(say("分区", "zones"), "bold"), *(_zone(zone) for zone in record.zones)]
    lines += ["", painted(say("大纲", "outline"), "bold")]
    lines += _tree(record.outline, evidence) or [say("  （没有标题）", "  (no headings)")]
    if record.references:
        lines += ["", painted(say("引用", "references"), "bold")]
        lines += [_reference(ref) for ref in record.references]
    if record.warnings:
        lines += ["", painted(say("提示", "warnings"), "bold")]
    for warning in record.warnings:
        told = " ".join(filter(None, (warning.code, warning.place, _detail(warning.message))))
        lines.append(f"  {painted(told, 'yellow')}")
    return lines


def _detail(text: str) -> str:
    return say(in_chinese(text), text)


def _aside(text: str) -> str:
    return say(f"（{in_chinese(text)}）", f" ({text})") if text else ""


def _facts(record: DocumentRecord) -> str:
    pages = record.metadata.pages
    facts = [
        say(f"{pages} 页", f"{pages} pages") if pages else "",
        say(f"{record.chars:,} 字符", f"{record.chars:,} characters"),
        say(f"{len(record.outline)} 个标题", f"{len(record.outline)} headings"),
        say(f"{len(record.tables)} 个表格", f"{len(record.tables)} tables"),
    ]
    return " · ".join(fact for fact in facts if fact)


def _zone(zone: ZoneRecord) -> str:
    kind = say(*ZONES.get(zone.kind, (zone.kind, zone.kind)))
    name = f" {zone.name}" if zone.name else ""
    return f"  {fit(kind + name, 24)} {painted(f'{zone.start}-{zone.end}', 'dim')}"


def _tree(outline: list[HeadingRecord], evidence: bool) -> list[str]:
    """Draw the tree: a branch for each child, a rail where a later one follows."""
    children: dict[int | None, list[HeadingRecord]] = {}
    known = {heading.id for heading in outline}
    for heading in outline:
        parent = heading.parent if heading.parent in known else None
        children.setdefault(parent, []).append(heading)
    marks = ("├─ ", "└─ ", "│  ") if can_show("├└│─") else ("|- ", "`- ", "|  ")
    lines: list[str] = []
    # Depth first with a stack of its own: a wild document may nest deeper than Python recurses.
    waiting = [(heading, "  ", True) for heading in reversed(children.get(None, []))]
    while waiting:
        heading, rail, is_root = waiting.pop()
        lines.append(_heading(heading, rail, evidence))
        own = children.get(heading.id, [])
        base = rail if is_root else rail[:-3] + (marks[2] if rail.endswith(marks[0]) else "   ")
        for place, child in reversed(list(enumerate(own))):
            waiting.append((child, base + marks[place + 1 == len(own)], False))
    return lines


def _heading(heading: HeadingRecord, rail: str, evidence: bool) -> str:
    page = f"  {say('第', 'p. ')}{heading.page}{say('页', '')}" if heading.page else ""
    why = f"  [{say('，', ', ').join(map(_detail, heading.evidence))}]" if evidence else ""
    room = max(16, columns() - len(rail) - 12)
    words = fit(" ".join(heading.text.split()), room).rstrip()
    return f"{rail}{words}{painted(page + why, 'dim')}"


def _reference(ref: ReferenceRecord) -> str:
    words = fit(" ".join(ref.text.split()), 34)
    if ref.resolved:
        return f"  {words} → {ref.target}"
    if ref.status == "external":
        return f"  {words} {painted(say('文外：', 'elsewhere: ') + ref.target, 'dim')}"
    told = say("找不到：", "not found: ") + ref.target + _aside(ref.why)
    return f"  {words} {painted(told, 'yellow')}"
