"""What a pack adds to the language: its aliases, how strict its lists are; and entity names.

Takes the names, gives one value the grammar asks. Never reads a file.
"""

import re
from collections.abc import Mapping

import msgspec

from headworks.rules.entities import RECOGNIZERS, Quantity, parse_quantity
from headworks.rules.syntax import Number
from headworks.rules.vocabulary import Phrases

ENTITIES = Phrases(
    {
        written: recognizer.zh
        for name, recognizer in RECOGNIZERS.items()
        for written in (name, name.replace("_", " "))
    }
)
# Any value of a kind: 手机号格式, mobile format.
FORMAT = re.compile(r"(?:的)?格式|\s+format(?![a-z0-9_])")


class Lexicon(msgspec.Struct, frozen=True):
    """Names and settings a sentence is read with.

    ``entities`` gives an entity's own name for each of its phrases; ``aliases`` gives the words of
    each alias, none where any name is taken (a sentence read on its own).
    """

    entities: Phrases = ENTITIES
    aliases: Mapping[str, tuple[str, ...]] | None = None
    quotes_required: bool = False
    lists_explicit: bool = False


def number_text(number: Number) -> str:
    """Give the number as a sentence writes it: 50万元, 2024年1月1日."""
    if number.unit == "ip":
        return f"IP{number.value}"
    if number.unit != "date":
        return f"{number.value}{number.unit}"
    parts = [str(int(part)) for part in number.value.split("-")]
    return "".join(part + mark for part, mark in zip(parts, "年月日", strict=False))


def quantity_of(number: Number) -> Quantity | None:
    """Give what a number in a comparison stands for, or none where it is no known quantity."""
    return parse_quantity(number_text(number))
