"""From a syntax tree to a test over views, and the literals it cannot do without.

Takes conditions with the names they may use, gives closures. Never runs one.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import merge

from headworks.model.folding import fold
from headworks.rules.corpus import Corpus
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.guards import Guards
from headworks.rules.pattern_gate import PatternGate
from headworks.rules.pattern_literals import required_literals
from headworks.rules.patterns import Compiled, compiled, folded_pattern
from headworks.rules.predicates import documents, extensions, numbers, places, tables, text
from headworks.rules.predicates.base import HOLDS, Finder, Predicate, Required, Test
from headworks.rules.predicates.extents import extent_ends
from headworks.rules.syntax import Alias, And, Condition, Entity, Not, Or, Pattern, Term, Terms
from headworks.rules.typed import values_of
from headworks.rules.view import NO_PLACES, Spot, Spots, View

BUILTIN: tuple[Predicate, ...] = (
    *text.PREDICATES,
    *numbers.PREDICATES,
    *places.PREDICATES,
    *tables.PREDICATES,
    *documents.PREDICATES,
    *extensions.PREDICATES,
)
MAX_PLACES = 10_000


class Compiler:
    """Compiles the conditions of all packs of a book into one table of literals."""

    def __init__(self, predicates: tuple[Predicate, ...] = BUILTIN) -> None:
        self.literals: dict[str, int] = {}
        self._rarity: list[int] = []
        self.gate = PatternGate()
        self.guards: Guards | None = None
        self.corpus: Corpus | None = None
        self._aliases: Mapping[str, tuple[str, ...]] = {}
        self._predicates = {predicate.node: predicate for predicate in predicates}

    def rule(
        self,
        condition: Condition,
        aliases: Mapping[str, tuple[str, ...]],
        guards: Guards | None = None,
    ) -> tuple[Test, Required]:
        """Give the test of a rule's condition and what must occur for it to hold."""
        self._aliases = aliases
        self.guards = guards
        try:
            return self.test(condition), self.required(condition)
        finally:
            self.guards = None

    def test(self, condition: Condition) -> Test:
        """Give the test of a condition."""
        if isinstance(condition, And):
            return _all_of([self.test(part) for part in self._cheap_first(condition.parts)])
        if isinstance(condition, Or):
            return _any_of([self.test(part) for part in condition.parts])
        if isinstance(condition, Not):
            kept, self.guards = self.guards, None
            part = self.test(condition.part)
            self.guards = kept
            return lambda view: HOLDS if part(view) is None else None
        return self._predicates[type(condition)].build(condition, self)

    def required(self, condition: Condition) -> Required:
        """Give literals of which one stands wherever the condition holds, or none."""
        if isinstance(condition, And):
            return rarest([self.required(part) for part in condition.parts], self)
        if isinstance(condition, Or):
            return union([self.required(part) for part in condition.parts])
        if isinstance(condition, Not):
            return None
        return self._predicates[type(condition)].required(condition, self)

    def literal(self, word: str) -> int:
        """Give the number of a folded word."""
        number = self.literals.get(word)
        if number is None:
            number = self.literals[word] = len(self.literals)
            self._rarity.append(rarity((word,))[0])
        return number

    def worth(self, found: frozenset[int]) -> tuple[int, int]:
        """How rare the commonest of some literals is: longer is rarer, Han rarer than Latin."""
        return min(self._rarity[number] for number in found), -len(found)

    def words(self, term: Term) -> tuple[str, ...]:
        """Give the folded words a word or an alias stands for."""
        if isinstance(term, Alias):
            return tuple(fold(word) for word in self._aliases.get(term.name, ()))
        return tuple(fold(word) for word in getattr(term, "alternatives", ()))

    def present(self, term: Term) -> Test:
        """Give a test whether a term occurs; the first place is the evidence."""
        if self.guards is not None or isinstance(term, Entity | Pattern):
            find = self.finder(term)

            def found(view: View) -> Spots | None:
                places = find(view)
                return (_spot(view, places[0], term),) if places else None

            return found
        words = self.words(term)
        if len(words) == 1:
            number, size = self.literal(words[0]), len(words[0])

            def holds(view: View) -> Spots | None:
                places = view.places.get(number)
                return (Spot(places[0], places[0] + size),) if places else None

            return holds
        numbered = [(self.literal(word), len(word)) for word in words]

        def any_holds(view: View) -> Spots | None:
            for number, size in numbered:
                places = view.places.get(number)
                if places:
                    return (Spot(places[0], places[0] + size),)
            return None

        return any_holds

    def finder(self, term: Term, *, guarded: bool = True) -> Finder:
        """Give a function that finds all places of a term in a view, in order."""
        if isinstance(term, Pattern):
            find: Finder = self._pattern_finder(term.source)
        elif isinstance(term, Entity):
            recognizer = RECOGNIZERS[term.name]
            find = lambda view: [  # noqa: E731 - a closure over the recogniser
                (value.span.start, value.span.end) for value in values_of(view, recognizer)
            ]
        else:
            find = self._word_finder(self.words(term))
        guards = self.guards
        if guards is None or not guarded:
            return find
        return lambda view: _unguarded(view, find(view), guards)

    def needs(self, term: Term) -> Required:
        """Give the literals of which one must occur for the term to occur."""
        if isinstance(term, Entity):
            return self.needs_entity(term.name)
        if isinstance(term, Pattern):
            found = literals_of(term.source)
            if found is None:
                return None
            return frozenset(self.literal(fold(word)) for word in sorted(found))
        return frozenset(self.literal(word) for word in self.words(term))

    def needs_entity(self, name: str) -> Required:
        """Give the literals of which one must occur for a typed value to occur, where known."""
        gate = RECOGNIZERS[name].gate
        return frozenset(self.literal(word) for word in gate) if gate else None

    def needs_list(self, terms: Terms) -> Required:
        """Give the literals of which one must occur for the list to hold."""
        each = [self.needs(term) for term in terms.terms]
        if terms.mode == "all":
            return rarest(each, self)
        least = terms.least if terms.mode == "at_least" else 1
        # Where n of k must hold, one of any k - n + 1 of them does: leave the commonest out.
        known = sorted((found for found in each if found is not None), key=self.worth, reverse=True)
        wanted = len(each) - least + 1
        return union(list(known[:wanted])) if len(known) >= wanted else None

    def _cheap_first(self, parts: tuple[Condition, ...]) -> list[Condition]:
        """Test words before values and pattern; order does not change what holds."""
        expensive = ("Compare", "NearValue", "Matches", "Repeats", "Elsewhere", "Refers", "Meets")
        return sorted(parts, key=lambda part: type(part).__name__ in expensive)

    def _word_finder(self, words: tuple[str, ...]) -> Finder:
        numbered = [(self.literal(word), len(word)) for word in words]
        if len(numbered) == 1:
            number, size = numbered[0]
            return lambda view: [(at, at + size) for at in view.places.get(number, NO_PLACES)]

        def find(view: View) -> list[tuple[int, int]]:
            lists = [
                [(at, at + size) for at in view.places[number]]
                for number, size in numbered
                if number in view.places
            ]
            return list(merge(*lists)) if len(lists) > 1 else lists[0] if lists else []

        return find

    def _pattern_finder(self, source: str) -> Finder:
        pattern = compiled(source)
        gated = self.gate.add(source) if self.needs(Pattern(source)) is None else None
        gate = self.gate
        key = ("pattern", source)

        def find(view: View) -> list[tuple[int, int]]:
            known = view.cache.get(key)
            if isinstance(known, list):
                return known
            found: list[tuple[int, int]] = []
            if gated is None or gate.may_match(gated, view):
                found = _pattern_places(pattern, view)
            view.cache[key] = found
            return found

        return find


