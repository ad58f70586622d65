"""What all stories of one document share: where blocks go, and what tells their looks.

Takes looks and labels, gives one ``Style`` value for each that differs. Never reads XML.
"""

import msgspec

from headworks.model.document import Block, Style
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.asides import Asides
from headworks.readers.docx.marks import Revisions
from headworks.readers.docx.numbering import Label, Numbering
from headworks.readers.docx.styles import ParagraphLook, StyleSheet


class Shared(msgspec.Struct):
    """The parts that the stories of a document have in common."""

    builder: DocumentBuilder
    styles: StyleSheet
    numbering: Numbering
    revisions: Revisions
    asides: Asides | None = None
    looks: dict[tuple[object, ...], Style] = {}
    by_field: list[Block] = []

    def style(
        self, look: ParagraphLook, worn: tuple[float | None, str | None, bool], label: Label | None
    ) -> Style:
        """Give the style of a block: its paragraph's look, what most of its text wears, its list.

        The looks are asked for by identity: each is kept as long as the document is read.
        """
        # A list without visible numbers is none to a person.
        listed = label is not None and bool(label.text)
        list_id = label.list_id if label is not None and listed else None
        level = label.level if label is not None and listed else None
        key = (id(look), worn, list_id, level)
        style = self.looks.get(key)
        if style is None:
            size, font, bold = worn
            style = self.looks[key] = Style(
                name=look.name,
                font=font,
                size=size,
                bold=bold,
                align=look.align,
                outline_level=look.outline_level,
                indent=look.indent,
                space_before=look.space_before,
                page_break_before=look.page_break_before,
                list_id=list_id,
                list_level=level,
            )
        return style
