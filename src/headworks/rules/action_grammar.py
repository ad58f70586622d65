"""The grammar of actions: 标记为敏感，进入技术参数管线，关联到《民法典》第585条.

Takes a reading after “则”, gives the actions in order. Never takes an action it does not know.
"""

import re

from headworks.model.numerals import integer
from headworks.rules import vocabulary as words
from headworks.rules.actions import (
    ACTIONS,
    DEPTH_ZH,
    PEOPLE,
    PHRASES,
    PIPELINE_TAIL,
    PRIORITY_ZH,
    depth_of,
    priority_of,
)
from headworks.rules.complaints import nearest_start
from headworks.rules.lookahead import skip, starts_action
from headworks.rules.reading import Reading
from headworks.rules.syntax import Action

_SEPARATOR = re.compile(r"\s*(?:[,;、]\s*)?(?:并且|并|同时|然后|再|且|and then|and|then)?\s*")
_BARE = re.compile(r"[^,。;、()\"“”「」，；（）\n]+")
_LAW = re.compile(r"\s*《([^》]+)》\s*")
_ENGLISH_LAW = re.compile(r'\s*(?:"(?P<straight>[^"]+)"|“(?P<curly>[^”]+)”)\s*')
_ARTICLE = re.compile(
    r"第?\s*([〇零一二两三四五六七八九十百千0-9]+)\s*条(?:之([一二三四五六七八九十0-9]+))?"
    r"|article\s+([0-9]+(?:-[0-9]+)?)"
)


def read_actions(reading: Reading) -> tuple[Action, ...]:
    """Read the actions up to the end of the sentence."""
    scanner = reading.scanner
    actions = [_read_action(reading)]
    while not scanner.ended:
        match = _SEPARATOR.match(scanner.folded, scanner.position)
        after = match.end() if match else scanner.position
        if after == scanner.position or not starts_action(scanner, after):
            break
        scanner.position = after
        actions.append(_read_action(reading))
    return tuple(actions)


def parse_action(text: str, reading: Reading) -> tuple[Action, ...]:
    """Read the actions of a field ``then``, each a text of its own."""
    actions = read_actions(reading)
    reading.scanner.take_char("。.")
    if not reading.scanner.ended:
        rest = reading.scanner.rest()
        raise reading.scanner.error("E101", f"动作到这里已经完整，多出“{rest}”", length=len(rest))
    return actions


def _read_action(reading: Reading) -> Action:
    scanner = reading.scanner
    start = scanner.skip()
    name = scanner.take(PHRASES)
    if name is None:
        raise _unknown(reading, start)
    kind = ACTIONS[str(name)]
    said = scanner.text[start : scanner.position]
    if kind.argument == "none":
        return Action(kind.name)
    if kind.argument in ("words", "optional_words"):
        found = _read_words(reading)
        if not found and kind.argument == "words":
            shown = f'{said} "…"' if said.isascii() else f"{said}“……”"
            raise scanner.error("E141", f"“{said}”后面需要一个名字", suggestions=(shown,))
        return Action(kind.name, tuple(found))
    if kind.argument == "pipeline":
        if _names_people(reading):
            return Action("review")
        return Action(kind.name, (_read_pipeline(reading, said),))
    if kind.argument == "law":
        return Action(kind.name, _read_law(reading, said))
    return Action(kind.name, (_read_choice(reading, kind.argument, said),))


def _unknown(reading: Reading, start: int) -> Exception:
    scanner = reading.scanner
    rest = scanner.rest()
    near = nearest_start(scanner.folded[start:], PHRASES.table)
    listed = "、".join(kind.zh[0] for kind in ACTIONS.values())
    return scanner.error(
        "E140",
        f"没有“{rest}”这个动作" if rest else "“则”后面需要一个动作",
        at=start,
        length=len(rest) or 1,
        suggestions=(
            *((f"是不是想写“{near}”？",) if near else ()),
            f"能用的动作：{listed}",
        ),
    )


