"""Lint: what is wrong with a pack though it compiles.

Takes a pack's file or shipped name, gives findings: the errors and warnings of reading it, and the
lint codes L301 to L313. Never reports a conflict without a text on which it happens.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import combinations
from pathlib import Path

from headworks.config import RuleSettings
from headworks.errors import RulesError
from headworks.rules.actions import ACTIONS
from headworks.rules.book import RuleBook, is_running, open_pack
from headworks.rules.bundle import read_index
from headworks.rules.complaints import Complaint
from headworks.rules.corpus import read_corpus
from headworks.rules.implication import implies, impossible, words_of
from headworks.rules.mutation import untested_conditions
from headworks.rules.pack import Pack, Rule
from headworks.rules.patterns import compiled
from headworks.rules.ready import Ready
from headworks.rules.syntax import (
    Always,
    And,
    Compare,
    Condition,
    Contains,
    Matches,
    Pattern,
    Tagged,
    terms_of,
    walk,
)
from headworks.rules.witness import Witness, witness_for

Finding = Complaint
MAX_PAIRS = 2_000
# A pattern of 900 steps takes 0.2 ms per 1,000 characters, one of 9,000 takes 80 ms (measured).
MAX_STEPS = 2_500


def check_pack(path_or_name: str, *, as_of: str | None = None) -> list[Finding]:
    """Give all findings about a pack, errors first, then in the order of the file."""
    try:
        pack = open_pack(path_or_name)
    except RulesError as problem:
        return [Complaint("E411", problem.message, place=problem.place)]
    return check(pack, as_of=as_of)


def check(pack: Pack, *, as_of: str | None = None) -> list[Finding]:
    """Give all findings about a pack that has been read."""
    found = list(pack.complaints)
    if not pack.errors:
        found.extend(_index(pack))
        try:
            book = RuleBook([pack], RuleSettings(), every_rule=True)
        except RulesError as problem:
            return [*found, Complaint("E412", problem.message, place=problem.place or pack.file)]
        found.extend(_lint(pack, book, as_of or date.today().isoformat()))
    order = {complaint.rule: number for number, complaint in enumerate(found)}
    return sorted(found, key=lambda finding: (not finding.is_error, order.get(finding.rule, 0)))


def _index(pack: Pack) -> Iterable[Finding]:
    """E413: the index of other files cannot be read."""
    if not pack.corpus:
        return
    try:
        content = pack.index or read_index(pack.corpus, Path(pack.file).parent, pack.file)
        read_corpus(content, pack.corpus)
    except RulesError as problem:
        yield Complaint("E413", problem.message, place=problem.place)


def _lint(pack: Pack, book: RuleBook, as_of: str) -> Iterable[Finding]:
    running = [ready for ready in book.rules if is_running(ready.rule, as_of)]
    yield from _shadowed(running, pack)
    yield from _conflicts(running, book)
    yield from _duplicates(running)
    for ready in book.rules:
        rule = ready.rule
        reason = impossible(rule.condition, pack.aliases)
        if reason:
            yield _about(rule, "L303", f"条件永远不成立：{reason}")
        yield from _broad(ready, book)
        yield from _slow(rule)
        yield from _examples(rule, pack)
        yield from _kept(rule, pack, as_of)
        yield from _invisible(rule, pack)
        if rule.status != "retired":
            for text in untested_conditions(ready, pack):
                yield _about(
                    rule, "L310", f"条件“{text}”没有被样例检验：去掉它，所有样例仍然通过",
                    ("加一个只因这个条件而不触发的 should_not_match",),
                )  # fmt: skip


def _about(rule: Rule, code: str, message: str, suggestions: Sequence[str] = ()) -> Finding:
    return Complaint(
        code=code,
        message=f"{rule.id}：{message}",
        suggestions=tuple(suggestions),
        place=rule.place,
        rule=rule.id,
    )


def _shadowed(running: Sequence[Ready], pack: Pack) -> Iterable[Finding]:
    """L301: under route_policy first, a route rule that an earlier one always comes before."""
    if pack.settings.route_policy != "first":
        return
    routes = sorted(
        (ready for ready in running if _does(ready, "route")), key=lambda ready: ready.rank
    )
    for index, later in enumerate(routes):
        for earlier in routes[:index]:
            if _always_holds_too(earlier) and implies(
                later.rule.condition, earlier.rule.condition, pack.aliases
            ):
                yield _about(
                    later.rule, "L301",
                    f"永远轮不到：凡它成立，排在前面的 {earlier.rule.id} 也成立",
                    ("提高它的 priority，或收窄前面那条规则",),
                )  # fmt: skip
                break


def _always_holds_too(ready: Ready) -> bool:
    """Only a rule with nothing but its condition certainly fires where that holds."""
    rule = ready.rule
    plain = not (rule.guards or rule.sequence or rule.defeated_by)
    return plain and rule.depth in ("", "clause", "section", "full") and not (
        rule.effective_from or rule.effective_to
    )  # fmt: skip


def _does(ready: Ready, name: str) -> bool:
    return any(action.name == name for action in ready.rule.actions)


def _yields(ready: Ready, other: Ready) -> bool:
    """Tell whether a rule gives way to another by its except."""
    return other.rule.id in ready.rule.defeated_by or other.name in ready.rule.defeated_by


def _wishes(ready: Ready) -> dict[str, str]:
    """What a rule wants of each thing only one rule can decide."""
    found: dict[str, str] = {}
    for action in ready.rule.actions:
        group = ACTIONS[action.name].group
        if group:
            found[group] = action.arguments[0] if action.arguments else action.name
    return found


def _conflicts(running: Sequence[Ready], book: RuleBook) -> Iterable[Finding]:
    """L302: rules of equal standing that want different things, shown on a text."""
    pairs = 0
    for first, second in combinations(running, 2):
        if first.peers != second.peers or _yields(first, second) or _yields(second, first):
            continue
        ours, theirs = _wishes(first), _wishes(second)
        against = [group for group in ours if group in theirs and ours[group] != theirs[group]]
        if not against:
            continue
        pairs += 1
        if pairs > MAX_PAIRS:
            return
        witness: Witness | None = witness_for(first, second, book)
        if witness is not None:
            yield _about(
                second.rule, "L302",
                f"与 {first.rule.id} 优先级相同而结果不同（{ours[against[0]]} / "
                f"{theirs[against[0]]}），例如：{witness.text}",
                ("给其中一条更高的 priority，或用 except 写明哪条让步",),
            )  # fmt: skip


def _duplicates(running: Sequence[Ready]) -> Iterable[Finding]:
    seen: dict[tuple[object, ...], Rule] = {}
    for ready in running:
        rule = ready.rule
        key = (rule.condition, rule.actions, repr(rule.sequence), rule.guards, rule.phase)
        if key in seen:
            yield _about(rule, "L304", f"与 {seen[key].id} 完全相同")
        seen.setdefault(key, rule)


def _broad(ready: Ready, book: RuleBook) -> Iterable[Finding]:
    """L305: nothing the text must hold, so that it is tried on every chunk; or too little."""
    costly = [part for part in walk(ready.rule.condition) if isinstance(part, Matches | Compare)]
    if ready.required is None and costly and any(isinstance(part, Matches) for part in costly):
        yield _about(
            ready.rule, "L305", "没有必含的词，每一片都要用正则匹配",
            ("加一个“包含……”条件，或让正则里有确定的词",),
        )  # fmt: skip
    if _on_every_chunk(ready.rule.condition):
        yield _about(
            ready.rule, "L305", "问的是整份文件：成立时每一片都触发", ("再加“并且是第一片”",)
        )
    for part in costly:
        if isinstance(part, Matches) and compiled(part.pattern).search(b"") is not None:
            yield _about(ready.rule, "L313", f"正则 /{part.pattern}/ 也匹配空文本，总会成立")
    if ready.required:
        short = sorted(
            book.literals[number]
            for number in ready.required
            if len(book.literals[number]) == 1 and book.literals[number].isalnum()
        )
        if short and len(short) == len(ready.required) and ready.sequence is None:
            yield _about(ready.rule, "L305", f"必含的词只有一个字（{'、'.join(short)}），太宽")


def _on_every_chunk(condition: Condition) -> bool:
    """Tell whether nothing but the whole document decides: every chunk fires, or none."""
    parts = condition.parts if isinstance(condition, And) else (condition,)
    return all(isinstance(part, Contains) and part.subject == "document" for part in parts)


def _slow(rule: Rule) -> Iterable[Finding]:
    """L307: a pattern that unfolds into very many steps: each of them is tried at each place."""
    for part in walk(rule.condition):
        for term in terms_of(part):
            if isinstance(term, Pattern):
                steps = compiled(term.source).programsize
                if steps > MAX_STEPS:
                    yield _about(
                        rule, "L307", f"正则 /{term.source}/ 展开成 {steps} 步，很慢",
                        ("把 {0,1000} 这样的重复次数改小", "改用“A”之后n字内出现“B”"),
                    )  # fmt: skip


def _examples(rule: Rule, pack: Pack) -> Iterable[Finding]:
    """E408, L306, L308: examples that are missing, or that test nothing."""
    good = [example for example in rule.examples if example.matches]
    bad = [example for example in rule.examples if not example.matches]
    if rule.status == "active" and not (good and bad):
        missing = "should_match" if not good else "should_not_match"
        yield _about(rule, "E408", f"状态为 active 的规则要有样例，缺 {missing}")
    elif not rule.examples and rule.status != "retired":
        yield _about(rule, "L306", "没有样例", ("写 examples: {should_match: …}",))
    words = _words(rule, pack)
    for example in bad:
        if words and not any(word in example.text.lower() for word in words):
            yield Complaint(
                "L308",
                f"{rule.id}：这个反例里没有规则的任何词，什么也没有检验：{example.text[:30]}",
                suggestions=(f"反例里应当有“{words[0]}”之类的词",),
                place=example.place,
                rule=rule.id,
            )


def _words(rule: Rule, pack: Pack) -> tuple[str, ...]:
    found: list[str] = []
    if rule.sequence is not None:
        for word in _strings(rule.sequence.get("steps")):
            known = pack.aliases.get(word[1:]) if word.startswith("@") else None
            found.extend(known or (word,))
    for part in walk(rule.condition):
        if isinstance(part, Contains) and part.subject != "text":
            return ()
        if not isinstance(part, Contains | Matches | Always) and not terms_of(part):
            return ()
        for term in terms_of(part):
            words = words_of(term, pack.aliases)
            if not words:
                return ()
            found.extend(words)
    return tuple(dict.fromkeys(word.lower() for word in found))


def _strings(value: object) -> list[str]:
    """Give every text in nested lists and mappings, keys left out."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _strings(inner)]
    if isinstance(value, list | tuple):
        return [text for inner in value for text in _strings(inner)]
    return []


