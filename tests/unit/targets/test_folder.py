"""JSON lines in a folder: once each, whole, on the disk."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headworks.config_delivery import TargetSettings
from headworks.targets.base import TargetBusy
from headworks.targets.folder import FolderTarget, LinesFile, file_name
from tests.unit.targets.conftest import ask, run

WRITER = """
import asyncio, sys
from headworks.config_delivery import TargetSettings
from headworks.targets.folder import FolderTarget
from tests.unit.targets.conftest import ask

async def work():
    target = FolderTarget("here", TargetSettings(kind="folder", path=sys.argv[1]))
    for number in range(int(sys.argv[2]), 100_000):
        await target.send(ask(f"job-{number}"))
        print(number, flush=True)

asyncio.run(work())
"""


def target_in(folder: Path) -> FolderTarget:
    """Open the target over a folder."""
    return FolderTarget("here", TargetSettings(kind="folder", path=str(folder)))


def lines(folder: Path, pipeline: str = "legal-review") -> list[dict[str, Any]]:
    """Give the lines of a pipeline's file."""
    text = (folder / f"{pipeline}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_each_pipeline_has_its_file(tmp_path: Path) -> None:
    """Lines go to the file of their pipeline, with the chunk's record in them."""

    async def work() -> None:
        target = target_in(tmp_path)
        await target.send(ask())
        await target.send(ask("job-2", pipeline="财务"))
        await target.close()

    run(work())
    (line,) = lines(tmp_path)
    assert line["job"] == "job-1"
    assert line["record"]["tags"] == ["RISK_CLAUSE"]
    assert [line["job"] for line in lines(tmp_path, "财务")] == ["job-2"]


def test_an_ask_is_written_once(tmp_path: Path) -> None:
    """The same ask, again and from another opening, stands there once."""

    async def work() -> None:
        first = target_in(tmp_path)
        await asyncio.gather(*(first.send(ask("same")) for _ in range(5)))
        await target_in(tmp_path).send(ask("same"))
        await first.send(ask("other"))

    run(work())
    assert [line["job"] for line in lines(tmp_path)] == ["same", "other"]


def test_two_openings_see_each_others_lines(tmp_path: Path) -> None:
    """Two processes over one folder write each ask once."""

    async def work() -> None:
        one, two = target_in(tmp_path), target_in(tmp_path)
        for number in range(6):
            await one.send(ask(f"job-{number}"))
            await two.send(ask(f"job-{number}"))
            await two.send(ask(f"more-{number}"))
            await one.send(ask(f"more-{number}"))

    run(work())
    assert len(lines(tmp_path)) == 12


def test_half_a_line_is_cut(tmp_path: Path) -> None:
    """What a killed process left half is taken away; whole lines stay as they are."""
    path = tmp_path / "legal-review.jsonl"
    path.write_bytes(b'{"job":"old"}\nnot ours\n{"job":"ha')

    async def work() -> None:
        await target_in(tmp_path).send(ask("new"))

    run(work())
    text = path.read_bytes()
    assert text.startswith(b'{"job":"old"}\nnot ours\n{"job":"new"')
    assert text.count(b"\n") == 3


def test_a_killed_writer_neither_loses_nor_doubles(tmp_path: Path) -> None:
    """After kill -9, what it said was written is there, and sending all again doubles nothing."""
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", WRITER, str(tmp_path), "0"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        said = [int(writer.stdout.readline()) for _ in range(30)]
        os.kill(writer.pid, signal.SIGKILL)
        said += [int(line) for line in writer.stdout.read().split()]

    async def work() -> None:
        target = target_in(tmp_path)
        await asyncio.gather(*(target.send(ask(f"job-{number}")) for number in said))

    run(work())
    jobs = [line["job"] for line in lines(tmp_path)]
    assert len(jobs) == len(set(jobs))
    assert {f"job-{number}" for number in said} <= set(jobs)


def test_a_disk_that_refuses_is_busy_and_leaves_no_half_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told as busy; once it has room the ask is written whole."""

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    async def work() -> None:
        target = target_in(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(TargetBusy, match="No space"):
                await target.send(ask())
        assert (tmp_path / "legal-review.jsonl").read_bytes() == b""
        await target.send(ask())

    run(work())
    assert len(lines(tmp_path)) == 1


@pytest.mark.parametrize("name", ["../up", "a/b", "", "..", "财务", "x" * 300])
def test_a_pipelines_name_never_leaves_the_folder(name: str) -> None:
    """Names with separators, dots or no end become one safe name each."""
    safe = file_name(name)
    assert safe
    assert "/" not in safe
    assert not safe.startswith(".")
    assert len(safe.encode()) < 255
    assert file_name("a/b") != file_name("a_b")


def test_many_lines_are_known(tmp_path: Path) -> None:
    """Opening a file of many lines reads each once."""
    path = tmp_path / "p.jsonl"
    path.write_bytes(b"".join(b'{"job":"j%d"}\n' % number for number in range(20_000)))
    LinesFile(path).append([ask("j7"), ask("new")])
    assert path.read_bytes().count(b"\n") == 20_001
