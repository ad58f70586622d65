"""MSG: Outlook's mail in a compound file (MS-OXMSG), parsed into a letter.

Takes a file's bytes, gives the letter. Never goes through another letter inside it but to hand it
on as an attachment.
"""

import re
import struct
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

from headworks.errors import InputError, LimitError
from headworks.readers.compound import CompoundFile
from headworks.readers.mail.headers import decoded
from headworks.readers.mail.letter import Attachment, Letter
from headworks.readers.mail.rtf_packed import unpacked_rtf

_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER, _SENDER_SMTP, _SENDER_MAIL = 0x0C1A, 0x5D01, 0x0C1F
_TO, _CC, _BCC = 0x0E04, 0x0E03, 0x0E02
_SUBMITTED, _DELIVERED = 0x0039, 0x0E06
_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE
_LONG_NAME, _SHORT_NAME, _SHOWN_NAME = 0x3707, 0x3704, 0x3001
_CONTENT, _CONTENT_ID, _ATTACH_KIND, _HIDDEN = 0x3701, 0x3712, 0x370E, 0x7FFE
_UNICODE, _ANSI, _BINARY, _OBJECT = "001F", "001E", "0102", "000D"
_PROPERTIES = "__properties_version1.0"
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_MAX_DEPTH = 8
_TYPE_NUMBERS = (0x0003, 0x000B)
_TYPE_TIME = 0x0040
_ATTACHMENT = re.compile(r"__attach_version1\.0_#[0-9A-Fa-f]+")
_PICTURE = re.compile(r"image\d*\.(?:png|jpe?g|gif|bmp)", re.I)


def parse_message(raw: bytes) -> Letter:
    """Give the letter."""
    file = CompoundFile(raw)
    if not any(name.startswith(("__substg1.0_", _PROPERTIES)) for name in file.paths):
        raise InputError("E_CORRUPT", "no message in the compound file")
    return _Message(file, "", 0).letter()


class _Message:
    """A message's storage: the file's own, or one of an attached message."""

    def __init__(self, file: CompoundFile, folder: str, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise LimitError("E_TOO_LARGE", "messages in messages without end")
        self._file = file
        self._folder = folder
        self._depth = depth
        self._fixed = self._fixed_properties(folder, 32 if not folder else 24)
        page = self._fixed.get(_CODE_PAGE) or self._fixed.get(_INTERNET_CODE_PAGE)
        self._charset = _charset(page if isinstance(page, int) else None)
        self._html_charset = _charset(self._number(_INTERNET_CODE_PAGE)) or self._charset

    def letter(self) -> Letter:
        """Give the letter with what is attached."""
        sender, address = self._text(_SENDER), self._text(_SENDER_SMTP)
        if not address and "@" in (mail := self._text(_SENDER_MAIL)):
            address = mail
        shown = f"{sender} <{address}>" if sender and address and sender != address else sender
        found = Letter(subject=self._text(_SUBJECT), sender=shown or address)
        when = self._fixed.get(_SUBMITTED) or self._fixed.get(_DELIVERED)
        found.date = when.isoformat() if isinstance(when, datetime) else None
        heads = (
            ("From", found.sender), ("To", self._text(_TO)), ("Cc", self._text(_CC)),
            ("Bcc", self._text(_BCC)), ("Date", found.date or ""), ("Subject", found.subject),
        )  # fmt: skip
        found.heads = [(name, text) for name, text in heads if text]
        self._body(found)
        for folder in self._attachment_folders():
            self._attach(found, folder)
        return found

    def _body(self, letter: Letter) -> None:
        page = self._stream(self._folder, _HTML, _BINARY)
        if page is not None:
            letter.html = decoded(page, self._html_charset)
        else:
            letter.html = self._text(_HTML)
        if not letter.html.strip():
            packed = self._stream(self._folder, _RTF, _BINARY)
            letter.rtf = unpacked_rtf(packed) if packed is not None else b""
        letter.text = self._text(_BODY)

    def _attachment_folders(self) -> list[str]:
        here = len(self._folder)
        names = {
            path[here:].split("/")[0] for path in self._file.paths if path.startswith(self._folder)
        }
        return sorted(f"{self._folder}{name}/" for name in names if _ATTACHMENT.fullmatch(name))

    def _attach(self, letter: Letter, folder: str) -> None:
        name = next(
            (text for key in (_LONG_NAME, _SHORT_NAME, _SHOWN_NAME)
             if (text := self._text(key, folder))),
            "attachment",
        )  # fmt: skip
        inner = f"{folder}__substg1.0_{_CONTENT:04X}{_OBJECT}/"
        if any(path.startswith(inner) for path in self._file.paths):
            attached = _Message(self._file, inner, self._depth + 1).letter()
            content = _as_mail(attached)
            letter.attachments.append(Attachment(f"{attached.subject or name}.eml", content))
            return
        found = self._stream(folder, _CONTENT, _BINARY)
        hidden = self._fixed_properties(folder, 8).get(_HIDDEN)
        placed = self._text(_CONTENT_ID, folder) in letter.html if letter.html else False
        named = self._text(_ATTACH_KIND, folder).startswith("image/") or _PICTURE.fullmatch(name)
        if named and (hidden or (placed and self._text(_CONTENT_ID, folder))):
            letter.pictures += 1
        elif found is not None:
            letter.attachments.append(Attachment(name, found))

    def _text(self, key: int, folder: str | None = None) -> str:
        here = self._folder if folder is None else folder
        wide = self._stream(here, key, _UNICODE)
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\x00")
        narrow = self._stream(here, key, _ANSI)
        return "" if narrow is None else decoded(narrow.rstrip(b"\x00"), self._charset)

    def _number(self, key: int) -> int | None:
        value = self._fixed.get(key)
        return value if isinstance(value, int) else None

    def _stream(self, folder: str, key: int, kind: str) -> bytes | None:
        return self._file.at(f"{folder}__substg1.0_{key:04X}{kind}")

    def _fixed_properties(self, folder: str, head: int) -> dict[int, int | datetime]:
        """Give the numbers and times that stand in the properties stream itself."""
        raw = self._file.at(folder + _PROPERTIES) or b""
        found: dict[int, int | datetime] = {}
        for at in range(head, len(raw) - 15, 16):
            kind, key = struct.unpack_from("<HH", raw, at)
            if kind in _TYPE_NUMBERS:
                found[key] = int(struct.unpack_from("<I", raw, at + 8)[0])
            elif kind == _TYPE_TIME:
                ticks = struct.unpack_from("<Q", raw, at + 8)[0]
                if 0 < ticks < 1 << 60:
                    found[key] = _EPOCH + timedelta(microseconds=ticks // 10)
        return found


def _charset(page: int | None) -> str | None:
    if page is None or page in (0, 1200):
        return None
    return {65001: "utf-8", 936: "gb18030", 54936: "gb18030", 950: "big5hkscs"}.get(
        page, f"cp{page}"
    )


def _as_mail(letter: Letter) -> bytes:
    """Give a letter as the mail of the internet, so that it can stand as a file of its own."""
    message = EmailMessage()
    for name, text in letter.heads:
        if name not in ("From", "To", "Cc", "Bcc"):
            message[name] = " ".join(text.split())
        else:  # names without addresses would not parse as what these headers hold
            message[f"X-{name}"] = " ".join(text.split())
    if letter.html:
        message.set_content(letter.html, subtype="html")
    else:
        message.set_content(letter.text or " ")
    for attachment in letter.attachments:
        message.add_attachment(
            attachment.content, maintype="application", subtype="octet-stream",
            filename=attachment.name,
        )  # fmt: skip
    return message.as_bytes()
