"""References between the documents of one job."""

import asyncio
import io
import zipfile
from pathlib import Path

import msgspec

from headworks.assembly.shapes import ChunkRecord
from headworks.service.links import LinkRecord, Links
from headworks.service.removal import remove
from headworks.service.shop import Shop
from headworks.service.views import document_view, job_view
from tests.service.shops import opened, over, send, settings

_CONTRACT = "# 供水合同\n\n## 第一条 水价\n\n水价按附件三第2.4款执行，水质见附件四。\n"
_PRICES = "# 附件三 价目\n\n2.3 农业用水每方八角。\n\n2.4 特殊月份另行公告。\n"


def _zip(*names: str) -> bytes:
    texts = {"合同.md": _CONTRACT, "价.md": _PRICES, "别的.md": "# 说明\n\n一般说明。\n"}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, texts[name])
    return packed.getvalue()


async def _chunks(shop: Shop, document: str) -> list[ChunkRecord]:
    view = await document_view(shop, document)
    assert view is not None
    lines = await shop.blobs.read(document, view.fence, "chunks.jsonl")
    return msgspec.json.Decoder(ChunkRecord).decode_lines(lines)


def test_an_attachment_in_the_same_archive(tmp_path: Path) -> None:
    """附件三第2.4款 leads to the chunk of the file that holds it; results stay as they are."""

    async def scenario() -> None:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, _zip("合同.md", "价.md", "别的.md"), "包.zip")
            view = await over(shop, accepted.job)
            ids = {one.name: one.id for one in view.documents}
            asking = next(c for c in await _chunks(shop, ids["合同.md"]) if c.references)
            held = next(c for c in await _chunks(shop, ids["价.md"]) if "2.4 特殊" in c.text)
            links = Links(shop)
            (link,) = await links.of(accepted.job)
            assert (link.document, link.chunk) == (ids["合同.md"], asking.id)
            assert (link.to_document, link.chunks) == (ids["价.md"], [held.id])
            assert link.text == "附件三第2.4款"
            assert [ref.status for ref in asking.references] == ["dangling", "dangling"]
            assert await remove(shop, ids["价.md"])
            assert await links.of(accepted.job) == ()

    asyncio.run(scenario())


def test_links_are_the_same_in_any_order(tmp_path: Path) -> None:
    """Whichever member stands or is done first, the references lead to the same."""

    async def scenario(folder: Path, *names: str) -> list[tuple[str, ...]]:
        async with opened(settings(folder, workers=2)) as shop:
            accepted = await send(shop, _zip(*names), "包.zip")
            await over(shop, accepted.job)
            found = await Links(shop).of(accepted.job)
            return [(one.document, one.chunk, one.to_document, *one.chunks) for one in found]

    one = asyncio.run(scenario(tmp_path / "a", "合同.md", "价.md"))
    other = asyncio.run(scenario(tmp_path / "b", "价.md", "合同.md"))
    assert one == other
    assert len(one) == 1


def test_one_document_has_none(tmp_path: Path) -> None:
    """A job of one document leads nowhere, nor does one that there is not."""

    async def scenario() -> tuple[tuple[LinkRecord, ...], ...]:
        async with opened(settings(tmp_path)) as shop:
            accepted = await send(shop, _CONTRACT)
            await over(shop, accepted.job)
            assert await job_view(shop, accepted.job) is not None
            return await Links(shop).of(accepted.job), await Links(shop).of("none")

    assert asyncio.run(scenario()) == ((), ())
