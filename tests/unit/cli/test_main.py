import os
import subprocess
import sys
from pathlib import Path

import pytest

from headworks.cli.main import VERBS, answer

CLI = [sys.executable, "-c", "from headworks.cli.main import run; run()"]


def _cli(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HEADWORKS")}
    return subprocess.run(
        [*CLI, *arguments], capture_output=True, env={**kept, **environment}, check=False
    )


@pytest.mark.parametrize("verb", [*VERBS, ""])
def test_help_comes_in_both_languages(verb: str) -> None:
    """Each verb has help in Chinese and in English, by HEADWORKS_LANG."""
    arguments = [verb, "--help"] if verb else ["--help"]
    chinese = _cli(*arguments, HEADWORKS_LANG="zh").stdout.decode()
    english = _cli(*arguments, HEADWORKS_LANG="en").stdout.decode()
    assert chinese.startswith("用法：headworks")
    assert english.startswith("Usage: headworks")
    assert english.isascii()
    assert "--help" in chinese


@pytest.mark.parametrize("words", ["run", "serve", "worker", "restore", "keys add"])
def test_chinese_help_has_no_english_notes(words: str) -> None:
    """What click adds to an option, its range or that it is required, is Chinese, too."""
    told = _cli(*words.split(), "--help", HEADWORKS_LANG="zh").stdout.decode()
    assert not any(word in told for word in ("required", "x>", "INTEGER", "RANGE"))


def test_a_wrong_option_names_a_near_one_or_none() -> None:
    """An option is suggested where it is near, not because both begin with dashes."""
    near = _cli("run", "a", "--maxchars", "3", HEADWORKS_LANG="zh").stderr.decode()
    assert "是不是 --max-chars？" in near
    far = _cli("run", "a", "--bogus", HEADWORKS_LANG="zh").stderr.decode()
    assert "没有选项 --bogus\n" in far
    assert "did you mean" not in _cli("run", "a", "--bogus", HEADWORKS_LANG="en").stderr.decode()


def test_help_imports_no_reader() -> None:
    """Listing the verbs imports none of them: no reader, no rule engine, no pipeline."""
    script = (
        "import sys\nfrom headworks.cli.main import answer\nanswer(['--help'])\n"
        "heavy = ('lxml', 'pypdfium2', 're2', 'yaml', 'headworks.pipeline')\n"
        "sys.exit(','.join(name for name in heavy if name in sys.modules) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("encoding", ["gbk", "ascii", "latin-1", "cp437"])
def test_no_console_makes_it_fail(encoding: str, tmp_path: Path) -> None:
    """B056: a console without a character shows another; nothing raises, files stay UTF-8."""
    path = tmp_path / "价目•\u2009😀.md"
    path.write_text("# 标题•\u2009😀\n\n正文 emoji 😀。\n", encoding="utf-8")
    out = tmp_path / "out"
    done = _cli("run", str(path), "--out", str(out), PYTHONIOENCODING=encoding, LANG="C")
    assert done.returncode == 0, done.stderr
    assert "😀" in (out / path.name / "text.txt").read_text(encoding="utf-8")
    for verb in ("outline", "doctor"):
        arguments = [verb, str(path)] if verb == "outline" else [verb]
        assert b"UnicodeEncodeError" not in _cli(*arguments, PYTHONIOENCODING=encoding).stderr


def test_wrong_usage_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown verb, an unknown option, a missing argument and a bad value are exit 2."""
    for arguments in (["fly"], ["run"], ["run", "--fast", "x"], ["run", "x", "--jobs", "0"], []):
        assert answer(arguments) == 2
    assert "headworks run --help" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["rnu"], "没有命令 rnu，是不是 run？"),
        (["run", "x", "--rule", "y"], "没有选项 --rule，是不是 --rules？"),
        (["run"], "缺少 PATH..."),
        (["run", "x", "--jobs", "abc"], "--jobs 的值不对"),
    ],
)
def test_misuse_is_told_in_chinese(arguments: list[str], wanted: str) -> None:
    """What is wrong with a call is told in the user's language, with the nearest known word."""
    assert wanted in _cli(*arguments, HEADWORKS_LANG="zh").stderr.decode()


def test_a_bad_setting_is_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown key, profile or tokenizer is refused before anything is read."""
    config = tmp_path / "headworks.toml"
    config.write_text("[chunk]\nmax_char = 5\n", encoding="utf-8")
    assert answer(["run", str(config), "--config", str(config), "--out", str(tmp_path / "o")]) == 2
    assert "max_chars" in capsys.readouterr().err
    for option in ("--profile", "--tokens"):
        assert answer(["run", str(config), option, "nonsense", "--out", str(tmp_path / "o")]) == 2
        assert "nonsense" in capsys.readouterr().err


def test_a_fault_of_our_own_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception that nobody foresaw is E_FAULT and no traceback, unless one is asked for."""

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("headworks.service.ask.outlined", fails)
    assert answer(["outline", str(tmp_path)]) == 3
    said = capsys.readouterr().err
    assert "E_FAULT" in said
    assert "Traceback" not in said
    monkeypatch.setenv("HEADWORKS_DEBUG", "1")
    answer(["outline", str(tmp_path)])
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_a_reader_that_leaves_is_no_fault(tmp_path: Path) -> None:
    """``headworks … | head -1`` ends in silence, with exit 0."""
    path = tmp_path / "a.md"
    path.write_text("# 标题\n\n正文。\n", encoding="utf-8")
    arguments = ["run", str(path), "--out", str(tmp_path / "out")]
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([*CLI, *arguments], stdout=theirs, stderr=subprocess.PIPE, check=False)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_version_is_told() -> None:
    """``--version`` names program and version."""
    assert _cli("--version").stdout.startswith(b"headworks ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device on this system")
def test_a_full_output_is_e_io() -> None:
    """Where standard output takes no more, that is E_IO in a sentence and no fault of headworks."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*CLI, "schema", "chunk"], stdout=full, stderr=-1, check=False)
    assert done.returncode == 3
    assert b"[E_IO]" in done.stderr
    assert b"E_FAULT" not in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["run", ""], ["run", "a.md", "--out", ""], ["outline", ""]])
def test_an_empty_path_is_misuse(arguments: list[str]) -> None:
    """An empty path, as a variable that was not set leaves it, is not the folder one is in."""
    assert answer(arguments) == 2
