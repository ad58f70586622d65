"""Personal data as typed entities of the rule language.

Takes the recognisers of ``privacy``, gives ``PERSONAL``: the same ones with their value masked, so
that a hit can be shown and written. Never lets a whole number into ``Value.value`` or ``text``.
"""

from collections.abc import Callable

from headworks.model.verdict import Value
from headworks.privacy.recognizers import DETECTORS, Detector
from headworks.rules.entities.base import Recognizer

# As long as a name is: its first and last character would tell it.
_NAME = 4


def masked(plain: str) -> str:
    """Show the first and last two characters of a value and hide the rest; of a name the first."""
    if len(plain) <= _NAME:
        return plain[:1] + "*" * max(1, len(plain) - 1)
    keep = 2 if len(plain) > 6 else 1
    return plain[:keep] + "*" * max(1, len(plain) - 2 * keep) + plain[-keep:]


def _masking(detector: Detector) -> Callable[[str], list[Value]]:
    def find(text: str) -> list[Value]:
        return [
            Value(masked(value.value), value.kind, masked(value.value), value.span)
            for value in detector.find(text)
        ]

    return find


PERSONAL = tuple(
    Recognizer(
        detector.name,
        detector.zh,
        (),
        _masking(detector),
        detector.aliases,
        personal=True,
    )
    for detector in dict.fromkeys(DETECTORS.values())
)
