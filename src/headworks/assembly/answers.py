"""Reading what a model answered, in layers: as it is, embedded, repaired, else kept raw.

Takes the body of a reply and the JSON Schema that was wanted, gives content and how it was got.
Never raises for an answer, never calls a value valid that the schema refuses.
"""

import importlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from headworks.assembly.answer_records import Layer
from headworks.errors import ConfigError

Schema = dict[str, Any]
Validate = Callable[[object], list[str]]

# Beyond it an answer is no answer; repairing one takes more than linear time.
_MOST_CHARS = 400_000
_MOST_TRIES = 40
_MOST_FAULTS = 5
_LONGEST_FAULT = 200
_THINKING = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?</\1>\s*", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"\A.*?</(?:think|thinking|reasoning)>\s*", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"(?:```|~~~)[ \t]*[\w+-]*[ \t]*\r?\n(.*?)(?:```|~~~|\Z)", re.DOTALL)
_OPENER = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder(strict=False)


class ReadAnswer(msgspec.Struct, frozen=True):
    """An answer as it was read.

    ``content`` is its JSON in the layers json, embedded and repaired; ``text`` is the words
    without the model's thinking. ``faults`` say why a layer above did not do; in the layer raw,
    why none did.
    """

    layer: Layer
    content: object
    text: str
    faults: tuple[str, ...] = ()


def read_answer(body: str, schema: Schema | None = None) -> ReadAnswer:
    """Read an answer. Without a schema text is welcome, and JSON is read where it is all of it."""
    text = _thought_out(body)
    validate = _validator(schema)
    faults: list[str] = []
    found = _as_it_is(text, validate, faults)
    if found is not None:
        return ReadAnswer("json", found, text)
    if schema is None and not text.lstrip().startswith(("{", "[", "```", "~~~")):
        return ReadAnswer("text", None, text)
    if len(text) <= _MOST_CHARS:
        found = _embedded(text, validate)
        if found is not None:
            return ReadAnswer("embedded", found, text, tuple(faults))
        found = _repaired(text, schema, validate, faults)
        if found is not None:
            return ReadAnswer("repaired", found, text, tuple(faults))
    else:
        faults.append(f"{len(text)} characters are no answer")
    if schema is None:
        return ReadAnswer("text", None, text, tuple(faults))
    return ReadAnswer("raw", None, text, tuple(faults))


def _thought_out(body: str) -> str:
    """Take the thinking of reasoning models away: it is about the answer, not the answer."""
    text = body.removeprefix("\ufeff")
    text = _THINKING.sub("", text)
    if "</think" in text.lower() and not text.lstrip().startswith(("{", "[")):
        text = _OPEN_THINKING.sub("", text)
    return text.strip()


def _as_it_is(text: str, validate: Validate, faults: list[str]) -> object | None:
    try:
        content: object = json.loads(text)
    except (ValueError, RecursionError) as fault:
        faults.append(_short(f"no JSON: {fault}"))
        return None
    if not isinstance(content, dict | list):
        faults.append("no JSON object")
        return None
    wrong = validate(content)
    faults += wrong
    return None if wrong else content


def _embedded(text: str, validate: Validate) -> object | None:
    """Give the largest JSON inside the text that is valid, or valid one level down."""
    best: object | None = None
    size = 0
    for content, length in _within(text):
        if length > size:
            fitting = _fitting(content, validate)
            if fitting is not None:
                best, size = fitting, length
    return best


def _within(text: str) -> Iterator[tuple[object, int]]:
    """Give JSON objects and lists of fenced blocks and of the text, with their lengths."""
    for block in _FENCE.finditer(text):
        try:
            yield json.loads(block[1]), len(block[1])
        except (ValueError, RecursionError):
            continue
    at = tries = 0
    while tries < _MOST_TRIES and (opener := _OPENER.search(text, at)) is not None:
        tries += 1
        try:
            content, at = _DECODER.raw_decode(text, opener.start())
        except (ValueError, RecursionError):
            at = opener.end()
            continue
        yield content, at - opener.start()


def _fitting(content: object, validate: Validate) -> object | None:
    """Give what is valid: the content itself, or what it is wrapped in one name."""
    if not isinstance(content, dict | list) or not content:
        return None
    if not validate(content):
        return content
    if isinstance(content, dict) and len(content) == 1:
        inner = next(iter(content.values()))
        if isinstance(inner, dict | list) and inner and not validate(inner):
            return inner
    return None


def _repaired(
    text: str, schema: Schema | None, validate: Validate, faults: list[str]
) -> object | None:
    """Give what json-repair makes of the text from its first bracket on, where it is valid."""
    opener = _OPENER.search(text)
    if opener is None:
        faults.append("no bracket in it")
        return None
    # An answer that was cut off is salvaged: what is whole in it, and nothing for the rest.
    tries = ((None, ""), (schema, "standard"), (schema, "salvage")) if schema else ((None, ""),)
    for guide, mode in tries:
        content = _repair(text[opener.start() :], guide, mode)
        if not isinstance(content, dict | list) or not _says_anything(content):
            continue
        fitting = _fitting(content, validate)
        if fitting is not None:
            return fitting
        faults += [fault for fault in validate(content) if fault not in faults]
    return None


def _says_anything(content: object) -> bool:
    """Tell whether there is a value in it: out of prose one can always repair empty lists."""
    if isinstance(content, dict):
        return any(_says_anything(one) for one in content.values())
    if isinstance(content, list):
        return any(_says_anything(one) for one in content)
    return content not in (None, "")


def _repair(text: str, guide: Schema | None, mode: str) -> object:
    library = _library("json_repair")
    try:
        if guide is None:
            return library.loads(text, skip_json_loads=True)
        return library.loads(text, skip_json_loads=True, schema=guide, schema_repair_mode=mode)
    except Exception:  # a broken answer may break its reader: it is kept raw then
        return None


def _validator(schema: Schema | None) -> Validate:
    if schema is None:
        return lambda _: []
    library = _library("jsonschema")
    kind = library.validators.validator_for(schema, default=library.Draft202012Validator)
    # A registry of its own: the library would fetch a $ref to another address.
    validator = kind(schema, registry=_library("referencing").Registry())

    def validate(content: object) -> list[str]:
        found = []
        try:
            for fault in validator.iter_errors(content):
                found.append(_short(f"{fault.json_path}: {fault.message}"))
                if len(found) == _MOST_FAULTS:
                    break
        except Exception as fault:  # nested too deep, or a $ref that leads out of the schema
            found.append(_short(f"the schema cannot be applied: {type(fault).__name__}"))
        return found

    return validate


def check_schema(schema: Schema, place: str) -> None:
    """Refuse what is no JSON Schema, before anything is sent. Raises ConfigError (E_CONFIG)."""
    library = _library("jsonschema")
    kind = library.validators.validator_for(schema, default=library.Draft202012Validator)
    try:
        kind.check_schema(schema)
    except library.SchemaError as fault:
        message = f"no JSON Schema: {fault.json_path}: {fault.message}"
        raise ConfigError("E_CONFIG", message, place=place) from fault


def _short(fault: str) -> str:
    return fault if len(fault) <= _LONGEST_FAULT else fault[:_LONGEST_FAULT] + "…"


def _library(name: str) -> Any:
    """A library of the extra ``delivery``, imported where an answer asks for it."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        message = f"delivery needs {name}: pip install headworks[delivery]"
        raise ConfigError("E_CONFIG", message) from problem
