"""Originals put back into an answer, for those who have the right to see them.

Takes an answer's records and the vault's record of the document, gives them with originals in
place of tokens. Never asks who may: whoever opens the vault has that right. Never keeps anything.
"""

from typing import TypeVar

import msgspec
from msgspec import UNSET

from headworks.assembly.answer_records import AnswerRecord, CitationRecord, TraceRecord
from headworks.privacy.tokens import Record, restore

Told = TypeVar("Told")


class RestoredAnswer(msgspec.Struct, frozen=True):
    """The answer and its trace with originals; tokens that could not be put back are named."""

    answer: AnswerRecord
    trace: TraceRecord
    unknown: tuple[str, ...]
    ambiguous: tuple[str, ...]


def restored_answer(answer: AnswerRecord, trace: TraceRecord, record: Record) -> RestoredAnswer:
    """Put the originals back into every text of an answer and its trace."""
    walk = _Walk(record)
    told = msgspec.structs.replace(walk.over(answer), restored=True)
    return RestoredAnswer(told, walk.over(trace), tuple(walk.unknown), tuple(walk.ambiguous))


class _Walk:
    """Goes through records; notes the tokens that stay."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._known: dict[str, str] = {}
        self.unknown: dict[str, None] = {}
        self.ambiguous: dict[str, None] = {}

    def over(self, told: Told) -> Told:
        """Give a record, or anything made of records, with the originals in its texts."""
        return self._over(told)  # type: ignore[return-value]

    def _over(self, told: object) -> object:
        if isinstance(told, str):
            return self._restored(told)
        if isinstance(told, list):
            return [self._over(one) for one in told]
        if isinstance(told, dict):
            return {self._over(name): self._over(one) for name, one in told.items()}
        if isinstance(told, CitationRecord) and told.folder is not UNSET:
            return told  # tokens of another file mean other words
        if isinstance(told, msgspec.Struct):
            fields = {name: getattr(told, name) for name in told.__struct_fields__}
            return msgspec.structs.replace(
                told, **{name: self._over(value) for name, value in fields.items()}
            )
        return told

    def _restored(self, text: str) -> str:
        if text not in self._known:
            done = restore(text, self._record)
            self.unknown.update(dict.fromkeys(done.unknown))
            self.ambiguous.update(dict.fromkeys(done.ambiguous))
            self._known[text] = done.text
        return self._known[text]
