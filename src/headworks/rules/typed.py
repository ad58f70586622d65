"""Typed values of a view, each recogniser run at most once a view.

Takes a view and a recogniser, gives values with places in the sheet. Never runs one unasked.
"""

from headworks.model.verdict import Value
from headworks.rules.entities import Recognizer
from headworks.rules.view import View


def values_of(view: View, recognizer: Recognizer) -> tuple[Value, ...]:
    """Give the values of one kind, in order."""
    return view.stretch.values(recognizer.find)
