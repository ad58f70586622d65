"""Measure headworks on one file: ``python -m benchmarks.ours FILE RUNS``, a JSON line.

Warm: one process, its reading child kept; the first run is not counted. ``pipeline`` is read,
structure, cut, rules and the ledger's check; ``written`` also makes and writes all files but the
pictures of pages.
"""

import json
import resource
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from headworks.rules.book import load

from headworks.config import load as load_settings
from headworks.pipeline import process
from headworks.service.inputs import find
from headworks.service.one import RunOptions, Workshop


def main() -> None:
    """Print the seconds of each run and the peak memory of parent and child together."""
    path, runs = Path(sys.argv[1]), int(sys.argv[2])
    settings = load_settings(environment={}, flags={"rules.packs": ("contract",)})
    book = load(settings.rules.packs, settings.rules)
    with tempfile.TemporaryDirectory() as folder:
        options = RunOptions(out=Path(folder), settings=settings, report_pages=0)
        workshop = Workshop(options, book)
        entry = find([path], options.out)[0]
        pipeline, written, stages = [], [], {}
        for run in range(runs + 1):
            began = perf_counter()
            outcome = process(path, workshop.sandbox.read, settings, book)
            if run:
                pipeline.append(perf_counter() - began)
                stages = outcome.timings
            chars, chunks = len(outcome.document.text), len(outcome.chunks)
            del outcome
        for run in range(runs + 1):
            began = perf_counter()
            workshop.work(entry)
            if run:
                written.append(perf_counter() - began)
        workshop.close()
    print(
        json.dumps(
            {
                "seconds": pipeline,
                "written": written,
                "stages": {name: round(took * 1000, 2) for name, took in stages.items()},
                "chars": chars,
                "chunks": chunks,
                "megabytes": _peak(),
            }
        )
    )


def _peak() -> int:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    child = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (own + child) // 1024


if __name__ == "__main__":
    main()
