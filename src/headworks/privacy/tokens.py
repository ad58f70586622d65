"""Tokens that stand in a text for what was taken out, and the way back.

Takes a text and marks (ranges with a label), gives edits, the redacted text and a ``Record`` of the
originals; restores a text, also one that a model has moved, repeated or broken the tokens of.
Never puts an original anywhere but in the record.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Literal

import msgspec

from headworks.errors import ConfigError
from headworks.model.folding import fold
from headworks.model.place import Span
from headworks.model.verdict import Edit
from headworks.privacy.recognizers import DETECTORS, USUAL, Detector, detect

Style = Literal["label", "numbered", "mask", "hash"]


class Mark(msgspec.Struct, frozen=True):
    """A range to take out: what it is called, its value without blanks, the rule that says so."""

    span: Span
    label: str
    plain: str
    rule: str = ""


class Kept(msgspec.Struct, frozen=True):
    """One place of the redacted text and what stood there."""

    start: int
    token: str
    original: str


class Record(msgspec.Struct, frozen=True):
    """All that a document's redaction took out: belongs in the vault and nowhere else.

    ``document`` is the document's id, ``name`` what its file was called.
    """

    document: str
    style: Style
    digest: str
    kept: tuple[Kept, ...]
    name: str = ""


class Redacted(msgspec.Struct, frozen=True):
    """A redacted text, the edits that made it, and the record to undo them."""

    text: str
    edits: tuple[Edit, ...]
    record: Record


class Restored(msgspec.Struct, frozen=True):
    """A restored text and what was odd about its tokens.

    ``unknown`` are tokens that the record does not have, ``ambiguous`` those that stand for
    several values, ``repeated`` those more often there than in the redacted text, ``missing`` those
    less often.
    """

    text: str
    unknown: tuple[str, ...] = ()
    ambiguous: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def marks_in(text: str, detectors: Iterable[Detector] = USUAL, rule: str = "") -> list[Mark]:
    """Give what the detectors find in a text, as marks."""
    return [
        Mark(value.span, detector.label, value.value, rule)
        for detector, value in detect(fold(text), detectors)
    ]


def union(marks: Iterable[Mark]) -> list[Mark]:
    """Join overlapping marks; the longest one names the joined range."""
    joined: list[list[Mark]] = []
    end = -1
    for mark in sorted(marks, key=lambda mark: (mark.span.start, -mark.span.end, mark.label)):
        if joined and mark.span.start < end:
            joined[-1].append(mark)
            end = max(end, mark.span.end)
        else:
            joined.append([mark])
            end = mark.span.end
    return [_joined(group) for group in joined]


def _joined(group: list[Mark]) -> Mark:
    longest = max(
        group,
        key=lambda mark: (
            mark.span.end - mark.span.start,
            _RANKS.get(mark.label, 0),
            -mark.span.start,
        ),
    )
    hull = Span(group[0].span.start, max(mark.span.end for mark in group))
    if hull == longest.span:
        return longest
    plain = "+".join(sorted({mark.plain for mark in group}))
    return Mark(hull, longest.label, plain, longest.rule)


def assign(
    text: str, marks: Iterable[Mark], style: Style = "label", *, key: bytes = b""
) -> tuple[Edit, ...]:
    """Give the edits for a document's marks; equal values get equal tokens.

    Numbers that stand in the text already are left out, so that no token is ambiguous. ``key`` is
    needed for hashes: without one they could be guessed back.
    """
    if style == "hash" and not key:
        raise ConfigError("E_CONFIG", "hashed tokens need the vault's key (HEADWORKS_VAULT_KEY)")
    namer = _Namer(text, style, key)
    return tuple(
        Edit(mark.span, mark.label, namer.token(mark), mark.rule)
        for mark in union(marks)
        if mark.span.end > mark.span.start
    )


class _Namer:
    def __init__(self, text: str, style: Style, key: bytes) -> None:
        self.text = text
        self.style = style
        self.key = key
        self.known: dict[tuple[str, str], str] = {}
        self.numbers: Counter[str] = Counter()
        self.used = {_canonical(match) for match in _TOKEN.finditer(text)}

    def token(self, mark: Mark) -> str:
        if self.style == "label":
            return f"[REDACTED_{mark.label.replace('_', '')}]"
        if self.style == "mask":
            return mask(mark.label, self.text[mark.span.start : mark.span.end])
        key = (mark.label, re.sub(r"[\s-]", "", mark.plain).upper())
        if key not in self.known:
            self.known[key] = self._new(key)
        return self.known[key]

    def _new(self, key: tuple[str, str]) -> str:
        if self.style == "hash":
            said = f"{key[0]}|{key[1]}".encode()
            return f"[{key[0]}:{blake2b(said, key=self.key[:64], digest_size=6).hexdigest()}]"
        while True:
            self.numbers[key[0]] += 1
            token = f"[{key[0]}_{self.numbers[key[0]]}]"
            if token not in self.used:
                return token


# How many characters a mask leaves at the start and the end.
_SHOWN = {
    "ID_CARD": (3, 3),
    "MOBILE": (3, 4),
    "BANK_CARD": (0, 4),
    "PHONE": (0, 3),
    "PERSON": (1, 0),
}


def mask(label: str, original: str) -> str:
    """Hide the middle of a value; blanks and line ends in it stay where they are."""
    if label == "EMAIL" and "@" in original:
        local, _, domain = original.partition("@")
        return f"{local[:1]}{'*' * max(3, len(local) - 1)}@{domain}"
    head, tail = _SHOWN.get(label, (1, 1))
    if head + tail >= len(original):
        head = tail = 0
    hidden = original[head : len(original) - tail]
    stars = "".join(char if char.isspace() else "*" for char in hidden)
    return original[:head] + stars + original[len(original) - tail :]


def apply(text: str, edits: Sequence[Edit], spans: Sequence[Span] = ()) -> str:
    """Give a text, or the ranges of it that make a chunk, with the edits carried out.

    An edit that reaches over a range's border is carried out whole in the first range it meets.
    """
    pieces: list[str] = []
    done: set[Span] = set()
    for span in spans or (Span(0, len(text)),):
        at = span.start
        for edit in edits:
            if edit.span.end <= span.start or edit.span.start >= span.end:
                continue
            pieces.append(text[at : max(at, edit.span.start)])
            if edit.span not in done:
                pieces.append(edit.token)
                done.add(edit.span)
            at = max(at, edit.span.end)
        pieces.append(text[at : max(at, span.end)])
    return "".join(pieces)


def redact(
    text: str,
    marks: Iterable[Mark],
    style: Style = "label",
    *,
    document: str = "",
    key: bytes = b"",
) -> Redacted:
    """Redact a whole text; ``restore`` with the record gives it back byte for byte."""
    return carry_out(text, assign(text, marks, style, key=key), style, document=document)


def carry_out(text: str, edits: Sequence[Edit], style: Style, *, document: str = "") -> Redacted:
    """Redact a whole text by edits that rules have made, in order and without overlaps."""
    pieces: list[str] = []
    kept: list[Kept] = []
    at = length = 0
    for edit in edits:
        before = text[at : edit.span.start]
        pieces += (before, edit.token)
        kept.append(Kept(length + len(before), edit.token, text[edit.span.start : edit.span.end]))
        length += len(before) + len(edit.token)
        at = edit.span.end
    pieces.append(text[at:])
    redacted = "".join(pieces)
    record = Record(document, style, _digest(redacted), tuple(kept))
    return Redacted(redacted, tuple(edits), record)


def restore(text: str, record: Record) -> Restored:
    """Put the originals back: exactly in the redacted text itself, else token by token."""
    if _digest(text) == record.digest:
        return Restored(_by_place(text, record.kept))
    originals: dict[str, list[str]] = {}
    for kept in record.kept:
        originals.setdefault(kept.token, []).append(kept.original)
    if record.style == "mask":
        return _unmask(text, originals)
    return _by_token(text, originals)


def _by_place(text: str, kept: Sequence[Kept]) -> str:
    pieces: list[str] = []
    at = 0
    for entry in kept:
        pieces += (text[at : entry.start], entry.original)
        at = entry.start + len(entry.token)
    pieces.append(text[at:])
    return "".join(pieces)


# A token as a model may have written it: full-width brackets, Markdown's backslashes, a line break.
_TOKEN = re.compile(
    r"\\?[\[［【〔]\s{0,3}"
    r"(?P<label>[A-Za-z]{2,12}(?:(?:\\?_|[ \t\r\n]){1,3}[A-Za-z]{2,12}){0,2}"
    r"|[\u4e00-\u9fff]{1,12})"
    r"(?:(?:(?:\\?_|[ \t\r\n]|\\){1,4}(?P<number>[0-9]{1,7}))"
    r"|\s{0,2}[:：]\s{0,2}(?P<hash>[0-9a-fA-F]{12}))?"
    r"\s{0,3}\\?[\]］】〕]"
)


def _canonical(match: re.Match[str]) -> str:
    label = re.sub(r"[\\_\s]+", "_", match["label"]).upper()
    if match["hash"]:
        return f"[{label}:{match['hash'].lower()}]"
    return f"[{label}_{int(match['number'])}]" if match["number"] else f"[{label}]"


def _by_token(text: str, originals: Mapping[str, list[str]]) -> Restored:
    labels = _LABELS | {_label(token) for token in originals}
    seen: Counter[str] = Counter()
    unknown: list[str] = []
    ambiguous: list[str] = []

    def back(match: re.Match[str]) -> str:
        token = _canonical(match)
        values = originals.get(token)
        if values is None:
            if _label(token) in labels and (match["number"] or match["hash"]):
                unknown.append(token)
            return match.group()
        seen[token] += 1
        if _label(token) == token.strip("[]") and len(set(values)) > 1:
            ambiguous.append(token)
            return match.group()
        return values[0]

    restored = _TOKEN.sub(back, text)
    return Restored(
        restored,
        tuple(dict.fromkeys(unknown)),
        tuple(dict.fromkeys(ambiguous)),
        tuple(token for token, values in originals.items() if seen[token] > len(values)),
        tuple(token for token, values in originals.items() if seen[token] < len(values)),
    )


def _unmask(text: str, originals: Mapping[str, list[str]]) -> Restored:
    """A mask goes back only where one value has it."""
    missing = tuple(token for token in originals if token not in text)
    ambiguous = tuple(token for token, values in originals.items() if len(set(values)) > 1)
    for token in sorted(originals, key=len, reverse=True):
        if token not in ambiguous:
            text = text.replace(token, originals[token][0])
    return Restored(text, ambiguous=ambiguous, missing=missing)


_RANKS = {detector.label: detector.rank for detector in DETECTORS.values()}
_LABELS = frozenset(_RANKS)


def _label(token: str) -> str:
    return re.sub(r"(?:_[0-9]+|:[0-9a-f]+)$", "", token.strip("[]"))


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
