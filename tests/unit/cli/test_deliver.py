import json
from pathlib import Path

import msgspec
import pytest

from headworks.assembly.answer_records import AnswerRecord
from headworks.assembly.shapes import SummaryRecord
from headworks.cli.main import answer
from headworks.privacy.vault import KEY_VARIABLE, new_key

TEXT = (
    "设备采购合同\n第一条 付款\n甲方应在30日内支付合同总价100万元。"
    "联系人身份证号11010519491231002X。\n"
    "第二条 违约责任\n乙方逾期交货的，违约金为合同总额的10%，但最高不超过50万元。\n"
)


@pytest.fixture(autouse=True)
def chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak Chinese wherever the tests run."""
    monkeypatch.setenv("HEADWORKS_LANG", "zh")


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """Give a small contract and settings with the built-in target beside it."""
    (tmp_path / "headworks.toml").write_text('[delivery]\nfallback = "extract"\n', encoding="utf-8")
    path = tmp_path / "合同.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def _run(path: Path, *more: str) -> int:
    out, config = path.parent / "out", path.parent / "headworks.toml"
    return answer(
        ["run", str(path), "--out", str(out), "--rules", "contract", "--config", str(config),
         "--jobs", "1", "--no-report", *more]
    )  # fmt: skip


def _answer(path: Path) -> AnswerRecord:
    file = path.parent / "out" / path.name / "answer.json"
    return msgspec.json.decode(file.read_bytes(), type=AnswerRecord)


def test_one_flag_gives_an_answer_with_its_trace(
    contract: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files beside the results, the costs in the summary and on the terminal."""
    assert _run(contract, "--deliver") == 0
    folder = contract.parent / "out" / contract.name
    for name in ("answer.json", "answer.md", "trace.json", "trace.html"):
        assert (folder / name).is_file()
    told = capsys.readouterr().out
    assert "trace.html" in told
    assert "不用规则要" in told
    summary = json.loads((contract.parent / "out" / "summary.json").read_bytes())
    assert summary["delivery"]["spent"]["calls"] == len(_answer(contract).answers)
    assert "delivery" in SummaryRecord.__struct_fields__


def test_without_the_flag_nothing_of_it_is_written(contract: Path) -> None:
    """A plain run keeps no document for assembly, no store and no answer."""
    assert _run(contract) == 0
    names = {path.name for path in (contract.parent / "out" / contract.name).iterdir()}
    assert names == {"document.json", "text.txt", "chunks.jsonl", "ledger.jsonl"}
    assert not (contract.parent / "out" / ".headworks").exists()


def test_without_a_target_it_says_how_to_have_one(
    contract: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing leaves; the settings that would let it are shown; rules' values are the answer."""
    (contract.parent / "headworks.toml").write_text("", encoding="utf-8")
    assert _run(contract, "--deliver") == 0
    told = capsys.readouterr()
    assert "[targets.local]" in told.err
    assert "docs/delivery.md" in told.err
    assert "不用规则要" not in told.out
    assert "比例" in {value.name for value in _answer(contract).values}


def test_what_has_no_answer_is_exit_3(contract: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A server that is not there: the chunks without an answer are told, the rest is written."""
    (contract.parent / "headworks.toml").write_text(
        '[targets.local]\nkind = "chat"\nurl = "http://127.0.0.1:9/v1"\nmodel = "m"\n'
        '[delivery]\nfallback = "local"\nattempts = 1\nretry_seconds = 0.01\n',
        encoding="utf-8",
    )
    assert _run(contract, "--deliver", "-q") == 3
    assert "还没有答案" in capsys.readouterr().err
    assert not _answer(contract).complete
    assert "E\\_TARGET" in (contract.parent / "out" / contract.name / "answer.md").read_text(
        "utf-8"
    )


def test_a_wrong_prompt_is_told_before_anything_is_sent(
    contract: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 2, with the name of the prompt."""
    (contract.parent / "headworks.toml").write_text(
        '[targets.local]\nkind = "chat"\nurl = "http://127.0.0.1:9/v1"\n'
        '[pipelines.general]\ntarget = "local"\nprompt = "no-such-prompt"\n',
        encoding="utf-8",
    )
    assert _run(contract, "--deliver", "-q") == 2
    assert "no-such-prompt" in capsys.readouterr().err


def test_originals_come_back_only_beside_the_vault(
    contract: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--restored`` needs the vault and its key; the plain answer never holds an original."""
    monkeypatch.setenv(KEY_VARIABLE, new_key())
    vault = contract.parent / "vault"
    assert _run(contract, "--deliver", "--restored") == 2
    more = ("--rules", "privacy", "--vault", str(vault), "--deliver", "--restored", "-q")
    assert _run(contract, *more) == 0
    folder = contract.parent / "out" / contract.name
    assert "11010519491231002X" not in (folder / "answer.md").read_text("utf-8")
    assert "11010519491231002X" in (folder / "answer.restored.md").read_text("utf-8")
    for name in ("trace.html", "trace.json", "answer.json"):
        assert b"11010519491231002X" not in (folder / name).read_bytes()
