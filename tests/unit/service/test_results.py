from pathlib import Path

import msgspec
import pytest

from headworks.dispatch.asking import Asking
from headworks.errors import StorageError
from headworks.service.inputs import find
from headworks.service.one import RunOptions
from headworks.service.results import Results
from headworks.service.run import run
from tests.build.delivery import results_in, settings

CONTRACT = (
    "设备采购合同\n第一条 货物\n乙方供应的设备见附件三。\n第二条 付款\n甲方应在30日内付款。\n"
)
ANNEX = "附件三 设备清单\n一、水泵\n水泵两台，流量每小时50立方米。\n"


def test_a_reference_into_another_file_brings_its_text(tmp_path: Path) -> None:
    """见附件三 leads to the other file of the run, and a model is shown what stands there."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "合同.txt").write_text(CONTRACT, encoding="utf-8")
    (folder / "附件三 设备清单.txt").write_text(ANNEX, encoding="utf-8")
    out = tmp_path / "out"
    options = RunOptions(out=out, settings=settings(), report=False, deliver=True)
    run(find([folder], out), options)
    results = Results(out / "合同.txt", beside=True)
    first = next(chunk for chunk in results.chunks if "见附件三" in chunk.text)
    question = Asking(settings()).question(results.shelf, first, "general")
    assert question is not None
    assert "水泵两台，流量每小时50立方米。" in question.messages[-1][1]
    alone = Results(out / "合同.txt")
    question = Asking(settings()).question(alone.shelf, first, "general")
    assert question is not None
    assert "水泵两台" not in question.messages[-1][1]


@pytest.mark.parametrize("window", [900, 1200, 2000, 8000])
def test_a_question_and_its_answer_fit_the_window(window: int, tmp_path: Path) -> None:
    """Chunk and context take their share, the prompt and the answer have the rest."""
    results = results_in(tmp_path / "doc")
    long = "乙方应当按照约定的时间和地点交付全部货物。" * 200
    chunks = [msgspec.structs.replace(one, text=long, delivered=None) for one in results.chunks]
    chosen = settings()
    target = msgspec.structs.replace(chosen.targets["local"], window=window)
    asking = Asking(msgspec.structs.replace(chosen, targets={"local": target}))
    question = asking.question(results.shelf, chunks[0], "general")
    assert question is not None
    assert question.tokens + question.max_tokens <= window
    assert (question.left_out > 0) == (window < 4000)


def test_results_that_are_not_there_are_told(tmp_path: Path) -> None:
    """A missing or broken file is an error with its place."""
    with pytest.raises(StorageError, match=r"document\.json"):
        _ = Results(tmp_path).document
    (tmp_path / "chunks.jsonl").write_text("{", encoding="utf-8")
    with pytest.raises(StorageError, match=r"chunks\.jsonl"):
        _ = Results(tmp_path).chunks
