"""Guards: words near a trigger that take its meaning away (不, 无需) or make it conditional (如).

Takes folded text and a trigger's place, gives what a guard says there. Never reads 不 in 不可抗力
or 如 in 如下: each word has the list of words that it is only a part of.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from headworks.model.folding import fold
from headworks.rules.guard_words import EXCEPTIONS

GuardAction = Literal["reject", "annotate"]
GuardKind = Literal["words", "quotation", "question"]
# What the rules over one stretch of text have found in it, by what was looked for.
Shared = dict[Any, Any]
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


class Guards:
    """All guards of a rule, made ready for one stretch of folded text after the other."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        self.guards = tuple(guards)
        self._finders = tuple(_finder(guard.words) for guard in self.guards)
        self._exempt = tuple(_exemptions(guard) for guard in self.guards)

    def over(self, text: str, start: int, end: int, shared: Shared | None = None) -> "GuardView":
        """Find every guard word of ``text[start:end]`` once.

        ``shared`` keeps what was found in this stretch for other rules with the same words.
        """
        return GuardView(self, (text, start, end), {} if shared is None else shared)

    def places(self, index: int, stretch: tuple[str, int, int], shared: Shared) -> Places:
        """Give the places of one guard's words in a stretch, and where they begin."""
        guard = self.guards[index]
        key = ("guard words", guard.words, guard.exceptions)
        known: Places | None = shared.get(key)
        if known is None:
            found = _places(*stretch, self._finders[index], self._exempt[index])
            known = shared[key] = found, [start for start, _end, _word in found]
        return known


class GuardView:
    """The guard words of one stretch, ready to be asked for any trigger in it."""

    def __init__(self, made: Guards, stretch: tuple[str, int, int], shared: Shared) -> None:
        self._made = made
        self._guards = made.guards
        self._stretch = stretch
        self._shared = shared

    def before(self, trigger: int, sentence: int) -> list[GuardHit]:
        """Give what guards a trigger: words before it in its sentence, behind it, or around it."""
        hits = []
        for index, guard in enumerate(self._guards):
            word = self._guarding(index, guard, trigger, sentence)
            if word is not None:
                hits.append(GuardHit(guard.name, guard.action, word[2], word[0]))
        return hits

    def _guarding(
        self, index: int, guard: Guard, trigger: int, sentence: int
    ) -> tuple[int, int, str] | None:
        text, _start, end = self._stretch
        if guard.kind == "quotation":
            return _quoted(text, trigger, sentence)
        if guard.kind == "question":
            stop = _STOP.search(text, trigger, end)
            if stop is not None and stop.group() == "?":
                return stop.start(), stop.end(), "？"
        reach = sentence if guard.before == "sentence" else max(sentence, trigger - guard.before)
        word = self._within(index, reach, trigger)
        if word is None and guard.after:
            word = self._within(index, trigger, min(end, trigger + guard.after))
        return word

    def between(self, start: int, end: int) -> GuardHit | None:
        """Give the guard word that cuts the way from one step of a sequence to the next."""
        for index, guard in enumerate(self._guards):
            if guard.between and end > start:
                word = self._within(index, start, end)
                if word is not None:
                    return GuardHit(guard.name, guard.action, word[2], word[0])
        return None

    def _within(self, index: int, start: int, end: int) -> tuple[int, int, str] | None:
        places, starts = self._made.places(index, self._stretch, self._shared)
        at = bisect_left(starts, start)
        if at < len(places) and places[at][1] <= end:
            return places[at]
        return None


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


def _exemptions(guard: Guard) -> list[tuple[int, tuple[str, ...]]]:
    """The words that a guard word is only a part of, by the guard word's place in them."""
    return _exempt_words(guard.words, guard.exceptions)


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
