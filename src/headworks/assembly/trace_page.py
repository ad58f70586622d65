"""``trace.html``: click a sentence of the answer, see the page it stands on with its box.

Takes the records of an answer and page pictures, gives one self-contained page. Never fetches
anything, never trusts the words of a document or a model, never shows a redacted page's picture.
"""

import html
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import UNSET

from headworks.assembly.answer_page import less_words
from headworks.assembly.answer_records import (
    AnswerRecord,
    FoundValueRecord,
    SentenceRecord,
    TraceRecord,
)
from headworks.assembly.figures import comparable
from headworks.assembly.page_frame import embedded, hashed
from headworks.details import in_chinese

# What a browser opens at once; answer.md and trace.json hold the rest.
_MOST_SENTENCES = 6000


def trace_page(
    answer: AnswerRecord,
    trace: TraceRecord,
    pictures: Mapping[int, str] | None = None,
    language: str = "zh",
) -> bytes:
    """Give the page. ``pictures`` are data addresses by page; pages without one show boxes."""
    kept = trace.sentences[:_MOST_SENTENCES]
    ids = {sentence.id for sentence in kept}
    values: dict[int, list[SentenceRecord]] = {}
    for sentence in kept:
        if sentence.kind == "value":
            values.setdefault(sentence.of, []).append(sentence)
    ordinals = {one.chunk: one.ordinal for one in answer.answers}
    cited = {id_ for sentence in kept for id_ in sentence.citations}
    own = [one for one in trace.citations if one.id in cited and one.folder is UNSET]
    pages = {box.page for one in own for box in one.boxes}
    pages |= {number for one in own for number in one.pages}
    content = {
        "name": answer.source.name,
        "language": language,
        "complete": answer.complete,
        "unsupported": len(answer.unsupported),
        "cost": answer.cost,
        "less": (less_words(answer.cost, "zh"), less_words(answer.cost, "en")),
        "points": [
            {"section": point.section, "sentences": [id_ for id_ in point.sentences if id_ in ids]}
            for point in answer.points
        ],
        "values": [_value(value, values.get(value.id, []), ordinals) for value in answer.values],
        "sentences": [
            {**msgspec.structs.asdict(one), "why": (in_chinese(one.why), one.why)} for one in kept
        ],
        "citations": [one for one in trace.citations if one.id in cited],
        "sizes": trace.sizes,
        "pictures": {
            str(number): picture for number, picture in (pictures or {}).items() if number in pages
        },
    }
    before, between, after = _frame()
    title = html.escape(answer.source.name).encode("utf-8", "replace")
    return b"".join((before, title, between, embedded(content), after))


def _value(
    value: FoundValueRecord, mine: list[SentenceRecord], ordinals: Mapping[str, int]
) -> dict[str, Any]:
    forms = {comparable(one.text): one.text for one in mine}
    return {
        "name": value.name,
        "about": value.about,
        "kind": value.kind,
        "sentences": [one.id for one in mine],
        "said": [
            {
                "form": forms.get(comparable(one.value), one.value),
                "by": one.by,
                "pipeline": one.pipeline,
                "ordinal": ordinals.get(one.chunk, 0),
            }
            for one in value.said
        ],
    }


@cache
def _frame() -> tuple[bytes, bytes, bytes]:
    """Give the page around title and content; its look is the report's, with a little more."""
    here = files("headworks.assembly") / "page"
    page, script = ((here / f"trace.{kind}").read_text(encoding="utf-8") for kind in ("html", "js"))
    style = "".join(
        (here / f"{name}.css").read_text(encoding="utf-8") for name in ("report", "trace")
    )
    page = page.replace("{{style-hash}}", hashed(style)).replace("{{script-hash}}", hashed(script))
    page = page.replace("{{style}}", style).replace("{{script}}", script)
    before, _, rest = page.partition("{{title}}")
    between, _, after = rest.partition("{{content}}")
    return before.encode(), between.encode(), after.encode()


def pictures_in(report: bytes) -> dict[int, str]:
    """Give the page pictures that a document's report.html carries, as data addresses.

    Pages that something was redacted on have none there, and so none here.
    """
    mark = b'<script type="application/json" id="content">'
    start = report.find(mark)
    end = report.find(b"</script>", start)
    if start < 0 or end < 0:
        return {}
    try:
        found = msgspec.json.decode(report[start + len(mark) : end], type=_Carried)
    except msgspec.DecodeError:
        return {}
    return {
        int(number): picture
        for number, picture in found.pictures.items()
        if number.isdigit() and picture.startswith("data:image/")
    }


class _Carried(msgspec.Struct):
    pictures: dict[str, str] = {}
