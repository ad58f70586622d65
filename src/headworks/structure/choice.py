"""The choice of a profile by evidence: label families, words at the beginning, share of tables.

Takes a document and its accepted labels, gives the profile's name and why. Never asks for more
than a weak lead over ``general``: a wrong zone is worse than a plain one.
"""

from collections import Counter
from collections.abc import Sequence

from headworks.model.document import Document, Profile
from headworks.structure.candidates import Candidate
from headworks.structure.profiles import NAMES, load_profile
from headworks.structure.runs import Accepted

_FIRST_CHARS = 3000
_LEAST = 3.0
_MOSTLY_TABLES = 0.8


def choose_profile(
    document: Document, found: Sequence[Candidate], accepted: Sequence[Accepted]
) -> Profile:
    """Give the profile that the evidence speaks for."""
    length = len(document.text)
    tables = sum(len(block.span) for block in document.blocks if block.kind == "table")
    if length and tables >= _MOSTLY_TABLES * length:
        return Profile("table", f"{round(100 * tables / length)}% of the text is tables")
    families: Counter[str] = Counter()
    for step in accepted:
        label = found[step.candidate].label
        if label is not None:
            families[label.family] += 1
    head = document.text[:_FIRST_CHARS]
    scores: dict[str, tuple[float, list[str]]] = {}
    for name in NAMES:
        rules = load_profile(name)
        score, why = 0.0, []
        for family, weight in rules.evidence.items():
            if families[family]:
                score += weight * min(1.0, families[family] / 3)
                why.append(f"{families[family]} labels {family}")
        for word, weight in rules.evidence_words.items():
            if word in head:
                score += weight
                why.append(word)
        scores[name] = (score, why)
    best = max(NAMES, key=lambda name: scores[name][0])
    score, why = scores[best]
    if score < _LEAST:
        return Profile("general", "no other profile has evidence enough")
    return Profile(best, "found " + ", ".join(why))
