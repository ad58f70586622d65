"""Reading an upload as it comes: fields as text, files straight to where they are kept.

Takes the stream of a multipart request, gives a ``Form``. Never holds a file in memory and never
takes a name for a path.
"""

import re
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import msgspec
from litestar.datastructures import Headers
from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser

from headworks.errors import HeadworksError, LimitError

MOST_FILES = 1000
_MOST_FIELD_BYTES = 64 * 1024
_MOST_FIELDS = 64
_MOST_NAME_BYTES = 200
_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))', re.IGNORECASE)

Kept = TypeVar("Kept")
Keep = Callable[[AsyncIterator[bytes]], Awaitable[Kept]]


class RequestError(HeadworksError):
    """The request is not as the interface asks: E_REQUEST."""


class File(msgspec.Struct, frozen=True):
    """A file of the form: the name it goes by, and what keeping it gave."""

    name: str
    kept: object


class Form(msgspec.Struct, frozen=True):
    """What was sent: fields by name (a repeated one has several values), files in order."""

    fields: dict[str, list[str]]
    files: tuple[File, ...]

    def first(self, name: str) -> str | None:
        """Give the first value of a field, none where it was not sent or is empty."""
        values = self.fields.get(name) or [""]
        return values[0] or None


async def read_form(
    headers: Headers, stream: AsyncIterator[bytes], keep: Keep[object], limit: int
) -> Form:
    """Read a multipart form; ``keep`` is given each file's bytes as they come.

    Raises RequestError for what is no such form, LimitError where it says to be over ``limit``.
    """
    parser = _parser(headers, limit)
    reading = _Reading(parser, stream)
    fields: dict[str, list[str]] = {}
    files: list[File] = []
    try:
        while (segment := await reading.segment()) is not None:
            if segment.filename is None:
                name = _header_text(segment.name or "")
                fields.setdefault(name, []).append(await _text(segment, reading))
                continue
            if len(files) == MOST_FILES:
                raise RequestError("E_REQUEST", f"more than {MOST_FILES} files in one request")
            kept = await keep(reading.content())
            await reading.rest()
            files.append(File(plain_name(_header_text(segment.filename)), kept))
    except ParserLimitReached as fault:
        raise RequestError("E_REQUEST", "too many fields, or a header is too long") from fault
    except MultipartError as fault:
        raise RequestError("E_REQUEST", f"not a whole multipart form: {fault}") from fault
    return Form(fields, tuple(files))


def plain_name(name: str) -> str:
    """Give the last part of a name, without what no file's name may have."""
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    shown = "".join(mark for mark in last if unicodedata.category(mark)[0] != "C").strip(" .")
    while len(shown.encode()) > _MOST_NAME_BYTES:
        stem, dot, ending = shown.rpartition(".")
        shown = f"{stem[:-1]}{dot}{ending}" if stem and len(ending) < 20 else shown[:-1]
    return shown or "document"


def _parser(headers: Headers, limit: int) -> PushMultipartParser:
    kind = headers.get("content-type", "")
    boundary = _BOUNDARY.search(kind)
    if not kind.lower().startswith("multipart/form-data") or boundary is None:
        raise RequestError("E_REQUEST", "send multipart/form-data with the part 'file'")
    length = headers.get("content-length", "")
    # The parts around the file are small: what says to be larger is not even begun.
    if length.isascii() and length.isdigit() and int(length) > limit + MOST_FILES * 1024:
        raise LimitError("E_TOO_LARGE", f"the request has {length} bytes, {limit} are taken")
    try:
        return PushMultipartParser(
            boundary[1] or boundary[2],
            max_segment_count=MOST_FILES + _MOST_FIELDS,
            header_charset="latin-1",  # takes any byte; see ``_header_text``
        )
    except (MultipartError, UnicodeError) as fault:
        raise RequestError("E_REQUEST", f"not a boundary of a form: {fault}") from fault


def _header_text(told: str) -> str:
    """Read a header's bytes: UTF-8, or as old clients in China send them."""
    content = told.encode("latin-1", "replace")
    for charset in ("utf-8", "gb18030"):
        try:
            return content.decode(charset)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", "replace")


async def _text(segment: MultipartSegment, reading: "_Reading") -> str:
    content, place = bytearray(), plain_name(_header_text(segment.name or ""))
    async for piece in reading.content():
        content += piece
        if len(content) > _MOST_FIELD_BYTES:
            message = f"the field is over {_MOST_FIELD_BYTES} bytes"
            raise RequestError("E_REQUEST", message, place=place)
    try:
        text = content.decode(segment.charset or "utf-8")
        text.encode()  # some charsets can spell what is no character
    except (UnicodeError, LookupError) as fault:
        raise RequestError("E_REQUEST", "the field is not text in UTF-8", place=place) from fault
    return text


class _Reading:
    """Turns the parser's events into segments and their content, one piece ahead at most."""

    def __init__(self, parser: PushMultipartParser, stream: AsyncIterator[bytes]) -> None:
        self._events = self._all(parser, stream)
        self._open = False

    async def segment(self) -> MultipartSegment | None:
        """Give the next part's head, none at the end."""
        async for event in self._events:
            if isinstance(event, MultipartSegment):
                self._open = True
                return event
        return None

    async def content(self) -> AsyncIterator[bytes]:
        """Give the bytes of the part that is open."""
        while self._open:
            event = await anext(self._events, None)
            if event is None:
                self._open = False
                return
            yield bytes(event)

    async def rest(self) -> None:
        """Pass over what was not read of the part."""
        async for _ in self.content():
            pass

    @staticmethod
    async def _all(
        parser: PushMultipartParser, stream: AsyncIterator[bytes]
    ) -> AsyncIterator[MultipartSegment | bytes | bytearray | None]:
        async for chunk in stream:
            if chunk:
                for event in parser.parse(chunk):
                    yield event
        parser.close()
