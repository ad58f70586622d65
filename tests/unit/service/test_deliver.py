import asyncio
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from headworks.assembly.answer_records import AnswerRecord
from headworks.config import Settings
from headworks.config_delivery import PipelineSettings, TargetSettings
from headworks.dispatch.queue import Queue
from headworks.errors import ConfigError
from headworks.model.job import Ask, Reply
from headworks.service.deliver import STORE, Delivered, DeliverOptions, deliver, is_configured
from headworks.targets.base import Target, TargetBusy, TargetRefused
from tests.build.delivery import Said, results_in, settings
from tests.build.sender import Compose, Keep, PlainSender

NOTHING = '{"points": [], "values": []}'


class _Busy(Said):
    """A target that is busy so many times before it answers."""

    def __init__(self, times: int, *, refuses: bool = False) -> None:
        super().__init__("local", lambda _: NOTHING)
        self.times, self.refuses = times, refuses
        self.tried = 0

    async def send(self, ask: Ask) -> object:  # type: ignore[override]
        self.tried += 1
        if self.refuses:
            raise TargetRefused("HTTP 400")
        if self.tried <= self.times:
            raise TargetBusy("HTTP 503")
        return await super().send(ask)


def _deliver(out: Path, target: Said, chosen: Settings | None = None) -> Delivered:
    chosen = chosen or settings(retry_seconds=0.001)

    def make(
        queue: Queue, _: Mapping[str, Target], given: Settings, compose: Compose, keep: Keep
    ) -> PlainSender:
        return PlainSender(queue, {"local": target}, given, compose, keep)

    folders = sorted(path.name for path in out.iterdir() if (path / "document.json").exists())
    return deliver(folders, DeliverOptions(out=out, settings=chosen), make)


def _answer(out: Path, folder: str = "doc") -> AnswerRecord:
    return msgspec.json.decode((out / folder / "answer.json").read_bytes(), type=AnswerRecord)


def test_every_chunk_is_asked_once_and_the_answer_stands_beside_it(tmp_path: Path) -> None:
    """Four files beside the document's results; each chunk's words went out once."""
    results_in(tmp_path / "doc")
    target = Said("local", lambda _: NOTHING)
    made = _deliver(tmp_path, target)
    assert made.complete
    assert sorted(ask.chunk for ask in target.asks) == sorted(
        one.chunk for one in _answer(tmp_path).answers
    )
    for name in ("answer.json", "answer.md", "trace.json", "trace.html"):
        assert (tmp_path / "doc" / name).stat().st_size
    assert made.cost.spent.calls == 3


def test_a_second_run_asks_nothing(tmp_path: Path) -> None:
    """Answers that are stored are not asked for again, and give the same bytes."""
    results_in(tmp_path / "doc")
    _deliver(tmp_path, Said("local", lambda _: NOTHING))
    before = {path.name: path.read_bytes() for path in (tmp_path / "doc").iterdir()}
    again = Said("local", lambda _: NOTHING)
    _deliver(tmp_path, again)
    assert again.asks == []
    assert {path.name: path.read_bytes() for path in (tmp_path / "doc").iterdir()} == before


def test_equal_documents_are_asked_about_once(tmp_path: Path) -> None:
    """The second copy shares the answers of the first."""
    results_in(tmp_path / "doc")
    results_in(tmp_path / "doc~2")
    target = Said("local", lambda _: NOTHING)
    made = _deliver(tmp_path, target)
    assert len(target.asks) == 3
    assert made.cost.saved.shared == 3
    assert [one.cost.spent.calls for one in made.documents] == [3, 0]


def test_what_is_busy_is_asked_again_and_refusals_are_told(tmp_path: Path) -> None:
    """Busy targets are tried up to four times; what was refused stands in the answer."""
    results_in(tmp_path / "doc")
    busy = _Busy(2)
    assert _deliver(tmp_path, busy).complete
    assert busy.tried == 5
    results_in(tmp_path / "other" / "doc")
    refused = _Busy(0, refuses=True)
    made = _deliver(tmp_path / "other", refused)
    assert not made.complete
    assert made.documents[0].failed == 3
    assert {one.state for one in _answer(tmp_path / "other").answers} == {"failed"}


def test_what_failed_is_tried_again_by_the_next_run(tmp_path: Path) -> None:
    """When the cause is gone, the same command asks what is missing and nothing else."""
    results_in(tmp_path / "doc")
    _deliver(tmp_path, _Busy(0, refuses=True))
    target = Said("local", lambda _: NOTHING)
    assert _deliver(tmp_path, target).complete
    assert len(target.asks) == 3


