"""The marks inside a line of Markdown: emphasis, links, code, tags, escapes.

Takes a line as written, gives it as a reader sees it. Never touches a code span's content, nor
an angle bracket that is no HTML tag (as in ``<待填写>``).
"""

import html
import re

_TAGS = (
    "a|abbr|address|article|aside|b|big|blockquote|br|button|center|cite|code|col|colgroup|dd|del|"
    "details|dfn|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|"
    "iframe|img|input|ins|kbd|label|li|link|main|mark|meta|nav|ol|option|p|path|picture|pre|q|s|"
    "samp|script|section|select|small|source|span|strike|strong|style|sub|summary|sup|svg|table|"
    "tbody|td|tfoot|th|thead|time|tr|tt|u|ul|var|video|wbr|body"
)
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.S)
_BREAK = re.compile(r"<br\s*/?>[ \t]*", re.I)
_STRONG_TAG = re.compile(r"</?(?:b|strong)(?:\s[^<>]*)?>", re.I)
_IMAGE_TAG = re.compile(r"<img\s[^<>]*?\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')[^<>]*>", re.I)
_TAG = re.compile(rf"</?(?:{_TAGS})(?:\s[^<>]*)?/?>", re.I)
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^\s<>]+|[\w.+-]+@[\w.-]+\.\w+)>")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_DESTINATION = r"\(\s*(?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_LABEL = r"((?:[^\[\]]|\[[^\[\]]*\])*)"
_IMAGE = re.compile(rf"!\[{_LABEL}\](?:{_DESTINATION}|\[[^\[\]]*\])(?:\{{[^{{}}\n]*\}})?")
_LINK = re.compile(rf"(?<!!)\[{_LABEL}\](?:{_DESTINATION}|\[[^\[\]]*\])(?:\{{[^{{}}\n]*\}})?")
_STRONG = re.compile(r"(\*\*\*|\*\*|(?<!\w)___|(?<!\w)__)(?=\S)(.+?)(?<=\S)\1", re.S)
# Not between Latin letters or digits: 3*4*5 is a product.
_EMPHASIS = re.compile(
    r"(?<![*\\A-Za-z0-9])\*(?![*\s])([^*\n]+?)(?<![\s*])\*(?![*A-Za-z0-9])"
    r"|(?<![\w_])_(?![_\s])([^_\n]+?)(?<![\s_])_(?![\w_])"
)
_STRIKE = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~", re.S)
_HIGHLIGHT = re.compile(r"(?<!=)==(?=[^\s=])([^=\n]+?)(?<=\S)==(?!=)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_MARKED = re.compile(r"[*_~`\[\]<>&\\!=]")
_LEAD = re.compile(r"\s*(\*\*\*|\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\1)")
# Code and escapes wait here for the end: private code points that no text should hold.
_HELD = re.compile("\ue0f0(\\d+)\ue0f1")


def plain(line: str) -> str:
    """Give the line without marks."""
    if _MARKED.search(line) is None:
        return line
    held: list[str] = []

    def hold(text: str) -> str:
        held.append(text)
        return f"\ue0f0{len(held) - 1}\ue0f1"

    line = _CODE.sub(lambda found: hold(_code(found[2])), line)
    line = _ESCAPE.sub(lambda found: hold(found[1]), line)
    line = _AUTOLINK.sub(lambda found: hold(found[1]), line)
    line = COMMENT.sub("", line)
    line = _BREAK.sub("\n", line)
    line = _STRONG_TAG.sub("**", line)
    line = _IMAGE_TAG.sub(lambda found: found[1] or found[2] or "", line)
    line = _TAG.sub("", line)
    for pattern in (_IMAGE, _LINK):  # a picture may stand inside a link
        line = pattern.sub(lambda found: found[1], line)
    line = _STRONG.sub(r"\2", _STRONG.sub(r"\2", line))
    line = _EMPHASIS.sub(lambda found: found[1] or found[2], line)
    line = _HIGHLIGHT.sub(r"\1", _STRIKE.sub(r"\1", line))
    line = html.unescape(line) if "&" in line else line
    while held and _HELD.search(line):
        line = _HELD.sub(lambda found: held[int(found[1])], line)
    return line


def bold_lead(line: str) -> tuple[str, str]:
    """Split a line into its bold beginning and the rest, both still with their other marks."""
    found = _LEAD.match(_STRONG_TAG.sub("**", line) if "<" in line else line)
    if found is None:
        return "", line
    return found[2], found.string[found.end() :]


def _code(text: str) -> str:
    return text[1:-1] if len(text) > 2 and text[0] == text[-1] == " " else text
