"""Figures: the lines of text that stand for pictures, charts and diagrams.

Takes a picture's relationship, gives its description, a chart's title and values, a diagram's
words. Never reads a picture's bytes, nor runs an embedded object.
"""

import re
from collections.abc import Iterator

import msgspec

from headworks.readers.docx.drawings import Picture
from headworks.readers.docx.names import DGM, A, C, number
from headworks.readers.docx.package import Element, Package

_A_T, _C_V = f"{{{A}}}t", f"{{{C}}}v"
_C_TITLE, _C_SER = f"{{{C}}}title", f"{{{C}}}ser"
_C_TX, _C_CAT, _C_VAL = f"{{{C}}}tx", f"{{{C}}}cat", f"{{{C}}}val"
_C_XVAL, _C_YVAL, _C_PT = f"{{{C}}}xVal", f"{{{C}}}yVal", f"{{{C}}}pt"
_DGM_PT, _DGM_CXN = f"{{{DGM}}}pt", f"{{{DGM}}}cxn"
# What programs write where a person wrote nothing: file names, counters, machine guesses.
_NO_DESCRIPTION = re.compile(
    r"(?:.*\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp)|(?:图片|图像|图形|形状|Picture|Image|IMG|"
    r"Shape|Object|矩形|文本框|组合|descript)[ _-]?\w{0,16}|"
    r"(?:微信|QQ|屏幕)?(?:图片|截图)[\d_ -]{0,24}|\d{1,6}|[0-9a-f]{16,}|.*(?:描述已自动生成|"
    r"Description automatically generated|AI 生成的内容可能不正确。?))",
    re.IGNORECASE | re.DOTALL,
)
_MAX_POINTS = 200


class Figure(msgspec.Struct, frozen=True):
    """A figure as text: the line that stands for it, and what describes it."""

    text: str
    alt: str


class Figures:
    """The figures of the main part; keeps a list of them for the metadata."""

    def __init__(self, package: Package, main: str) -> None:
        self._package = package
        self._relations = package.relations(main)
        self.listed: list[str] = []
        self.unread: list[str] = []

    def figure(self, picture: Picture) -> Figure | None:
        """Give the line for a picture, chart, diagram or embedded object."""
        relation = self._relations.get(picture.relation or "")
        target = relation.target if relation is not None else ""
        size = f" {picture.width:g}x{picture.height:g} pt" if picture.width else ""
        self.listed.append(f"{picture.kind} {target}{size}")
        alt = described(picture.alt)
        if picture.kind in ("chart", "diagram"):
            root = self._package.beside(target) if target else None
            if root is None:
                self.unread.append(target or picture.kind)
                return None
            lines = chart_lines(root) if picture.kind == "chart" else diagram_lines(root)
            name = "图表" if picture.kind == "chart" else "图示"
            head = f"[{name}：{alt}]" if alt else f"[{name}]"
            return Figure("\n".join([head, *lines]), alt)
        if picture.kind.startswith("object"):
            name = picture.kind.partition(" ")[2]
            held = self._relations.get(picture.held or "")
            if held is None or self._package.find(held.target) is None:
                self.unread.append(f"embedded {name}".strip())
            return Figure(f"[嵌入对象：{alt or name}]", alt)
        return Figure(f"[图片：{alt}]" if alt else "[图片]", alt)


def described(alt: str) -> str:
    """Give a description that a person wrote; empty for what programs put there."""
    alt = alt.strip()
    return "" if _NO_DESCRIPTION.fullmatch(alt) else alt


def chart_lines(root: Element) -> list[str]:
    """Give a chart's title, then a line a series: its name, then name and value of each point."""
    lines: list[str] = []
    title = next(root.iter(_C_TITLE), None)
    if title is not None:
        text = "".join(found.text or "" for found in title.iter(_A_T, _C_V)).strip()
        lines += [text] if text else []
    for series in root.iter(_C_SER):
        named = series.find(_C_TX)
        name = "".join(found.text or "" for found in named.iter(_C_V)) if named is not None else ""
        names, values = _points(series, _C_CAT, _C_XVAL), _points(series, _C_VAL, _C_YVAL)
        shown = [
            f"{names[at]} {value}".strip() if at in names else value
            for at, value in list(values.items())[:_MAX_POINTS]
        ]
        line = f"{name}：{'；'.join(shown)}" if name else "；".join(shown)
        lines += [line] if line.strip("：") else []
    return lines


def _points(series: Element, *tags: str) -> dict[str, str]:
    for tag in tags:
        holder = series.find(tag)
        if holder is not None:
            return dict(_values(holder))
    return {}


def _values(holder: Element) -> Iterator[tuple[str, str]]:
    for point in holder.iter(_C_PT):
        value = point.find(_C_V)
        if value is not None and value.text:
            yield point.get("idx") or "", _short(value.text.strip())


def _short(value: str) -> str:
    """Give a number without the noise of its binary form: 4.4000000000000004 is 4.4."""
    if "." not in value:
        return value
    try:
        return f"{float(value):.12g}"
    except ValueError:
        return value


def diagram_lines(root: Element) -> list[str]:
    """Give a diagram's texts, each above those that hang on it."""
    texts: dict[str, str] = {}
    for point in root.iter(_DGM_PT):
        texts[point.get("modelId") or ""] = "".join(
            found.text or "" for found in point.iter(_A_T)
        ).strip()
    below: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(_DGM_CXN):
        if link.get("type") in (None, "parOf"):
            order = number(link.get("srcOrd")) or 0
            below.setdefault(link.get("srcId") or "", []).append((order, link.get("destId") or ""))
    hanging = {end for ends in below.values() for _, end in ends}
    waiting = [point for point in reversed(texts) if point not in hanging]
    seen: dict[str, None] = {}
    while waiting:
        point = waiting.pop()
        if point not in seen:
            seen[point] = None
            waiting.extend(end for _, end in sorted(below.get(point, []), reverse=True))
    return [
        texts[point]
        for point in [*seen, *(point for point in texts if point not in seen)]
        if texts.get(point)
    ]
