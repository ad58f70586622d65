"""From a chunk to what is asked about it: prompt, context within the model's window, schema.

Takes a document's shelf and the settings, gives questions. Never sends one, and never puts a word
into one that rules redacted.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from headworks.assembly import packed, prompts
from headworks.assembly.answers import Schema
from headworks.assembly.context import Count, Material, Shelf, Wishes
from headworks.assembly.formats import as_jsonl
from headworks.assembly.shapes import ChunkRecord
from headworks.chunking.tokens import counter
from headworks.config import Settings
from headworks.config_delivery import PipelineSettings, TargetSettings
from headworks.errors import ConfigError
from headworks.model.job import work_key

# Targets that are asked in words; the others get the chunk's record.
_BUILT_IN: Literal["extract"] = "extract"
_IN_WORDS = frozenset({"chat", "webhook", "function"})


class Question(msgspec.Struct, frozen=True):
    """What is asked about one chunk for one pipeline.

    ``identity`` is equal where the same is asked of the same target: the words alone for a model,
    the chunk's record too for a target that gets it. ``prompt`` is the prompt's file; ``texts`` are
    the words asked about, of each chunk where it is about several.
    """

    pipeline: str
    target: str
    messages: tuple[tuple[str, str], ...]
    schema: Schema | None
    max_tokens: int
    tokens: int
    payload: bytes
    identity: str
    shown: tuple[str, ...] = ()
    left_out: int = 0
    prompt: str = ""
    texts: tuple[str, ...] = ()
    abroad: tuple[tuple[str, str], ...] = ()


class Asking:
    """Asks as the settings say; ``base`` is the folder that paths of prompts go from."""

    def __init__(self, settings: Settings, base: Path | None = None) -> None:
        self.settings = settings
        self._base = base
        self._count: Count = counter(settings.chunk.tokens)

    def pipelines(self, chunk: ChunkRecord) -> tuple[str, ...]:
        """Give the pipelines a chunk goes to: its route's, or all where its pack wants all."""
        listed = chunk.settings.get("pipelines", "")
        return tuple(filter(None, listed.split(","))) or (chunk.route.pipeline,)

    def pipeline(self, name: str) -> PipelineSettings | None:
        """Give a pipeline's settings, those of the fallback target where it has none, or none."""
        known = self.settings.pipelines.get(name)
        if known is not None:
            return known if known.target else None
        fallback = self.settings.delivery.fallback
        return PipelineSettings(target=fallback) if fallback else None

    def target(self, name: str) -> TargetSettings:
        """Give a target's settings; ``extract`` needs none."""
        return self.settings.targets.get(name) or TargetSettings(kind=_BUILT_IN)

    def check(self) -> None:
        """Refuse targets, prompts and schemas that are not there, before anything is sent."""
        settings = self.settings
        wanted = {name: one.target for name, one in settings.pipelines.items() if one.target}
        if settings.delivery.fallback:
            wanted["delivery.fallback"] = settings.delivery.fallback
        for name, target in wanted.items():
            if target not in settings.targets and target != _BUILT_IN:
                known = ", ".join((*settings.targets, _BUILT_IN))
                message = f"{name}: no target {target!r}; known are {known}"
                raise ConfigError("E_CONFIG", message)
        for pipeline in (self.pipeline(name) for name in settings.pipelines):
            if pipeline is None:
                continue
            for prompt in (pipeline.prompt, *pipeline.prompts.values()):
                prompts.chosen(prompt, "clause", self._base)
            prompts.schema_of(pipeline.answer_schema, self._base)

    def schema(self, chunk: ChunkRecord, name: str) -> Schema | None:
        """Give the schema that an answer about a chunk was asked to keep to."""
        pipeline = self.pipeline(name)
        if pipeline is None or self.target(pipeline.target).kind not in _IN_WORDS:
            return None
        if pipeline.answer_schema:
            return prompts.schema_of(pipeline.answer_schema, self._base)
        prompt = prompts.chosen(_prompt_name(chunk, pipeline), chunk.kind, self._base)
        nothing = Material("-", ())
        return prompts.schema_of(prompts.ask(prompt, _given(chunk, nothing, pipeline, "")).schema)

    def question(self, shelf: Shelf, chunk: ChunkRecord, name: str) -> Question | None:
        """Give what is asked about a chunk for a pipeline; none where that has no target."""
        pipeline = self.pipeline(name)
        if pipeline is None:
            return None
        target = self.target(pipeline.target)
        payload = as_jsonl([chunk]).rstrip(b"\n")
        if target.kind not in _IN_WORDS:
            schema = prompts.schema_of(pipeline.answer_schema, self._base)
            identity = work_key(pipeline.target, _digest(target), chunk.id, _hash(payload))
            return Question(name, pipeline.target, (), schema, pipeline.max_tokens, chunk.tokens,
                            payload, identity)  # fmt: skip
        return self._in_words(shelf, chunk, (name, pipeline), (target, payload))

    def _in_words(
        self,
        shelf: Shelf,
        chunk: ChunkRecord,
        named: tuple[str, PipelineSettings],
        to: tuple[TargetSettings, bytes],
    ) -> Question:
        (name, pipeline), (target, payload) = named, to
        delivery = self.settings.delivery
        room = self.room(pipeline.target)
        depth = chunk.settings.get("depth", "")
        wishes = Wishes(delivery.references, delivery.definitions, delivery.neighbours, depth)
        material = shelf.material(chunk, wishes, room, self._count)
        prompt = prompts.chosen(_prompt_name(chunk, pipeline), chunk.kind, self._base)
        title = "" if delivery.title else shelf.title
        asked = prompts.ask(prompt, _given(chunk, material, pipeline, title))
        schema = prompts.schema_of(pipeline.answer_schema or asked.schema, self._base)
        tokens = sum(self._count(text) for _, text in asked.messages)
        identity = work_key(
            pipeline.target,
            _digest(target),
            _hash(msgspec.json.encode(asked.messages)),
            _hash(msgspec.json.encode(schema)),
            str(pipeline.max_tokens),
            "" if target.kind == "chat" else _hash(payload),
        )
        most = min(pipeline.max_tokens, max(64, target.window - tokens))
        return Question(
            name, pipeline.target, asked.messages, schema, most, tokens, payload, identity,
            material.chunks, material.left_out, f"{prompt.folder}/{prompt.file}", (material.body,),
            material.abroad,
        )  # fmt: skip

    def room(self, target: str) -> int:
        """Give the tokens of a target's window that are for chunks and their context."""
        return int(self.target(target).window * self.settings.delivery.context_share)

    def manner(self, question: Question) -> tuple[object, ...]:
        """Give where and how a question is asked, whatever it is about."""
        pipeline = self.pipeline(question.pipeline)
        assert pipeline is not None  # it asked
        schema = msgspec.json.encode(question.schema)
        return (question.target, question.prompt, schema, pipeline.max_tokens, pipeline.wanted)

    def together(self, shelf: Shelf, chunks: Sequence[ChunkRecord], name: str) -> Question:
        """Give what is asked about several chunks in one call: all of one prompt and schema.

        They stand beside each other in it, so none is shown its neighbours again.
        """
        pipeline = self.pipeline(name)
        assert pipeline is not None  # it asks about each of them
        delivery, target = self.settings.delivery, self.target(pipeline.target)
        wishes = Wishes(delivery.references, delivery.definitions, False)
        spare = self.room(pipeline.target) - sum(chunk.tokens for chunk in chunks)
        held = [
            shelf.material(
                chunk,
                msgspec.structs.replace(wishes, depth=chunk.settings.get("depth", "")),
                chunk.tokens + max(0, spare) // len(chunks),
                self._count,
            )
            for chunk in chunks
        ]
        title = "" if delivery.title else shelf.title
        given = _given_together(chunks, held, pipeline, title)
        prompt = prompts.chosen(_prompt_name(chunks[0], pipeline), chunks[0].kind, self._base)
        asked = prompts.ask(prompt, given)
        schema = prompts.schema_of(pipeline.answer_schema or asked.schema, self._base)
        assert schema is not None  # without one there is no pack
        messages = packed.asked(asked.messages, len(chunks))
        tokens = sum(self._count(text) for _, text in messages)
        most = min(pipeline.max_tokens * len(chunks), max(64, target.window - tokens))
        shape = packed.schema_of_all(schema, len(chunks))
        words, form = msgspec.json.encode(messages), msgspec.json.encode(shape)
        identity = work_key(pipeline.target, _digest(target), _hash(words), _hash(form), str(most))
        shown = tuple(dict.fromkeys(id_ for one in held for id_ in one.chunks))
        return Question(
            name, pipeline.target, messages, shape, most, tokens,
            as_jsonl(chunks).rstrip(b"\n"), identity, shown,
            prompt=f"{prompt.folder}/{prompt.file}", texts=tuple(one.body for one in held),
            abroad=tuple(dict.fromkeys(place for one in held for place in one.abroad)),
        )  # fmt: skip


