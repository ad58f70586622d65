"""What a reader or a model gets to see of a document that values were taken out of.

Takes a document and the edits that rules made, gives the document with every redacted character
hidden (offsets hold), and any words of it with tokens for what is hidden. Never gives an original.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from headworks.model.document import Document
from headworks.model.place import Span
from headworks.model.verdict import Edit, Verdict
from headworks.privacy.places import PERSONAL, Places
from headworks.privacy.tokens import apply

Told = TypeVar("Told")

# A hidden character stands for a token: private characters, two a token, so that neighbours differ.
_FIRST, _LAST = 0xF0000, 0xFFFFD
_HIDDEN = re.compile("([\U000f0000-\U000ffffd])(?:\\s*\\1)*")
_INK = re.compile(r"\S")
_MOST = (_LAST - _FIRST + 1) // 2 - 1
_NO_ROOM = "[REDACTED]"


class Veil:
    """Lies over one document. ``document`` is that document, its redacted characters hidden."""

    def __init__(self, document: Document, edits: Sequence[Edit]) -> None:
        """Hide what the edits take out, and the same personal values wherever else they stand."""
        self.edits = tuple(edits)
        self._text = document.text
        values = [document.text[edit.span.start : edit.span.end] for edit in self.edits]
        self._values = Places(values)
        # A value of one's own words is left where the rule's condition leaves it.
        personal = [
            value if edit.label in PERSONAL else ""
            for edit, value in zip(self.edits, values, strict=True)
        ]
        self._personal = self._values if personal == values else Places(personal)
        self._hidden = self._everywhere(document.text)
        self._starts = [edit.span.start for edit in self._hidden]
        self._ends = [edit.span.end for edit in self._hidden]
        self._tokens: list[str] = []
        self.document = msgspec.structs.replace(document, text=self._masked(document.text))

    def _everywhere(self, text: str) -> list[Edit]:
        starts = [edit.span.start for edit in self.edits]
        further = []
        for span, index in self._personal.find(text):
            at = bisect_left(starts, span.end) - 1
            if at < 0 or self.edits[at].span.end <= span.start:
                source = self.edits[index]
                further.append(Edit(span, source.label, source.token, source.rule))
        return sorted((*self.edits, *further), key=lambda edit: edit.span)

    def _masked(self, text: str) -> str:
        numbers: dict[str, int] = {}
        pieces: list[str] = []
        at = 0
        for position, edit in enumerate(self._hidden):
            number = numbers.setdefault(edit.token, len(numbers))
            if number == len(self._tokens) and number < _MOST:
                self._tokens.append(edit.token)
            char = chr(_FIRST + 2 * min(number, _MOST) + position % 2)
            pieces += (
                text[at : edit.span.start],
                _INK.sub(char, text[edit.span.start : edit.span.end]),
            )
            at = edit.span.end
        pieces.append(text[at:])
        return "".join(pieces)

    @property
    def hidden(self) -> list[Span]:
        """The ranges of the document that are hidden, in order."""
        return [edit.span for edit in self._hidden]

    def hides(self, span: Span) -> bool:
        """Tell whether something in the range is hidden."""
        return bisect_right(self._ends, span.start) < bisect_left(self._starts, span.end)

    def shown(self, text: str) -> str:
        """Give a part of the document's hidden text with tokens for what is hidden in it."""
        return self._told(text, self._personal)

    def words(self, text: str) -> str:
        """Give words about the document with tokens for every value that was taken out of it."""
        return self._told(text, self._values)

    def _told(self, text: str, known: Places) -> str:
        pieces: list[str] = []
        at = 0
        for span, index in known.find(text):
            pieces += (_HIDDEN.sub(self._token, text[at : span.start]), self.edits[index].token)
            at = span.end
        return "".join((*pieces, _HIDDEN.sub(self._token, text[at:])))

    def _token(self, match: re.Match[str]) -> str:
        number = (ord(match[1]) - _FIRST) // 2
        return self._tokens[number] if number < len(self._tokens) else _NO_ROOM

    def delivered(self, spans: Sequence[Span], edits: Sequence[Edit]) -> str:
        """Give the text of a chunk as it is delivered: the edits carried out, nothing else."""
        return apply(self._text, edits, spans)

    def over(self, told: Told) -> Told:
        """Give a record, or anything made of records, with ``words`` for each text in it."""
        return self._over(told)  # type: ignore[return-value]

    def _over(self, told: object) -> object:
        if isinstance(told, str):
            return self.words(told)
        if isinstance(told, list):
            return [self._over(one) for one in told]
        if isinstance(told, tuple):
            return tuple(self._over(one) for one in told)
        if isinstance(told, dict):
            return {name: self._over(one) for name, one in told.items()}
        if isinstance(told, msgspec.Struct):
            fields = {name: getattr(told, name) for name in told.__struct_fields__}
            return msgspec.structs.replace(
                told, **{name: self._over(value) for name, value in fields.items()}
            )
        return told


def edits_of(verdicts: Iterable[Verdict]) -> tuple[Edit, ...]:
    """Give the edits of a document, each once, in order."""
    found = {edit.span: edit for verdict in verdicts for edit in verdict.edits}
    return tuple(found[span] for span in sorted(found))


def veil_over(document: Document, verdicts: Iterable[Verdict]) -> Veil | None:
    """Give the veil for what the rules redacted; none where they redacted nothing."""
    edits = edits_of(verdicts)
    return Veil(document, edits) if edits else None
