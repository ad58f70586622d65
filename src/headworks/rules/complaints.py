"""What is wrong with a rule, told so that its author can put it right.

Takes a sentence, a code and a position, gives a value that prints with a caret and a rewrite,
and the same as plain values for editors. Never guesses what was meant without saying so.
"""

import difflib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec


class Complaint(msgspec.Struct, frozen=True):
    """An error (E…), a warning (W…) or a lint finding (L…).

    ``position`` counts characters of ``sentence`` from 1, 0 where there is none. ``place`` is
    ``file:line:column`` where known.
    """

    code: str
    message: str
    position: int = 0
    length: int = 1
    suggestions: tuple[str, ...] = ()
    sentence: str = ""
    place: str = ""
    rule: str = ""

    @property
    def is_error(self) -> bool:
        """Tell whether the pack is refused for it."""
        return self.code.startswith("E")

    def lines(self) -> list[str]:
        """Give the message in Chinese, the sentence with a caret below it, and each suggestion."""
        head = f"{self.place}: " if self.place else ""
        where = f" 第{self.position}字" if self.position else ""
        lines = [f"{head}{self.code}{where}：{self.message}", *self.shown()]
        return lines + [f"  建议：{suggestion}" for suggestion in self.suggestions]

    def shown(self) -> list[str]:
        """Give the sentence with a caret below the place; nothing where there is none."""
        if not (self.sentence and self.position):
            return []
        before = width(self.sentence[: self.position - 1])
        marked = self.sentence[self.position - 1 : self.position - 1 + self.length]
        return [f"  {self.sentence}", "  " + " " * before + "^" * max(1, width(marked))]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def as_json(self) -> dict[str, Any]:
        """Give the complaint as an editor wants it; the column counts from 1."""
        file, line, column = split_place(self.place)
        return {
            "code": self.code,
            "severity": "error" if self.is_error else "warning",
            "message": self.message,
            "position": self.position,
            "length": self.length,
            "suggestions": list(self.suggestions),
            "sentence": self.sentence,
            "rule": self.rule,
            "file": file,
            "line": line,
            "column": column,
        }


class SentenceError(Exception):
    """A sentence was refused. Raised and caught inside ``rules`` only."""

    def __init__(self, complaint: Complaint) -> None:
        super().__init__(str(complaint))
        self.complaint = complaint


def split_place(place: str) -> tuple[str, int, int]:
    """Take ``file:line:column`` apart; zeros where the numbers are missing."""
    parts = place.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return parts[0], int(parts[1]), int(parts[2])
    return place, 0, 0


def width(text: str) -> int:
    """Give how many columns a terminal needs, two for an East Asian wide character."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def nearest(word: str, known: Iterable[str], *, cutoff: float = 0.5) -> str | None:
    """Give the known word most like a wrong one, or none."""
    listed = list(known)
    found = difflib.get_close_matches(word, listed, n=1, cutoff=cutoff)
    return found[0] if found else None


def nearest_start(text: str, known: Iterable[str]) -> str | None:
    """Give the known phrase most like what a text begins with: 包函"违约金" → 包含."""
    best: tuple[float, int, str] | None = None
    for phrase in known:
        if phrase[:1] == "不" != text[:1]:
            continue  # the opposite is never what was meant
        for size in (len(phrase), len(phrase) - 1, len(phrase) + 1):
            if size < 2 or size > len(text):
                continue
            likeness = difflib.SequenceMatcher(None, text[:size], phrase).ratio()
            if likeness >= 0.5 and (best is None or (likeness, len(phrase)) > best[:2]):
                best = (likeness, len(phrase), phrase)
    return best[2] if best else None


def bracketed(pieces: Sequence[str], joins: Sequence[str], inner: str) -> str:
    """Join conditions, brackets around the runs that the inner connective holds together.

    >>> bracketed(["甲", "乙", "丙"], ["and", "or"], "and")
    '（甲并且乙）或者丙'
    """
    groups: list[list[str]] = [[pieces[0]]]
    for join, piece in zip(joins, pieces[1:], strict=True):
        if join == inner:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    word = {"and": "并且", "or": "或者"}
    shown = [f"（{word[inner].join(group)}）" if len(group) > 1 else group[0] for group in groups]
    return word["or" if inner == "and" else "and"].join(shown)
