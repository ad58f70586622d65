"""Faults as answers: problem details (RFC 9457) with the contract's codes.

Takes an exception, gives a response of ``application/problem+json`` in the caller's language.
Never shows a traceback or text of a document; the request's id leads to the log.
"""

import logging
import re
import traceback
from pathlib import Path
from typing import Any
from uuid import uuid4

from litestar import Request, Response
from litestar.datastructures import Headers
from litestar.exceptions import HTTPException
from litestar.openapi.spec import (
    OpenAPI,
    OpenAPIMediaType,
    OpenAPIResponse,
    Reference,
    Schema,
)
from litestar.openapi.spec.enums import OpenAPIType
from litestar.types import ExceptionHandlersMap, Scope

from headworks.details import in_chinese
from headworks.errors import FaultError, HeadworksError
from headworks.web.access import AccessError
from headworks.web.uploads import RequestError

_LOG = logging.getLogger("headworks.web")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_MEDIA = "application/problem+json"
_FIELDS = ("type", "code", "title", "detail", "hint", "place", "request")
_CODES = {401: "E_KEY", 403: "E_ROLE", 404: "E_NOT_FOUND", 413: "E_TOO_LARGE", 429: "E_RATE"}
# What the server may not say of itself with a client's code: 5xx of a fault, 4xx of a request.
_FIRST_SERVER_STATUS = 500


class RetryLaterError(HeadworksError):
    """The same call may work after ``seconds``: E_RATE, E_QUEUE."""

    def __init__(self, code: str, message: str, seconds: float) -> None:
        super().__init__(code, message)
        self.seconds = seconds


def from_headworks(request: Request[Any, Any, Any], fault: HeadworksError) -> Response[Any]:
    """Answer with the code's status, title and hint."""
    headers = {}
    if isinstance(fault, RetryLaterError):
        headers["Retry-After"] = str(max(1, round(fault.seconds + 0.5)))
    if isinstance(fault, AccessError) and fault.code == "E_KEY":
        headers["WWW-Authenticate"] = "Bearer"
    if fault.entry.status >= _FIRST_SERVER_STATUS:
        ids = {"code": fault.code, "request": request_id(request.scope)}
        _LOG.error("request failed", extra={"ids": ids})
    return _response(request, fault, fault.entry.status, headers)


def from_http(request: Request[Any, Any, Any], fault: HTTPException) -> Response[Any]:
    """Answer what the framework refused: unknown paths, methods, wrong parameters."""
    code = _CODES.get(fault.status_code, "E_REQUEST")
    if fault.status_code >= _FIRST_SERVER_STATUS:
        return from_any(request, fault)
    status = 422 if fault.status_code == 400 else fault.status_code
    own = RequestError(code, _told(fault))
    return _response(request, own, status, dict(fault.headers or {}))


def from_depth(request: Request[Any, Any, Any], fault: RecursionError) -> Response[Any]:
    """Answer a body that is nested deeper than anything the interface asks for."""
    _LOG.warning("request too deep", extra={"ids": {"request": request_id(request.scope)}})
    return _response(request, RequestError("E_REQUEST", "the body is nested too deep"), 422, {})


def from_any(request: Request[Any, Any, Any], fault: Exception) -> Response[Any]:
    """Answer a fault of headworks itself: where it happened goes to the log, not its words."""
    ids = {"request": request_id(request.scope), "fault": type(fault).__name__, "at": _at(fault)}
    _LOG.error("request fault", extra={"ids": ids})
    own = FaultError("E_FAULT", type(fault).__name__)
    return _response(request, own, 500, {})


HANDLERS: ExceptionHandlersMap = {
    HeadworksError: from_headworks,
    HTTPException: from_http,
    RecursionError: from_depth,
    Exception: from_any,
}


def tell_problems(told: OpenAPI) -> None:
    """Tell in an OpenAPI that every call may answer with a problem, and what that is."""
    text, number = Schema(type=OpenAPIType.STRING), Schema(type=OpenAPIType.INTEGER)
    properties: dict[str, Schema | Reference] = dict.fromkeys(_FIELDS, text)
    properties |= {"status": number, "retry": Schema(type=OpenAPIType.BOOLEAN)}
    problem = Schema(
        type=OpenAPIType.OBJECT, properties=properties, required=[*_FIELDS, "status", "retry"]
    )
    about = "a problem: its code, what to do, and whether the same call may work later"
    answer = OpenAPIResponse(description=about, content={_MEDIA: OpenAPIMediaType(schema=problem)})
    for path in (told.paths or {}).values():
        for operation in (path.get, path.post, path.put, path.delete):
            if operation is not None and operation.responses is not None:
                operation.responses.pop("400", None)  # what is wrong with a request is 422 here
                operation.responses["default"] = answer


def language(request: Request[Any, Any, Any]) -> str:
    """Give "zh" or "en" by the header Accept-Language; Chinese where it does not tell."""
    asked = request.headers.get("accept-language", "").lower()
    return "en" if asked.startswith("en") else "zh"


def request_id(scope: Scope) -> str:
    """Give the id that a request goes by in logs and in the answer's header.

    A caller may name its own in X-Request-Id, in plain characters.
    """
    state = scope.setdefault("state", {})
    if "request_id" not in state:
        named = Headers.from_scope(scope).get("x-request-id", "")
        state["request_id"] = named if _REQUEST_ID.fullmatch(named) else uuid4().hex
    return str(state["request_id"])


def _response(
    request: Request[Any, Any, Any], fault: HeadworksError, status: int, headers: dict[str, str]
) -> Response[Any]:
    chinese = language(request) == "zh"
    entry = fault.entry
    body = {
        "type": f"urn:headworks:error:{fault.code}",
        "status": status,
        "code": fault.code,
        "title": entry.title_zh if chinese else entry.title_en,
        "detail": in_chinese(fault.message) if chinese else fault.message,
        "hint": entry.hint_zh if chinese else entry.hint_en,
        "place": fault.place,
        "retry": entry.retry,
        "request": request_id(request.scope),
    }
    return Response(body, status_code=status, media_type=_MEDIA, headers=headers)


def _at(fault: BaseException) -> str:
    """Give the last lines of code that a fault came through, without what they held."""
    frames = traceback.extract_tb(fault.__traceback__)[-4:]
    return " < ".join(f"{Path(at.filename).name}:{at.lineno}" for at in reversed(frames))


def _told(fault: HTTPException) -> str:
    """Give the framework's words, with the parameters that it names."""
    named = [
        f"{extra.get('key', '')}: {extra.get('message', '')}"
        for extra in fault.extra or ()
        if isinstance(extra, dict)
    ]
    return "; ".join([fault.detail, *named]) if named else fault.detail
