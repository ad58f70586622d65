"""Typed values of a view, each recogniser run at most once a view.

Takes a view and a recogniser, gives values with places in the sheet. Never runs one unasked.
"""

from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities import Recognizer
from headworks.rules.view import View


def values_of(view: View, recognizer: Recognizer) -> tuple[Value, ...]:
    """Give the values of one kind, in order."""
    key = ("values", recognizer.name)
    known = view.cache.get(key)
    if isinstance(known, tuple):
        return known
    start = view.start
    found = tuple(
        Value(
            value.text,
            value.kind,
            value.value,
            Span(value.span.start + start, value.span.end + start),
        )
        for value in recognizer.find(view.text)
    )
    view.cache[key] = found
    return found
