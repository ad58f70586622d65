"""Places that stay empty for people: as many as nearly always do, by the last minutes.

Takes when interactive asks begin and end, gives how many places other work leaves free. Where
nobody asks, none are.
"""

from collections import deque

# So small a share of people may find no place kept.
_SHARE = 0.02


class Reserve:
    """The places kept at one server, by the asks of the last ``seconds``."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._now = 0
        # When each began, and how many were under way with it.
        self._begun: deque[tuple[float, int]] = deque()
        self._wanted = 0

    def begun(self, at: float) -> None:
        """An interactive ask goes out."""
        self._now += 1
        self._begun.append((at, self._now))
        self._count(at)

    def over(self) -> None:
        """An interactive ask is over."""
        self._now = max(0, self._now - 1)

    def awake(self, at: float) -> bool:
        """Tell whether somebody asked lately."""
        self._forget(at)
        return self._now > 0 or bool(self._begun)

    def kept(self, at: float, limit: int) -> int:
        """Give the places to leave free now, at most half of the limit."""
        self._forget(at)
        return min(max(0, self._wanted - self._now), limit // 2)

    def _forget(self, at: float) -> None:
        if self._begun and at - self._begun[0][0] > self._seconds:
            self._count(at)

    def _count(self, at: float) -> None:
        while self._begun and at - self._begun[0][0] > self._seconds:
            self._begun.popleft()
        together = sorted(number for _, number in self._begun)
        place = len(together) - 1 - int(len(together) * _SHARE)
        self._wanted = together[place] if together else 0
