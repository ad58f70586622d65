"""Read damaged files by the thousand: ``python -m tests.fuzz.run 2000``.

Each must end in a typed error or in a document whose text is accounted for, within its time; the
reading process may die, this one may not.
"""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from headworks.config import Settings
from headworks.errors import HeadworksError
from headworks.pipeline import process
from headworks.readers.sandbox import Sandbox
from headworks.rules.book import RuleBook, load
from tests.fuzz.mutate import mutated
from tests.fuzz.seeds import seeds

TIMEOUT_SECONDS = 20.0


def attempt(box: Sandbox, settings: Settings, book: RuleBook, path: Path) -> str:
    """Give the error's code, or "read" where the whole way went through."""
    try:
        process(path, box.read, settings, book)
    except HeadworksError as fault:
        return fault.code
    return "read"


def run(first: int, count: int, root: Path) -> Counter[str]:
    """Try the damaged files of these numbers; print the ones that show a fault of ours."""
    settings = Settings()
    read_settings = type(settings.read)(timeout_seconds=TIMEOUT_SECONDS)
    book = load((), settings.rules)
    originals = seeds(root)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, Sandbox(read_settings) as box:
        for number in range(first, first + count):
            name, content = mutated(originals, number)
            path = Path(folder) / name
            path.write_bytes(content)
            began = time.monotonic()
            outcome = attempt(box, settings, book, path)
            found[outcome] += 1
            took = time.monotonic() - began
            if outcome in ("E_READER", "E_LEDGER", "E_TIMEOUT", "E_MEMORY") or took > 5.0:
                print(f"{number} {name}: {outcome} {took:.1f} s {_why(box, path)}")  # noqa: T201
    return found


def _why(box: Sandbox, path: Path) -> str:
    try:
        box.read(path)
    except HeadworksError as fault:
        return fault.message
    return ""


if __name__ == "__main__":
    root = Path(__file__).resolve().parent.parent.parent
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(dict(run(first, count, root)))  # noqa: T201
