"""One more question, where an answer does not read: what was wrong is said, and asked again.

Takes an ask and the reply to it, gives why that does not read, and the ask that follows. Never
asks a third time: that is for the caller to end.
"""

import asyncio

import msgspec

from headworks.assembly.answers import read_answer
from headworks.model.job import Ask, Reply

# Longer answers are read beside the loop: repairing one may take a while.
_LONG = 20_000
_MOST_SAID = 600
_CUT = "上一次的回答太长，没有写完就被截断：请写得短些。"
_WRONG = "上一次对这段原文的回答不能用：{faults}。"
_AGAIN = (
    "请重新作答：只输出一个完整的、符合上述结构的 JSON，不要任何别的文字。"
    "(Answer again: one complete JSON of the form above, nothing else.)"
)


async def unread(ask: Ask, reply: Reply, *, may_be_empty: bool) -> tuple[str, ...]:
    """Give why an answer does not read; nothing where it does, or where text was wanted.

    ``may_be_empty`` holds for targets that need not answer, such as a webhook.
    """
    if ask.schema is None or not ask.messages:
        return ()
    if not reply.body.strip():
        return () if may_be_empty else ("the answer is empty",)
    if len(reply.body) > _LONG:
        read = await asyncio.to_thread(read_answer, reply.body, ask.schema)
    else:
        read = read_answer(reply.body, ask.schema)
    return (read.faults or ("it does not read",)) if read.layer == "raw" else ()


def asked_again(ask: Ask, reply: Reply, faults: tuple[str, ...]) -> Ask:
    """Give the same ask with what was wrong; in its last message, as servers want turns."""
    wrong = _CUT if reply.stopped == "length" else _WRONG.format(faults=_short(faults))
    role, words = ask.messages[-1]
    last = (role, f"{words}\n\n{wrong}\n{_AGAIN}")
    return msgspec.structs.replace(ask, messages=(*ask.messages[:-1], last))


def together(first: Reply, second: Reply) -> Reply:
    """Give the second reply with what both took."""
    return msgspec.structs.replace(
        second,
        tokens_in=first.tokens_in + second.tokens_in,
        tokens_out=first.tokens_out + second.tokens_out,
        estimated=first.estimated or second.estimated,
        milliseconds=first.milliseconds + second.milliseconds,
        calls=first.calls + second.calls,
    )


def _short(faults: tuple[str, ...]) -> str:
    said = "；".join(faults)
    return said if len(said) <= _MOST_SAID else said[:_MOST_SAID] + "…"
