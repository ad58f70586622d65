"""A document's files: its original, its pages as pictures, its results, its trace.

Takes ids and numbers, gives bytes. What rules took out of a text is black on its page; the text
before redaction is for those who may send documents.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from litestar import Response, Router, get
from litestar.datastructures import ResponseHeader
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from headworks.service.pages import Painters, Wanted, page_picture
from headworks.service.shop import Shop
from headworks.service.views import DocumentView
from headworks.store import documents
from headworks.store.documents import DocumentRow
from headworks.web.access import AccessError
from headworks.web.calls import (
    Call,
    MissingError,
    StateError,
    caller_of,
    finished_document,
    seen_document,
    shop_of,
)
from headworks.web.guard import role
from headworks.web.streams import begun
from headworks.web.veils import ORIGINALS, veiled_lines
from headworks.web.wishes import FILES

_PIECE = 1 << 16
_CHUNKS = "chunks.jsonl"
_ANSWER_FILES = frozenset({"answer.json", "answer.md", "trace.json", "trace.html"})

DotsPerInch = Annotated[int, Parameter(ge=24, le=200, description="dots an inch")]
PageName = Annotated[str, Parameter(pattern=r"^[1-9][0-9]{0,5}\.png$", description="n.png")]


@get("/original", guards=[role("submit")], media_type="application/octet-stream")
async def original(request: Call, document: str) -> Stream:
    """Give the file as it was sent."""
    view = await seen_document(request, document)
    opened = shop_of(request).blobs.open_original(view.sha256)
    named = f"attachment; filename*=UTF-8''{quote(view.name)}"
    return Stream(
        await begun(_pieces(opened)),
        media_type="application/octet-stream",
        headers={"Content-Disposition": named},
    )


@get("/files/{name:str}")
async def result_file(request: Call, document: str, name: str) -> Stream:
    """Give one file of the result."""
    if name not in FILES:
        raise MissingError("E_NOT_FOUND", f"no file {name[:80]!r}; there are: {', '.join(FILES)}")
    view = await finished_document(request, document)
    whole = caller_of(request).may("submit")
    if name in ORIGINALS and not whole:
        raise AccessError("E_ROLE", f"{name} holds the text before redaction")
    return await _streamed(shop_of(request), view, name, hide=not whole and name == _CHUNKS)


@get("/trace")
async def trace(request: Call, document: str) -> Stream:
    """Give where each sentence of the assembled answer comes from (trace.json)."""
    view = await finished_document(request, document)
    return await _streamed(shop_of(request), view, "trace.json")


@get("/answer")
async def answer(request: Call, document: str) -> Stream:
    """Give the assembled answer (answer.json)."""
    view = await finished_document(request, document)
    return await _streamed(shop_of(request), view, "answer.json")


@get(
    "/pages/{name:str}",
    media_type="image/png",
    responses={200: ResponseSpec(bytes, media_type="image/png", description="the page")},
    response_headers=[ResponseHeader(name="Cache-Control", value="private, max-age=3600")],
)
async def page(
    request: Call, document: str, name: PageName, dpi: DotsPerInch = 96
) -> Response[bytes]:
    """Give the picture of a page (``1.png``), redacted places black."""
    number = int(name.removesuffix(".png"))
    view = await finished_document(request, document)
    shop = shop_of(request)
    row = await _row(shop, view)
    wanted = Wanted(number, dpi, whole=caller_of(request).may("admin"))
    painters: Painters = request.app.state.painters
    picture = row and await page_picture(shop, painters, row, wanted)
    if not picture:
        raise MissingError("E_NOT_FOUND", f"no picture of page {number}", place=view.name)
    return Response(picture, media_type="image/png")


ROUTER = Router(
    "/v1/documents/{document:str}",
    route_handlers=[original, result_file, trace, answer, page],
    tags=["documents"],
)


async def result_files(shop: Shop, view: DocumentView) -> frozenset[str]:
    """Give the names of the files that a document's result and its answer have."""
    names = set(await shop.blobs.names(view.id, view.fence))
    row = await _row(shop, view) if view.answer else None
    if row is not None:
        names |= set(await shop.blobs.names(view.id, row.answer_fence)) & _ANSWER_FILES
    return frozenset(names & set(FILES))


async def _row(shop: Shop, view: DocumentView) -> DocumentRow | None:
    return await shop.database.read(lambda connection: documents.get(connection, view.id))


async def _streamed(shop: Shop, view: DocumentView, name: str, *, hide: bool = False) -> Stream:
    row = await _row(shop, view)
    fence = view.fence if row is None or name not in _ANSWER_FILES else row.answer_fence
    if not fence:
        raise StateError(
            "E_STATE", "no answer is assembled yet: what was sent is under way, or nothing is sent"
        )
    if name not in await shop.blobs.names(view.id, fence):
        raise MissingError("E_NOT_FOUND", f"the result has no {name}")
    stream = await begun(shop.blobs.stream(view.id, fence, name))
    headers = {"Content-Disposition": f"inline; filename*=UTF-8''{quote(name)}"}
    if name.endswith(".html"):
        # The page holds its own script and pictures, and asks nobody for anything.
        headers["Content-Security-Policy"] = (
            "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; "
            "script-src 'unsafe-inline'; img-src data:"
        )
    shown = veiled_lines(stream) if hide else stream
    return Stream(shown, media_type=FILES[name], headers=headers)


async def _pieces(opened: AbstractAsyncContextManager[Path]) -> AsyncIterator[bytes]:
    async with opened as path:
        with await asyncio.to_thread(open, path, "rb") as file:
            while piece := await asyncio.to_thread(file.read, _PIECE):
                yield piece
