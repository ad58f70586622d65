"""Keys, roles and rates."""

from pathlib import Path

import pytest

from headworks.errors import ConfigError
from headworks.web.access import LOCAL, Caller, Key, Keys, Rates, require_keys


def _key(name: str, **more: object) -> Key:
    return Key(name=name, digest="", **more)  # type: ignore[arg-type]


def test_a_key_is_known_by_its_secret_alone(tmp_path: Path) -> None:
    """Only the secret opens, only as a bearer, and the file holds nothing of it."""
    keys = Keys(tmp_path)
    secret = keys.add(_key("office", role="read", client="甲"))
    keys.add(_key("other", role="admin"))
    caller = keys.caller(f"Bearer {secret}")
    assert caller is not None
    assert (caller.name, caller.role, caller.client) == ("office", "read", "甲")
    for header in (None, "", secret, f"Basic {secret}", f"Bearer {secret}x", "Bearer "):
        assert keys.caller(header) is None
    assert secret not in (tmp_path / "keys.json").read_text(encoding="utf-8")


def test_keys_are_read_by_nobody_else(tmp_path: Path) -> None:
    """The file belongs to its owner alone."""
    Keys(tmp_path).add(_key("office"))
    assert (tmp_path / "keys.json").stat().st_mode & 0o077 == 0


def test_a_key_taken_away_opens_nothing(tmp_path: Path) -> None:
    """Another process's change holds at once, and a wrong name names the right ones."""
    serving, asked = Keys(tmp_path), Keys(tmp_path)
    secret = asked.add(_key("office"))
    assert serving.caller(f"Bearer {secret}") is not None
    with pytest.raises(ConfigError, match="office"):
        asked.remove("offic")
    asked.remove("office")
    assert serving.caller(f"Bearer {secret}") is None


@pytest.mark.parametrize("name", ["", " ", "a\nb", "a" * 81])
def test_a_key_has_a_name_that_can_be_listed(tmp_path: Path, name: str) -> None:
    """Nothing that a terminal does not show, and nothing without an end."""
    keys = Keys(tmp_path)
    with pytest.raises(ConfigError, match="80"):
        keys.add(_key(name))
    assert not keys.all


def test_a_broken_file_opens_to_nobody(tmp_path: Path) -> None:
    """A file that cannot be read is a fault, and never the same as having no keys."""
    (tmp_path / "keys.json").write_text("[{", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"keys\.json"):
        Keys(tmp_path)


@pytest.mark.parametrize(
    ("role", "reads", "submits", "governs"),
    [("read", True, False, False), ("submit", True, True, False), ("admin", True, True, True)],
)
def test_roles_hold_each_other(role: str, reads: bool, submits: bool, governs: bool) -> None:
    """Whoever may send may read; whoever governs may both."""
    caller = Caller("x", role)  # type: ignore[arg-type]
    assert (caller.may("read"), caller.may("submit"), caller.may("admin")) == (
        reads,
        submits,
        governs,
    )


def test_a_key_carries_its_clients_and_its_urgency() -> None:
    """Documents of others are not seen, and nothing more urgent than allowed is asked for."""
    caller = Caller("x", "submit", "甲", ("甲",), "nearline")
    assert caller.sees("甲")
    assert not caller.sees("乙")
    assert caller.may_ask("offline")
    assert not caller.may_ask("interactive")
    assert LOCAL.sees("乙")


def test_rates_are_kept_by_the_key() -> None:
    """A minute's requests at once, then one as time goes, each key for itself."""
    now = [0.0]
    rates = Rates(60, lambda: now[0])
    first, second = Caller("a", "read"), Caller("b", "read", rate_per_minute=2)
    assert [rates.take(first) for _ in range(60)] == [0.0] * 60
    assert 0 < rates.take(first) <= 1
    assert [rates.take(second) for _ in range(2)] == [0.0, 0.0]
    assert 0 < rates.take(second) <= 30
    now[0] += 1
    assert rates.take(first) == 0.0
    assert rates.take(second) > 0


def test_without_a_key_only_this_machine_is_served(tmp_path: Path) -> None:
    """Listening beyond loopback without a key is refused, with what to do."""
    keys = Keys(tmp_path)
    require_keys("127.0.0.1", keys)
    with pytest.raises(ConfigError, match="headworks keys add"):
        require_keys("0.0.0.0", keys)
    keys.add(_key("office"))
    require_keys("0.0.0.0", keys)
