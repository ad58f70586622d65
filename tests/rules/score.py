"""Precision and recall of the shipped packs over the labelled clauses.

Takes ``labelled/<pack>.tsv`` (rule ids that must fire, the rule it is a near miss of, the text),
prints a line a pack; ``-v`` every difference. Never counts skip, merge and route rules.
"""

import csv
import sys
from pathlib import Path

import msgspec

from headworks.config import RuleSettings
from headworks.rules.book import RuleBook, open_pack, shipped_packs
from headworks.rules.examples import fired_in, view_of
from headworks.rules.pack import PackExample

FOLDER = Path(__file__).parent / "labelled"


class Clause(msgspec.Struct, frozen=True):
    """A labelled text."""

    expected: frozenset[str]
    near_miss_of: str
    text: str


class Score(msgspec.Struct, frozen=True):
    """What a pack made of its clauses; the lists hold (rule, text)."""

    pack: str
    clauses: int
    near_misses: int
    right: int
    wrong: tuple[tuple[str, str], ...]
    missed: tuple[tuple[str, str], ...]
    near_fired: tuple[tuple[str, str], ...]

    @property
    def precision(self) -> float:
        """The share of firings that are right."""
        return self.right / max(1, self.right + len(self.wrong))

    @property
    def recall(self) -> float:
        """The share of expected firings that happened."""
        return self.right / max(1, self.right + len(self.missed))


def read(pack: str) -> list[Clause]:
    """Give a pack's labelled clauses."""
    with (FOLDER / f"{pack}.tsv").open(encoding="utf-8", newline="") as stream:
        return [
            Clause(
                frozenset(row["expected"].split()) - {"-"},
                row["near_miss_of"].strip("-"),
                row["text"],
            )
            for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        ]


def labelled_packs() -> list[str]:
    """Give the packs that have labelled clauses."""
    return [name for name in shipped_packs() if (FOLDER / f"{name}.tsv").exists()]


def score(pack: str) -> Score:
    """Run a pack over its clauses."""
    clauses = read(pack)
    opened = open_pack(pack)
    scored = {rule.id for rule in opened.rules if rule.phase == "tag"}
    unknown = {name for clause in clauses for name in clause.expected} - scored
    if unknown:
        raise ValueError(f"{pack}: no such rules: {sorted(unknown)}")
    right = 0
    wrong: list[tuple[str, str]] = []
    missed: list[tuple[str, str]] = []
    near_fired: list[tuple[str, str]] = []
    book = RuleBook([opened], RuleSettings(), every_rule=True)
    for clause in clauses:
        view = view_of(book, PackExample(clause.text, matches=True))
        fired = {ready.rule.id for ready in fired_in(book, view)} & scored
        right += len(fired & clause.expected)
        wrong += [(name, clause.text) for name in sorted(fired - clause.expected)]
        missed += [(name, clause.text) for name in sorted(clause.expected - fired)]
        if clause.near_miss_of in fired:
            near_fired.append((clause.near_miss_of, clause.text))
    near = sum(1 for clause in clauses if not clause.expected)
    return Score(pack, len(clauses), near, right, tuple(wrong), tuple(missed), tuple(near_fired))


def main() -> int:
    """Print the scores; the exit code is 1 where a near miss fires."""
    scores = [score(pack) for pack in labelled_packs()]
    print(
        f"{'pack':14}{'clauses':>8}{'near':>6}{'right':>7}{'wrong':>7}{'missed':>8}{'P':>8}{'R':>8}"
    )
    for one in scores:
        print(
            f"{one.pack:14}{one.clauses:8}{one.near_misses:6}{one.right:7}{len(one.wrong):7}"
            f"{len(one.missed):8}{one.precision:8.3f}{one.recall:8.3f}"
        )
        if "-v" in sys.argv:
            for title, pairs in (("wrong", one.wrong), ("missed", one.missed)):
                for rule, text in pairs:
                    print(f"    {title:7}{rule:24}{text}")
    return 1 if any(one.near_fired for one in scores) else 0


if __name__ == "__main__":
    sys.exit(main())
