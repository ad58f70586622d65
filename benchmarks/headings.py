"""Outlines against hand-made labels: precision and recall of headings, per document.

    python benchmarks/headings.py CORPUS [--verbose] [--least 0.99] [NAME…]

Takes a corpus folder (``gold/*.json`` and ``files/``), prints a line a document and the totals;
exits 1 below ``--least``. A label that runs on as a sentence counts by its number.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headworks.config import ReadSettings, StructureSettings
from headworks.errors import HeadworksError
from headworks.readers.base import read
from headworks.structure.passes import structure

Line = dict[str, Any]


def main() -> int:
    """Print the table and give the exit code."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("corpus", type=Path)
    asked.add_argument("names", nargs="*")
    asked.add_argument("--verbose", action="store_true")
    asked.add_argument("--least", type=float, default=0.99)
    given = asked.parse_args()
    hits = wanted = found = 0
    for path, want in pairs(given.corpus, given.names):
        started = time.perf_counter()
        try:
            got = _outline(path)
        except HeadworksError as problem:
            print(f"{path.name}: {problem}")
            continue
        took = time.perf_counter() - started
        missed, extra = _compare(want, got)
        right = len(want) - len(missed)
        hits, wanted, found = hits + right, wanted + len(want), found + len(got)
        precision, recall = _share(right, len(got)), _share(right, len(want))
        print(
            f"{path.name:46} precision {precision:6.2%} recall {recall:6.2%}"
            f"  missed {len(missed)} of {len(want)}, extra {len(extra)} of {len(got)}  {took:.3f} s"
        )
        if given.verbose:
            for line in missed:
                print("    missed", line["level"], line.get("label"), line["text"][:60])
            for line in extra:
                print("    extra ", line["level"], line.get("label"), line["text"][:60])
    precision, recall = _share(hits, found), _share(hits, wanted)
    print(f"all: precision {precision:.4f} recall {recall:.4f} over {wanted} headings")
    return 0 if hits and min(precision, recall) >= given.least else 1


def totals(corpus: Path) -> tuple[float, float, int, int]:
    """Give precision and recall over a corpus, its labels and its files."""
    hits = wanted = found = 0
    labelled = pairs(corpus, ())
    for path, want in labelled:
        got = _outline(path)
        hits += len(want) - len(_compare(want, got)[0])
        wanted, found = wanted + len(want), found + len(got)
    return _share(hits, found), _share(hits, wanted), wanted, len(labelled)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def pairs(corpus: Path, names: Sequence[str]) -> list[tuple[Path, list[Line]]]:
    """Give each labelled file with its labels: a law's labels hold for all its renderings."""
    pairs: list[tuple[Path, list[Line]]] = []
    files = sorted(path for path in (corpus / "files").rglob("*") if path.is_file())
    for gold in sorted((corpus / "gold").glob("*.json")):
        stem = gold.stem.removeprefix("law_")
        want = json.loads(gold.read_text(encoding="utf-8"))["headings"]
        pairs.extend(
            (path, want)
            for path in files
            if stem in (path.stem, re.split(r"_(?:bold|styled)(?=\.)|\.", path.name)[0])
            and (not names or any(name in path.name for name in names))
        )
    return pairs


def _outline(path: Path) -> list[Line]:
    document = structure(read(path, ReadSettings()), StructureSettings())
    return [
        {
            "level": heading.level,
            "label": heading.label,
            "title": heading.title,
            "text": heading.text,
        }
        for heading in document.headings
    ]


def _plain(text: str | None) -> str:
    return re.sub(r"[\s\u3000:：]+", "", text or "")


def _same(want: Line, got: Line) -> bool:
    text = _plain(got["text"])
    if want.get("run_in") and want.get("label"):
        return text.startswith(_plain(want["label"]))
    key = _plain(want["text"])
    length = min(14, len(key), len(text))
    return length > 0 and text[:length] == key[:length]


def _compare(want: Sequence[Line], got: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Give what was missed and what is extra, by the longest common sequence."""
    table = [[0] * (len(got) + 1) for _ in range(len(want) + 1)]
    for i in range(len(want) - 1, -1, -1):
        for j in range(len(got) - 1, -1, -1):
            if _same(want[i], got[j]):
                table[i][j] = table[i + 1][j + 1] + 1
            else:
                table[i][j] = max(table[i + 1][j], table[i][j + 1])
    missed, extra, i, j = [], [], 0, 0
    while i < len(want) and j < len(got):
        if _same(want[i], got[j]):
            i, j = i + 1, j + 1
        elif table[i + 1][j] >= table[i][j + 1]:
            missed.append(want[i])
            i += 1
        else:
            extra.append(got[j])
            j += 1
    return [*missed, *want[i:]], [*extra, *got[j:]]


if __name__ == "__main__":
    sys.exit(main())
