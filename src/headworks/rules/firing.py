"""Running one rule over one view: does it fire, where, with which values.

Takes a ready rule and a view, gives what fired. Never decides what follows from it.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence

import msgspec

from headworks.model.place import Span
from headworks.model.verdict import Hit, Value
from headworks.privacy.recognizers import DETECTORS
from headworks.privacy.tokens import Mark
from headworks.rules.compile import clause_start
from headworks.rules.entities import RECOGNIZERS, Recognizer
from headworks.rules.lines import holds_in, lines_with, said_in
from headworks.rules.ready import Ready
from headworks.rules.sequence import CompiledSequence, SequenceHit
from headworks.rules.syntax import Condition, Entity, terms_of, walk
from headworks.rules.typed import values_of
from headworks.rules.view import Spots, View, onward

_EXTRACT_REACH = 60


class Fired(msgspec.Struct, frozen=True, eq=False):
    """A rule that holds in a view, once: places in the sheet, values by name.

    The places of the values count from ``base`` on.
    """

    ready: Ready
    view: View
    spots: Spots
    values: dict[str, Value]
    notes: tuple[str, ...] = ()
    whole: tuple[int, int] | None = None
    base: int = 0

    @property
    def reach(self) -> tuple[int, int]:
        """The range of the sheet that the evidence covers; the view's where there is none."""
        if self.whole is not None:
            return self.whole
        own = self.view.own_start
        if not self.spots:
            return own, self.view.end
        # A repeated table header is no place of the chunk, unless all stands there.
        spots = [spot for spot in self.spots if spot.start >= own] or self.spots
        return min(spot.start for spot in spots), max(spot.end for spot in spots)

    @property
    def span(self) -> Span:
        """The same in the document."""
        whole = self.whole
        return self.view.span(*(self.reach if whole is None else whole))

    def hit(self, phase: str, span: Span | None = None) -> Hit:
        """Give the hit as the verdict carries it (``span``, where the caller has it already)."""
        ready = self.ready
        values = {name: self._in_document(value) for name, value in self.values.items()}
        return Hit(
            ready.name,
            ready.label,
            phase,
            self.span if span is None else span,
            values,
            (ready.reason, *self.notes),
        )

    def redactions(self, names: tuple[str, ...]) -> list[Mark]:
        """Give the ranges to be taken out.

        The values of the entities named, else of those in the condition; every place of the
        condition's word lists and patterns, and of its plain words where no entity is named; with
        none of these, what the condition found.
        """
        named = [RECOGNIZERS[name] for name in names if name in RECOGNIZERS]
        wanted = named or entities_in(self.ready.rule.condition)
        marks = [
            self._mark(value.span.start, value.span.end, _label(recognizer.name))
            for recognizer in wanted
            for value in values_of(self.view, recognizer)
        ]
        finders = self.ready.lists if wanted else (*self.ready.lists, *self.ready.words)
        spots = [place for find in finders for place in find(self.view)]
        if not wanted and not finders:
            spots += [(spot.start, spot.end) for spot in self.spots]
            base = self.base
            spots += [(v.span.start + base, v.span.end + base) for v in self.values.values()]
        label = _label(names[0]) if names else "TEXT"
        return marks + [self._mark(start, end, label) for start, end in dict.fromkeys(spots)]

    def _mark(self, start: int, end: int, label: str) -> Mark:
        plain = "".join(self.view.sheet.text[start:end].split())
        return Mark(self.view.sheet.span(start, end), label, plain, self.ready.name)

    def _in_document(self, value: Value) -> Value:
        start, end = value.span.start, value.span.end
        span = self.view.span(start + self.base, end + self.base)
        if value.kind in _PERSONAL:
            return Value(value.value, value.kind, value.value, span)
        whole = span.end - span.start == end - start
        text = self.view.sheet.document.slice(span) if whole else value.text
        return Value(text, value.kind, value.value, span)


_PERSONAL = frozenset(name for name, known in RECOGNIZERS.items() if known.personal)


def _label(name: str) -> str:
    detector = DETECTORS.get(name)
    return detector.label if detector is not None else name.upper()


def entities_in(condition: Condition) -> list[Recognizer]:
    """Give the recognisers a condition asks for, in order."""
    names = [
        term.name for part in walk(condition) for term in terms_of(part) if isinstance(term, Entity)
    ]
    return [RECOGNIZERS[name] for name in dict.fromkeys(names)]


