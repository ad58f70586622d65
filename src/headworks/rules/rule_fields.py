"""The fields of one rule: sentences, the structured shorthand, decision tables, examples.

Takes nodes, gives ``Rule`` values. Never lets an unknown key or a half-read sentence pass.
"""

import re
from typing import Literal

import msgspec

from headworks.rules.action_fields import ActionReader
from headworks.rules.actions import PHASES, Phase, depth_of
from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.example_fields import read_examples
from headworks.rules.grammar import parse_condition, parse_rule
from headworks.rules.guard_fields import read_context, read_guards
from headworks.rules.guards import Guard
from headworks.rules.lexicon import Lexicon
from headworks.rules.nodes import Node, Source, field_map
from headworks.rules.pack import Rule, Status
from headworks.rules.patterns import fault_of
from headworks.rules.printer import sentence_text
from headworks.rules.syntax import (
    Action,
    Always,
    And,
    Condition,
    Contains,
    Matches,
    Mode,
    Or,
    Sentence,
    Term,
    Terms,
    Word,
)

RULE_KEYS = (
    "id", "name", "title", "description", "owner", "phase", "priority", "lock", "depth", "status",
    "effective", "when", "if", "condition", "then", "rule", "action", "actions", "sequence",
    "guards", "context", "except", "examples", "keywords", "match", "regex", "regex_match",
    "pipeline", "fallback", "trigger", "tags", "tag", "enabled",
)  # fmt: skip
TABLE_KEYS = ("table", "phase", "columns", "rows", "priority", "owner", "status", "id")
_COLUMNS = (
    "当",
    "when",
    "条件",
    "进入",
    "pipeline",
    "管线",
    "标记为",
    "tag",
    "优先级",
    "priority",
    "动作",
    "then",
)
# “id： a” is no field: its colon is the Chinese one.
_WIDE_COLON = re.compile(rf"^({'|'.join(RULE_KEYS)})\s*：\s*")
_LOOKS_LIKE_PATTERN = re.compile(r"\\[dwsDWS]|\[[^\]]+\]|\.\*|\.\+|\(\?|\{\d")


