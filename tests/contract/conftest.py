"""Both engines, each with tables of its own for every test."""

from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path

import asyncpg
import pytest

from headworks.config_service import ServiceSettings
from headworks.dispatch.queue import Queue
from headworks.store.database import Database
from headworks.store.postgres import open_postgres
from headworks.store.sqlite import open_sqlite
from tests.build.postgres import PostgresServer

_SCHEMAS = count(1)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests with asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def server() -> Iterator[PostgresServer]:
    """Give a PostgreSQL server, or skip where there is none."""
    started = PostgresServer()
    yield started
    started.close()


async def schema_address(server: PostgresServer) -> str:
    """Make a schema and give the address that uses it alone."""
    name = f"test_{next(_SCHEMAS)}"
    raw = await asyncpg.connect(server.address)
    await raw.execute(f"DROP SCHEMA IF EXISTS {name} CASCADE")
    await raw.execute(f"CREATE SCHEMA {name}")
    await raw.close()
    return f"{server.address}?search_path={name}"


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> str:
    """Name the engine under test."""
    return str(request.param)


@pytest.fixture
async def database(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Database]:
    """Give an empty database of the engine."""
    if engine == "sqlite":
        opened: Database = await open_sqlite(tmp_path / "headworks.db")
    else:
        opened = await open_postgres(await schema_address(request.getfixturevalue("server")))
    yield opened
    await opened.close()


@pytest.fixture
def settings() -> ServiceSettings:
    """Give settings with short times."""
    return ServiceSettings(lease_seconds=5.0, ageing_seconds=60.0, deaths=3, max_queue=50)


@pytest.fixture
def queue(database: Database, settings: ServiceSettings) -> Queue:
    """Give a queue over the database."""
    return Queue(database, settings)
