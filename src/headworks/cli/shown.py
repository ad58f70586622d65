"""What ``run`` tells a person: the table of chunks and routes, the reports' paths, what failed.

Takes results, gives lines. Never prints: ``run`` decides where to.
"""

from collections.abc import Sequence
from pathlib import Path

from headworks.assembly.shapes import DoneRecord, FailedRecord, SummaryRecord
from headworks.cli.language import language, say
from headworks.cli.output import Column, columns, fit, painted, table
from headworks.codes import CODES
from headworks.details import in_chinese
from headworks.errors import HeadworksError
from headworks.service.one import Done, Failed, Row
from headworks.service.run import RunResult

_MOST_ROWS = 40
_MOST_DOCUMENTS = 8
KINDS = {
    "clause": "条款", "section": "章节", "table": "表格", "cover": "封面", "contents": "目录",
    "appendix": "附件", "signature": "签署", "list": "列表", "figure": "图", "sheet": "工作表",
    "slide": "幻灯片", "note": "注释", "code": "代码", "text": "文字",
}  # fmt: skip


def results(result: RunResult, out: Path) -> list[str]:
    """Give the tables of a small run, or a line a document, then where everything is."""
    done = [one for one in result.results if isinstance(one, Done)]
    lines: list[str] = []
    for one in done:
        lines += _document(one) if len(done) <= _MOST_DOCUMENTS else [_heading(one.record)]
    if done:
        lines += ["", *_reports(done, out), *_totals(result.summary)]
    return lines


def failure(failed: Failed) -> str:
    """Give the sentence for a document that could not be processed: file, code, place, hint."""
    record = failed.record
    place = f"{record.path} {record.place}".rstrip()
    return HeadworksError(record.code, record.message, place=place).sentence(language())


def refused(records: Sequence[FailedRecord], total: int) -> str:
    """Give the closing line over the documents that failed."""
    return say(
        f"{total} 个文件中有 {len(records)} 个未能处理",
        f"{len(records)} of {total} files could not be processed",
    )


def _heading(record: DoneRecord) -> str:
    facts = [
        say(f"{record.pages} 页", f"{record.pages} pages") if record.pages else "",
        say(f"{record.chars:,} 字符", f"{record.chars:,} characters"),
        say(f"{record.chunks} 个分片", f"{record.chunks} chunks"),
        say(f"{record.warnings} 条提示", f"warnings: {record.warnings}") if record.warnings else "",
        f"{sum(record.timings.values()) * 1000:.0f} ms",
    ]
    told = " · ".join(fact for fact in facts if fact)
    return f"{painted(record.path, 'bold')}  {painted(told, 'dim')}"


def _document(done: Done) -> list[str]:
    layout = [
        Column("#", 5, right=True),
        Column(say("标题", "heading"), 46, share=True),
        Column(say("类型", "kind"), 10),
        Column(say("位置", "place"), 20, share=True),
        Column(say("字数", "chars"), 7, right=True),
        Column(say("标签", "tags"), 40, share=True),
        Column(say("去向", "route"), 26),
    ]
    if not done.rows:
        nothing = say("没有文字，也没有分片", "no text and no chunks")
        return ["", _heading(done.record), *_notes(done), "  " + painted(nothing, "yellow")]
    shown = done.rows[:_MOST_ROWS]
    lines = table(layout, (_cells(row) for row in shown), columns() - 2)
    lines = ["  " + painted(lines[0], "dim"), *("  " + line for line in lines[1:])]
    left = done.record.chunks - len(shown)
    if left > 0:
        lines.append("  " + painted(say(f"…另有 {left} 个分片", f"… {left} more"), "dim"))
    return ["", _heading(done.record), *_notes(done), *lines]


def _notes(done: Done) -> list[str]:
    """Give the first warnings, a line each; the report has them all."""
    lines = []
    for code, words in done.notes:
        entry = CODES[code]
        note = say(
            f"提示 {code} {entry.title_zh}：{in_chinese(words)}",
            f"warning {code} {entry.title_en}: {words}",
        )
        lines.append("  " + painted(fit(note.rstrip("：: "), columns() - 2).rstrip(), "yellow"))
    left = done.record.warnings - len(done.notes)
    if left > 0 and lines:
        more = say(f"…另有 {left} 条提示，见报告", f"… {left} more warnings, see the report")
        lines.append("  " + painted(more, "yellow"))
    return lines


def _cells(row: Row) -> tuple[str, ...]:
    route = row.route + (say("（不投递）", " (skipped)") if row.skipped else "")
    route += say("（需人工）", " (a person)") if row.review else ""
    kind = KINDS.get(row.kind, row.kind) if language() == "zh" else row.kind
    tags = " ".join(row.tags)
    return (str(row.ordinal), row.heading, kind, row.place, str(row.chars), tags, route)


def _reports(done: Sequence[Done], out: Path) -> list[str]:
    if len(done) > _MOST_DOCUMENTS:
        return [say(f"结果在 {out}/", f"results are in {out}/")]
    paths = [out / one.record.folder / "report.html" for one in done]
    written = [path for path in paths if path.is_file()]
    if not written:
        return [say(f"结果在 {out}/", f"results are in {out}/")]
    return [say("报告：", "reports:"), *(f"  {painted(str(path), 'cyan')}" for path in written)]


def _totals(summary: SummaryRecord) -> list[str]:
    routes = " · ".join(f"{name} {count}" for name, count in list(summary.by_route.items())[:8])
    count, chunks = len(summary.documents), summary.chunks
    return [
        say(
            f"完成 {count} 个文件，{chunks} 个分片，{summary.seconds:.2f} 秒"
            + (f"；去向：{routes}" if routes else ""),
            f"{count} files, {chunks} chunks, {summary.seconds:.2f} s"
            + (f"; routes: {routes}" if routes else ""),
        )
    ]
