"""Typed values of a view, each recogniser run at most once a view.

Takes a view and a recogniser, gives values with places in the sheet. Never runs one unasked.
"""

from collections.abc import Sequence

from headworks.model.verdict import Value
from headworks.rules.entities import Recognizer
from headworks.rules.lines import all_lines, said_in
from headworks.rules.stretch import shifted
from headworks.rules.view import View

_MANY_LINES = 12


def values_of(view: View, recognizer: Recognizer) -> Sequence[Value]:
    """Give the values of one kind, in order.

    Where a value keeps within its line, the lines are asked: they may know already.
    """
    find = recognizer.find
    known: Sequence[Value] | None = view.stretch.kept.get(find)
    if known is not None:
        return known
    lines = all_lines(view) if recognizer.in_line else []
    if not lines or len(lines) > _MANY_LINES:
        return view.stretch.values(find)
    found = tuple(
        shifted(value, start)
        for start, end in lines
        for value in said_in(view, start, end).stretch.values(find)
    )
    view.stretch.kept[find] = found
    return found
