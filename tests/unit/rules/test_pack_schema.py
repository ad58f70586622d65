"""The JSON Schema of packs."""

from importlib import resources

import jsonschema
import pytest
import yaml

from headworks.rules.book import shipped_packs
from headworks.rules.pack_schema import pack_schema


@pytest.mark.parametrize("name", shipped_packs())
def test_shipped_packs_fit(name: str) -> None:
    """Every pack that comes with headworks fits the schema that editors use."""
    text = (resources.files("headworks.rules") / "packs" / f"{name}.yaml").read_text("utf-8")
    jsonschema.validate(yaml.safe_load(text), pack_schema())


@pytest.mark.parametrize(
    "text", ["rules: [{id: a, wen: x}]", "layer: orgg", "rules: [{id: a, priority: 高}]"]
)
def test_faults_do_not_fit(text: str) -> None:
    """What the loader refuses for its keys, the schema refuses too."""
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(text), pack_schema())
