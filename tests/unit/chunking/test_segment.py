"""The optimum is the optimum: no set of cuts costs less."""

from itertools import pairwise, product
from random import Random

import pytest

from headworks.chunking.boundaries import Boundaries
from headworks.chunking.left_out import left_out
from headworks.chunking.limits import Limits
from headworks.chunking.measure import Measure
from headworks.chunking.segment import Optimum, cost_of
from headworks.chunking.units import Units
from headworks.config import ChunkSettings
from tests.build.document import build

Runs = list[tuple[int, int]]


def _lines(random: Random) -> str:
    forms = ["{}", "{}", "# {}", "## {}", "### {}", "（一）{}", "! {}"]
    return "\n".join(random.choice(forms).format("甲" * random.randint(1, 30)) for _ in range(9))


@pytest.mark.parametrize("seed", range(40))
def test_no_other_cuts_cost_less(seed: int) -> None:
    """Against every possible choice of cuts in a small document, the cost is the least."""
    random = Random(seed)
    settings = ChunkSettings(
        max_chars=random.choice([31, 50, 90]), min_chars=random.choice([0, 10, 30])
    )
    document = build(_lines(random), profile="general")
    out = left_out(document, settings)
    limits = Limits(document, settings)
    units = Units(document, out, [], limits).run()
    measure = Measure(document.text, units, out, limits)
    boundaries = Boundaries(document, units, measure)
    optimum = Optimum(boundaries, settings)
    last = len(units) - 1
    best = min(
        cost
        for choice in product([False, True], repeat=last)
        if (cost := cost_of(boundaries, settings, _runs(choice))) is not None
    )
    found = cost_of(boundaries, settings, optimum.solve(0, last))
    assert found == pytest.approx(best)


def _runs(choice: tuple[bool, ...]) -> Runs:
    edges = [0, *(index + 1 for index, cut in enumerate(choice) if cut), len(choice) + 1]
    return [(a, b - 1) for a, b in pairwise(edges)]
