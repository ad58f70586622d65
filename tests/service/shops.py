"""Shops for tests: opened in a folder of the test's own, closed whatever happens."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from headworks.config import Settings, load
from headworks.service.headquarters import open_shop
from headworks.service.intake import Accepted, Upload, intake
from headworks.service.shop import Shop
from headworks.service.views import JobView, job_view

CONTRACT = (
    "# 采购合同\n\n## 第一条 货物\n\n供应商应当交付设备。\n\n"
    "## 第二条 违约责任\n\n违约金为合同总额的10%，但最高不超过50万元。\n"
)


def settings(tmp_path: Path, **service: Any) -> Settings:
    """Give settings of a service in the test's folder; ``rules__packs`` is ``rules.packs``."""
    flags: dict[str, Any] = {
        "service.folder": str(tmp_path / "data"),
        "service.workers": 1,
        "rules.packs": ["contract", "privacy"],
        "rules.as_of": "2026-01-01",
    }
    for name, value in service.items():
        flags[name.replace("__", ".") if "__" in name else f"service.{name}"] = value
    return load(environment={}, flags=flags)


@contextlib.asynccontextmanager
async def opened(chosen: Settings, *, crew: bool = True, start: bool = True) -> AsyncIterator[Shop]:
    """Give a running shop."""
    shop = await open_shop(chosen, crew=crew)
    try:
        if start:
            await shop.start()
        yield shop
    finally:
        await shop.close()


async def pieces_of(content: bytes) -> AsyncIterator[bytes]:
    """Give bytes as an upload gives them."""
    for start in range(0, len(content), 1 << 16):
        yield content[start : start + (1 << 16)]


async def send(
    shop: Shop, content: str | bytes = CONTRACT, name: str = "合同.md", **more: Any
) -> Accepted:
    """Take a document in."""
    raw = content.encode() if isinstance(content, str) else content
    return await intake(shop, Upload(name=name, content=pieces_of(raw), **more))


async def until(look: Callable[[], Awaitable[Any]], seconds: float = 30.0) -> Any:
    """Give what ``look`` gives as soon as it is something."""
    async with asyncio.timeout(seconds):
        while not (found := await look()):
            await asyncio.sleep(0.02)
    return found


async def over(shop: Shop, job: str, seconds: float = 30.0) -> JobView:
    """Give a job's view when it is over."""

    async def look() -> JobView | None:
        view = await job_view(shop, job)
        return view if view is not None and view.over else None

    found: JobView = await until(look, seconds)
    return found


async def state_of(shop: Shop, job: str) -> str:
    """Give a job's own state."""
    found = await shop.queue.get(job)
    return "" if found is None else found.state