@lru_cache(maxsize=20_000)
def literals_of(source: str) -> frozenset[str] | None:
    """Give the words that a pattern, as written, cannot match without."""
    return required_literals(folded_pattern(source))


def _pattern_places(pattern: Compiled, view: View) -> list[tuple[int, int]]:
    """Places in the sheet; byte offsets become characters, counted from match to match."""
    encoded = view.encoded
    plain = len(encoded) == view.end - view.start
    found: list[tuple[int, int]] = []
    bytes_before, chars_before = 0, view.start
    for match in pattern.finditer(encoded):
        start, end = match.span()
        if start < len(encoded) and encoded[start] & 0xC0 == 0x80:
            continue  # an empty match inside a character
        if not plain:
            chars_before += len(encoded[bytes_before:start].decode("utf-8"))
            size = len(encoded[start:end].decode("utf-8"))
            bytes_before = start
            found.append((chars_before, chars_before + size))
        else:
            found.append((view.start + start, view.start + end))
        if len(found) >= MAX_PLACES:
            break
    return found


def _spot(view: View, place: tuple[int, int], term: Term) -> Spot:
    if isinstance(term, Entity):
        for value in values_of(view, RECOGNIZERS[term.name]):
            if value.span.start == place[0]:
                return Spot(*place, value)
    return Spot(*place)


def _unguarded(view: View, places: list[tuple[int, int]], guards: Guards) -> list[tuple[int, int]]:
    """Leave out the places that a rejecting guard word stands before."""
    if not places:
        return places
    stretch = view.stretch
    return [
        place
        for place in places
        if not any(
            hit.action == "reject"
            for hit in guards.before(stretch, place[0], clause_start(view, place[0]))
        )
    ]


def clause_start(view: View, offset: int) -> int:
    """Give where the sentence that holds an offset begins."""
    ends = extent_ends(view, "sentence")
    index = bisect_right(ends, offset)
    return ends[index - 1] if index else view.start


def _all_of(tests: list[Test]) -> Test:
    def test(view: View) -> Spots | None:
        found: Spots = ()
        for part in tests:
            spots = part(view)
            if spots is None:
                return None
            found += spots
        return found

    return test


def _any_of(tests: list[Test]) -> Test:
    def test(view: View) -> Spots | None:
        for part in tests:
            spots = part(view)
            if spots is not None:
                return spots
        return None

    return test


def rarity(words: Sequence[str]) -> tuple[int, int]:
    """How rare the commonest of some words is: longer is rarer, Han rarer than Latin."""
    return min(sum(1 if char.isascii() else 3 for char in word) for word in words), -len(words)


def rarest(each: list[Required], compiler: Compiler) -> Required:
    """Give the set whose commonest literal is the rarest."""
    known = [found for found in each if found]
    return max(known, key=compiler.worth) if known else None


def union(each: list[Required]) -> Required:
    """Give all literals together; none where one branch needs none."""
    if not each or any(found is None for found in each):
        return None
    return frozenset(number for found in each if found is not None for number in found)
