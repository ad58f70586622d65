"""The records of what delivery cost: in ``answer.json``, over all documents in ``summary.json``.

Takes nothing, gives the types that ``cost`` fills. Never computes.
"""

from typing import Annotated

import msgspec
from msgspec import Meta


class SavedRecord(msgspec.Struct, frozen=True, gc=False):
    """Calls that were not made, and what each rests on: counted in chunks.

    ``kept`` are those of pipelines without a target, ``delivered`` those that went where no model
    is, ``shared`` those whose question had been
    asked already, in this document or another.
    """

    skipped: int
    merged: int
    rules: int
    kept: int
    delivered: int
    shared: int


class SpentRecord(msgspec.Struct, frozen=True, gc=False):
    """Calls and what they took; ``estimated`` where a target counted no tokens.

    ``open`` counts chunks without an answer that no call is counted for: each takes one yet, so
    they are no saving. ``answered`` counts those that have one from their model.
    """

    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    attempts: int
    failed: int
    degraded: int
    estimated: bool
    open: int = 0
    answered: int = 0


class WithoutRecord(msgspec.Struct, frozen=True, gc=False):
    """What it would have been: the calls and the tokens of text they would have carried."""

    calls: int
    tokens: int


class CostRecord(msgspec.Struct, frozen=True, gc=False):
    """What the answers cost, and what they would have without rules.

    ``without_rules`` sends every chunk; ``plain`` cuts the whole text at the same ceiling,
    paragraph by paragraph, and sends every piece. ``fewer`` and ``fewer_than_plain`` are the
    shares of calls saved against each; calls that are still open count as made.
    """

    spent: SpentRecord
    saved: SavedRecord
    without_rules: WithoutRecord
    plain: WithoutRecord
    fewer: Annotated[float, Meta(description="1 - (calls + open) / without_rules.calls")]
    fewer_than_plain: float
