"""``report.html`` of documents that a service processes."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

from headworks.service.intake import rerun
from headworks.service.views import document_view
from tests.build.pdf import pdf, write
from tests.service.shops import opened, over, send, settings

_TEXTS = ("第一条 违约金为合同总额的10%。", "第二条 身份证号 11010519491231002X。")
_PICTURE = b"data:image/png;base64,"


def _files(tmp_path: Path, **service: Any) -> list[dict[str, bytes]]:
    """Give the files of a PDF of two pages and of the same judged again."""
    pages = [partial(write, x=90, y=90, text=text) for text in _TEXTS]

    async def scenario() -> list[dict[str, bytes]]:
        async with opened(settings(tmp_path, **service)) as shop:
            accepted = await send(shop, pdf(pages), "合同.pdf")
            found = []
            for one in (accepted, None):
                taken = one or await rerun(shop, accepted.document, ("privacy",))
                await over(shop, taken.job)
                view = await document_view(shop, taken.document)
                assert view is not None
                names = await shop.blobs.names(view.id, view.fence)
                reads = {name: await shop.blobs.read(view.id, view.fence, name) for name in names}
                found.append(reads)
            return found

    return asyncio.run(scenario())


def test_a_report_shows_boxes(tmp_path: Path) -> None:
    """By default there is a page without pictures, and no word on it that was redacted."""
    for files in _files(tmp_path):
        page = files["report.html"]
        assert "违约金".encode() in page
        assert b"11010519491231002X" not in page
        assert _PICTURE not in page


def test_pages_are_pictures_but_those_with_redactions(tmp_path: Path) -> None:
    """With ``report_pages`` the first pages are pictures; what was redacted is on none of them."""
    for files in _files(tmp_path, report_pages=30):
        assert files["report.html"].count(_PICTURE) == 1
        assert not any(name.startswith(".") for name in files)


def test_none_where_none_is_wanted(tmp_path: Path) -> None:
    """``report = false`` writes no page and changes nothing else."""
    for files in _files(tmp_path, report=False):
        assert "report.html" not in files
        assert {"document.json", "chunks.jsonl"} <= files.keys()
