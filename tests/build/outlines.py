"""What the tests of headings ask of a text: its structure, and its outline as levels and words."""

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.structure.passes import structure
from tests.build.lines import read_lines


def structured(lines: str) -> Document:
    """Give the structured document of marked lines."""
    return structure(read_lines(lines), StructureSettings())


def outline_of(lines: str) -> list[tuple[int, str]]:
    """Give level and text of each heading."""
    return [(heading.level, heading.text) for heading in structured(lines).headings]
