"""Access control for the local application: only its own page, opened by its address.

A web page elsewhere can make the reader's browser send requests to 127.0.0.1. If the name of that
page is made to resolve to 127.0.0.1, it can also read the responses. Other users of the computer
can send requests too. So every request must name the bound address, must not come from another
page, and needs a path that nobody can guess. There are no cookies, because browsers also send them
to other servers of this computer, on any port.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Message = Mapping[str, Any]
Scope = Message
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 200_000_000
"""The most bytes of a request, such as an upload."""
_NAMES = ("127.0.0.1", "localhost")
_HEADERS = (
    (b"cache-control", b"no-store"),  # browsers must not store notes in their cache
    (b"referrer-policy", b"same-origin"),  # other pages must not get the address
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for rejecting a request: the HTTP status, and what to do."""

    status: int
    reason: str


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application that passes allowed requests to another one.

    Args:
        app: the other application; it serves paths under ``/<token>/``.
        port: the bound port of 127.0.0.1.
        token: the secret part of the address.
        tickets: secrets that redirect to the address once; see :meth:`issue_ticket`.
    """

    app: Application
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    tickets: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        """The address that opens the application."""
        return f"http://{_NAMES[0]}:{self.port}/{self.token}/"

    def issue_ticket(self) -> str:
        """Return an address that redirects to :attr:`address` once.

        Use it on the command line of a browser, which other users can see.
        """
        ticket = secrets.token_urlsafe(32)
        self.tickets.add(ticket)
        return f"http://{_NAMES[0]}:{self.port}/{ticket}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif self._redeem(scope):
            await _answer(send, 303, self.address, (b"location", self.address.encode()))
        elif refusal := self.find_refusal(scope):
            await _refuse(scope, send, refusal)
        else:
            await self.app(scope, receive, _hardened(send))

    def find_refusal(self, scope: Scope) -> Refusal | None:
        """Return the reason for rejecting a request; None if it is allowed."""
        return self._check_origin(scope) or self._check_token(scope) or _check_size(scope)

    def _check_origin(self, scope: Scope) -> Refusal | None:
        hosts = [f"{name}:{self.port}".encode() for name in _NAMES]
        given = _values(scope, b"host")
        if len(given) != 1 or given[0] not in hosts:
            return Refusal(403, f"wrong address: the application is at {_NAMES[0]}:{self.port}")
        if any(origin != b"http://" + given[0] for origin in _values(scope, b"origin")):
            return Refusal(403, "requests from pages of other origins are rejected")
        return None

    def _check_token(self, scope: Scope) -> Refusal | None:
        if secrets.compare_digest(_first_part(scope), self.token.encode()):
            return None
        return Refusal(403, "no token: open the whole address that 'clineval app' printed")

    def _redeem(self, scope: Scope) -> bool:
        """Return whether the request has a ticket, and use the ticket up."""
        if self._check_origin(scope):
            return False
        given = _first_part(scope)
        used = {t for t in self.tickets if secrets.compare_digest(given, t.encode())}
        self.tickets.difference_update(used)
        return bool(used)


def _check_size(scope: Scope) -> Refusal | None:
    if _values(scope, b"transfer-encoding"):
        return Refusal(411, "a request must state its size")
    if any(not size.isdigit() or int(size) > LARGEST for size in _values(scope, b"content-length")):
        return Refusal(
            413,
            f"more than {LARGEST // 1_000_000} MB at once: upload less, or start 'clineval app' "
            "with the folder of the files and choose them there",
        )
    return None


def _values(scope: Scope, name: bytes) -> list[bytes]:
    return [value for header, value in scope["headers"] if header == name]


def _first_part(scope: Scope) -> bytes:
    path: str = scope["path"]
    return path.removeprefix("/").partition("/")[0].encode("utf-8", "replace")


async def _refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.reason})
    else:
        await _answer(send, refusal.status, refusal.reason)


async def _answer(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    head = [plain, *_HEADERS, *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


def _hardened(send: Send) -> Send:
    """Send responses with our own headers, and without permission for other origins."""

    async def send_hardened(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in _HEADERS}
            kept = [
                (name, value)
                for name, value in message["headers"]
                if not name.lower().startswith(b"access-control-") and name.lower() not in ours
            ]
            message = {**message, "headers": [*kept, *_HEADERS]}
        await send(message)

    return send_hardened
