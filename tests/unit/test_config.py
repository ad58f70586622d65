import pytest

from headworks.config import load
from headworks.errors import ConfigError


@pytest.mark.parametrize("seconds", ["inf", "nan", "0", "-1", "1e12"])
def test_a_time_bound_is_a_time(seconds: str) -> None:
    """A time bound that no clock can keep is refused before a child is started with it."""
    with pytest.raises(ConfigError, match="timeout_seconds"):
        load(environment={"HEADWORKS_READ_TIMEOUT_SECONDS": seconds})


def test_a_ceiling_is_bounded() -> None:
    """A ceiling over what the cutting keeps a table for is refused; it would not come to an end."""
    assert load(environment={}, flags={"chunk.max_chars": 1_000_000}).chunk.max_chars == 1_000_000
    with pytest.raises(ConfigError, match="1000000"):
        load(environment={}, flags={"chunk.max_chars": 10**20})