class _BrokenError(Exception):
    """What ends a sender in the middle."""


class _Breaking(PlainSender):
    async def run(self) -> None:
        await asyncio.sleep(0.02)
        raise _BrokenError


class _RulesAlone(Said):
    """A target whose answers come from rules alone, as delivery gives them for a server at rest."""

    async def send(self, ask: Ask) -> Reply:
        reply = await super().send(ask)
        return msgspec.structs.replace(reply, degraded="E_TARGET: timeout")


def test_what_rules_alone_answered_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    """A degraded answer is flagged and makes the exit code; with the server back it is replaced."""
    results_in(tmp_path / "doc")
    assert not _deliver(tmp_path, _RulesAlone("local", lambda _: NOTHING)).complete
    assert {one.state for one in _answer(tmp_path).answers} == {"degraded"}
    target = Said("local", lambda _: NOTHING)
    assert _deliver(tmp_path, target).complete
    assert len(target.asks) == 3


def test_questions_of_an_earlier_run_are_not_asked_any_more(tmp_path: Path) -> None:
    """A broken off run leaves its jobs; with another prompt those are dropped, not sent."""
    results_in(tmp_path / "doc")
    options = DeliverOptions(out=tmp_path, settings=settings())
    with pytest.raises(_BrokenError):
        deliver(["doc"], options, _Breaking)
    target = Said("local", lambda _: NOTHING)
    other = msgspec.structs.replace(
        settings(), pipelines={"general": PipelineSettings(target="local", prompt="summary")}
    )
    _deliver(tmp_path, target, other)
    assert len(target.asks) == 3


def test_without_a_target_the_rules_alone_answer(tmp_path: Path) -> None:
    """Nothing is sent, nothing listens; values that rules took are the answer."""
    results_in(tmp_path / "doc")
    chosen = Settings()
    assert not is_configured(chosen)
    target = Said("local", lambda _: NOTHING)
    made = _deliver(tmp_path, target, chosen)
    assert target.asks == []
    assert (made.cost.saved.kept, made.cost.without_rules.calls, made.cost.fewer) == (0, 0, 0.0)
    assert {one.state for one in _answer(tmp_path).answers} == {"kept"}
    assert [value.name for value in _answer(tmp_path).values] == ["比例"]


def test_wrong_settings_are_told_before_anything_is_sent(tmp_path: Path) -> None:
    """A pipeline to an unknown target is a fault of the settings."""
    results_in(tmp_path / "doc")
    wrong = msgspec.structs.replace(
        settings(), pipelines={"general": PipelineSettings(target="nobody")}
    )
    with pytest.raises(ConfigError):
        _deliver(tmp_path, Said("local", lambda _: NOTHING), wrong)
    assert not (tmp_path / STORE).exists()


def test_the_built_in_target_answers_from_the_record(tmp_path: Path) -> None:
    """With ``extract`` as the fallback no model is needed: sentences are quotes."""
    results_in(tmp_path / "doc")
    chosen = msgspec.structs.replace(
        settings(), targets={}, delivery=msgspec.structs.replace(settings().delivery,
                                                                 fallback="extract")
    )  # fmt: skip
    made = deliver(["doc"], DeliverOptions(out=tmp_path, settings=chosen), PlainSender)
    assert made.complete
    answer = _answer(tmp_path)
    assert answer.unsupported == []
    assert "乙方向甲方供应附件一所列的设备。" in [point.text for point in answer.points]


def test_a_folder_target_gets_the_records(tmp_path: Path) -> None:
    """Chunks go to files; they count as delivered and not as calls."""
    out = tmp_path / "out"
    results_in(out / "doc")
    folder = TargetSettings(kind="folder", path=str(tmp_path / "lines"))
    chosen = msgspec.structs.replace(settings(), targets={"local": folder})
    made = deliver(["doc"], DeliverOptions(out=out, settings=chosen), PlainSender)
    assert made.cost.saved.delivered == 3
    assert made.cost.spent.calls == 0
    lines = [line for path in (tmp_path / "lines").iterdir()
             for line in path.read_text(encoding="utf-8").splitlines()]  # fmt: skip
    assert len(lines) == 3
    assert all("50万元" not in line for line in lines)
    assert {json.loads(line)["chunk"] for line in lines}
