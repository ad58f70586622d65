"""The time that recognition may take."""

from headworks.readers.ocr.budget import Budget


def test_it_stops_before_the_bound() -> None:
    """Pages are taken on while the longest so far would still fit, with time left for the rest."""
    now = [0.0]
    budget = Budget(60.0, lambda: now[0])
    pages = 0
    while budget.allows():
        with budget.step():
            now[0] += 4.0
        pages += 1
    assert now[0] <= 55.2
    assert pages == 13


def test_a_short_bound_allows_nothing() -> None:
    """Where not even one page fits none is begun."""
    assert not Budget(3.0, lambda: 0.0).allows()
