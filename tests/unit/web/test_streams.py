"""Pages of lines, and bodies as they come."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from litestar.exceptions import InternalServerException

from headworks.web import streams
from headworks.web.streams import From, LinePlaces, begun, framed, lines_of, sent
from headworks.web.uploads import RequestError


def _content(whole: bytes, step: int, read: list[int] | None = None) -> From:
    async def pieces(start: int) -> AsyncIterator[bytes]:
        for at in range(start, len(whole), step):
            if read is not None:
                read.append(len(whole[at : at + step]))
            yield whole[at : at + step]

    return pieces


async def _joined(stream: AsyncIterator[bytes]) -> bytes:
    return b"".join([piece async for piece in stream])


@given(
    st.lists(st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"")), max_size=12),
    st.integers(1, 11),
    st.integers(0, 14),
    st.integers(1, 14),
    st.booleans(),
)
def test_a_page_is_the_lines_of_the_file(
    lines: list[bytes], step: int, skip: int, most: int, ended: bool
) -> None:
    """In whatever pieces it is read, and its end is where the next page begins."""
    whole = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    all_lines = whole.split(b"\n")
    if not all_lines[-1]:
        all_lines.pop()
    page = asyncio.run(lines_of(_content(whole, step), 0, skip, most))
    assert page.lines == all_lines[skip : skip + most]
    rest = asyncio.run(lines_of(_content(whole, step), page.end, 0, 99))
    if page.lines:
        assert rest.lines == all_lines[skip + most :]


def test_pages_in_a_row_read_the_file_once() -> None:
    """Whoever goes on page by page reads what is given, not what came before or comes after."""
    whole = b"".join(b"%05d\n" % number for number in range(1000))
    read: list[int] = []
    places = LinePlaces()

    async def walk() -> list[bytes]:
        found: list[bytes] = []
        while page := await places.page(("d", 1), _content(whole, 60, read), len(found), 100):
            found += page
        return found

    assert asyncio.run(walk()) == whole.split()
    assert sum(read) == len(whole)


def test_a_stream_that_cannot_begin_is_told() -> None:
    """The fault of the first piece comes before an answer is begun."""

    async def gone() -> AsyncIterator[bytes]:
        raise KeyError
        yield b""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"a"
        yield b"b"

    async def ask() -> bytes:
        with pytest.raises(KeyError):
            await begun(gone())
        return await _joined(framed(b"<", await begun(pieces()), b">"))

    assert asyncio.run(ask()) == b"<ab>"


def test_a_silent_sender_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence, a trickle and a broken connection end an upload with a fault of the request."""
    monkeypatch.setattr(streams, "_SILENT_SECONDS", 0.4)

    async def silent() -> AsyncIterator[bytes]:
        yield b"a"
        await asyncio.sleep(9)

    async def trickle() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0.01)
            yield b"a"

    async def broken() -> AsyncIterator[bytes]:
        yield b"a"
        raise InternalServerException

    for stream, said in ((silent, "nothing"), (trickle, "less than"), (broken, "broke")):
        with pytest.raises(RequestError) as fault:
            asyncio.run(_joined(sent(stream())))
        assert said in fault.value.message
