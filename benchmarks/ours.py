"""Measure headworks on one file: ``python -m benchmarks.ours FILE RUNS``, a JSON line.

Warm: one process as ``headworks run`` has it, the reading child kept; the first run is not
counted. ``seconds`` is read, structure, cut, rules and the ledger's check; ``written`` also makes
and writes all files but the pictures of pages.
"""

import json
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from headworks.config import load as load_settings
from headworks.pipeline import process
from headworks.service.inputs import find
from headworks.service.one import RunOptions, Workshop


def main() -> None:
    """Print the seconds of each run, and the milliseconds of the last one's stages."""
    path, runs = Path(sys.argv[1]), int(sys.argv[2])
    settings = load_settings(environment={}, flags={"rules.packs": ("contract",)})
    with tempfile.TemporaryDirectory() as folder:
        options = RunOptions(out=Path(folder), settings=settings, report_pages=0)
        workshop = Workshop(options)
        entry = find([path], options.out)[0]
        pipeline, written, found = [], [], {}
        for run in range(runs + 1):
            began = perf_counter()
            outcome = process(path, workshop.sandbox.read, settings, workshop.book)
            if run:
                pipeline.append(perf_counter() - began)
            found = {
                "stages": {name: round(took * 1000, 2) for name, took in outcome.timings.items()},
                "chars": len(outcome.document.text),
                "chunks": len(outcome.chunks),
            }
            del outcome
        for run in range(runs + 1):
            began = perf_counter()
            workshop.work(entry)
            if run:
                written.append(perf_counter() - began)
        workshop.close()
    print(json.dumps({"seconds": pipeline, "written": written, **found}))


if __name__ == "__main__":
    main()
