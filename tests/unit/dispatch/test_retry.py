"""What follows a failed attempt."""

import pytest

from headworks.dispatch.retry import RetryPolicy, decide, delay_before, lower

POLICY = RetryPolicy(attempts=4, first_seconds=1.0)


def test_delays_double_and_levels_fall() -> None:
    """Three retries after 1, 2 and 4 seconds, each a level lower, to 3 at most."""
    decisions = []
    level = 0
    for attempt in (1, 2, 3):
        decision = decide(attempt, level, POLICY)
        level = decision.level
        decisions.append((decision.outcome, decision.delay, decision.level))
    assert decisions == [("retry", 1.0, 1), ("retry", 2.0, 2), ("retry", 4.0, 3)]
    assert lower(3) == 3


@pytest.mark.parametrize(("interactive", "outcome"), [(True, "degrade"), (False, "fail")])
def test_the_fourth_failure_ends_it(interactive: bool, outcome: str) -> None:
    """Interactive work ends with the rules' own answer, other work in the failed list."""
    assert decide(4, 3, POLICY, interactive=interactive).outcome == outcome


def test_what_can_never_succeed_is_not_tried_again() -> None:
    """A refused ask ends at the first attempt."""
    assert decide(1, 1, POLICY, curable=False).outcome == "fail"
    assert decide(1, 0, POLICY, curable=False, interactive=True).outcome == "degrade"


def test_a_longer_wait_that_the_server_asks_for_is_obeyed() -> None:
    """Retry-After counts where it is longer than ours, and an hour is the most."""
    assert delay_before(1, POLICY, 30.0) == 30.0
    assert delay_before(3, POLICY, 1.0) == 4.0
    assert delay_before(1, POLICY, 86400.0) == 3600.0
