"""Whether a chunk repeats an earlier one, and how much of it.

Takes a view among its siblings, gives a share from 0 to 1. Never takes two clauses for the same
that differ in a number, and never compares every chunk with every other.
"""

import re
from collections import Counter
from hashlib import blake2b

from headworks.rules.fingerprint import (
    SHORT,
    SPACE,
    WIDTH,
    Fingerprint,
    figures_of,
    fingerprints,
    kept,
)
from headworks.rules.syntax import NEARLY
from headworks.rules.view import View

_NUMBERS = re.compile(r"[0-9]+(?:\.[0-9]+)?%?")
# How many chunks a piece may lead to (a commoner one tells nothing), how many are compared.
_MOST_LED_TO = 64
_COMPARED = 5


def repeats(view: View) -> bool:
    """Tell whether an earlier chunk has the same text, white space aside, numbers included."""
    digests = view.surroundings.memo.get("digests")
    if digests is None:
        digests = {}
        for other in _in_order(view):
            digests.setdefault(_digest(other), other.chunk.start)
        view.surroundings.memo["digests"] = digests
    first = digests.get(_digest(view))
    return first is not None and first < view.chunk.start


def nearly_repeats(view: View, likeness: int = NEARLY) -> bool:
    """Tell whether an earlier chunk is so much alike, in percent, and the same in its numbers."""
    if repeats(view):
        return True
    own, figures = _pieces(view), _figures(view)
    for other in _likely(view, own):
        theirs = _pieces(other)
        shared = len(own & theirs)
        alike = shared * 100 >= likeness * (len(own) + len(theirs) - shared)
        if alike and _figures(other) == figures:
            return True
    return False


def _figures(view: View) -> tuple[str, ...]:
    """Every number of the text as written, Chinese ones too, the label in front left out."""
    known: tuple[str, ...] | None = view.cache.get("figures")
    if known is None:
        known = view.cache["figures"] = figures_of(view.text)
    return known


def fingerprints_of(view: View) -> list[Fingerprint]:
    """Give what the lines of the text are compared with other documents' by."""
    known: list[Fingerprint] | None = view.cache.get("fingerprints")
    if known is None:
        known = view.cache["fingerprints"] = fingerprints(view.text)
    return known


def similarity(view: View) -> float:
    """Give the largest likeness (shared three-character pieces) to an earlier chunk."""
    known = view.cache.get("similarity")
    if isinstance(known, float):
        return known
    own = _pieces(view)
    best = 0.0
    for other in _likely(view, own):
        theirs = _pieces(other)
        shared = len(own & theirs)
        if shared:
            best = max(best, shared / (len(own) + len(theirs) - shared))
    view.cache["similarity"] = best
    return best


def _likely(view: View, own: frozenset[str]) -> list[View]:
    """Give the earlier chunks that share the most pieces."""
    index = view.surroundings.memo.get("pieces")
    if index is None:
        index = {}
        for other in _in_order(view):
            for piece in sorted(_pieces(other)):
                listed = index.setdefault(piece, [])
                if len(listed) < _MOST_LED_TO:
                    listed.append(other)
        view.surroundings.memo["pieces"] = index
    shared: Counter[int] = Counter()
    views: dict[int, View] = {}
    for piece in sorted(own):
        for other in index.get(piece, ()):
            if other.chunk.start < view.chunk.start:
                shared[other.chunk.start] += 1
                views[other.chunk.start] = other
    ranked = sorted(shared.items(), key=lambda counted: (-counted[1], counted[0]))
    return [views[start] for start, _count in ranked[:_COMPARED]]


def _in_order(view: View) -> list[View]:
    """Give all views of the document, from the first."""
    first = view
    while first.siblings[0] is not None:
        first = first.siblings[0]
    found: list[View] = []
    at: View | None = first
    while at is not None:
        found.append(at)
        at = at.siblings[1]
    return found


def _digest(view: View) -> bytes:
    known = view.cache.get("digest")
    if isinstance(known, bytes):
        return known
    text = SPACE.sub("", view.text).encode("utf-8", "replace")
    digest = blake2b(text, digest_size=16).digest()
    view.cache["digest"] = digest
    return digest


def _pieces(view: View) -> frozenset[str]:
    """Pieces of three characters (of a long text, a stable choice), and each number as a piece."""
    known = view.cache.get("pieces")
    if isinstance(known, frozenset):
        return known
    text = SPACE.sub("", view.text)
    pieces = {text[at : at + WIDTH] for at in range(max(1, len(text) - WIDTH + 1))}
    if len(text) > SHORT:
        pieces = {piece for piece in pieces if kept(piece)}
    pieces.update(f"#{number}" for number in _NUMBERS.findall(text))
    found = frozenset(pieces)
    view.cache["pieces"] = found
    return found
