"""Whether a chunk repeats an earlier one, and how much of it.

Takes a view among its siblings, gives a share from 0 to 1. Never takes two clauses for the same
that differ in a number.
"""

import re
from hashlib import blake2b

from headworks.rules.view import View

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?%?")
_SPACE = re.compile(r"\s+")
_WIDTH = 3
_KEPT_ONE_IN = 4
_SHORT = 400


def similarity(view: View) -> float:
    """Give the largest likeness (shared three-character pieces) to an earlier chunk."""
    known = view.cache.get("similarity")
    if isinstance(known, float):
        return known
    own = _pieces(view)
    best = 0.0
    earlier = view.siblings[0]
    while earlier is not None:
        other = _pieces(earlier)
        if own and other and min(len(own), len(other)) > best * max(len(own), len(other)):
            shared = len(own & other)
            best = max(best, shared / (len(own) + len(other) - shared))
        earlier = earlier.siblings[0]
    view.cache["similarity"] = best
    return best


def repeats(view: View) -> bool:
    """Tell whether an earlier chunk has the same text, white space aside, numbers included."""
    own = _digest(view)
    earlier = view.siblings[0]
    while earlier is not None:
        if _digest(earlier) == own:
            return True
        earlier = earlier.siblings[0]
    return False


def _digest(view: View) -> bytes:
    known = view.cache.get("digest")
    if isinstance(known, bytes):
        return known
    digest = blake2b(_SPACE.sub("", view.text).encode(), digest_size=16).digest()
    view.cache["digest"] = digest
    return digest


def _pieces(view: View) -> frozenset[str]:
    """Pieces of three characters, and each number as a piece of its own weight."""
    known = view.cache.get("pieces")
    if isinstance(known, frozenset):
        return known
    text = _SPACE.sub("", view.text)
    pieces = {text[at : at + _WIDTH] for at in range(max(1, len(text) - _WIDTH + 1))}
    if len(text) > _SHORT:
        pieces = {piece for piece in pieces if sum(map(ord, piece)) % _KEPT_ONE_IN == 0}
    pieces.update(f"#{number}" for number in _NUMBERS.findall(text))
    found = frozenset(pieces)
    view.cache["pieces"] = found
    return found
