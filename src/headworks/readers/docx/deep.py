"""Parts whose elements nest deeper than any office program makes them: read, and made shallow.

Takes a part's bytes, gives a tree in which tables far down are the paragraphs that stood in them.
Never loses a paragraph; what nests deeper than the parser bears at all is refused by it.
"""

from typing import Any

from lxml import etree

from headworks.readers.docx.names import W_P, W_TBL

MOST_TABLES = 32  # in each other: people see no more of them than a column of lines


def deep_tree(content: bytes, parser: Any) -> Any:
    """Give the root, with the tables that are too far in others replaced by what is in them."""
    root = etree.fromstring(content, parser)
    for table in _too_deep(root):
        parent = table.getparent()
        place = parent.index(table)
        parent[place : place + 1] = _paragraphs(table)
    return root


def _too_deep(root: Any) -> list[Any]:
    """Give the outermost of the tables that stand in too many others."""
    found: list[Any] = []
    open_tables = 0
    for event, element in etree.iterwalk(root, events=("start", "end"), tag=W_TBL):
        open_tables += 1 if event == "start" else -1
        if event == "start" and open_tables == MOST_TABLES + 1:
            found.append(element)
    return found


def _paragraphs(table: Any) -> list[Any]:
    """Give a table's paragraphs, those in the text boxes of others left where they are."""
    found: list[Any] = []
    inside = 0
    for event, element in etree.iterwalk(table, events=("start", "end"), tag=W_P):
        if event == "start":
            if not inside:
                found.append(element)
            inside += 1
        else:
            inside -= 1
    return found
