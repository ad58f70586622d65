"""``make bench-savings``: model calls with rules against without, and what each saving rests on.

Fifty documents of our own (``mixed_set``) are processed and delivered to a model that answers at
once. Without rules every chunk is asked alone. With rules they are asked alone and in packs;
tokens are those of the prompts, counted as chunks are. ``--write`` renews the tables of
docs/answers.md.
"""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from benchmarks.inputs import HERE
from benchmarks.mixed_set import COUNTS, build_all
from headworks.assembly import packed
from headworks.assembly.cost import total
from headworks.assembly.cost_records import CostRecord
from headworks.config import Settings, load
from headworks.config_delivery import DeliverySettings, PipelineSettings, TargetSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.dispatch.storing import Keep
from headworks.model.job import Ask, Reply
from headworks.service.deliver import Compose, Delivered, DeliverOptions, deliver
from headworks.service.inputs import find
from headworks.service.one import Done, RunOptions
from headworks.service.run import run
from headworks.targets.base import Target

PAGE = HERE.parent / "docs" / "answers.md"
MARKS = "<!-- savings -->", "<!-- /savings -->"
PACKS = ("furniture", "contract", "finance", "tender", "minutes", "benchmarks/mixed/house.yaml")
KINDS = {
    "合同": "contracts 合同", "招标文件": "tenders 招标文件", "会议纪要": "minutes 会议纪要",
    "单据": "invoices, claims 单据", "台账": "ledgers 台账", "往来函": "letters 往来函",
}  # fmt: skip


class Nothing:
    """A model that finds nothing, at once: only calls and prompts are counted here."""

    name = "model"

    async def send(self, ask: Ask) -> Reply:
        """Answer."""
        assert ask.schema is not None
        schema = packed.schema_of_one(ask.schema) if ask.parts else ask.schema
        one: object = {name: [] for name in schema["required"]}
        if ask.parts:
            one = {"parts": [{"part": at, "answer": one} for at in range(1, len(ask.parts) + 1)]}
        body = msgspec.json.encode(one).decode()
        return Reply(job=ask.job, chunk=ask.chunk, target=self.name, body=body,
                     tokens_in=ask.tokens, tokens_out=12)  # fmt: skip

    async def close(self) -> None:
        """Nothing to let go of."""


def sender(
    queue: Queue, _: Mapping[str, Target], settings: Settings, compose: Compose, keep: Keep
) -> Delivery:
    """Give the delivery with this model in the place of the configured server."""
    return Delivery(queue, {"model": Nothing()}, settings, compose, keep)


def main() -> None:
    """Measure, print, and write the table where asked."""
    with tempfile.TemporaryDirectory(prefix="headworks-savings-") as folder:
        documents = Path(folder) / "documents"
        build_all(documents)
        without = _delivered(documents, Path(folder) / "without", settings_with(()))
        made = _delivered(documents, Path(folder) / "with", settings_with(PACKS))
        in_packs = [
            (most, _delivered(documents, Path(folder) / f"pack{most}", settings_with(PACKS, most)))
            for most in (4, 8, 16)
        ]
        bare = _delivered(documents, Path(folder) / "bare", settings_with((), 8))
    lines = [*_table(made, without), "", *_packs(made, in_packs, without, bare)]
    print("\n".join(lines))
    if "--write" in sys.argv:
        before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        table = "\n".join(["", *lines, ""])
        PAGE.write_text(before + MARKS[0] + table + MARKS[1] + after, encoding="utf-8")


def settings_with(packs: Sequence[str], pack: int = 1) -> Settings:
    """Give the settings: one model for all, and with rules what they may answer alone.

    ``pack`` is how many chunks may go in one call.
    """
    base = load(environment={}, flags={"rules.packs": tuple(packs)} if packs else {})
    model = TargetSettings(kind="chat", url="http://127.0.0.1:1/v1", model="m")
    pipelines = {
        "legal-review": PipelineSettings(target="model", prompt="legal"),
        "finance-extract": PipelineSettings(target="model", prompt="finance", rules_alone=True),
        "action-tracking": PipelineSettings(
            target="model", prompt="extract", wanted=("责任人", "期限"), rules_alone=True
        ),
        "forms": PipelineSettings(target="model", prompt="extract", rules_alone=True),
        "records": PipelineSettings(target=""),
    }
    return msgspec.structs.replace(
        base,
        targets={"model": model},
        delivery=DeliverySettings(fallback="model", pack=pack),
        pipelines=pipelines if packs else {},
    )