def _read_words(reading: Reading) -> list[str]:
    """Read "A"、"B", or one bareword to the end of the clause."""
    scanner = reading.scanner
    scanner.take_char(":")
    found: list[str] = []
    while True:
        before = scanner.position
        if found:
            join = words.LIST.at(scanner.folded, skip(scanner, before))
            comma = words.COMMA.at(scanner.folded, skip(scanner, before))
            step = join or comma
            if step is None or starts_action(scanner, step[1]):
                return found
            scanner.position = step[1]
        text = scanner.quoted()
        if text is None:
            text = _bare(reading) if join_allows_bare(reading, found, before) else ""
        if not text:
            scanner.position = before
            return found
        found.append(text)


def join_allows_bare(reading: Reading, found: list[str], before: int) -> bool:
    """A bareword may come first, or after 、; a comma is followed by an action or a quote."""
    scanner = reading.scanner
    return not found or scanner.text[skip(scanner, before) :][:1] == "、"


def _bare(reading: Reading) -> str:
    """Read up to punctuation, or to 并 where another action follows."""
    scanner = reading.scanner
    match = _BARE.match(scanner.text, scanner.skip())
    if match is None:
        return ""
    text = match.group()
    for cut in re.finditer(r"并且|并|同时|\band\b", text.lower()):
        after = match.start() + cut.end()
        if starts_action(scanner, after):
            text = text[: cut.start()]
            break
    if not text.strip():
        return ""
    scanner.position = match.start() + len(text)
    return text.strip()


def _names_people(reading: Reading) -> bool:
    """Step over 人工 or human where it is no pipeline's name: neither quoted nor called one."""
    before = reading.scanner.position
    quoted = reading.scanner.text[reading.scanner.skip() :][:1] in tuple('“"「:：')
    if not quoted and _bare(reading).lower() in PEOPLE:
        return True
    reading.scanner.position = before
    return False


def _read_pipeline(reading: Reading, said: str) -> str:
    scanner = reading.scanner
    scanner.take_char(":")
    name = scanner.quoted()
    if name is None:
        name = _bare(reading)
        for tail in PIPELINE_TAIL:
            if name.lower().endswith(tail):
                name = name[: -len(tail)].strip()
                break
        name = re.sub(r"^the\s+", "", name)
    else:
        here = scanner.skip()
        for tail in PIPELINE_TAIL:
            if scanner.folded.startswith(tail, here):
                scanner.position = here + len(tail)
                break
    if not name:
        shown = f'{said} "legal-review"' if said.isascii() else f"{said}“法务审阅”管线"
        raise scanner.error("E141", f"“{said}”后面需要管线的名字", suggestions=(shown,))
    return name


def _read_law(reading: Reading, said: str) -> tuple[str, ...]:
    scanner = reading.scanner
    start = scanner.skip()
    match = _LAW.match(scanner.text, start) or _ENGLISH_LAW.match(scanner.text, start)
    if match is None:
        raise scanner.error(
            "E141",
            f"“{said}”后面需要法律的名字",
            suggestions=("关联到《民法典》第585条",),
        )
    scanner.position = match.end()
    law = (match[1] or match["curly"]).strip()
    article = _ARTICLE.match(scanner.folded, scanner.position)
    if article is None:
        return (law,)
    scanner.position = article.end()
    if article.group(3):
        return (law, article.group(3))
    number = integer(article.group(1))
    if number is None:
        raise scanner.error("E131", f"“{article.group(1)}”不是一个条号", at=article.start())
    suffix = integer(article.group(2)) if article.group(2) else None
    return (law, f"{number}-{suffix}" if suffix else str(number))


def _read_choice(reading: Reading, argument: str, said: str) -> str:
    scanner = reading.scanner
    scanner.take_char(":")
    start = scanner.skip()
    text = scanner.quoted()
    if text is None:
        text = _bare(reading)
    chosen = priority_of(text) if argument == "priority" else depth_of(text)
    if chosen is None:
        known = PRIORITY_ZH if argument == "priority" else DEPTH_ZH
        raise scanner.error(
            "E142",
            f"“{said}”后面不能是“{text}”",
            at=start,
            length=len(text) or 1,
            suggestions=[
                f"{said} {value.replace('_', ' ')}" if said.isascii() else f"{said}{word}"
                for value, word in known.items()
            ],
        )
    return chosen
