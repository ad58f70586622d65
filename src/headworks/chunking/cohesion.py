"""Lexical cohesion: how much two neighbouring paragraphs speak of the same.

Takes the two sides of a boundary, gives how much a cut between them costs more or less. Never
needs a model or a dictionary: words are pairs of characters.
"""

from operator import add

# As much of each side as is looked at, and the least that says anything.
_WINDOW = 160
_LEAST = 24
# Neighbours in one document share about this much of their pairs by chance.
_CHANCE = 0.12
_WEIGHT = 2.5
_MOST = 0.6


def shared(left: str, right: str) -> float:
    """Give the share of the smaller side's character pairs that the other side has, too."""
    ours = set(map(add, left, left[1:]))
    theirs = set(map(add, right, right[1:]))
    least = min(len(ours), len(theirs))
    return len(ours & theirs) / least if least else 0.0


def both_sides(text: str, end: int, start: int, limits: tuple[int, int]) -> tuple[str, str] | None:
    """Give as much of the two sides of a boundary as is looked at; none where they say too little.

    ``end`` is where the left one ends, ``start`` where the right one begins, ``limits`` where the
    left begins and the right ends.
    """
    left = text[max(limits[0], end - _WINDOW) : end]
    right = text[start : min(limits[1], start + _WINDOW)]
    return None if min(len(left), len(right)) < _LEAST else (left, right)


def bond(sides: tuple[str, str]) -> float:
    """Give what a cut between two paragraphs costs more (same matter) or less (another)."""
    return max(-_MOST, min(_MOST, _WEIGHT * (shared(*sides) - _CHANCE)))
