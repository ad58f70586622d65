"""The examples of a rule: texts that it must match, texts that it must not.

Takes a node, gives ``PackExample`` values. Never runs one.
"""

from headworks.rules.nodes import Node, field_map
from headworks.rules.pack import PackExample

_KEYS = ("text", "captures", "context")
CONTEXT_KEYS = (
    "place", "page", "pages", "filename", "tags", "section", "title", "kind", "has", "previous",
    "next", "elsewhere", "references", "as_of", "zone",
)  # fmt: skip


def read_examples(node: Node) -> tuple[PackExample, ...]:
    """Read ``examples: {should_match: [...], should_not_match: [...]}``."""
    fields = field_map(node, ("should_match", "should_not_match"), "examples")
    found: list[PackExample] = []
    for key, listed in fields.items():
        found.extend(_example(entry, matches=key == "should_match") for entry in listed.items())
    return tuple(found)


def _example(node: Node, *, matches: bool) -> PackExample:
    if node.is_text:
        return PackExample(node.text, matches, place=node.place)
    fields = field_map(node, _KEYS, "样例")
    if "text" not in fields:
        node.source.complain("E402", "样例没有 text", node)
    captures = (
        {key: value.text for key, _, value in fields["captures"].fields()}
        if "captures" in fields
        else {}
    )
    context = {}
    if "context" in fields:
        context = {
            key: value.plain()
            for key, value in field_map(fields["context"], CONTEXT_KEYS, "context").items()
        }
    text = fields["text"].text if "text" in fields else ""
    return PackExample(text, matches, captures, context, node.place)
