"""``headworks explain``: what a code means and what to do; why a chunk got its route.

Takes a code or the beginning of a chunk's id, prints the explanation. Never runs anything again:
a chunk is looked up among written results.
"""

from pathlib import Path

import click

from headworks.assembly.formats import leaving
from headworks.assembly.shapes import ChunkRecord, HitRecord
from headworks.cli.language import language, say
from headworks.cli.outline import ZONES
from headworks.cli.output import columns, complain, fit, line, painted
from headworks.cli.shown import KINDS
from headworks.cli.verbs import Verb
from headworks.codes import CODES
from headworks.rules.complaint_codes import MEANINGS, meaning
from headworks.service import ask

_NOT_FOUND = 2
_PRIORITIES = {"interactive": "实时", "nearline": "近线", "offline": "离线"}


@click.command(
    cls=Verb,
    help=say(
        "CODE：错误代码（如 E_CORRUPT）的含义和办法；不带参数时列出全部代码。"
        "CHUNK：分片号（可只写开头几位），说明它来自哪里、为何去向这条管线。",
        "CODE: what an error code such as E_CORRUPT means and what to do; without an argument all "
        "codes are listed. CHUNK: a chunk's id or its beginning: where it comes from, and why it "
        "got its route.",
    ),
)
@click.argument("wanted", required=False, metavar="[CODE|CHUNK]")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("headworks-out"),
    metavar="DIR",
    help=say("结果文件夹，默认 ./headworks-out", "the results' folder (./headworks-out)"),
)
def explain(wanted: str | None, out: Path) -> int:
    """Explain a code or a chunk."""
    if wanted is None:
        for name in CODES:
            line(f"{fit(name, 14)} {_title(name)}")
        return 0
    if wanted.upper() in CODES:
        _code(wanted.upper())
        return 0
    if wanted.upper() in MEANINGS:
        line(f"{painted(wanted.upper(), 'bold')}  {meaning(wanted.upper(), language())}")
        line(
            say(
                "办法：headworks rules check 规则包 会指出行、列和改法；"
                "各编号的改法见 docs/rules.md",
                "what to do: headworks rules check PACK tells line, column and a rewrite; "
                "docs/rules.md has the remedies of all codes",
            )
        )
        return 0
    found = ask.find_chunk(out, wanted.lower()) if not wanted.startswith(("E_", "W_")) else None
    if found is None:
        complain(
            say(
                f"{wanted}：既不是错误代码，也不是 {out}/ 中的分片号；"
                "headworks explain 列出全部代码，别处的结果用 --out 指明",
                f"{wanted}: neither a code nor the id of a chunk in {out}/; headworks explain "
                "lists all codes, --out names other results",
            )
        )
        return _NOT_FOUND
    for text in _chunk(*found):
        line(text)
    return 0


def _title(name: str) -> str:
    entry = CODES[name]
    return entry.title_zh if language() == "zh" else entry.title_en


def _code(name: str) -> None:
    entry = CODES[name]
    line(painted(name, "bold") + "  " + _title(name))
    line(say("办法：", "what to do: ") + (entry.hint_zh if language() == "zh" else entry.hint_en))
    if name.startswith("E_"):
        line(
            say(
                f"退出码 {entry.exit}，HTTP {entry.status}",
                f"exit {entry.exit}, HTTP {entry.status}",
            )
        )
        if entry.retry:
            line(say("以后重试可能成功", "trying again later may work"))


def _chunk(folder: Path, chunk: ChunkRecord) -> list[str]:
    pages = ", ".join(map(str, chunk.pages))
    numbered = say(f"第 {pages} 页", f"page {pages}") if pages else say("不分页", "no pages")
    place = chunk.cells or numbered
    zone = say(*ZONES.get(chunk.zone, (chunk.zone, chunk.zone)))
    kind = say(KINDS.get(chunk.kind, chunk.kind), chunk.kind)
    priority = say(_PRIORITIES.get(chunk.route.priority, ""), chunk.route.priority)
    lines = [
        f"{painted(f'#{chunk.ordinal} {chunk.id}', 'bold')}  {folder.name}",
        f"{say('位置', 'where')}  {' > '.join(chunk.heading_path) or '-'}",
        f"      {zone} · {kind} · {place} · "
        f"{chunk.start}-{chunk.end} · {chunk.chars} {say('字符', 'characters')}",
        f"{say('内容', 'text')}  {fit(' '.join(leaving(chunk).split()), columns() - 8).rstrip()}",
        "",
        f"{say('去向', 'route')}  {painted(chunk.route.pipeline, 'green')} "
        f"← {chunk.route.rule}{say(f'（{priority}）', f' ({priority})')}",
    ]
    if chunk.route.also_matched:
        lines.append(
            say("      另有命中：", "      also matched: ") + ", ".join(chunk.route.also_matched)
        )
    if chunk.skipped:
        lines.append(say("      不投递：", "      not delivered: ") + chunk.skipped)
    if chunk.review:
        lines.append(say("      需人工：", "      for a person: ") + chunk.review)
    if chunk.tags:
        lines.append(f"{say('标签', 'tags')}  {' '.join(chunk.tags)}")
    for hit in chunk.hits:
        lines += _hit(hit)
    lines += [
        f"{say('关联', 'law')}  《{link.law}》{link.article} ← {link.rule}" for link in chunk.links
    ]
    for ref in chunk.references:
        target = ", ".join(ref.chunks[:3]) or say("（找不到）", "(not found)")
        lines.append(f"{say('引用', 'refers')}  {ref.text} → {ref.target} {target}")
    return lines


def _hit(hit: HitRecord) -> list[str]:
    quote = fit(" ".join(hit.quote.split()), columns() - 10).rstrip()
    lines = [f"{say('规则', 'rule')}  {hit.rule} ({hit.pack}, {hit.phase}) {hit.start}-{hit.end}"]
    lines.append(f"      “{quote}”")
    lines += [f"      {name} = {value.value} ({value.text})" for name, value in hit.values.items()]
    return lines + [f"      {reason}" for reason in hit.reasons]
