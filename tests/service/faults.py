"""``python -m tests.service.faults``: one fault after the other, each with what must hold.

A full disk, a bounded file size, a locked database, a hanging worker, SIGTERM, a bad document among
good ones. Needs Linux; the full disk needs the right to mount.
"""

import contextlib
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.service.driving import Driven, Kept, write_papers, write_settings

_CALM = "workers = 2\n"
_BALLAST = "ballast"


def main() -> int:
    """Run all, or those named; 0 where all hold."""
    chosen = sys.argv[1:] or list(FAULTS)
    broken = 0
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix=f"headworks-{name}-") as folder:
            began = time.monotonic()
            try:
                told = FAULTS[name](Path(folder))
                say(f"{name}: holds ({told}; {time.monotonic() - began:.1f} s)")
            except AssertionError as fault:
                broken += 1
                say(f"{name}: BROKEN {fault}")
    return 1 if broken else 0


def disk_full(top: Path) -> str:
    """Documents sent to a full disk are refused whole, others fail; with room all are done."""
    write_papers(top / "in", 40, 60)
    store = top / "small"
    store.mkdir()
    with _mounted(store, 6):
        (store / _BALLAST).write_bytes(b"x" * (4 << 20))
        driven = _started(top, store)
        _wait(lambda: any("refused" in told or "fault" in told for told in driven.told), 60,
              "nothing was refused though the disk is full")  # fmt: skip
        time.sleep(12)  # longer than retries last
        refused = sum("refused" in told for told in driven.told)
        assert driven.process.poll() is None, "the service ended"
        half = [path for path in store.glob("incoming/*") if path.stat().st_size]
        assert len(half) <= 1, f"half uploads lie about: {half}"
        subprocess.run(["mount", "-o", "remount,size=200m", store], check=True)
        assert driven.wait_over(120), "it did not end after there was room"
        failed = driven.states.get("failed", 0)
        driven.process.send_signal(signal.SIGUSR1)
        _wait(lambda: any("retried" in told for told in driven.told), 30, "nothing was retried")
        time.sleep(1)
        assert driven.wait_over(40), f"the retried did not end {driven.states} {driven.told[-1]}"
        driven.stop()
        return f"{refused} refusals, {failed} failed and were retried, {_all_done(store)}"


def disk_full_writing(top: Path) -> str:
    """A disk that fills up while results are written: nothing is half, and a retry does it all."""
    write_papers(top / "in", 60, 150)
    store = top / "small"
    store.mkdir()
    with _mounted(store, 40):
        driven = _started(top, store)
        _wait(lambda: driven.taken and driven.done() > 3, 60, "nothing was done")
        with contextlib.suppress(OSError), (store / _BALLAST).open("wb") as ballast:
            while True:
                ballast.write(b"x" * 65_536)
        time.sleep(15)
        assert driven.process.poll() is None, "the service ended"
        done = driven.done()
        subprocess.run(["mount", "-o", "remount,size=300m", store], check=True)
        assert driven.wait_over(120), "it did not end after there was room"
        failed = driven.states.get("failed", 0)
        driven.process.send_signal(signal.SIGUSR1)
        _wait(lambda: any("retried" in told for told in driven.told), 30, "nothing was retried")
        time.sleep(1)
        assert driven.wait_over(40), f"the retried did not end {driven.states} {driven.told[-1]}"
        driven.stop()
        return f"{done} done when it was full, {failed} failed and were retried, {_all_done(store)}"


