"""Machines, hours, database load and the first bottleneck, from measured unit costs.

``python -m benchmarks.scale [--write]``: a calculation, not a measurement. Its inputs are in
``Costs`` with where they come from; change them by flags (``--pages 50``) for documents of yours.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
_BEGIN, _END = "<!-- table: make scale -->", "<!-- end of table -->"


class Costs(NamedTuple):
    """What one document and one machine cost. Times in seconds, sizes in bytes."""

    # A PDF in Chinese: docs/benchmarks.md, regulation of 49 pages with all its files.
    pages: float = 20.0
    seconds_per_page: float = 0.014
    # The child of each document, its files flushed, its hand-over (make bench-service).
    seconds_per_document: float = 0.06
    chunks: float = 50.0
    # Chunks that go to a model after rules: 60 % fewer than all.
    routed: float = 0.4
    original_bytes: float = 600e3
    result_bytes: float = 900e3
    # A job's row with its indexes, and a reply's (measured at 200,000 jobs).
    job_bytes: float = 600.0
    reply_bytes: float = 1500.0
    # One PostgreSQL that shares 2 busy cores with its callers, 3 ms a flush (make bench-queue):
    # commits side by side, claims in one line, by 16. A server of its own does more.
    commits_per_second: float = 2800.0
    claims_per_second: float = 2700.0
    claim_batch: float = 16.0
    # A worker machine: cores that parse, and how busy they are kept.
    cores: float = 16.0
    busy: float = 0.85
    # One model server: tokens in and out a second, and tokens of one call.
    model_tokens_per_second: float = 3000.0
    call_tokens: float = 1200.0
    # A store of one's own; S3 itself splits our hashed prefixes and goes further.
    puts_per_second: float = 3500.0
    files_per_result: float = 7.0


class Load(NamedTuple):
    """What so many documents on so many machines come to."""

    documents: float
    machines: int
    models: int
    hours: float
    per_second: float
    commits: float
    claim_line: float
    terabytes: float
    rows: float
    database_terabytes: float
    bottleneck: str


def calculate(costs: Costs, documents: float, machines: int, models: int) -> Load:
    """Give the load of so many documents on so many worker machines and model servers.

    No model server stands for processing alone.
    """
    seconds = costs.pages * costs.seconds_per_page + costs.seconds_per_document
    sends = costs.chunks * costs.routed if models else 0.0
    jobs = 1 + sends + (1 if models else 0)
    # Taken in, completed with what follows, each send completed, the assembly completed.
    commits = 2 + sends + (1 if models else 0) + jobs / costs.claim_batch
    bounds = {
        "cores of the workers": machines * costs.cores * costs.busy / seconds,
        "commits of the database": costs.commits_per_second / commits,
        "the line of claims": costs.claims_per_second / jobs,
        "writes to the bucket": costs.puts_per_second / (1 + costs.files_per_result),
    }
    if models:
        tokens = sends * costs.call_tokens
        bounds["model servers"] = models * costs.model_tokens_per_second / tokens
    bottleneck = min(bounds, key=lambda name: bounds[name])
    per_second = bounds[bottleneck]
    rows_bytes = jobs * costs.job_bytes + sends * costs.reply_bytes
    return Load(
        documents,
        machines,
        models,
        documents / per_second / 3600,
        per_second,
        100 * per_second / bounds["commits of the database"],
        100 * per_second / bounds["the line of claims"],
        documents * (costs.original_bytes + costs.result_bytes) / 1e12,
        documents * jobs,
        documents * rows_bytes / 1e12,
        bottleneck,
    )


def table(costs: Costs) -> str:
    """Give the table."""
    lines = [
        "| documents | worker machines | model servers | hours | documents/s | database, % of its"
        " commits | line of claims, % | files, TB | job rows, millions | database, TB |"
        " first bottleneck |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for documents, machines, models in (
        *((1e6, 1, 0), (1e6, 4, 0), (1e6, 4, 8), (1e6, 4, 64)),
        *((1e8, 16, 0), (1e8, 64, 0), (1e8, 64, 100), (1e8, 64, 1000)),
    ):
        load = calculate(costs, documents, machines, models)
        lines.append(
            f"| {load.documents:,.0f} | {load.machines} | {load.models or 'none'} |"
            f" {load.hours:,.1f} | {load.per_second:,.1f} | {load.commits:.0f} |"
            f" {load.claim_line:.0f} | {load.terabytes:,.1f} | {load.rows / 1e6:,.0f} |"
            f" {load.database_terabytes:,.3f} | {load.bottleneck} |"
        )
    return "\n".join(lines)


def inputs(costs: Costs) -> str:
    """Give the inputs as a line a reader can check."""
    said = ", ".join(f"{name} {value:g}" for name, value in costs._asdict().items())
    return f"`{said}`"


def main() -> None:
    """Print, or renew the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    for name, value in Costs()._asdict().items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=float, default=value)
    chosen = vars(parser.parse_args())
    write = chosen.pop("write")
    costs = Costs(**chosen)
    told = f"{_BEGIN}\n{table(costs)}\n\n{inputs(costs)}\n{_END}"
    if not write:
        print(told)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    PAGE.write_text(before + told + rest.partition(_END)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
