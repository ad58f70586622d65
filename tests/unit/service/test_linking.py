"""References that lead from one file of a run to another."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from headworks.config import Settings
from headworks.service.inputs import find
from headworks.service.one import Done, RunOptions
from headworks.service.run import RunResult, run

_CONTRACT = """# 供水合同

## 第一条 水价

水价按附件三第2.4款执行，水质见附件四。

## 第二条 水量

水量按第一条的水价结算。
"""
_PRICES = """# 附件三 价目

2.3 农业用水每方八角。

2.4 特殊月份另行公告。
"""
_CALLED = _CONTRACT.replace("附件三第2.4款", "附件三《农业水价》第2.4款")
_CALLED_PRICES = _PRICES.replace("价目", "农业水价")


def _run(folder: Path, files: dict[str, str], **more: Any) -> RunResult:
    for name, text in files.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_text(text, encoding="utf-8")
    out = folder / "out"
    options = RunOptions(out=out, settings=Settings(), reproducible=True, **more)
    return run(find([folder / "in"], out), options)


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _chunks(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "chunks.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_an_attachment_in_another_file(tmp_path: Path) -> None:
    """附件三第2.4款 leads to the chunk that holds it, and that chunk knows who refers to it."""
    result = _run(tmp_path, {"合同.md": _CONTRACT, "价.md": _PRICES}, report=True)
    out = tmp_path / "out"
    ref, missing, _ = _json(out / "合同.md" / "document.json")["references"]
    prices = _chunks(out / "价.md")
    held = next(chunk for chunk in prices if "2.4 特殊" in chunk["text"])
    asking = next(chunk for chunk in _chunks(out / "合同.md") if chunk["references"])

    assert (ref["target"], ref["resolved"], ref["folder"]) == ("附件三/2.4", True, "价.md")
    text = (out / "价.md" / "text.txt").read_text(encoding="utf-8")
    assert text[slice(*ref["document_span"])].startswith("2.4 特殊月份")
    assert (missing["text"], missing["resolved"]) == ("附件四", False)
    assert asking["references"][0]["chunks"] == [held["id"]]
    (back,) = held["referenced_by"]
    assert (back["chunk"], back["folder"]) == (asking["id"], "合同.md")
    warned = _json(out / "合同.md" / "document.json")["warnings"]
    assert [one["message"][:3] for one in warned] == ["附件四"]
    assert [one.record.warnings for one in result.results if isinstance(one, Done)] == [0, 1]
    page = (out / "合同.md" / "report.html").read_text(encoding="utf-8")
    assert '"folder":"价.md"' in page


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    """Two processes write the same bytes as one."""
    written = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        _run(folder, {"合同.md": _CONTRACT, "价.md": _PRICES}, jobs=jobs, report=False)
        files = sorted(path for path in (folder / "out").glob("*/*") if path.is_file())
        written.append([(path.name, path.read_bytes()) for path in files])

    assert written[0] == written[1]


@pytest.mark.parametrize(
    ("files", "led"),
    [
        ({"合同.md": _CONTRACT, "价.md": _PRICES, "旧价.md": _PRICES}, False),
        ({"甲/合同.md": _CONTRACT, "甲/价.md": _PRICES, "乙/价.md": _PRICES}, True),
        ({"甲/合同.md": _CONTRACT, "乙/价.md": _PRICES}, False),
        ({"合同.md": _CONTRACT, "附件/价.md": _PRICES}, True),
        ({"合同.md": _CONTRACT, "另一合同.md": _CONTRACT, "价.md": _PRICES}, False),
        ({"合同.md": _CALLED, "另一合同.md": _CONTRACT, "价.md": _CALLED_PRICES}, True),
    ],
)
def test_which_file_is_meant(tmp_path: Path, files: dict[str, str], led: bool) -> None:
    """The one beside, else one below or above; none is guessed, nor for which of two contracts."""
    _run(tmp_path, files, report=False)
    (record,) = (tmp_path / "out").glob("合同.md/document.json")

    assert _json(record)["references"][0]["resolved"] is led


def test_the_records_keep_their_shape(tmp_path: Path) -> None:
    """A document without such references is written as it always was."""
    _run(tmp_path, {"合同.md": _CONTRACT.replace("附件", "图样"), "价.md": _PRICES}, report=False)
    ref = _json(tmp_path / "out" / "合同.md" / "document.json")["references"][-1]

    assert "folder" not in ref
    assert msgspec.json.decode(msgspec.json.encode(ref)) == ref
