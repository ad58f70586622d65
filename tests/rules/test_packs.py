"""The packs that headworks ships: they compile without a complaint, and their examples hold."""

import pytest

from headworks.rules.book import open_pack, shipped_packs
from headworks.rules.examples import run_examples
from headworks.rules.loader import parse_pack
from tests.rules.pack_page import PAGE, page

PACKS = (
    "contract", "equipment", "finance", "furniture", "minutes", "power-safety", "privacy", "tender",
)  # fmt: skip


def test_all_are_shipped() -> None:
    """Exactly the documented packs are shipped."""
    assert sorted(shipped_packs()) == sorted(PACKS)


@pytest.mark.parametrize("name", PACKS)
def test_pack_compiles_without_a_complaint(name: str) -> None:
    """No shipped pack has an error or a warning."""
    assert [str(complaint) for complaint in open_pack(name).complaints] == []


@pytest.mark.parametrize("name", PACKS)
def test_examples_hold(name: str) -> None:
    """Every example of every rule gives what it says, with the values it says."""
    failed = [
        f"{result.rule}: {result.text}: {result.why}"
        for result in run_examples(open_pack(name))
        if not result.passed
    ]
    assert failed == []


@pytest.mark.parametrize("name", PACKS)
def test_every_rule_is_owned_titled_and_tested_both_ways(name: str) -> None:
    """Each rule has an owner, a title, an example that matches and a near miss that does not."""
    for rule in open_pack(name).rules:
        assert rule.owner, rule.id
        assert rule.title, rule.id
        assert {example.matches for example in rule.examples} == {True, False}, rule.id


def test_power_safety_has_its_27_checks() -> None:
    """The safety pack numbers its checks from 1 to 27."""
    titles = [rule.title.split(" ", 1)[0] for rule in open_pack("power-safety").rules]
    assert [title for title in titles if title.isdigit()] == [str(n) for n in range(1, 28)]


def test_page_is_up_to_date() -> None:
    """docs/packs.md is what ``make packs`` writes."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_an_example_without_a_place_stands_in_a_clause() -> None:
    """Authors need not say that an example's text is a clause."""
    text = """
pack: p
rules:
  - id: r
    when: 在条款中且包含“违约金”
    then: 标记为“风险”
    examples:
      should_match: [违约金为5%。]
      should_not_match:
        - {text: 违约金为5%。, context: {place: 封面}}
        - {text: 违约金, context: {kind: table}}
"""
    results = run_examples(parse_pack("p.yaml", text.encode()))
    assert [result.why for result in results if not result.passed] == []
