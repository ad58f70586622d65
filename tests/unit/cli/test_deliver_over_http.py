import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

from headworks.assembly.answer_records import AnswerRecord

CLAUSES = "设备采购合同\n" + "".join(
    f"第{number}条 事项{number}\n甲方应在收到第{number}批货物后{number + 10}日内支付"
    f"第{number}期款项人民币{number}00,000元。\n"
    for number in range(1, 13)
)


USAGE = {"prompt_tokens": 300, "completion_tokens": 40, "total_tokens": 340}


class _Model(ThreadingHTTPServer):
    """A server of OpenAI's interface that quotes the first sentence it is shown, slowly."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[str] = []
        self.seconds = 0.0

    def handle_error(self, *_: object) -> None:
        """Say nothing of clients that were killed."""


class _Handler(BaseHTTPRequestHandler):
    server: _Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = body["messages"][-1]["content"]
        self.server.asked.append(question)
        time.sleep(self.server.seconds)
        text = question.split("【原文开始】\n")[1].split("\n【原文结束】")[0]
        passages = re.split(r"\n*【第 \d+ 段】\n", text)
        said: object = _said(passages[0])
        if len(passages) > 1:
            parts = enumerate(passages[1:], 1)
            said = {"parts": [{"part": at, "answer": _said(one)} for at, one in parts]}
        answer = json.dumps(said, ensure_ascii=False)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for part in ({"content": answer}, {}):
            self._event({"choices": [{"index": 0, "delta": part, "finish_reason": None}]})
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self._event({"choices": [], "usage": USAGE})  # fmt: skip
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, part: dict[str, object]) -> None:
        whole = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", **part}
        self.wfile.write(b"data: " + json.dumps(whole).encode() + b"\n\n")

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _said(text: str) -> dict[str, object]:
    quote = text.splitlines()[-1] if text else ""
    return {"points": [{"text": quote, "quote": quote}], "values": []}


@pytest.fixture
def model() -> Iterator[_Model]:
    """Give a model server on a free port."""
    server = _Model()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def _command(folder: Path, port: int, pack: int) -> list[str]:
    (folder / "headworks.toml").write_text(
        f'[targets.local]\nkind = "chat"\nurl = "http://127.0.0.1:{port}/v1"\nmodel = "m"\n'
        'max_in_flight = 2\n[delivery]\nfallback = "local"\n'
        f"pack = {pack}\n",
        encoding="utf-8",
    )
    (folder / "合同.txt").write_text(CLAUSES, encoding="utf-8")
    return [
        sys.executable, "-c", "from headworks.cli.main import run; run()", "run",
        str(folder / "合同.txt"), "--out", str(folder / "out"), "--jobs", "1", "--deliver", "-q",
        "--config", str(folder / "headworks.toml"), "--no-report",
    ]  # fmt: skip


def _answer(folder: Path) -> AnswerRecord:
    content = (folder / "out" / "合同.txt" / "answer.json").read_bytes()
    return msgspec.json.decode(content, type=AnswerRecord)


def _stored(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "out" / ".headworks" / "delivery.sqlite")) as store:
        count: int = store.execute("SELECT COUNT(*) FROM replies").fetchone()[0]
        return count


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("pack", [1, 3])
def test_a_model_is_asked_over_http_and_its_answers_lead_back(
    tmp_path: Path, model: _Model, pack: int
) -> None:
    """Every clause is asked once; each sentence of the answer is quoted and counted."""
    _run(_command(tmp_path, model.server_address[1], pack))
    answer = _answer(tmp_path)
    assert answer.complete
    assert answer.unsupported == []
    assert len(model.asked) == len(set(model.asked)) == len(answer.answers) // pack
    assert answer.cost.spent.tokens_in == 300 * len(model.asked)
    assert {one.layer for one in answer.answers} == {"json"}


@pytest.mark.parametrize("pack", [1, 3])
def test_kill_9_loses_no_answer_and_asks_none_again(
    tmp_path: Path, model: _Model, pack: int
) -> None:
    """Killed amid its questions and started again: what was stored is not asked a second time."""
    command = _command(tmp_path, model.server_address[1], pack)
    model.seconds = 0.15
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(model.asked) < 3 + 2 // pack:
        assert time.monotonic() < until
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    time.sleep(0.3)
    stored, before = _stored(tmp_path), len(model.asked)
    assert stored
    model.seconds = 0.0
    _run(command)
    answer = _answer(tmp_path)
    assert answer.complete
    assert len(model.asked) - before == (len(answer.answers) - stored) // pack
    assert set(model.asked) == set(model.asked[:before]) | set(model.asked[before:])
    assert len(set(model.asked)) == len(answer.answers) // pack
