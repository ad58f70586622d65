"""The syntax tree: one for Chinese sentences, English sentences and YAML fields.

Takes nothing, gives frozen values that compare equal when they mean the same. Never holds
positions: a complaint's place is known where the text is read.
"""

from typing import Literal

import msgspec

Subject = Literal[
    "text", "title", "trail", "first_line", "file_name", "previous", "next", "document"
]  # fmt: skip
Mode = Literal["all", "any", "at_least"]
Operator = Literal["<", "<=", ">", ">=", "=", "!="]
MeasureName = Literal[
    "length", "characters", "page", "pages", "lines", "similarity", "columns", "rows"
]
PlaceName = Literal[
    "appendix", "body", "cover", "contents", "clause", "header", "footer", "table", "signature"
]
Feature = Literal["comment", "figure", "revision", "table", "formula", "code"]
Direction = Literal["around", "after", "before"]
Extent = Literal["sentence", "paragraph", "clause"]
Reference = Literal["appendix", "clause", "law"]


class Word(msgspec.Struct, frozen=True, tag=True):
    """Words that stand for one another: “违约金|滞纳金” holds where either occurs."""

    alternatives: tuple[str, ...]


class Alias(msgspec.Struct, frozen=True, tag=True):
    """A named list of words of the pack: @防护等级."""

    name: str


class Pattern(msgspec.Struct, frozen=True, tag=True):
    """A regular expression between slashes."""

    source: str


class Entity(msgspec.Struct, frozen=True, tag=True):
    """Any typed value of a kind: 金额格式."""

    name: str


Term = Word | Alias | Pattern | Entity


class Terms(msgspec.Struct, frozen=True, tag=True):
    """A list of terms and how many must hold."""

    mode: Mode
    terms: tuple[Term, ...]
    least: int = 1


class Number(msgspec.Struct, frozen=True, tag=True):
    """A number as it was written: decimal digits and unit; a date as ISO with the unit "date"."""

    value: str
    unit: str = ""


class And(msgspec.Struct, frozen=True, tag=True):
    """All parts hold."""

    parts: tuple["Condition", ...]


class Or(msgspec.Struct, frozen=True, tag=True):
    """At least one part holds."""

    parts: tuple["Condition", ...]


class Not(msgspec.Struct, frozen=True, tag=True):
    """The bracket does not hold."""

    part: "Condition"


class Contains(msgspec.Struct, frozen=True, tag=True):
    """The subject holds the terms."""

    terms: Terms
    subject: Subject = "text"
    negated: bool = False


class Edge(msgspec.Struct, frozen=True, tag=True):
    """The subject, or one of its lines, begins or ends with one of the words."""

    side: Literal["start", "end", "line_start"]
    words: tuple[str, ...]
    subject: Subject = "text"
    negated: bool = False


class Measure(msgspec.Struct, frozen=True, tag=True):
    """A count about the chunk, compared with a number."""

    name: MeasureName
    operator: Operator
    number: Number


class Compare(msgspec.Struct, frozen=True, tag=True):
    """A typed value in the text, compared: at least one value of the kind holds."""

    entity: str
    operator: Operator
    number: Number


class InPlace(msgspec.Struct, frozen=True, tag=True):
    """The chunk stands in a zone; ``name`` narrows it (附件三)."""

    place: PlaceName
    name: str = ""
    negated: bool = False


class IsTable(msgspec.Struct, frozen=True, tag=True):
    """The chunk is a table."""

    negated: bool = False


class Has(msgspec.Struct, frozen=True, tag=True):
    """The chunk holds a comment, a figure, a revision."""

    feature: Feature
    negated: bool = False


class Tagged(msgspec.Struct, frozen=True, tag=True):
    """The chunk carries a tag of an earlier phase, or the document one of its own."""

    tags: tuple[str, ...]
    mode: Mode = "any"
    negated: bool = False


# How alike two texts are, in percent, where they are nearly the same, and where they are the same.
NEARLY, SAME = 80, 100


