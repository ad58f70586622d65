"""The names of PresentationML and DrawingML as lxml spells them, computed once.

Takes nothing, gives constants: ``P_SP`` is ``{namespace}sp``. Never holds logic.
"""

from headworks.readers.docx.names import DGM, A, C, R

P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_CHART_EX = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_MODERN = "http://schemas.microsoft.com/office/powerpoint/2018/8/main"


def a(name: str) -> str:
    """Give a name of DrawingML."""
    return f"{{{A}}}{name}"


def p(name: str) -> str:
    """Give a name of PresentationML."""
    return f"{{{P}}}{name}"


P_SP, P_PIC, P_GROUP, P_FRAME, P_LINE = (
    p("sp"), p("pic"), p("grpSp"), p("graphicFrame"), p("cxnSp"),
)  # fmt: skip
P_TREE = f"{p('cSld')}/{p('spTree')}"
P_NAMED, P_PLACEHOLDER, P_TEXT = p("cNvPr"), p("ph"), p("txBody")
P_SLIDES, P_SIZE, P_OBJECT = f"{p('sldIdLst')}/{p('sldId')}", p("sldSz"), p("oleObj")
P_COMMENT, P_COMMENT_TEXT, P_AUTHOR = p("cm"), p("text"), p("cmAuthor")
MODERN_COMMENT, MODERN_REPLY, MODERN_AUTHOR, MODERN_TEXT = (
    f"{{{_MODERN}}}{name}" for name in ("cm", "reply", "author", "txBody")
)
A_P, A_R, A_T, A_BR, A_FIELD, A_TAB = a("p"), a("r"), a("t"), a("br"), a("fld"), a("tab")
A_PPR, A_RPR, A_NUMBERED = a("pPr"), a("rPr"), a("buAutoNum")
A_LISTS, A_NO_BULLET, A_BULLET = a("lstStyle"), a("buNone"), a("buChar")
A_OFFSET, A_EXTENT, A_CHILD_OFFSET, A_CHILD_EXTENT = a("off"), a("ext"), a("chOff"), a("chExt")
A_TABLE, A_TABLE_PROPERTIES, A_ROW, A_CELL, A_BODY = (
    a("tbl"), a("tblPr"), a("tr"), a("tc"), a("txBody"),
)  # fmt: skip
A_DATA = f"{a('graphic')}/{a('graphicData')}"
A_BLIP, P_BACKGROUND = a("blip"), f"{p('cSld')}/{p('bg')}"
C_CHART, DIAGRAM = f"{{{C}}}chart", f"{{{DGM}}}relIds"
CHART_EX = f"{{{_CHART_EX}}}chart"
R_DATA, R_LINK = f"{{{R}}}dm", f"{{{R}}}id"
