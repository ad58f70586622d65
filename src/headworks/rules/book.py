"""The rule book of a run: packs loaded, compiled once, asked for each document.

Takes names of packs and settings, gives ``RuleBook``: directives before the cutting, verdicts after
it. Never changes once it is made; a pack that does not compile makes none.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path

import msgspec

from headworks.config import RuleSettings
from headworks.errors import RulesError, user_language
from headworks.model.chunk import Chunk, Directive
from headworks.model.document import Document
from headworks.model.verdict import Edit, Route, Verdict
from headworks.privacy.places import everywhere
from headworks.privacy.tokens import Mark, assign
from headworks.privacy.vault import load_key
from headworks.rules.actions import PHASES, Phase
from headworks.rules.bundle import bundled, read_index
from headworks.rules.compile import Compiler
from headworks.rules.complaints import Complaint, nearest
from headworks.rules.corpus import Corpus, read_corpus
from headworks.rules.effects import Outcome
from headworks.rules.judge import Clock, Judge
from headworks.rules.loader import parse_pack
from headworks.rules.pack import Pack, Rule
from headworks.rules.ready import Ready, Stage, ready_rules
from headworks.rules.sheets import Automaton, views_of
from headworks.rules.structuring import directives_of
from headworks.rules.telling import told
from headworks.rules.view import View

# A document of up to so many characters has the budget once, a longer one its share more.
CHARS_PER_BUDGET = 100_000
Join = Callable[[Chunk, Chunk], Chunk | None]


class RuleBook:
    """The compiled packs of a run."""

    def __init__(
        self,
        packs: Sequence[Pack],
        settings: RuleSettings,
        *,
        prefilter: bool = True,
        every_rule: bool = False,
    ) -> None:
        corpora = {pack.name: _corpus(pack) for pack in packs if pack.corpus and not every_rule}
        self.packs = tuple(msgspec.structs.replace(pack, index=b"") for pack in packs)
        self.settings = settings
        self.as_of = settings.as_of or date.today().isoformat()
        running = packs if every_rule else [_running(pack, self.as_of) for pack in packs]
        compiler = Compiler()
        self.rules: tuple[Ready, ...] = tuple(ready_rules(running, compiler, corpora))
        self.by_name: Mapping[str, Ready] = {ready.name: ready for ready in self.rules}
        self.stages: dict[Phase, Stage] = {
            phase: Stage([r for r in self.rules if phase in r.actions], prefilter=prefilter)
            for phase in PHASES
        }
        self.automaton = Automaton(list(compiler.literals))
        self.literals = tuple(compiler.literals)

    @property
    def versions(self) -> dict[str, str]:
        """Give version and content hash of each pack: ``{"contract": "1.2.0 3f…"}``."""
        return {pack.name: f"{pack.version} {pack.digest}" for pack in self.packs}

    @property
    def digest(self) -> str:
        """Give one hash over all packs and the date they are judged at."""
        text = "|".join(f"{pack.name}:{pack.digest}" for pack in self.packs)
        return blake2b(f"{text}|{self.as_of}".encode(), digest_size=8).hexdigest()

    def directives(self, document: Document) -> tuple[Directive, ...]:
        """Give what the structure rules ask of the cutting."""
        stage = self.stages["structure"]
        if not stage.rules:
            return ()
        return directives_of(document, stage, self.automaton)

    def views(self, document: Document, chunks: Sequence[Chunk]) -> list[View]:
        """Give the chunks as the rules see them."""
        return views_of(document, chunks, self.automaton)

    def judge(
        self, document: Document, chunks: Sequence[Chunk], join: Join
    ) -> tuple[tuple[Chunk, ...], tuple[Verdict, ...]]:
        """Give the chunks, some merged, and a verdict for each."""
        share = max(1.0, len(document.text) / CHARS_PER_BUDGET)
        clock = Clock(self.settings.time_budget_seconds * share)
        judge = Judge(self.stages, self.automaton, self.by_name, clock)
        arranged = judge.arrange(self.views(document, chunks), join)
        for view, outcome in arranged:
            judge.finish(view, outcome)
        found = _renumbered([view.chunk for view, _ in arranged])
        edits = self._edits(document, [outcome for _, outcome in arranged])
        ends = [edit.span.end for edit in edits]
        default = self._default_route()
        verdicts = [
            outcome.verdict(chunk, default, _edits_in(chunk, edits, ends))
            for chunk, (_, outcome) in zip(found, arranged, strict=True)
        ]
        return found, tuple(verdicts)

    def _default_route(self) -> Route:
        """The fallback chain: the first route rule's, the packs', the run's."""
        for ready in self.stages["route"].rules:
            if ready.rule.fallback:
                return Route(ready.rule.fallback, f"{ready.name}:fallback")
        for pack in self.packs:
            if pack.fallback:
                return Route(pack.fallback, f"{pack.name}:fallback")
        for pack in self.packs:
            if pack.default:
                return Route(pack.default, f"{pack.name}:default")
        return Route(self.settings.default_pipeline, "default")

    def _edits(self, document: Document, outcomes: Sequence[Outcome]) -> tuple[Edit, ...]:
        marks: list[Mark] = [mark for outcome in outcomes for mark in outcome.redactions]
        if not marks:
            return ()
        style = self.settings.redaction
        key = load_key() if style == "hash" else b""
        # A value found by its label in one place is taken out in all others, too.
        return assign(document.text, everywhere(document.text, marks), style, key=key)


