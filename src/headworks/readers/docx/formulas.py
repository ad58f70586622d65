"""Formulas (OMML) as one line of text: ``x^2``, ``(a+b)/c``, ``√(x)``, ``∑_(i=1)^n``.

Takes an ``m:oMath`` or ``m:oMathPara``, gives its line. Never lays a formula out.
"""

from collections.abc import Callable

from headworks.readers.docx.names import W_T, m
from headworks.readers.docx.package import Element

_M_T, _M_R, _M_E = m("t"), m("r"), m("e")
_M_VAL = m("val")


def linear(element: Element) -> str:
    """Give a formula in one line."""
    pieces: list[str] = []
    for child in element:
        tag = child.tag
        if tag == _M_R:
            pieces.extend(inner.text or "" for inner in child if inner.tag in (_M_T, W_T))
        elif tag in _WRITERS:
            pieces.append(_WRITERS[tag](child))
        elif not tag.endswith("Pr"):
            pieces.append(linear(child))
    return "".join(pieces)


def _part(element: Element, name: str) -> str:
    child = element.find(m(name))
    return "" if child is None else linear(child)


def _closed(text: str) -> str:
    """Give a part so that what follows cannot be mistaken for a piece of it."""
    if len(text) <= 1 or text.isalnum():
        return text
    return text if text[0] in "([{" and text[-1] in ")]}" else f"({text})"


def _property(element: Element, holder: str, name: str, default: str) -> str:
    found = element.find(f"{m(holder)}/{m(name)}")
    if found is None:
        return default
    value = found.get(_M_VAL)
    return default if value is None else str(value)


def _fraction(element: Element) -> str:
    return f"{_closed(_part(element, 'num'))}/{_closed(_part(element, 'den'))}"


def _scripts(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    return (f"_{_closed(below)}" if below else "") + (f"^{_closed(above)}" if above else "")


def _scripted(element: Element) -> str:
    base = _part(element, "e")
    return (base if len(base) <= 1 or base.isalnum() else _closed(base)) + _scripts(element)


def _before_scripted(element: Element) -> str:
    return _scripts(element) + _part(element, "e")


def _root(element: Element) -> str:
    degree = _part(element, "deg")
    sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree, f"root_{_closed(degree)}")
    return f"{sign}({_part(element, 'e')})"


def _nary(element: Element) -> str:
    return _property(element, "naryPr", "chr", "∫") + _scripts(element) + _part(element, "e")


def _delimited(element: Element) -> str:
    opening = _property(element, "dPr", "begChr", "(")
    closing = _property(element, "dPr", "endChr", ")")
    between = _property(element, "dPr", "sepChr", "|")
    return opening + between.join(linear(part) for part in element.iterchildren(_M_E)) + closing


def _function(element: Element) -> str:
    argument = _part(element, "e")
    joint = "" if argument[:1] in "([{" else " "
    return _part(element, "fName") + (joint if argument else "") + argument


def _limit(element: Element) -> str:
    mark = "_" if element.tag == m("limLow") else "^"
    return _part(element, "e") + mark + _closed(_part(element, "lim"))


def _accent(element: Element) -> str:
    return _part(element, "e") + _property(element, "accPr", "chr", "\u0302")


def _stacked(element: Element) -> str:
    return "; ".join(linear(row) for row in element.iterchildren(_M_E))


def _matrix(element: Element) -> str:
    rows = (
        ", ".join(linear(cell) for cell in row.iterchildren(_M_E))
        for row in element.iterchildren(m("mr"))
    )
    return f"[{'; '.join(rows)}]"


_WRITERS: dict[str, Callable[[Element], str]] = {
    m("f"): _fraction,
    m("sSup"): _scripted,
    m("sSub"): _scripted,
    m("sSubSup"): _scripted,
    m("sPre"): _before_scripted,
    m("rad"): _root,
    m("nary"): _nary,
    m("d"): _delimited,
    m("func"): _function,
    m("limLow"): _limit,
    m("limUpp"): _limit,
    m("acc"): _accent,
    m("eqArr"): _stacked,
    m("m"): _matrix,
}
