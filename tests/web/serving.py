"""A real server for tests: ``headworks serve`` as a process of its own."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue

import httpx

SECONDS = 60.0


class Server:
    """A running service: its address, its folder, its process."""

    def __init__(self, folder: Path, settings: str = "", *, wrap: tuple[str, ...] = ()) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "headworks.toml"
        self._file.write_text(settings, encoding="utf-8")
        self._wrap = wrap
        self.errors = folder / "serve.log"
        self.address = ""

    def start(self) -> None:
        """Start it and wait until it answers."""
        environment = {**os.environ, "HEADWORKS_LANG": "en", "PYTHONUNBUFFERED": "1"}
        command = [
            *self._wrap,
            sys.executable,
            "-m",
            "headworks.cli",
            "serve",
            "--config",
            str(self._file),
            "--data",
            str(self.folder / "data"),
            "--port",
            "0",
        ]
        log = self.errors.open("ab")
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            env=environment,
            cwd=self.folder,
            start_new_session=True,
            text=True,
        )
        log.close()
        self.address = self._address().rpartition(" ")[2].strip()

    def client(self, key: str = "", **more: object) -> httpx.Client:
        """Give a client of it."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(
            base_url=self.address, headers=headers, timeout=SECONDS, trust_env=False, **more
        )  # type: ignore[arg-type]

    def stop(self) -> int:
        """Tell it to end and give its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def kill(self) -> None:
        """End the whole tree at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(SECONDS)

    def _address(self) -> str:
        told: Queue[str] = Queue()
        assert self.process.stdout is not None
        out = self.process.stdout
        threading.Thread(target=lambda: told.put(out.readline()), daemon=True).start()
        try:
            line = told.get(timeout=SECONDS)
        except Empty:
            line = ""
        if "http://" not in line:
            raise AssertionError(self.errors.read_text(encoding="utf-8")[-2000:])
        return line


@contextmanager
def served(folder: Path, settings: str = "", **more: tuple[str, ...]) -> Iterator[Server]:
    """Give a server that runs as long as the context is open."""
    server = Server(folder, settings, **more)
    server.start()
    try:
        yield server
    finally:
        if server.process.poll() is None:
            try:
                server.stop()
            except subprocess.TimeoutExpired:
                server.kill()
