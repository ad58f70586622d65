import os
import signal
from pathlib import Path

import msgspec
import pytest

from headworks import pipeline
from headworks.config import Settings
from headworks.errors import FaultError
from headworks.service import one
from headworks.service.inputs import Input, find
from headworks.service.one import Done, Failed, Result, RunOptions, Workshop
from headworks.service.run import run

TEXT = "# 合同\n\n## 第一条 货物\n\n供应设备。\n"


@pytest.fixture
def options(tmp_path: Path) -> RunOptions:
    """Give options that write into a fresh folder."""
    return RunOptions(out=tmp_path / "out", settings=Settings(), report=False)


@pytest.fixture
def inputs(tmp_path: Path) -> tuple[Input, ...]:
    """Give four small documents."""
    top = tmp_path / "in"
    top.mkdir()
    for name in "abcd":
        (top / f"{name}.md").write_text(TEXT, encoding="utf-8")
    return find([top], tmp_path / "out")


def _codes(results: tuple[Result, ...]) -> list[str]:
    return ["" if isinstance(one, Done) else one.record.code for one in results]


def test_a_document_whose_text_does_not_add_up_is_not_written(
    options: RunOptions, inputs: tuple[Input, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ledger that does not balance is E_LEDGER for that document alone."""
    true_check = pipeline.check

    def check(document: object, *rest: object) -> None:
        if document.source.name == "b.md":  # type: ignore[attr-defined]
            raise FaultError("E_LEDGER", "1 lost", place="b.md")
        true_check(document, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "check", check)
    result = run(inputs, options)
    assert _codes(result.results) == ["", "E_LEDGER", "", ""]
    assert result.exit_code == 3
    assert not (options.out / "b.md").exists()


def test_a_fault_of_our_own_stays_with_its_document(
    options: RunOptions, inputs: tuple[Input, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception in a stage is E_FAULT with the place in the code; the others are done."""

    def fails(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(one, "chunk_records", fails)
    result = run(inputs[:2], options)
    assert _codes(result.results) == ["E_FAULT", "E_FAULT"]
    failed = result.results[0]
    assert isinstance(failed, Failed)
    assert "KeyError at test_run.py" in failed.record.message
    assert "Traceback" in failed.detail


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers inherit the patched class by fork")
def test_a_worker_that_dies_takes_nobody_along(
    options: RunOptions, inputs: tuple[Input, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a worker process is killed on one input, that input fails and the others are done."""
    true_work = Workshop.work

    def work(self: Workshop, entry: Input) -> Result:
        if entry.path.name == "c.md":
            os.kill(os.getpid(), signal.SIGKILL)
        return true_work(self, entry)

    monkeypatch.setattr(Workshop, "work", work)
    result = run(inputs, msgspec.structs.replace(options, jobs=2))
    assert _codes(result.results) == ["", "", "E_MEMORY", ""]


def test_each_result_is_told_as_it_comes(options: RunOptions, inputs: tuple[Input, ...]) -> None:
    """Whoever watches hears of every input once, whatever became of it."""
    inputs[0].path.write_bytes(b"")
    told: list[Result] = []
    result = run(inputs, options, told.append)
    assert len(told) == 4
    assert result.summary.failed[0].code == "E_EMPTY"
    assert [done.name for done in result.summary.documents] == ["b.md", "c.md", "d.md"]
