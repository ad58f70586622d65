"""Rules tried on a text: what each chunk of it would get, and why.

Takes a text and packs, gives verdicts with their explanations. Never keeps the text.
"""

from hashlib import sha256

import msgspec

from headworks.config import Settings
from headworks.errors import LimitError
from headworks.model.document import Source
from headworks.pipeline import process_document
from headworks.readers.builder import DocumentBuilder
from headworks.readers.text import split_lines, write_lines
from headworks.rules.book import RuleBook

MOST_CHARS = 100_000


class TriedHit(msgspec.Struct, frozen=True):
    """A rule that fired, where in the text, with the values it took."""

    rule: str
    start: int
    end: int
    quote: str
    values: dict[str, str]
    reasons: tuple[str, ...]


class TriedChunk(msgspec.Struct, frozen=True):
    """A chunk of the text and what the rules decided for it."""

    ordinal: int
    start: int
    end: int
    kind: str
    tags: tuple[str, ...]
    pipeline: str
    rule: str
    priority: str
    skipped: str | None
    hits: tuple[TriedHit, ...]


class Trial(msgspec.Struct, frozen=True):
    """What came of it, with the packs' versions."""

    chunks: tuple[TriedChunk, ...]
    versions: dict[str, str]


def tried(text: str, book: RuleBook, settings: Settings) -> Trial:
    """Judge a text as a document of its own. Raises LimitError over 100,000 characters."""
    if len(text) > MOST_CHARS:
        raise LimitError("E_TOO_LARGE", f"the text is over {MOST_CHARS} characters")
    encoded = text.encode("utf-8", "replace")
    source = Source(sha256(encoded).hexdigest(), "text.txt", "text/plain", len(encoded))
    builder = DocumentBuilder(source)
    write_lines(split_lines(text), builder)
    outcome = process_document(builder.finish(), settings, book)
    whole = outcome.document.text
    return Trial(
        tuple(
            TriedChunk(
                ordinal=chunk.ordinal,
                start=chunk.start,
                end=chunk.end,
                kind=chunk.kind,
                tags=verdict.tags,
                pipeline=verdict.route.pipeline,
                rule=verdict.route.rule,
                priority=verdict.route.priority,
                skipped=verdict.skip,
                hits=tuple(
                    TriedHit(
                        rule=hit.rule,
                        start=hit.span.start,
                        end=hit.span.end,
                        quote=whole[hit.span.start : hit.span.end],
                        values={name: value.value for name, value in hit.values.items()},
                        reasons=hit.reasons,
                    )
                    for hit in verdict.hits
                ),
            )
            for chunk, verdict in zip(outcome.chunks, outcome.verdicts, strict=True)
        ),
        book.versions,
    )
