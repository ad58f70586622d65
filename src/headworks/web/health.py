"""Whether the service lives, whether it takes on work, and its figures.

Takes nothing, gives three answers for machines. Never asks for a key where an orchestrator asks.
"""

from litestar import Response, Router, get, head

from headworks import __version__
from headworks.store.database import Connection
from headworks.web.calls import Call, for_all, shop_of
from headworks.web.records import Health


@get("/healthz")
async def lives(request: Call) -> Health:
    """Tell that the process answers."""
    return Health(status="ok", version=__version__)


@get("/readyz")
async def ready(request: Call) -> Response[Health]:
    """Tell whether work is taken on: the loops go on, the store answers, nothing is drained."""
    checks = await _checks(request)
    good = all(checks.values())
    health = Health(status="ok" if good else "not ready", version=__version__, checks=checks)
    return Response(health, status_code=200 if good else 503)


@head("/healthz")
async def lives_briefly() -> None:
    """Tell the same by the status alone."""


@head("/readyz")
async def ready_briefly(request: Call) -> Response[None]:
    """Tell the same by the status alone."""
    return Response(None, status_code=200 if all((await _checks(request)).values()) else 503)


@get("/metrics", media_type="text/plain; version=0.0.4; charset=utf-8")
async def metrics(request: Call) -> bytes:
    """Give the figures as Prometheus asks for them."""
    for_all(request, "a figure")
    return shop_of(request).observer.exposition()


ROUTER = Router(
    "/", route_handlers=[lives, ready, lives_briefly, ready_briefly, metrics], tags=["health"]
)


async def _checks(request: Call) -> dict[str, bool]:
    shop = shop_of(request)
    checks = {"loops": shop.ready, "store": True, "accepting": not shop.draining}
    try:
        await shop.database.read(_one)
    except Exception:  # whatever the store's fault is, the answer is that it is not ready
        checks["store"] = False
    return checks


async def _one(connection: Connection) -> None:
    await connection.fetch("SELECT 1 AS one")
