"""What failed and needs a person.

Takes ids, gives jobs with the code and the reason; puts them in again. Never forgets one by itself.
"""

from typing import Annotated

from litestar import Router, get, post
from litestar.params import Parameter

from headworks.codes import CODES
from headworks.dispatch.queue import JobFilter
from headworks.model.job import Job
from headworks.service.intake import retry
from headworks.service.views import document_view
from headworks.web.calls import Call, StateError, caller_of, seen_job, shop_of
from headworks.web.guard import SMALL_BODY, role
from headworks.web.problems import language
from headworks.web.records import FailedJob, FailedPage, Taken

Limit = Annotated[int, Parameter(ge=1, le=1000, description="at most so many")]


@get("/failed")
async def failed(
    request: Call, client: str | None = None, before: str = "", limit: Limit = 100
) -> FailedPage:
    """List what failed, the newest first, with what to do about it."""
    if before:
        await seen_job(request, before)
    wanted = JobFilter(state="failed", client=client, clients=caller_of(request).clients)
    found = await shop_of(request).queue.listing(wanted, before, limit)
    shown = [await _told(request, job) for job in found]
    return FailedPage(tuple(shown), found[-1].id if len(found) == limit else None)


@post("/failed/{job:str}/retry", status_code=202, guards=[role("submit")])
async def try_again(request: Call, job: str) -> Taken:
    """Try a failed job again: the cause is gone."""
    found = await seen_job(request, job)
    put = await retry(shop_of(request), found.id)
    if put is None:
        raise StateError("E_STATE", f"the job is {found.state}: only failed ones are tried again")
    view = await document_view(shop_of(request), put.document)
    name = "" if view is None else view.name
    return Taken(name=name, document=put.document, job=put.root)


ROUTER = Router(
    "/v1", route_handlers=[failed, try_again], request_max_body_size=SMALL_BODY, tags=["failures"]
)


async def _told(request: Call, job: Job) -> FailedJob:
    view = await document_view(shop_of(request), job.document)
    entry = CODES.get(job.code, CODES["E_FAULT"])
    chinese = language(request) == "zh"
    return FailedJob(
        id=job.id,
        kind=job.kind,
        root=job.root,
        document=job.document,
        name="" if view is None else view.name,
        client=job.client,
        chunk=job.chunk,
        target=job.target,
        attempts=job.attempts,
        created=job.created,
        code=job.code,
        title=entry.title_zh if chinese else entry.title_en,
        message=job.message,
        hint=entry.hint_zh if chinese else entry.hint_en,
    )
