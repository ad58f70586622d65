"""The structure phase: what rules ask of the cutting, over the document before there are chunks.

Takes a document and the stage, gives directives. Never cuts: a directive is a wish the cutting
weighs against its invariants.
"""

from itertools import pairwise

from headworks.model.chunk import Chunk, ChunkKind, Directive
from headworks.model.document import Document
from headworks.model.outline import Heading
from headworks.model.place import Span
from headworks.rules.firing import Fired, fire
from headworks.rules.ready import Ready, Stage
from headworks.rules.sheets import Automaton, views_of
from headworks.rules.syntax import Contains, walk
from headworks.rules.view import View
from headworks.rules.widening import widened

_OVER_SECTIONS = frozenset({"keep", "section"})
_FURNITURE = frozenset({"page_header", "page_footer", "page_number", "watermark"})


def directives_of(document: Document, stage: Stage, automaton: Automaton) -> tuple[Directive, ...]:
    """Give the directives, in the order of the text."""
    found: dict[Directive, None] = {}
    wanted = {action.name for ready in stage.rules for action in ready.actions["structure"]}
    if wanted & _OVER_SECTIONS:
        for view in views_of(document, _sections(document), automaton):
            _run(document, view, stage, found, over_sections=True)
    if wanted - _OVER_SECTIONS:
        for view in views_of(document, _paragraphs(document), automaton):
            _run(document, view, stage, found, over_sections=False)
    return tuple(sorted(found, key=lambda directive: (directive.span, directive.action)))


def _run(
    document: Document,
    view: View,
    stage: Stage,
    found: dict[Directive, None],
    *,
    over_sections: bool,
) -> None:
    for ready in stage.candidates(view):
        actions = [
            action.name
            for action in ready.actions["structure"]
            if (action.name in _OVER_SECTIONS) == over_sections
        ]
        if not actions:
            continue
        for fired in fire(ready, view, widened):
            for name in actions:
                directive = _directive(document, name, ready, fired)
                if directive is not None:
                    found[directive] = None


def _directive(document: Document, name: str, ready: Ready, fired: Fired) -> Directive | None:
    chunk = fired.view.chunk
    whole = Span(chunk.start, chunk.end)
    if name == "split":
        return Directive("split", whole, ready.name)
    if name == "strip":
        return Directive("strip", whole, ready.name)
    if name == "section":
        heading = _named_heading(document, ready, chunk)
        return Directive("section", heading.extent, ready.name) if heading else None
    if name == "keep":
        own = document.headings[chunk.trail[-1]] if chunk.trail else None
        return Directive("keep", own.extent if own else whole, ready.name)
    return None


def _named_heading(document: Document, ready: Ready, chunk: Chunk) -> Heading | None:
    """The outermost heading that the rule's words about headings name, else the nearest one."""
    trail = [document.headings[number] for number in chunk.trail]
    trail = [heading for heading in trail if heading.level > 0] or trail
    words = [
        word
        for part in walk(ready.rule.condition)
        if isinstance(part, Contains) and part.subject in ("trail", "title") and not part.negated
        for term in part.terms.terms
        for word in getattr(term, "alternatives", ())
    ]
    for heading in trail:
        if any(word in heading.text for word in words):
            return heading
    return trail[-1] if trail else None


def _sections(document: Document) -> list[Chunk]:
    """Each heading with the text down to the next heading; the text before the first one."""
    starts = [heading.span.start for heading in document.headings]
    borders = sorted({0, *starts, len(document.text)})
    at_start = {heading.span.start: heading for heading in document.headings}
    found = []
    for start, end in pairwise(borders):
        heading = at_start.get(start)
        trail = _trail(document, heading)
        found.append(_stretch(document, Span(start, end), "section", trail))
    return found


def _paragraphs(document: Document) -> list[Chunk]:
    """Each block; furniture too, so that rules about page headers can see it."""
    found = []
    heading = 0
    trail: tuple[int, ...] = ()
    headings = document.headings
    for block in document.blocks:
        while heading < len(headings) and headings[heading].span.start <= block.span.start:
            trail = _trail(document, headings[heading])
            heading += 1
        kind: ChunkKind = "table" if block.kind == "table" else "text"
        if len(block.span) and block.role not in _FURNITURE:
            found.append(_stretch(document, block.span, kind, trail))
    return found


def _trail(document: Document, heading: Heading | None) -> tuple[int, ...]:
    found: list[int] = []
    while heading is not None:
        found.append(heading.id)
        heading = document.headings[heading.parent] if heading.parent is not None else None
    return tuple(reversed(found))


def _stretch(document: Document, span: Span, kind: ChunkKind, trail: tuple[int, ...]) -> Chunk:
    zone = next(
        (zone.kind for zone in document.zones if zone.span.start <= span.start < zone.span.end),
        "body",
    )
    return Chunk("", "", 0, (span,), kind, zone, trail, len(span), 0)
