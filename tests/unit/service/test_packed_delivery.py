"""Several chunks in one call: from a document of small clauses to its answer."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headworks.assembly.answer_records import AnswerRecord, TraceRecord
from headworks.config import Settings, load
from headworks.config_delivery import DeliverySettings, TargetSettings
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.dispatch.storing import Keep
from headworks.model.job import Ask, Reply
from headworks.service.deliver import Compose, Delivered, DeliverOptions, deliver
from headworks.service.inputs import find
from headworks.service.one import Done, RunOptions
from headworks.service.run import run
from headworks.targets.base import Target, TargetRefused

NOTHING: dict[str, Any] = {"points": [], "values": []}
PLACES = ["东门", "西门", "南门", "北门", "一库", "二库", "三库", "四库", "五库", "六库"]
_NUMBERED = re.compile(
    r"【第 (\d+) 段】\n(?:位置：[^\n]*\n)?(.*?)(?=\n\n【第 \d+ 段】|\n【原文结束】)", re.DOTALL
)
_BODY = re.compile(r"【原文开始】\n(.*?)\n【原文结束】", re.DOTALL)
_DUTY = re.compile(r"由乙方在(\S+?)看管")


class Reading:
    """A model that reads: a point for each passage, with its sentence as the quote."""

    name = "local"

    def __init__(self, spoil: Callable[[list[Any]], list[Any]] = lambda parts: parts) -> None:
        self.spoil = spoil
        self.asks: list[Ask] = []
        self.refuses_packs = False

    async def send(self, ask: Ask) -> Reply:
        """Answer."""
        self.asks.append(ask)
        words = ask.messages[-1][1]
        if not ask.parts:
            body: object = _said(_BODY.findall(words)[0])
        elif self.refuses_packs:
            raise TargetRefused("HTTP 400")
        else:
            found = [(int(number), text) for number, text in _NUMBERED.findall(words)]
            assert [number for number, _ in found] == list(range(1, len(ask.parts) + 1))
            parts = [{"part": number, "answer": _said(text)} for number, text in found]
            body = {"parts": self.spoil(parts)}
        return Reply(
            job=ask.job,
            chunk=ask.chunk,
            target=self.name,
            tokens_in=ask.tokens,
            tokens_out=10,
            milliseconds=9.0,
            body=msgspec.json.encode(body).decode(),
        )

    async def close(self) -> None:
        """Nothing to let go of."""

    @property
    def packs(self) -> list[Ask]:
        """The asks about several."""
        return [ask for ask in self.asks if ask.parts]


def _said(text: str) -> dict[str, Any]:
    place = _DUTY.search(text)
    if place is None:
        return NOTHING
    quote = next(line for line in text.splitlines() if place[0] in line)
    return {"points": [{"text": f"乙方在{place[1]}看管货物。", "quote": quote}], "values": []}


@pytest.fixture(scope="module")
def processed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the results of a contract of small clauses."""
    folder = tmp_path_factory.mktemp("packs")
    clauses = [
        f"第{number}条 {place}\n货物到达后由乙方在{place}看管，每日清点{at}次并记录。"
        for at, (number, place) in enumerate(zip("一二三四五六七八九十", PLACES, strict=True), 1)
    ]
    source = folder / "保管合同.txt"
    source.write_text("保管合同\n\n" + "\n".join(clauses) + "\n", encoding="utf-8")
    base = load(environment={}, flags={})
    options = RunOptions(out=folder / "out", settings=base, report=False, deliver=True)
    done = run(find([source], folder / "out"), options)
    assert all(isinstance(one, Done) for one in done.results)
    return folder / "out"


@pytest.fixture
def out(processed: Path, tmp_path: Path) -> Path:
    """Give a copy of the results of its own."""
    (folder,) = [path for path in processed.iterdir() if (path / "document.json").exists()]
    copy = tmp_path / "doc"
    copy.mkdir()
    for path in folder.iterdir():
        if path.is_file():
            (copy / path.name).write_bytes(path.read_bytes())
    return tmp_path


def _settings(**delivery: Any) -> Settings:
    chat = TargetSettings(kind="chat", url="http://127.0.0.1:1/v1", model="m")
    chosen = DeliverySettings(**{"fallback": "local", "retry_seconds": 0.001, **delivery})
    return Settings(targets={"local": chat}, delivery=chosen)


def _deliver(out: Path, model: Reading, **delivery: Any) -> Delivered:
    def make(
        queue: Queue, _: Mapping[str, Target], given: Settings, compose: Compose, keep: Keep
    ) -> Delivery:
        return Delivery(queue, {"local": model}, given, compose, keep)

    return deliver(["doc"], DeliverOptions(out=out, settings=_settings(**delivery)), make)


