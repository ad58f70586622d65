"""The watched folder: what is taken, when, and where it goes."""

import asyncio
import os
from pathlib import Path

import msgspec
import pytest

from headworks.service.headquarters import open_shop
from headworks.service.shop import Shop
from headworks.service.views import DocumentView, document_views
from headworks.service.watching import Watching
from headworks.store.documents import DocumentFilter
from tests.service.shops import CONTRACT, opened, settings, until
from tests.service.test_degrade import Clock


async def _documents(shop: Shop) -> tuple[DocumentView, ...]:
    return await document_views(shop, DocumentFilter())


def test_files_are_taken_in_and_put_aside(tmp_path: Path) -> None:
    """A file is processed for its subfolder's client and moved to ``done``, a bad one to failed."""
    watched = tmp_path / "in"

    async def scenario() -> None:
        chosen = settings(tmp_path, watch=str(watched), watch_stable_seconds=0.2)
        (watched / "甲公司").mkdir(parents=True)
        (watched / "甲公司" / "合同.md").write_text(CONTRACT, encoding="utf-8")
        (watched / "坏.exe").write_bytes(b"MZ\0\0" * 99)
        async with opened(chosen) as shop:
            done = watched / "done" / "甲公司" / "合同.md"
            bad = watched / "failed" / "坏.exe"

            async def moved() -> bool:
                return done.exists() and bad.exists()

            await until(moved)
            why = msgspec.json.decode(bad.with_name("坏.exe.why.json").read_bytes())
            assert why["code"] == "E_TYPE"
            assert "不支持的文件类型" in why["zh"]
            assert why["en"].isascii()
            documents = await _documents(shop)
            assert [(d.name, d.client, d.state) for d in documents] == [
                ("合同.md", "甲公司", "done")
            ]

    asyncio.run(scenario())


def test_a_file_is_taken_only_when_it_stands_still(tmp_path: Path) -> None:
    """While a copy grows, or has the name of an unfinished one, it is left alone."""
    watched = tmp_path / "in"
    watched.mkdir()

    async def scenario() -> None:
        chosen = settings(tmp_path, watch=str(watched), watch_stable_seconds=2.0)
        shop = await open_shop(chosen, crew=False)
        clock = Clock()
        watching = Watching(shop, clock)
        try:
            for name in ("~$合同.docx", "合同.md.part", ".藏.md", "a.tmp", "b.crdownload"):
                (watched / name).write_text(CONTRACT, encoding="utf-8")
            (watched / "合同.md").write_text(CONTRACT, encoding="utf-8")
            await watching.turn()
            clock.now += 1.5
            await watching.turn()
            with (watched / "合同.md").open("a", encoding="utf-8") as file:
                file.write("\n还在写。\n")
            clock.now += 1.5
            await watching.turn()
            assert await _documents(shop) == ()
            clock.now += 2.5
            await watching.turn()
            assert [document.name for document in await _documents(shop)] == ["合同.md"]
            await watching.turn()
            assert len(await _documents(shop)) == 1
            assert (watched / "合同.md").exists()  # until its job is over
        finally:
            await shop.close()

    asyncio.run(scenario())


def test_a_restart_takes_nothing_twice(tmp_path: Path) -> None:
    """A file that was taken in before a restart is the same document after it, then put aside."""
    watched = tmp_path / "in"
    watched.mkdir()
    (watched / "合同.md").write_text(CONTRACT, encoding="utf-8")
    chosen = settings(tmp_path, watch=str(watched), watch_stable_seconds=0.1)

    async def before() -> None:
        clock = Clock()
        shop = await open_shop(chosen, crew=False)
        watching = Watching(shop, clock)
        await watching.turn()
        clock.now += 1
        await watching.turn()
        assert len(await _documents(shop)) == 1
        await shop.close()

    async def after() -> None:
        async with opened(chosen) as shop:

            async def moved() -> bool:
                return (watched / "done" / "合同.md").exists()

            await until(moved)
            assert len(await _documents(shop)) == 1

    asyncio.run(before())
    asyncio.run(after())


@pytest.mark.parametrize(
    ("by", "place", "client", "priority"),
    [
        ("client", "甲/子/a.md", "甲", "nearline"),
        ("client", "a.md", "", "nearline"),
        ("priority", "interactive/a.md", "", "interactive"),
        ("priority", "别的/a.md", "", "nearline"),
        ("none", "甲/a.md", "", "nearline"),
    ],
)
def test_subfolders_say_client_or_priority(
    tmp_path: Path, by: str, place: str, client: str, priority: str
) -> None:
    """What the first subfolder means is a setting."""
    watched = tmp_path / "in"
    (watched / place).parent.mkdir(parents=True)
    (watched / place).write_text(CONTRACT, encoding="utf-8")

    async def scenario() -> None:
        clock = Clock()
        shop = await open_shop(settings(tmp_path, watch=str(watched), watch_by=by), crew=False)
        watching = Watching(shop, clock)
        try:
            await watching.turn()
            clock.now += 3
            await watching.turn()
            documents = await _documents(shop)
            assert [(d.client, d.priority) for d in documents] == [(client, priority)]
        finally:
            await shop.close()

    asyncio.run(scenario())


def test_a_name_that_is_taken_in_done_gets_a_number(tmp_path: Path) -> None:
    """A second file of one name does not push the first one out of ``done``; links are left."""
    watched = tmp_path / "in"
    (watched / "done").mkdir(parents=True)
    (watched / "done" / "合同.md").write_text("旧", encoding="utf-8")
    (watched / "合同.md").write_text(CONTRACT, encoding="utf-8")
    os.symlink("/etc/hostname", watched / "链接.txt")

    async def scenario() -> None:
        chosen = settings(tmp_path, watch=str(watched), watch_stable_seconds=0.1)
        async with opened(chosen) as shop:

            async def moved() -> bool:
                return (watched / "done" / "合同~2.md").exists()

            await until(moved)
            assert len(await _documents(shop)) == 1

    asyncio.run(scenario())
    assert (watched / "done" / "合同.md").read_text(encoding="utf-8") == "旧"
    assert (watched / "链接.txt").is_symlink()
