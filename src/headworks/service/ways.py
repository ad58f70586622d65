"""The stages with their ways around what is down: plain cuts, core rules.

Takes a document that was read, gives an outcome and which ways were taken. Never hides that a way
was taken, and never lets go of redaction: core rules hold it wherever the packs have any.
"""

import re
from collections.abc import Callable, Collection, Sequence
from datetime import date
from functools import lru_cache
from importlib import resources

import msgspec

from headworks.chunking.ledger import account, check
from headworks.chunking.tokens import counter
from headworks.config import RuleSettings, Settings
from headworks.errors import ConfigError, RulesError
from headworks.model.chunk import Chunk, chunk_id
from headworks.model.document import Document
from headworks.model.place import Span
from headworks.pipeline import Outcome, process_document
from headworks.rules.book import RuleBook, refuse
from headworks.rules.loader import parse_pack
from headworks.service.tasks import PackSource, Way

PLAIN_CHARS = 1_000
_STAGE_WAY: dict[str, Way] = {
    "structure": "plain", "chunk": "plain", "check": "plain", "direct": "core", "judge": "core",
}  # fmt: skip
# What an action of a pack is called that takes text out.
_REDACTS = tuple(word.encode() for word in ("redact", "mask", "脱敏", "遮盖", "打码"))
_LINE_END = re.compile(r"[。！？；.!?;]?\s*\n|[。！？；]")


class Arrived(msgspec.Struct, frozen=True):
    """An outcome, the ways it was reached by, and of structure and rules whether they worked."""

    outcome: Outcome
    ways: tuple[Way, ...]
    outcomes: dict[str, bool]


def through(
    document: Document,
    settings: Settings,
    packs: Sequence[PackSource],
    ways: Collection[Way] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> Arrived:
    """Give the outcome of a document; where a stage fails, by the way around it."""
    taken = set(ways)
    outcomes: dict[str, bool] = {}
    while True:
        stage = ""

        def note(name: str) -> None:
            nonlocal stage
            stage = name
            tell(name)

        stage = "judge"  # a pack that does not compile is a failure of the rules
        try:
            make = core_book if "core" in taken else compiled
            book = make(packs, settings.rules)
            if "plain" in taken:
                outcome = _plainly(document, settings, book, note)
            else:
                outcome = process_document(document, settings, book, tell=note)
        except (ConfigError, MemoryError):
            raise
        except Exception:
            way = _STAGE_WAY.get(stage)
            if way is None or way in taken:
                raise
            taken.add(way)
            outcomes["structure" if way == "plain" else "rules"] = False
            continue
        for name, way in (("structure", "plain"), ("rules", "core")):
            if way not in taken:
                outcomes[name] = True
        return Arrived(outcome, tuple(way for way in ("plain", "core") if way in taken), outcomes)


def compiled(packs: Sequence[PackSource], settings: RuleSettings) -> RuleBook:
    """Give the book of packs; compiled once while bytes, settings and day are the same."""
    return _compiled(tuple(packs), settings, _today(settings))


def core_book(packs: Sequence[PackSource], settings: RuleSettings) -> RuleBook:
    """Give the book that always holds: personal data is taken out where a pack meant to."""
    meant = any(word in pack.content for pack in packs for word in _REDACTS)
    core = (_shipped("privacy"),) if meant else ()
    return _compiled(core, settings, _today(settings))


def _today(settings: RuleSettings) -> str:
    return settings.as_of or date.today().isoformat()


@lru_cache(maxsize=8)
def _compiled(packs: tuple[PackSource, ...], settings: RuleSettings, _day: str) -> RuleBook:
    loaded = {}
    for source in packs:
        pack = parse_pack(source.file, source.content)
        refuse(pack)
        if pack.name in loaded:
            raise RulesError("E_RULES", f"两个规则包都叫“{pack.name}”", place=pack.file)
        loaded[pack.name] = pack
    return RuleBook(list(loaded.values()), settings)


def _shipped(name: str) -> PackSource:
    path = resources.files("headworks.rules") / "packs" / f"{name}.yaml"
    return PackSource(f"{name}.yaml", path.read_bytes())


def _plainly(
    document: Document, settings: Settings, book: RuleBook, tell: Callable[[str], None]
) -> Outcome:
    """Cut at 1,000 characters, at the end of a line or a sentence where one is near."""
    tell("chunk")
    bare = msgspec.structs.replace(
        document, headings=(), zones=(), refs=(), anchors=(), definitions=(), profile=None
    )
    chunks = plain_chunks(bare, settings)
    ledger = account(bare, (), chunks)
    check(bare, chunks, ledger)
    tell("judge")
    chunks, verdicts = book.judge(bare, chunks, lambda _first, _second: None)
    return Outcome(bare, chunks, ledger, verdicts, {})


def plain_chunks(document: Document, settings: Settings) -> tuple[Chunk, ...]:
    """Give chunks of at most 1,000 characters, each code point in one."""
    text, count = document.text, counter(None)
    found: list[Chunk] = []
    start = 0
    while start < len(text):
        end = _plain_end(text, start)
        spans = (Span(start, end),)
        words = text[start:end]
        found.append(
            Chunk(
                id=chunk_id(document.source.sha256, spans, f"plain {settings.fingerprint()}"),
                document=document.source.sha256,
                ordinal=len(found),
                spans=spans,
                kind="text",
                zone="body",
                trail=(),
                chars=len(words),
                tokens=count(words),
                degraded="plain cuts: the structure could not be found",
            )
        )
        start = end
    return tuple(found)


def _plain_end(text: str, start: int) -> int:
    end = start + PLAIN_CHARS
    if end >= len(text):
        return len(text)
    near = 0
    for match in _LINE_END.finditer(text, start + PLAIN_CHARS // 2, end):
        near = match.end()
    return near or end