class Repeats(msgspec.Struct, frozen=True, tag=True):
    """The chunk repeats an earlier one of the document; ``nearly``: but for a few words."""

    negated: bool = False
    nearly: bool = False
    likeness: int = NEARLY


class Elsewhere(msgspec.Struct, frozen=True, tag=True):
    """The chunk's text stands in at least so many other documents of the pack's corpus, too."""

    least: int = 1
    likeness: int = SAME
    negated: bool = False


class Near(msgspec.Struct, frozen=True, tag=True):
    """One of the terms stands within a distance of the anchor."""

    anchor: Term
    direction: Direction
    distance: int
    terms: Terms
    negated: bool = False


class Apart(msgspec.Struct, frozen=True, tag=True):
    """Two terms stand no further apart than a distance."""

    first: Term
    second: Term
    distance: int


class Within(msgspec.Struct, frozen=True, tag=True):
    """In the same sentence, paragraph or clause as the anchor, behind or before it, are terms."""

    anchor: Term
    extent: Extent
    terms: Terms
    negated: bool = False
    direction: Direction = "after"


class NearValue(msgspec.Struct, frozen=True, tag=True):
    """The value of a kind that stands nearest to the anchor, compared with a number.

    Within a distance, or with an ``extent`` within the same sentence, paragraph or clause.
    """

    anchor: Term
    direction: Direction
    distance: int
    extent: Extent | None
    value: Compare


class Outermost(msgspec.Struct, frozen=True, tag=True):
    """The chunk is the first of its document, or the last."""

    side: Literal["first", "last"]
    negated: bool = False


class Count(msgspec.Struct, frozen=True, tag=True):
    """How often a term occurs, compared with a number."""

    term: Term
    operator: Operator
    number: Number


class Matches(msgspec.Struct, frozen=True, tag=True):
    """A regular expression matches in the subject."""

    pattern: str
    subject: Subject = "text"
    negated: bool = False


class Refers(msgspec.Struct, frozen=True, tag=True):
    """The chunk refers to an appendix, a clause or a law; ``name`` narrows it."""

    kind: Reference
    name: str = ""
    negated: bool = False


class Meets(msgspec.Struct, frozen=True, tag=True):
    """A condition that an extension brings, by its name: 满足“客户是老客户”."""

    name: str
    negated: bool = False


class Always(msgspec.Struct, frozen=True, tag=True):
    """Holds for every chunk: 任意分片."""


Condition = (
    And
    | Or
    | Not
    | Contains
    | Edge
    | Measure
    | Compare
    | InPlace
    | IsTable
    | Has
    | Tagged
    | Repeats
    | Elsewhere
    | Near
    | Apart
    | Within
    | NearValue
    | Outermost
    | Count
    | Matches
    | Refers
    | Meets
    | Always
)


class Action(msgspec.Struct, frozen=True, tag=True):
    """What to do: a name of ``actions.ACTIONS`` and its arguments."""

    name: str
    arguments: tuple[str, ...] = ()


class Sentence(msgspec.Struct, frozen=True, tag=True):
    """A whole sentence: the condition, and what follows from it."""

    condition: Condition
    actions: tuple[Action, ...] = ()


def walk(condition: Condition) -> list[Condition]:
    """Give the condition and all below it, outermost first."""
    found = [condition]
    if isinstance(condition, And | Or):
        for part in condition.parts:
            found.extend(walk(part))
    elif isinstance(condition, Not):
        found.extend(walk(condition.part))
    return found


def terms_of(condition: Condition) -> tuple[Term, ...]:
    """Give the terms a single condition names."""
    if isinstance(condition, Contains):
        return condition.terms.terms
    if isinstance(condition, Near | Within):
        return (condition.anchor, *condition.terms.terms)
    if isinstance(condition, NearValue):
        return (condition.anchor,)
    if isinstance(condition, Apart):
        return (condition.first, condition.second)
    if isinstance(condition, Count):
        return (condition.term,)
    if isinstance(condition, Matches):
        return (Pattern(condition.pattern),)
    return ()
