"""Statements for both engines, and the walk of the embedded one."""

import sqlite3

import pytest

from headworks.store.database import Engine
from headworks.store.postgres import _numbered
from headworks.store.tables import statements

# What is asked all the time, and the index it must be answered from however many jobs wait.
WALKS = {
    "jobs_ready": "SELECT ticket FROM jobs WHERE kind = ? AND target = ? AND level = ? AND"
    " client = ? AND state = 'waiting' AND gate = '' ORDER BY size, ticket LIMIT 2",
    "jobs_later": "SELECT ticket FROM jobs WHERE state = 'waiting' AND gate = 'later'"
    " AND not_before <= ? LIMIT 1",
    "jobs_leased": "SELECT ticket FROM jobs WHERE state = 'running' AND lease_until < ?"
    " ORDER BY lease_until LIMIT 500",
    "jobs_aged": "SELECT COUNT(*) AS jobs FROM jobs WHERE state = 'waiting' AND aged > 0",
    "jobs_standing": "SELECT ticket FROM jobs WHERE state IN ('waiting', 'running', 'failed')"
    " AND state = 'waiting' AND gate = '' AND raised <= ? AND kind = ? AND level = ? AND aged = 0"
    " ORDER BY raised LIMIT 16",
}


@pytest.mark.parametrize("index", sorted(WALKS))
def test_nothing_is_searched_for_by_looking_at_all(index: str) -> None:
    """Each frequent question walks its own index, in its order, without sorting."""
    raw = sqlite3.connect(":memory:")
    for statement in statements("sqlite"):
        raw.execute(statement)
    walk = WALKS[index]
    plan = raw.execute(f"EXPLAIN QUERY PLAN {walk}", (1,) * walk.count("?")).fetchall()
    assert [index in row[3] and "SCAN" not in row[3] for row in plan] == [True]


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_the_engines_have_the_same_tables(engine: Engine) -> None:
    """Names and columns are those of the other engine; only types of numbers differ."""
    there = [line for line in statements(engine) if line.strip().startswith("CREATE")]
    assert len(there) == len([s for s in statements("sqlite") if s.strip().startswith("CREATE")])
    assert not any("{" in statement for statement in statements(engine) if "{}" not in statement)


def test_values_are_numbered_in_order() -> None:
    """``?`` becomes $1, $2 and so on; a statement without values stays."""
    assert _numbered("SELECT 1") == "SELECT 1"
    assert _numbered("a = ? AND b = ? LIMIT ?") == "a = $1 AND b = $2 LIMIT $3"
