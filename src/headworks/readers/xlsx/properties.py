"""The document properties of an OOXML spreadsheet.

Takes a workbook, gives ``Metadata``. Never fails: a workbook without properties has none.
"""

from headworks.model.document import Metadata
from headworks.readers.xlsx.workbook import Workbook


def read_properties(workbook: Workbook) -> Metadata:
    """Give title, author and dates."""
    found: dict[str, str] = {}
    for part in workbook.related("", "core-properties"):
        root = workbook.side_xml(part)
        for entry in root if root is not None else ():
            if isinstance(entry.tag, str) and entry.text and entry.text.strip():
                found[entry.tag.rpartition("}")[2]] = entry.text.strip()
    return Metadata(
        title=found.get("title"),
        author=found.get("creator"),
        created=found.get("created"),
        modified=found.get("modified"),
    )
