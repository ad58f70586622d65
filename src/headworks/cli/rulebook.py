"""What ``headworks rules`` shows: complaints, examples, explanations, counts, changes.

Takes what the service found, gives lines. Never prints and never decides an exit code.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from headworks.cli.language import language, say
from headworks.cli.output import Column, columns, fit, painted, table
from headworks.model.chunk import Chunk
from headworks.model.place import Span
from headworks.model.verdict import Verdict
from headworks.privacy.veil import veil_over
from headworks.rules.complaints import Complaint
from headworks.rules.examples import ExampleResult
from headworks.rules.explain import NodeTruth, RuleExplanation
from headworks.rules.telling import told as complaint_lines
from headworks.service.boilerplate import Indexed
from headworks.service.rulework import (
    FREQUENT,
    RARE,
    Change,
    Explained,
    RuleCount,
    Statistics,
)

_MOST_SPANS = 3
_QUOTE = 24
_SHORTEST_ID = 6


def complaints(found: Mapping[str, Sequence[Complaint]]) -> list[str]:
    """Give each complaint with its place, caret and suggestion, and a line a pack."""
    lines: list[str] = []
    for name, listed in found.items():
        for complaint in listed:
            head, *rest = complaint_lines(complaint, language())
            lines += [painted(head, "red" if complaint.is_error else "yellow"), *rest]
        errors = sum(complaint.is_error for complaint in listed)
        warnings = len(listed) - errors
        if errors:
            told = say(
                f"{errors} 个错误，{warnings} 个提示", f"{errors} errors, {warnings} warnings"
            )
            lines.append(painted(f"{name}  {told}", "red"))
        else:
            told = say("通过", "passed") + (
                say(f"，{warnings} 个提示", f", {warnings} warnings") if warnings else ""
            )
            lines.append(painted(f"{name}  {told}", "green"))
    return lines


def examples(name: str, results: Sequence[ExampleResult], verbose: bool) -> list[str]:
    """Give the examples that failed with the reason, and a line of counts."""
    lines: list[str] = []
    for result in results:
        if result.passed and not verbose:
            continue
        mark = (
            painted(say("相符", "ok  "), "green")
            if result.passed
            else painted(say("不符", "FAIL"), "red")
        )
        wanted = (
            say("应触发", "should match")
            if result.expected
            else say("不应触发", "should not match")
        )
        text = fit(" ".join(result.text.split()), max(20, columns() - 40)).rstrip()
        lines.append(f"{mark} {result.rule}  {wanted}  {text}")
        if not result.passed:
            where = f"{result.place}: " if result.place else ""
            lines.append(f"     {where}{result.why}")
    failed = sum(not result.passed for result in results)
    told = say(
        f"{name}  {len(results)} 个样例，{failed} 个不符",
        f"{name}  {len(results)} examples, {failed} failed",
    )
    return [*lines, painted(told, "red" if failed else "green")]


def explanations(
    found: Explained, chunk: str | None, rule: str | None, *, whole: bool
) -> list[str]:
    """Give for each chunk its decisions and the rules behind them, without what is redacted."""
    veil = veil_over(found.document, found.verdicts)
    text = veil.document.text if veil else found.document.text
    headings = {heading.id: heading.text for heading in found.document.headings}
    lines: list[str] = []
    for piece, verdict, explanation in zip(
        found.chunks, found.verdicts, found.explanations, strict=True
    ):
        if chunk is not None and not _is_meant(chunk, piece):
            continue
        told = [
            one
            for one in explanation.rules
            if (rule is None or one.rule == rule or one.rule.endswith("/" + rule))
            and (whole or one.fired)
        ]
        if rule is not None and not told:
            continue
        title = headings.get(piece.trail[-1], "") if piece.trail else ""
        lines += ["", _decision(piece.ordinal, piece.id, title, verdict)]
        for one in told:
            lines += _rule(one, text)
    return [veil.words(told) for told in lines] if veil else lines


def _is_meant(wanted: str, chunk: Chunk) -> bool:
    """Tell whether a chunk is the one named, by number or by the beginning of its id."""
    by_id = len(wanted) >= _SHORTEST_ID and chunk.id.startswith(wanted.lower())
    return by_id or wanted == str(chunk.ordinal)


def _decision(ordinal: int, id_: str, title: str, verdict: Verdict) -> str:
    head = painted(f"#{ordinal} {title}", "bold")
    route = painted(verdict.route.pipeline, "green")
    tags = f"  [{' '.join(verdict.tags)}]" if verdict.tags else ""
    skipped = ""
    if verdict.skip:
        skipped = say(f"（不投递：{verdict.skip}）", f" (skipped by {verdict.skip})")
    return f"{head} {id_[:8]} → {route} ← {verdict.route.rule}{tags}{skipped}"


def _rule(one: RuleExplanation, text: str) -> list[str]:
    mark = painted("+", "green") if one.fired else painted("-", "dim")
    phases = ", ".join(one.phases)
    lines = [f"  {mark} {one.rule} ({one.pack}, {phases}) {one.actions}"]
    if one.why:
        lines.append(f"      {painted(one.why, 'yellow')}")
    lines += _truth(one.condition, text, "      ")
    for name, value in one.values.items():
        written = f" ({value.text})" if value.text != value.value else ""
        lines.append(f"      {name} = {value.value}{written}")
    return lines + [f"      {note}" for note in one.notes]


def _truth(truth: NodeTruth, text: str, rail: str) -> list[str]:
    mark = (
        painted(say("成立", "holds"), "green")
        if truth.holds
        else painted(say("不成立", "fails"), "red")
    )
    found = f" {say('实际', 'found')} {truth.found}" if truth.found else ""
    lines = [f"{rail}{mark} {truth.text}{found}{_spans(truth.spans, text)}"]
    for part in truth.parts:
        lines += _truth(part, text, rail + "  ")
    return lines


def _spans(spans: Sequence[Span], text: str) -> str:
    shown = [
        f"“{' '.join(text[span.start : min(span.end, span.start + _QUOTE)].split())}”@{span.start}"
        for span in spans[:_MOST_SPANS]
    ]
    return "  " + " ".join(shown) if shown else ""


def statistics(found: Statistics) -> list[str]:
    """Give the table of rules by hits, then routes, overlaps and conflicts."""
    lines = [
        say(
            f"{found.documents} 个文件，{found.chunks} 个分片",
            f"{found.documents} files, {found.chunks} chunks",
        )
    ]
    layout = [
        Column(say("规则", "rule"), 60, share=True),
        Column(say("分片", "chunks"), 8, right=True),
        Column(say("文件", "files"), 8, right=True),
        Column(say("比例", "share"), 8, right=True),
        Column(say("说明", "note"), 24),
    ]
    rows = sorted(found.rules, key=lambda count: (-count.chunks, count.rule))
    lines += table(layout, (_count(count) for count in rows), columns())
    lines.append("")
    lines += [f"→ {name}  {count}" for name, count in found.routes]
    for one, other, count in found.overlaps:
        lines.append(say("重叠 ", "overlap ") + f"{one} & {other}  {count}")
    for names, count in found.conflicts:
        lines.append(painted(say("冲突 ", "conflict ") + f"{' & '.join(names)}  {count}", "yellow"))
    return lines + [painted(text, "yellow") for text in found.failed]


def _count(count: RuleCount) -> tuple[str, ...]:
    note = ""
    if not count.chunks:
        note = say("从未命中", "never")
    elif count.share < RARE:
        note = say("低于 5%", "under 5 %")
    elif count.share > FREQUENT:
        note = say("高于 50%", "over 50 %")
    return (count.rule, str(count.chunks), str(count.documents), f"{count.share:.1%}", note)


def differences(found: Sequence[Change], failed: Sequence[str]) -> list[str]:
    """Give a line for what each chunk was and what it becomes, then the count."""
    lines: list[str] = []
    path = ""
    for change in found:
        if change.path != path:
            path = change.path
            lines += ["", painted(path, "bold")]
        lines.append(f"  {change.chunk[:8]} {change.heading}")
        lines.append(painted(f"    - {_was(change.old)}", "red"))
        lines.append(painted(f"    + {_was(change.new)}", "green"))
    lines.append(say(f"{len(found)} 个分片改变", f"{len(found)} chunks change"))
    return lines + [painted(text, "yellow") for text in failed]


def _was(decision: tuple[tuple[str, ...], str] | None) -> str:
    if decision is None:
        return say("（没有这个分片）", "(no such chunk)")
    tags, route = decision
    return f"{route} [{' '.join(tags)}]"


def indexed(found: Indexed, out: Path) -> str:
    """Give a line on an index that was written."""
    return say(
        f"{found.documents} 个文件，{found.lines} 种文字行，{found.shared} 种几个文件都有 → {out}",
        f"{found.documents} files, {found.lines} lines, {found.shared} in several files → {out}",
    )
