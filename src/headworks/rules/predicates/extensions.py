"""Conditions that others bring: entry points of the group ``headworks.predicates``.

Takes the entry points, gives what a sentence calls by name: 满足“客户是老客户”. Never loads one
before a sentence names it, and never lets one see more than ``Seen``.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

import msgspec

from headworks.model.folding import fold
from headworks.plugins import installed
from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Predicate,
    Required,
    Test,
    negated,
)
from headworks.rules.syntax import Meets
from headworks.rules.view import Spots, View


class Seen(msgspec.Struct, frozen=True):
    """What an extension may look at: the chunk's folded text and where it stands."""

    text: str
    title: str
    trail: tuple[str, ...]
    zone: str
    kind: str
    page: int | None
    tags: frozenset[str]
    file_name: str


class Extension(msgspec.Struct, frozen=True):
    """A condition of others. The entry point's name is what a sentence calls it by.

    ``holds`` must always say the same of the same chunk. ``words``: one of them stands wherever it
    holds (none: anywhere); with them it is asked of few chunks only.
    """

    holds: Callable[[Seen], bool]
    meaning_zh: str = ""
    meaning_en: str = ""
    words: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def extensions() -> Mapping[str, Callable[[], object]]:
    """Give name to loader of each extension that is installed."""
    return installed("predicates")


@lru_cache(maxsize=256)
def extension(name: str) -> Extension | None:
    """Give the extension of a name, or none where none of this name is installed and of use."""
    load = extensions().get(name)
    loaded = load() if load is not None else None
    return loaded if isinstance(loaded, Extension) else None


def _meets(node: Meets, _compiling: Compiling) -> Test:
    asked = extension(node.name)

    def test(view: View) -> Spots | None:
        return HOLDS if asked is not None and asked.holds(_seen(view)) else None

    return negated(test) if node.negated else test


def _meets_required(node: Meets, compiling: Compiling) -> Required:
    asked = extension(node.name)
    if node.negated or asked is None or not asked.words:
        return None
    return frozenset(compiling.literal(fold(word)) for word in asked.words)


def _seen(view: View) -> Seen:
    return Seen(
        text=view.text,
        title=view.title,
        trail=tuple(view.trail.split("\n")) if view.chunk.trail else (),
        zone=view.chunk.zone,
        kind=view.chunk.kind,
        page=view.page,
        tags=view.tags | view.surroundings.tags,
        file_name=view.surroundings.file_name,
    )


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        Meets,
        "满足一个扩展的条件（入口点 headworks.predicates，用它的名字）",
        "a condition of an extension holds (entry point headworks.predicates, by its name)",
        _meets,
        _meets_required,
        (),
        (),
        "documents",
    ),
)
