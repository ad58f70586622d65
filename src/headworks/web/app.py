"""The application: routes, guard, faults, OpenAPI, and the service's life around it.

Takes an open service and its keys, gives an ASGI application. Never opens a store by itself, never
asks an outside address.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from headworks import __version__
from headworks.service.links import Links
from headworks.service.pages import Painters
from headworks.service.shop import Shop
from headworks.web import documents, failures, files, health, jobs, rules
from headworks.web.access import Keys
from headworks.web.guard import add_headers, guarding
from headworks.web.problems import HANDLERS, tell_problems
from headworks.web.streams import LinePlaces

_ABOUT = (
    "渠首 headworks：办公文档与大模型之间的本地闸口。Send documents in, get chunks with their "
    "places, tags and routes, and answers that lead back to a page and a box."
)


def application(shop: Shop, keys: Keys, clock: Callable[[], float] = time.monotonic) -> Litestar:
    """Give the application over a service; its loops start and drain with it."""
    settings = shop.settings.service
    painters = Painters(shop.settings.read)
    shop.closing.append(painters.close)

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        await shop.start()
        try:
            yield
        finally:
            await shop.drain()
            await shop.close()

    app = Litestar(
        route_handlers=[
            documents.ROUTER,
            files.ROUTER,
            jobs.ROUTER,
            failures.ROUTER,
            rules.ROUTER,
            health.ROUTER,
        ],
        state=State(
            {"shop": shop, "painters": painters, "places": LinePlaces(), "links": Links(shop)}
        ),
        lifespan=[life],
        middleware=[guarding(keys, settings, clock)],
        before_send=[add_headers],
        exception_handlers=HANDLERS,
        # Uploads are bounded where they are read; other bodies are small.
        request_max_body_size=settings.max_upload_bytes + (8 << 20),
        cors_config=_cors(settings.cors_origins),
        openapi_config=_openapi(),
        logging_config=None,
    )
    tell_problems(app.openapi_schema)
    return app


def _cors(origins: tuple[str, ...]) -> CORSConfig | None:
    """Give what browsers of other sites may do: nothing, unless the settings name them."""
    if not origins:
        return None
    return CORSConfig(
        allow_origins=list(origins),
        allow_headers=["Authorization", "Content-Type", "Last-Event-ID", "X-Request-Id"],
        expose_headers=["Retry-After", "X-Request-Id"],
    )


def _openapi() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="headworks",
        version=__version__,
        description=_ABOUT,
        path="/schema",
        use_handler_docstrings=True,
        # A page for people would load its script from an outside address.
        render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        components=Components(
            security_schemes={"key": SecurityScheme(type="http", scheme="bearer")}
        ),
        security=[{"key": []}],
    )
