"""The names of WordprocessingML as lxml spells them, computed once.

Takes nothing, gives constants: ``W_P`` is ``{namespace}p``. Never holds logic.
"""

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
WP = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
WPS = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
V = "urn:schemas-microsoft-com:vml"
O = "urn:schemas-microsoft-com:office:office"  # noqa: E741 - the prefix that the standard uses
W14 = "http://schemas.microsoft.com/office/word/2010/wordml"
W15 = "http://schemas.microsoft.com/office/word/2012/wordml"

# Strict documents (ISO 29500 strict) carry these; they are renamed before parsing.
STRICT = (
    (b"http://purl.oclc.org/ooxml/wordprocessingml/main", W.encode()),
    (
        b"http://purl.oclc.org/ooxml/presentationml/main",
        b"http://schemas.openxmlformats.org/presentationml/2006/main",
    ),
    (b"http://purl.oclc.org/ooxml/officeDocument/relationships", R.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/main", A.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing", WP.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/chart", C.encode()),
    (b"http://purl.oclc.org/ooxml/drawingml/diagram", DGM.encode()),
    (b"http://purl.oclc.org/ooxml/officeDocument/math", M.encode()),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/extendedProperties",
        b"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/customProperties",
        b"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties",
    ),
    (
        b"http://purl.oclc.org/ooxml/officeDocument/docPropsVTypes",
        b"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes",
    ),
)


def w(name: str) -> str:
    """Give a name of the main namespace, ``w("p") == "{…}p"``."""
    return f"{{{W}}}{name}"


def m(name: str) -> str:
    """Give a name of the formula namespace."""
    return f"{{{M}}}{name}"


W_BODY, W_P, W_R, W_T = w("body"), w("p"), w("r"), w("t")
W_PPR, W_RPR, W_SECTPR = w("pPr"), w("rPr"), w("sectPr")
W_TBL, W_TR, W_TC = w("tbl"), w("tr"), w("tc")
W_TBLPR, W_TRPR, W_TCPR, W_TBLGRID = w("tblPr"), w("trPr"), w("tcPr"), w("tblGrid")
W_SDT, W_SDTPR, W_SDTCONTENT = w("sdt"), w("sdtPr"), w("sdtContent")
W_INS, W_DEL, W_MOVEFROM, W_MOVETO = w("ins"), w("del"), w("moveFrom"), w("moveTo")
W_VAL, W_ID, W_TYPE = w("val"), w("id"), w("type")
W_NUMPR, W_NUMID, W_ILVL = w("numPr"), w("numId"), w("ilvl")
W_STYLE, W_PSTYLE, W_RSTYLE = w("style"), w("pStyle"), w("rStyle")
W_TAB, W_BR, W_CR, W_SYM = w("tab"), w("br"), w("cr"), w("sym")
W_FLDCHAR, W_FLDCHARTYPE, W_INSTRTEXT = w("fldChar"), w("fldCharType"), w("instrText")
W_TXBXCONTENT, W_AUTHOR, W_DATE = w("txbxContent"), w("author"), w("date")
W_PAGEBREAK = w("lastRenderedPageBreak")
W_DRAWING, W_PICT, W_OBJECT = w("drawing"), w("pict"), w("object")
MC_ALTERNATE = f"{{{MC}}}AlternateContent"
MC_CHOICE, MC_FALLBACK = f"{{{MC}}}Choice", f"{{{MC}}}Fallback"
R_ID, R_EMBED = f"{{{R}}}id", f"{{{R}}}embed"
M_OMATH, M_OMATHPARA = m("oMath"), m("oMathPara")

_OFF = frozenset({"0", "false", "off", "none"})


def on(value: str | None) -> bool:
    """Tell whether an on/off element holds: present without a value means on."""
    return value is None or value not in _OFF


def number(value: str | None) -> int | None:
    """Give an attribute's integer, or none where it is absent or no number."""
    if value is None:
        return None
    try:
        return int(value)
    except ValueError:
        try:
            return int(float(value))
        except (ValueError, OverflowError):
            return None
