from pathlib import Path

import msgspec
import pytest

from headworks.config import Settings
from headworks.config_delivery import PipelineSettings, TargetSettings

_TABLES = {
    field.name: field.type
    for field in msgspec.structs.fields(Settings)
    if isinstance(field.type, type) and issubclass(field.type, msgspec.Struct)
} | {"targets.NAME": TargetSettings, "pipelines.NAME": PipelineSettings}


@pytest.mark.parametrize("table", sorted(_TABLES))
def test_every_setting_is_described(table: str, root: Path) -> None:
    """docs/settings.md has each key of each table of ``headworks.toml``."""
    page = (root / "docs" / "settings.md").read_text(encoding="utf-8")
    _, found, rest = page.partition(f"## `[{table}]`")
    assert found
    part = rest.partition("\n## ")[0]
    names = [field.name for field in msgspec.structs.fields(_TABLES[table])]
    assert [name for name in names if f"`{name}`" not in part] == []
