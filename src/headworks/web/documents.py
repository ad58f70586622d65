"""Documents: sent in, listed, read, deleted.

Takes uploads and ids, gives views and files of results. Never holds an upload in memory, and never
shows a document of a client that the key is not for.
"""

import asyncio
from collections.abc import AsyncIterator
from time import monotonic
from typing import Annotated

import msgspec
from litestar import Response, Router, delete, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from headworks.dispatch.queue import QueueFull
from headworks.errors import HeadworksError
from headworks.service.intake import Accepted, Upload, intake, keep, rerun
from headworks.service.keeping import Keeping, keeping
from headworks.service.removal import remove
from headworks.service.shop import Shop
from headworks.service.views import DocumentView, document_views, job_view
from headworks.store.blobs import Stored
from headworks.store.documents import DocumentFilter
from headworks.web import wishes
from headworks.web.calls import (
    Call,
    caller_of,
    client_of,
    finished_document,
    seen_document,
    shop_of,
)
from headworks.web.files import result_files
from headworks.web.guard import role
from headworks.web.problems import RetryLaterError
from headworks.web.records import (
    ChunkPage,
    DocumentPage,
    DocumentResult,
    Preprocessed,
    RerunWish,
    Submitted,
    Taken,
)
from headworks.web.streams import LinePlaces, begun, framed, sent
from headworks.web.uploads import Form, RequestError, read_form
from headworks.web.veils import veiled, veiled_lines

_MOST_PAGE = 1000
_POLL_SECONDS = 5.0
Limit = Annotated[int, Parameter(ge=1, le=_MOST_PAGE, description="at most so many")]
After = Annotated[int, Parameter(ge=0, le=(1 << 53), description="from this ordinal on")]


@post(
    "/documents", status_code=202, guards=[role("submit")], operation_class=wishes.UploadOperation
)
async def send(request: Call) -> Submitted:
    """Take in one document or several; their work goes on behind the answer."""
    taken, faults = [], list[HeadworksError]()
    async with keeping(shop_of(request)) as held:
        form = await _form(request, held)
        upload = wishes.upload_of(form, caller_of(request), "nearline")
        for file in form.files:
            try:
                accepted = await _taken(request, form, wishes.with_file(upload, file), held)
                taken.append(_told(file.name, accepted))
            except HeadworksError as fault:
                if len(form.files) == 1:
                    raise
                faults.append(fault)
                taken.append(Taken(name=file.name, code=fault.code, message=fault.message))
    good = [one for one in taken if one.document]
    if not good:
        raise faults[0]
    return Submitted(
        job=good[0].job,
        document=good[0].document,
        existing=all(one.existing for one in good),
        files=tuple(taken),
    )


@post(
    "/preprocess",
    status_code=200,
    guards=[role("submit")],
    operation_class=wishes.UploadOperation,
    responses={202: ResponseSpec(Submitted, description="it takes longer: ask for the job")},
)
async def preprocess(request: Call) -> Response[Preprocessed | Submitted]:
    """Take in one small document and answer with its chunks."""
    shop = shop_of(request)
    async with keeping(shop) as held:
        form = await _form(request, held)
        if len(form.files) != 1:
            raise RequestError("E_REQUEST", "send exactly one part 'file' with a file name")
        upload = wishes.upload_of(form, caller_of(request), "interactive")
        accepted = await _taken(request, form, wishes.with_file(upload, form.files[0]), held)
    seconds = shop.settings.service.document_seconds
    view = await _over(shop, accepted, seconds)
    if view is None:
        told = _told(form.files[0].name, accepted)
        late = Submitted(
            job=told.job, document=told.document, existing=told.existing, files=(told,)
        )
        return Response(late, status_code=202)
    if not view.fence:
        raise HeadworksError(view.code or "E_STATE", view.message, place=view.name)
    lines = (await shop.blobs.read(view.id, view.fence, "chunks.jsonl")).splitlines()
    answer = Preprocessed(
        job=accepted.job,
        document=accepted.document,
        degraded=view.degraded,
        chunks=_array(lines),
    )
    return Response(answer, status_code=200)


@get("/documents")
async def listing(
    request: Call,
    client: str | None = None,
    name: str | None = None,
    degraded: bool | None = None,
    after: str = "",
    limit: Limit = 100,
) -> DocumentPage:
    """List documents, the newest first."""
    caller = caller_of(request)
    if client is not None:
        client_of(caller, client)
    if after:
        await seen_document(request, after)
    wanted = DocumentFilter(
        client=client,
        clients=caller.clients,
        name=name,
        degraded=degraded,
    )
    found = await document_views(shop_of(request), wanted, after, limit)
    return DocumentPage(found, found[-1].id if len(found) == limit else None)


