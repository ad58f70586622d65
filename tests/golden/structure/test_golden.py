"""Whole documents: zones, outline and references as they were agreed on.

Each ``*.txt`` beside this file holds lines (see ``tests/build/lines.py``), a line ``---``, and what
is expected of them.
"""

from pathlib import Path

import pytest

from headworks.config import StructureSettings
from headworks.structure.passes import structure
from tests.build.lines import read_lines

CASES = sorted(Path(__file__).parent.glob("*.txt"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_golden(case: Path) -> None:
    """The document is understood as its case says."""
    lines, _, expected = case.read_text(encoding="utf-8").partition("\n---\n")
    document = structure(read_lines(lines), StructureSettings())

    shown = [f"ZONE {zone.kind} {zone.name or ''}".rstrip() for zone in document.zones]
    shown += [f"{'  ' * h.level}{h.level} {h.text}" for h in document.headings]
    shown += [f"REF {ref.text} {ref.status} {ref.target}" for ref in document.refs]
    assert shown == expected.rstrip("\n").split("\n")
