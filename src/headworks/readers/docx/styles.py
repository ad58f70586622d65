"""Styles: how a paragraph and its runs look, after inheritance.

Takes ``styles.xml`` and the theme's fonts, gives a ``ParagraphLook`` for a paragraph's
properties and a ``RunLook`` for a run's, each computed once per distinct look. Never looks at
text.
"""

import re
from typing import Literal

import msgspec

from headworks.model.document import Align
from headworks.readers.docx.names import (
    W_NUMID,
    W_NUMPR,
    W_PPR,
    W_PSTYLE,
    W_RPR,
    W_RSTYLE,
    W_STYLE,
    W_TYPE,
    W_VAL,
    A,
    number,
    on,
    w,
)
from headworks.readers.docx.package import Element
from headworks.readers.docx.sayings import Said, said_in, say, signature
from headworks.readers.docx.symbols import is_symbol_font

_HEADING_NAME = re.compile("(?:heading|标题) ?([1-9])$", re.IGNORECASE)
_CONTENTS_NAME = re.compile(
    "(?:toc|目录) ?[1-9]$|toc heading$|table of figures$|图表目录$", re.IGNORECASE
)
_CAPTION_NAME = re.compile("(?:caption|题注|图表?标题|表标题|图题|表题)", re.IGNORECASE)
_W_B, _W_SZ, _W_VANISH, _W_RFONTS = w("b"), w("sz"), w("vanish"), w("rFonts")
_W_SPECVANISH = w("specVanish")
_W_VERTALIGN = w("vertAlign")
_W_BASEDON, _W_NAME = w("basedOn"), w("name")
_W_RPRCHANGE, _W_PPRCHANGE = w("rPrChange"), w("pPrChange")
_W_FONTS = (w("eastAsia"), w("eastAsiaTheme"), w("ascii"), w("asciiTheme"), w("hAnsi"))
# What a look depends on; the rest of a properties element makes no difference.
_RUN_TAGS = frozenset({_W_B, _W_SZ, _W_VANISH, _W_SPECVANISH, _W_RFONTS, _W_VERTALIGN, W_RSTYLE})
_INHERITED = 40  # a chain of styles longer than this is a loop


class RunLook(msgspec.Struct, frozen=True, gc=False):
    """How characters look: size in points, weight, hidden, font (East Asian before Latin).

    ``symbol`` is the Latin font where its letters are signs; ``raised`` is superscript; ``even``
    tells that characters are shown as they are.
    """

    size: float | None = None
    bold: bool = False
    hidden: bool = False
    font: str | None = None
    symbol: str | None = None
    raised: bool = False
    even: bool = True


class ParagraphLook(msgspec.Struct, frozen=True):
    """How a paragraph stands: style, level, alignment, indents, its automatic list.

    ``level`` is none where only the style's link to a list level tells it; ``styles`` are the
    style and those it is based on, nearest first. ``contents`` tells that the style is one of a
    table of contents, ``caption`` that it is one of captions.
    """

    style_id: str | None
    name: str | None = None
    outline_level: int | None = None
    align: Align | None = None
    indent: float = 0.0
    space_before: float = 0.0
    page_break_before: bool = False
    num_id: str | None = None
    level: int | None = None
    styles: tuple[str, ...] = ()
    contents: bool = False
    caption: bool = False


class _Style(msgspec.Struct, frozen=True):
    id: str
    kind: str
    name: str
    based_on: str | None
    element: Element


class _Base(msgspec.Struct, frozen=True):
    """What a style gives its paragraphs."""

    style_id: str | None
    name: str | None
    styles: tuple[str, ...]
    contents: bool
    caption: bool
    said: Said


class _RunFormat(msgspec.Struct, frozen=True):
    """What one place in the hierarchy says of characters; none where it says nothing."""

    size: float | None = None
    bold: bool | None = None
    hidden: bool | None = None
    font: str | None = None
    latin: str | None = None
    raised: bool | None = None

    def under(self, nearer: "_RunFormat") -> "_RunFormat":
        return _RunFormat(
            nearer.size if nearer.size is not None else self.size,
            nearer.bold if nearer.bold is not None else self.bold,
            nearer.hidden if nearer.hidden is not None else self.hidden,
            nearer.font or self.font,
            nearer.latin or self.latin,
            nearer.raised if nearer.raised is not None else self.raised,
        )


_NOTHING = _RunFormat()


