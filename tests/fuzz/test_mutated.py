"""Damaged files: each ends in a typed error or in a document that is accounted for."""

from pathlib import Path

from tests.fuzz.mutate import mutated
from tests.fuzz.run import run
from tests.fuzz.seeds import seeds


def test_damaged_files(root: Path) -> None:
    """Two hundred damaged files of all formats: none is a fault of the reader, none hangs."""
    found = run(0, 200, root)
    assert sum(found.values()) == 200
    assert found["read"] > 20
    assert not {"E_READER", "E_LEDGER", "E_TIMEOUT", "E_MEMORY"} & set(found)


def test_damage_is_repeatable(root: Path) -> None:
    """A number gives the same damage again, so that a finding can be looked into."""
    originals = seeds(root)
    for number in range(20):
        assert mutated(originals, number) == mutated(originals, number)
