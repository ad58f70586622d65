"""What answers cost, and what the rules saved, against sending every chunk and the plain way.

Takes what became of each chunk and the replies, gives counts. Never counts a saving twice: a chunk
that is skipped was not also answered by rules.
"""

from collections.abc import Iterable, Sequence

from headworks.assembly.answer_records import ChunkAnswerRecord
from headworks.assembly.cost_records import (
    CostRecord,
    SavedRecord,
    SpentRecord,
    WithoutRecord,
)
from headworks.assembly.shapes import ChunkRecord
from headworks.model.job import Reply

# Why a chunk is kept that no pipeline was configured for (dispatch.plan).
_UNCONFIGURED = "no target"


def cost(
    text: str,
    chunks: Sequence[ChunkRecord],
    answers: Sequence[ChunkAnswerRecord],
    spent: SpentRecord,
    *,
    cut: int,
    ceiling: int,
) -> CostRecord:
    """Give the cost of one document.

    What nobody has configured a target for is neither a call nor one that was saved. ``cut`` is
    how many chunks there were before rules merged some, ``ceiling`` the largest chunk in
    characters, at which the plain way cuts too.
    """
    wanted = [one for one in answers if one.state != "kept" or one.why != _UNCONFIGURED]
    states = [answer.state for answer in wanted]
    merged = max(0, cut - len(chunks))
    saved = SavedRecord(
        skipped=states.count("skipped"),
        merged=merged if wanted else 0,
        rules=states.count("rules"),
        kept=states.count("kept"),
        delivered=states.count("delivered"),
        shared=states.count("shared"),
    )
    tokens = sum(chunk.tokens for chunk in chunks)
    # A chunk that goes to two pipelines is asked twice, with rules and without.
    without = WithoutRecord(len(wanted) + merged if wanted else 0, tokens)
    pieces = plain_pieces(text, ceiling)
    plain = WithoutRecord(pieces, tokens_of_plain(text, chunks, tokens))
    return _cost(spent, saved, without, plain)


def total(costs: Iterable[CostRecord]) -> CostRecord:
    """Give the cost of all documents of a run."""
    every = list(costs)
    spent = [one.spent for one in every]
    saved = [one.saved for one in every]
    return _cost(
        SpentRecord(
            calls=sum(one.calls for one in spent),
            tokens_in=sum(one.tokens_in for one in spent),
            tokens_out=sum(one.tokens_out for one in spent),
            seconds=round(sum(one.seconds for one in spent), 3),
            attempts=sum(one.attempts for one in spent),
            failed=sum(one.failed for one in spent),
            degraded=sum(one.degraded for one in spent),
            estimated=any(one.estimated for one in spent),
            open=sum(one.open for one in spent),
            answered=sum(one.answered for one in spent),
        ),
        SavedRecord(
            skipped=sum(one.skipped for one in saved),
            merged=sum(one.merged for one in saved),
            rules=sum(one.rules for one in saved),
            kept=sum(one.kept for one in saved),
            delivered=sum(one.delivered for one in saved),
            shared=sum(one.shared for one in saved),
        ),
        _sum(one.without_rules for one in every),
        _sum(one.plain for one in every),
    )


def spent_on(
    answers: Iterable[ChunkAnswerRecord], *, estimated: bool, in_vain: Sequence[Reply] = ()
) -> SpentRecord:
    """Give what the calls of answers took; one that was shared is counted where it was asked.

    ``in_vain`` are calls about several chunks that answered none of them.
    """
    asked = [one for one in answers if one.state in ("answered", "degraded", "failed", "waiting")]
    every: list[ChunkAnswerRecord | Reply] = [*asked, *in_vain]
    return SpentRecord(
        calls=sum(one.calls for one in every),
        tokens_in=sum(one.tokens_in for one in every),
        tokens_out=sum(one.tokens_out for one in every),
        seconds=round(sum(one.milliseconds for one in every) / 1000, 3),
        attempts=sum(max(1, one.attempts) for one in every if one.calls or one.attempts),
        failed=sum(one.state == "failed" for one in asked),
        degraded=sum(one.state == "degraded" for one in asked),
        estimated=estimated,
        open=sum(not one.calls for one in asked if one.state in ("failed", "waiting")),
        answered=sum(one.state == "answered" for one in asked),
    )


def plain_pieces(text: str, ceiling: int) -> int:
    """Count the pieces of a text cut as plain splitters do: paragraphs packed up to a ceiling.

    All that was read is in them: page headers, contents, everything.
    """
    pieces = room = 0
    for line in text.split("\n"):
        length = len(line.strip())
        if not length:
            continue
        if length > room:
            whole, rest = divmod(length, ceiling)
            pieces += whole + (rest > 0)
            room = ceiling - rest if rest else 0
        else:
            room -= length
    return pieces


def tokens_of_plain(text: str, chunks: Sequence[ChunkRecord], tokens: int) -> int:
    """Give the tokens of the whole text, at the rate of its chunks."""
    chars = sum(len(chunk.text) for chunk in chunks)
    return round(tokens * len(text) / chars) if chars else 0


def _sum(records: Iterable[WithoutRecord]) -> WithoutRecord:
    every = list(records)
    return WithoutRecord(sum(one.calls for one in every), sum(one.tokens for one in every))


def _cost(
    spent: SpentRecord, saved: SavedRecord, without: WithoutRecord, plain: WithoutRecord
) -> CostRecord:
    return CostRecord(spent, saved, without, plain, _fewer(spent, without), _fewer(spent, plain))


def _fewer(spent: SpentRecord, other: WithoutRecord) -> float:
    return round(1 - (spent.calls + spent.open) / other.calls, 4) if other.calls else 0.0
