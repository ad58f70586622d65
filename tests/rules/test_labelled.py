"""The shipped packs over the labelled clauses: no near miss fires, next to nothing is missed."""

import pytest

from tests.rules.score import labelled_packs, read, score


def test_the_set_is_large_and_half_of_it_must_not_fire() -> None:
    """There are at least 400 clauses, and at least 45 % of them fire nothing."""
    clauses = [clause for pack in labelled_packs() for clause in read(pack)]
    assert len(clauses) >= 400
    assert sum(1 for clause in clauses if not clause.expected) >= 0.45 * len(clauses)
    assert len({clause.text for clause in clauses}) == len(clauses)


@pytest.mark.parametrize("pack", labelled_packs())
def test_precision_and_recall(pack: str) -> None:
    """No near miss fires; precision and recall are 0.97 or better."""
    result = score(pack)
    assert result.near_fired == ()
    assert result.precision >= 0.97, result.wrong
    assert result.recall >= 0.97, result.missed