def bounded_files(top: Path) -> str:
    """A result over the bound of a file's size fails with E_IO; the others are done."""
    write_papers(top / "in", 12, 40)
    (top / "in" / "大.md").write_text(
        "# 合同\n\n" + "供应商应当交付。\n\n" * 120_000, encoding="utf-8"
    )
    store = top / "store"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (6 << 20, before[1]))
    try:
        driven = _started(top, store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert driven.wait_over(120), "it did not end"
    driven.stop()
    kept = Kept(store)
    states = {job["state"]: 0 for job in kept.jobs}
    for job in kept.jobs:
        states[job["state"]] += 1
    failed = [job["code"] for job in kept.jobs if job["state"] == "failed"]
    assert failed == ["E_IO"], failed
    return f"{states}"


def locked_database(top: Path) -> str:
    """While another program holds the database for three seconds work waits, and none is lost."""
    write_papers(top / "in", 60, 40)
    store = top / "store"
    driven = _started(top, store)
    _wait(lambda: driven.done() > 3, 60, "nothing was done")
    with contextlib.closing(sqlite3.connect(store / "headworks.sqlite", timeout=30)) as raw:
        raw.execute("BEGIN IMMEDIATE")
        time.sleep(3)
        raw.rollback()
    assert driven.wait_over(120), "it did not end"
    driven.stop()
    return _all_done(store)


def hanging_worker(top: Path) -> str:
    """A stopped worker is ended when its document's time is over; the others go on."""
    write_papers(top / "in", 30, 200)
    store = top / "store"
    driven = _started(top, store, "workers = 2\ndocument_seconds = 5.0\n")
    _wait(lambda: driven.done() > 2 and len(driven.tree()) > 3, 60, "nothing was done")
    hung = next(pid for pid in driven.tree() if b"workbench" in _command(pid))
    os.kill(hung, signal.SIGSTOP)
    assert driven.wait_over(120), "it did not end"
    driven.stop()
    kept = Kept(store)
    failed = [job["code"] for job in kept.jobs if job["state"] == "failed"]
    assert failed in ([], ["E_TIMEOUT"]), failed
    gone = not Path(f"/proc/{hung}").exists()
    assert gone, "the hanging worker is still there"
    return f"{len(kept.jobs) - len(failed)} done, failed {failed}"


def sigterm(top: Path) -> str:
    """SIGTERM ends what runs, within the limit, and the rest is done after the next start."""
    write_papers(top / "in", 60, 60)
    store = top / "store"
    driven = _started(top, store, "workers = 2\ndrain_seconds = 10.0\n")
    _wait(lambda: driven.done() > 5, 60, "nothing was done")
    began = time.monotonic()
    status = driven.stop()
    seconds = time.monotonic() - began
    assert status == 0, f"it ended with {status}"
    assert seconds < 12, f"it took {seconds:.1f} s"
    kept = Kept(store)
    running = [job for job in kept.jobs if job["state"] == "running"]
    assert not running, "jobs are left running"
    counted = [job for job in kept.jobs if job["state"] == "waiting" and job["attempts"]]
    assert not counted, "a drain counted as an attempt"
    driven.start()
    assert driven.wait_over(120), "it did not end"
    driven.stop()
    return f"drained in {seconds:.1f} s, {_all_done(store)}"


def poison(top: Path) -> str:
    """A document that kills each worker is put aside after three deaths; the others are done."""
    write_papers(top / "in", 20, 40)
    (top / "in" / "毒.md").write_text(
        "# 毒\n\n" + "供应商应当交付货物。\n\n" * 120_000, encoding="utf-8"
    )
    store = top / "store"
    driven = _started(top, store, "workers = 2\n")
    deadline = time.monotonic() + 120
    while not driven.is_over() and time.monotonic() < deadline:
        for pid in driven.tree():  # like a kernel that is out of memory
            if b"workbench" in _command(pid) and _resident(pid) > 120 << 20:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    assert driven.wait_over(60), "it did not end"
    driven.stop()
    kept = Kept(store)
    failed = [job["code"] for job in kept.jobs if job["state"] == "failed"]
    assert failed == ["E_POISON"], failed
    return f"{len(kept.jobs) - 1} done, one E_POISON"


def _started(top: Path, store: Path, service: str = _CALM) -> Driven:
    settings = write_settings(top / "headworks.toml", store, service)
    return Driven(settings, top / "in", top / "log")


def _wait(look: Callable[[], bool], seconds: float, otherwise: str) -> None:
    until = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < until, otherwise
        time.sleep(0.05)


def _all_done(store: Path) -> str:
    kept = Kept(store)
    assert not kept.complaints(), kept.complaints()[:5]
    return f"{len(kept.jobs)} done"


@contextlib.contextmanager
def _mounted(place: Path, mebibytes: int) -> Iterator[None]:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(place)]
    made = subprocess.run(mount, capture_output=True, check=False)
    assert made.returncode == 0, f"cannot mount: {made.stderr.decode().strip()}"
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", place], check=False)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except (OSError, IndexError):
        return 0


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


FAULTS: dict[str, Callable[[Path], str]] = {
    "disk-full": disk_full,
    "disk-full-writing": disk_full_writing,
    "bounded-files": bounded_files,
    "locked-database": locked_database,
    "hanging-worker": hanging_worker,
    "sigterm": sigterm,
    "poison": poison,
}

if __name__ == "__main__":
    sys.exit(main())
