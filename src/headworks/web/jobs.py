"""Jobs: how far they are, what happens to them as it happens, what a person does about them.

Takes ids, gives views and server-sent events. Never waits for a job longer than its listener does.
"""

import re
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import Parameter
from litestar.response import Stream

from headworks.dispatch.queue import JobFilter
from headworks.model.job import Event, JobState
from headworks.service.intake import retry
from headworks.service.links import Links
from headworks.service.removal import cancel as stop
from headworks.service.shop import Shop
from headworks.service.views import JobView, job_view
from headworks.web.calls import (
    Call,
    MissingError,
    StateError,
    caller_of,
    client_of,
    for_all,
    seen_job,
    shop_of,
)
from headworks.web.guard import SMALL_BODY, role
from headworks.web.records import Cancelled, EventTold, JobLinks, JobPage, QueueView, Scope
from headworks.web.uploads import RequestError

_LOOK_SECONDS = 1.0
_QUIET_LOOKS = 10
# Events that are read and sent at once to one of many listeners.
_TOGETHER = 100
_STREAM = "text/event-stream"
Limit = Annotated[int, Parameter(ge=1, le=1000, description="at most so many")]
LastEvent = Annotated[
    str | None, Parameter(header="Last-Event-ID", description="go on after this event")
]
After = Annotated[int, Parameter(ge=0, le=(1 << 63) - 1, description="go on after this event")]
_SCOPE = re.compile(r"[^\x00-\x1f]{0,200}")
_EVENT = re.compile(r"[0-9]{1,18}")


@get("/jobs")
async def listing(
    request: Call,
    status: JobState | None = None,
    client: str | None = None,
    before: str = "",
    limit: Limit = 100,
) -> JobPage:
    """List the jobs of documents, the newest first."""
    if before:
        await seen_job(request, before)
    clients = caller_of(request).clients
    wanted = JobFilter(state=status, kind="process", client=client, clients=clients)
    found = await shop_of(request).queue.listing(wanted, before, limit)
    return JobPage(found, found[-1].id if len(found) == limit else None)


@get("/jobs/{job:str}")
async def job_state(request: Call, job: str) -> JobView:
    """Give a job: its state, how far it is, why it waits, its documents."""
    found = await seen_job(request, job)
    view = await job_view(shop_of(request), found.root)
    if view is None:
        raise MissingError("E_NOT_FOUND", f"no job {job!r}")
    return view


@get("/jobs/{job:str}/links")
async def links(request: Call, job: str) -> JobLinks:
    """Give the references that lead from one document of the job to another of it."""
    found = await seen_job(request, job)
    known: Links = request.app.state.links
    return JobLinks(await known.of(found.root))


@get(
    "/jobs/{job:str}/events",
    media_type=_STREAM,
    responses={200: ResponseSpec(EventTold, media_type=_STREAM, description="as they happen")},
)
async def events(request: Call, job: str, last: LastEvent = None, after: After = 0) -> Stream:
    """Send what happens to a job until it is over: stages, chunks, answers."""
    found = await seen_job(request, job)
    begin = int(last) if last and _EVENT.fullmatch(last) else after
    stream = _events(shop_of(request), found.root, begin)
    return Stream(stream, media_type=_STREAM, headers={"X-Accel-Buffering": "no"})


@post("/jobs/{job:str}/cancel", status_code=200, guards=[role("submit")])
async def cancel(request: Call, job: str) -> Cancelled:
    """Cancel a job: what waits is not done, what runs comes to nothing."""
    found = await seen_job(request, job)
    return Cancelled(await stop(shop_of(request), found.root))


@post("/jobs/{job:str}/retry", status_code=200, guards=[role("submit")])
async def try_again(request: Call, job: str) -> JobView:
    """Try a failed or cancelled job again."""
    found = await seen_job(request, job)
    shop = shop_of(request)
    if await retry(shop, found.id) is None:
        raise StateError("E_STATE", f"the job is {found.state}: only failed or cancelled ones are")
    view = await job_view(shop, found.root)
    if view is None:
        raise MissingError("E_NOT_FOUND", f"no job {job!r}")
    return view


@get("/queue")
async def queue_state(request: Call) -> QueueView:
    """Give how many jobs wait and run, since when, and which stages are down."""
    return await _queue(request)


@post("/queue/pause", status_code=200, guards=[role("admin")])
async def pause(request: Call, data: Scope) -> QueueView:
    """Begin nothing more: of all, of a client, or of a target."""
    _may_pause(request, data.scope)
    await shop_of(request).queue.pause(data.scope)
    return await _queue(request)


@post("/queue/resume", status_code=200, guards=[role("admin")])
async def resume(request: Call, data: Scope) -> QueueView:
    """Go on with what was paused."""
    _may_pause(request, data.scope)
    await shop_of(request).queue.resume(data.scope)
    return await _queue(request)


ROUTER = Router(
    "/v1",
    route_handlers=[
        listing,
        job_state,
        links,
        events,
        cancel,
        try_again,
        queue_state,
        pause,
        resume,
    ],
    request_max_body_size=SMALL_BODY,
    tags=["jobs"],
)


async def _queue(request: Call) -> QueueView:
    shop = shop_of(request)
    stats = await shop.queue.stats(caller_of(request).clients)
    stages = {name: str(state) for name, state in shop.stages.states().items()}
    return QueueView(stats=stats, stages=stages, draining=shop.draining)


def _may_pause(request: Call, scope: str) -> None:
    """Refuse a scope of others, or one that is no name. Raises AccessError or RequestError."""
    kind, _, name = scope.partition(":")
    if scope != "all" and (kind not in ("client", "target") or not _SCOPE.fullmatch(name)):
        message = "a pause is of all, client:NAME or target:NAME"
        raise RequestError("E_REQUEST", message, place="scope")
    if kind == "client":
        client_of(caller_of(request), name)
    else:
        for_all(request, scope)


async def _events(shop: Shop, root: str, after: int) -> AsyncIterator[bytes]:
    """Give events as they are written; a comment now and then keeps the line open."""
    quiet, over = 0, False
    while True:
        found = await shop.queue.events(root, after, _TOGETHER)
        if found:
            after, quiet = found[-1].seq, 0
            told = b"".join(_sent(event) for event in found)
            found = ()  # a slow listener holds what is on its way, and no more
            yield told
            continue
        if over or shop.draining:
            yield b"event: end\ndata: {}\n\n"
            return
        # Looked at only where nothing happens, and before the last look at the events: what made
        # it over is among those.
        view = await job_view(shop, root)
        over = view is None or view.over
        if over:
            continue
        if not await shop.queue.wait(f"events:{root}", _LOOK_SECONDS):
            quiet += 1
        if quiet == _QUIET_LOOKS:
            quiet = 0
            yield b": still here\n\n"


def _sent(event: Event) -> bytes:
    body = msgspec.json.encode({"at": event.at, **event.body})
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.seq, event.kind.encode(), body)
