"""The promises of the cutting, on made-up documents. ``make``-able at length: see ``marathon``."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties.documents import made
from tests.properties.promises import hold


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(min_value=0, max_value=2**32))
def test_every_document_keeps_every_promise(seed: int) -> None:
    """Order, ceiling, whole clauses, tables and sentences, the ledger, equal runs, joins."""
    hold(made(seed))
