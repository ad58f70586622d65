"""What rules decide about a chunk: tags, hits with values, redactions, the route.

Takes nothing, gives frozen values. Every decision names its rule and pack.
"""

from typing import Literal

import msgspec

from headworks.model.place import Span

Priority = Literal["interactive", "nearline", "offline"]


class Value(msgspec.Struct, frozen=True):
    """A typed value found in the text: ``kind`` percent, amount …; ``value`` normalised."""

    text: str
    kind: str
    value: str
    span: Span


class Hit(msgspec.Struct, frozen=True):
    """A rule that fired: where, with which values, and why, in sentences."""

    rule: str
    pack: str
    phase: str
    span: Span
    values: dict[str, Value] = {}
    reasons: tuple[str, ...] = ()


class Edit(msgspec.Struct, frozen=True):
    """A replacement in the text as it is delivered (a redaction). Never holds the original."""

    span: Span
    label: str
    token: str
    rule: str


class Route(msgspec.Struct, frozen=True):
    """Where a chunk goes, by which rule, how urgently, and which rules matched also."""

    pipeline: str
    rule: str
    priority: Priority = "nearline"
    also: tuple[str, ...] = ()


class Link(msgspec.Struct, frozen=True):
    """A link from a chunk to an article of a law, made by a rule."""

    law: str
    article: str
    rule: str


class Verdict(msgspec.Struct, frozen=True):
    """All that the rules decided for one chunk.

    ``skip`` names the rule that takes the chunk out of delivery; ``undecided`` lists rules that
    ran out of their time; ``conflicts`` groups of rules of equal rank with different results;
    ``settings`` holds prompt, extraction depth and the like (action name to its value).
    """

    chunk: str
    route: Route
    tags: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    edits: tuple[Edit, ...] = ()
    links: tuple[Link, ...] = ()
    skip: str | None = None
    warnings: tuple[str, ...] = ()
    review: str | None = None
    undecided: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, ...], ...] = ()
    settings: dict[str, str] = {}
