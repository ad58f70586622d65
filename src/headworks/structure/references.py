"""References."""
from headworks.model.document import Document
from headworks.model.outline import CrossRef


def references(document: Document) -> tuple[CrossRef, ...]:
    """Give none."""
    return ()
