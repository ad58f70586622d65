"""From a pack's YAML to a ``Pack``: keys, sentences, fields, examples.

Takes a file's name and bytes, gives a pack with all complaints, each at its line and column. Never
stops at the first fault.
"""

import re
from hashlib import blake2b
from pathlib import Path

import msgspec

from headworks.rules.actions import PHASES
from headworks.rules.bundle import is_beside, unbundled
from headworks.rules.complaints import Complaint
from headworks.rules.lexicon import Lexicon
from headworks.rules.nodes import Node, Source, compose, field_map
from headworks.rules.pack import LAYERS, Pack, PackSettings, Rule
from headworks.rules.rule_fields import RuleReader
from headworks.rules.syntax import Elsewhere, walk

PACK_KEYS = (
    "pack", "name", "version", "language", "layer", "status", "title", "description", "owner",
    "settings", "aliases", "rules", "phases", "fallback", "default", "tables", "corpus",
)  # fmt: skip
SETTINGS: dict[str, tuple[str, ...]] = {
    "quotes": ("required", "optional"),
    "lists": ("explicit", "loose"),
    "route_policy": ("first", "all"),
    "on_undecided": ("review", "ignore", "skip"),
}
PHASE_NAMES: dict[str, str] = {
    **{phase: phase for phase in PHASES},
    "结构": "structure", "清洗": "structure", "标注": "tag", "标签": "tag", "提取": "tag",
    "脱敏": "tag", "分片": "chunk", "切片": "chunk", "路由": "route", "分流": "route",
    "后处理": "post", "检查": "post", "clean": "structure", "routing": "route", "chunking": "chunk",
    "tagging": "tag", "postprocess": "post",
}  # fmt: skip
_NAME = re.compile(r"[^\s/@]+")


def parse_pack(file: str, content: bytes) -> Pack:
    """Read a pack from its bytes."""
    yaml, index = unbundled(content)
    source = Source(file, _decoded(yaml))
    digest = blake2b(content, digest_size=6).hexdigest()
    root = compose(source)
    if root is None:
        return _pack({}, Path(file).stem, source, digest, ())
    if root.is_list:
        return _whole({"rules": root}, source, digest)
    pack = _whole(field_map(root, PACK_KEYS, "规则包"), source, digest)
    return msgspec.structs.replace(pack, index=index) if index else pack


def _decoded(content: bytes) -> str:
    """Give the text: UTF-8, or what Windows' editors save beside it, UTF-16 and GB18030."""
    marked = content.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8-sig", "replace")


def _whole(fields: dict[str, Node], source: Source, digest: str) -> Pack:
    settings = _settings(fields.get("settings"))
    aliases = _aliases(fields.get("aliases"))
    name = _name(fields, source)
    lexicon = Lexicon(
        aliases=aliases,
        quotes_required=settings.quotes == "required",
        lists_explicit=settings.lists == "explicit",
    )
    status = (
        fields["status"].choice(("draft", "active", "retired"), "") if "status" in fields else ""
    )
    owner = fields["owner"].text if "owner" in fields else ""
    reader = RuleReader(source, lexicon, status, owner)
    rules: list[Rule] = []
    for key in ("rules", "tables"):
        if key in fields:
            rules.extend(reader.rules(fields[key], ""))
    if "phases" in fields:
        rules.extend(_phases(fields["phases"], reader, source))
    if not rules and not any(complaint.is_error for complaint in source.complaints):
        source.complain("E402", "没有规则：规则包要有 rules", None, ("rules: [...]",))
    _check_ids(rules, source)
    if "corpus" in fields and not is_beside(fields["corpus"].text):
        source.complain("E403", "索引要在规则包的文件夹里", fields["corpus"])
    if "corpus" not in fields:
        for rule in rules:
            if any(isinstance(part, Elsewhere) for part in walk(rule.condition)):
                message = "“其他文件”要有索引：规则包里写 corpus: 文件名"
                _complain(source, "E413", message, rule)
    pack = _pack(fields, name, source, digest, tuple(rules))
    return msgspec.structs.replace(pack, settings=settings, aliases=aliases)


def _name(fields: dict[str, Node], source: Source) -> str:
    node = fields.get("pack") or fields.get("name")
    if node is None:
        return Path(source.file).stem
    if not _NAME.fullmatch(node.text):
        source.complain("E403", "规则包的名字不能是空的，也不能含空格、/ 或 @", node)
        return Path(source.file).stem
    return node.text


def _pack(
    fields: dict[str, Node], name: str, source: Source, digest: str, rules: tuple[Rule, ...]
) -> Pack:
    def text(key: str, default: str = "") -> str:
        return fields[key].text if key in fields else default

    language = fields["language"].choice(("zh", "en"), "zh") if "language" in fields else "zh"
    layer = fields["layer"].choice(LAYERS, "user") if "layer" in fields else "user"
    return Pack(
        name=name,
        file=source.file,
        digest=digest,
        rules=rules,
        version=text("version", "0"),
        language="en" if language == "en" else "zh",
        layer=next(known for known in LAYERS if known == layer),
        title=text("title"),
        description=text("description"),
        fallback=text("fallback"),
        default=text("default"),
        corpus=text("corpus"),
        complaints=tuple(source.complaints),
    )


def _settings(node: Node | None) -> PackSettings:
    if node is None:
        return PackSettings()
    chosen = {
        key: value.choice(SETTINGS[key], SETTINGS[key][0])
        for key, value in field_map(node, tuple(SETTINGS), "settings").items()
    }
    return msgspec.convert(chosen, PackSettings)


def _aliases(node: Node | None) -> dict[str, tuple[str, ...]]:
    if node is None or node.is_null:
        return {}
    if not node.is_map:
        node.source.complain("E403", "aliases 要写成“名字: [词, 词]”", node)
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for key, key_node, value in node.fields():
        if key in found:
            node.source.complain("E410", f"别名“{key}”写了两次", key_node)
        words = value.words()
        if not words:
            node.source.complain("E402", f"别名“{key}”没有词", value)
        found[key] = words
    return found


def _phases(node: Node, reader: RuleReader, source: Source) -> list[Rule]:
    rules: list[Rule] = []
    for entry in node.items():
        fields = field_map(entry, ("name", "phase", "rules", "description"), "阶段")
        named = fields.get("phase") or fields.get("name")
        phase = PHASE_NAMES.get(named.text.lower(), "") if named is not None else ""
        if named is not None and not phase:
            source.complain(
                "W403",
                f"“{named.text}”不是已知的阶段，规则按各自的动作归入阶段",
                named,
                (f"已知的阶段：{'、'.join(PHASES)}",),
            )
        if "rules" in fields:
            rules.extend(reader.rules(fields["rules"], phase))
    return rules


def _check_ids(rules: list[Rule], source: Source) -> None:
    seen: dict[str, str] = {}
    for rule in rules:
        if rule.id in seen:
            _complain(source, "E404", f"规则“{rule.id}”出现两次，另一处在 {seen[rule.id]}", rule)
        seen.setdefault(rule.id, rule.place)
    for rule in rules:
        for other in rule.defeated_by:
            if other not in seen and "/" not in other:
                _complain(source, "W409", f"except 里没有叫“{other}”的规则", rule)


def _complain(source: Source, code: str, message: str, rule: Rule) -> None:
    source.complaints.append(Complaint(code=code, message=message, place=rule.place, rule=rule.id))
