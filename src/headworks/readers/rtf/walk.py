"""The walk through RTF: groups, control words, bytes in the code page of their font.

Takes RTF's bytes, tells an ``Output`` what stands on the page. Never goes deeper than a
bound, never decodes a picture.
"""

import re

import msgspec

from headworks.model.document import BlockKind, Role
from headworks.readers.builder import DocumentBuilder
from headworks.readers.docx.symbols import sign
from headworks.readers.encoding import decode
from headworks.readers.rtf.output import CharLook, Output, ParagraphLook, whole
from headworks.readers.rtf.tables import Edge
from headworks.readers.rtf.words import (
    ALIGNS,
    CHARACTERS,
    CHARSETS,
    OPEN_STARRED,
    PAGES,
    PLACES,
)

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|'([0-9a-fA-F]{2})|([^a-zA-Z]))"
    rb"|([{}])|[\r\n\x00]+|([^\\{}\r\n\x00]+)"
)
_ROLES: dict[str, Role] = {"header": "page_header", "footer": "page_footer"}
# What stands beside the text: written behind the paragraph that it is in.
_ASIDE: dict[str, BlockKind] = {"footnote": "footnote", "comment": "comment", "box": "paragraph"}
_SILENT = ("skip", "fonts", "double")
_MAX_DEPTH = 5000
_PRIVATE = re.compile("[\uf000-\uf0ff]")


class _Group(msgspec.Struct):
    """What a group keeps for itself."""

    look: CharLook
    paragraph: ParagraphLook
    place: str = ""
    skip_after_unicode: int = 1
    fresh: bool = True
    starred: bool = False
    opened: bool = False
    fact: str = ""


