"""From flags to settings: the file, the environment, then what the command line says.

Takes the values click parsed, gives ``Settings``. Never knows a default: ``config`` does.
"""

from pathlib import Path
from typing import Any

from headworks.config import ChunkSettings, Settings, load

_FILE = Path("headworks.toml")


def settings_from(flags: dict[str, Any], config: Path | None = None) -> Settings:
    """Give the settings; flags are named ``stage.key``, those that are none were not given."""
    # Zero is a value that was given, though it equals False.
    left_out = (None, False)
    given = {
        name: value
        for name, value in flags.items()
        if value != () and not any(value is one for one in left_out)
    }
    largest = given.get("chunk.max_chars")
    if largest is not None and "chunk.min_chars" not in given:
        # A small ceiling alone must not clash with the default floor.
        given["chunk.min_chars"] = min(largest, ChunkSettings().min_chars)
    path = config or (_FILE if _FILE.is_file() else None)
    return load(path, flags=given)
