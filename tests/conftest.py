"""Fixtures that every kind of test may ask for."""

import os
from pathlib import Path

import pytest

# Messages follow the user's locale: the tests' user is Chinese wherever they run.
os.environ["HEADWORKS_LANG"] = "zh"

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """Give the repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give ``../shared``, or skip where a checkout stands alone."""
    found = ROOT.parent / "shared"
    if not (found / "corpus" / "manifest.tsv").exists():
        pytest.skip("../shared is not here: the corpus is not part of the repository")
    return found


@pytest.fixture(scope="session")
def corpus(shared: Path) -> Path:
    """Give the folder of real documents."""
    return shared / "corpus"
