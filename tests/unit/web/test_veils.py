"""What a reader is shown of chunks."""

import asyncio
import json
from collections.abc import AsyncIterator

from hypothesis import given
from hypothesis import strategies as st

from headworks.web.veils import veiled_lines

_CHUNKS = [
    {"text": "电话13912345678", "delivered": "电话[M]", "redactions": [{"start": 2}]},
    {"text": "原文", "delivered": None, "redactions": []},
    {"text": "没有替身", "delivered": None, "redactions": [{"start": 0}]},
]
_FILE = b"".join(json.dumps(chunk).encode() + b"\n" for chunk in _CHUNKS)


@given(st.integers(1, len(_FILE)), st.booleans())
def test_redacted_chunks_leave_without_their_words(step: int, ended: bool) -> None:
    """In whatever pieces the file comes; what was not redacted is as it was."""
    whole = _FILE if ended else _FILE[:-1]

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(whole), step):
            yield whole[at : at + step]

    async def read() -> bytes:
        return b"".join([piece async for piece in veiled_lines(pieces())])

    lines = [json.loads(line) for line in asyncio.run(read()).splitlines()]
    assert [line["text"] for line in lines] == ["电话[M]", "原文", ""]
    assert [line["redactions"] for line in lines] == [line["redactions"] for line in _CHUNKS]
