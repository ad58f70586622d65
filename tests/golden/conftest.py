"""Golden files: what was right once and is compared to the byte from then on.

``HEADWORKS_RENEW_GOLDEN=1`` (or ``make golden``) writes them anew: read the difference before
it is committed.
"""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

Check = Callable[[str, bytes], None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Check:
    """Give a function that compares content with a file beside the test."""
    folder = Path(request.path).parent

    def check(name: str, content: bytes) -> None:
        path = folder / name
        if "HEADWORKS_RENEW_GOLDEN" in os.environ:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        assert path.is_file(), f"{name} does not exist: renew the golden files"
        assert content.decode() == path.read_bytes().decode()

    return check
