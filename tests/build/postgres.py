"""A PostgreSQL server of its own for a test: in a temporary folder, on a free port."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest


def binaries() -> Path | None:
    """Give the folder of the server's programs, where it is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    if found:
        return found[-1].parent
    onpath = shutil.which("postgres")
    return Path(onpath).parent if onpath else None


class PostgresServer:
    """A cluster. Root may not run one: it is then the user ``postgres`` (or ``nobody``) who does.

    ``port`` stays the same over a restart. Without ``flush`` commits do not wait for the disk: a
    crash of the server loses nothing, only one of the machine would.
    """

    def __init__(self, *, flush: bool = False) -> None:
        self._flush = "on" if flush else "off"
        found = binaries()
        if found is None:
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
        self._bin = found
        self._user = _other_user() if os.geteuid() == 0 else None
        self.folder = Path(tempfile.mkdtemp(prefix="headworks-postgres-"))
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self.port = _free_port()
        self._run("initdb", "-D", "cluster", "-U", "headworks", "-A", "trust", "-E", "UTF8",
                  "--locale=C", "--no-sync")  # fmt: skip
        self.start()

    @property
    def address(self) -> str:
        """Give the address of its one database."""
        return f"postgresql://headworks@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start and wait until it takes connections."""
        settings = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
            f"{self.folder} -c fsync={self._flush} -c shared_buffers=64MB -c max_connections=100"
        )
        self._run("pg_ctl", "-D", "cluster", "-l", "log", "-w", "-t", "60", "-o", settings, "start")

    def stop(self, mode: str = "immediate") -> None:
        """Stop: ``fast`` as an administrator would, ``immediate`` as a crash."""
        self._run("pg_ctl", "-D", "cluster", "-w", "-m", mode, "stop")

    def restart(self, mode: str = "immediate") -> None:
        """Stop and start."""
        self.stop(mode)
        self.start()

    def close(self) -> None:
        """End it and remove its files."""
        pidfile = self.folder / "cluster" / "postmaster.pid"
        if pidfile.exists():
            try:
                self.stop()
            except subprocess.CalledProcessError:
                os.kill(int(pidfile.read_text().split()[0]), signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        """Run one of the server's programs as its user."""
        user = self._user
        subprocess.run(
            [self._bin / program, *arguments],
            cwd=self.folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            timeout=90,
        )


def _other_user() -> pwd.struct_passwd:
    """Give a user that is not root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    pytest.skip("PostgreSQL refuses to run as root, and there is no other user")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
