"""Fields: page numbers, tables of contents, cross references and their like.

Takes the marks of fields in reading order (begin, instruction, separate, end), tells whether
what is read now is shown, and what a field without a stored result shows. Never computes a
field anew: the stored result is what a person saw.
"""

import re

from headworks.readers.docx.names import W_VAL, number, on, w
from headworks.readers.docx.package import Element

_W_CHECKBOX, _W_CHECKED, _W_DEFAULT = w("checkBox"), w("checked"), w("default")
_W_LIST, _W_RESULT, _W_ENTRY = w("ddList"), w("result"), w("listEntry")
_PAGE_FIELDS = frozenset({"PAGE", "NUMPAGES", "SECTIONPAGES"})
_CONTENTS_FIELDS = frozenset({"TOC", "TOA"})
_CIRCLED = re.compile(
    r"\\o(?:\\a[clr])?\s*\(\s*[○〇◯OΟ]\s*[,，;]\s*(\d{1,2}|[一-十])\s*\)", re.IGNORECASE
)
_SYMBOL = re.compile(r"^SYMBOL\s+(\d+|0x[0-9a-f]+)", re.IGNORECASE)
_SYMBOL_FONT = re.compile(r'\\f\s+(?:"([^"]+)"|(\S+))')
_MACRO = re.compile(r"^MACROBUTTON\s+\S+\s+(.*)$", re.IGNORECASE | re.DOTALL)
_CIRCLED_IDEOGRAPHS = "㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉"


class Field:
    """One open field."""

    __slots__ = ("instruction", "kind", "separated")

    def __init__(self) -> None:
        self.instruction: list[str] = []
        self.separated = False
        self.kind = ""


class FieldStack:
    """The fields that are open at a place of one story. They may reach over paragraphs."""

    __slots__ = ("_open", "contents", "muted")

    def __init__(self) -> None:
        self._open: list[Field] = []
        self.muted = 0
        self.contents = 0

    @property
    def unclosed(self) -> bool:
        """Tell whether a field is still open: at a story's end the file is wrong."""
        return bool(self._open)

    def begin(self) -> None:
        """Open a field; what follows is its instruction, which is not shown."""
        self._open.append(Field())
        self.muted += 1

    def instruct(self, text: str) -> None:
        """Take a piece of the instruction."""
        if self._open:
            self._open[-1].instruction.append(text)

    def give_up_instructions(self) -> None:
        """Drop fields whose instruction did not end: in a damaged file it would mute the rest."""
        self._open = [field for field in self._open if field.separated]
        self.muted = 0

    def separate(self) -> str:
        """Go on to the result. Gives the field's kind."""
        if not self._open or self._open[-1].separated:
            return ""
        field = self._open[-1]
        field.separated = True
        self.muted -= 1
        field.kind = kind_of("".join(field.instruction))
        if field.kind in _CONTENTS_FIELDS:
            self.contents += 1
        return field.kind

    def end(self) -> tuple[str, str, str | None]:
        """Close a field. Gives its kind, what it shows where it has no result, and a font."""
        if not self._open:
            return "", "", None
        field = self._open.pop()
        if field.separated:
            if field.kind in _CONTENTS_FIELDS:
                self.contents -= 1
            return field.kind, "", None
        self.muted -= 1
        return resultless("".join(field.instruction))


def form_value(form: Element) -> str:
    """Give what a form's check box or drop-down list shows; a text field has a result."""
    box, choices = form.find(_W_CHECKBOX), form.find(_W_LIST)
    if box is not None:
        state = box.find(_W_CHECKED)
        state = state if state is not None else box.find(_W_DEFAULT)
        return "☑" if state is not None and on(state.get(W_VAL)) else "☐"
    if choices is None:
        return ""
    chosen = choices.find(_W_RESULT)
    chosen = chosen if chosen is not None else choices.find(_W_DEFAULT)
    at = number(chosen.get(W_VAL)) if chosen is not None else 0
    entries = [entry.get(W_VAL) or "" for entry in choices.iterchildren(_W_ENTRY)]
    return entries[at] if at is not None and 0 <= at < len(entries) else ""


def kind_of(instruction: str) -> str:
    """Give an instruction's first word in capitals: ``PAGEREF``, ``TOC``."""
    words = instruction.split(None, 1)
    return words[0].upper() if words else ""


def counts_pages(kind: str) -> bool:
    """Tell whether a field is a page number or a number of pages."""
    return kind in _PAGE_FIELDS


def resultless(instruction: str) -> tuple[str, str, str | None]:
    """Give kind, shown text and font of a field whose instruction alone makes what is seen."""
    instruction = instruction.strip()
    kind = kind_of(instruction)
    if kind == "EQ":
        circled = _CIRCLED.search(instruction)
        return kind, _in_circle(circled[1]) if circled else "", None
    if kind == "SYMBOL":
        found, font = _SYMBOL.match(instruction), _SYMBOL_FONT.search(instruction)
        code = int(found[1], 0) if found else 0
        name = (font[1] or font[2]) if font else None
        return kind, chr(code) if 0 < code < 0xD800 or 0xE000 <= code < 0x110000 else "", name
    if kind == "MACROBUTTON":
        macro = _MACRO.match(instruction)
        return kind, macro[1] if macro else "", None
    return kind, "", None


def _in_circle(text: str) -> str:
    if text.isdigit():
        value = int(text)
        return chr(0x245F + value) if 1 <= value <= 20 else f"({text})"
    value = "一二三四五六七八九十".find(text)
    return _CIRCLED_IDEOGRAPHS[value] if value >= 0 else text
