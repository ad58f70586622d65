"""No byte leaves the machine."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def _may_unshare() -> bool:
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        return False
    tried = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return tried.returncode == 0


@pytest.mark.skipif(not _may_unshare(), reason="needs unshare and ip, and the right to use them")
def test_everything_works_without_an_outside(tmp_path: Path) -> None:
    """In a network that has nothing but its own loopback the service does all its work."""
    asked = f"ip link set lo up && exec {sys.executable} -m tests.web.offline {tmp_path / 's'}"
    run = subprocess.run(
        ["unshare", "-rn", "sh", "-c", asked],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
