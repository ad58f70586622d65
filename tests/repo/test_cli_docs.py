from pathlib import Path

import click
import pytest

from headworks.assembly.shapes import ChunkRecord, SummaryRecord
from headworks.cli.main import VERBS, main
from headworks.cli.run import run


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_is_described(verb: str, root: Path) -> None:
    """docs/cli.md names each verb of the program."""
    assert f"headworks {verb}" in (root / "docs" / "cli.md").read_text(encoding="utf-8")


def test_every_option_of_run_is_described(root: Path) -> None:
    """docs/cli.md names each option of ``run`` that its help names."""
    described = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    options = [param for param in run.params if isinstance(param, click.Option)]
    assert [
        one.opts for one in options if not any(f"`{opt}" in described for opt in one.opts)
    ] == []


def test_every_verb_of_rules_is_described(root: Path) -> None:
    """docs/cli.md names what can be done with rule packs."""
    described = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    rules = main.get_command(click.Context(main), "rules")
    assert isinstance(rules, click.Group)
    verbs = rules.list_commands(click.Context(rules))
    assert [verb for verb in verbs if f"headworks rules {verb}" not in described] == []


def test_every_field_of_a_chunk_is_described(root: Path) -> None:
    """docs/output.md names each key of a chunk that contract.md does not explain by itself."""
    described = (root / "docs" / "output.md").read_text(encoding="utf-8")
    plain = {"document", "ordinal", "kind", "zone", "chars", "tokens", "previous", "next"}
    fields = set(ChunkRecord.__struct_fields__) - plain
    fields = {field for field in fields if not field.startswith("has_")}
    assert sorted(field for field in fields if f"`{field}`" not in described) == []
    counted = [field for field in SummaryRecord.__struct_fields__ if field.startswith("by_")]
    assert [field for field in counted if f"`{field}`" not in described] == []
