"""Why a rule did not fire, in English: the reasons that the engine gives in Chinese.

Takes a reason, gives it in the language of the reader; the words of rule and text stay. Never
invents one.
"""

import re

from headworks.rules.printer import Language

_REASONS = tuple(
    (re.compile(pattern), english)
    for pattern, english in (
        ("^(?P<rule>[^ ]+) 未触发：(?P<rest>.+)$", "{rule} did not fire: {rest}"),
        ("^“(?P<a>.+)”后面紧接着不许出现的词$", "“{a}” is followed by a word that must not follow"),
        ("^“(?P<a>.+)”后面紧接着“(?P<b>.+)”$", "“{a}” is followed at once by “{b}”"),
        ("^“(?P<a>.+)”前面紧接着“(?P<b>.+)”$", "“{b}” stands right before “{a}”"),
        ("^“(?P<a>.+)”后(?P<n>[0-9]+)字内出现“(?P<b>.+)”$",
         "within {n} characters after “{a}” stands “{b}”"),
        ("^“(?P<a>.+)”前(?P<n>[0-9]+)字内出现“(?P<b>.+)”$",
         "within {n} characters before “{a}” stands “{b}”"),
        ("^“(?P<a>.+)”前出现“(?P<b>.+)”$", "“{b}” stands before “{a}”"),
        ("^“(?P<a>.+)”之后没有找到后续步骤$", "after “{a}” the next steps were not found"),
        ("^中间出现“(?P<a>.+)”$", "“{a}” stands between"),
        ("^没有出现“(?P<a>.*)”$", "“{a}” does not occur"),
        ("^受条件词“(?P<a>.+)”限定$", "conditional: “{a}”"),
        ("^被 (?P<a>.+) 抑制$", "defeated by {a}"),
        ("^守卫词在触发词之前$", "a guard word stands before the trigger"),
        ("^条件在规则的深度内不成立$", "the condition does not hold as deep as the rule looks"),
        ("^(?P<a>.+) 不成立（实际：(?P<b>.+)）$", "{a} fails (found: {b})"),
        ("^(?P<a>.+) 不成立$", "{a} fails"),
    )
)  # fmt: skip


def reason_in(reason: str, language: Language) -> str:
    """Give a reason in Chinese as it is, or in English."""
    if language == "zh":
        return reason
    for pattern, english in _REASONS:
        match = pattern.match(reason)
        if match is not None:
            said = match.groupdict()
            if "rest" in said:
                said["rest"] = reason_in(said["rest"], language)
            return english.format(**said)
    return reason
