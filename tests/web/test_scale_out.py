"""Many machines: servers and workers over one PostgreSQL and one S3 store."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.build.postgres import PostgresServer
from tests.web import papers
from tests.web.serving import Server, served

_SECRET = {"FSSPEC_S3_KEY": "key", "FSSPEC_S3_SECRET": "secret"}


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """An S3 server; its address and key stand in the environment, as they would."""
    moto = pytest.importorskip("moto.server", reason="moto[server] is not installed")
    s3fs = pytest.importorskip("s3fs", reason="headworks[scale] is not installed")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    set_here = {**_SECRET, "FSSPEC_S3_ENDPOINT_URL": f"http://{host}:{port}"}
    os.environ.update(set_here)
    files = s3fs.S3FileSystem(endpoint_url=f"http://{host}:{port}", key="key", secret="secret")
    with contextlib.suppress(FileExistsError):  # servers of one process share their buckets
        files.mkdir("headworks")
    yield "s3://headworks/data"
    for name in set_here:
        os.environ.pop(name)
    server.stop()


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """A PostgreSQL server."""
    started = PostgresServer()
    yield started.address
    started.close()


@pytest.fixture
def settings(store: str, database: str) -> str:
    """What every process is told."""
    return (
        f'[rules]\npacks = ["contract"]\n[service]\ndatabase = "{database}"\nfiles = "{store}"\n'
        "workers = 1\nrate_per_minute = 0\nlease_seconds = 4\n"
    )


class Worker:
    """``headworks worker`` as a process of its own."""

    def __init__(self, folder: Path, settings: str) -> None:
        folder.mkdir()
        file = folder / "headworks.toml"
        file.write_text(f"{settings}folder = {str(folder / 'data')!r}\n", encoding="utf-8")
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "headworks.cli", "worker", "--config", str(file)],
                stdout=subprocess.PIPE,
                stderr=log,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                start_new_session=True,
            )
        assert self.process.stdout is not None
        assert self.process.stdout.readline(), (folder / "log").read_text()

    def kill(self) -> None:
        """Lose the machine: everything of it at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(30)

    def stop(self) -> int:
        """Tell it to end; give its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)


def _send(client: httpx.Client, numbers: range) -> list[str]:
    jobs = []
    for number in numbers:
        answer = client.post("/v1/documents", files={"file": ("a.pdf", papers.page(number))})
        assert answer.status_code == 202, answer.text
        jobs.append(answer.json()["job"])
    return jobs


def _all_over(client: httpx.Client, jobs: list[str]) -> list[dict[str, object]]:
    until = time.monotonic() + 90
    while time.monotonic() < until:
        views = [client.get(f"/v1/jobs/{job}").json() for job in jobs]
        if all(view["state"] in ("done", "failed") for view in views):
            return views
        time.sleep(0.5)
    raise AssertionError([view for view in views if view["state"] != "done"])


def test_a_lost_machine_gives_its_work_back(tmp_path: Path, settings: str) -> None:
    """Workers join; one is lost for good in the middle: all is done, once, by the others."""
    with served(tmp_path / "serve", settings) as server, server.client() as client:
        lost, kept = (Worker(tmp_path / name, settings) for name in ("lost", "kept"))
        jobs = _send(client, range(24))
        time.sleep(1.0)
        lost.kill()
        views = _all_over(client, jobs)
        assert [view["state"] for view in views] == ["done"] * 24
        assert kept.stop() == 0
        for job in jobs[::8]:
            document = client.get(f"/v1/jobs/{job}").json()["document"]
            assert client.get(f"/v1/documents/{document}/chunks").json()["total"] >= 4


def test_a_rolling_restart_loses_nothing(tmp_path: Path, settings: str) -> None:
    """One server after the other is ended and started again while documents come in."""
    servers = [Server(tmp_path / name, settings) for name in ("one", "two")]
    for server in servers:
        server.start()
    jobs: list[str] = []
    try:
        for turn, server in enumerate(servers):
            other = servers[1 - turn]
            with other.client() as client:
                jobs += _send(client, range(100 + turn * 20, 110 + turn * 20))
                assert server.stop() == 0
                jobs += _send(client, range(110 + turn * 20, 115 + turn * 20))
            server.start()
        with servers[0].client() as client:
            views = _all_over(client, jobs)
            assert [view["state"] for view in views] == ["done"] * len(jobs)
            assert {view["attempts"] for view in views} == {1}
    finally:
        for server in servers:
            if server.process.poll() is None:
                server.stop()
