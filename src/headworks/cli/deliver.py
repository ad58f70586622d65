"""``headworks run --deliver``: what a delivery tells a person, and its exit code.

Takes the results of a run, prints what came of each document and what it cost. Never sends where
no target is configured: it says how to configure one.
"""

from collections.abc import Sequence
from pathlib import Path

from headworks.assembly.answer_page import less_words
from headworks.assembly.cost_records import CostRecord
from headworks.cli.language import language, say
from headworks.cli.output import Progress, complain, line, painted
from headworks.config import Settings
from headworks.dispatch.delivery import Delivery
from headworks.service.deliver import (
    Delivered,
    DeliveredDocument,
    DeliverOptions,
    deliver,
    is_configured,
    note_in_summary,
)
from headworks.service.one import Done, RunOptions
from headworks.service.run import RunResult

_INCOMPLETE = 3
_MOST_DOCUMENTS = 40


def delivered(
    result: RunResult, chosen: RunOptions, config: Path | None, *, restored: bool, quiet: bool
) -> int:
    """Deliver what a run made, tell of it, give the exit code: 3 where answers are missing."""
    folders = [one.record.folder for one in result.results if isinstance(one, Done)]
    if not folders:
        return 0
    if not is_configured(chosen.settings):
        complain(_how(chosen.settings))
    options = DeliverOptions(
        out=chosen.out,
        settings=chosen.settings,
        language=language(),
        base=config.parent if config is not None else None,
        vault=chosen.vault,
        restored=restored,
    )
    progress = _Bar()
    try:
        made = deliver(folders, options, Delivery, progress.tell)
    finally:
        progress.clear()
    note_in_summary(chosen.out, made.cost)
    if not quiet:
        for text in _told(made, chosen.out):
            line(text)
    open_chunks = sum(one.failed for one in made.documents)
    if not made.complete and open_chunks:
        complain(painted(_missing(open_chunks), "red"))
    return 0 if made.complete else _INCOMPLETE


class _Bar:
    """A bar over jobs, drawn once their number is known."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        self._done = 0

    def tell(self, done: int, every: int) -> None:
        """Show how many are over."""
        if self._progress is None:
            self._progress = Progress(every)
        while self._done < done:
            self._done += 1
            self._progress.step(say("投递", "delivering"))

    def clear(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.clear()


def _how(settings: Settings) -> str:
    """Say that nothing left, and what to write so that it does."""
    routes = ", ".join(settings.pipelines) or "general"
    return painted(
        say(
            "没有配置目标：没有一个分片离开本机，答案只含规则取出的数值。"
            "要投递，在 headworks.toml 里写：\n"
            '  [targets.local]\n  kind = "chat"\n  url = "http://127.0.0.1:8080/v1"\n'
            '  [delivery]\n  fallback = "local"\n'
            '或只想试一试，不用模型：[delivery] fallback = "extract"。见 docs/delivery.md。'
            f"（现有管线：{routes}）",
            "no target is configured: no chunk left this machine, answers hold the values that "
            "rules took. To deliver, write in headworks.toml:\n"
            '  [targets.local]\n  kind = "chat"\n  url = "http://127.0.0.1:8080/v1"\n'
            '  [delivery]\n  fallback = "local"\n'
            'or, to try it without a model: [delivery] fallback = "extract". See '
            f"docs/delivery.md. (pipelines: {routes})",
        ),
        "yellow",
    )


def _missing(chunks: int) -> str:
    """Say, even where nothing else is shown, that answers are missing and how to go on."""
    return say(
        f"{chunks} 个分片还没有答案：原因见各文档的 answer.md；再执行同一条命令就接着问",
        f"{chunks} chunks have no answer yet: answer.md of each document says why; the same "
        "command goes on with them",
    )


def _told(made: Delivered, out: Path) -> list[str]:
    lines = ["", say("答案：", "answers:")]
    shown = made.documents[:_MOST_DOCUMENTS]
    lines += [f"  {_document(one, out)}" for one in shown]
    if len(made.documents) > len(shown):
        left = len(made.documents) - len(shown)
        lines.append(painted(say(f"  …另有 {left} 份", f"  … {left} more"), "dim"))
    return [*lines, *_cost(made.cost)] if made.cost.without_rules.calls else lines


def _document(one: DeliveredDocument, out: Path) -> str:
    facts = [
        say(f"{one.points} 个要点", f"{one.points} points"),
        say(f"{one.values} 个数值", f"{one.values} values"),
        _warned(one.conflicts, ("来源不一致", "where sources differ")),
        _warned(one.unsupported, ("处无依据", "unsupported")),
        _warned(one.failed, ("片没有答案", "chunks without an answer")),
    ]
    told = " · ".join(fact for fact in facts if fact)
    return f"{painted(str(out / one.folder / 'trace.html'), 'cyan')}  {painted(told, 'dim')}"


def _warned(count: int, words: tuple[str, str]) -> str:
    if not count:
        return ""
    return say(f"{count} {words[0]}", f"{count} {words[1]}")


def _cost(cost: CostRecord) -> Sequence[str]:
    spent, saved, without = cost.spent, cost.saved, cost.without_rules
    about = say("（估算）", " (estimated)") if spent.estimated else ""
    less = less_words(cost, language())
    return [
        say(
            f"调用 {spent.calls} 次，词元 {spent.tokens_in:,} 入、{spent.tokens_out:,} 出{about}，"
            f"{spent.seconds:.1f} 秒",
            f"{spent.calls} calls, {spent.tokens_in:,} tokens in, {spent.tokens_out:,} out{about}, "
            f"{spent.seconds:.1f} s",
        ),
        say(
            f"不用规则要 {without.calls} 次，{less}：跳过 {saved.skipped}，合并 "
            f"{saved.merged}，规则直接回答 {saved.rules}，留在本地 {saved.kept}，只投递不问 "
            f"{saved.delivered}，问过相同的 {saved.shared}",
            f"without rules {without.calls}, {less}: {saved.skipped} skipped, "
            f"{saved.merged} merged, {saved.rules} answered by rules, {saved.kept} kept here, "
            f"{saved.delivered} delivered unasked, {saved.shared} asked before",
        ),
    ]
