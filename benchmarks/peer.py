"""Measure a peer on one file, in the peers' environment: ``python peer.py NAME FILE RUNS``.

Standard library and the peer only: this file runs where headworks is not installed.
"""

import json
import sys
from time import perf_counter


def main() -> None:
    """Print the seconds of each run, and the length of the result."""
    name, path, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    extract = {"kreuzberg": _kreuzberg, "markitdown": _markitdown}[name]()
    seconds, chars = [], 0
    for run in range(runs + 1):
        began = perf_counter()
        chars = len(extract(path))
        if run:
            seconds.append(perf_counter() - began)
    print(json.dumps({"seconds": seconds, "chars": chars}))


def _kreuzberg():
    from kreuzberg import ExtractionConfig, extract_file_sync

    config = ExtractionConfig(output_format="markdown", use_cache=False)
    return lambda path: extract_file_sync(path, config=config).content


def _markitdown():
    from markitdown import MarkItDown

    converter = MarkItDown()
    return lambda path: converter.convert(path).text_content


if __name__ == "__main__":
    main()
