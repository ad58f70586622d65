"""A full disk: refused with 507, nothing half accepted, and all goes on when there is room."""

import contextlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web import papers
from tests.web.serving import Server, served

_SIZE = 24 << 20
SETTINGS = """
[rules]
packs = ["contract"]
[service]
workers = 1
rate_per_minute = 0
max_upload_bytes = 30000000
"""


def _may_mount() -> bool:
    if shutil.which("unshare") is None:
        return False
    mount = ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(mount, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Server]:
    """A service whose data is on a disk of 24 MB that only it sees."""
    data = tmp_path / "data"
    data.mkdir()
    script = f'mount -t tmpfs -o size={_SIZE} tmpfs "{data}" && exec "$@"'
    with served(tmp_path, SETTINGS, wrap=("unshare", "-m", "sh", "-c", script, "sh")) as server:
        yield server


@pytest.mark.skipif(not _may_mount(), reason="needs the right to mount a tmpfs")
def test_a_full_disk_refuses_and_recovers(small: Server) -> None:
    """507 with E_IO at whatever point the disk is full; what was accepted is done later."""
    inside = Path(f"/proc/{small.process.pid}/root") / str(small.folder / "data").lstrip("/")
    with small.client() as client:
        first = client.post("/v1/preprocess", files={"file": ("a.txt", papers.text(950))})
        assert first.status_code == 200, first.text
        large = ("条款" * 60 + "\n").encode() * 75_000  # 27 MB
        refused = client.post("/v1/documents", files={"file": ("b.txt", large)})
        assert (refused.status_code, refused.json()["code"]) == (507, "E_IO")
        assert not list((inside / "incoming").glob("*"))
        assert len(list((inside / "originals").glob("*/*"))) == 1

        filler = inside / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        statuses = set()
        for number in range(8):
            answer = client.post(
                "/v1/documents", files={"file": (f"c{number}.txt", papers.text(960 + number))}
            )
            statuses.add((answer.status_code, answer.json().get("code", "")))
        assert statuses <= {(507, "E_IO"), (202, "")}
        assert (507, "E_IO") in statuses
        assert client.get("/v1/documents").status_code == 200
        kept = client.get("/v1/documents?limit=1000").json()["documents"]
        assert len(list((inside / "originals").glob("*/*"))) == len(kept)

        filler.unlink()
        sent = client.post("/v1/documents", files={"file": ("d.txt", papers.text(970))})
        assert sent.status_code == 202
        for _ in range(300):
            listed = client.get("/v1/documents?limit=1000").json()["documents"]
            if all(view["state"] == "done" for view in listed):
                break
            time.sleep(0.1)
        assert {view["state"] for view in listed} == {"done"}
        assert client.get("/readyz").status_code == 200
