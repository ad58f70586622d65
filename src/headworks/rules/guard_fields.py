"""The guards of a rule in YAML: the list ``context`` of the shorthand, the mapping ``guards``.

Takes nodes, gives ``Guard`` values. Never takes a word for a guard that means something longer:
不可抗力 is in the list of exceptions of 不.
"""

from headworks.rules.guards import CONDITION, NEGATION, QUESTION, REFERENCE, Guard, guard_of
from headworks.rules.nodes import Node, field_map

_KEYS = ("type", "words", "before", "within", "after", "between", "action", "except")
TYPES: dict[str, tuple[str, ...]] = {
    "negation": NEGATION,
    "否定": NEGATION,
    "condition": CONDITION,
    "条件": CONDITION,
    "question": QUESTION,
    "疑问": QUESTION,
    "reference": REFERENCE,
    "参见": REFERENCE,
    "quotation": (),
    "引文": (),
}


def read_context(node: Node) -> tuple[Guard, ...]:
    """Read ``context: [{type: negation, words: [不, 未]}]``."""
    guards = []
    for entry in node.items():
        fields = field_map(entry, _KEYS, "context")
        kind = fields["type"].choice(tuple(TYPES), "negation") if "type" in fields else "negation"
        guards.append(_guard(kind, fields))
    return tuple(guards)


def read_guards(node: Node) -> tuple[Guard, ...]:
    """Read ``guards: {negation: {words: [不, 未], before: 4, action: reject}}``."""
    guards = []
    if not node.is_map:
        node.source.complain("E403", "guards 要写成“negation: {words: [...]}”", node)
        return ()
    for key, key_node, value in node.fields():
        if key not in TYPES:
            key_node.choice(tuple(TYPES), "negation")
            continue
        guards.append(_guard(key, field_map(value, _KEYS, f"guards.{key}")))
    return tuple(guards)


def _guard(kind: str, fields: dict[str, Node]) -> Guard:
    words = fields["words"].words() if "words" in fields else TYPES[kind]
    settings: dict[str, object] = {}
    for key in ("before", "within"):
        if key in fields:
            text = fields[key].text
            settings["before"] = "sentence" if text == "sentence" else fields[key].number(4)
    if "after" in fields:
        settings["after"] = fields["after"].number()
    if "between" in fields:
        settings["between"] = fields["between"].truth(True)
    if "action" in fields:
        settings["action"] = fields["action"].choice(("reject", "annotate"), "reject")
    if "except" in fields:
        settings["except"] = list(fields["except"].words())
    return guard_of(kind, words, settings)
