"""A chunk as targets get it that are no models.

Takes an ask, gives one line of JSON. The same ask gives the same bytes, so that a receiver knows
one that comes again.
"""

import msgspec

from headworks.model.job import Ask


class Letter(msgspec.Struct, frozen=True, omit_defaults=True):
    """``job`` stays the same when the same chunk is sent again; ``record`` is the chunk's.

    ``messages``, ``schema`` and ``max_tokens`` are there where an answer is wanted in words.
    """

    job: str
    document: str
    chunk: str
    pipeline: str
    priority: str
    record: msgspec.Raw
    messages: tuple[tuple[str, str], ...] = ()
    schema: dict[str, object] | None = None
    max_tokens: int = 0


def letter(ask: Ask) -> bytes:
    """Give the body of a POST, or a line of a file without its end."""
    return msgspec.json.encode(
        Letter(
            ask.job,
            ask.document,
            ask.chunk,
            ask.pipeline,
            ask.priority,
            msgspec.Raw(ask.payload),
            ask.messages,
            ask.schema,
            ask.max_tokens if ask.messages else 0,
        )
    )
