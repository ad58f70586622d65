"""Which words a regular expression cannot match without.

Takes a folded pattern, gives literals of which one must occur, or none where nothing is sure.
Never gives a word that a match could do without.
"""

import re

import msgspec

MAX_CHOICES = 16
_QUANTIFIER = re.compile(r"[*+?]\??|\{(\d*)(,?)(\d*)\}\??")
_GROUP = re.compile(r"\(\?(?:P?<[A-Za-z_]\w*>|[a-zA-Z]*:|[a-zA-Z-]+\))|\(")
_LITERAL_ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}

Choices = frozenset[str]


class _Part(msgspec.Struct, frozen=True):
    """``exact``: all texts this part can match, if few. ``needs``: one of these must occur."""

    exact: Choices | None = None
    needs: Choices | None = None


_EMPTY = _Part(exact=frozenset({""}))
_UNKNOWN = _Part()


def required_literals(pattern: str) -> Choices | None:
    """Give the literals, lower case, of which at least one stands in every match."""
    if "\\Q" in pattern:
        return None
    try:
        part, end = _Reader(pattern).alternation(0, 0)
    except (IndexError, RecursionError, ValueError):
        return None
    if end != len(pattern):
        return None
    found = _best(part)
    return frozenset(text.lower() for text in found) if found else None


def _best(part: _Part) -> Choices | None:
    candidates = [found for found in (part.exact, part.needs) if found and "" not in found]
    return max(candidates, key=_worth) if candidates else None


def _worth(choices: Choices) -> tuple[int, int]:
    """Longer is rarer, Han is rarer than Latin; fewer is better."""
    return min(_rarity(text) for text in choices), -len(choices)


def _rarity(text: str) -> int:
    return sum(1 if char.isascii() else 3 for char in text)


class _Reader:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def alternation(self, at: int, depth: int) -> tuple[_Part, int]:
        if depth > 30:
            raise ValueError("nested too deep")
        branches = []
        while True:
            part, at = self.sequence(at, depth)
            branches.append(part)
            if at >= len(self.pattern) or self.pattern[at] != "|":
                break
            at += 1
        return _either(branches), at

    def sequence(self, at: int, depth: int) -> tuple[_Part, int]:
        parts: list[_Part] = []
        while at < len(self.pattern) and self.pattern[at] not in "|)":
            part, at = self.atom(at, depth)
            part, at = self.repeated(part, at)
            parts.append(part)
        return _joined(parts), at

    def atom(self, at: int, depth: int) -> tuple[_Part, int]:
        char = self.pattern[at]
        if char == "(":
            group = _GROUP.match(self.pattern, at)
            if group is None:
                raise ValueError("group")
            if group.group().endswith(")"):
                return _EMPTY, group.end()
            part, end = self.alternation(group.end(), depth + 1)
            if self.pattern[end] != ")":
                raise ValueError("unclosed")
            return part, end + 1
        if char == "[":
            return self.char_class(at)
        if char == "\\":
            return self.escaped(at)
        if char in "^$":
            return _EMPTY, at + 1
        if char == ".":
            return _UNKNOWN, at + 1
        return _Part(exact=frozenset({char.lower()})), at + 1

    def escaped(self, at: int) -> tuple[_Part, int]:
        char = self.pattern[at + 1]
        if char in "AzbB":
            return _EMPTY, at + 2
        if char in "pP":
            end = self.pattern.index("}", at) + 1 if self.pattern[at + 2] == "{" else at + 3
            return _UNKNOWN, end
        if char in _LITERAL_ESCAPES:
            return _Part(exact=frozenset({_LITERAL_ESCAPES[char]})), at + 2
        if char == "x":
            raise ValueError("code point")
        if char.isascii() and char.isalnum():
            return _UNKNOWN, at + 2
        return _Part(exact=frozenset({char.lower()})), at + 2

    def char_class(self, at: int) -> tuple[_Part, int]:
        position = at + 1
        negated = self.pattern[position] == "^"
        position += negated
        chars: set[str] = set()
        simple = not negated
        first = True
        while self.pattern[position] != "]" or first:
            first = False
            char = self.pattern[position]
            if char == "[" and self.pattern[position + 1] == ":":
                position = self.pattern.index(":]", position) + 2
                simple = False
                continue
            if char == "\\":
                char = self.pattern[position + 1]
                position += 1
                simple = simple and not (char.isascii() and char.isalnum())
            position += 1
            if self.pattern[position] == "-" and self.pattern[position + 1] != "]":
                simple = False
                position += 1
                position += 2 if self.pattern[position] == "\\" else 1
            chars.add(char.lower())
        exact = frozenset(chars) if simple and 0 < len(chars) <= MAX_CHOICES else None
        return _Part(exact=exact), position + 1

    def repeated(self, part: _Part, at: int) -> tuple[_Part, int]:
        match = _QUANTIFIER.match(self.pattern, at)
        if match is None:
            return part, at
        said = match.group()
        if said[0] == "{":
            least = int(match.group(1) or 0)
            once = match.group(1) == "1" and (not match.group(2) or match.group(3) == "1")
        else:
            least, once = (1, False) if said[0] == "+" else (0, False)
        if once:
            return part, match.end()
        if least == 0:
            return _UNKNOWN, match.end()
        return _Part(needs=_best(part)), match.end()


def _either(branches: list[_Part]) -> _Part:
    if len(branches) == 1:
        return branches[0]
    exact: set[str] | None = set()
    needs: set[str] | None = set()
    for branch in branches:
        if branch.exact is None or exact is None:
            exact = None
        else:
            exact |= branch.exact
        found = _best(branch)
        if found is None or needs is None:
            needs = None
        else:
            needs |= found
    if exact is not None and len(exact) > MAX_CHOICES:
        exact = None
    if needs is not None and len(needs) > 4 * MAX_CHOICES:
        needs = None
    return _Part(
        frozenset(exact) if exact is not None else None,
        frozenset(needs) if needs is not None else None,
    )


def _joined(parts: list[_Part]) -> _Part:
    """Texts one after the other: the longest certain run is what is needed."""
    run: Choices = frozenset({""})
    whole = True
    candidates: list[Choices] = []
    for part in parts:
        if part.exact is not None and len(run) * len(part.exact) <= MAX_CHOICES:
            run = frozenset(before + after for before in run for after in part.exact)
            continue
        whole = False
        candidates.append(run)
        run = part.exact if part.exact is not None else frozenset({""})
        if part.needs is not None:
            candidates.append(part.needs)
    if whole:
        return _Part(exact=run, needs=run if "" not in run else None)
    candidates.append(run)
    usable = [choices for choices in candidates if choices and "" not in choices]
    return _Part(needs=max(usable, key=_worth) if usable else None)
