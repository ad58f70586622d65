"""A sequence as a sentence, for the person who answers for the rule.

Takes a plan, gives its canonical text in Chinese or English. Never leaves out what keeps the
sequence from firing.
"""

from collections.abc import Sequence
from typing import Literal

from headworks.rules.entities import RECOGNIZERS
from headworks.rules.guards import Guard
from headworks.rules.sequence_fields import Capture, Plan, Step

Language = Literal["zh", "en"]

_WITHIN = {
    "sentence": ("同一句内", "within a sentence"),
    "paragraph": ("同一段内", "within a paragraph"),
    "clause": ("同一条内", "within a clause"),
    "section": ("同一节内", "within a section"),
}


def sequence_text(plan: Plan, language: Language = "zh") -> str:
    """Give the whole sequence: where, its steps in order, its stop words, its guards."""
    zh = language == "zh"
    parts = [_step(step, first=index == 0, zh=zh) for index, step in enumerate(plan.steps)]
    where = _WITHIN[plan.within][0 if zh else 1]
    said = f"{where}{'，' if zh else ', '}{('，' if zh else ', ').join(parts)}"
    if plan.stop is not None:
        listed = _words(plan.stop.listed, zh)
        said += f"，遇到{listed}为止" if zh else f", up to {listed}"
    if plan.guards:
        said += ("；" if zh else "; ") + guards_text(plan.guards, language)
    return said


def guards_text(guards: Sequence[Guard], language: Language = "zh") -> str:
    """Give what keeps a trigger from counting, or marks it conditional."""
    zh = language == "zh"
    return ("；" if zh else "; ").join(_guard(guard, zh) for guard in guards)


def _step(step: Step, *, first: bool, zh: bool) -> str:
    parts = []
    if step.words:
        listed = _words(step.words, zh)
        if first:
            parts.append(f"有{listed}" if zh else f"there is {listed}")
        else:
            may = ("可以有" if zh else "there may be") if step.optional else ("有" if zh else "")
            reach = f"其后{step.max_gap}字内{may}" if zh else f"within {step.max_gap} chars {may}"
            parts.append(f"{reach.rstrip()}{'' if zh else ' '}{listed}")
        beside = _beside(step, zh)
        if beside:
            parts[-1] += f"（{beside}）" if zh else f" ({beside})"
    if step.capture is not None:
        parts.append(_capture(step.capture, zh))
    return ("并" if zh else " and ").join(parts)


def _beside(step: Step, zh: bool) -> str:
    shown = (
        (step.not_followed_by, "后6字内没有", "not in the 6 chars after: "),
        (step.not_preceded_by, "前6字内没有", "not in the 6 chars before: "),
        (step.not_next, "紧后不是", "not followed by "),
        (step.not_prev, "紧前不是", "not preceded by "),
        (step.without, "之间没有", "without "),
    )
    said = [
        (chinese if zh else english) + _words(words, zh)
        for words, chinese, english in shown
        if words
    ]
    return ("，" if zh else "; ").join(said)


def _capture(capture: Capture, zh: bool) -> str:
    quoted = f"“{capture.name}”" if zh else f'"{capture.name}"'
    if capture.until is not None:
        listed = _words(capture.kinds, zh)
        return f"取到{listed}为止作为{quoted}" if zh else f"take up to {listed} as {quoted}"
    kinds = [_kind(name, zh) for name in capture.kinds]
    shown = ("或" if zh else " or ").join(kinds)
    said = (
        f"其后{capture.max_gap}字内取{shown}作为{quoted}"
        if zh
        else f"within {capture.max_gap} chars take {shown} as {quoted}"
    )
    limits = []
    if capture.not_next:
        limits.append(("紧后不是" if zh else "not followed by ") + _words(capture.not_next, zh))
    if capture.without:
        limits.append(("之间没有" if zh else "without ") + _words(capture.without, zh))
    if limits:
        inside = ("，" if zh else "; ").join(limits)
        said += f"（{inside}）" if zh else f" ({inside})"
    return said


def _kind(name: str, zh: bool) -> str:
    known = RECOGNIZERS.get(name)
    if known is None:
        return f"“{name}”" if zh else f'"{name}"'
    return known.zh if zh else known.name


def _guard(guard: Guard, zh: bool) -> str:
    acts = guard.action == "reject"
    then = "不算" if acts else "注明有条件"
    if not zh:
        then = "no match" if acts else "marked conditional"
    if guard.kind == "quotation":
        return f"在书名号或引号内的{then}" if zh else f"in a title or quotation: {then}"
    listed = _words(guard.words, zh) if guard.words else ""
    if guard.kind == "question":
        return f"问句{then}" if zh else f"in a question: {then}"
    if guard.after:
        reach = f"其后{guard.after}字内有" if zh else f"in the {guard.after} chars after: "
    elif guard.before == "sentence":
        reach = "句中前面有" if zh else "before it in the sentence: "
    else:
        reach = f"前{guard.before}字内有" if zh else f"in the {guard.before} chars before: "
    return f"{reach}{listed}的{then}" if zh else f"{reach}{listed}: {then}"


def _words(words: tuple[str, ...], zh: bool) -> str:
    if zh:
        return "、".join(f"“{word}”" for word in words)
    return ", ".join(f'"{word}"' for word in words)
