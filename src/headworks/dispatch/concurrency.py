"""How many asks may be under way at one server, found out while they are.

Takes starts, first-token times and refusals, with a clock that is handed in; gives how many more
may go. Slow start, then one more at a time while nobody waits; back to what the server can as
soon as they do. Never over the bound of the settings, never asks the server anything itself.
"""

from collections import deque
from collections.abc import Callable
from statistics import fmean, median
from typing import Literal

import msgspec

from headworks.dispatch.reserve import Reserve

Overload = Literal["refused", "timeout"]

# Prompt tokens that stand for what a first token costs whatever the prompt's length.
_FIXED_TOKENS = 200
_LONGEST_HOLD = 4
_CROWD = 0.25
# Two people in their last four at the top of the limit who wait this many times the floor.
_LATE_STRETCH = 2.0
_LATE, _OF_PEOPLE = 2, 4
# First tokens that come so many times later than before a step back are another story.
_CHANGED = 2.0
_TOP = 0.7
# While people ask, one more is tried out this seldom.
_TRIAL_SECONDS = 600.0


class LimitPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """``most`` is never passed. Asks wait at the server when the median first-token time is over
    ``stretch`` times the learned floor, and by Little's law ``queue`` of them or more stand there.
    """

    most: int = 32
    first: int = 2
    stretch: float = 1.5
    queue: float = 0.5
    refused_share: float = 0.85
    timeout_share: float = 0.5
    reserve_seconds: float = 300.0


class Ticket(msgspec.Struct, frozen=True):
    """An ask under way: ``generation`` is the limit's number when it started, ``place`` how many
    were under way with it. ``number`` is its own.
    """

    level: int
    tokens: int
    generation: int
    place: int
    number: int = 0


class _Sample(msgspec.Struct, frozen=True):
    """What an answer told: seconds to the first token and in all, and the prompt's tokens."""

    first: float
    whole: float
    tokens: int

    @property
    def stretch(self) -> float:
        return self.first / (self.tokens + _FIXED_TOKENS)


