"""Drives a service that runs as processes of its own: starts it, kills parts of it, reads it.

Takes folders, gives what the store says in the end. Linux only: it looks into /proc.
"""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from hashlib import sha256
from pathlib import Path

from tests.service.papers import paper

ROOT = Path(__file__).resolve().parent.parent.parent


def write_papers(folder: Path, count: int, clauses: int = 12) -> None:
    """Write so many papers into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        name, content = paper(number, clauses)
        (folder / name).write_bytes(content)


def write_settings(path: Path, store: Path, service: str = "") -> Path:
    """Write settings of a service that keeps its things in ``store``."""
    path.write_text(
        f'[service]\nfolder = "{store}"\n{service}\n'
        '[rules]\npacks = ["contract", "privacy"]\nas_of = "2026-01-01"\n',
        encoding="utf-8",
    )
    return path


class Driven:
    """A running stand; started again when it was killed."""

    def __init__(self, settings: Path, papers: Path, log: Path) -> None:
        self._settings, self._papers, self._log = settings, papers, log
        self.told: list[dict[str, object]] = []
        self.starts = 0
        self.process: subprocess.Popen[str]
        self.start()

    def start(self) -> None:
        """Start it (again)."""
        self.starts += 1
        self.taken = False
        self.states: dict[str, int] = {}
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.service.stand", self._settings, self._papers],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=ROOT,
            )
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()

    def tree(self) -> list[int]:
        """Give the service's process and all below it."""
        found, waiting = [], [self.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            with contextlib.suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    waiting += map(int, (task / "children").read_text().split())
        return found

    def kill_one(self, chance: random.Random) -> str:
        """Kill -9 a random process of the tree; start the service again where it was that one."""
        pid = chance.choice(self.tree())
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        if pid != self.process.pid:
            return "child"
        self.process.wait()
        self.start()
        return "service"

    def done(self) -> int:
        """Give how many jobs are done, as it was told last."""
        return self.states.get("done", 0)

    def is_over(self) -> bool:
        """Tell whether everything was taken in and nothing waits or runs."""
        live = self.states.get("waiting", 0) + self.states.get("running", 0)
        return self.taken and bool(self.states) and not live

    def wait_over(self, seconds: float) -> bool:
        """Wait until everything is over, twice in a row."""
        until, seen = time.monotonic() + seconds, 0
        while time.monotonic() < until and seen < 3:
            seen = seen + 1 if self.is_over() else 0
            if self.process.poll() is not None:
                raise RuntimeError(f"the service ended with {self.process.returncode}")
            time.sleep(0.2)
        return seen >= 3

    def stop(self, seconds: float = 60.0) -> int:
        """Drain it by SIGTERM; give its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def _listen(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                continue
            if process is not self.process:
                return
            self.told.append(told)
            if told.get("taken"):
                self.taken, self.states = True, {}
            if "states" in told:
                self.states = told["states"]


class Kept:
    """What a stopped service has kept."""

    def __init__(self, store: Path) -> None:
        self.store = store
        with contextlib.closing(sqlite3.connect(store / "headworks.sqlite")) as raw:
            raw.row_factory = sqlite3.Row
            self.documents = [dict(row) for row in raw.execute("SELECT * FROM documents")]
            self.jobs = [dict(row) for row in raw.execute("SELECT * FROM jobs")]
            self.ends = dict(
                raw.execute(
                    "SELECT json_extract(body, '$.job'), COUNT(*) FROM events"
                    " WHERE kind = 'done' GROUP BY 1"
                ).fetchall()
            )

    def results(self) -> dict[str, dict[str, str]]:
        """Give the hashes of each document's files, by the document's id."""
        return {
            row["id"]: {
                path.name: sha256(path.read_bytes()).hexdigest()
                for path in sorted(
                    (self.store / "documents" / row["id"] / str(row["fence"])).iterdir()
                )
            }
            for row in self.documents
            if row["fence"]
        }

    def complaints(self) -> list[str]:
        """Give what is wrong: jobs that are not done, or done twice."""
        found = [
            f"{job['id']} {job['state']} {job['code']} {job['message']}"
            for job in self.jobs
            if job["state"] != "done"
        ]
        found += [f"{job} ended {count} times" for job, count in self.ends.items() if count != 1]
        doubled = len(self.jobs) - len({job["document"] for job in self.jobs})
        return found + ([f"{doubled} documents have several jobs"] if doubled else [])
