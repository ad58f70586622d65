"""What of a condition hangs on little: the heading, the file's name, the tags, the place.

Takes conditions, gives the part that only looks at one such thing, and that thing of a view.
Chunks that have it in common need one answer. Never looks at a chunk's text.
"""

from collections.abc import Callable, Hashable

from headworks.rules.syntax import (
    And,
    Condition,
    Contains,
    Edge,
    InPlace,
    IsTable,
    Matches,
    Not,
    Or,
    Tagged,
)
from headworks.rules.view import View

_BY_ZONE = frozenset({"appendix", "body", "cover", "contents", "signature", "clause"})

ASPECTS: dict[str, Callable[[View], Hashable]] = {
    "title": lambda view: view.title,
    "trail": lambda view: view.trail,
    "file_name": lambda view: view.surroundings.file_name,
    "tags": lambda view: (view.tags, view.surroundings.tags),
    "place": lambda view: (view.chunk.zone, view.chunk.kind, bool(view.chunk.trail)),
}


def aspect_of(condition: Condition) -> str:
    """Give the one aspect that a condition looks at, "" where it looks at more."""
    if isinstance(condition, And | Or):
        found = {aspect_of(part) for part in condition.parts}
        return found.pop() if len(found) == 1 else ""
    if isinstance(condition, Not):
        return aspect_of(condition.part)
    if isinstance(condition, Contains | Matches | Edge):
        return condition.subject if condition.subject in ASPECTS else ""
    if isinstance(condition, Tagged):
        return "tags"
    if isinstance(condition, IsTable):
        return "place"
    if isinstance(condition, InPlace) and condition.place in _BY_ZONE and not condition.name:
        return "place"
    return ""


def settled_part(condition: Condition) -> tuple[str, Condition] | None:
    """Give a part without which the condition cannot hold, and its aspect; none where none is."""
    aspect = aspect_of(condition)
    if aspect:
        return aspect, condition
    if isinstance(condition, And):
        for part in condition.parts:
            aspect = aspect_of(part)
            if aspect:
                return aspect, part
    return None
