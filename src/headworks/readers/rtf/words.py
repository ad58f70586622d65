"""Control words of RTF: which groups hold text, which characters and code pages words stand for.

Takes nothing, gives tables. Never holds logic.
"""

from typing import Literal

from headworks.model.document import Align

Place = Literal[
    "skip", "fonts", "styles", "header", "footer", "footnote", "comment", "info", "box", "double"
]  # fmt: skip

# What a group beginning with the word holds. Starred groups that are not here are skipped.
PLACES: dict[str, Place] = {
    "fonttbl": "fonts", "stylesheet": "styles",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "header"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footer"),
    "footnote": "footnote", "annotation": "comment", "shptxt": "box", "upr": "double",
    **dict.fromkeys(("title", "author", "subject", "keywords", "company", "atnauthor"), "info"),
    **dict.fromkeys((
        "colortbl", "pict", "fldinst", "objdata", "objclass", "objname", "shprslt",
        "nonshppict", "nonesttables", "sp", "doccomm", "operator", "creatim", "revtim",
        "printim", "buptim", "listtable", "listoverridetable", "revtbl", "rsidtbl", "xe", "tc",
        "rxe", "bkmkstart", "bkmkend", "pnseclvl", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc",
        "template", "generator", "themedata", "datastore", "latentstyles", "filetbl",
        "do", "htmltag", "mhtmltag", "private", "background", "comment", "category", "manager",
        "hlinkbase", "atnid", "atndate", "atnref", "atnparent", "atntime", "annotationicon",
    ), "skip"),
}  # fmt: skip
# Starred groups whose content is read in place.
OPEN_STARRED = frozenset({
    "shpinst", "ud", "annotation", "atnauthor", "moMath", "moMathPara", "shptxt", "footnote",
})  # fmt: skip
CHARACTERS = {
    "tab": "\t", "line": "\n", "lbr": "\n", "emdash": "—", "endash": "–", "lquote": "‘",
    "rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•", "emspace": " ",
    "enspace": " ", "qmspace": " ", "~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\",
    "-": "", ":": "", "|": "", "column": "\n", "softline": "\n",
}  # fmt: skip
ALIGNS: dict[str, Align] = {"ql": "left", "qc": "center", "qr": "right", "qj": "justify"}
# The character set of a font, and the code page it is written in.
CHARSETS = {
    77: "mac-roman", 78: "cp932", 79: "cp949", 80: "gb18030", 81: "big5hkscs", 128: "cp932",
    129: "cp949", 130: "johab", 134: "gb18030", 136: "big5hkscs", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
PAGES = {936: "gb18030", 950: "big5hkscs", 10000: "mac-roman", 65001: "utf-8", 54936: "gb18030"}
