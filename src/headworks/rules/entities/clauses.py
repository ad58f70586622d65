"""References to clauses, attachments and articles of laws, as typed values.

Takes folded text, gives values of kind clause_reference: ``附件三/2.4``, ``《民法典》/585``,
``12/2/1`` for 第十二条第二款第（一）项. Never says whether the target exists: the structure does.
"""

import re

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities.numbers import read_number

_NUMERAL = r"[零〇一二三四五六七八九十百千0-9]{1,7}"
_STEP = (
    rf"第[ ]?(?:[0-9]{{1,3}}(?:\.[0-9]{{1,3}})+|\(?{_NUMERAL}\)?)[ ]?"
    rf"(?:[编章节条款项目](?:之{_NUMERAL})?)"
)
_DOCUMENT = r"《[^《》\n]{2,40}》|附[件录表][ ]?(?:[一二三四五六七八九十0-9]{1,3}|[a-z](?![a-z]))"
_REFERENCE = lazy(
    rf"(?P<doc>{_DOCUMENT})?[ ]?(?:的|中|之)?[ ]?"
    rf"(?P<chain>(?:{_STEP}[ ]?)+(?:\({_NUMERAL}\)项)?"
    rf"|(?<![0-9.])[0-9]{{1,3}}(?:\.[0-9]{{1,3}})+[ ]?[条款项节](?![0-9]))"
    rf"|(?P<alone>附[件录表][ ]?(?:[一二三四五六七八九十0-9]{{1,3}}|[a-z](?![a-z])))"
)
_PART = lazy(rf"[0-9]+(?:\.[0-9]+)+|{_NUMERAL}(?:[)]?[ ]?[编章节条款项目]之{_NUMERAL})?")
_GATE = lazy(r"第|附[件录表]|[0-9]\.[0-9]")


def find_clause_references(text: str) -> list[Value]:
    """Give every reference, in order."""
    if not _GATE.search(text):
        return []
    found = []
    for match in _REFERENCE.finditer(text):
        said = match.group().strip()
        start = match.start() + match.group().index(said) if said else match.start()
        if said[:1] in "的中之":
            start, said = start + 1, said[1:].lstrip()
        span = Span(start, start + len(said))
        found.append(Value(said, "clause_reference", _target(match), span))
    return found


def _target(match: re.Match[str]) -> str:
    if match["alone"]:
        return match["alone"].replace(" ", "")
    parts = [_number(part) for part in _PART.findall(match["chain"])]
    document = (match["doc"] or "").replace(" ", "")
    return "/".join([document, *parts] if document else parts)


def _number(part: str) -> str:
    if "." in part:
        return part
    article, _, insertion = part.partition("之")
    number = read_number(re.sub(r"[^零〇一二三四五六七八九十百千0-9]", "", article))
    inserted = read_number(insertion) if insertion else None
    whole = str(int(number.value)) if number else article
    return f"{whole}-{int(inserted.value)}" if inserted else whole