def _delivered(documents: Path, out: Path, settings: Settings) -> Delivered:
    options = RunOptions(out=out, settings=settings, jobs=1, report=False, deliver=True)
    done = run(find([documents], out), options)
    folders = [one.record.folder for one in done.results if isinstance(one, Done)]
    assert len(folders) == sum(COUNTS.values())
    return deliver(folders, DeliverOptions(out=out, settings=settings), sender)


def _table(made: Delivered, without: Delivered) -> list[str]:
    columns = (
        "documents 文档", "chunks 分片", "calls 调用", "fewer 少", "skipped 跳过", "merged 合并",
        "rules alone 规则直接回答", "no model 不问模型", "asked before 问过相同的",
    )  # fmt: skip
    lines = [f"| {' | '.join(columns)} |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for prefix, name in KINDS.items():
        mine = [one for one in made.documents if one.folder.startswith(prefix)]
        plain = [one for one in without.documents if one.folder.startswith(prefix)]
        lines.append(_row(f"{len(mine)} {name}", total(one.cost for one in mine),
                          total(one.cost for one in plain)))  # fmt: skip
    lines.append(_row(f"**{len(made.documents)} all 全部**", made.cost, without.cost))
    shared = without.cost.saved.shared
    lines += [
        "",
        f"Asking equal questions once alone, without any rule: {without.cost.spent.calls} calls "
        f"({shared} asked before). Cut by paragraphs at the same ceiling, as plain splitters do: "
        f"{without.cost.plain.calls} pieces.",
        f"只靠“相同的问题只问一次”、不用规则：{without.cost.spent.calls} 次（{shared} 次问过）。"
        f"按段落切到同样上限的普通切法：{without.cost.plain.calls} 片。",
    ]
    return lines


def _packs(
    made: Delivered, in_packs: Sequence[tuple[int, Delivered]], without: Delivered, bare: Delivered
) -> list[str]:
    pieces, tokens = without.cost.plain.calls, without.cost.plain.tokens
    lines = [
        "| asked 怎样问 | calls 调用 | tokens in 输入词元 | a call 每次 | to plain 比普通切法 |",
        "|---|---:|---:|---:|---:|",
    ]
    ways = [
        ("without rules, each alone 不用规则，逐片", without),
        ("without rules, packs of 8 不用规则，八片一包", bare),
        ("rules, each alone 用规则，逐片（`pack = 1`）", made),
        *((f"rules, packs of {most} 用规则，{most} 片一包", one) for most, one in in_packs),
    ]
    for name, one in ways:
        spent = one.cost.spent
        lines.append(
            f"| {name} | {spent.calls} | {spent.tokens_in:,} | {spent.tokens_in // spent.calls:,} "
            f"| {spent.calls / pieces - 1:+.0%} |"
        )
    lines.append(
        f"| plain splitter, text alone without a prompt 普通切法，只算正文 | {pieces} | {tokens:,} "
        f"| {tokens // pieces:,} | |"
    )
    return lines


def _row(name: str, cost: CostRecord, plain: CostRecord) -> str:
    saved, every = cost.saved, plain.without_rules.calls
    assert cost.without_rules.calls == every, (name, cost.without_rules.calls, every)
    fewer = 1 - cost.spent.calls / every
    return (
        f"| {name} | {every} | {cost.spent.calls} | {fewer:.0%} | {saved.skipped} | {saved.merged} "
        f"| {saved.rules} | {saved.kept} | {saved.shared} |"
    )


if __name__ == "__main__":
    main()