def _prompt_name(chunk: ChunkRecord, pipeline: PipelineSettings) -> str:
    """Give a chunk's prompt: a rule's, its kind's, its pipeline's."""
    return (
        chunk.settings.get("prompt")
        or pipeline.prompts.get(chunk.kind)
        or (pipeline.prompts.get("table") if chunk.kind == "sheet" else None)
        or pipeline.prompt
    )


def _given(
    chunk: ChunkRecord, material: Material, pipeline: PipelineSettings, title: str
) -> Mapping[str, Any]:
    """Give what a prompt may speak of. Nothing in it was redacted, and nothing names the file.

    ``title`` is left out of the heading path, unless it is all of it.
    """
    path = list(chunk.heading_path)
    if len(path) > 1 and path[0] == title:
        path = path[1:]
    values = [
        {"name": name, "text": value.text, "kind": value.kind, "value": value.value}
        for hit in chunk.hits
        for name, value in hit.values.items()
    ]
    part = chunk.part
    return {
        "body": material.body,
        "context": [msgspec.structs.asdict(piece) for piece in material.pieces],
        "left_out": material.left_out,
        "heading_path": path,
        "anchor": chunk.anchor or "",
        "kind": chunk.kind,
        "zone": chunk.zone,
        "tags": list(chunk.tags),
        "values": values,
        "wanted": list(pipeline.wanted),
        "part": {"index": part.index, "of": part.of} if part else None,
    }


def _given_together(
    chunks: Sequence[ChunkRecord],
    held: Sequence[Material],
    pipeline: PipelineSettings,
    title: str,
) -> Mapping[str, Any]:
    """Give what a prompt may speak of where it is about several chunks, which are numbered."""
    each = [
        _given(chunk, material, pipeline, title)
        for chunk, material in zip(chunks, held, strict=True)
    ]
    passages = [packed.Passage(tuple(one["heading_path"]), one["body"]) for one in each]
    path, body = packed.numbered(passages)
    pieces = {(piece["kind"], piece["text"]): piece for one in each for piece in one["context"]}
    return {
        **each[0],
        "body": body,
        "context": list(pieces.values()),
        "heading_path": list(path),
        "anchor": "",
        "tags": list(dict.fromkeys(tag for one in each for tag in one["tags"])),
        "values": [value for one in each for value in one["values"]],
    }


def _digest(target: TargetSettings) -> str:
    """Give what of a target makes its answers: not how many go to it at a time."""
    return work_key(target.kind, target.url, target.model, target.function, target.path)


def _hash(content: bytes) -> str:
    return work_key(content.hex()) if len(content) < 64 else work_key(content.decode("utf-8"))
