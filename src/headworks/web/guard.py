"""What every request passes: an id, the key, the rate, and headers that keep browsers honest.

Takes the ASGI call, gives it on with a ``Caller`` in its state. Never lets a
page of another site reach a service that listens on loopback without a key.
"""

from collections.abc import Callable
from ipaddress import ip_address
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.handlers.base import BaseRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from headworks.config_service import ServiceSettings
from headworks.web.access import LOCAL, LOOPBACK, AccessError, Caller, Keys, Rates, Role
from headworks.web.problems import RetryLaterError, request_id
from headworks.web.uploads import RequestError

# What a call's body may have that is neither an upload nor a pack.
SMALL_BODY = 1 << 20
PUBLIC_PATHS = frozenset({"/healthz", "/readyz", "/schema/openapi.json"})

_SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


def guarding(
    keys: Keys, settings: ServiceSettings, clock: Callable[[], float]
) -> Callable[[ASGIApp], ASGIApp]:
    """Give the middleware that asks every request who it is from."""
    rates = Rates(settings.rate_per_minute, clock)

    def middleware(app: ASGIApp) -> ASGIApp:
        async def guard(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP and scope["path"] not in PUBLIC_PATHS:
                if b"%00" in scope["query_string"] or b"\0" in scope["query_string"]:
                    raise RequestError("E_REQUEST", "there is a character NUL in the address")
                caller = _caller(scope, keys, settings)
                if seconds := rates.take(caller):
                    message = f"the key {caller.name!r} is over its rate"
                    raise RetryLaterError("E_RATE", message, seconds)
                scope["state"]["caller"] = caller
            await app(scope, receive, send)

        return guard

    return middleware


async def add_headers(message: Message, scope: Scope) -> None:
    """Put the request's id and the headers for browsers on every answer."""
    if message["type"] == "http.response.start" and scope["type"] == ScopeType.HTTP:
        sent = MutableScopeHeaders.from_message(message)
        sent["X-Request-Id"] = request_id(scope)
        for name, value in _SAFE_HEADERS.items():
            sent.setdefault(name, value)


def role(needed: Role) -> Callable[[ASGIConnection[Any, Any, Any, Any], BaseRouteHandler], None]:
    """Give the guard of a route that needs a role."""

    def check(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        caller: Caller = connection.scope["state"]["caller"]
        if not caller.may(needed):
            message = f"it needs the role {needed}, the key {caller.name!r} has {caller.role}"
            raise AccessError("E_ROLE", message)

    return check


def _caller(scope: Scope, keys: Keys, settings: ServiceSettings) -> Caller:
    headers = Headers.from_scope(scope)
    if keys.all:
        caller = keys.caller(headers.get("authorization"))
        if caller is None:
            raise AccessError("E_KEY", "the header Authorization holds no key that is known")
        return caller
    # Without keys only this machine is let in; a browser's page of another site is not this
    # machine, though its requests come from here (rebound names, forms sent across sites).
    # The peer is looked at, too: the last key may be taken away while all the world may connect.
    host, peer = _host_of(headers.get("host", "")), scope.get("client")
    if host not in LOOPBACK or len(headers.getall("host", [])) != 1:
        raise AccessError("E_KEY", f"without a key only loopback is answered, not {host[:80]!r}")
    if peer is not None and not _is_here(peer[0]):
        raise AccessError("E_KEY", "without a key only loopback is answered")
    embedded = headers.get("sec-fetch-mode") not in (None, "navigate")
    if headers.get("sec-fetch-site") == "cross-site" and embedded and not settings.cors_origins:
        raise AccessError("E_KEY", "pages of other sites are not answered")
    origin = headers.get("origin")
    foreign = origin and _host_of(origin.partition("//")[2]) not in LOOPBACK
    if foreign and origin not in settings.cors_origins:
        raise AccessError("E_KEY", f"pages of {origin!r} are not answered")
    return LOCAL


def _is_here(peer: str) -> bool:
    try:
        address = ip_address(peer.removeprefix("::ffff:"))
    except ValueError:  # a name, or no address at all: nothing that connected from elsewhere
        return peer in LOOPBACK
    return address.is_loopback


def _host_of(address: str) -> str:
    host = address.partition("]")[0].lstrip("[") if address.startswith("[") else address
    return host if address.startswith("[") else host.partition(":")[0].lower()
