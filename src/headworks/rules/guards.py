"""Guards: words near a trigger that take its meaning away (不, 无需) or make it conditional (如).

Takes folded text and a trigger's place, gives what a guard says there. Never reads 不 in 不可抗力
or 如 in 如下: each word has the list of words that it is only a part of.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from headworks.model.folding import fold
from headworks.rules.guard_words import EXCEPTIONS
from headworks.rules.stretch import Stretch

GuardAction = Literal["reject", "annotate"]
GuardKind = Literal["words", "quotation", "question"]
Places = tuple[list[tuple[int, int, str]], list[int]]


NEGATION = ("不", "未", "无", "免", "非", "没有", "无需", "毋须", "无须", "免除", "豁免")
QUESTION = ("是否", "能否", "可否", "有无")
CONDITION = ("如", "若", "除非", "倘若", "假如", "假设", "一旦", "当...时", "如果", "如若")


# What these guards look at is no word before the trigger.
_KINDS: dict[str, GuardKind] = {
    "quotation": "quotation",
    "引文": "quotation",
    "question": "question",
    "疑问": "question",
}
_STOP = re.compile(r"[。!?\n]")
# Where a text points elsewhere instead of saying it.
REFERENCE = ("见附件", "详见", "参见", "见第", "见本", "另行约定", "另行签订", "以附件为准")


class Guard(msgspec.Struct, frozen=True):
    """One guard; ``before`` is a reach in characters, or ``sentence`` for all up to the trigger.

    ``after`` looks as far behind the trigger's first character too. ``kind`` quotation asks whether
    the trigger stands in a title or quotation marks, question whether its sentence is a question.
    """

    name: str
    words: tuple[str, ...]
    before: int | Literal["sentence"]
    action: GuardAction
    exceptions: tuple[str, ...] = ()
    between: bool = False
    after: int = 0
    kind: GuardKind = "words"


class GuardHit(msgspec.Struct, frozen=True):
    """A guard word that stands in a trigger's reach."""

    guard: str
    action: GuardAction
    word: str
    start: int


class GuardWords:
    """The words of a guard with their exceptions; no pattern is made before the first look."""

    __slots__ = ("_exempt", "_finder", "_made", "exceptions", "words")

    def __init__(self, words: tuple[str, ...], exceptions: tuple[str, ...]) -> None:
        self.words = words
        self.exceptions = exceptions
        self._made = False
        self._finder: re.Pattern[str] | None = None
        self._exempt: list[tuple[int, tuple[str, ...]]] = []

    def places(self, stretch: Stretch) -> Places:
        """Give the places of the words in a stretch, and where they begin; found once."""
        known: Places | None = stretch.kept.get(self)
        if known is None:
            if not self._made:
                self._finder = _finder(self.words)
                self._exempt = _exempt_words(self.words, self.exceptions)
                self._made = True
            found = _places(stretch.text, stretch.start, stretch.end, self._finder, self._exempt)
            known = stretch.kept[self] = found, [start for start, _end, _word in found]
        return known

    def within(self, stretch: Stretch, start: int, end: int) -> tuple[int, int, str] | None:
        """Give the first of the words that lies between two offsets, if any does."""
        places, starts = self.places(stretch)
        at = bisect_left(starts, start) if starts else 0
        if at < len(places) and places[at][1] <= end:
            return places[at]
        return None


@lru_cache(maxsize=1_000)
def guard_words(words: tuple[str, ...], exceptions: tuple[str, ...]) -> GuardWords:
    """Give the one ``GuardWords`` of these words, so that rules with the same share a look."""
    return GuardWords(words, exceptions)


class Guards:
    """All guards of a rule, to be asked for any trigger in any stretch of folded text."""

    __slots__ = ("_all", "_between", "guards")

    def __init__(self, guards: Sequence[Guard]) -> None:
        self.guards = tuple(guards)
        self._all = tuple(
            (guard, guard_words(guard.words, guard.exceptions)) for guard in self.guards
        )
        self._between = tuple((guard, words) for guard, words in self._all if guard.between)

    def before(self, stretch: Stretch, trigger: int, sentence: int) -> list[GuardHit]:
        """Give what guards a trigger: words before it in its sentence, behind it, or around it."""
        hits = []
        for guard, words in self._all:
            if guard.kind == "words" and not guard.after and not words.places(stretch)[1]:
                continue
            word = _guarding(stretch, guard, words, trigger, sentence)
            if word is not None:
                hits.append(GuardHit(guard.name, guard.action, word[2], word[0]))
        return hits

    def between(self, stretch: Stretch, start: int, end: int) -> str:
        """Give the guard word that cuts the way from one step of a sequence to the next, or ""."""
        if end > start:
            for _guard, words in self._between:
                word = words.within(stretch, start, end)
                if word is not None:
                    return word[2]
        return ""


