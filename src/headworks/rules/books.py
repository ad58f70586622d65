"""The rule book of a service that runs on: renewed while it runs, never by one that is wrong.

Takes names of packs and settings, gives the book that holds and what a reload did. Never gives up
a book that works for packs that do not compile.
"""

import threading
from collections.abc import Sequence

import msgspec

from headworks.config import RuleSettings
from headworks.errors import RulesError
from headworks.rules.book import RuleBook, load


class Reloaded(msgspec.Struct, frozen=True):
    """What a reload did: whether the book is another one, or why the old one stays."""

    changed: bool
    versions: dict[str, str]
    refused: RulesError | None = None


class RuleBooks:
    """The packs of a running service. A document that has begun is judged by the book it got."""

    def __init__(self, packs: Sequence[str], settings: RuleSettings) -> None:
        self._packs = tuple(packs)
        self._settings = settings
        self._book = load(self._packs, settings)
        self._one_at_a_time = threading.Lock()

    @property
    def book(self) -> RuleBook:
        """Give the book that holds now."""
        return self._book

    def reload(self, packs: Sequence[str] | None = None) -> Reloaded:
        """Read the packs anew (or others); one that does not compile is refused, the old stays."""
        with self._one_at_a_time:
            wanted = self._packs if packs is None else tuple(packs)
            try:
                book = load(wanted, self._settings)
            except RulesError as fault:
                return Reloaded(False, self._book.versions, fault)
            changed = book.digest != self._book.digest
            self._packs = wanted
            if changed:
                self._book = book
            return Reloaded(changed, self._book.versions)
