"""What an upload asks for, from its form's fields; and how its form is told in the OpenAPI.

Takes a form and a caller, gives an ``Upload`` without its file. Never guesses: an unknown field or
a value out of its range is refused by name.
"""

import math
from dataclasses import dataclass

import msgspec
from litestar.openapi.spec import OpenAPIMediaType, Operation, RequestBody, Schema
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType

from headworks.model.job import LEVELS
from headworks.model.verdict import Priority
from headworks.service.intake import Upload
from headworks.store.blobs import Stored
from headworks.web.access import AccessError, Caller
from headworks.web.calls import client_of
from headworks.web.uploads import File, Form, RequestError

# Files of a result that the API gives; what else lies beside them is the service's own.
FILES = {
    "document.json": "application/json",
    "text.txt": "text/plain; charset=utf-8",
    "chunks.jsonl": "application/x-ndjson",
    "ledger.jsonl": "application/x-ndjson",
    "report.html": "text/html; charset=utf-8",
    "answer.json": "application/json",
    "answer.md": "text/markdown; charset=utf-8",
    "trace.json": "application/json",
    "trace.html": "text/html; charset=utf-8",
}
_FIELDS = frozenset({"priority", "client", "tags", "rules", "wait", "stream"})
_MOST_WAIT_SECONDS = 300.0
_MOST_NAME = 200


def upload_of(form: Form, caller: Caller, usual: Priority) -> Upload:
    """Give what is asked for all files of a form. Raises RequestError or AccessError."""
    unknown = sorted(set(form.fields) - _FIELDS)
    if unknown:
        known = ", ".join(sorted(_FIELDS))
        raise RequestError("E_REQUEST", f"no field {unknown[0][:80]!r}; there are: {known}")
    seconds_of(form)
    return Upload(
        name="",
        content=Stored("", 0),
        client=_name(client_of(caller, form.first("client")), "client"),
        priority=_priority(form.first("priority") or usual, caller),
        tags=_tags(form.fields.get("tags", [])),
        rules=_rules(form.fields.get("rules", [])),
        stream=_name(form.first("stream") or "", "stream") or None,
    )


def with_file(upload: Upload, file: File) -> Upload:
    """Give the wishes with one of the form's files."""
    kept = file.kept
    assert isinstance(kept, Stored)
    return msgspec.structs.replace(upload, name=file.name, content=kept)


def seconds_of(form: Form) -> float:
    """Give how long the call waits for a place in the queue."""
    told = form.first("wait") or "0"
    try:
        seconds = float(told)
    except ValueError as fault:
        raise RequestError("E_REQUEST", "wait is a number of seconds", place="wait") from fault
    if not (math.isfinite(seconds) and 0 <= seconds <= _MOST_WAIT_SECONDS):
        message = f"wait is from 0 to {_MOST_WAIT_SECONDS:.0f} seconds"
        raise RequestError("E_REQUEST", message, place="wait")
    return seconds


def _priority(told: str, caller: Caller) -> Priority:
    for known in LEVELS:
        if told == known:
            if not caller.may_ask(known):
                message = f"the key {caller.name!r} may ask for {caller.highest} at most"
                raise AccessError("E_ROLE", message)
            return known
    raise RequestError("E_REQUEST", f"priority is one of {', '.join(LEVELS)}", place="priority")


def _tags(told: list[str]) -> dict[str, str]:
    """Read tags: ``name=value``, several by commas or fields, or one JSON object."""
    tags: dict[str, str] = {}
    for text in told:
        if text.lstrip().startswith("{"):
            try:
                tags |= msgspec.json.decode(text, type=dict[str, str])
            except msgspec.DecodeError as fault:
                message = "tags are name=value, or a JSON object of texts"
                raise RequestError("E_REQUEST", message, place="tags") from fault
            continue
        for pair in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = pair.partition("=")
            if not equals or not name.strip():
                raise RequestError("E_REQUEST", "tags are name=value", place="tags")
            tags[name.strip()] = value.strip()
    return {_name(name, "tags"): _name(value, "tags") for name, value in tags.items()}


def _rules(told: list[str]) -> tuple[str, ...]:
    named = [name.strip() for text in told for name in text.split(",")]
    return tuple(dict.fromkeys(_name(name, "rules") for name in named if name))


def _name(told: str, place: str) -> str:
    if len(told) > _MOST_NAME or any(ord(mark) < 32 for mark in told):
        message = f"at most {_MOST_NAME} characters, none of them a control character"
        raise RequestError("E_REQUEST", message, place=place)
    return told


def _form_schema() -> Schema:
    text = Schema(type=OpenAPIType.STRING)
    return Schema(
        type=OpenAPIType.OBJECT,
        required=["file"],
        properties={
            "file": Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY),
            "priority": Schema(type=OpenAPIType.STRING, enum=list(LEVELS)),
            "client": text,
            "tags": Schema(type=OpenAPIType.STRING, description="name=value, or a JSON object"),
            "rules": Schema(type=OpenAPIType.STRING, description="packs, by commas"),
            "wait": Schema(
                type=OpenAPIType.NUMBER,
                minimum=0,
                maximum=_MOST_WAIT_SECONDS,
                description="seconds to wait for a place where the queue is full",
            ),
            "stream": Schema(
                type=OpenAPIType.STRING,
                description="documents of one stream are processed in the order they came",
            ),
        },
        additional_properties=False,
    )


@dataclass
class UploadOperation(Operation):
    """A call whose body is an upload's form, which is read as a stream and not by the framework."""

    def __post_init__(self) -> None:
        """Tell the form; the framework knows of no body."""
        form = OpenAPIMediaType(schema=_form_schema())
        self.request_body = RequestBody(content={"multipart/form-data": form}, required=True)
