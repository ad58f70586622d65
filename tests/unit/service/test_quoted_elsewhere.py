"""An answer that quotes another file of the run, shown to the model as 见附件三 leads there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from headworks.config import Settings, load
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.dispatch.storing import Keep
from headworks.service.deliver import Compose, DeliverOptions, deliver
from headworks.service.inputs import find
from headworks.service.one import RunOptions
from headworks.service.run import run
from headworks.targets.base import Target
from tests.build.delivery import Said

_CONTRACT = """# 供水合同

## 第一条 水价

水价按附件三第2.4款执行。

## 第二条 水量

水量按季度核定。
"""
_PRICES = """# 附件三 价目

2.3 农业用水每方八角。

2.4 灌溉用水每立方米收取一元二角。

## 3 水质

""" + "".join(f"3.{n} 第{n}号断面的水样由水厂取回，当日封存后送往检测。\n\n" for n in range(1, 90))
_QUOTE = "灌溉用水每立方米收取一元二角"
_UNSEEN = "第89号断面的水样由水厂取回"


def _answer(words: str) -> str:
    points = []
    if "按附件三第2.4款" in words:
        points = [{"text": f"{quote}。", "quote": quote} for quote in (_QUOTE, _UNSEEN)]
    return json.dumps({"points": points, "values": []}, ensure_ascii=False)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Give what a run over both files and its delivery wrote."""
    for name, text in {"合同.md": _CONTRACT, "价.md": _PRICES}.items():
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text(text, encoding="utf-8")
    folder = tmp_path / "out"
    base = load(environment={}, flags={})
    run(find([tmp_path / "in"], folder), RunOptions(out=folder, settings=base, deliver=True))
    chat = TargetSettings(kind="chat", url="http://127.0.0.1:1/v1", model="m")
    settings = Settings(
        targets={"local": chat}, delivery=DeliverySettings(fallback="local", pack=1)
    )
    model = Said("local", lambda ask: _answer(ask.messages[-1][1]))

    def make(
        queue: Queue, _: Mapping[str, Target], given: Settings, compose: Compose, keep: Keep
    ) -> Delivery:
        return Delivery(queue, {"local": model}, given, compose, keep)

    deliver(["价.md", "合同.md"], DeliverOptions(out=folder, settings=settings), make)
    return folder


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_a_quote_of_another_file_leads_to_that_file(out: Path) -> None:
    """The citation names the file, and its chunk, range and place there."""
    trace = _read(out / "合同.md" / "trace.json")
    sentence, unseen = trace["sentences"]
    assert sentence["support"] == "quoted"
    (cited,) = [one for one in trace["citations"] if one["id"] in sentence["citations"]]
    other = _read(out / "价.md" / "document.json")
    assert (cited["folder"], cited["name"]) == ("价.md", "价.md")
    assert cited["document"] == other["source"]["sha256"]
    text = (out / "价.md" / "text.txt").read_text(encoding="utf-8")
    ((start, end),) = cited["ranges"]
    assert text[start:end] == _QUOTE
    chunks = (out / "价.md" / "chunks.jsonl").read_text(encoding="utf-8").splitlines()
    assert cited["chunk"] in {json.loads(line)["id"] for line in chunks}
    assert "价.md" in (out / "合同.md" / "answer.md").read_text(encoding="utf-8")
    assert unseen["support"] == "none", "only what was shown may be quoted"


def test_its_own_citations_name_no_file(out: Path) -> None:
    """Where the place is in the document itself nothing is said of another."""
    assert all("folder" not in one for one in _read(out / "价.md" / "trace.json")["citations"])
