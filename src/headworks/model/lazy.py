"""Regular expressions that are compiled when first asked, not when their module is imported.

Takes a pattern as written, gives what answers like the compiled one. Never compiles one twice.
"""

import re
from typing import Any, cast


class _Lazy:
    """A pattern not yet compiled; the methods it was asked for stay with it."""

    def __init__(self, source: str, flags: int) -> None:
        self._written = source, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(*self._written), name)  # re keeps what it compiled
        setattr(self, name, found)
        return found


def lazy(source: str, flags: int = 0) -> re.Pattern[str]:
    """Give the pattern; one that hardly any document needs costs nothing until one does."""
    return cast("re.Pattern[str]", _Lazy(source, flags))
