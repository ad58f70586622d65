"""Rule packs: read, replaced while the service runs, tried on a text.

Takes YAML, gives versions and verdicts. A pack that does not compile is refused with its
complaints, and the old one stays.
"""

import asyncio
from dataclasses import dataclass

from litestar import Response, Router, get, post, put
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIType

from headworks.errors import LimitError, RulesError
from headworks.service.tasks import PackSource
from headworks.service.trial import Trial, tried
from headworks.service.ways import compiled
from headworks.web.calls import Call, MissingError, for_all, shop_of
from headworks.web.guard import SMALL_BODY, role
from headworks.web.records import PackReplaced, PackView, Wish

_YAML = "application/yaml"
_MOST_BYTES = 4 << 20
_MOST_NAME = 80
_TRIALS = asyncio.Semaphore(1)


@dataclass
class PackOperation(Operation):
    """A call whose body is a pack's YAML."""

    def __post_init__(self) -> None:
        """Tell the body; the framework knows of none."""
        text = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))
        self.request_body = RequestBody(content={_YAML: text}, required=True)


@get("/rules")
async def packs(request: Call) -> tuple[PackView, ...]:
    """List the packs that judge where an upload names none."""
    versions = shop_of(request).packs.choose().versions
    return tuple(PackView(name=name, version=version) for name, version in versions.items())


@get("/rules/{pack:str}", media_type=_YAML)
async def read_pack(request: Call, pack: str) -> Response[bytes]:
    """Give a pack's YAML as it holds now."""
    try:
        source = await asyncio.to_thread(shop_of(request).packs.source, _named(pack))
    except RulesError as fault:
        raise MissingError("E_NOT_FOUND", fault.message or f"no pack {pack!r}") from fault
    return Response(source.content, media_type=_YAML)


@put("/rules/{pack:str}", guards=[role("admin")], operation_class=PackOperation)
async def replace_pack(request: Call, pack: str) -> PackReplaced:
    """Put a pack in place of the one with that name; from now on it holds."""
    for_all(request, "a pack")
    _named(pack)
    content = await _body(request)
    packs_ = shop_of(request).packs
    await asyncio.to_thread(packs_.replace, pack, content)
    shop_of(request).observer.log("rules_replaced", {"pack": pack, "bytes": len(content)})
    return PackReplaced(name=pack, versions=packs_.choose().versions)


@post("/rules/reload", status_code=200, guards=[role("admin")])
async def reload(request: Call) -> tuple[PackView, ...]:
    """Read the packs' files anew; where one does not compile the old ones stay."""
    for_all(request, "a pack")
    shop = shop_of(request)
    reloaded = await asyncio.to_thread(shop.packs.reload)
    if reloaded.refused is not None:
        raise reloaded.refused
    versions = shop.packs.choose().versions
    return tuple(PackView(name=name, version=version) for name, version in versions.items())


@post("/rules/test", status_code=200)
async def try_rules(request: Call, data: Wish) -> Trial:
    """Judge a text by packs, and say why."""
    shop = shop_of(request)

    rules = shop.settings.rules

    def judge() -> Trial:
        sources = shop.packs.choose().sources
        if data.pack:
            sources = (PackSource("pack.yaml", data.pack.encode()),)
        elif data.rules:
            sources = tuple(shop.packs.source(name) for name in data.rules)
        return tried(data.text, compiled(sources, rules), shop.settings)

    for name in data.rules:
        _named(name)
    async with _TRIALS:  # a text of 100,000 characters takes a core for a second
        return await asyncio.to_thread(judge)


ROUTER = Router(
    "/v1",
    route_handlers=[packs, read_pack, replace_pack, reload, try_rules],
    request_max_body_size=_MOST_BYTES + SMALL_BODY,
    tags=["rules"],
)


def _named(pack: str) -> str:
    """Give a pack's name, which is one that a file can have. Raises MissingError."""
    if not 0 < len(pack) <= _MOST_NAME or not pack.isprintable():
        raise MissingError("E_NOT_FOUND", f"no pack {pack[:_MOST_NAME]!r}")
    return pack


async def _body(request: Call) -> bytes:
    """Read a pack's bytes, bounded."""
    content = bytearray()
    async for piece in request.stream():
        content += piece
        if len(content) > _MOST_BYTES:
            raise LimitError("E_TOO_LARGE", f"a pack has at most {_MOST_BYTES} bytes")
    return bytes(content)
