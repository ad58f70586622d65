import json
from pathlib import Path

import pytest

from headworks.cli.main import answer

PACK = """
pack: demo
version: 1.0.0
rules:
  - id: penalty
    owner: 法务部
    phase: tag
    when: 包含“违约金”
    then: [标记为“RISK”]
    examples:
      should_match: [违约金为10%。]
      should_not_match: [{wrong}]
  - id: legal
    owner: 法务部
    phase: route
    when: 标签为“RISK”
    then: 进入“{pipeline}”管线
"""
TEXT = "# 合同\n\n## 第一条 货物\n\n供应设备。\n\n## 第二条 责任\n\n违约金为合同总额的10%。\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a folder with a document, a sound pack, one with a wrong example, one that is broken."""
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    sound = PACK.replace("{wrong}", "保证金为5%。").replace("{pipeline}", "legal-review")
    (tmp_path / "sound.yaml").write_text(sound, encoding="utf-8")
    other = PACK.replace("{wrong}", "违约金另议。").replace("{pipeline}", "risk-desk")
    (tmp_path / "other.yaml").write_text(other, encoding="utf-8")
    (tmp_path / "broken.yaml").write_text(sound.replace("包含", "包函"), encoding="utf-8")
    return tmp_path


def test_a_sound_pack_passes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """check and test are exit 0 where nothing is wrong."""
    assert answer(["rules", "check", str(folder / "sound.yaml"), "contract", "finance"]) == 0
    assert answer(["rules", "test", str(folder / "sound.yaml")]) == 0
    assert "0" in capsys.readouterr().out


def test_a_broken_pack_is_told_with_its_place(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """check names file, line and column, and is exit 1; --json gives the same to an editor."""
    assert answer(["rules", "check", str(folder / "broken.yaml")]) == 1
    assert "broken.yaml:8:" in capfd.readouterr().out
    assert answer(["rules", "check", "--json", str(folder / "broken.yaml")]) == 1
    complaint = json.loads(capfd.readouterr().out)[0]
    assert (complaint["severity"], complaint["line"]) == ("error", 8)
    assert answer(["rules", "test", str(folder / "broken.yaml")]) == 1


def test_a_wrong_example_fails(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """test is exit 1 where an example does not come out, and shows it."""
    assert answer(["rules", "test", str(folder / "other.yaml")]) == 1
    assert "违约金另议" in capsys.readouterr().out


def test_decisions_are_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """explain shows the rule behind a route, and why another rule did not fire."""
    arguments = ["rules", "explain", str(folder / "sound.yaml"), str(folder / "a.md")]
    assert answer(arguments) == 0
    told = capsys.readouterr().out
    assert "legal-review ← demo/legal" in told
    assert answer([*arguments, "--rule", "penalty"]) == 0
    assert "包含“违约金”" in capsys.readouterr().out
    assert answer([*arguments, "--chunk", "99"]) == 2


def test_rules_are_printed_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """fmt prints each rule as one canonical sentence, in either language."""
    assert answer(["rules", "fmt", str(folder / "sound.yaml"), "--language", "zh"]) == 0
    assert "如果包含“违约金”，则标记为“RISK”。" in capsys.readouterr().out
    assert answer(["rules", "fmt", str(folder / "sound.yaml"), "--language", "en"]) == 0
    assert capsys.readouterr().out.splitlines()[1].strip().startswith("if ")


def test_hits_are_counted_and_packs_compared(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """stats counts a rule's chunks; diff names the chunks that another pack sends elsewhere."""
    assert answer(["rules", "stats", str(folder / "sound.yaml"), str(folder / "a.md")]) == 0
    assert "demo/penalty" in capsys.readouterr().out
    packs = [str(folder / "sound.yaml"), str(folder / "other.yaml")]
    assert answer(["rules", "diff", *packs, str(folder / "a.md")]) == 0
    told = capsys.readouterr().out
    assert "- legal-review [RISK]" in told
    assert "+ risk-desk [RISK]" in told


def test_an_unknown_pack_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    """A pack that there is not is E_RULES, with the nearest name."""
    assert answer(["rules", "check", "contrat"]) == 1
    assert "contract" in capsys.readouterr().err


def test_files_that_fail_show_in_the_exit_code(tmp_path: Path) -> None:
    """stats and diff end with 3 where some files failed, with 4 where all did."""
    (tmp_path / "a.md").write_text("# 合同\n\n违约金为5%。\n", encoding="utf-8")
    (tmp_path / "b.docx").write_bytes(b"")
    good, bad = str(tmp_path / "a.md"), str(tmp_path / "b.docx")
    for verb in (["stats", "contract"], ["diff", "contract", "finance"]):
        assert answer(["rules", *verb, good]) == 0
        assert answer(["rules", *verb, good, bad]) == 3
        assert answer(["rules", *verb, bad]) == 4


def test_a_broken_pack_is_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """fmt tells the fault of a pack that does not compile; it does not print a part of it."""
    pack = tmp_path / "a.yaml"
    pack.write_text("rules:\n  - {id: a, rule: 包涵“甲”则跳过}\n", encoding="utf-8")
    assert answer(["rules", "fmt", str(pack)]) == 1
    said = capsys.readouterr()
    assert not said.out
    assert "E_RULES" in said.err


def test_an_index_of_other_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """boilerplate writes an index that a pack may name; the order of the files is all one."""
    (folder / "b.md").write_text(TEXT.replace("供应设备", "供应材料"), encoding="utf-8")
    files = [str(folder / "a.md"), str(folder / "b.md")]
    one, other = folder / "one.index", folder / "other.index"
    assert answer(["rules", "boilerplate", *files, "-o", str(one)]) == 0
    assert answer(["rules", "boilerplate", *files[::-1], "-o", str(other)]) == 0
    assert one.read_bytes() == other.read_bytes()
    (folder / "own.yaml").write_text(
        "pack: own\ncorpus: one.index\n"
        "rules: [{id: r, when: 在其他文件中出现过, then: 标记为“样板”}]\n",
        encoding="utf-8",
    )
    capsys.readouterr()
    assert answer(["rules", "explain", str(folder / "own.yaml"), files[0], "--all"]) == 0
    shown = capsys.readouterr().out
    assert "[样板]" in shown
    assert "1个文件" in shown
    one.unlink()
    assert answer(["rules", "check", str(folder / "own.yaml")]) == 1
    assert "E413" in capsys.readouterr().out


def test_a_fallback_is_no_overlap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Rules that fire together are told; that a pack's fallback decided beside one is not."""
    pack = tmp_path / "pack.yaml"
    pack.write_text(
        "pack: demo\nversion: 1.0.0\nfallback: general\nrules:\n"
        "  - {id: a, when: 包含“设备”, then: 标记为“甲”}\n"
        "  - {id: b, when: 包含“供应”, then: 标记为“乙”}\n",
        encoding="utf-8",
    )
    (tmp_path / "a.md").write_text(TEXT, encoding="utf-8")
    assert answer(["rules", "stats", str(pack), str(tmp_path / "a.md")]) == 0
    told = capsys.readouterr().out
    assert "重叠 demo/a & demo/b" in told
    assert "fallback" not in told
