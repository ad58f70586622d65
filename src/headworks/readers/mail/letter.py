"""A letter: what a mail holds, whatever format it came in.

Takes nothing, gives the value that both mail formats are read into. Never knows either of them.
"""

import msgspec


class Attachment(msgspec.Struct, frozen=True):
    """A file sent along."""

    name: str
    content: bytes


class Letter(msgspec.Struct):
    """A mail: its head lines in order, its body in the form that was found, what is attached.

    ``html`` goes before ``rtf``, that before ``text``: they tell the same. ``encrypted`` where the
    body is sealed. ``pictures`` counts those that stand in the body.
    """

    heads: list[tuple[str, str]] = []
    subject: str = ""
    sender: str = ""
    date: str | None = None
    text: str = ""
    html: str = ""
    rtf: bytes = b""
    attachments: list[Attachment] = []
    pictures: int = 0
    encrypted: bool = False
