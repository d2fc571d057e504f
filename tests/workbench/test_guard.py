"""What the guard of ``clineval app`` lets through; real requests are in tests/browser."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clineval.workbench.guard import LARGEST, Guard

HOSTS = [b"127.0.0.1:80", b"localhost:80", b"evil.example", b"127.0.0.1", b"127.0.0.1:8000", b""]
ORIGINS = [b"http://127.0.0.1:80", b"http://localhost:80", b"null", b"http://evil.example", b""]
PATHS = ["/{}/", "/{}/x", "/{}", "{}", "/", "/x{}/", "/{}x/", "/x/{}/", "//{}/", "/\ud800"]
RESPONSE = [(b"content-type", b"text/plain"), (b"Access-Control-Allow-Origin", b"*")]


async def application(_scope, _receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": RESPONSE})
    await send({"type": "http.response.body", "body": b"secret"})


def ask(guard, path, headers, kind="http"):
    """What the guard and the application behind it send."""
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    asyncio.run(guard({"type": kind, "path": path, "headers": headers}, receive, send))
    return sent


@given(
    st.lists(st.sampled_from(HOSTS), max_size=2),
    st.lists(st.sampled_from(ORIGINS), max_size=2),
    st.sampled_from(PATHS),
    st.sampled_from(["http", "websocket"]),
)
def test_only_what_names_the_address_and_comes_from_it_is_answered(hosts, origins, path, kind):
    guard = Guard(application, 80)
    headers = [(b"host", h) for h in hosts] + [(b"origin", o) for o in origins]
    sent = ask(guard, path.format(guard.token), headers, kind)
    right = len(hosts) == 1 and hosts[0] in HOSTS[:2]
    right = right and all(origin == b"http://" + hosts[0] for origin in origins)
    right = right and path in PATHS[:4]
    if right:
        assert sent[1]["body"] == b"secret"
        assert [name for name, _ in sent[0]["headers"] if name.startswith(b"A")] == []
    elif kind == "http":
        assert sent[0]["status"] == 403
        assert b"secret" not in sent[1]["body"]
    else:
        assert [message["type"] for message in sent] == ["websocket.close"]


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ((b"content-length", str(LARGEST).encode()), 200),
        ((b"content-length", str(LARGEST + 1).encode()), 413),
        ((b"content-length", b"-1"), 413),
        ((b"transfer-encoding", b"chunked"), 411),
    ],
)
def test_a_request_says_how_large_it_is_and_has_a_limit(header, status):
    guard = Guard(application, 80)
    sent = ask(guard, f"/{guard.token}/", [(b"host", HOSTS[0]), header])
    assert sent[0]["status"] == status


def test_a_ticket_leads_to_the_address_once_and_only_with_the_right_host():
    guard = Guard(application, 80)
    ticket = guard.issue_ticket().rpartition("/")[2]
    assert ticket not in guard.address
    for host, status in ((HOSTS[2], 403), (HOSTS[0], 303), (HOSTS[0], 403)):
        sent = ask(guard, f"/{ticket}", [(b"host", host)])
        assert sent[0]["status"] == status
        assert ((b"location", guard.address.encode()) in sent[0]["headers"]) == (status == 303)


def test_every_run_has_a_token_of_its_own():
    tokens = {Guard(application, 80).token for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43