class Walk:
    """One pass over the bytes."""

    def __init__(self, raw: bytes, builder: DocumentBuilder) -> None:
        self._raw = raw
        self._output = Output(builder)
        self._groups: list[_Group] = [_Group(CharLook(), ParagraphLook())]
        self._bytes = bytearray()
        self._page = "cp1252"
        self._fonts: dict[int, str | None] = {}
        self._font_names: dict[int, str] = {}
        self._default_font: int | None = None
        self._skip = 0
        self._kept: list[tuple[list[tuple[str, CharLook]], ParagraphLook]] = []
        self._edge: dict[str, bool] = {}
        self._author = ""
        self._style = 0
        self._style_outline: int | None = None
        self.facts: dict[str, str] = {}
        self.pictures = 0
        self.whole = False

    def run(self) -> None:
        """Walk to the end."""
        at, raw = self._raw.find(b"{\\rtf"), self._raw
        match = _TOKEN.match(raw, max(0, at))
        while match is not None:
            end = match.end()
            word, value, byte, symbol, brace, text = match.groups()
            if brace == b"{":
                self._open()
            elif brace is not None:
                self._close()
                if len(self._groups) == 1:
                    self.whole = True
                    break
            elif word is not None:
                end += self._word(word.decode("ascii"), int(value) if value else None)
            elif text is not None:
                self._plain(text)
            elif byte is not None:
                self._plain(bytes.fromhex(byte.decode("ascii")))
            elif symbol is not None:
                self._symbol(symbol)
            match = _TOKEN.match(raw, end)
        self._flush()
        self._output.end_paragraph()
        self._output.end_table()

    def _open(self) -> None:
        self._flush()
        self._skip = 0
        above = self._groups[-1]
        if len(self._groups) > _MAX_DEPTH:
            above = msgspec.structs.replace(above, place="skip")
        self._output.look, kept = msgspec.structs.replace(self._output.look), self._output.look
        self._groups.append(
            _Group(
                above.look, kept, above.place, above.skip_after_unicode,
                fact=above.fact,
            )
        )  # fmt: skip

    def _close(self) -> None:
        self._flush()
        self._skip = 0
        if len(self._groups) < 2:
            return
        if len(self._groups) == 2:  # the text's last paragraph needs no mark of its end
            self._output.end_paragraph()
        group = self._groups.pop()
        if group.place == "styles" and self._groups[-1].place == "styles":
            self._end_style()
        if group.opened:
            self._end_aside(group)
        self._output.look = group.paragraph

    def _end_aside(self, group: _Group) -> None:
        output = self._output
        if group.place in _ROLES:
            output.end_paragraph(role=_ROLES[group.place])
            output.take_back(self._kept.pop())
        elif group.place in _ASIDE:
            text, author = output.take_text(), None
            output.take_back(self._kept.pop())
            if group.place == "comment":
                author = self._author or None
                text = f"[批注] {author}: {text}" if author else f"[批注] {text}"
            output.after.append((text, _ASIDE[group.place], author))
        elif group.place == "info":
            text = output.take_text()
            output.take_back(self._kept.pop())
            if group.fact == "atnauthor":
                self._author = text
            else:
                self.facts.setdefault(group.fact, text)

    def _word(self, word: str, value: int | None) -> int:
        """Take a control word; give how many bytes after it belong to it."""
        if word == "bin":
            return max(0, value or 0)
        if self._skip and word not in ("u", "uc"):
            self._skip -= 1
            return 0
        group = self._groups[-1]
        if group.fresh:
            group.fresh = False
            if self._enters(group, word):
                return 0
        if group.place == "skip":
            return 0
        if word == "u":
            self._unicode(value or 0)
        elif word == "uc":
            group.skip_after_unicode = max(0, value if value is not None else 1)
        elif group.place == "fonts":
            self._font_word(word, value)
        elif group.place == "styles":
            self._style_word(word, value)
        elif word in CHARACTERS:
            self._flush()
            self._add(CHARACTERS[word])
        else:
            self._look_word(group, word, value)
        return 0

    def _enters(self, group: _Group, word: str) -> bool:
        """Take the first word of a group: it may say what the group holds."""
        if group.place == "skip":
            return True
        if group.starred and word not in OPEN_STARRED and word not in PLACES:
            group.place = "skip"
            return True
        if word in ("listtext", "pntext"):
            group.fact = "listtext"
            return True
        if word == "ud" and len(self._groups) > 2:  # in place of the older form before it
            group.place = self._groups[-3].place
        place = PLACES.get(word)
        if place is None:
            return word in OPEN_STARRED
        self.pictures += word == "pict"
        group.place = place
        if place in _ROLES or place in _ASIDE or place == "info":
            group.opened = True
            group.fact = word
            self._kept.append(self._output.set_aside())
        return True

    def _look_word(self, group: _Group, word: str, value: int | None) -> None:
        look, output = group.look, self._output
        on = value is None or value != 0
        if word in ("par", "sect", "page"):
            self._flush()
            if group.place in _ASIDE:
                self._add("\n")
            else:
                output.end_paragraph(role=_ROLES.get(group.place, "body"))
        elif word == "pard":
            self._flush()
            output.look = ParagraphLook()
        elif word == "plain":
            self._flush()
            group.look = CharLook(font=self._default_font)
        elif word in ("f", "b", "v", "deleted", "fs"):
            self._flush()
            changes = {
                "f": ("font", value), "fs": ("size", (value or 24) / 2), "b": ("bold", on),
                "v": ("hidden", on), "deleted": ("deleted", on),
            }  # fmt: skip
            name, given = changes[word]
            group.look = msgspec.structs.replace(look, **{name: given})
        elif word in ALIGNS:
            output.look.align = ALIGNS[word]
        elif word == "outlinelevel":
            output.look.outline = value
        elif word == "s":
            output.look.style = value
        elif word == "li":
            output.look.indent = (value or 0) / 20
        elif word in ("ansicpg", "mac", "pc", "pca", "deff"):
            self._page_word(word, value)
        else:
            self._table_word(word, value)

    def _table_word(self, word: str, value: int | None) -> None:
        output = self._output
        if word == "intbl":
            output.look.in_table = True
        elif word == "trowd":
            output.edges, self._edge, output.header_row = [], {}, False
        elif word == "trhdr":
            output.header_row = True
        elif word in ("clmrg", "clvmgf", "clvmrg"):
            name = {"clmrg": "goes_on_right", "clvmgf": "begins_down", "clvmrg": "goes_on_down"}
            self._edge[name[word]] = True
        elif word == "cellx":
            output.edges.append(Edge(value or 0, **self._edge))
            self._edge = {}
        elif word in ("cell", "row", "nestcell"):
            self._flush()
            if self._kept:  # a table of a header or a note
                self._add("\n" if word == "row" else "\t")
                return
            ends = {
                "cell": output.end_cell, "row": output.end_row, "nestcell": output.end_nested_cell,
            }  # fmt: skip
            ends[word]()

    def _page_word(self, word: str, value: int | None) -> None:
        if word == "deff":
            self._default_font = value
            self._groups[-1].look.font = value
        elif word == "ansicpg":
            self._page = PAGES.get(value or 0, f"cp{value}" if value else "cp1252")
        else:
            self._page = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}[word]

    def _font_word(self, word: str, value: int | None) -> None:
        if word == "f":
            self._style = value or 0
            self._fonts[self._style] = None
        elif word == "fcharset":
            self._fonts[self._style] = CHARSETS.get(value or 0)
        elif word == "cpg" and value:
            self._fonts[self._style] = PAGES.get(value, f"cp{value}")

    def _style_word(self, word: str, value: int | None) -> None:
        if word == "s":
            self._style = value or 0
        elif word in ("cs", "ds", "ts"):
            self._style = -1
        elif word == "outlinelevel":
            self._style_outline = value

    def _end_style(self) -> None:
        name = self._output.take_text().rstrip(";")
        if name and self._style >= 0:
            self._output.style_names[self._style] = name, self._style_outline
        self._style, self._style_outline = 0, None

    def _unicode(self, value: int) -> None:
        self._flush()
        self._add(chr(value & 0xFFFF))
        self._skip = self._groups[-1].skip_after_unicode

    def _symbol(self, symbol: bytes) -> None:
        group = self._groups[-1]
        if symbol == b"*":
            group.starred = True
            return
        if self._skip:
            self._skip -= 1
            return
        if symbol in b"\r\n":
            self._word("par", None)
        else:
            self._flush()
            self._add(CHARACTERS.get(symbol.decode("latin-1"), ""))

    def _plain(self, text: bytes) -> None:
        if self._skip:
            dropped = min(self._skip, len(text))
            self._skip -= dropped
            text = text[dropped:]
        group = self._groups[-1]
        group.fresh = False
        if group.place == "fonts":
            self._font_names[self._style] = (
                self._font_names.get(self._style, "") + decode(text).text
            )
        elif group.place not in _SILENT:
            self._bytes += text

    def _flush(self) -> None:
        """Turn the bytes gathered into text of the font's code page."""
        if not self._bytes:
            return
        raw, self._bytes = bytes(self._bytes), bytearray()
        if raw.isascii():
            self._add(raw.decode("ascii"))
            return
        font = self._groups[-1].look.font
        named = self._fonts.get(font) if font is not None else None
        for page in (named, self._page):
            try:
                if page is not None:
                    self._add(raw.decode(page))
                    return
            except (UnicodeDecodeError, LookupError):
                continue
        self._add(decode(raw).text)

    def _add(self, text: str) -> None:
        group = self._groups[-1]
        if not text or group.place in _SILENT:
            return
        if _PRIVATE.search(text):
            text = "".join(sign(char, self._font_name(group), fallback="•") for char in text)
        if group.fact == "listtext":
            text = text.replace("\t", " ")
            self._output.list_text += len(whole(text))
        self._output.run(text, group.look)

    def _font_name(self, group: _Group) -> str | None:
        font = group.look.font
        name = None if font is None else self._font_names.get(font)
        return None if name is None else name.partition(";")[0].strip()
