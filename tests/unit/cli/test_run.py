import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headworks.cli.main import answer
from tests.build.docx import build

CONTRACT = """# 设备采购合同

## 第一条 货物

乙方向甲方供应附件一所列的设备。

## 第二条 违约责任

乙方逾期交货的，违约金为合同总额的10%，但最高不超过50万元。

| 序号 | 名称 |
| --- | --- |
| 1 | 水泵 |
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with two documents and three files that cannot be processed."""
    top = tmp_path / "in"
    top.mkdir()
    (top / "合同.md").write_text(CONTRACT, encoding="utf-8")
    (top / "纪要.txt").write_bytes("会议纪要\n\n一、出席人员\n张三。\n".encode("gb18030"))
    (top / "empty.docx").write_bytes(b"")
    (top / "program.docx").write_bytes(b"MZ\x90\x00" + bytes(200))
    (top / "cut.docx").write_bytes(b"PK\x03\x04" + bytes(60))
    return top


def _snapshot(out: Path, *without: str) -> dict[str, bytes]:
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in without
    }


def test_broken_files_do_not_stop_the_others(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file that fails is named with its code, the others are written, the exit code is 3."""
    out = tmp_path / "out"
    assert answer(["run", str(folder), "--out", str(out)]) == 3
    said = capsys.readouterr().err
    for name, code in (("empty", "E_EMPTY"), ("program", "E_TYPE"), ("cut", "E_CORRUPT")):
        assert any(f"{name}.docx" in line and code in line for line in said.splitlines())
    assert sorted(path.name for path in out.iterdir()) == ["summary.json", "合同.md", "纪要.txt"]
    summary = json.loads((out / "summary.json").read_bytes())
    assert [failed["code"] for failed in summary["failed"]] == ["E_CORRUPT", "E_EMPTY", "E_TYPE"]
    assert [done["name"] for done in summary["documents"]] == ["合同.md", "纪要.txt"]


def test_a_run_writes_the_files_of_the_contract(folder: Path, tmp_path: Path) -> None:
    """Each document has its five files; every chunk is the text of its ranges."""
    out = tmp_path / "out"
    assert answer(["run", str(folder / "合同.md"), "--out", str(out), "--rules", "contract"]) == 0
    made = out / "合同.md"
    assert {path.name for path in made.iterdir()} == {
        "document.json", "text.txt", "chunks.jsonl", "ledger.jsonl", "report.html",
    }  # fmt: skip
    text = (made / "text.txt").read_bytes().decode()
    chunks = [json.loads(line) for line in (made / "chunks.jsonl").read_text("utf-8").splitlines()]
    for chunk in chunks:
        assert chunk["text"] == "".join(text[start:end] for start, end in chunk["spans"])
        assert chunk["route"]["pipeline"]
    assert any("第二条 违约责任" in chunk["heading_path"] for chunk in chunks)
    assert [chunk["ordinal"] for chunk in chunks] == list(range(len(chunks)))
    assert json.loads((made / "document.json").read_bytes())["timings"]["read"] > 0


def test_equal_runs_give_equal_bytes_at_any_number_of_jobs(folder: Path, tmp_path: Path) -> None:
    """--reproducible: one process or three, the documents' files are the same to the byte."""
    snapshots = []
    for jobs in ("1", "3"):
        out = tmp_path / f"out{jobs}"
        answer(["run", str(folder), "--out", str(out), "--jobs", jobs, "--reproducible", "-q"])
        snapshots.append(_snapshot(out, "summary.json"))
    assert snapshots[0] == snapshots[1]
    assert len(snapshots[0]) == 10


def test_nothing_processed_is_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """All inputs failing, a missing file, and an empty folder are exit 4."""
    (tmp_path / "empty.docx").write_bytes(b"")
    (tmp_path / "nothing").mkdir()
    out = ["--out", str(tmp_path / "out")]
    assert answer(["run", str(tmp_path / "empty.docx"), *out]) == 4
    assert answer(["run", str(tmp_path / "missing.docx"), *out]) == 4
    assert "E_IO" in capsys.readouterr().err
    assert answer(["run", str(tmp_path / "nothing"), *out]) == 4


def test_a_results_folder_that_cannot_be_made_is_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where no result can be written at all, that is E_IO and exit 4."""
    path = tmp_path / "a.md"
    path.write_text(CONTRACT, encoding="utf-8")
    assert answer(["run", str(path), "--out", str(path / "out")]) == 4
    assert "E_IO" in capsys.readouterr().err


def test_a_page_is_printed_for_one_document_only(folder: Path, tmp_path: Path) -> None:
    """--format html with several inputs, or without a report, is wrong usage."""
    out = ["--out", str(tmp_path / "out"), "--format", "html"]
    assert answer(["run", str(folder), *out]) == 2
    assert answer(["run", str(folder / "合同.md"), "--no-report", *out]) == 2


def test_a_result_that_failed_now_is_not_taken_for_one(tmp_path: Path) -> None:
    """The earlier result of a document that fails is taken away, those of others stay."""
    path, other, out = tmp_path / "a.md", tmp_path / "b.md", tmp_path / "out"
    path.write_text(CONTRACT, encoding="utf-8")
    other.write_text(CONTRACT, encoding="utf-8")
    assert answer(["run", str(path), str(other), "--out", str(out), "-q"]) == 0
    path.write_bytes(b"")
    assert answer(["run", str(path), "--out", str(out), "-q"]) == 4
    assert sorted(entry.name for entry in out.iterdir()) == ["b.md", "summary.json"]


@pytest.mark.parametrize("name", ["jsonl", "md", "html", "langchain", "llamaindex"])
def test_formats_go_to_standard_output(
    name: str, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """--format NAME -o - prints the chunks in UTF-8 and no table."""
    path = tmp_path / "a.md"
    path.write_text(CONTRACT, encoding="utf-8")
    arguments = ["run", str(path), "--out", str(tmp_path / "out"), "--format", name, "-o", "-"]
    assert answer(arguments) == 0
    printed = capfdbinary.readouterr().out.decode("utf-8")
    assert "违约责任" in printed
    if name in ("jsonl", "langchain", "llamaindex"):
        assert all(json.loads(line) for line in printed.splitlines())


def test_the_table_shows_chunks_and_routes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A small run ends with a row a chunk and the path of the report."""
    path = tmp_path / "合同.md"
    path.write_text(CONTRACT, encoding="utf-8")
    assert answer(["run", str(path), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "第二条 违约责任" in shown
    assert "general" in shown
    assert "report.html" in shown


def test_a_chunk_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``headworks explain ID`` tells where a chunk comes from and which rule routed it."""
    path, out = tmp_path / "a.md", tmp_path / "out"
    path.write_text(CONTRACT, encoding="utf-8")
    assert answer(["run", str(path), "--out", str(out), "-q"]) == 0
    first = json.loads((out / "a.md" / "chunks.jsonl").read_text("utf-8").splitlines()[0])
    capsys.readouterr()
    assert answer(["explain", first["id"][:10], "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert first["id"] in told
    assert first["route"]["rule"] in told


def test_the_outline_is_a_tree(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """``headworks outline`` draws zones and headings; --json gives the contract's outline."""
    path = tmp_path / "a.md"
    path.write_text(CONTRACT, encoding="utf-8")
    assert answer(["outline", str(path)]) == 0
    assert "─ 第二条 违约责任" in capfd.readouterr().out
    assert answer(["outline", str(path), "--json"]) == 0
    outline = json.loads(capfd.readouterr().out)["outline"]
    assert [heading["label"] for heading in outline if heading["label"]] == ["第一条", "第二条"]


def test_a_pack_that_does_not_compile_stops_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule pack with a fault is told with its place, exit 1, and nothing is written."""
    path, pack, out = tmp_path / "a.md", tmp_path / "bad.yaml", tmp_path / "out"
    path.write_text(CONTRACT, encoding="utf-8")
    pack.write_text(
        "pack: bad\nversion: 1.0.0\nrules:\n  - id: x\n    owner: t\n    phase: tag\n"
        "    when: 包函“违约金”\n    then: [标记为“X”]\n",
        encoding="utf-8",
    )
    assert answer(["run", str(path), "--rules", str(pack), "--out", str(out)]) == 1
    said = capsys.readouterr().err
    assert "bad.yaml" in said
    assert "E_RULES" in said
    assert not (out / "summary.json").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_ends_cleanly(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a run: exit 130, one sentence, no traceback, nothing half written."""
    top, out = tmp_path / "in", tmp_path / "out"
    top.mkdir()
    for number in range(60):
        (top / f"{number:02}.md").write_text(CONTRACT * 60, encoding="utf-8")
    code = "from headworks.cli.main import run; run()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "run", str(top), "--out", str(out), "--jobs", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    while process.poll() is None and not list(out.glob("[0-9]*")):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=30)[1].decode()
    assert process.returncode in (0, 130)  # it may have been through already
    assert "Traceback" not in said
    for made in out.glob("[0-9]*"):
        assert (made / "chunks.jsonl").stat().st_size > 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and names of POSIX")
def test_pipes_and_odd_names_hold_nothing_up(tmp_path: Path) -> None:
    """A named pipe is refused at once; a file whose name is not UTF-8 is a file like any."""
    top, out = os.fsencode(tmp_path / "in"), tmp_path / "out"
    os.mkdir(top)
    os.mkfifo(top + b"/pipe.docx")
    for name in (b"odd\xff.md", b"empty\xff.docx"):
        with open(top + b"/" + name, "wb") as file:
            file.write(CONTRACT.encode() if name.endswith(b".md") else b"")
    assert answer(["run", os.fsdecode(top), "--out", str(out), "-q"]) == 3
    summary = json.loads((out / "summary.json").read_bytes())
    assert sorted(failed["code"] for failed in summary["failed"]) == ["E_EMPTY", "E_TYPE"]
    assert len(summary["documents"]) == 1


def test_what_needs_a_person_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A chunk that a rule gives to a person is marked in the table and in its explanation."""
    pack = tmp_path / "pack.yaml"
    pack.write_text("rules:\n  - {id: a, rule: 金额大于10万元则转人工“大额”}\n", encoding="utf-8")
    (tmp_path / "a.md").write_text("# 合同\n\n合同总价为80万元。\n", encoding="utf-8")
    out = tmp_path / "out"
    assert answer(["run", str(tmp_path / "a.md"), "--rules", str(pack), "--out", str(out)]) == 0
    assert "（需人工）" in capsys.readouterr().out
    first = json.loads((out / "a.md" / "chunks.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert answer(["explain", first["id"], "--out", str(out)]) == 0
    assert "需人工：大额" in capsys.readouterr().out


def test_warnings_stand_above_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first warnings of a document are shown with their codes, without what is redacted."""
    pack = tmp_path / "pack.yaml"
    pack.write_text("rules:\n  - {id: a, rule: 包含手机号格式则脱敏}\n", encoding="utf-8")
    told = "# 合同\n\n电话13800138000。\n\n见附件九、附件八、附件七和附件六。"
    (tmp_path / "a.md").write_text(told, encoding="utf-8")
    out = tmp_path / "out"
    assert answer(["run", str(tmp_path / "a.md"), "--rules", str(pack), "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert shown.count("提示 W_REFERENCE") == 3
    assert "附件九" in shown
    assert "…另有 1 条提示" in shown
    assert "13800138000" not in shown


def test_a_document_without_text_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document that gives no chunk is told as such, not as an empty table."""
    path = build(tmp_path / "a.docx", "")
    assert answer(["run", str(path), "--out", str(tmp_path / "out")]) == 0
    assert "没有文字" in capsys.readouterr().out
