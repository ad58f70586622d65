"""Statutes: are articles whole, are chunks pure, and is the right one found?

    python -m benchmarks.statutes [--max-chars 800] [--chapter-titles chunk|path] [STATUTES]

Takes the folder ``statutes`` of the corpus, prints intact (gold articles wholly inside one chunk),
purity (gold characters over those of the chunks that hold them), the largest chunk, and recall by
BM25 over character pairs: among the first 5 and 10 chunks, and among the first 4,000 characters.
Writes nothing; ``benchmarks.quality`` uses its parts.
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec

from headworks.assembly.parents import parents
from headworks.chunking.cut import cut
from headworks.chunking.ledger import check
from headworks.config import ChunkSettings, ReadSettings, StructureSettings
from headworks.readers.base import read
from headworks.structure.passes import structure

DEFAULT = Path(__file__).resolve().parent.parent.parent / "shared" / "corpus" / "statutes"
BUDGET = 4000  # characters that a question's passages may have together
_MOST = 80
Pairs = Counter[str]
Passages = Sequence[tuple[str, str]]  # what is searched, what is held; without white space


class Gold(msgspec.Struct, frozen=True):
    """The articles and questions of the corpus."""

    articles: list[dict[str, str]]
    queries: list[dict[str, str]]

    @property
    def laws(self) -> list[str]:
        """Give the names of the laws that hold a gold article."""
        return sorted({article["law"] for article in self.articles})


class Figures(msgspec.Struct, frozen=True):
    """What was measured; shares from 0 to 1."""

    intact: float
    purity: float
    chunks: int
    mean: float  # characters
    largest: int
    at_5: float
    at_10: float
    in_budget: float


def main() -> None:
    """Print the figures, with the heading path searched and without."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path, nargs="?", default=DEFAULT)
    asked.add_argument("--max-chars", type=int, default=800)
    asked.add_argument("--chapter-titles", choices=["chunk", "path"])
    given = asked.parse_args()
    settings = ChunkSettings(max_chars=given.max_chars)
    if given.chapter_titles:
        settings = msgspec.structs.replace(settings, chapter_titles=given.chapter_titles)
    gold = load(given.folder)
    chunks = {law: passages(given.folder / "laws" / law, settings) for law in gold.laws}
    for searched, found in (
        ("heading path and text", chunks),
        ("text", {law: [(text, text) for _, text in held] for law, held in chunks.items()}),
    ):
        print(f"searched: {searched}")
        for name, figure in msgspec.structs.asdict(figures(found, gold)).items():
            print(f"    {name:10} {figure:.4f}" if figure <= 1 else f"    {name:10} {figure}")


def load(folder: Path = DEFAULT) -> Gold:
    """Give the gold of a folder."""
    return Gold(_lines(folder / "articles.jsonl"), _lines(folder / "queries.jsonl"))


def passages(path: Path, settings: ChunkSettings) -> Passages:
    """Give the chunks of a file: heading path and text, and the text alone."""
    return with_parents(path, settings)[0]


def with_parents(path: Path, settings: ChunkSettings) -> tuple[Passages, Passages]:
    """Give the chunks of a file, and the parents they belong to, as large as the ceiling."""
    document = structure(read(path, ReadSettings()), StructureSettings())
    result = cut(document, settings)
    check(document, result.chunks, result.ledger, settings)
    found: list[tuple[str, str]] = []
    for chunk in result.chunks:
        text = bare(chunk.text_in(document.text))
        above = [
            document.headings[number]
            for number in chunk.trail
            if document.headings[number].span.start < chunk.start
        ]
        found.append((bare("".join(heading.text for heading in above)) + text, text))
    larger: dict[str, str] = {}
    for record, (_, text) in zip(
        parents(document, result.chunks, settings.max_chars), found, strict=True
    ):
        larger[record.id] = larger.get(record.id, "") + text
    return found, [(text, text) for text in larger.values()]


def bare(text: str) -> str:
    """Give a text without white space, as the gold has it."""
    return re.sub(r"\s+", "", text)


def figures(chunks: Mapping[str, Passages], gold: Gold) -> Figures:
    """Measure the chunks of all laws, by the laws' names."""
    holders: dict[str, tuple[str, int]] = {}
    right = size = 0
    for article in gold.articles:
        for index, (_, text) in enumerate(chunks[article["law"]]):
            if article["text"] in text:
                holders[article["id"]] = (article["law"], index)
                right, size = right + len(article["text"]), size + len(text)
                break
    names = [(law, index) for law, held in chunks.items() for index in range(len(held))]
    texts = [text for held in chunks.values() for _, text in held]
    ranked = _Ranked([searched for held in chunks.values() for searched, _ in held])
    found: Counter[str] = Counter()
    for query in gold.queries:
        best = ranked.best(query["query"], _MOST)
        answers = {holders[id_] for id_ in query["articles"] if id_ in holders}
        first = next((at for at, chunk in enumerate(best) if names[chunk] in answers), _MOST)
        read_so_far = sum(len(texts[chunk]) for chunk in best[: first + 1])
        found["5"] += first < 5
        found["10"] += first < 10
        found["budget"] += first < _MOST and read_so_far <= BUDGET
    asked = len(gold.queries)
    return Figures(
        intact=len(holders) / len(gold.articles),
        purity=right / size if size else 0.0,
        chunks=len(texts),
        mean=sum(map(len, texts)) / len(texts),
        largest=max(map(len, texts)),
        at_5=found["5"] / asked,
        at_10=found["10"] / asked,
        in_budget=found["budget"] / asked,
    )


def _lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


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
