"""The actions of a rule in YAML: sentences, names, mappings such as ``{tag: X}``.

Takes a rule's fields, gives actions in order. Never takes an action it does not know.
"""

import msgspec

from headworks.rules.action_grammar import parse_action
from headworks.rules.actions import ACTIONS, BY_KEY, depth_of, priority_of
from headworks.rules.complaints import SentenceError, nearest
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import Lexicon
from headworks.rules.nodes import Node, Source, field_map
from headworks.rules.reading import Reading
from headworks.rules.syntax import Action


class ActionReader:
    """Reads the actions of one file's rules."""

    def __init__(self, source: Source, lexicon: Lexicon) -> None:
        self.source = source
        self.lexicon = lexicon

    def read(self, fields: dict[str, Node]) -> list[Action]:
        """Read all that a rule's fields say is to be done."""
        found: list[Action] = []
        for key in ("then", "action", "actions"):
            if key not in fields:
                continue
            for entry in fields[key].items():
                read = self._mapped if entry.is_map else self.sentence
                found.extend(read(entry))
        if "pipeline" in fields:
            name = fields["pipeline"].sentence()
            found.extend([Action("route", (name.strip(),))] if name else [])
        tags = [fields[key].words() for key in ("tags", "tag") if key in fields]
        found.extend(Action("tag", words) for words in tags if words)
        return found

    def _mapped(self, node: Node) -> list[Action]:
        found: list[Action] = []
        for key, key_node, value in node.fields():
            name = BY_KEY.get(key, key if key in ACTIONS else "")
            if not name and key == "priority":
                name = "priority"
            if not name:
                near = nearest(key, BY_KEY)
                self.source.complain(
                    "E140",
                    f"没有“{key}”这个动作",
                    key_node,
                    (f"是不是“{near}”？" if near else f"能用的动作：{'、'.join(BY_KEY)}",),
                )
                continue
            found.extend(self.value(name, value))
        return found

    def value(self, name: str, value: Node) -> list[Action]:
        """Read the value of one action's key."""
        kind = ACTIONS[name]
        if kind.argument == "none":
            return [Action(name)] if value.is_null or value.truth(True) else []
        if kind.argument == "law" and value.is_map:
            fields = field_map(value, ("law", "article"), "link")
            return [Action(name, tuple(node.text for node in fields.values() if node.text))]
        if kind.argument in ("priority", "depth"):
            chosen = (
                priority_of(value.text) if kind.argument == "priority" else depth_of(value.text)
            )
            if chosen is None:
                self.source.complain("E142", f"“{kind.zh[0]}”后面不能是“{value.text}”", value)
                return []
            return [Action(name, (chosen,))]
        bare = value.is_text and value.text.lower() in ("true", "yes", "")
        if kind.argument == "optional_words" and bare:
            return [Action(name)]
        words = value.words()
        if not words and kind.argument != "optional_words":
            self.source.complain("E141", f"“{kind.zh[0]}”后面需要一个名字", value)
            return []
        return [Action(name, words)]

    def sentence(self, node: Node) -> list[Action]:
        """Read an action written as a sentence or as a bare name (skip)."""
        text = (node.sentence() or "").strip()
        if not text:
            return []
        if text in BY_KEY and ACTIONS[BY_KEY[text]].argument in ("none", "optional_words"):
            return [Action(BY_KEY[text])]
        reading = Reading(Scanner(node.text), self.lexicon, [])
        try:
            return list(parse_action(node.text, reading))
        except SentenceError as problem:
            complaint = problem.complaint
            self.source.complaints.append(
                msgspec.structs.replace(complaint, place=node.place_of(complaint.position))
            )
            return []
