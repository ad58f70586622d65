"""A browser for tests: Debian's Chromium over its debugging pipe, no driver and no network.

Takes a page, gives what its script answers. Never outlives the test.
"""

import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Self

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe", "--window-size=1500,950", "about:blank",
)  # fmt: skip
_PATIENCE_SECONDS = 30.0


def program() -> str | None:
    """Give the browser's path, where it is installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One browser with one page."""

    def __init__(self, profile: Path) -> None:
        read_end, self._requests = os.pipe()
        self._replies, write_end = os.pipe()
        command = f"exec {program()} --user-data-dir={profile} {' '.join(FLAGS)}"
        self._process = subprocess.Popen(
            ["bash", "-c", f"{command} 3<&{read_end} 4>&{write_end}"],
            pass_fds=(read_end, write_end),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_end)
        os.close(write_end)
        self._pending = b""
        self._last = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        pages = self._call("Target.getTargets")["targetInfos"]
        target = next(page["targetId"] for page in pages if page["type"] == "page")
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._requests)
        os.close(self._replies)

    def open(self, page: Path, mark: str = "") -> None:
        """Open a file, at a mark, and wait for its script."""
        self._call("Page.navigate", url="about:blank")
        self._call("Page.navigate", url=f"{page.as_uri()}{mark}")
        self.wait("document.readyState === 'complete' && !!document.querySelector('main')")

    def ask(self, script: str) -> Any:
        """Give what an expression of the page's gives."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, script: str) -> None:
        """Wait until an expression holds."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while not self.ask(script):
            assert time.monotonic() < until, f"never held: {script}"
            time.sleep(0.02)

    def click(self, selector: str, index: int = 0) -> None:
        """Click on an element."""
        self.ask(f"document.querySelectorAll({json.dumps(selector)})[{index}].click()")

    def _call(self, method: str, **params: Any) -> dict[str, Any]:
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._requests, json.dumps(message).encode() + b"\0")
        while True:
            reply = self._receive()
            if reply.get("id") == self._last:
                assert "error" not in reply, reply
                result: dict[str, Any] = reply["result"]
                return result
            if reply.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(reply["params"]))

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._replies], [], [], _PATIENCE_SECONDS)
            assert ready, "the browser does not answer"
            piece = os.read(self._replies, 1 << 20)
            assert piece, "the browser has ended"
            self._pending += piece
        message, _, self._pending = self._pending.partition(b"\0")
        decoded: dict[str, Any] = json.loads(message)
        return decoded
