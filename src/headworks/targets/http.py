"""The one way that bytes leave this machine: to the address that a user configured.

Takes how many calls may be under way, gives a client with pooled connections; and reads what a
status means. Proxies of the environment are not asked, redirects are not followed.
"""

import email.utils
import importlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from headworks.errors import ConfigError
from headworks.targets.base import TargetBusy, TargetRefused

_KEEPALIVE_SECONDS = 60.0
# Slow down, or come back: these may work later although they are 4xx.
_LATER = {408, 409, 423, 425, 429}
_OVERLOAD = {408, 429, 503, 504, 529}

# The HTTP client that the openai library brings; which one it is differs by its version.
Client = Any


def library(place: str) -> Any:
    """Give the openai library, of the extra ``delivery``. Raises ConfigError (E_CONFIG)."""
    try:
        return importlib.import_module("openai")
    except ImportError as fault:
        message = "targets over HTTP need openai: pip install headworks[delivery]"
        raise ConfigError("E_CONFIG", message, place=place) from fault


def open_client(most: int, place: str) -> Client:
    """Give a client with keep-alive for ``most`` calls at once; timeouts are the caller's."""
    openai = library(place)
    limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
        max_connections=most + 2,
        max_keepalive_connections=most + 2,
        keepalive_expiry=_KEEPALIVE_SECONDS,
    )
    return openai.DefaultAsyncHttpxClient(
        trust_env=False, follow_redirects=False, timeout=None, limits=limits
    )


def checked_url(url: str, place: str) -> str:
    """Give the address if it is one of HTTP; else E_CONFIG."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ConfigError("E_CONFIG", f"url is no http address: {url!r}", place=place)
    return url.rstrip("/")


def fault_of(
    status: int, headers: Mapping[str, str], wall_seconds: float
) -> TargetBusy | TargetRefused:
    """Give what a status that is no success means. The body is not looked at: it may hold text."""
    if status in _LATER or status >= 500:
        delay = retry_after(headers, wall_seconds)
        overload = status in _OVERLOAD
        at_door = status == 429 or (overload and delay is not None)
        return TargetBusy(f"HTTP {status}", delay, overload=overload, at_door=at_door)
    if 300 <= status < 400:
        return TargetRefused(f"HTTP {status}: redirects are not followed")
    return TargetRefused(f"HTTP {status}")


def retry_after(headers: Mapping[str, str], wall_seconds: float) -> float | None:
    """Give the seconds that ``Retry-After`` asks for, as a number or as a date."""
    said = headers.get("retry-after-ms")
    if said and said.strip().isdigit():
        return int(said) / 1000
    said = (headers.get("retry-after") or "").strip()
    if not said:
        return None
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(said).timestamp() - wall_seconds)
    except ValueError:
        return None