class RuleReader:
    """Reads the rules of one file."""

    def __init__(self, source: Source, lexicon: Lexicon, status: str, owner: str) -> None:
        self.source = source
        self.lexicon = lexicon
        self.status = status
        self.owner = owner
        self.acting = ActionReader(source, lexicon)

    def rules(self, node: Node, phase: str) -> list[Rule]:
        """Read a list of rules and decision tables."""
        found: list[Rule] = []
        for number, entry in enumerate(node.items(), 1):
            if entry.is_map and any(key == "table" for key, _, _ in entry.fields()):
                found.extend(self._table(entry, phase))
            elif entry.is_text and _WIDE_COLON.match(entry.text):
                self.source.complain(
                    "E400", "用了全角冒号“：”，键后面要用半角冒号加空格“: ”", entry,
                    (_WIDE_COLON.sub(r"\1: ", entry.text),),
                )  # fmt: skip
            elif entry.is_text:
                sentence = self._sentence(entry)
                if sentence is not None:
                    found.append(self._plain(f"rule-{number}", sentence, entry, phase))
            else:
                rule = self._rule(entry, number, phase)
                if rule is not None:
                    found.append(rule)
        return found

    def _plain(self, name: str, sentence: Sentence, node: Node, phase: str) -> Rule:
        return Rule(
            id=name,
            condition=sentence.condition,
            actions=sentence.actions,
            place=node.place,
            phase=_phase(phase),
            owner=self.owner,
            status=_status(self.status),
            sentence=node.text,
        )

    def _rule(self, node: Node, number: int, phase: str) -> Rule | None:
        before = len(self.source.complaints)
        fields = field_map(node, RULE_KEYS, "规则")
        name_node = fields.get("id") or fields.get("name") or fields.get("title")
        name = name_node.text.strip() if name_node is not None else f"rule-{number}"
        sentence = self._meaning(fields, node)
        sequence = fields["sequence"].plain() if "sequence" in fields else None
        guards = self._guards(fields)
        examples = read_examples(fields["examples"]) if "examples" in fields else ()
        self.source.complaints[before:] = [
            msgspec.structs.replace(complaint, rule=name)
            for complaint in self.source.complaints[before:]
        ]
        if sentence is None or _disabled(fields):
            return None
        effective = _effective(fields.get("effective"))
        return Rule(
            id=name,
            condition=sentence.condition,
            actions=sentence.actions,
            place=node.place,
            title=_text(fields, "title") or _text(fields, "name"),
            owner=_text(fields, "owner") or self.owner,
            phase=_phase(fields["phase"].choice(PHASES, "") if "phase" in fields else phase),
            priority=fields["priority"].number() if "priority" in fields else 0,
            lock=fields["lock"].truth() if "lock" in fields else False,
            depth=self._depth(fields.get("depth")),
            status=_status(
                fields["status"].choice(("draft", "active", "retired"), "")
                if "status" in fields
                else self.status
            ),
            effective_from=effective[0],
            effective_to=effective[1],
            fallback=_text(fields, "fallback"),
            defeated_by=fields["except"].words() if "except" in fields else (),
            guards=guards,
            sequence=sequence,
            examples=examples,
            sentence=sentence_text(sentence),
        )

    def _meaning(self, fields: dict[str, Node], node: Node) -> Sentence | None:
        """Give condition and actions, from a sentence, from fields, or from both."""
        errors_before = sum(complaint.is_error for complaint in self.source.complaints)
        parts: list[Condition] = []
        actions: list[Action] = []
        if "rule" in fields:
            sentence = self._sentence(fields["rule"])
            if sentence is not None:
                parts.append(sentence.condition)
                actions.extend(sentence.actions)
        for key in ("when", "if", "condition"):
            if key in fields:
                condition = self._condition(fields[key])
                parts.extend([condition] if condition is not None else [])
        parts.extend(self._shorthand(fields))
        actions.extend(self.acting.read(fields))
        if sum(complaint.is_error for complaint in self.source.complaints) > errors_before:
            return None
        if not parts and "sequence" not in fields:
            self.source.complain(
                "E402", "规则没有条件", node, ("写 when、rule、condition、keywords 或 sequence",)
            )
            return None
        if not actions:
            self.source.complain("E402", "规则没有动作", node, ("写 then、action 或 pipeline",))
            return None
        condition = Always() if not parts else parts[0] if len(parts) == 1 else _and(parts)
        return Sentence(condition, tuple(dict.fromkeys(actions)))

    def _shorthand(self, fields: dict[str, Node]) -> list[Condition]:
        parts: list[Condition] = []
        if "keywords" in fields:
            words = _keyword_terms(fields["keywords"])
            mode, least = _match(fields.get("match"), len(words))
            if words:
                single = len(words) == 1
                parts.append(
                    Contains(Terms("all" if single else mode, words, 1 if single else least))
                )
        if "regex" in fields:
            patterns = [
                unslashed(entry.text)
                for entry in fields["regex"].items()
                if self._pattern_is_good(entry)
            ]
            matches: list[Condition] = [Matches(pattern) for pattern in patterns]
            any_of = "regex_match" in fields and (
                fields["regex_match"].choice(("all", "any"), "all") == "any"
            )
            if len(matches) > 1 and any_of:
                parts.append(Or(tuple(matches)))
            else:
                parts.extend(matches)
        if "trigger" in fields:
            trigger = self._trigger(fields["trigger"])
            parts.extend([trigger] if trigger is not None else [])
        return parts

    def _trigger(self, node: Node) -> Condition | None:
        if node.is_text and _LOOKS_LIKE_PATTERN.search(node.text):
            return Matches(unslashed(node.text)) if self._pattern_is_good(node) else None
        words = node.words()
        if not words:
            self.source.complain("E402", "trigger 没有词", node)
            return None
        return Contains(Terms("all", (Word(words),)))

    def _pattern_is_good(self, node: Node) -> bool:
        fault = fault_of(node.text)
        if fault is None:
            return True
        self.source.complaints.append(
            Complaint(
                code=fault.code,
                message=fault.message,
                position=fault.position + 1,
                suggestions=fault.suggestions,
                sentence=node.text,
                place=node.place_of(fault.position + 1),
            )
        )
        return False

    def _guards(self, fields: dict[str, Node]) -> tuple[Guard, ...]:
        guards: list[Guard] = []
        if "context" in fields:
            guards.extend(read_context(fields["context"]))
        if "guards" in fields:
            guards.extend(read_guards(fields["guards"]))
        return tuple(guards)

    def _sentence(self, node: Node) -> Sentence | None:
        text = node.sentence()
        if text is None:
            return None
        try:
            sentence, warnings = parse_rule(text, self.lexicon)
        except SentenceError as problem:
            self._placed(problem.complaint, node)
            return None
        for warning in warnings:
            self._placed(warning, node)
        return sentence

    def _condition(self, node: Node) -> Condition | None:
        text = node.sentence()
        if text is None:
            return None
        try:
            condition, warnings = parse_condition(text, self.lexicon)
        except SentenceError as problem:
            self._placed(problem.complaint, node)
            return None
        for warning in warnings:
            self._placed(warning, node)
        return condition

    def _placed(self, complaint: Complaint, node: Node) -> None:
        self.source.complaints.append(
            msgspec.structs.replace(complaint, place=node.place_of(complaint.position))
        )

    def _depth(self, node: Node | None) -> str:
        if node is None:
            return ""
        said = node.text
        if node.is_map:
            fields = field_map(node, ("first_n",), "depth")
            said = f"first_n:{fields['first_n'].text}" if "first_n" in fields else ""
        chosen = depth_of(said)
        if chosen is None:
            self.source.complain(
                "E406",
                f"depth 不能是“{said}”",
                node,
                ("title、first_sentence、first_n:200、clause、section、full",),
            )
        return chosen or ""

    def _table(self, node: Node, phase: str) -> list[Rule]:
        """Read a decision table: each row is a rule, earlier rows before later ones."""
        fields = field_map(node, TABLE_KEYS, "决策表")
        name = fields["table"].text
        columns = list(fields["columns"].items()) if "columns" in fields else []
        for column in columns:
            column.choice(_COLUMNS, "")
        chosen = fields["phase"].choice(PHASES, "") if "phase" in fields else phase
        base = fields["priority"].number() if "priority" in fields else 0
        rows = list(fields["rows"].items()) if "rows" in fields else []
        rules = []
        for number, row in enumerate(rows, 1):
            cells = list(row.items())
            if not row.is_list or len(cells) != len(columns):
                self.source.complain("E403", f"第{number}行要有{len(columns)}格", row)
                continue
            rule = self._row(f"{name}-{number}", columns, cells, row, _phase(chosen))
            if rule is not None:
                owner = _text(fields, "owner") or self.owner
                rules.append(msgspec.structs.replace(rule, owner=owner, priority=base - number))
        return rules

    def _row(
        self,
        name: str,
        columns: list[Node],
        cells: list[Node],
        row: Node,
        phase: Phase | Literal[""],
    ) -> Rule | None:
        condition: Condition = Always()
        actions: list[Action] = []
        for column, cell in zip(columns, cells, strict=True):
            head = column.text
            if cell.is_null or not cell.text.strip():
                continue
            if head in ("当", "when", "条件"):
                read = self._condition(cell)
                if read is None:
                    return None
                condition = read
            elif head in ("进入", "pipeline", "管线"):
                actions.append(Action("route", (cell.text,)))
            elif head in ("标记为", "tag"):
                actions.append(Action("tag", cell.words()))
            elif head in ("优先级", "priority"):
                actions.extend(self.acting.value("priority", cell))
            else:
                actions.extend(self.acting.sentence(cell))
        sentence = Sentence(condition, tuple(actions))
        return Rule(
            id=name,
            condition=condition,
            actions=tuple(actions),
            place=row.place,
            phase=phase,
            status=_status(self.status),
            sentence=sentence_text(sentence),
        )


