"""A POST of the chunk's record to an address, signed.

Takes an ask, gives what the receiver answers (nothing, where it only takes). The signature is
HMAC-SHA256 over time and body, so that a receiver knows the sender and an old message. Never
retries (dispatch does) and never follows a redirect.
"""

import asyncio
import hashlib
import hmac
import time
from collections.abc import Callable

from headworks.config_delivery import TargetSettings
from headworks.model.job import Ask, Reply
from headworks.targets.base import TargetBusy, TargetRefused
from headworks.targets.http import checked_url, fault_of, open_client
from headworks.targets.letter import letter

_LARGEST_ANSWER = 4 * 1024 * 1024
_TOLERANCE_SECONDS = 300.0


def signature(secret: bytes, timestamp: str, body: bytes) -> str:
    """Give ``sha256=`` and the hex HMAC of the timestamp, a full stop and the body."""
    digest = hmac.new(secret, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"sha256={digest}"


def is_genuine(secret: bytes, timestamp: str, body: bytes, given: str, now_seconds: float) -> bool:
    """Tell whether a message is from who holds the secret, and not older than five minutes."""
    if not timestamp.isdigit() or abs(now_seconds - int(timestamp)) > _TOLERANCE_SECONDS:
        return False
    return hmac.compare_digest(signature(secret, timestamp, body).encode(), given.encode())


class WebhookTarget:
    """A receiver at one address. Without a secret the messages are not signed."""

    def __init__(
        self,
        name: str,
        settings: TargetSettings,
        secret: str = "",
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self._url = checked_url(settings.url, f"targets.{name}")
        self._seconds = settings.timeout_seconds
        self._secret = secret.encode()
        self._clock = clock
        self._wall = wall
        self._client = open_client(settings.max_in_flight, f"targets.{name}")

    async def send(self, ask: Ask) -> Reply:
        """Post the chunk; raises TargetBusy or TargetRefused."""
        started = self._clock()
        body = letter(ask)
        timestamp = str(int(self._wall()))
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": ask.job,
            "X-Headworks-Timestamp": timestamp,
        }
        if self._secret:
            headers["X-Headworks-Signature"] = signature(self._secret, timestamp, body)
        answer, first = await self._post(body, headers)
        ended = self._clock()
        return Reply(
            job=ask.job,
            chunk=ask.chunk,
            target=self.name,
            body=answer.decode("utf-8", "replace"),
            first_token_milliseconds=(first - started) * 1000,
            milliseconds=(ended - started) * 1000,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _post(self, body: bytes, headers: dict[str, str]) -> tuple[bytes, float]:
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._client.stream("POST", self._url, content=body, headers=headers) as response,
            ):
                if not response.is_success:
                    raise fault_of(response.status_code, response.headers, self._wall())
                first = self._clock()
                answer = bytearray()
                async for part in response.aiter_bytes():
                    answer += part
                    if len(answer) > _LARGEST_ANSWER:
                        raise TargetRefused("the answer is over 4 MB")
                return bytes(answer), first
        except (TargetBusy, TargetRefused):
            raise
        except TimeoutError:
            raise TargetBusy("timeout") from None
        except Exception as fault:
            # The client library has a tree of its own for connections; none of it is ours.
            name = type(fault).__name__
            raise TargetBusy(f"no connection: {name}", overload=False) from None
