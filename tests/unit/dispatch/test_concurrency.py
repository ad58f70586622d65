"""The limit that finds out what a server can: against the server model, in made time."""

import msgspec
import pytest

from headworks.dispatch.concurrency import AdaptiveLimit, LimitPolicy
from headworks.dispatch.reserve import Reserve
from tests.simulator.load_runs import Run, adaptive, best_fixed, fixed
from tests.simulator.server_model import ServerSettings
from tests.unit.dispatch.test_breaker import Clock

# Each with the fixed numbers around its best; the benchmark searches all of them.
RUNS = {
    "steady": (Run(), (6, 8, 12)),
    "one slot": (Run(server=ServerSettings(slots=1)), (1, 2, 4)),
    "many slots": (Run(server=ServerSettings(slots=24, thrash_at=72)), (16, 24, 32)),
    "halves and doubles": (
        Run(seconds=1200, changes=((300, 4), (600, 8), (900, 4))),
        (4, 8, 12),
    ),
    "doubles and quarters": (
        Run(seconds=1200, changes=((300, 16), (600, 8), (900, 4))),
        (8, 12, 16),
    ),
    "noisy": (Run(server=ServerSettings(noise=0.6, stalls=0.03)), (6, 8, 12)),
    "refuses": (Run(server=ServerSettings(queue_limit=2)), (6, 8, 10)),
    "tells its load": (
        Run(told=True, seconds=1200, changes=((300, 4), (600, 8), (900, 4))),
        (4, 8, 12),
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_it_gives_what_the_best_fixed_number_gives(name: str) -> None:
    """95 % or more of the throughput of the best fixed number found by search."""
    run, search = RUNS[name]
    _, best = best_fixed(run, search)
    assert adaptive(run).rate >= 0.95 * best.rate


def test_overload_does_not_make_it_collapse() -> None:
    """Where sixty-four at once make the server swap, the limit stays where it works."""
    run = Run(server=ServerSettings(slots=4, thrash_at=12))
    told = adaptive(run)
    assert told.rate > 3 * fixed(run, 64).rate
    assert max(told.limits[120:]) <= 8


def test_people_hardly_wait_behind_other_work() -> None:
    """The first token of interactive asks comes within 10 % of the idle system's time."""
    run = Run(people=0.2, seconds=1800, warm=120)
    idle = adaptive(msgspec.structs.replace(run, background=False))
    busy = adaptive(run)
    assert busy.people_mean <= 1.1 * idle.people_mean
    assert busy.people_p95 <= 1.1 * idle.people_p95
    # And other work goes on meanwhile.
    assert busy.rate >= 0.4 * adaptive(Run()).rate


def test_noise_alone_does_not_shake_it() -> None:
    """With latencies that vary by a factor of two the limit stays near the slots."""
    told = adaptive(Run(server=ServerSettings(noise=0.6, stalls=0.03)))
    late = told.limits[120:]
    assert sum(late) / len(late) == pytest.approx(8, abs=1)


@pytest.fixture
def clock() -> Clock:
    """Give a clock that stands still."""
    return Clock()


def test_the_bound_of_the_settings_is_never_passed(clock: Clock) -> None:
    """However well it goes, and for people too, no more than max_in_flight are under way."""
    limit = AdaptiveLimit(LimitPolicy(most=5), clock)
    for _ in range(200):
        tickets = [limit.start(1, 100) for _ in range(limit.room(1))]
        tickets += [limit.start(0, 100) for _ in range(limit.room(0))]
        assert limit.in_flight <= 5
        for ticket in tickets:
            limit.answered(ticket, 0.1, 1.0)
    assert limit.limit == 5


def test_retry_after_is_obeyed(clock: Clock) -> None:
    """Nothing goes out, not even for people, until the time that a server asked for is over."""
    limit = AdaptiveLimit(LimitPolicy(), clock)
    limit.overloaded(limit.start(1), "refused", 7.0)
    assert (limit.room(1), limit.room(0), limit.blocked_seconds()) == (0, 0, 7.0)
    clock.now += 7.0
    assert limit.room(1) == 1


def test_the_refusals_of_one_moment_count_once(clock: Clock) -> None:
    """Eight 429 to asks of one generation take the limit down by one step."""
    limit = AdaptiveLimit(LimitPolicy(first=20), clock)
    for ticket in [limit.start(1) for _ in range(8)]:
        limit.overloaded(ticket, "refused")
    assert limit.limit == 17


def test_timeouts_halve_it(clock: Clock) -> None:
    """A server that does not answer in time gets half as much."""
    limit = AdaptiveLimit(LimitPolicy(first=20), clock)
    limit.overloaded(limit.start(1), "timeout")
    assert limit.limit == 10


def test_late_first_tokens_count_before_their_answers_are_there(clock: Clock) -> None:
    """A server that became full is left alone while its answers still come; each counts once."""
    limit = AdaptiveLimit(LimitPolicy(first=8), clock)
    limit.overloaded(limit.start(1), "refused")
    for _ in range(4):
        for ticket in [limit.start(1, 100) for _ in range(limit.room(1))]:
            limit.answered(ticket, 0.1, 4.0)
    before = limit.limit
    tickets = [limit.start(1, 100) for _ in range(limit.room(1))]
    for ticket in tickets:
        limit.first_token(ticket, 3.0)
    after = limit.limit
    assert after < before
    for ticket in tickets:
        limit.answered(ticket, 3.0, 7.0)
    assert (limit.limit, limit.in_flight) == (after, 0)


def test_what_changes_during_a_step_back_is_no_new_floor(clock: Clock) -> None:
    """First tokens ten times later after a step than before it: it steps back again."""
    limit = AdaptiveLimit(LimitPolicy(), clock)
    for seconds in (0.1, 0.1, 0.1, 1.0, 10.0):
        limits = limit.limit
        for ticket in [limit.start(1, 100) for _ in range(limit.room(1))]:
            limit.answered(ticket, seconds, seconds + 2.0)
    assert limit.limit < limits


def test_a_slower_server_is_no_full_server(clock: Clock) -> None:
    """Where first tokens stay late although less is under way, the limit comes back."""
    limit = AdaptiveLimit(LimitPolicy(first=8, most=8), clock)
    for seconds in (0.2, 0.2, 2.0, 2.0, 2.0, 2.0, 2.0):
        for _ in range(8):
            tickets = [limit.start(1, 500) for _ in range(limit.room(1))]
            for ticket in tickets:
                limit.answered(ticket, seconds, seconds + 2.0)
    assert limit.limit == 8


def test_what_the_server_says_is_believed(clock: Clock) -> None:
    """Its slots are the limit at once; those that others use are left to them."""
    limit = AdaptiveLimit(LimitPolicy(most=32), clock)
    limit.observe(running=0, waiting=0, slots=6)
    assert limit.limit == 6
    limit.observe(running=4, waiting=0, slots=6)
    assert limit.limit == 2


def test_asks_that_wait_at_the_server_are_too_many(clock: Clock) -> None:
    """A server that twice says that some wait gets so many fewer."""
    limit = AdaptiveLimit(LimitPolicy(first=10), clock)
    for _ in range(10):
        limit.start(1)
    limit.observe(running=7, waiting=3, slots=None)
    assert limit.limit == 10
    limit.observe(running=7, waiting=3, slots=None)
    assert limit.limit == 7


def test_a_hot_device_gets_less(clock: Clock) -> None:
    """The device's share scales the limit, down to nothing."""
    limit = AdaptiveLimit(LimitPolicy(first=8), clock)
    limit.scale(0.5)
    assert limit.room(1) == 4
    limit.scale(0.0)
    assert limit.room(0) == 0


def test_other_faults_say_nothing_of_the_load(clock: Clock) -> None:
    """A 500 or a lost connection leaves the limit where it is."""
    limit = AdaptiveLimit(LimitPolicy(first=8), clock)
    limit.failed(limit.start(1))
    limit.abandoned(limit.start(1))
    assert (limit.limit, limit.in_flight) == (8, 0)


def test_places_are_kept_while_people_ask() -> None:
    """As many places as people took at once stay free, and none when nobody came for a while."""
    reserve = Reserve(300.0)
    assert reserve.kept(0.0, 8) == 0
    reserve.begun(0.0)
    reserve.begun(1.0)
    assert reserve.kept(1.0, 8) == 0
    reserve.over()
    reserve.over()
    assert reserve.kept(2.0, 8) == 2
    assert reserve.kept(2.0, 3) == 1
    assert reserve.kept(302.0, 8) == 0
