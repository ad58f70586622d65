"""Forms, as they come in pieces of any size."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from litestar.datastructures import Headers

from headworks.errors import LimitError
from headworks.web.uploads import Form, RequestError, plain_name, read_form

BOUNDARY = "----x7"
HEADERS = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}


def _form(*parts: tuple[str, str | None, bytes]) -> bytes:
    body = bytearray()
    for name, filename, content in parts:
        file = f'; filename="{filename}"' if filename is not None else ""
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        body += head.encode() + content + b"\r\n"
    return bytes(body) + f"--{BOUNDARY}--\r\n".encode()


def _read(body: bytes, step: int = 7, headers: dict[str, str] | None = None) -> Form:
    async def stream() -> AsyncIterator[bytes]:
        for start in range(0, len(body), step):
            yield body[start : start + step]

    async def keep(content: AsyncIterator[bytes]) -> bytes:
        return b"".join([piece async for piece in content])

    return asyncio.run(read_form(Headers(headers or HEADERS), stream(), keep, 1000))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300), st.integers(1, 50))
def test_files_and_fields_come_whole(content: bytes, step: int) -> None:
    """What is sent is what is kept, in whatever pieces it comes."""
    form = _read(
        _form(("client", None, "甲方".encode()), ("file", "a.docx", content), ("tags", None, b"x")),
        step,
    )
    assert form.first("client") == "甲方"
    assert form.first("tags") == "x"
    assert form.first("rules") is None
    assert [(file.name, file.kept) for file in form.files] == [("a.docx", content)]


def test_a_form_cut_short_is_refused() -> None:
    """A connection that broke leaves no document behind."""
    body = _form(("file", "a.txt", b"abc"))
    with pytest.raises(RequestError, match="multipart"):
        _read(body[:-8])


@pytest.mark.parametrize(
    "kind", ["", "application/json", "multipart/form-data", "multipart/form-data; boundary="]
)
def test_what_is_no_form_is_refused(kind: str) -> None:
    """The answer says what to send."""
    with pytest.raises(RequestError, match="multipart/form-data"):
        _read(b"{}", headers={"content-type": kind})


def test_what_says_to_be_too_long_is_not_begun() -> None:
    """A length over the limit is refused before a byte is read."""
    with pytest.raises(LimitError):
        _read(b"", headers={**HEADERS, "content-length": str(10**9)})


def test_a_field_is_bounded_and_is_text() -> None:
    """A field of megabytes or of other bytes than text is refused."""
    with pytest.raises(RequestError, match="65536"):
        _read(_form(("tags", None, b"x" * 70_000)), 4096)
    with pytest.raises(RequestError, match="UTF-8"):
        _read(_form(("tags", None, b"\xff\xfe")))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\用户\\合同.docx", "合同.docx"),
        ("..", "document"),
        ("a\x00b\n.txt", "ab.txt"),
        ("", "document"),
        ("附件三 .pdf", "附件三 .pdf"),
    ],
)
def test_a_name_is_never_a_path(sent: str, kept: str) -> None:
    """Only the last part of a name is taken, and only what a name may have."""
    assert plain_name(sent) == kept


def test_a_long_name_keeps_its_ending() -> None:
    """A name that no disk takes is shortened in front of its ending."""
    name = plain_name("合" * 300 + ".docx")
    assert len(name.encode()) <= 200
    assert name.endswith("合.docx")
