"""The same service over PostgreSQL and a shared store of files."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from headworks.config import Settings
from headworks.service.crew import Crew
from headworks.service.headquarters import open_shop
from headworks.service.removal import remove
from headworks.service.shop import Shop
from headworks.service.views import document_view
from tests.service.papers import contract
from tests.service.shops import over, send, settings, until

asyncpg = pytest.importorskip("asyncpg")
pytest.importorskip("fsspec")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Give the address of a PostgreSQL server, or skip where there is none."""
    from tests.build.postgres import PostgresServer

    server = PostgresServer()
    yield server.address
    server.close()


async def _schema(address: str, name: str) -> str:
    raw = await asyncpg.connect(address)
    await raw.execute(f"CREATE SCHEMA {name}")
    await raw.close()
    return f"{address}?search_path={name}"


def _machine(tmp_path: Path, name: str, database: str) -> Settings:
    chosen = settings(tmp_path / name, lease_seconds=2.0, delivery__fallback="extract")
    service = msgspec.structs.replace(
        chosen.service, database=database, files=f"memory://{tmp_path.name}"
    )
    return msgspec.structs.replace(chosen, service=service)


async def _lose(shop: Shop) -> None:
    """Have a machine vanish: its processes die and nothing is given back."""
    for task in shop._tasks.values():
        task.cancel()
    crew = next(loop for loop in shop.loops if isinstance(loop, Crew))

    async def nothing(*_: object) -> bool:
        return False

    shop.queue.give_back = nothing  # type: ignore[method-assign]
    shop.queue.fail = nothing  # type: ignore[assignment, method-assign]
    await crew.workplace.close()
    await shop.close()


def test_a_worker_elsewhere_takes_over_from_a_lost_machine(tmp_path: Path, address: str) -> None:
    """Sent in at one machine, done by another; what a lost one had is done again, each once."""

    async def scenario() -> None:
        database = await _schema(address, "lost")
        front = await open_shop(_machine(tmp_path, "front", database), crew=False)
        accepted = [await send(front, contract(n, 80), f"{n}.md") for n in range(4)]
        first = await open_shop(_machine(tmp_path, "first", database), "worker")
        await first.start()

        async def begun() -> bool:
            return any(job.state == "running" for job in await front.queue.listing())

        await until(begun)
        await _lose(first)
        second = await open_shop(_machine(tmp_path, "second", database), "serve")
        await second.start()
        for one in accepted:
            view = await over(front, one.job, 60)
            assert view.state == "done"
            assert view.jobs["assemble"] == {"done": 1}
            kinds = [e.kind for e in await front.queue.events(one.job) if e.body.get("kind")]
            assert kinds.count("done") == 2  # the document's and its answer's
            found = await document_view(front, one.document)
            assert found is not None
            assert await front.blobs.read(one.document, found.fence, "chunks.jsonl")
        assert await remove(front, accepted[0].document)
        assert await document_view(second, accepted[0].document) is None
        await second.close()
        await front.close()

    asyncio.run(scenario())
