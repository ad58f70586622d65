"""One server for the tests that only ask."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.serving import Server, served

SETTINGS = """
[rules]
packs = ["contract", "privacy"]
[service]
workers = 1
rate_per_minute = 0
max_upload_bytes = 400000
[structure]
profile = "legal"
"""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service on loopback without keys."""
    folder: Path = tmp_path_factory.mktemp("server")
    with served(folder, SETTINGS) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    """A client of it."""
    with server.client() as calling:
        yield calling
