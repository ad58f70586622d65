"""Statutes: are articles whole, are chunks pure, and is the right one found?

    python -m benchmarks.statutes [--max-chars 800] [--chapter-titles chunk|path] [STATUTES]

Takes the folder ``statutes`` of the corpus, prints intact (gold articles wholly inside one chunk),
purity (gold characters over those of the chunks that hold them), the largest chunk, and recall by
BM25 over character pairs: among the first 5 and 10 passages, and among the first 4,000 characters,
for each way of searching and reading in ``by_way``.
Writes nothing; ``benchmarks.quality`` uses its parts.
"""

import argparse
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
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
Best = Callable[[str, int], list[int]]  # the passages' numbers for a question, best first


class Family(msgspec.Struct, frozen=True):
    """The chunks of a file, the parents they belong to, and which parent each chunk has."""

    chunks: Passages
    parents: Passages
    of: Sequence[int]


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
    families = {law: family(given.folder / "laws" / law, settings) for law in gold.laws}
    for way, measured in by_way(families, gold):
        print(way)
        for name, figure in msgspec.structs.asdict(measured).items():
            print(f"    {name:10} {figure:.4f}" if figure <= 1 else f"    {name:10} {figure}")


def load(folder: Path = DEFAULT) -> Gold:
    """Give the gold of a folder."""
    return Gold(_lines(folder / "articles.jsonl"), _lines(folder / "queries.jsonl"))


def family(path: Path, settings: ChunkSettings) -> Family:
    """Give the chunks of a file, and the parents they belong to, as large as the ceiling."""
    document = structure(read(path, ReadSettings()), StructureSettings())
    result = cut(document, settings)
    check(document, result.chunks, result.ledger, settings)
    found: list[tuple[str, str]] = []
    for chunk in result.chunks:
        text = bare(chunk.text_in(document.text))
        path = [document.headings[number].text for number in chunk.trail]
        found.append((bare("".join(path)) + text, text))
    numbers: dict[str, int] = {}
    larger: list[str] = []
    of = []
    for record, (_, text) in zip(
        parents(document, result.chunks, settings.max_chars), found, strict=True
    ):
        of.append(numbers.setdefault(record.id, len(numbers)))
        if of[-1] == len(larger):
            larger.append("")
        larger[of[-1]] += text
    return Family(found, [(text, text) for text in larger], of)


def bare(text: str) -> str:
    """Give a text without white space, as the gold has it."""
    return re.sub(r"\s+", "", text)


def by_way(families: Mapping[str, Family], gold: Gold) -> Iterator[tuple[str, Figures]]:
    """Measure each way of searching our chunks and reading what was found."""
    chunks = {law: one.chunks for law, one in families.items()}
    alone = {law: [(text, text) for _, text in held] for law, held in chunks.items()}
    larger = {law: one.parents for law, one in families.items()}
    yield "chunks searched by text, chunks read", figures(alone, gold)
    yield "chunks searched by path and text, chunks read", figures(chunks, gold)
    yield "chunks and parents searched, chunks read", figures(chunks, gold, _both(families))
    yield "parents searched, parents read", figures(larger, gold)
    both = _both(families, parents_read=True)
    yield "chunks and parents searched, parents read", figures(larger, gold, both)


def _both(families: Mapping[str, Family], *, parents_read: bool = False) -> Best:
    """Rank chunks by their own score and their parent's together; read them or their parents."""
    small = _Ranked([searched for one in families.values() for searched, _ in one.chunks])
    large = _Ranked([searched for one in families.values() for searched, _ in one.parents])
    above: list[int] = []
    before = 0
    for one in families.values():
        above += [before + parent for parent in one.of]
        before += len(one.parents)

    def best(query: str, count: int) -> list[int]:
        mine, theirs = small.scores(query), large.scores(query)
        order = sorted(mine, key=lambda at: (-mine[at] - theirs.get(above[at], 0.0), at))
        units = dict.fromkeys(above[at] for at in order) if parents_read else order
        return list(units)[:count]

    return best


def figures(chunks: Mapping[str, Passages], gold: Gold, best: Best | None = None) -> Figures:
    """Measure the passages of all laws, by the laws' names; ranked by BM25 unless told how."""
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
    best = best or _Ranked([searched for held in chunks.values() for searched, _ in held]).best
    found: Counter[str] = Counter()
    for query in gold.queries:
        ranked = best(query["query"], _MOST)
        answers = {holders[id_] for id_ in query["articles"] if id_ in holders}
        first = next((at for at, chunk in enumerate(ranked) if names[chunk] in answers), _MOST)
        read_so_far = sum(len(texts[chunk]) for chunk in ranked[: first + 1])
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

    def scores(self, query: str) -> dict[int, float]:
        """Give the score of each text that has a pair of the query's."""
        scores: dict[int, float] = defaultdict(float)
        for pair in _pairs(query):
            for at, weight in self.posts.get(pair, ()):
                scores[at] += weight * self.rarity[pair]
        return scores

    def best(self, query: str, count: int) -> list[int]:
        """Give the best texts' numbers, best first."""
        scores = self.scores(query)
        return sorted(scores, key=lambda at: (-scores[at], at))[:count]


def _pairs(text: str) -> Pairs:
    return Counter(first + second for first, second in pairwise(text))


if __name__ == "__main__":
    main()