def _edits_in(chunk: Chunk, edits: tuple[Edit, ...], ends: list[int]) -> tuple[Edit, ...]:
    """Give the edits that meet the chunk; they are in order and do not overlap."""
    found: dict[Edit, None] = {}
    for span in chunk.spans if edits else ():
        for edit in edits[bisect_right(ends, span.start) :]:
            if edit.span.start >= span.end:
                break
            found[edit] = None
    return tuple(found)


def _renumbered(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Give the chunks with ordinals that run on after merging."""
    return tuple(
        chunk if chunk.ordinal == number else msgspec.structs.replace(chunk, ordinal=number)
        for number, chunk in enumerate(chunks, chunks[0].ordinal if chunks else 0)
    )


def _corpus(pack: Pack) -> Corpus:
    """Read the index of a pack. Raises RulesError where it came without, or it is none."""
    if not pack.index:
        message = f"规则包的索引“{pack.corpus}”没有和它一起给出"
        raise RulesError("E_RULES", message, place=pack.file)
    return read_corpus(pack.index, pack.corpus)


def _running(pack: Pack, as_of: str) -> Pack:
    """Give the pack with the rules that hold on a date, drafts and retired ones left out."""
    rules = tuple(rule for rule in pack.rules if is_running(rule, as_of))
    return msgspec.structs.replace(pack, rules=rules)


def is_running(rule: Rule, as_of: str) -> bool:
    """Tell whether a rule is in force on a date."""
    if rule.status in ("draft", "retired"):
        return False
    if rule.effective_from and as_of < rule.effective_from:
        return False
    return not (rule.effective_to and as_of > rule.effective_to)


def load(packs: Sequence[str], settings: RuleSettings) -> RuleBook:
    """Load packs by shipped name or by file; raises RulesError where one does not compile.

    What has been compiled once in this process is not compiled again while its bytes, the settings
    and the day are the same.
    """
    return _compiled(tuple(_whole(name) for name in packs), settings, date.today().isoformat())


@lru_cache(maxsize=8)
def _compiled(
    sources: tuple[tuple[str, bytes], ...], settings: RuleSettings, _today: str
) -> RuleBook:
    loaded: dict[str, Pack] = {}
    for file, content in sources:
        pack = parse_pack(file, content)
        refuse(pack)
        if pack.name in loaded:
            raise RulesError("E_RULES", f"两个规则包都叫“{pack.name}”", place=pack.file)
        loaded[pack.name] = pack
    return RuleBook(list(loaded.values()), settings)


def with_index(file: str, content: bytes, folder: Path) -> bytes:
    """Give a pack's bytes with the index that it names, if it names one.

    Raises RulesError where the pack has errors, or its index cannot be read.
    """
    if b"corpus" not in content:
        return content
    pack = parse_pack(file, content)
    refuse(pack)
    return bundled(content, read_index(pack.corpus, folder, file)) if pack.corpus else content


def _whole(name: str) -> tuple[str, bytes]:
    """Give the file's name and bytes of a pack, with the index that it names."""
    file, content = _source(name)
    return file, with_index(file, content, Path(file).parent)


def open_pack(name: str) -> Pack:
    """Read a pack by shipped name or by file, with its complaints; RulesError where none is."""
    return parse_pack(*_source(name))


def _source(name: str) -> tuple[str, bytes]:
    """Give the file's name and bytes of a pack."""
    path = Path(name)
    if path.suffix.lower() in (".yaml", ".yml") or path.is_file():
        try:
            return name, path.read_bytes()
        except OSError as problem:
            raise RulesError("E_RULES", problem.strerror or str(problem), place=name) from problem
    shipped = resources.files("headworks.rules") / "packs" / f"{name}.yaml"
    if not shipped.is_file():
        near = nearest(name, shipped_packs())
        hint = f"；是不是“{near}”？" if near else f"；自带的有 {'、'.join(shipped_packs())}"
        raise RulesError("E_RULES", f"没有叫“{name}”的规则包{hint}", place=name)
    return f"{name}.yaml", shipped.read_bytes()


def shipped_packs() -> tuple[str, ...]:
    """Give the names of the packs that come with headworks."""
    folder = resources.files("headworks.rules") / "packs"
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return tuple(sorted(name[:-5] for name in names if name.endswith(".yaml")))


def refuse(pack: Pack) -> None:
    """Raise RulesError with all errors of a pack, where it has any."""
    errors = pack.errors
    if not errors:
        return
    first: Complaint = errors[0]
    shown = [msgspec.structs.replace(first, place="")]
    language = user_language()
    lines = [line for complaint in [*shown, *errors[1:]] for line in told(complaint, language)]
    message = "\n".join(lines)
    raise RulesError("E_RULES", message, place=first.place)
