import pytest

from headworks.cli.main import answer
from headworks.codes import CODES


@pytest.mark.parametrize("name", sorted(CODES))
def test_every_code_is_explained(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """``headworks explain CODE`` says what it means and what to do, in any case of letters."""
    assert answer(["explain", name.lower()]) == 0
    told = capsys.readouterr().out
    assert told.startswith(name)
    assert CODES[name].hint_zh in told or CODES[name].hint_en in told


def test_codes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an argument all codes are listed."""
    assert answer(["explain"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(CODES)


def test_an_unknown_code_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """What is neither a code nor a chunk is exit 2."""
    assert answer(["explain", "E_NOTHING"]) == 2
    assert "E_NOTHING" in capsys.readouterr().err
