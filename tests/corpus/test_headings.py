"""Outlines of the labelled documents."""

import runpy
from pathlib import Path

import pytest


@pytest.mark.corpus
def test_headings_of_labelled_documents(root: Path, corpus: Path) -> None:
    """Precision and recall of headings over all labels are at least 99.8 %."""
    script = runpy.run_path(str(root / "benchmarks" / "headings.py"))
    hits = wanted = found = 0
    for path, want in script["pairs"](corpus, ()):
        got = script["_outline"](path)
        missed, _ = script["_compare"](want, got)
        hits, wanted, found = hits + len(want) - len(missed), wanted + len(want), found + len(got)

    assert hits / found >= 0.998
    assert hits / wanted >= 0.998
