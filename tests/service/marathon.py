"""``python -m tests.service.marathon``: documents under fire, beside an undisturbed run.

200 documents; kill -9 of a random process of the tree 100 times. In the end all are done, none
twice, with the same bytes as without a disturbance.
"""

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from tests.service.driving import Driven, Kept, write_papers, write_settings

# By chance a document may be hit again and again: here that is no reason to put it aside.
_SERVICE = "deaths = 1000\nworkers = 2\nbreaker_share = 1.0\nlease_seconds = 5.0"


def main() -> int:
    """Run both and compare."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clauses", type=int, default=150)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="headworks-marathon-") as folder:
        top = Path(folder)
        write_papers(top / "in", asked.documents, asked.clauses)
        calm = undisturbed(top)
        hit = under_fire(top, asked.kills, asked.documents, random.Random(asked.seed))
        return compare(calm, hit)


def undisturbed(top: Path) -> Kept:
    """Give what a calm run keeps."""
    settings = write_settings(top / "calm.toml", top / "calm", _SERVICE)
    began = time.monotonic()
    driven = Driven(settings, top / "in", top / "calm.log")
    if not driven.wait_over(600):
        raise SystemExit("the calm run did not end")
    say(f"calm: {driven.done()} jobs in {time.monotonic() - began:.1f} s")
    driven.stop()
    return Kept(top / "calm")


def under_fire(top: Path, kills: int, documents: int, chance: random.Random) -> Kept:
    """Give what is kept when processes are killed all the time."""
    settings = write_settings(top / "fire.toml", top / "fire", _SERVICE)
    began = time.monotonic()
    driven = Driven(settings, top / "in", top / "fire.log")
    killed = {"service": 0, "child": 0}
    done = 0
    while sum(killed.values()) < kills:
        time.sleep(chance.uniform(0.05, 0.6))
        done = max(done, driven.done())
        # Kills are spread over the documents: none is left for when all are done.
        if done * kills < sum(killed.values()) * documents and chance.random() < 0.7:
            continue
        if len(driven.tree()) < 4 and chance.random() < 0.9:
            continue  # it is only just starting: mostly let it get to work
        killed[driven.kill_one(chance)] += 1
    say(f"fire: {killed} with {driven.done()} done, {time.monotonic() - began:.1f} s")
    if not driven.wait_over(600):
        raise SystemExit(f"the run under fire did not end: {driven.states}")
    say(f"fire: {driven.done()} jobs in {time.monotonic() - began:.1f} s, starts {driven.starts}")
    driven.stop()
    return Kept(top / "fire")


def compare(calm: Kept, hit: Kept) -> int:
    """Say what differs; 0 where nothing does."""
    complaints = [f"calm: {one}" for one in calm.complaints()]
    complaints += [f"fire: {one}" for one in hit.complaints()]
    first, second = calm.results(), hit.results()
    if first.keys() != second.keys():
        complaints.append(f"{len(first.keys() ^ second.keys())} documents are in one run only")
    complaints += [
        f"{id_}: {[n for n in first[id_] if first[id_][n] != second[id_].get(n)]} differ"
        for id_ in sorted(first.keys() & second.keys())
        if first[id_] != second[id_]
    ]
    say(f"{len(first)} documents, {sum(map(len, first.values()))} files compared")
    for complaint in complaints[:20]:
        say(complaint)
    say("FAILED" if complaints else "all done, none doubled, same bytes")
    return 1 if complaints else 0


def say(line: str) -> None:
    """Write a line."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
