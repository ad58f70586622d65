"""What every route asks of its request: the service, the caller, what the caller may see.

Takes a request, gives values. Never answers anything itself.
"""

import re
from typing import Any, TypeAlias

from litestar import Request

from headworks.errors import HeadworksError
from headworks.model.job import Job
from headworks.service.shop import Shop
from headworks.service.views import DocumentView, document_view
from headworks.web.access import AccessError, Caller

Call: TypeAlias = Request[Any, Any, Any]

_ID = re.compile(r"[0-9A-Za-z_-]{1,128}")


class MissingError(HeadworksError):
    """There is no such thing, or it is another client's: E_NOT_FOUND."""


class StateError(HeadworksError):
    """It cannot be done as things stand: E_STATE."""


def shop_of(request: Call) -> Shop:
    """Give the service."""
    shop: Shop = request.app.state.shop
    return shop


def caller_of(request: Call) -> Caller:
    """Give who calls."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


def client_of(caller: Caller, asked: str | None) -> str:
    """Give the client that a call is for. Raises AccessError where the key has others only."""
    client = caller.client if asked is None else asked
    if not caller.sees(client):
        message = f"the key {caller.name!r} is not for the client {client!r}"
        raise AccessError("E_ROLE", message)
    return client


async def seen_document(request: Call, document: str) -> DocumentView:
    """Give a document that the caller may see. Raises MissingError: others' are as if not there."""
    known = _ID.fullmatch(document)
    view = await document_view(shop_of(request), document) if known else None
    if view is None or not caller_of(request).sees(view.client):
        raise MissingError("E_NOT_FOUND", f"no document {document[:80]!r}")
    return view


async def finished_document(request: Call, document: str) -> DocumentView:
    """Give a document that has a result. Raises MissingError or StateError."""
    view = await seen_document(request, document)
    if not view.fence:
        if view.code:
            raise StateError("E_STATE", f"the document is {view.state} ({view.code}): no result")
        raise StateError("E_STATE", f"the document is {view.state} and has no result yet")
    return view


async def seen_job(request: Call, job: str) -> Job:
    """Give a job whose document the caller may see. Raises MissingError."""
    found = await shop_of(request).queue.get(job) if _ID.fullmatch(job) else None
    if found is None or not caller_of(request).sees(found.client):
        raise MissingError("E_NOT_FOUND", f"no job {job[:80]!r}")
    return found


def for_all(request: Call, what: str) -> None:
    """Refuse what concerns every client to a key that has some. Raises AccessError."""
    caller = caller_of(request)
    if caller.clients:
        message = f"{what} concerns every client, the key {caller.name!r} is for its own"
        raise AccessError("E_ROLE", message)
