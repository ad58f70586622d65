"""What a rule can do: each action's phrases, its phase, and the form of its arguments.

Takes nothing, gives a table. Never carries an action out: ``judge`` does.
"""

from typing import Literal

import msgspec

from headworks.rules.vocabulary import Phrases

Phase = Literal["structure", "tag", "chunk", "route", "post"]
PHASES: tuple[Phase, ...] = ("structure", "tag", "chunk", "route", "post")
Argument = Literal["none", "words", "optional_words", "pipeline", "law", "priority", "depth"]


class ActionKind(msgspec.Struct, frozen=True):
    """An action: canonical phrases first, the phase it belongs to, what follows it.

    ``keys`` are the names YAML fields give it (``action: {tag: X}``). ``group`` names what only
    one rule can decide: two rules of one group with different results are in conflict.
    """

    name: str
    phase: Phase
    zh: tuple[str, ...]
    en: tuple[str, ...]
    argument: Argument = "none"
    keys: tuple[str, ...] = ()
    group: str = ""


ACTIONS: dict[str, ActionKind] = {
    kind.name: kind
    for kind in (
        ActionKind(
            "tag", "tag",
            ("标记为", "标记成", "标为", "标注为", "打上标签", "打标签", "加标签", "标记"),
            ("tag as", "tag it as", "tag with", "mark as", "label as", "tag"),
            "words", ("tag", "tags", "label"),
        ),
        ActionKind(
            "skip", "chunk", ("跳过", "不发送", "忽略", "略过"),
            ("skip", "skip it", "skip the chunk"), keys=("skip",), group="sending",
        ),
        ActionKind(
            "merge_next", "chunk",
            ("与下一片合并", "合并到下一片", "和下一片合并", "并入下一片"),
            ("merge with next", "merge with the next chunk"), keys=("merge_with_next",),
            group="sending",
        ),
        ActionKind(
            "merge_previous", "chunk",
            ("与上一片合并", "合并到上一片", "和上一片合并", "并入上一片"),
            ("merge with previous", "merge with the previous chunk"),
            keys=("merge_with_previous",), group="sending",
        ),
        ActionKind(
            "keep", "structure", ("保持一体", "保持完整", "不拆分", "不切开", "保持一片"),
            ("keep together", "keep it together"), keys=("keep", "keep_together"),
        ),
        ActionKind(
            "section", "structure",
            ("整章保持一片", "整节保持一片", "整章保持一体", "扩展到整章", "整章"),
            ("keep the whole section", "keep section"), keys=("keep_section", "section"),
        ),
        ActionKind(
            "split", "structure", ("在此前切开", "在此之前切开", "另起一片", "在前面切开"),
            ("split before",), keys=("split", "split_before"),
        ),
        ActionKind(
            "strip", "structure", ("去除", "清除", "剔除"), ("strip",), keys=("strip",),
        ),
        ActionKind(
            "route", "route", ("进入", "送入", "送到", "路由到", "分配到", "转到", "交给",
             "发送到", "发到"),
            ("route to", "send to", "route it to", "go to"), "pipeline",
            ("pipeline", "route"), "route",
        ),
        ActionKind(
            "redact", "tag", ("脱敏", "遮盖", "打码"), ("redact", "mask"), "optional_words",
            ("redact",),
        ),
        ActionKind(
            "link", "tag", ("关联到", "关联", "链接到"), ("link to", "link"), "law", ("link",),
        ),
        ActionKind(
            "extract", "tag", ("提取", "抽取", "取出"), ("extract",), "words", ("extract",),
        ),
        ActionKind(
            "depth", "tag", ("解析深度为", "解析深度设为", "解析深度"),
            ("set depth to", "depth"), "depth", ("depth",), "depth",
        ),
        ActionKind(
            "stop", "route", ("停止后续规则", "不再执行后续规则", "停止"),
            ("stop", "stop here"), keys=("stop",),
        ),
        ActionKind(
            "priority", "route",
            ("设置优先级为", "设置优先级", "优先级设为", "优先级为", "设优先级为"),
            ("set priority to", "priority"), "priority", ("set_priority",), "priority",
        ),
        ActionKind(
            "prompt", "route", ("使用提示词", "提示词为", "设置提示词为"),
            ("use prompt", "set prompt to"), "words", ("prompt",), "prompt",
        ),
        ActionKind(
            "warn", "post", ("警告", "提示", "告警"), ("warn",), "words", ("warn", "warning"),
        ),
        ActionKind(
            "review", "post",
            (
                "需要人工复核", "需要人工审核", "需要人工", "转人工", "人工复核", "人工审核",
                "需人工", "需人工复核", "需人工审核", "需人工确认", "需要人工确认", "送人工",
                "交人工", "转人工处理", "转人工复核", "转人工审核", "送人工复核", "送人工审核",
                "请人工复核", "需要人工处理", "人工处理",
            ),
            (
                "needs a person", "needs review", "review", "needs a human", "needs human review",
                "ask a person", "human review",
            ), "optional_words",
            ("review", "needs_person"),
        ),
    )
}  # fmt: skip

PHRASES = Phrases(
    {phrase: kind.name for kind in ACTIONS.values() for phrase in (*kind.zh, *kind.en)}
)
BY_KEY: dict[str, str] = {key: kind.name for kind in ACTIONS.values() for key in kind.keys}
# The tail that closes an argument: 进入财务管线.
PIPELINE_TAIL = ("管线", "流程", "队列", "管道", "通道", "pipeline", "queue", "flow")

# 转到人工, send to human: no pipeline, unless it is quoted or called one.
PEOPLE = frozenset(
    ("人工", "人", "人工处理", "人工复核", "人工审核", "人工确认", "human", "a human", "humans",
     "person", "a person", "people", "human review", "manual review")
)  # fmt: skip

PRIORITIES: dict[str, str] = {
    **dict.fromkeys(("interactive", "实时", "高", "紧急", "立即", "high", "urgent"), "interactive"),
    **dict.fromkeys(("nearline", "近线", "中", "普通", "normal", "medium"), "nearline"),
    **dict.fromkeys(("offline", "离线", "低", "批量", "low", "batch"), "offline"),
}
PRIORITY_ZH = {"interactive": "实时", "nearline": "近线", "offline": "离线"}
DEPTHS: dict[str, str] = {
    **dict.fromkeys(("title", "标题", "仅标题"), "title"),
    **dict.fromkeys(("first_sentence", "首句", "第一句", "first sentence"), "first_sentence"),
    **dict.fromkeys(("clause", "条款", "整条", "本条"), "clause"),
    **dict.fromkeys(("section", "章节", "整章", "整节"), "section"),
    **dict.fromkeys(("full", "全文", "完整"), "full"),
}
DEPTH_ZH = {
    "title": "标题",
    "first_sentence": "首句",
    "clause": "条款",
    "section": "章节",
    "full": "全文",
}


def priority_of(text: str) -> str | None:
    """Give the priority a word or a number from 0 to 100 stands for, or none."""
    known = PRIORITIES.get(text.strip().lower())
    if known is not None:
        return known
    try:
        number = float(text)
    except ValueError:
        return None
    return "interactive" if number >= 67 else "nearline" if number >= 34 else "offline"


def depth_of(text: str) -> str | None:
    """Give the depth a word stands for (``first_n:200`` for 前200字), or none."""
    known = DEPTHS.get(text.strip().lower())
    if known is not None:
        return known
    digits = text.strip().removeprefix("first_n:").removeprefix("前").removesuffix("字").strip()
    return f"first_n:{int(digits)}" if digits.isdigit() and int(digits) > 0 else None
