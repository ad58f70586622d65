"""Statutes: are articles whole, are chunks pure, and is the right one found?

    python -m benchmarks.statutes [--max-chars 800] [--chapter-titles chunk|path] [STATUTES]

Takes the folder ``statutes`` of the corpus, prints intact (gold articles wholly inside one chunk),
purity (gold characters over those of the chunks that hold them), the largest chunk, and recall at 5
and 10 by BM25 over character pairs. Writes nothing.
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

from headworks.chunking.cut import cut
from headworks.chunking.ledger import check
from headworks.config import ChunkSettings, ReadSettings, StructureSettings
from headworks.readers.base import read
from headworks.structure.passes import structure

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "statutes"
Pairs = Counter[str]


def main() -> None:
    """Print one line of figures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    asked.add_argument("--max-chars", type=int, default=800)
    asked.add_argument("--chapter-titles", choices=["chunk", "path"], default="chunk")
    given = asked.parse_args()
    settings = ChunkSettings(max_chars=given.max_chars, chapter_titles=given.chapter_titles)
    articles = _lines(given.folder / "articles.jsonl")
    chunks = {
        law: _chunks(given.folder / "laws" / law, settings)
        for law in sorted({article["law"] for article in articles})
    }
    holders: dict[str, tuple[str, int]] = {}
    gold = size = 0
    for article in articles:
        for index, text in enumerate(chunks[article["law"]]):
            if article["text"] in text:
                holders[article["id"]] = (article["law"], index)
                gold, size = gold + len(article["text"]), size + len(text)
                break
    largest = max(len(text) for texts in chunks.values() for text in texts)
    print(
        f"articles {len(articles)}  intact {len(holders) / len(articles):.4f}  "
        f"purity {gold / size:.4f}  chunks {sum(map(len, chunks.values()))}  largest {largest}"
    )
    _print_recall(chunks, holders, _lines(given.folder / "queries.jsonl"))


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _chunks(path: Path, settings: ChunkSettings) -> list[str]:
    document = structure(read(path, ReadSettings()), StructureSettings())
    result = cut(document, settings)
    check(document, result.chunks, result.ledger, settings)
    return [re.sub(r"\s+", "", chunk.text_in(document.text)) for chunk in result.chunks]


def _print_recall(
    chunks: dict[str, list[str]],
    holders: dict[str, tuple[str, int]],
    queries: list[dict[str, str]],
) -> None:
    """Print how often a chunk that holds an answer is among the first five and ten."""
    names = [(law, index) for law, texts in chunks.items() for index in range(len(texts))]
    ranked = _Ranked([text for texts in chunks.values() for text in texts])
    found: Counter[int] = Counter()
    asked = 0
    for query in queries:
        right = {holders[id_] for id_ in query["articles"] if id_ in holders}
        if not right:
            continue
        asked += 1
        first = [names[at] for at in ranked.best(query["query"], 10)]
        for depth in (5, 10):
            found[depth] += bool(right & set(first[:depth]))
    print(f"questions {asked}  " + "  ".join(f"recall@{n} {found[n] / asked:.4f}" for n in (5, 10)))


class _Ranked:
    """BM25 over pairs of characters."""

    def __init__(self, texts: list[str]) -> None:
        counted = [_pairs(text) for text in texts]
        lengths = [sum(pairs.values()) for pairs in counted]
        mean = sum(lengths) / len(lengths)
        self.posts: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, (pairs, length) in enumerate(zip(counted, lengths, strict=True)):
            for pair, times in pairs.items():
                weight = times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / mean))
                self.posts[pair].append((at, weight))
        self.rarity = {
            pair: math.log(1 + (len(texts) - len(posts) + 0.5) / (len(posts) + 0.5))
            for pair, posts in self.posts.items()
        }

    def best(self, query: str, count: int) -> list[int]:
        """Give the best texts' numbers, best first."""
        scores: dict[int, float] = defaultdict(float)
        for pair in _pairs(query):
            for at, weight in self.posts.get(pair, ()):
                scores[at] += weight * self.rarity[pair]
        return sorted(scores, key=lambda at: (-scores[at], at))[:count]


def _pairs(text: str) -> Pairs:
    return Counter(first + second for first, second in pairwise(text))


if __name__ == "__main__":
    main()
