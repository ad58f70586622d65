"""The right side of a comparison in a rule: 50万元, 十字, 30天, 2024年1月1日, 百分之三十, 10kV.

Takes what the author wrote, gives a ``Quantity``, with a reason where it must not be used.
Never guesses between two readings.
"""

from headworks.model.folding import fold
from headworks.rules.entities.base import Quantity
from headworks.rules.entities.counts import parse_count
from headworks.rules.entities.dates import parse_date
from headworks.rules.entities.measures import parse_measure
from headworks.rules.entities.money import parse_amount
from headworks.rules.entities.periods import parse_period
from headworks.rules.entities.ratio import parse_percent

_PARSERS = (
    parse_date,
    parse_amount,
    parse_percent,
    parse_period,
    parse_measure,
    parse_count,
)


def parse_quantity(text: str) -> Quantity | None:
    """Give the quantity that the whole text writes, or None where it writes none."""
    folded = fold(text).strip()
    for parse in _PARSERS:
        quantity = parse(folded)
        if quantity is not None:
            return quantity
    return None
