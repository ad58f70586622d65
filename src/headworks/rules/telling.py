"""Complaints told in English: what is proposed is put into the language of the sentence.

Takes a complaint, gives its lines. Never shows a Chinese proposal to somebody who writes English,
unless it holds the author's own words.
"""

import re
from typing import Any

from headworks.rules.actions import ACTIONS
from headworks.rules.complaint_codes import meaning
from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.printer import sentence_text
from headworks.rules.telling_words import FIXED, MESSAGES, PHRASES

_HAN = re.compile(r"[\u4e00-\u9fff]")
_QUOTED = re.compile("“[^”]+”")
_IN_QUOTES = re.compile('“[^”]*”|"[^"]*"|「[^」]*」|《[^》]*》|/[^/]*/|@\\S+')
_COUNT = re.compile(r"^至少([0-9]+)个$")
_CHARS = re.compile(r"^([0-9]+)字(内?)$")
_ACTION_NAMES = {kind.zh[0]: kind.en[0] for kind in ACTIONS.values()}
_CLOSED = {"并且": " and ", "或者": " or ", "（": "(", "）": ")"}


def told(complaint: Complaint, language: str) -> list[str]:
    """Give the lines of a complaint: the message, the sentence with a caret, each proposal."""
    if language == "zh":
        return complaint.lines()
    head = f"{complaint.place}: " if complaint.place else ""
    where = f" character {complaint.position}" if complaint.position else ""
    lines = [f"{head}{complaint.code}{where}: {_message(complaint)}"]
    lines += complaint.shown()
    return lines + [f"  try: {english}" for english in map(in_english, complaint.suggestions)]


def as_json(complaint: Complaint, language: str) -> dict[str, Any]:
    """Give the complaint as an editor wants it, told in a language."""
    shown = complaint.as_json()
    if language != "zh":
        shown["message"] = _message(complaint)
        shown["suggestions"] = [in_english(suggestion) for suggestion in complaint.suggestions]
    return shown


def _message(complaint: Complaint) -> str:
    """Give what is wrong, with the rules and words that the Chinese message names."""
    for pattern, english in MESSAGES:
        match = pattern.search(complaint.message)
        if match is not None:
            said = english.format(**match.groupdict())
            return f"{complaint.rule}: {said}" if complaint.rule else said
    return meaning(complaint.code, "en") + _named(complaint)


def _named(complaint: Complaint) -> str:
    """Give the rule and the word that the message names, for a message in English."""
    quoted = _QUOTED.search(complaint.message)
    parts = [complaint.rule] if complaint.rule else []
    if quoted and (not complaint.sentence or quoted.group()[1:-1] in complaint.sentence):
        parts.append(f'"{quoted.group()[1:-1]}"')
    return f" ({', '.join(parts)})" if parts else ""


def in_english(suggestion: str) -> str:
    """Give a proposal in English; the author's own Chinese words stay."""
    if suggestion in FIXED:
        return FIXED[suggestion]
    if suggestion.startswith("能用的动作："):
        names = suggestion.removeprefix("能用的动作：").split("、")
        return f"known actions: {', '.join(_ACTION_NAMES.get(name, name) for name in names)}"
    for pattern, english in PHRASES:
        match = pattern.search(suggestion)
        if match is not None:
            return english.format(said=_sentence(match["said"]))
    return _sentence(suggestion)


def _sentence(said: str) -> str:
    """Give a proposed sentence, or part of one, in English where it can be read."""
    outside = _IN_QUOTES.sub("", said)
    if not _HAN.search(outside) and "（" not in outside:
        return said
    count, chars = _COUNT.match(said), _CHARS.match(said)
    if count is not None:
        return f"at least {count[1]} of"
    if chars is not None:
        return f"within {chars[1]} chars" if chars[2] else f"{chars[1]} chars"
    try:
        sentence, _ = parse_rule(said, Lexicon())
    except SentenceError:
        return _joined(said)
    return (
        sentence_text(sentence, "en").removeprefix("if ")
        if sentence.actions
        else (sentence_text(sentence, "en"))
    )


def _joined(said: str) -> str:
    """Give two conditions of which one cannot be read, with English connectives between them."""
    for chinese, english in _CLOSED.items():
        said = said.replace(chinese, english)
    return said
