"""Who is let in without a key, and when nobody is."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from headworks.config_service import ServiceSettings
from headworks.errors import HeadworksError
from headworks.web.access import Key, Keys
from headworks.web.guard import guarding


def _asked(keys: Keys, peer: str, **headers: str) -> str:
    """Give "in", or the code of the refusal."""
    scope: dict[str, Any] = {
        "type": "http",
        "path": "/v1/documents",
        "query_string": b"",
        "client": (peer, 5000),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "state": {},
    }

    async def inside(*_: Any) -> None:
        assert "caller" in scope["state"]

    guard = guarding(keys, ServiceSettings(), lambda: 0.0)(inside)  # type: ignore[arg-type]
    try:
        asyncio.run(guard(scope, None, None))  # type: ignore[arg-type]
    except HeadworksError as fault:
        return fault.code
    return "in"


@pytest.mark.parametrize(
    ("peer", "host", "told"),
    [
        ("127.0.0.1", "localhost:8750", "in"),
        ("127.0.0.1", "127.0.0.1:8750", "in"),
        ("::1", "[::1]:8750", "in"),
        ("::ffff:127.0.0.1", "localhost", "in"),
        ("10.0.0.7", "localhost", "E_KEY"),
        ("fe80::1", "127.0.0.1", "E_KEY"),
        ("127.0.0.1", "headworks.example", "E_KEY"),
        ("127.0.0.1", "", "E_KEY"),
    ],
)
def test_without_keys_only_this_machine_is_let_in(
    tmp_path: Path, peer: str, host: str, told: str
) -> None:
    """By where it comes from and by the name it asks for: a forged name is not enough."""
    assert _asked(Keys(tmp_path), peer, host=host) == told


def test_the_last_key_taken_away_opens_nothing_to_others(tmp_path: Path) -> None:
    """A service that listens to all the world stays closed when its last key is removed."""
    keys = Keys(tmp_path)
    secret = keys.add(Key(name="only", digest=""))
    assert _asked(keys, "10.0.0.7", host="x", authorization=f"Bearer {secret}") == "in"
    keys.remove("only")
    assert _asked(keys, "10.0.0.7", host="localhost") == "E_KEY"


def test_keys_that_cannot_be_looked_at_open_nothing(tmp_path: Path) -> None:
    """A file that cannot be read is a fault, not the same as no keys."""
    keys = Keys(tmp_path / "data")
    (tmp_path / "data").write_bytes(b"a file where the folder was")
    assert _asked(keys, "127.0.0.1", host="localhost") == "E_CONFIG"
