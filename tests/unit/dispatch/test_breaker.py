"""The circuit breaker, on a clock that stands in the test's hand."""

import pytest

from headworks.dispatch.breaker import Breaker, BreakerPolicy


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Give the time that the test set."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Give a clock that stands still."""
    return Clock()


def fail(breaker: Breaker, times: int) -> None:
    """Let so many calls fail, each of them allowed."""
    for _ in range(times):
        assert breaker.allows()
        breaker.failed()


def test_it_opens_after_failures_in_a_row(clock: Clock) -> None:
    """Five failures in a row open it, and nothing goes until its time is over."""
    breaker = Breaker(BreakerPolicy(failures=5, open_seconds=60), clock)
    fail(breaker, 5)
    assert breaker.state == "open"
    assert not breaker.allows()
    clock.now += 59
    assert not breaker.allows()
    assert breaker.seconds_left() == 1.0


def test_a_success_between_starts_the_row_anew(clock: Clock) -> None:
    """Failures that are not in a row do not add up."""
    breaker = Breaker(BreakerPolicy(failures=3), clock)
    for _ in range(5):
        fail(breaker, 2)
        breaker.succeeded()
    assert breaker.state == "closed"


def test_it_opens_by_share_once_there_are_enough(clock: Clock) -> None:
    """Half of the calls failing opens it, but not before ten were seen."""
    breaker = Breaker(BreakerPolicy(failures=0, share=0.5, at_least=10), clock)
    for _ in range(4):
        breaker.failed()
        breaker.succeeded()
    assert breaker.state == "closed"
    breaker.succeeded()
    breaker.failed()
    assert breaker.state == "open"


def test_old_outcomes_do_not_count_in_the_share(clock: Clock) -> None:
    """Failures from before the window are forgotten."""
    breaker = Breaker(BreakerPolicy(failures=0, share=0.5, at_least=4, window_seconds=60), clock)
    for _ in range(3):
        breaker.failed()
    clock.now += 61
    for _ in range(4):
        breaker.succeeded()
    breaker.failed()
    assert breaker.state == "closed"


def test_half_open_lets_one_trial_through(clock: Clock) -> None:
    """After a minute one call may go, its success closes the breaker."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=60), clock)
    fail(breaker, 1)
    clock.now += 60
    assert breaker.state == "half_open"
    assert breaker.would_allow()
    assert breaker.allows()
    assert not breaker.allows()
    breaker.succeeded()
    assert breaker.state == "closed"
    assert breaker.allows()


def test_a_failed_trial_opens_it_for_the_same_time(clock: Clock) -> None:
    """The trial fails: another minute, then another trial."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=60), clock)
    fail(breaker, 1)
    clock.now += 60
    fail(breaker, 1)
    assert breaker.seconds_left() == 60
    clock.now += 60
    assert breaker.allows()


def test_an_abandoned_trial_frees_its_place(clock: Clock) -> None:
    """A cancelled trial tells nothing: the next call is the trial."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=10), clock)
    fail(breaker, 1)
    clock.now += 10
    assert breaker.allows()
    breaker.abandoned()
    assert breaker.allows()


def test_a_lost_trial_does_not_keep_it_half_open(clock: Clock) -> None:
    """A trial whose caller died is given up after five times the open time."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=10), clock)
    fail(breaker, 1)
    clock.now += 10
    assert breaker.allows()
    clock.now += 51
    assert breaker.allows()


def test_late_outcomes_of_calls_from_before_do_not_move_an_open_one(clock: Clock) -> None:
    """Calls under way when it opened neither close it nor lengthen its time."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=10), clock)
    fail(breaker, 1)
    clock.now += 5
    breaker.failed()
    breaker.succeeded()
    assert breaker.seconds_left() == 5


def test_several_trials_may_be_asked_for(clock: Clock) -> None:
    """With two trials, both must succeed."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=10, trials=2), clock)
    fail(breaker, 1)
    clock.now += 10
    assert breaker.allows()
    assert breaker.allows()
    assert not breaker.allows()
    breaker.succeeded()
    assert breaker.state == "half_open"
    assert not breaker.allows()
    breaker.succeeded()
    assert breaker.state == "closed"


def test_rests_are_counted_until_something_works(clock: Clock) -> None:
    """A target that does not come back is told by its rests in a row; a success ends the row."""
    breaker = Breaker(BreakerPolicy(failures=1, open_seconds=10), clock)
    for rests in (1, 2):
        fail(breaker, 1)
        assert breaker.rests == rests
        clock.now += 10
    assert breaker.allows()
    breaker.succeeded()
    assert breaker.rests == 0
