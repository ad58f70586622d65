"""Properties: what the file says of itself, and what is known of its pages.

Takes the property parts, gives ``Metadata``. Never trusts a property with the
text: it is shown beside it.
"""

from headworks.model.document import Metadata
from headworks.readers.docx.names import number
from headworks.readers.docx.package import Element, Package
from headworks.readers.docx.pages import PageCount

_CUSTOM = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
# What programs note for themselves.
_NOISE = frozenset(
    {
        "AppVersion",
        "DocSecurity",
        "HyperlinksChanged",
        "LinksUpToDate",
        "ScaleCrop",
        "ShareDoc",
        "ICV",
        "KSOProductBuildVer",
        "KSOTemplateDocerSaveRecord",
        "KSOTemplateUUID",
    }
)
# More characters than this on a page, and the stated number is a generator's default.
_PAGE_HOLDS = 4000
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


class Properties:
    """The core, extended and custom properties of one package."""

    def __init__(self, package: Package) -> None:
        parts = {relation.kind: relation.target for relation in package.relations("").values()}

        def part(kind: str, usual: str) -> Element | None:
            return package.beside(parts.get(kind, usual))

        self._core = _texts(part("core-properties", "docProps/core.xml"))
        self._app = _texts(part("extended-properties", "docProps/app.xml"))
        self._custom = _custom(part("custom-properties", "docProps/custom.xml"))

    @property
    def stated_pages(self) -> int | None:
        """The number of pages that the writing program stated."""
        return number(self._app.get("Pages"))

    def metadata(self, pages: PageCount, length: int, *, known: bool) -> Metadata:
        """Give the metadata; ``length`` is the text's, ``known`` tells whether pages are."""
        core, app = self._core, self._app
        more: dict[str, str | int | float | list[str]] = {
            name: core[key] for key, name in _KEPT.items() if core.get(key)
        }
        more.update({name: app[key] for key, name in _APP.items() if app.get(key)})
        if self._custom:
            more["custom"] = self._custom
        if not known:
            more["page_numbers"] = "not in the file"
        else:
            more["page_numbers"] = "rendered" if pages.rendered else "page breaks"
        stated = self.stated_pages or 0
        if stated * _PAGE_HOLDS < length:
            stated = 0
        return Metadata(
            title=core.get("title") or None,
            author=core.get("creator") or None,
            created=core.get("created") or None,
            modified=core.get("modified") or None,
            pages=max(stated, pages.page if known else 0) or None,
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
        if value and entry.get("name") not in _NOISE:
            found.append(f"{entry.get('name')}={value}")
    return found
