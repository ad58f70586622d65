"""READ FIRST in this folder: the steps from a read document to a structured one.

Takes a document as a reader gave it, gives the same text with profile, zones, headings, anchors
and references, its tables named by their captions. Never changes the text.
"""

from collections.abc import Callable, Sequence

import msgspec

from headworks.config import StructureSettings
from headworks.model.document import Document, Profile
from headworks.structure.candidates import Candidate, candidates
from headworks.structure.captions import find_captions, with_names, without_forms
from headworks.structure.choice import choose_profile
from headworks.structure.contents import contents_blocks, with_strays
from headworks.structure.definitions import definitions
from headworks.structure.extents import anchors, with_extents
from headworks.structure.filename import check_name
from headworks.structure.findings import reference_problems
from headworks.structure.forms import with_form_heads
from headworks.structure.inner import inner_anchors
from headworks.structure.labels import APPENDIX
from headworks.structure.levels import place
from headworks.structure.lone import with_lone_numbers
from headworks.structure.looks import Looks
from headworks.structure.parts import with_part_titles
from headworks.structure.profiles import load_profile
from headworks.structure.references import references
from headworks.structure.resolve import Index
from headworks.structure.runs import Accepted, read_runs
from headworks.structure.select import select
from headworks.structure.slides import is_deck, outline_of_slides
from headworks.structure.spacing import is_apart, lines_apart
from headworks.structure.titles import Title, find_title, is_peer
from headworks.structure.zones import cover_end, zones

Pass = Callable[[Document], Document]


def structure(document: Document, settings: StructureSettings) -> Document:
    """Give the document with everything that its text says of its own structure."""
    if is_deck(document):
        return outline_of_slides(document, settings)
    looks = Looks(document.blocks)
    contents = contents_blocks(document, looks)
    document = _layered(document, with_strays(document, contents))
    found = with_lone_numbers(document, looks, contents, candidates(document, looks, contents))
    found = with_form_heads(document, looks, contents, found)
    found = lines_apart(document, looks, contents, with_part_titles(document, looks, found))
    accepted = read_runs(found)
    profile = (
        choose_profile(document, found, accepted)
        if settings.profile == "auto"
        else Profile(settings.profile, "asked for")
    )
    rules = load_profile(profile.name)
    profile = msgspec.structs.replace(profile, name=rules.name)
    title = find_title(document, looks, contents)
    if title is not None and (
        is_apart(title, found) or is_peer(document, looks, title, _styled_heads(found))
    ):
        title = None
    sure = _sure_heads(found, accepted, title)
    cover = cover_end(document, contents, sure, _head_lines(found, title), rules)
    labelled = find_captions(document, contents)
    captions = without_forms(labelled)
    captioned = frozenset(caption.block for caption in captions)
    marks = select(document, found, accepted, title, (cover, captioned))
    placed = place(document, marks, title)
    found_zones = zones(document, placed.headings, contents, cover, rules)
    headings = with_extents(document, placed.headings, found_zones)
    placed_anchors = inner_anchors(
        document, anchors(document, marks, placed.of_mark, headings), contents
    )
    structured = _layered(
        document,
        msgspec.structs.replace(
            document,
            blocks=with_names(document, captions, headings),
            profile=profile,
            zones=found_zones,
            headings=headings,
            anchors=placed_anchors,
            definitions=definitions(document),
            steps=(*document.steps, "structure"),
        ),
    )
    skipped = [zone.span for zone in found_zones if zone.kind == "contents"]
    index = Index(structured, labelled, skipped)
    found_refs = _layered(
        document, msgspec.structs.replace(structured, refs=references(structured, index))
    )
    problems = (*document.problems, *reference_problems(found_refs))
    told = _layered(document, msgspec.structs.replace(found_refs, problems=problems))
    return _layered(document, check_name(told))


def _layered(document: Document, structured: Document) -> Document:
    """Give the document on with the views that its text and blocks share with the one before."""
    structured.__dict__["folded"] = document.folded
    structured.__dict__["block_starts"] = document.block_starts
    return structured


def _head_lines(found: Sequence[Candidate], title: Title | None) -> frozenset[int]:
    """Give the blocks of unlabelled lines set like a heading, but the title's."""
    skipped = set(title.blocks) if title else set()
    return frozenset(
        candidate.block
        for candidate in found
        if candidate.label is None
        and candidate.emphasised
        and candidate.reading == "title"
        and candidate.block not in skipped
    )


def _styled_heads(found: Sequence[Candidate]) -> list[int]:
    """Give the blocks of unlabelled lines in a heading style, but titles of appendices."""
    heads: list[int] = []
    appendix = -9
    for candidate in found:
        if candidate.label is not None:
            appendix = candidate.block if candidate.label.family in APPENDIX else appendix
        elif (
            candidate.look.outline is not None
            and candidate.reading == "title"
            and candidate.block - appendix > 3
        ):
            heads.append(candidate.block)
    return heads


def _sure_heads(
    found: Sequence[Candidate], accepted: Sequence[Accepted], title: Title | None
) -> list[int]:
    """Give the starts of lines that end a cover whatever else is found."""
    skipped = set(title.blocks) if title else set()
    # 附件 4 may stand above the title of a document that is itself an attachment.
    top = title.span.start if title is not None else 0
    starts = [
        candidate.start
        for candidate in (found[step.candidate] for step in accepted)
        if candidate.start >= top
        or candidate.label is None
        or candidate.label.family not in APPENDIX
    ]
    starts += [
        candidate.start
        for candidate in found
        if candidate.label is None
        and (candidate.known or candidate.look.outline is not None)
        and candidate.block not in skipped
        and (title is None or candidate.start > title.span.end)
    ]
    return starts
