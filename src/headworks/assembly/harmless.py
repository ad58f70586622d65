"""A document's text inside Markdown: shown as it is, and nothing of it run by a browser.

Takes text, gives text in which no HTML, no fence and no link to a script begins. Never changes
what a reader sees.
"""

import html
import re

# What CommonMark takes for HTML: a tag, its end, a comment, a declaration; and <scheme:…>.
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# A fence would turn code that comes later inside out; behind list and quote marks it is one, too.
_FENCE = re.compile(r"^([ \t>*+\-0-9.)]*)(`{3,}|~{3,})", re.MULTILINE)
_LINK = re.compile(r"\](\(|:)(?=\s*(\S*))")
_ESCAPED = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_HIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028\u2029\ufeff]+")
_SCHEME = re.compile(r"<?([a-z][a-z0-9+.-]*):")
_SAFE = frozenset(("http", "https", "mailto", "tel", "ftp"))


def harmless(text: str) -> str:
    """Give the text with what a renderer could run put so that it is shown instead."""
    if "<" in text:
        text = _TAG.sub("&lt;", text)
    if "```" in text or "~~~" in text:
        text = _FENCE.sub(r"\1\\\2", text)
    if "](" in text or "]:" in text:
        text = _LINK.sub(_link, text)
    return text


def _link(match: re.Match[str]) -> str:
    """Take the link away from what leads to anything but a page or a place in the text."""
    said = _HIDDEN.sub("", _ESCAPED.sub("", html.unescape(match[2])))
    scheme = _SCHEME.match(said.lower())
    if scheme is None or scheme[1] in _SAFE:
        return match[0]
    return f"]\\{match[1]}"
