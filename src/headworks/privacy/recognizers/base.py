"""What a recogniser of personal data is, and the scan for digits that most of them start from.

Takes folded text, gives ``Value`` with the value without blanks. Never gives a value whose check
digit is wrong.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import msgspec

from headworks.model.place import Span
from headworks.model.verdict import Value


class Detector(msgspec.Struct, frozen=True):
    """One kind of personal data.

    ``label`` is what its tokens are called (ID_CARD); of two detectors that claim the same range
    the one with the higher ``rank`` wins. ``usual`` ones are what 脱敏 means without a list.
    """

    name: str
    zh: str
    label: str
    rank: int
    find: Callable[[str], list[Value]]
    aliases: tuple[str, ...] = ()
    usual: bool = True


# Digits in groups: one blank, hyphen or line break may stand between two of them.
_LEAST = 11
_RUN = re.compile(
    rf"(?<![0-9a-z.])[0-9](?:(?:[ \t-]|[ \t]?\r?\n[ \t]{{0,4}})?[0-9]){{{_LEAST - 1},}}"
)
_GROUP = re.compile(r"[0-9]+")
_MAX_GROUPS = 19


class Digits(msgspec.Struct, frozen=True):
    """Neighbouring groups of digits: the digits alone, their range, the groups' lengths."""

    digits: str
    start: int
    end: int
    groups: tuple[int, ...]


def digit_runs(text: str, least: int) -> Iterator[list[tuple[int, int]]]:
    """Give each run of at least ``least`` digits (11 or more) as the ranges of its groups."""
    for groups, count in _long_runs(text):
        if count >= least:
            yield groups


@lru_cache(maxsize=2)
def _long_runs(text: str) -> tuple[tuple[list[tuple[int, int]], int], ...]:
    """The runs of a text and their digits: three recognisers ask for them, one after the other."""
    found = []
    for run in _RUN.finditer(text):
        groups = [group.span() for group in _GROUP.finditer(text, run.start(), run.end())]
        found.append((groups, sum(end - start for start, end in groups)))
    return tuple(found)


def windows(text: str, groups: list[tuple[int, int]], sizes: range) -> Iterator[Digits]:
    """Give each row of neighbouring groups whose digits together are as many as asked."""
    for first in range(len(groups)):
        count = 0
        for last in range(first, min(first + _MAX_GROUPS, len(groups))):
            count += groups[last][1] - groups[last][0]
            if count >= sizes.stop:
                break
            if count in sizes:
                chosen = groups[first : last + 1]
                digits = "".join(text[start:end] for start, end in chosen)
                lengths = tuple(end - start for start, end in chosen)
                yield Digits(digits, chosen[0][0], chosen[-1][1], lengths)


def value_of(text: str, start: int, end: int, kind: str, plain: str) -> Value:
    """Make the value of a range."""
    return Value(text[start:end], kind, plain, Span(start, end))


def labelled(text: str, at: int, labels: re.Pattern[str], reach: int = 24) -> bool:
    """Tell whether one of the labels stands shortly before a place."""
    return labels.search(text, max(0, at - reach), at) is not None


def ends_free(text: str, end: int) -> bool:
    """Tell whether a number ends here: no letter, digit or decimal part goes on."""
    after = text[end : end + 2]
    if after[:1].isascii() and after[:1].isalnum():
        return False
    return not (after[:1] == "." and after[1:].isdigit())
