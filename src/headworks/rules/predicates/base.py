"""What a predicate is, and what it may ask of the compiler.

Takes nothing, gives the types. Never knows a single predicate.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

import msgspec

from headworks.rules.corpus import Corpus
from headworks.rules.guards import Guards
from headworks.rules.syntax import Term, Terms
from headworks.rules.view import Spots, View

Test = Callable[[View], Spots | None]
Finder = Callable[[View], list[tuple[int, int]]]
Required = frozenset[int] | None

HOLDS: Spots = ()


class Example(msgspec.Struct, frozen=True):
    """A sentence and a text on which it holds or fails; ``context`` as in a pack's examples."""

    sentence: str
    text: str
    context: Mapping[str, Any] = {}


class Compiling(Protocol):
    """What a predicate may ask while it is compiled."""

    guards: Guards | None
    corpus: Corpus | None

    def literal(self, word: str) -> int:
        """Give the number of a word that the one pass looks for."""

    def words(self, term: Term) -> tuple[str, ...]:
        """Give the folded words a word or an alias stands for."""

    def finder(self, term: Term, *, guarded: bool = True) -> Finder:
        """Give a function that finds a term's places, in order."""

    def present(self, term: Term) -> Test:
        """Give a test whether a term occurs."""

    def needs(self, term: Term) -> Required:
        """Give the literals of which one must occur for the term to occur."""

    def needs_entity(self, name: str) -> Required:
        """Give the literals of which one must occur for a typed value to occur, where known."""

    def needs_list(self, terms: Terms) -> Required:
        """Give the literals of which one must occur for the list to hold."""


class Predicate(msgspec.Struct, frozen=True):
    """One kind of condition.

    ``build`` makes the test of a node, ``required`` gives the literals of which one must occur
    wherever it holds (none: it may hold anywhere). ``holds`` and ``fails`` are its tests and
    its page in the documentation.
    """

    node: type
    meaning_zh: str
    meaning_en: str
    build: Callable[[Any, Compiling], Test]
    required: Callable[[Any, Compiling], Required]
    holds: tuple[Example, ...]
    fails: tuple[Example, ...]
    area: Literal["text", "numbers", "places", "tables", "documents"] = "text"


def no_requirement(_node: Any, _compiling: Compiling) -> Required:
    """A predicate that may hold whatever words the text has."""
    return None


def negated(test: Test) -> Test:
    """Turn a test round."""
    return lambda view: HOLDS if test(view) is None else None


def compare_numbers(operator: str, left: float, right: float) -> bool:
    """Compare as the operator says."""
    if operator == "<":
        return left < right
    if operator == "<=":
        return left <= right
    if operator == ">":
        return left > right
    if operator == ">=":
        return left >= right
    return left == right if operator == "=" else left != right