def unslashed(source: str) -> str:
    """Give a pattern as a sentence would hold it: an escaped slash is a slash."""
    return source.replace("\\/", "/")


def _and(parts: list[Condition]) -> And:
    flat: list[Condition] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, And) else (part,))
    return And(tuple(flat))


def _keyword_terms(node: Node) -> tuple[Term, ...]:
    found: list[Term] = []
    for entry in node.items():
        words = entry.words()
        if words:
            found.append(Word(words))
    return tuple(dict.fromkeys(found))


def _match(node: Node | None, count: int) -> tuple[Mode, int]:
    if node is None:
        return "all", 1
    if node.is_map:
        fields = field_map(node, ("at_least",), "match")
        least = fields["at_least"].number(1) if "at_least" in fields else 1
        if least > count:
            node.source.complain("E113", f"at_least 是{least}，可是只有{count}个词", node)
        return "at_least", min(least, count)
    return ("any" if node.choice(("any", "all"), "all") == "any" else "all"), 1


def _effective(node: Node | None) -> tuple[str, str]:
    if node is None or node.is_null:
        return "", ""
    fields = field_map(node, ("from", "to"), "effective")
    dates = []
    for key in ("from", "to"):
        said = fields[key].text if key in fields and not fields[key].is_null else ""
        if said and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", said):
            node.source.complain("E403", f"日期要写成 2025-01-31，不是“{said}”", fields[key])
            said = ""
        dates.append(said)
    return dates[0], dates[1]


def _disabled(fields: dict[str, Node]) -> bool:
    return "enabled" in fields and not fields["enabled"].truth(True)


def _text(fields: dict[str, Node], key: str) -> str:
    return fields[key].text if key in fields else ""


def _phase(text: str) -> Phase | Literal[""]:
    return next((phase for phase in PHASES if phase == text), "")


def _status(text: str) -> Status:
    known: tuple[Status, ...] = ("draft", "active", "retired")
    return next((status for status in known if status == text), "")
