"""EML: the mail of the internet, parsed into a letter.

Takes a file's bytes, gives the letter. Never follows a link; the depth of parts in parts is bounded
by the parser's own.
"""

import email
import email.policy
import re
from email.message import Message
from email.utils import parsedate_to_datetime

from headworks.errors import LimitError
from headworks.readers.mail.headers import decoded, header_text
from headworks.readers.mail.letter import Attachment, Letter

_SHOWN = ("From", "To", "Cc", "Bcc", "Date", "Subject")
_SIGNATURES = frozenset({
    "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature",
})  # fmt: skip
_SEALED = frozenset({"application/pkcs7-mime", "application/x-pkcs7-mime"})
_SUFFIXES = {"text/calendar": ".ics", "text/plain": ".txt", "text/html": ".html",
             "application/pdf": ".pdf"}  # fmt: skip
_MAX_PARTS = 2000
_FLOWED = re.compile(r" \r?\n(?!>|-- \r?\n|\r?\n)")
_MAX_DEPTH = 50


def parse_mail(raw: bytes) -> Letter:
    """Give the letter."""
    try:
        message = email.message_from_bytes(raw, policy=email.policy.compat32)
        letter = Letter()
        _heads(message, letter)
        _Parts(letter).take(message, 0)
    except RecursionError as fault:
        raise LimitError("E_TOO_LARGE", "parts in parts without end") from fault
    return letter


def _heads(message: "Message[str, str]", letter: Letter) -> None:
    raw: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        raw.setdefault(name.lower(), []).append(header_text(str(value)))
    for name in _SHOWN:
        text = ", ".join(value for value in raw.get(name.lower(), []) if value)
        if text:
            letter.heads.append((name, text))
    letter.subject = next(iter(raw.get("subject", [])), "")
    letter.sender = next(iter(raw.get("from", [])), "")
    try:
        letter.date = parsedate_to_datetime(raw.get("date", [""])[0]).isoformat()
    except (ValueError, TypeError, OverflowError, IndexError):
        letter.date = None


class _Parts:
    """Goes through the parts of a mail and fills the letter."""

    def __init__(self, letter: Letter) -> None:
        self._letter = letter
        self._count = 0

    def take(self, part: "Message[str, str]", depth: int) -> None:
        """Take a part with all that is in it."""
        self._count += 1
        if self._count > _MAX_PARTS or depth > _MAX_DEPTH:
            raise LimitError("E_TOO_LARGE", f"more than {_MAX_PARTS} parts")
        kind = part.get_content_type()
        if kind == "message/rfc822" and part.is_multipart():
            self._letter_in_it(part)
        elif kind == "multipart/alternative":
            self._alternative(part, depth)
        elif part.is_multipart():
            for inner in part.get_payload():
                if not isinstance(inner, str):
                    self.take(inner, depth + 1)
        else:
            self._leaf(part, kind)

    def _alternative(self, part: "Message[str, str]", depth: int) -> None:
        """Take the richest form of the same text, and files that stand among the forms."""
        letter = self._letter
        before, letter.html, letter.text = (letter.html, letter.text), "", ""
        for inner in part.get_payload():
            if not isinstance(inner, str):
                self.take(inner, depth + 1)
        if letter.html.strip():
            letter.text = ""
        letter.html, letter.text = before[0] + letter.html, before[1] + letter.text

    def _letter_in_it(self, part: "Message[str, str]") -> None:
        inner = part.get_payload(0)
        if isinstance(inner, str):
            return
        subject = header_text(str(inner.get("Subject") or "")) or "mail"
        name = _name(part) or f"{subject}.eml"
        self._letter.attachments.append(Attachment(name, inner.as_bytes()))

    def _leaf(self, part: "Message[str, str]", kind: str) -> None:
        letter = self._letter
        name = _name(part)
        attached = part.get_content_disposition() == "attachment" or bool(name)
        raw = part.get_payload(decode=True)
        content = raw if isinstance(raw, bytes) else b""
        if kind in _SEALED and part.get_param("smime-type") != "signed-data":
            letter.encrypted = True
        elif kind in _SIGNATURES:
            return
        elif kind in ("text/plain", "text/html") and not attached:
            charset = part.get_content_charset()
            text = decoded(content, charset)
            if kind == "text/html":
                letter.html += text
            else:
                flowed = str(part.get_param("format") or "").lower() == "flowed"
                letter.text += _unflowed(text) if flowed else text
        elif kind.startswith("image/") and _stands_in_the_body(part):
            letter.pictures += 1
        elif content:
            letter.attachments.append(Attachment(name or f"part{_SUFFIXES.get(kind, '')}", content))


def _name(part: "Message[str, str]") -> str:
    return header_text(part.get_filename() or "")


def _stands_in_the_body(part: "Message[str, str]") -> bool:
    disposition = part.get_content_disposition()
    return disposition == "inline" or (disposition is None and part.get("Content-ID") is not None)


def _unflowed(text: str) -> str:
    return _FLOWED.sub(" ", text)
