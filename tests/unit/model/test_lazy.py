"""Patterns compiled when first asked."""

import re

import pytest

from headworks.model.lazy import lazy


def test_it_answers_like_the_compiled_one() -> None:
    """Every method and attribute is that of the compiled pattern."""
    pattern, plain = lazy(r"(?P<n>[0-9]+)元"), re.compile(r"(?P<n>[0-9]+)元")
    text = "5元和60元"
    assert [m.span() for m in pattern.finditer(text)] == [m.span() for m in plain.finditer(text)]
    assert pattern.findall(text) == plain.findall(text)
    assert pattern.groupindex == plain.groupindex
    assert pattern.search(text) is not None


def test_a_wrong_pattern_is_told_at_the_first_look() -> None:
    """Making it costs nothing and checks nothing."""
    wrong = lazy("(")
    with pytest.raises(re.error):
        wrong.search("x")
