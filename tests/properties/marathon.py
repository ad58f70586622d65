"""Cut many made-up documents and stop at the first broken promise.

usage: python -m tests.properties.marathon [how many] [first seed]
"""

import sys
import time

from tests.properties.documents import made
from tests.properties.promises import hold


def run(count: int, first: int) -> None:
    """Check the documents of the seeds from ``first`` on."""
    began = time.perf_counter()
    for seed in range(first, first + count):
        try:
            hold(made(seed))
        except BaseException:
            sys.stderr.write(f"seed {seed}\n")
            raise
    seconds = time.perf_counter() - began
    sys.stdout.write(f"{count} documents keep every promise ({seconds:.1f} s)\n")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    run(numbers[0] if numbers else 10_000, numbers[1] if len(numbers) > 1 else 0)
