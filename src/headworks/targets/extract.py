"""The answer that needs no model: the key values of the hits, and the first sentences.

Takes a chunk's record, gives JSON. The same record gives the same bytes. It says nothing that
does not stand in the chunk, so each of its sentences is a quote.
"""

import re
import time
from collections.abc import Callable
from typing import Any

import msgspec

from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.model.job import Ask, Reply
from headworks.targets.base import TargetRefused

_SENTENCES = 2
_LONGEST = 200
# The end of a sentence with the closing quotes after it; a full stop only before a space.
_SENTENCE = re.compile(r"[^\n]*?(?:[。！？!?；;]+[”’」』）)\"']*|\.(?=\s)|(?=\n)|\Z)", re.DOTALL)


class _Hit(msgspec.Struct):
    rule: str = ""
    quote: str = ""
    values: dict[str, Any] = {}


class _Record(msgspec.Struct):
    """What is read of a chunk's record; the rest of it is left alone."""

    text: str = ""
    delivered: str | None = None
    anchor: str | None = None
    heading_path: list[str] = []
    tags: list[str] = []
    hits: list[_Hit] = []


class Value(msgspec.Struct, frozen=True):
    """A value that a rule's hit named: its words, its kind, and the sentence's quote."""

    name: str
    text: str
    kind: str = ""
    value: str | None = None
    rule: str = ""
    quote: str = ""


class Extract(msgspec.Struct, frozen=True):
    """The answer: ``summary`` are the first sentences, ``quotes`` the same one by one."""

    summary: str
    values: tuple[Value, ...]
    quotes: tuple[str, ...]
    tags: tuple[str, ...] = ()


def extract(payload: bytes) -> Extract:
    """Give the answer that the rules alone make of a chunk's record. Raises ValueError."""
    record = msgspec.json.decode(payload, type=_Record, strict=False)
    text = record.delivered if record.delivered is not None else record.text
    headings = {*record.heading_path, record.anchor or ""}
    quotes = first_sentences(text, headings)
    values = {
        (value.name, value.text): value for hit in reversed(record.hits) for value in _values(hit)
    }
    ordered = tuple(values[key] for key in sorted(values))
    return Extract("".join(quotes), ordered, quotes, tuple(sorted(set(record.tags))))


def first_sentences(text: str, headings: set[str]) -> tuple[str, ...]:
    """Give the first sentences that are no heading, each no longer than 200 characters."""
    found: list[str] = []
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if not sentence or sentence in headings:
            continue
        found.append(sentence[:_LONGEST])
        if len(found) == _SENTENCES:
            break
    return tuple(found)


def answer_json(payload: bytes) -> str:
    """Give the answer as JSON; the same bytes for the same record. Raises ValueError."""
    return msgspec.json.encode(extract(payload)).decode()


class ExtractTarget:
    """The built-in target of the demo, and of interactive work whose own target is down."""

    def __init__(
        self,
        name: str,
        settings: TargetSettings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if settings is not None and settings.url:
            message = "the kind extract sends nothing anywhere: take url away"
            raise ConfigError("E_CONFIG", message, place=f"targets.{name}")
        self.name = name
        self._clock = clock

    async def send(self, ask: Ask) -> Reply:
        """Make the answer here; raises TargetRefused where the record is none."""
        started = self._clock()
        try:
            body = answer_json(ask.payload)
        except ValueError:
            raise TargetRefused("the record of the chunk cannot be read") from None
        milliseconds = (self._clock() - started) * 1000
        return Reply(
            job=ask.job,
            chunk=ask.chunk,
            target=self.name,
            body=body,
            model="extract",
            first_token_milliseconds=milliseconds,
            milliseconds=milliseconds,
        )

    async def close(self) -> None:
        """Nothing to let go of."""


def _values(hit: _Hit) -> list[Value]:
    found = []
    for name, told in hit.values.items():
        entry = told if isinstance(told, dict) else {"text": str(told)}
        text = str(entry.get("text", ""))
        if not text:
            continue
        value = entry.get("value")
        plain = None if value is None else str(value)
        found.append(Value(name, text, str(entry.get("kind") or ""), plain, hit.rule, hit.quote))
    return found
