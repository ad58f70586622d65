"""Settings of delivery: which targets there are, which pipeline goes to which, with which prompt.

Takes nothing, gives frozen structs that ``config`` fills from ``[targets.NAME]``,
``[pipelines.NAME]`` and ``[delivery]``. Never holds a secret: only the name of the environment
variable that does.
"""

from typing import Literal

import msgspec


class TargetSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One target. ``window`` is the model's context in tokens; times in seconds.

    ``chat``: an OpenAI-compatible server at ``url``; ``webhook``: a POST to ``url``, signed with
    the secret in ``key_env``; ``folder``: JSON lines under ``path``; ``function``: a Python
    function by entry point ``function``; ``extract``: the built-in one that needs no model.
    ``max_in_flight`` is the most that is ever under way; ``pool`` groups servers that share a
    device. ``cpu`` names the target that small work may go to when this one is full.
    """

    kind: Literal["chat", "webhook", "folder", "function", "extract"]
    url: str = ""
    model: str = ""
    key_env: str = ""
    path: str = ""
    function: str = ""
    window: int = 8192
    max_in_flight: int = 32
    timeout_seconds: float = 120.0
    first_token_seconds: float = 60.0
    metrics_url: str = ""
    cpu: str = ""
    gpu: int | None = None


class PipelineSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One pipeline that rules route to: its target and what is asked there.

    ``prompt`` names a Jinja2 file or a shipped prompt; ``prompts`` the same by chunk kind;
    ``answer_schema`` a JSON Schema file or a shipped one ("" takes the prompt's own, "none" wants
    text). ``max_tokens`` bounds the answer. ``wanted`` names the values that are asked for.

    With ``rules_alone`` a chunk of which rules took the values (all those ``wanted``, where some
    are) without leaving a doubt is answered by them, and no call is made for it.
    """

    target: str
    prompt: str = "default"
    prompts: dict[str, str] = {}
    answer_schema: str = ""
    max_tokens: int = 1024
    wanted: tuple[str, ...] = ()
    rules_alone: bool = False


class DeliverySettings(msgspec.Struct, frozen=True, kw_only=True):
    """How delivery goes. ``fallback`` is the target of pipelines that name none ("" keeps their
    chunks here). ``context_share`` of a model's window is for the chunk and its context.

    ``title`` shows models the document's title too: then equal clauses of documents with different
    titles are different questions, and each is asked.

    ``pack`` is how many small chunks of one document may go to a model in one call (1: each alone).

    A send is tried ``attempts`` times in all, after ``retry_seconds`` doubled each time.
    """

    fallback: str = ""
    context_share: float = 0.65
    attempts: int = 4
    retry_seconds: float = 1.0
    breaker_failures: int = 5
    breaker_seconds: float = 60.0
    neighbours: bool = True
    definitions: bool = True
    references: bool = True
    title: bool = False
    pack: int = 8
