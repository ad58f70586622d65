"""Prompts as Jinja2 files: what is asked of a model about one chunk.

Takes a prompt's name and a chunk with its context, gives messages and the schema of the answer.
Never runs code of a template (sandbox), never reads a file outside the prompt's own folder; only
what lies in the shipped ``shared/`` may be taken in from there.
"""

import importlib
import os
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from headworks.assembly.answers import Schema, check_schema
from headworks.errors import ConfigError

SUFFIX = ".j2"
_SHIPPED = Path(str(files("headworks.assembly.prompts")))
_SCHEMAS = _SHIPPED / "schemas"
_SHARED = _SHIPPED / "shared"
_SHARED_PREFIX = "shared/"
NAMES = ("default", "extract", "summary", "legal", "finance")
# The kind of a chunk, and the family whose prompt does where it has none of its own.
_FAMILIES = {"sheet": "table"}
_OTHERWISE = "clause"
_MOST_BYTES = 200_000
_MOST_MESSAGE = 4_000_000


class Prompt(msgspec.Struct, frozen=True):
    """A prompt file of one folder, and the digest of all that it may take in."""

    folder: Path
    file: str
    digest: str


class Asked(msgspec.Struct, frozen=True):
    """What a prompt gives: role and content of each message, and the schema it names."""

    messages: tuple[tuple[str, str], ...]
    schema: str


def chosen(name: str, kind: str, base: Path | None = None) -> Prompt:
    """Give the prompt of a name for a kind of chunk.

    A name is a shipped prompt, a file (``prompts/mine.j2``) or a folder of files by kind:
    ``table.j2``, ``clause.j2``, ``figure.j2`` …; ``clause.j2`` serves kinds without one of their
    own. Paths go from ``base``, the folder of the settings. Raises ConfigError (E_PROMPT).
    """
    place = _SHIPPED / name if name in NAMES else (base or Path()) / name
    if place.is_file():
        return Prompt(place.parent, place.name, _digest(place.parent))
    if not place.is_dir():
        raise ConfigError("E_PROMPT", f"neither a prompt nor one of {', '.join(NAMES)}", place=name)
    for known in (kind, _FAMILIES.get(kind, ""), _OTHERWISE, "default"):
        if known and (place / f"{known}{SUFFIX}").is_file():
            return Prompt(place, f"{known}{SUFFIX}", _digest(place))
    raise ConfigError("E_PROMPT", f"no {_OTHERWISE}{SUFFIX} in it", place=str(place))


def ask(prompt: Prompt, given: Mapping[str, Any]) -> Asked:
    """Give what a prompt asks; what is between its parts is the user's message.

    A file may set ``system`` (the first message) and ``schema`` (the name of the answer's schema).
    """
    jinja = _jinja()
    try:
        module = (
            _environment(prompt.folder, prompt.digest)
            .get_template(prompt.file)
            .make_module(dict(given))
        )
        user = str(module).strip()
    except jinja.TemplateError as fault:
        line = getattr(fault, "lineno", None)
        place = f"{prompt.folder / prompt.file}" + (f" line {line}" if line else "")
        raise ConfigError("E_PROMPT", str(fault.message or fault), place=place) from fault
    except (ArithmeticError, TypeError, ValueError, AttributeError, RecursionError) as fault:
        place = str(prompt.folder / prompt.file)
        raise ConfigError("E_PROMPT", f"{type(fault).__name__}: {fault}", place=place) from fault
    if not user or len(user) > _MOST_MESSAGE:
        raise ConfigError(
            "E_PROMPT", f"it gives {len(user)} characters", place=str(prompt.folder / prompt.file)
        )
    system = str(getattr(module, "system", "")).strip()
    first = (("system", system),) if system else ()
    return Asked((*first, ("user", user)), str(getattr(module, "schema", "")).strip())


def schema_of(name: str, base: Path | None = None) -> Schema | None:
    """Give the JSON Schema of a name: shipped (points, values, answer) or a file; "none" is none.

    Raises ConfigError (E_PROMPT, E_CONFIG) where it is not there or no schema.
    """
    if name in ("", "none"):
        return None
    place = _SCHEMAS / f"{name}.json"
    if "/" in name or not place.is_file():
        place = (base or Path()) / name
    return _read_schema(place, place.stat().st_mtime_ns if place.is_file() else 0)


@cache
def _read_schema(place: Path, _changed: int) -> Schema:
    try:
        found = msgspec.json.decode(place.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError) as fault:
        raise ConfigError("E_PROMPT", f"no JSON Schema: {fault}", place=str(place)) from fault
    check_schema(found, str(place))
    return found


def _digest(folder: Path) -> str:
    """Give 16 hex digits over the prompt files of a folder: any of them may be included."""
    paths = sorted((*folder.glob(f"*{SUFFIX}"), *_SHARED.glob(f"*{SUFFIX}")))
    return _hashed(tuple((path, path.stat().st_mtime_ns) for path in paths))


@cache
def _hashed(listed: tuple[tuple[Path, int], ...]) -> str:
    digest = blake2b(digest_size=8)
    for path, _ in listed:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _environment(folder: Path, _digest_of_files: str) -> Any:
    """Give the sandbox of a folder; a file changed since makes a new one."""
    jinja, sandbox = _jinja(), _library("jinja2.sandbox")
    own, shared = os.path.realpath(folder), os.path.realpath(_SHARED)

    def load(name: str) -> tuple[str, str, None]:
        root = shared if name.startswith(_SHARED_PREFIX) else own
        # Links are followed before the look: one that leads out of the folder is no file of it.
        path = os.path.realpath(os.path.join(root, name.removeprefix(_SHARED_PREFIX)))
        if os.path.dirname(path) != root or not path.endswith(SUFFIX) or not os.path.isfile(path):
            raise jinja.TemplateNotFound(name)
        if os.path.getsize(path) > _MOST_BYTES:
            raise jinja.TemplateNotFound(name, f"{name} is over {_MOST_BYTES} bytes")
        return Path(path).read_text(encoding="utf-8"), path, None

    return sandbox.ImmutableSandboxedEnvironment(
        loader=jinja.FunctionLoader(load),
        autoescape=False,
        undefined=jinja.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


def _jinja() -> Any:
    return _library("jinja2")


def _library(name: str) -> Any:
    """A library of the extra ``delivery``, imported when a prompt is rendered."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        message = f"delivery needs {name}: pip install headworks[delivery]"
        raise ConfigError("E_CONFIG", message) from problem