def _answer(out: Path) -> AnswerRecord:
    return msgspec.json.decode((out / "doc" / "answer.json").read_bytes(), type=AnswerRecord)


def _places(out: Path) -> list[tuple[str, tuple[int, ...]]]:
    """Give each sentence with the lines of the document that it leads to."""
    trace = msgspec.json.decode((out / "doc" / "trace.json").read_bytes(), type=TraceRecord)
    cited = {one.id: one for one in trace.citations}
    return [
        (one.text, tuple(start for id_ in one.citations for start, _ in cited[id_].ranges))
        for one in trace.sentences
    ]


def test_small_chunks_go_together_and_each_sentence_leads_to_its_own(out: Path) -> None:
    """Ten clauses take two calls; answer and trace are those that ten calls give."""
    model, one_by_one = Reading(), Reading()
    made = _deliver(out, model)
    packed, traced = _answer(out), _places(out)
    assert made.complete
    assert len(model.packs) == 2
    assert sum(len(ask.parts) for ask in model.packs) >= len(PLACES)
    (out / ".headworks" / "delivery.sqlite").unlink()
    _deliver(out, one_by_one, pack=1)
    alone = _answer(out)
    assert not one_by_one.packs
    assert packed.points == alone.points
    assert traced == _places(out)
    assert [one.chunk for one in packed.answers] == [one.chunk for one in alone.answers]
    assert {one.support for one in packed.points} == {"quoted"}
    assert len({chunk for one in packed.points for chunk in one.chunks}) == len(PLACES)


def test_the_call_of_a_pack_is_counted_once(out: Path) -> None:
    """Calls, tokens and time of the chunks add up to those of the calls."""
    model = Reading()
    made = _deliver(out, model)
    assert made.cost.spent.calls == len(model.asks)
    assert made.cost.spent.tokens_in == sum(ask.tokens for ask in model.asks)
    assert made.cost.spent.tokens_out == 10 * len(model.asks)
    assert made.cost.spent.attempts == len(model.asks)
    assert made.cost.spent.answered == len(_answer(out).answers)


def test_a_second_run_asks_nothing(out: Path) -> None:
    """Answers of a pack are each chunk's own: with packs or without, they are not asked again."""
    _deliver(out, Reading())
    for pack in (8, 1, 3):
        again = Reading()
        assert _deliver(out, again, pack=pack).complete
        assert again.asks == []


def _without_second(parts: list[Any]) -> list[Any]:
    return parts[:1] + parts[2:]


def _unread_second(parts: list[Any]) -> list[Any]:
    return [{**part, "answer": {"points": "?"}} if part["part"] == 2 else part for part in parts]


def _twice(parts: list[Any]) -> list[Any]:
    return [*parts, parts[1]]


def _mixed_up(parts: list[Any]) -> list[Any]:
    """The second has what is said of the first."""
    return [{**part, "answer": parts[0]["answer"]} if part["part"] == 2 else part for part in parts]


@pytest.mark.parametrize("spoil", [_without_second, _unread_second, _twice, _mixed_up])
def test_what_a_pack_does_not_answer_is_asked_alone(
    out: Path, spoil: Callable[[list[Any]], list[Any]]
) -> None:
    """Missing, misshapen, twice there or about another: that chunk gets a question of its own."""
    model = Reading(spoil)
    made = _deliver(out, model, pack=4)
    assert made.complete
    alone = [ask for ask in model.asks if not ask.parts]
    seconds = [ask.parts[1].job.chunk for ask in model.packs]
    assert set(seconds) <= {ask.chunk for ask in alone}
    places = [place for place, _ in _places(out)]
    assert places == [f"乙方在{place}看管货物。" for place in PLACES]
    assert made.cost.spent.calls == len(model.asks)
    again = Reading()
    _deliver(out, again, pack=4)
    assert again.asks == []


def test_a_pack_that_does_not_read_or_is_refused_is_asked_one_by_one(out: Path) -> None:
    """Nothing is lost: the call in vain is counted, and each chunk has its answer."""
    model = Reading(lambda _: [])
    made = _deliver(out, model)
    assert made.complete
    assert made.cost.spent.calls == len(model.asks) == len(model.packs) + len(_answer(out).answers)
    (out / ".headworks" / "delivery.sqlite").unlink()
    refusing = Reading()
    refusing.refuses_packs = True
    made = _deliver(out, refusing)
    assert made.complete
    assert made.cost.spent.calls == len(_answer(out).answers)
