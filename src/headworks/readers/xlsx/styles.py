"""The cell formats of an XLSX package.

Takes the styles part, gives for a style how it shows numbers and texts, and whether it is bold.
Never compiles a format that no cell uses.
"""

from lxml import etree

from headworks.readers.xlsx.codes import BUILTIN
from headworks.readers.xlsx.dates import iso
from headworks.readers.xlsx.formats import (
    Show,
    compile_column,
    compile_format,
    general,
    general_column,
    text_format,
)
from headworks.readers.xlsx.shown import Shown


class Styles:
    """Cell formats by their number: how each shows numbers, and whether its font is bold.

    ``formats`` and ``bold`` go by style; ``codes`` are the file's own beside the builtin ones.
    """

    def __init__(
        self, codes: dict[int, str], formats: list[int], bold: list[bool], date1904: bool
    ) -> None:
        self._codes = {**BUILTIN, **codes}
        self._formats, self._bold = formats, bold
        self._date1904 = date1904
        self._shown: dict[int, Shown] = {}
        self._texts: dict[int, Show | None] = {}

    def numbers(self, style: int) -> Shown:
        """Give the table from stored to shown numbers under a style."""
        key = self._formats[style] if style < len(self._formats) else 0
        if key not in self._shown:
            self._shown[key] = self._compiled(self._codes.get(key, "General"))
        return self._shown[key]

    def _compiled(self, code: str) -> Shown:
        if code == "General":
            return Shown(general, column=general_column)
        show, is_date = compile_format(code, self._date1904)
        if show is general:
            return Shown(general, column=general_column)
        if is_date:
            return Shown(show, lambda raw: iso(raw, self._date1904))
        return Shown(show, general, compile_column(code))

    def text(self, style: int) -> Show | None:
        """Give the function that shows texts under a style; none where they stay as they are."""
        key = self._formats[style] if style < len(self._formats) else 0
        if key not in self._texts:
            code = self._codes.get(key, "General")
            self._texts[key] = text_format(code) if "@" in code else None
        return self._texts[key]

    def bold(self, style: int) -> bool:
        """Tell whether a style's font is bold."""
        return style < len(self._bold) and self._bold[style]


def number_of(entry: etree._Element, name: str) -> int:
    """Give an attribute that is a small number; 0 for anything else."""
    value = entry.get(name) or ""
    return int(value) if value.isdecimal() and len(value) < 9 else 0


def read_styles(root: etree._Element | None, date1904: bool) -> Styles:
    """Give the styles of a styles part; the plain one alone where there is none."""
    if root is None:
        return Styles({}, [], [], date1904)
    codes = {
        number_of(entry, "numFmtId"): entry.get("formatCode") or "General"
        for entry in root.iterfind("{*}numFmts/{*}numFmt")
    }
    fonts = [
        (bold := font.find("{*}b")) is not None and bold.get("val") not in ("0", "false")
        for font in root.iterfind("{*}fonts/{*}font")
    ]
    formats, bold_of = [], []
    for entry in root.iterfind("{*}cellXfs/{*}xf"):
        formats.append(number_of(entry, "numFmtId"))
        font = number_of(entry, "fontId")
        bold_of.append(font < len(fonts) and fonts[font])
    return Styles(codes, formats, bold_of, date1904)
