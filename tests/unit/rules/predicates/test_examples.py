"""Each predicate does what its own examples say."""

import pytest

from headworks.rules.compile import BUILTIN
from headworks.rules.predicates.base import Example, Predicate
from headworks.rules.syntax import Meets
from tests.build.rules import book_of, verdict_on

CASES = [
    (predicate, example, holds)
    for predicate in BUILTIN
    for examples, holds in ((predicate.holds, True), (predicate.fails, False))
    for example in examples
]


@pytest.mark.parametrize(
    ("predicate", "example", "holds"),
    CASES,
    ids=[f"{'' if holds else 'not '}{example.sentence}" for _, example, holds in CASES],
)
@pytest.mark.parametrize("prefilter", [True, False])
def test_example(predicate: Predicate, example: Example, holds: bool, prefilter: bool) -> None:
    """An example in the predicate's description holds, or fails, as it says."""
    quoted = example.sentence.replace("'", "''")
    others = example.context.get("elsewhere", [])
    corpus = "\ncorpus: other.index" if others else ""
    book = book_of(
        f"rules: [{{id: r, phase: route, when: '{quoted}', then: 标记为是}}]{corpus}",
        prefilter=prefilter,
        elsewhere=others,
    )
    tags = example.context.get("tags", [])
    if tags:
        book = book_of(
            f"rules: [{{id: t, when: 任意分片, then: 标记为{tags[0]}}},"
            f"{{id: r, phase: route, when: '{quoted}', then: 标记为是}}]",
            prefilter=prefilter,
        )
    verdict = verdict_on(book, example.text, example.context)
    assert ("是" in verdict.tags) == holds, predicate.meaning_en


def test_every_predicate_has_examples() -> None:
    """A predicate without an example has neither a test nor a page; extensions bring their own."""
    own = [predicate for predicate in BUILTIN if predicate.node is not Meets]
    assert all(predicate.holds for predicate in own)
