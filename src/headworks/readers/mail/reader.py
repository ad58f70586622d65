"""Reading mail: the head as a block, then the body; attachments are documents of their own.

Takes an EML or MSG file, gives its document, and the attachments for whoever unpacks them. Never
opens an attachment.
"""

import contextlib
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document, Source, Style
from headworks.model.place import PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.readers.html import write_html
from headworks.readers.mail.letter import Attachment, Letter
from headworks.readers.mail.mime import parse_mail
from headworks.readers.mail.outlook import parse_message
from headworks.readers.rtf.reader import write_rtf
from headworks.readers.text import split_lines, write_lines

PART = "mail"
_HEAD = Style(name="mail head")


def read_eml(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a mail."""
    return _written(parse_mail(path.read_bytes()), source)


def read_msg(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a message of Outlook."""
    return _written(parse_message(path.read_bytes()), source)


def attachments(path: Path, kind: str) -> list[Attachment]:
    """Give the files sent along with a mail (``eml`` or ``msg``)."""
    raw = path.read_bytes()
    letter = parse_mail(raw) if kind == "eml" else parse_message(raw)
    return letter.attachments


def _written(letter: Letter, source: Source) -> Document:
    if letter.encrypted and not (letter.text or letter.html):
        raise InputError("E_ENCRYPTED", "the mail's body is sealed")
    builder = DocumentBuilder(source)
    more: dict[str, str | int | float | list[str]] = {
        name.lower(): text for name, text in letter.heads if name in ("To", "Cc")
    }
    names = [attachment.name for attachment in letter.attachments]
    if names:
        more["attachments"] = [
            f"{attachment.name} ({len(attachment.content)} bytes)"
            for attachment in letter.attachments
        ]
    if letter.pictures:
        more["pictures_in_body"] = letter.pictures
    builder.metadata = msgspec.structs.replace(
        builder.metadata,
        title=letter.subject or None,
        author=letter.sender or None,
        created=letter.date,
        more=more,
    )
    head = [f"{name}: {text}" for name, text in letter.heads]
    if names:
        head.append(f"Attachments: {', '.join(names)}")
    builder.paragraph("\n".join(head), PartPlace(PART, 0), style=_HEAD)
    before = builder.length
    if letter.html.strip():
        with contextlib.suppress(InputError):  # no element in it: the other forms may tell more
            write_html(letter.html, builder)
    if builder.length == before and letter.text.strip():
        write_lines(split_lines(letter.text), builder)
    if builder.length == before and letter.rtf:
        write_rtf(letter.rtf, builder)
    if not builder.length:
        raise InputError("E_EMPTY", "a mail without head and body")
    return builder.finish()