def fire(ready: Ready, view: View, wider: Callable[[Ready, View], View | None]) -> list[Fired]:
    """Run a rule over a view (or what its depth makes of it); give each time it fires."""
    if ready.rule.depth:
        deeper = wider(ready, view)
        if deeper is None:
            return []
        view = deeper
    spots = ready.test(view)
    if spots is None:
        return []
    if ready.sequence is not None:
        return _sequences(ready, ready.sequence, view)
    notes, values = _annotations(ready, view, spots)
    for spot in spots:
        if spot.value is not None:
            values.setdefault(_zh_of(spot.value.kind), spot.value)
    for name in ready.extracts:
        value = _extracted(name, view, spots)
        if value is not None:
            values[name] = value
    return [Fired(ready, view, spots, values, notes)]


def _sequences(ready: Ready, sequence: CompiledSequence, view: View) -> list[Fired]:
    """Run a sequence over the chunk, and on to the end of the clause it is a part of."""
    around = view
    if _goes_on(sequence, view):
        if not sequence.begins_in(view.sheet.text, view.start, view.end):
            return []
        around = onward(view)
    places = around.places.keys()
    for needed in ready.steps:
        if places.isdisjoint(needed):
            return []
    if sequence.in_line:
        return _line_by_line(ready, sequence, view, around)
    return [
        Fired(ready, view, (), hit.values, hit.reasons, (hit.span.start, hit.span.end))
        for hit in sequence.run(around.sheet.text, around.start, around.end)
        if hit.span.start < view.end
    ]


def _line_by_line(
    ready: Ready, sequence: CompiledSequence, view: View, around: View
) -> list[Fired]:
    """Run a sequence that does not leave its line on the lines that have all it needs."""
    fired: list[Fired] = []
    for base, ends in lines_with(around, ready.anchors, view.end):
        said = said_in(around, base, ends)
        hits: Sequence[SequenceHit] | None = said.found.get(sequence)
        if hits is None:
            hits = ()
            if all(holds_in(around, needed, base, ends) for needed in ready.steps):
                hits = sequence.over(said.stretch)
            said.found[sequence] = hits
        for hit in hits:
            start, end = hit.span.start + base, hit.span.end + base
            if start < view.end:
                fired.append(Fired(ready, view, (), hit.values, hit.reasons, (start, end), base))
    return fired


def _goes_on(sequence: CompiledSequence, view: View) -> bool:
    """Tell whether a sequence that begins in the chunk could end behind it."""
    if sequence.plan.within not in ("sentence", "paragraph"):
        return True
    if view.ends_line:
        return False
    last = view.sheet.text[view.end - 1] if view.end > view.start else ""
    return sequence.plan.within == "paragraph" or last not in "。!?;"


def _zh_of(kind: str) -> str:
    recognizer = RECOGNIZERS.get(kind)
    return recognizer.zh if recognizer is not None else kind


def _annotations(
    ready: Ready, view: View, spots: Spots
) -> tuple[tuple[str, ...], dict[str, Value]]:
    """Give what the guards that only annotate have to say: 受条件词“如”限定."""
    if ready.guards is None or not spots:
        return (), {}
    first = spots[0].start
    guarded = ready.guards.before(view.stretch, first, clause_start(view, first))
    notes = []
    values = {}
    for hit in guarded:
        if hit.action == "annotate":
            notes.append(f"受条件词“{hit.word}”限定")
            span = Span(hit.start, hit.start + len(hit.word))
            values["conditional"] = Value(hit.word, hit.guard, "conditional", span)
    return tuple(dict.fromkeys(notes)), values


def _extracted(name: str, view: View, spots: Spots) -> Value | None:
    """Give the value that 提取“违约金比例” means: one of the kind its name ends with, near."""
    if not spots:
        return None
    start = min(spot.start for spot in spots)
    end = max(spot.end for spot in spots)
    for spot in spots:
        if spot.value is not None and _names(name, spot.value.kind):
            return spot.value
    recognizer = _kind_named(name)
    if recognizer is None:
        text = view.sheet.text[start:end]
        return Value(text, "text", text, Span(start, end))
    ends = view.stretch.sentences()
    place = bisect_left(ends, end)
    limit = ends[place] if place < len(ends) else view.end
    for value in values_of(view, recognizer):
        if start <= value.span.start <= min(limit, end + _EXTRACT_REACH):
            return value
    return None


def _names(name: str, kind: str) -> bool:
    recognizer = _kind_named(name)
    return recognizer is not None and recognizer.name == kind


def _kind_named(name: str) -> Recognizer | None:
    fitting = [known for known in RECOGNIZERS if name.endswith(known)]
    return RECOGNIZERS[max(fitting, key=len)] if fitting else None
