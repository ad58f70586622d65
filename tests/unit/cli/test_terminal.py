import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")

TEXT = "# 合同\n\n## 第一条 货物\n\n供应设备。\n"


def _on_a_terminal(arguments: list[str], **environment: str) -> str:
    """Run the command line on a terminal of its own; give all that it showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", "from headworks.cli.main import run; run()", *arguments],
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "90", **environment},
        close_fds=True,
    )
    os.close(theirs)
    shown = b""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                piece = os.read(ours, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        elif process.poll() is not None:
            break
    process.wait(timeout=10)
    os.close(ours)
    return shown.decode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder of three small documents."""
    for name in "abc":
        (tmp_path / f"{name}.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_a_terminal_has_a_bar_and_colours(folder: Path) -> None:
    """On a terminal a long run shows how far it is; the bar is gone when the table comes."""
    shown = _on_a_terminal(["run", str(folder), "--out", str(folder / "out")], LANG="zh_CN.UTF-8")
    assert "3/3" in shown
    assert "\r\x1b[K" in shown
    assert "\x1b[1m" in shown
    assert shown.index("\r\x1b[K") < shown.index("第一条 货物")


def test_no_color_means_none(folder: Path) -> None:
    """NO_COLOR turns colours off."""
    arguments = ["run", str(folder), "--out", str(folder / "out")]
    assert "\x1b[1m" not in _on_a_terminal(arguments, NO_COLOR="1")
