"""Furniture: headers and footers of all sections, each distinct one once.

Takes the sections' properties, gives blocks with the roles page_header, page_footer,
page_number and watermark. Never mixes them with the body: they stand behind it.
"""

import re

from headworks.model.document import Role
from headworks.readers.docx.names import R_ID, W_INSTRTEXT, W_P, W_T, W_TYPE, V, w
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.shared import Shared
from headworks.readers.docx.story import Story
from headworks.readers.docx.wording import is_page_number

_ROLES: dict[str, Role] = {
    w("headerReference"): "page_header",
    w("footerReference"): "page_footer",
}
_V_TEXTPATH = f"{{{V}}}textpath"
_DIGITS = re.compile(r"\d+")


def write_furniture(
    package: Package, main: str, sections: list[Element], shared: Shared
) -> dict[str, list[str]]:
    """Write the headers and footers that the sections refer to, in their order.

    Gives their texts for the metadata: each with its variant, ``first: 机密``.
    """
    said: dict[str, list[str]] = {}
    seen: set[tuple[str, str]] = set()
    for part, (role, variant) in _parts(package, main, sections).items():
        root = package.tree(part)
        if root is None:
            shared.builder.problem("W_PART", "a header or footer is missing", place=part)
            continue
        text = _fingerprint(root)
        if (role, text) not in seen:
            seen.add((role, text))
            Story(shared, part, role).write(root)
            if text and not is_page_number(text.replace("#", "0")):
                said.setdefault(f"{role}s", []).append(f"{variant}: {text}")
    return said


def _parts(package: Package, main: str, sections: list[Element]) -> dict[str, tuple[Role, str]]:
    """Give the header and footer parts with their role and variant."""
    relations = package.relations(main)
    parts: dict[str, tuple[Role, str]] = {}
    for section in sections:
        for child in section:
            role = _ROLES.get(child.tag)
            relation = relations.get(child.get(R_ID) or "") if role is not None else None
            if role is not None and relation is not None and not relation.external:
                parts.setdefault(relation.target, (role, child.get(W_TYPE) or "default"))
    if package.damage and not parts:
        # The references went down with the body's end; the parts tell what they are.
        for relation in relations.values():
            if relation.kind in ("header", "footer"):
                kind: Role = "page_header" if relation.kind == "header" else "page_footer"
                parts.setdefault(relation.target, (kind, "default"))
    return parts


def _fingerprint(root: Element) -> str:
    """Give what a header says; the number stored for a page field does not count."""
    pieces = ["".join(paragraph.itertext(W_T)) for paragraph in root.iter(W_P)]
    pieces += [art.get("string") or "" for art in root.iter(_V_TEXTPATH)]
    text = " ".join(pieces)
    paged = any("PAGE" in (element.text or "") for element in root.iter(W_INSTRTEXT))
    if paged or is_page_number(text):
        text = _DIGITS.sub("#", text)
    return " ".join(text.split())
