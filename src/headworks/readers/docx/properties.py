"""Properties: what the file says of itself, and what is known of its pages.

Takes the property parts, gives ``Metadata`` to the builder. Never trusts a property with the
text: it is shown beside it.
"""

from headworks.model.document import Metadata
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.names import number
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.story import Story

_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_KEPT = {
    "subject": "subject",
    "keywords": "keywords",
    "category": "category",
    "description": "description",
    "lastModifiedBy": "last_modified_by",
    "revision": "revision",
    "version": "version",
    "contentStatus": "status",
}
_APP = {"Application": "application", "Company": "company", "Template": "template"}


def read_properties(package: Package, builder: DocumentBuilder, story: Story) -> None:
    """Fill the builder's metadata from core, extended and custom properties."""
    parts = {relation.kind: relation.target for relation in package.relations("").values()}
    core = _texts(package.tree(parts.get("core-properties", "docProps/core.xml")))
    app = _texts(package.tree(parts.get("extended-properties", "docProps/app.xml")))
    more: dict[str, str | int | float | list[str]] = {
        name: core[key] for key, name in _KEPT.items() if core.get(key)
    }
    more.update({name: app[key] for key, name in _APP.items() if app.get(key)})
    custom = _custom(package.tree(parts.get("custom-properties", "docProps/custom.xml")))
    if custom:
        more["custom"] = custom
    stated = number(app.get("Pages"))
    pages = story.pages
    reached = pages.page if pages.known else None
    more["page_numbers"] = (
        "rendered" if pages.rendered else "page breaks" if pages.known else "not in the file"
    )
    builder.metadata = Metadata(
        title=core.get("title") or None,
        author=core.get("creator") or None,
        created=core.get("created") or None,
        modified=core.get("modified") or None,
        pages=max(stated or 0, reached or 0) or None,
        more=more,
    )


def _texts(root: Element | None) -> dict[str, str]:
    if root is None:
        return {}
    return {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root}


def _custom(root: Element | None) -> list[str]:
    if root is None:
        return []
    found = []
    for entry in root.iterchildren(f"{{{_CUSTOM}}}property"):
        value = "".join(entry.itertext()).strip()
        if value:
            found.append(f"{entry.get('name')}={value}")
    return found
