"""``summary.json``: all the inputs of a run, counted.

Takes what each document gave (small values, so that they cross from worker processes), gives one
record. Never holds a document or a chunk.
"""

from collections.abc import Iterable, Sequence

import msgspec

from headworks.assembly.shapes import (
    DoneRecord,
    FailedRecord,
    SummaryRecord,
    VersionsRecord,
)
from headworks.model.verdict import Verdict


class Tally(msgspec.Struct, frozen=True):
    """What the rules decided for the chunks of one document, or of all, by name."""

    routes: dict[str, int] = {}
    tags: dict[str, int] = {}
    rules: dict[str, int] = {}


def tally(verdicts: Iterable[Verdict]) -> Tally:
    """Count chunks by route, by tag, and by each rule that fired, skipped or routed."""
    routes: dict[str, int] = {}
    tags: dict[str, int] = {}
    rules: dict[str, int] = {}
    for verdict in verdicts:
        _count(routes, verdict.route.pipeline)
        for tag in verdict.tags:
            _count(tags, tag)
        fired = {hit.rule for hit in verdict.hits} | {verdict.route.rule}
        if verdict.skip is not None:
            fired.add(verdict.skip)
        for rule in fired:
            _count(rules, rule)
    return Tally(_sorted(routes), _sorted(tags), _sorted(rules))


def summary(
    done: Sequence[DoneRecord],
    failed: Sequence[FailedRecord],
    tallies: Iterable[Tally],
    versions: VersionsRecord,
    seconds: float,
) -> SummaryRecord:
    """Give the record of a run; documents stand in the order they were named."""
    total = Tally({}, {}, {})
    for one in tallies:
        for mine, theirs in (
            (total.routes, one.routes),
            (total.tags, one.tags),
            (total.rules, one.rules),
        ):
            for name, count in theirs.items():
                mine[name] = mine.get(name, 0) + count
    return SummaryRecord(
        documents=list(done),
        failed=list(failed),
        chunks=sum(document.chunks for document in done),
        by_route=_sorted(total.routes),
        by_tag=_sorted(total.tags),
        by_rule=_sorted(total.rules),
        versions=versions,
        seconds=round(seconds, 3),
    )


def _count(counts: dict[str, int], name: str) -> None:
    counts[name] = counts.get(name, 0) + 1


def _sorted(counts: dict[str, int]) -> dict[str, int]:
    """Most first, equal ones by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
