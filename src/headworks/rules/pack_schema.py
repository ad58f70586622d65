"""The JSON Schema of a pack, for editors that complete and check YAML.

Takes nothing, gives the schema, made of the same tables that the loader reads with. Never
stricter than the loader: sentences are checked there.
"""

from typing import Any

from headworks.rules.actions import BY_KEY, DEPTHS, PHASES
from headworks.rules.example_fields import CONTEXT_KEYS
from headworks.rules.guard_fields import TYPES
from headworks.rules.loader import PACK_KEYS, SETTINGS
from headworks.rules.pack import LAYERS
from headworks.rules.rule_fields import RULE_KEYS, TABLE_KEYS

_TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}
_WORDS: dict[str, Any] = {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]}
_STATUS: dict[str, Any] = {"enum": ["draft", "active", "retired"]}
_TOLD = {
    "when": "条件，一句话：包含任一：“发票”、“税号”",
    "rule": "条件和动作，一句话：如果……，则……。",
    "then": "动作：标记为“风险”",
    "keywords": "词，默认全部出现；match 可写 any、all 或 {at_least: 2}",
    "regex": "正则表达式（RE2 语法）",
    "trigger": "触发词，用 | 分开同义词",
    "context": "触发词前面的否定词（不算）与条件词（保留并注明）",
    "pipeline": "进入的管线",
    "fallback": "没有命中时的管线",
    "lock": "锁定：更高层、后面的阶段都不能撤销",
    "depth": "看多深：title、first_sentence、first_n:200、clause、section、full",
    "except": "这些规则命中时，本规则不算",
    "effective": "生效日期：{from: 2025-01-01, to: null}",
    "examples": "样例：{should_match: […], should_not_match: […]}",
    "sequence": "序列：先后出现的词和要取的值",
}


def pack_schema() -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a pack's file."""
    rules = {"type": "array", "items": {"$ref": "#/$defs/entry"}}
    fields: dict[str, Any] = {key: {} for key in PACK_KEYS}
    fields.update(
        layer={"enum": list(LAYERS)},
        language={"enum": ["zh", "en"]},
        status=_STATUS,
        corpus={"type": "string", "description": "其他文件的索引，由 rules boilerplate 写成"},
        settings={
            "type": "object",
            "properties": {key: {"enum": list(known)} for key, known in SETTINGS.items()},
            "additionalProperties": False,
        },
        aliases={"type": "object", "additionalProperties": _WORDS},
        rules=rules,
        tables=rules,
        phases={
            "type": "array",
            "items": {"type": "object", "properties": {"name": _TEXT, "rules": rules}},
        },
    )
    whole = {"type": "object", "properties": fields, "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "headworks rule pack",
        "anyOf": [whole, rules],
        "$defs": {
            "entry": {"anyOf": [_TEXT, {"$ref": "#/$defs/rule"}, {"$ref": "#/$defs/table"}]},
            "rule": _rule(),
            "table": _table(),
        },
    }


def _rule() -> dict[str, Any]:
    fields: dict[str, Any] = {
        key: {"description": _TOLD[key]} if key in _TOLD else {} for key in RULE_KEYS
    }
    fields["phase"] = {"enum": list(PHASES)}
    fields["status"] = _STATUS
    fields["priority"] = {"type": "integer"}
    fields["lock"] = {"type": "boolean", "description": _TOLD["lock"]}
    fields["depth"] = {
        "anyOf": [{"enum": sorted(set(DEPTHS))}, {"type": "string"}, {"type": "object"}],
        "description": _TOLD["depth"],
    }
    fields["action"] = {
        "anyOf": [
            _TEXT,
            {"type": "array"},
            {"type": "object", "propertyNames": {"enum": [*BY_KEY, "priority"]}},
        ]
    }
    fields["match"] = {
        "anyOf": [
            {"enum": ["any", "all"]},
            {"type": "object", "properties": {"at_least": {"type": "integer"}}},
        ]
    }
    fields["context"] = {
        "type": "array",
        "items": {"type": "object", "properties": {"type": {"enum": list(TYPES)}}},
        "description": _TOLD["context"],
    }
    fields["examples"] = {
        "type": "object",
        "properties": {"should_match": _examples(), "should_not_match": _examples()},
        "additionalProperties": False,
        "description": _TOLD["examples"],
    }
    return {"type": "object", "properties": fields, "additionalProperties": False}


def _examples() -> dict[str, Any]:
    context = {"type": "object", "propertyNames": {"enum": list(CONTEXT_KEYS)}}
    whole = {
        "type": "object",
        "properties": {"text": _TEXT, "captures": {"type": "object"}, "context": context},
        "required": ["text"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": {"anyOf": [_TEXT, whole]}}


def _table() -> dict[str, Any]:
    fields: dict[str, Any] = {key: {} for key in TABLE_KEYS}
    fields["columns"] = {"type": "array", "items": _TEXT}
    fields["rows"] = {"type": "array", "items": {"type": "array"}}
    return {
        "type": "object",
        "properties": fields,
        "required": ["table", "columns", "rows"],
        "additionalProperties": False,
    }
