"""Documents that the service keeps no longer."""

import asyncio
import io
import zipfile
from pathlib import Path

from headworks.service.upkeep import Upkeep
from headworks.store import documents
from headworks.store.documents import DocumentFilter
from tests.service.shops import CONTRACT, opened, over, send, settings

_A_MOMENT = 0.01 / 86_400


def test_what_is_over_for_so_long_goes_whole(tmp_path: Path) -> None:
    """Rows, results and originals go, of an archive with all that was in it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("一.md", CONTRACT)

    async def scenario() -> None:
        async with opened(settings(tmp_path, keep_days=_A_MOMENT), start=False) as shop:
            shop.loops[:] = [loop for loop in shop.loops if loop.name != "upkeep"]
            await shop.start()
            accepted = await send(shop, packed.getvalue(), "包.zip")
            await over(shop, accepted.job)
            await asyncio.sleep(0.05)
            await Upkeep(shop).keep()
            wanted = DocumentFilter()
            assert await shop.database.read(lambda c: documents.listing(c, wanted)) == ()
            assert await shop.queue.listing() == ()
            assert await shop.queue.events(accepted.job) == ()

    asyncio.run(scenario())
    data = tmp_path / "data"
    left = [path for part in ("originals", "documents") for path in data.glob(f"{part}/*/*")]
    assert left == []


def test_documents_are_kept_where_nothing_is_said(tmp_path: Path) -> None:
    """By default no document is ever deleted."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop)
            await over(shop, accepted.job)
            await Upkeep(shop).keep()
            row = await shop.database.read(lambda c: documents.get(c, accepted.document))
            assert row is not None

    asyncio.run(scenario())
