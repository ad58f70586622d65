"""Patterns without a needed literal, asked together: one pass tells that none of them matches.

Takes patterns one by one, then views. Never says no where one would match.
"""

from headworks.rules.patterns import Compiled, compiled_any
from headworks.rules.view import View

GROUP = 32


class PatternGate:
    """Groups of patterns, each group one alternation."""

    def __init__(self) -> None:
        self._sources: list[str] = []
        self._known: dict[str, int] = {}
        self._groups: dict[int, Compiled | None] = {}

    def add(self, source: str) -> int:
        """Give the number of a pattern."""
        number = self._known.get(source)
        if number is None:
            number = self._known[source] = len(self._sources)
            self._sources.append(source)
        return number

    def may_match(self, number: int, view: View) -> bool:
        """Tell whether the pattern's group matches anywhere in the view; asked once a view."""
        group = number // GROUP
        key = ("gate", group)
        known = view.cache.get(key)
        if known is None:
            known = view.cache[key] = self._search(group, view)
        return bool(known)

    def _search(self, group: int, view: View) -> bool:
        if group not in self._groups:
            sources = self._sources[group * GROUP : (group + 1) * GROUP]
            self._groups[group] = compiled_any(sources) if len(sources) > 1 else None
        pattern = self._groups[group]
        return pattern is None or pattern.search(view.encoded) is not None
