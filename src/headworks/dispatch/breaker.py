"""A circuit breaker: stops asking what fails, and finds out when it is back.

Takes outcomes and a clock that is handed in, gives whether the next call may go. Never sleeps,
never calls and never reads a clock of its own.
"""

from collections import deque
from collections.abc import Callable
from typing import Literal

import msgspec

BreakerState = Literal["closed", "open", "half_open"]


class BreakerPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """When a breaker opens, and for how long.

    ``failures`` in a row open it (0: never by that). So does a ``share`` of failures among the
    last ``window`` outcomes no older than ``window_seconds``, once there are ``at_least`` of them
    (share 0: never by that). It is half open after ``open_seconds``: ``trials`` calls may go, and
    as many successes close it; one failure opens it again for the same time.
    """

    failures: int = 5
    share: float = 0.0
    at_least: int = 10
    window: int = 50
    window_seconds: float = 300.0
    open_seconds: float = 60.0
    trials: int = 1


class Breaker:
    """The breaker of one stage or one target.

    Ask ``allows`` before a call, then tell ``succeeded``, ``failed``, or ``abandoned`` for a call
    whose outcome says nothing about what was called (a cancellation, a broken input).
    """

    def __init__(self, policy: BreakerPolicy, clock: Callable[[], float]) -> None:
        self._policy = policy
        self._clock = clock
        self._state: BreakerState = "closed"
        self._opened_at = 0.0
        self._rests = 0
        self._in_a_row = 0
        self._under_trial: list[float] = []
        self._good_trials = 0
        self._outcomes: deque[tuple[float, bool]] = deque(maxlen=max(1, policy.window))

    @property
    def state(self) -> BreakerState:
        """Give the state now: an open one turns half open by time alone."""
        if self._state == "open" and self._clock() - self._opened_at >= self._policy.open_seconds:
            self._state = "half_open"
            self._under_trial.clear()
            self._good_trials = 0
        return self._state

    @property
    def rests(self) -> int:
        """Tell how often it opened since a call last did its work."""
        return self._rests

    def seconds_left(self) -> float:
        """Tell how long it stays open yet; 0 where a call may go or a trial is under way."""
        if self.state != "open":
            return 0.0
        return max(0.0, self._opened_at + self._policy.open_seconds - self._clock())

    def would_allow(self) -> bool:
        """Tell whether a call may go now, without taking a trial's place."""
        state = self.state
        if state == "half_open":
            self._forget_lost_trials()
            return len(self._under_trial) + self._good_trials < self._policy.trials
        return state == "closed"

    def allows(self) -> bool:
        """Tell whether a call may go now; half open, it takes the place of a trial."""
        allowed = self.would_allow()
        if allowed and self._state == "half_open":
            self._under_trial.append(self._clock())
        return allowed

    def succeeded(self) -> None:
        """Count a call that did its work."""
        self._in_a_row = 0
        self._rests = 0
        state = self.state
        if state == "half_open":
            self._end_trial()
            self._good_trials += 1
            if self._good_trials >= self._policy.trials:
                self.reset()
        elif state == "closed":
            self._outcomes.append((self._clock(), True))

    def failed(self) -> None:
        """Count a call that failed; it may open the breaker."""
        self._in_a_row += 1
        state = self.state
        if state == "half_open":
            self._open()
        elif state == "closed":
            self._outcomes.append((self._clock(), False))
            if self._too_many():
                self._open()

    def abandoned(self) -> None:
        """Give back the place of a call whose outcome says nothing."""
        if self.state == "half_open":
            self._end_trial()

    def reset(self) -> None:
        """Close it and forget what was: a person says that the cause is gone."""
        self._state = "closed"
        self._in_a_row = 0
        self._rests = 0
        self._under_trial.clear()
        self._outcomes.clear()

    def _open(self) -> None:
        self._state = "open"
        self._opened_at = self._clock()
        self._rests += 1
        self._outcomes.clear()

    def _end_trial(self) -> None:
        if self._under_trial:
            self._under_trial.pop(0)

    def _forget_lost_trials(self) -> None:
        # A trial whose caller died would keep the breaker half open for good.
        oldest = self._clock() - max(self._policy.open_seconds, 1.0) * 5
        self._under_trial = [started for started in self._under_trial if started > oldest]

    def _too_many(self) -> bool:
        policy = self._policy
        if policy.failures and self._in_a_row >= policy.failures:
            return True
        if not policy.share:
            return False
        oldest = self._clock() - policy.window_seconds
        recent = [good for at, good in self._outcomes if at >= oldest]
        return len(recent) >= policy.at_least and recent.count(False) >= policy.share * len(recent)
