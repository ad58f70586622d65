"""Extensions of others: entry points, read here only.

Takes a group's short name (readers, passes, predicates, targets, ocr, embeddings), gives what is
installed under ``headworks.<name>``. Never imports a plugin before it is asked for.
"""

from collections.abc import Callable
from typing import Any


def installed(group: str) -> dict[str, Callable[[], Any]]:
    """Give name to loader for each extension of the group, in order of their names."""
    # A fifth of the reading process's start, and hardly a file needs it.
    from importlib.metadata import entry_points

    found = entry_points(group=f"headworks.{group}")
    return {point.name: point.load for point in sorted(found, key=lambda point: point.name)}
