"""The answer over one document: points and values with what each sentence of them stands on.

Takes what was said about each chunk, gives the records of ``answer.json`` and ``trace.json``. Never
writes a word of its own.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from headworks.assembly.answer_records import (
    CitationRecord,
    FoundValueRecord,
    PointRecord,
    SaidRecord,
    SentenceRecord,
    Support,
)
from headworks.assembly.citations import Citations, Elsewhere, Standing, sentences_of
from headworks.assembly.figures import comparable
from headworks.assembly.join import JoinedPoint, JoinedValue, SaidValue, Speaker, Spoken, join
from headworks.assembly.shapes import ChunkRecord
from headworks.model.document import Document

# Best first: a sentence said about two chunks has the better of their supports.
_ORDER: tuple[Support, ...] = ("quoted", "rule", "near", "words", "none")


class Whole(msgspec.Struct, frozen=True):
    """The answer of a document. Offsets of its sentences are those of a page not yet written."""

    points: list[PointRecord]
    values: list[FoundValueRecord]
    sentences: list[SentenceRecord]
    citations: list[CitationRecord]


def whole(
    document: Document,
    chunks: Sequence[ChunkRecord],
    answers: Sequence[Spoken],
    shown: Mapping[tuple[str, str], Sequence[str]],
    others: Sequence[Elsewhere] = (),
) -> Whole:
    """Give the answer. ``shown`` are the chunks in the context of each (chunk, pipeline).

    ``others`` are the files that those of them are of which are not the document's.
    """
    points, values = join(answers)
    return _Builder(Citations(document, chunks, others), chunks, shown).built(points, values)


class _Builder:
    def __init__(
        self,
        citations: Citations,
        chunks: Sequence[ChunkRecord],
        shown: Mapping[tuple[str, str], Sequence[str]],
    ) -> None:
        self._citations = citations
        self._chunks = {chunk.id: chunk for chunk in chunks}
        self._shown = shown
        self._sentences: list[SentenceRecord] = []

    def built(self, points: Sequence[JoinedPoint], values: Sequence[JoinedValue]) -> Whole:
        found = [self._value(number, value) for number, value in enumerate(values, 1)]
        told = [self._point(number, point) for number, point in enumerate(points, 1)]
        return Whole(told, found, self._sentences, self._citations.records)

    def _point(self, number: int, point: JoinedPoint) -> PointRecord:
        chunks = _once(said.speaker.chunk for said in point.said)
        ids = []
        for sentence in sentences_of(point.text) or [point.text]:
            standings = [
                self._citations.of_sentence(
                    sentence, said.point.quotes, said.speaker.chunk, self._near(said.speaker)
                )
                for said in point.said
            ]
            ids.append(self._sentence("sentence", number, sentence, chunks, _best(standings)))
        supports = [self._sentences[id_ - 1].support for id_ in ids]
        return PointRecord(
            id=number,
            text=point.text,
            section=self._section(chunks[0]),
            chunks=chunks,
            pipelines=_once(said.speaker.pipeline for said in point.said),
            sentences=ids,
            support=max(supports, key=_ORDER.index),
        )

    def _value(self, number: int, value: JoinedValue) -> FoundValueRecord:
        standings = [self._said(said) for said in value.said]
        records = [
            SaidRecord(
                value=said.claim.value,
                chunk=said.speaker.chunk,
                pipeline=said.speaker.pipeline,
                by=said.speaker.by,
                model=said.speaker.model,
                support=standing.support,
                why=standing.why,
                citations=list(standing.citations),
            )
            for said, standing in zip(value.said, standings, strict=True)
        ]
        for form in value.values:
            mine = [
                (said, standing)
                for said, standing in zip(value.said, standings, strict=True)
                if comparable(said.claim.value) == comparable(form)
            ]
            chunks = _once(said.speaker.chunk for said, _ in mine)
            best = _best([standing for _, standing in mine])
            self._sentence("value", number, form, chunks, best)
        return FoundValueRecord(
            number, value.name, value.about, value.kind, list(value.values), records
        )

    def _said(self, said: SaidValue) -> Standing:
        chunk, claim = said.speaker.chunk, said.claim
        if said.range is not None:
            start, end = said.range.start, said.range.end
            cited = self._citations.of_range(start, end, chunk, claim.value)
            return Standing("rule", (cited,))
        return self._citations.of_value(claim.value, claim.quotes, chunk, self._near(said.speaker))

    def _near(self, speaker: Speaker) -> Sequence[str]:
        return self._shown.get((speaker.chunk, speaker.pipeline), ())

    def _sentence(
        self, kind: str, of: int, text: str, chunks: list[str], standing: Standing
    ) -> int:
        number = len(self._sentences) + 1
        self._sentences.append(
            SentenceRecord(
                id=number,
                kind="value" if kind == "value" else "sentence",
                of=of,
                text=text,
                start=0,
                end=0,
                chunks=chunks,
                citations=list(standing.citations),
                support=standing.support,
                why=standing.why,
            )
        )
        return number

    def _section(self, chunk: str) -> str:
        return section(self._chunks[chunk])


def section(chunk: ChunkRecord) -> str:
    """Give the heading that a chunk's points stand under: the first below the document's title."""
    path = chunk.heading_path
    return path[1] if len(path) > 1 else path[0] if path else ""


def _best(standings: Iterable[Standing]) -> Standing:
    """Give the best support, with the citations of all that support as well as it or less."""
    ordered = sorted(standings, key=lambda standing: _ORDER.index(standing.support))
    best = ordered[0]
    if best.support == "none":
        return best
    supporting = [one for one in ordered if one.support != "none"]
    ids = _once(str(id_) for one in supporting for id_ in one.citations)
    return Standing(best.support, tuple(map(int, ids)), best.why)


def _once(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))
