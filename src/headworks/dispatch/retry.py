"""What follows a failed attempt: again after a while and a level lower, or no more.

Takes how often a job was tried and why it failed, gives a decision. Pure: never sleeps, never
draws at random (jobs of one server are spread by its limit, not by chance).
"""

from typing import Literal

import msgspec

from headworks.model.job import LOWEST_LEVEL

# A server may ask for an hour; longer than this is for a person to decide.
LONGEST_DELAY_SECONDS = 3600.0

Outcome = Literal["retry", "degrade", "fail"]


class RetryPolicy(msgspec.Struct, frozen=True):
    """``attempts`` in all, the first included; the first retry after ``first_seconds``."""

    attempts: int = 4
    first_seconds: float = 1.0


class Decision(msgspec.Struct, frozen=True):
    """What is done with a job that failed: ``delay`` and ``level`` hold for a retry."""

    outcome: Outcome
    delay: float = 0.0
    level: int = LOWEST_LEVEL


def delay_before(attempt: int, policy: RetryPolicy, asked: float | None = None) -> float:
    """Give the seconds to wait after failed attempt number ``attempt``: 1, 2, 4.

    What the server ``asked`` for is obeyed where it is longer.
    """
    doubled = policy.first_seconds * float(2 ** max(0, attempt - 1))
    return min(max(doubled, asked or 0.0), LONGEST_DELAY_SECONDS)


def lower(level: int) -> int:
    """Give the level of a retry: one lower, to the lowest at most."""
    return min(level + 1, LOWEST_LEVEL)


def decide(
    attempt: int,
    level: int,
    policy: RetryPolicy,
    *,
    curable: bool = True,
    interactive: bool = False,
    asked: float | None = None,
) -> Decision:
    """Decide about a job after failed attempt number ``attempt`` (1 is the first).

    ``curable`` is false where the same ask can never succeed. A person waits for ``interactive``
    work, so it ends with what the rules alone can say; other work ends in the failed list.
    """
    if curable and attempt < policy.attempts:
        return Decision("retry", delay_before(attempt, policy, asked), lower(level))
    return Decision("degrade" if interactive else "fail")