def _guarding(
    stretch: Stretch, guard: Guard, words: GuardWords, trigger: int, sentence: int
) -> tuple[int, int, str] | None:
    if guard.kind == "quotation":
        return _quoted(stretch.text, trigger, sentence)
    if guard.kind == "question":
        stop = _STOP.search(stretch.text, trigger, stretch.end)
        if stop is not None and stop.group() == "?":
            return stop.start(), stop.end(), "？"
    reach = sentence if guard.before == "sentence" else max(sentence, trigger - guard.before)
    word = words.within(stretch, reach, trigger)
    if word is None and guard.after:
        word = words.within(stretch, trigger, min(stretch.end, trigger + guard.after))
    return word


def _quoted(text: str, trigger: int, sentence: int) -> tuple[int, int, str] | None:
    """Where the title or quotation that holds the trigger was opened, if one does."""
    opened = text.rfind("《", sentence, trigger)
    if opened != -1 and text.find("》", opened, trigger) == -1:
        return opened, opened + 1, "《"
    if text.count('"', sentence, trigger) % 2:
        opened = text.rfind('"', sentence, trigger)
        return opened, opened + 1, '"'
    return None


def guard_of(name: str, words: Iterable[str], fields: Mapping[str, object]) -> Guard:
    """Make a guard from a pack's entry; negation rejects and condition annotates by default."""
    negates = name in ("negation", "否定")
    kind: GuardKind = _KINDS.get(name, "words")
    rejects = negates or kind != "words" or name in ("reference", "参见")
    action = fields.get("action", "reject" if rejects else "annotate")
    before = fields.get("before", 4 if negates else 0 if "after" in fields else "sentence")
    after = fields.get("after", 0)
    exceptions = fields.get("except", ())
    listed = [exceptions] if isinstance(exceptions, str) else list(_iterable(exceptions))
    return Guard(
        name=name,
        words=tuple(fold(word) for word in words),
        before=before if isinstance(before, int) else "sentence",
        action="reject" if action == "reject" else "annotate",
        exceptions=tuple(fold(str(word)) for word in listed),
        between=negates and action == "reject" and fields.get("between", True) is not False,
        after=after if isinstance(after, int) else 0,
        kind=kind,
    )


def _iterable(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else ()


def _finder(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """One alternation over the words, the longest first; ``当...时`` is two words in one clause."""
    patterns = []
    for word in sorted(words, key=len, reverse=True):
        parts = [re.escape(part) for part in re.split(r"\.{3,}|…+", word) if part]
        if parts:
            patterns.append(r"[^,;。\n]{0,40}?".join(parts))
    return re.compile("|".join(patterns)) if patterns else None


@lru_cache(maxsize=1_000)
def _exempt_words(
    words: tuple[str, ...], exceptions: tuple[str, ...]
) -> list[tuple[int, tuple[str, ...]]]:
    known: list[str] = list(exceptions)
    for word in words:
        known += EXCEPTIONS.get(word[0] if "..." in word or "…" in word else word, ())
    found: dict[int, set[str]] = {}
    for word in words:
        head = re.split(r"\.{3,}|…+", word)[0]
        for exception in known if head else ():
            at = exception.find(head)
            while at >= 0:
                found.setdefault(at, set()).add(exception)
                at = exception.find(head, at + 1)
    return [(shift, tuple(sorted(found[shift]))) for shift in sorted(found)]


def _places(
    text: str,
    start: int,
    end: int,
    finder: re.Pattern[str] | None,
    exempt: list[tuple[int, tuple[str, ...]]],
) -> list[tuple[int, int, str]]:
    if finder is None:
        return []
    found = []
    for match in finder.finditer(text, start, end):
        at = match.start()
        for shift, words in exempt:
            if at >= shift and text.startswith(words, at - shift):
                break
        else:
            found.append((at, match.end(), match.group()))
    return found
