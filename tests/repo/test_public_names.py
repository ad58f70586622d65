"""The public names: each can be had, none comes or goes unseen."""

import subprocess
import sys
from pathlib import Path

import pytest

import headworks

GOLDEN = Path(__file__).parent / "public_names.txt"


@pytest.mark.parametrize("name", sorted(headworks.PUBLIC))
def test_every_public_name_can_be_imported(name: str) -> None:
    """A name in the table is owned by the module that the table names, and says what it is."""
    assert getattr(headworks, name).__doc__


def test_public_names_are_the_recorded_ones() -> None:
    """A name is added or removed on purpose: the recorded list changes with it."""
    assert GOLDEN.read_text(encoding="utf-8").split() == sorted(headworks.PUBLIC)


def test_an_unknown_name_is_no_attribute() -> None:
    """A wrong name is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="nothing_of_ours"):
        _ = headworks.nothing_of_ours


def test_importing_the_package_imports_nothing_heavy() -> None:
    """``import headworks`` loads no reader and no third-party library."""
    probe = "import headworks, sys; print([m for m in sys.modules if m in sys.argv[1:]])"
    heavy = ["msgspec", "lxml", "pypdfium2", "re2", "ahocorasick_rs", "yaml"]
    done = subprocess.run(
        [sys.executable, "-c", probe, *heavy], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