class AdaptiveLimit:
    """The limit of one server.

    Ask ``room`` before a start, then tell ``start``, for each ticket ``first_token`` as soon as it
    is there (where that is known), and one of ``answered``, ``overloaded``, ``failed`` (another
    fault) and ``abandoned``.
    """

    def __init__(self, policy: LimitPolicy, clock: Callable[[], float]) -> None:
        self._policy = policy
        self._clock = clock
        self._limit = max(1, min(policy.first, policy.most))
        self._good = self._limit
        self._generation = 0
        self._in_flight = 0
        self._reserve = Reserve(policy.reserve_seconds)
        self._blocked_until = 0.0
        self._scale = 1.0
        self._slots: int | None = None
        self._seen_waiting = False
        # Learning.
        self._floor: float | None = None
        self._usual_wait = 0.0
        self._samples: list[_Sample] = []
        self._started = 0
        self._told: set[int] = set()
        self._rest: float | None = None
        self._used = False
        self._slow_start = True
        self._step = 1
        self._clean_rounds = 0
        self._rounds_to_hold = 0
        self._hold = 1
        self._suspected = False
        self._before: tuple[float, int] | None = None
        self._people: deque[tuple[int, bool]] = deque(maxlen=_OF_PEOPLE)
        self._tried_at = clock()

    @property
    def limit(self) -> int:
        """How many may be under way now, the device's share and the bound taken into account."""
        return max(1, min(int(self._limit * self._scale), self._policy.most))

    @property
    def in_flight(self) -> int:
        """How many are under way."""
        return self._in_flight

    def blocked_seconds(self) -> float:
        """Tell how long the server asked for nothing more."""
        return max(0.0, self._blocked_until - self._clock())

    def room(self, level: int) -> int:
        """Tell how many asks of a level may start now.

        Interactive ones (level 0) may pass the limit by one; for them a place is left empty while
        there are such.
        """
        if self._clock() < self._blocked_until or self._scale <= 0:
            return 0
        limit = self.limit
        if level == 0:
            return max(0, min(limit + 1, self._policy.most) - self._in_flight)
        kept = self._reserve.kept(self._clock(), limit)
        return max(0, limit - kept - self._in_flight)

    def start(self, level: int, tokens: int = 0) -> Ticket:
        """Count an ask that goes out."""
        self._in_flight += 1
        if level == 0:
            newly = not self._reserve.awake(self._clock())
            self._reserve.begun(self._clock())
            if newly and not self._slow_start:
                # While a person may ask, nobody tries out whether one more fits.
                self._set(min(self._limit, self._good))
        if self.room(1) == 0:
            self._used = True
        self._started += 1
        return Ticket(level, tokens, self._generation, self._in_flight, self._started)

    def first_token(self, ticket: Ticket, seconds: float) -> None:
        """Count a first token while its answer still comes: that takes as long as others took.

        So a server that has become slower is known one answer's time sooner. While the limit is
        found at first, whole answers decide: noise would end that too early.
        """
        if self._slow_start or self._rest is None or ticket.number in self._told:
            return
        self._told.add(ticket.number)
        self._take(ticket, seconds, seconds + self._rest)

    def answered(self, ticket: Ticket, first_token_seconds: float, seconds: float) -> None:
        """Count an answer that came whole."""
        is_told = ticket.number in self._told
        self._ended(ticket)
        rest = max(0.0, seconds - first_token_seconds)
        self._rest = rest if self._rest is None else self._rest + 0.1 * (rest - self._rest)
        if not is_told:
            self._take(ticket, first_token_seconds, max(seconds, first_token_seconds))

    def _take(self, ticket: Ticket, first: float, whole: float) -> None:
        """Take a sample in, and judge where there are enough of this generation."""
        if ticket.level == 0:
            self._person_told(ticket, first)
        if ticket.generation != self._generation:
            return
        self._samples.append(_Sample(first, max(whole, 1e-6), ticket.tokens))
        if len(self._samples) >= self._round():
            self._judge()

    def overloaded(self, ticket: Ticket, kind: Overload, delay: float | None = None) -> None:
        """Count a 429, a 503 or a timeout; nothing goes out for the time that it asked for."""
        self._ended(ticket)
        if delay:
            self._blocked_until = max(self._blocked_until, self._clock() + delay)
        # The others of the same generation tell the same again.
        if ticket.generation == self._generation:
            policy = self._policy
            share = policy.refused_share if kind == "refused" else policy.timeout_share
            self._slow_start = False
            self._good = min(self._good, max(1, int(self._limit * share)))
            self._back_to(min(int(self._limit * share), self._limit - 1))
            self._rounds_to_hold = _LONGEST_HOLD

    def failed(self, ticket: Ticket) -> None:
        """Count another fault: it says nothing of the load, and no round is clean with it."""
        self._ended(ticket)
        self._clean_rounds = 0
        self._samples.clear()

    def abandoned(self, ticket: Ticket) -> None:
        """Count one that was cancelled here."""
        self._ended(ticket)

    def observe(self, running: int | None, waiting: int | None, slots: int | None) -> None:
        """Take in what the server itself says of its load (none: it does not say)."""
        if slots:
            others = max(0, (running or 0) - self._in_flight)
            free = max(1, slots - others)
            if free != self._slots:
                self._slots = free
                self._slow_start = False
                self._good = free
                self._set(min(free, self._policy.most))
        stands = bool(waiting)
        # Once may be the moment between two answers.
        if stands and self._seen_waiting and waiting and self._in_flight:
            self._slow_start = False
            self._back_to(self._limit - min(waiting, self._limit // 2))
            stands = False
        self._seen_waiting = stands

    def scale(self, share: float) -> None:
        """Take in how much of the limit the device bears: by its memory and temperature."""
        self._scale = min(1.0, max(0.0, share))

    def _ended(self, ticket: Ticket) -> None:
        self._in_flight = max(0, self._in_flight - 1)
        self._told.discard(ticket.number)
        if ticket.level == 0:
            self._reserve.over()

    def _person_told(self, ticket: Ticket, first: float) -> None:
        """People go past the others: they alone see whether the top of the limit is there."""
        if self._floor is None or ticket.place < _TOP * self.limit:
            return
        expected = self._floor * (ticket.tokens + _FIXED_TOKENS)
        waited = first > _LATE_STRETCH * expected
        self._people.append((ticket.place, waited))
        late = [place for place, waited in self._people if waited]
        tried_out = waited and ticket.place > self._good and not self._slow_start
        if (tried_out or len(late) >= _LATE) and self._limit > 1:
            self._people.clear()
            self._tried_at = self._clock()
            self._good = max(1, min(*late, self._limit) - 1)
            self._slow_start = False
            self._back_to(self._good)

    def _round(self) -> int:
        """How many answers of one generation make a verdict."""
        return self._limit if self._slow_start else max(3, self._limit)

    def _judge(self) -> None:
        samples, self._samples = self._samples, []
        used, self._used = self._used, False
        now = median(sample.stretch for sample in samples)
        if self._was_no_queue(now):
            return
        if self._floor is None:
            # The least of the first: some of them may have waited already.
            self._floor = min(sample.stretch for sample in samples)
        wait = self._wait(samples, self._floor)
        unusual = max(0.0, wait - self._usual_wait)
        standing = self._limit * unusual / fmean(sample.whole for sample in samples)
        stretched = now > self._policy.stretch * self._floor
        if stretched and standing >= self._policy.queue and self._limit > 1:
            # One round may be noise; unless a quarter stands there, the next has to say it too.
            if self._suspected or self._slow_start or standing >= _CROWD * self._limit:
                # While the line grows its head has waited least: its tail is what was before.
                self._waits(_late(samples), standing)
            else:
                self._suspected = True
            return
        self._suspected = False
        self._floor = _followed(self._floor, now)
        self._usual_wait = _followed(self._usual_wait, wait)
        if used and not self._reserve.awake(self._clock()):
            self._good = max(self._good, self._limit)
        if used:
            self._grow()

    def _was_no_queue(self, now: float) -> bool:
        """After a step back: where first tokens come no sooner, it was not too much at once.

        The server has become slower, or its prompts longer: that is the new floor. Where they come
        far later than before the step, something else has changed meanwhile: that tells nothing.
        """
        before, self._before = self._before, None
        if before is None or not 0.8 * before[0] <= now <= _CHANGED * before[0]:
            return False
        self._floor = now
        self._set(max(self._limit, before[1]))
        return True

    def _wait(self, samples: list[_Sample], floor: float) -> float:
        """Give the mean of the seconds over what the floor lets expect."""
        return fmean(
            max(0.0, sample.first - floor * (sample.tokens + _FIXED_TOKENS)) for sample in samples
        )

    def _waits(self, late: float, standing: float) -> None:
        """Asks wait: as many fewer as stand there, at least one, at most half."""
        fewer = max(1, min(round(standing), self._limit - self._limit // 2))
        if not self._slow_start:
            self._hold = min(_LONGEST_HOLD, self._hold * 2)
        self._slow_start = False
        self._before = (late, self._limit)
        self._good = self._limit - fewer
        self._back_to(self._limit - fewer)
        self._rounds_to_hold = self._hold

    def _back_to(self, limit: int) -> None:
        self._step = 1
        self._clean_rounds = 0
        self._set(limit)

    def _grow(self) -> None:
        awake = self._reserve.awake(self._clock())
        if self._slow_start:
            self._set(self._limit + (1 if awake else self._limit))
            return
        if awake and self._limit >= self._good:
            # A place is left empty: that nobody waits says nothing of one more.
            if self._clock() - self._tried_at >= _TRIAL_SECONDS:
                self._tried_at = self._clock()
                self._set(self._limit + 1)
            return
        if self._rounds_to_hold > 0:
            self._rounds_to_hold -= 1
            return
        self._clean_rounds += 1
        if self._clean_rounds > 1:
            # It had room for more than one: it may have room for many.
            self._step = min(self._step * 2, max(1, self._limit))
            self._hold = 1
        self._set(self._limit + self._step)

    def _set(self, limit: int) -> None:
        most = self._policy.most
        if self._slots is not None:
            most = min(most, self._slots)
        limit = max(1, min(limit, most))
        if limit != self._limit:
            self._limit = limit
            self._generation += 1
            self._suspected = False
            self._samples.clear()
            self._used = False


def _late(samples: list[_Sample]) -> float:
    """Give the stretch that a quarter of the samples reach."""
    ordered = sorted(sample.stretch for sample in samples)
    return ordered[min(len(ordered) - 1, 3 * len(ordered) // 4)]


def _followed(learned: float, now: float) -> float:
    """Move what was learned: down fast, up slowly; noise evens out, and no queue creeps in."""
    return learned + (0.5 if now < learned else 0.1) * (now - learned)
