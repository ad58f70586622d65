"""Furniture: headers and footers of all sections, each distinct one once.

Takes the sections' properties, gives blocks with the roles page_header, page_footer,
page_number and watermark. Never mixes them with the body: they stand behind it.
"""

import re

from headworks.model.document import Role
from headworks.readers.docx.names import R_ID, W_INSTRTEXT, w
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.story import Shared, Story, is_page_number

_ROLES: dict[str, Role] = {
    w("headerReference"): "page_header",
    w("footerReference"): "page_footer",
}
_DIGITS = re.compile(r"\d+")


def write_furniture(package: Package, main: str, sections: list[Element], shared: Shared) -> None:
    """Write the headers and footers that the sections refer to, in their order."""
    relations = package.relations(main)
    parts: dict[str, Role] = {}
    for section in sections:
        for child in section:
            role = _ROLES.get(child.tag)
            relation = relations.get(child.get(R_ID) or "") if role is not None else None
            if role is not None and relation is not None and not relation.external:
                parts.setdefault(relation.target, role)
    if package.damage and not parts:
        # The references went down with the body's end; the parts tell what they are.
        for relation in relations.values():
            if relation.kind in ("header", "footer"):
                role = "page_header" if relation.kind == "header" else "page_footer"
                parts.setdefault(relation.target, role)
    seen: set[tuple[str, str]] = set()
    for part, role in parts.items():
        root = package.tree(part)
        if root is None:
            shared.builder.problem("W_PART", "a header or footer is missing", place=part)
            continue
        print_ = (role, _fingerprint(root))
        if print_ not in seen:
            seen.add(print_)
            Story(shared, part, role).write(root)


def _fingerprint(root: Element) -> str:
    """Give what a header says; the number stored for a page field does not count."""
    text = "".join(root.itertext())
    paged = any("PAGE" in (element.text or "") for element in root.iter(W_INSTRTEXT))
    if paged or is_page_number(text):
        text = _DIGITS.sub("#", text)
    return " ".join(text.split())