def _kept(rule: Rule, pack: Pack, as_of: str) -> Iterable[Finding]:
    """L309: expired, without an owner, or waiting for a tag that no rule sets."""
    if rule.effective_to and rule.effective_to < as_of:
        yield _about(rule, "L309", f"已于 {rule.effective_to} 失效", ("status: retired",))
    if rule.status == "active" and not rule.owner:
        yield _about(rule, "L309", "没有负责人", ("owner: 法务部",))
    set_here = {
        word
        for other in pack.rules
        for action in other.actions
        if action.name == "tag"
        for word in action.arguments
    }
    for part in walk(rule.condition):
        if isinstance(part, Tagged) and not part.negated and not set(part.tags) & set_here:
            yield _about(
                rule, "L309", f"没有规则会打标签“{'、'.join(part.tags)}”",
                ("若是文档自带的标签，可以不理会",),
            )  # fmt: skip


def _invisible(rule: Rule, pack: Pack) -> Iterable[Finding]:
    """L312: words that can never match, for the readers take such characters out."""
    for part in walk(rule.condition):
        for term in terms_of(part):
            for word in words_of(term, pack.aliases):
                if any(unicodedata.category(char) in ("Cf", "Cc", "Cs") for char in word):
                    yield _about(rule, "L312", f"“{word}”里有看不见的字符，永远匹配不到")
