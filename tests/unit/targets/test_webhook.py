"""The signed POST."""

import json
from pathlib import Path

import pytest

from headworks.targets.webhook import is_genuine, signature
from tests.unit.targets.conftest import ask, opened, run

SECRET = b"s3cret"


def test_the_post_is_signed(tmp_path: Path) -> None:
    """Who holds the secret can tell that time and body are the sender's."""

    async def work() -> None:
        async with opened("webhook", tmp_path, secret="s3cret") as (target, server):
            reply = await target.send(ask())
        (request,) = server.requests
        assert reply.body == server.answer
        assert request.headers["idempotency-key"] == "job-1"
        assert is_genuine(
            SECRET,
            request.headers["x-headworks-timestamp"],
            request.body,
            request.headers["x-headworks-signature"],
            1_700_000_010.0,
        )
        body = json.loads(request.body)
        assert (body["job"], body["pipeline"]) == ("job-1", "legal-review")
        assert body["record"]["id"] == "c1"
        assert body["messages"][1][1] == "违约金是多少？"

    run(work())


@pytest.mark.parametrize(
    ("secret", "timestamp", "body", "now"),
    [
        (b"other", "1700000000", b"{}", 1_700_000_000.0),
        (SECRET, "1700000000", b"{ }", 1_700_000_000.0),
        (SECRET, "1700000001", b"{}", 1_700_000_000.0),
        (SECRET, "1700000000", b"{}", 1_700_000_301.0),
        (SECRET, "later", b"{}", 1_700_000_000.0),
    ],
)
def test_what_was_changed_or_is_old_is_not_genuine(
    secret: bytes, timestamp: str, body: bytes, now: float
) -> None:
    """Another secret, another body, another time, an old message: none is taken for genuine."""
    given = signature(SECRET, "1700000000", b"{}")
    assert is_genuine(SECRET, "1700000000", b"{}", given, 1_700_000_000.0)
    assert not is_genuine(secret, timestamp, body, given, now)


def test_without_a_secret_nothing_is_signed(tmp_path: Path) -> None:
    """No secret, no signature: and no empty one that would look like it."""

    async def work() -> None:
        async with opened("webhook", tmp_path) as (target, server):
            await target.send(ask())
        assert "x-headworks-signature" not in server.requests[0].headers

    run(work())


def test_the_same_ask_is_the_same_bytes(tmp_path: Path) -> None:
    """A retry sends the same body under the same key, so a receiver can drop it."""

    async def work() -> None:
        async with opened("webhook", tmp_path) as (target, server):
            await target.send(ask())
            await target.send(ask())
        first, second = server.requests
        assert first.body == second.body

    run(work())
