"""Whether the service lives, whether it takes on work, and its figures.

Takes nothing, gives three answers for machines. Never asks for a key where an orchestrator asks.
"""

from litestar import Response, Router, get

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
    shop = shop_of(request)
    checks = {"loops": shop.ready, "store": True, "accepting": not shop.draining}
    try:
        await shop.database.read(_one)
    except Exception:  # whatever the store's fault is, the answer is that it is not ready
        checks["store"] = False
    good = all(checks.values())
    health = Health(status="ok" if good else "not ready", version=__version__, checks=checks)
    return Response(health, status_code=200 if good else 503)


@get("/metrics", media_type="text/plain; version=0.0.4; charset=utf-8")
async def metrics(request: Call) -> bytes:
    """Give the figures as Prometheus asks for them."""
    for_all(request, "a figure")
    return shop_of(request).observer.exposition()


ROUTER = Router("/", route_handlers=[lives, ready, metrics], tags=["health"])


async def _one(connection: Connection) -> None:
    await connection.fetch("SELECT 1 AS one")