@get("/documents/{document:str}")
async def document_result(request: Call, document: str) -> Response[DocumentResult] | Stream:
    """Give a document: how it stands, its files, and document.json."""
    view = await seen_document(request, document)
    if not view.fence:
        return Response(DocumentResult(document=view, files=()))
    blobs = shop_of(request).blobs
    names = await result_files(shop_of(request), view)
    told = DocumentResult(
        document=view, files=tuple(name for name in wishes.FILES if name in names)
    )
    if "document.json" not in names or not await _may_see_record(request, view):
        return Response(told)
    record = await begun(blobs.stream(view.id, view.fence, "document.json"))
    before = msgspec.json.encode(told).removesuffix(b"null}")
    return Stream(framed(before, record, b"}"), media_type="application/json")


@get("/documents/{document:str}/chunks")
async def chunks(
    request: Call, document: str, after: After = 0, limit: Limit = 100
) -> Response[ChunkPage] | Stream:
    """Give the chunks from ordinal ``after`` on; as application/x-ndjson all of them."""
    view = await finished_document(request, document)
    blobs, whole = shop_of(request).blobs, caller_of(request).may("submit")
    if "application/x-ndjson" in request.headers.get("accept", ""):
        stream = await begun(blobs.stream(view.id, view.fence, "chunks.jsonl"))
        lines = stream if whole else veiled_lines(stream)
        return Stream(lines, media_type="application/x-ndjson")

    def content(start: int) -> AsyncIterator[bytes]:
        return blobs.stream(view.id, view.fence, "chunks.jsonl", start)

    places: LinePlaces = request.app.state.places
    page = await places.page((view.id, view.fence), content, after, limit)
    page = page if whole else [veiled(line) for line in page]
    end, total = after + len(page), view.counts.get("chunks", 0)
    return Response(ChunkPage(_array(page), total, end if end < total else None))


@delete("/documents/{document:str}", guards=[role("submit")])
async def forget(request: Call, document: str) -> None:
    """Delete a document: its file, its chunks, its answers, its redaction vault."""
    view = await seen_document(request, document)
    await remove(shop_of(request), view.id)


@post("/documents/{document:str}/rerun", status_code=202, guards=[role("submit")])
async def judge_again(request: Call, document: str, data: RerunWish) -> Taken:
    """Judge a document by other packs, or the present ones, without reading it again."""
    view = await seen_document(request, document)
    try:
        accepted = await rerun(shop_of(request), view.id, data.rules)
    except QueueFull as full:
        raise _full(full) from full
    return _told(view.name, accepted)


ROUTER = Router(
    "/v1",
    route_handlers=[
        send,
        preprocess,
        listing,
        document_result,
        chunks,
        forget,
        judge_again,
    ],
    tags=["documents"],
)


async def _may_see_record(request: Call, view: DocumentView) -> bool:
    """Tell whether the caller may see document.json: a reader, where nothing was redacted."""
    if caller_of(request).may("submit"):
        return True
    shop, painters = shop_of(request), request.app.state.painters
    redacted: bool = await painters.covers.any(shop, view.id, view.fence)
    return not redacted


async def _form(request: Call, held: Keeping) -> Form:
    shop = shop_of(request)
    if shop.draining:
        raise RetryLaterError("E_DRAINING", "", shop.settings.service.drain_seconds)

    async def kept(content: AsyncIterator[bytes]) -> Stored:
        return await keep(shop, content, held)

    limit = shop.settings.service.max_upload_bytes
    form = await read_form(request.headers, sent(request.stream()), kept, limit)
    if not form.files:
        raise RequestError("E_REQUEST", "there is no part 'file' with a file name")
    return form


async def _taken(request: Call, form: Form, upload: Upload, held: Keeping) -> Accepted:
    """Take one file in; where the queue is full, wait for as long as the call allows."""
    shop = shop_of(request)
    until = monotonic() + wishes.seconds_of(form)
    while True:
        try:
            return await intake(shop, upload, held)
        except QueueFull as full:
            left = until - monotonic()
            if left <= 0:
                raise _full(full) from full
            await asyncio.sleep(min(left, full.retry_after, 1.0))


async def _over(shop: Shop, accepted: Accepted, seconds: float) -> DocumentView | None:
    """Wait until a job is over; give its document, none where the time is over before."""
    until = monotonic() + seconds
    while True:
        view = await job_view(shop, accepted.job)
        if view is not None and view.over:
            return next((one for one in view.documents if one.id == accepted.document), None)
        left = until - monotonic()
        if left <= 0 or view is None or shop.draining:
            return None
        await shop.queue.wait(f"events:{accepted.job}", min(left, _POLL_SECONDS))


def _told(name: str, accepted: Accepted) -> Taken:
    return Taken(
        name=name,
        document=accepted.document,
        job=accepted.job,
        existing=accepted.existing,
    )


def _full(full: QueueFull) -> RetryLaterError:
    return RetryLaterError("E_QUEUE", "", full.retry_after)


def _array(lines: list[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[" + b",".join(lines) + b"]")