class StyleSheet:
    """The styles of one document. ``revisions`` decides whose properties a change leaves."""

    def __init__(
        self,
        root: Element | None,
        theme: Element | None,
        revisions: Literal["accepted", "rejected", "marked"] = "accepted",
    ) -> None:
        self._theme = _theme_fonts(theme)
        self._rejected = revisions == "rejected"
        self._styles: dict[str, _Style] = {}
        self._default: str | None = None
        self._run_default, self._paragraph_default = _NOTHING, None
        if root is not None:
            self._load(root)
        self._run_chains: dict[tuple[str | None, str], _RunFormat] = {}
        self._runs: dict[tuple[object, ...], RunLook] = {}
        self._paragraphs: dict[tuple[object, ...], ParagraphLook] = {}
        self._same: dict[ParagraphLook, ParagraphLook] = {}
        self._bases: dict[object, _Base] = {}
        self._said: dict[str, Said] = {}

    def paragraph(self, properties: Element | None) -> ParagraphLook:
        """Give the look that a ``w:pPr`` amounts to."""
        if properties is not None and self._rejected:
            properties = _before_change(properties, _W_PPRCHANGE, W_PPR)
        key = () if properties is None else signature(properties)
        look = self._paragraphs.get(key)
        if look is None:
            said: Said = {}
            if properties is not None:
                say(properties, said)
                named = properties.find(W_PSTYLE)
                said["style"] = named.get(W_VAL) if named is not None else None
            look = self._paragraphs[key] = self._look_of(said)
        return look

    def paragraph_in(self, properties: str) -> ParagraphLook | None:
        """Give the look that the text of a ``w:pPr`` amounts to; none where its tree must tell."""
        said = said_in(properties, self._said)
        return None if said is None else self._look_of(said)

    def run(self, style_id: str | None, properties: Element | None) -> RunLook:
        """Give the look of a run with a ``w:rPr`` in a paragraph of a style."""
        if properties is None:
            key: tuple[object, ...] = (style_id,)
        else:
            if self._rejected:
                properties = _before_change(properties, _W_RPRCHANGE, W_RPR)
            key = (
                style_id,
                *[(tag, *c.values()) for c in properties if (tag := c.tag) in _RUN_TAGS],
            )
        look = self._runs.get(key)
        if look is None:
            look = self._runs[key] = self._run_look(style_id, properties)
        return look

    def numbering_of(self, style_id: str) -> str | None:
        """Give the number id that a numbering style points to."""
        style = self._styles.get(style_id)
        if style is None:
            return None
        found = style.element.find(f"{W_PPR}/{W_NUMPR}/{W_NUMID}")
        return None if found is None else found.get(W_VAL)

    def _load(self, root: Element) -> None:
        defaults = root.find(w("docDefaults"))
        if defaults is not None:
            properties = defaults.find(f"{w('rPrDefault')}/{W_RPR}")
            if properties is not None:
                self._run_default = self._run_format(properties)
            self._paragraph_default = defaults.find(f"{w('pPrDefault')}/{W_PPR}")
        for element in root.iterchildren(W_STYLE):
            name, based_on = element.find(_W_NAME), element.find(_W_BASEDON)
            style = _Style(
                element.get(w("styleId")) or "",
                element.get(W_TYPE) or "paragraph",
                (name.get(W_VAL) if name is not None else None) or "",
                based_on.get(W_VAL) if based_on is not None else None,
                element,
            )
            self._styles[style.id] = style
            if style.kind == "paragraph" and element.get(w("default")) in ("1", "true", "on"):
                self._default = style.id

    def _chain(self, style_id: str | None, kind: str) -> list[_Style]:
        """Give a style and those it is based on, farthest first."""
        chain: list[_Style] = []
        while style_id is not None and len(chain) < _INHERITED:
            style = self._styles.get(style_id)
            if style is None or style.kind != kind or style in chain:
                break
            chain.append(style)
            style_id = style.based_on
        return chain[::-1]

    def _look_of(self, said: Said) -> ParagraphLook:
        """Give the look of a paragraph that says this over its style. Equal looks are one."""
        style_id = said.get("style")
        base = self._bases.get(style_id)
        if base is None:
            base = self._bases[style_id] = self._base(style_id)  # type: ignore[arg-type]
        said = {**base.said, **said}
        outline = said.get("outline")
        first, left = said.get("first", 0), said.get("left", 0)
        look = ParagraphLook(
            base.style_id,
            base.name,
            outline if isinstance(outline, int) and outline <= 9 else None,
            said.get("align"),  # type: ignore[arg-type]
            (first + left) / 20,  # type: ignore[operator]
            said.get("before", 0) / 20,  # type: ignore[operator]
            bool(said.get("break")),
            said.get("num_id"),  # type: ignore[arg-type]
            said.get("level"),  # type: ignore[arg-type]
            base.styles,
            base.contents,
            base.caption,
        )
        return self._same.setdefault(look, look)

    def _base(self, style_id: str | None) -> _Base:
        """Give what a style says of paragraphs that say nothing themselves."""
        if style_id not in self._styles:
            style_id = self._default
        chain = self._chain(style_id, "paragraph")
        said: Said = {}
        if self._paragraph_default is not None:
            say(self._paragraph_default, said)
        for style in chain:
            level = _HEADING_NAME.match(style.name)
            if level:
                said["outline"] = int(level[1])
            inner = style.element.find(W_PPR)
            if inner is not None:
                say(inner, said)
        name = (chain[-1].name if chain else None) or style_id
        return _Base(
            style_id,
            name,
            tuple(style.id for style in reversed(chain)),
            any(_CONTENTS_NAME.match(style.name) for style in chain),
            _CAPTION_NAME.match(name or "") is not None,
            said,
        )

    def _run_look(self, style_id: str | None, properties: Element | None) -> RunLook:
        character: str | None = None
        direct = _NOTHING
        if properties is not None:
            named = properties.find(W_RSTYLE)
            character = named.get(W_VAL) if named is not None else None
            direct = self._run_format(properties)
        paragraph = self._run_chain(style_id, "paragraph")
        worn = self._run_chain(character, "character") if character else _NOTHING
        whole = self._run_default.under(paragraph).under(worn).under(direct)
        # A toggle: set in both styles it is off again; set on the run itself it is absolute.
        bold, hidden = direct.bold, direct.hidden
        if bold is None:
            bold = bool(self._run_default.bold) or bool(paragraph.bold) != bool(worn.bold)
        if hidden is None:
            hidden = bool(self._run_default.hidden) or bool(paragraph.hidden) != bool(worn.hidden)
        symbol = whole.latin if is_symbol_font(whole.latin) else None
        font = whole.font or whole.latin
        raised = bool(whole.raised)
        even = not (hidden or symbol or raised)
        return RunLook(whole.size, bold, hidden, font, symbol, raised, even)

    def _run_chain(self, style_id: str | None, kind: str) -> _RunFormat:
        key = (style_id, kind)
        found = self._run_chains.get(key)
        if found is None:
            found = _NOTHING
            for style in self._chain(style_id, kind):
                properties = style.element.find(W_RPR)
                if properties is not None:
                    found = found.under(self._run_format(properties))
            self._run_chains[key] = found
        return found

    def _run_format(self, properties: Element) -> _RunFormat:
        size: float | None = None
        bold: bool | None = None
        hidden: bool | None = None
        font: str | None = None
        latin: str | None = None
        raised: bool | None = None
        for child in properties:
            tag = child.tag
            if tag == _W_B:
                bold = on(child.get(W_VAL))
            elif tag == _W_SZ:
                half_points = number(child.get(W_VAL))
                size = half_points / 2 if half_points else size
            elif tag in (_W_VANISH, _W_SPECVANISH):
                # specVanish marks a run-in heading's end, which is not shown as hidden text.
                hidden = on(child.get(W_VAL)) if tag == _W_VANISH else False
            elif tag == _W_RFONTS:
                east, east_theme, ascii_, ascii_theme, high = (child.get(n) for n in _W_FONTS)
                font = self._theme.get(east_theme or "") or east
                latin = self._theme.get(ascii_theme or "") or ascii_ or high
            elif tag == _W_VERTALIGN:
                raised = child.get(W_VAL) == "superscript"
        return _RunFormat(size, bold, hidden, font, latin, raised)


def _before_change(properties: Element, change: str, inner: str) -> Element:
    """Give the properties that stood before a tracked change of them."""
    changed = properties.find(change)
    if changed is None:
        return properties
    before = changed.find(inner)
    return properties if before is None else before


def _theme_fonts(theme: Element | None) -> dict[str, str]:
    """Give the fonts that names like ``minorEastAsia`` stand for."""
    fonts: dict[str, str] = {}
    if theme is None:
        return fonts
    for half in ("major", "minor"):
        scheme = next(theme.iter(f"{{{A}}}{half}Font"), None)
        if scheme is None:
            continue
        latin, east = scheme.find(f"{{{A}}}latin"), scheme.find(f"{{{A}}}ea")
        if latin is not None and latin.get("typeface"):
            fonts[f"{half}HAnsi"] = fonts[f"{half}Ascii"] = latin.get("typeface")
        chosen = east.get("typeface") if east is not None else ""
        for entry in scheme.iterchildren(f"{{{A}}}font"):
            if not chosen and entry.get("script") == "Hans":
                chosen = entry.get("typeface")
        if chosen:
            fonts[f"{half}EastAsia"] = chosen
    return fonts
