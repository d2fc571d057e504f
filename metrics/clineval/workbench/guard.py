"""Who may use the local application: whoever has the address that it printed, from its own page.

A web page elsewhere can make the reader's browser ask 127.0.0.1 for anything, and if its own name
is made to resolve to 127.0.0.1 it can read the answer; other users of the computer can ask as
well. So every request must name the address that is bound, come from no other page, and be below a
path that nobody can guess. There are no cookies, which other servers of this computer would get
too, whatever their port.
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
"""The bytes of a request, such as an upload, at most."""
_NAMES = ("127.0.0.1", "localhost")
_HEADERS = (
    (b"cache-control", b"no-store"),  # notes stay in no browser's cache
    (b"referrer-policy", b"same-origin"),  # the address is told to no other page
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered: HTTP's number, and what to do."""

    status: int
    reason: str


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application around another one, which gets the requests that are allowed.

    Args:
        app: the other application; it serves what is below ``/<token>/``.
        port: the port of 127.0.0.1 that is bound.
        token: the secret part of the address.
        tickets: secrets that lead to the address once; see :meth:`issue_ticket`.
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
        """Return an address that leads to :attr:`address` once.

        It is for the command line of a browser, which other users can see.
        """
        ticket = secrets.token_urlsafe(32)
        self.tickets.add(ticket)
        return f"http://{_NAMES[0]}:{self.port}/{ticket}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif self._redeem(scope):
            await _answer(send, 303, self.address, (b"location", self.address.encode()))
        elif refusal := self.find_refusal(scope):
            await _refuse(scope, send, refusal)
        else:
            await self.app(scope, receive, _hardened(send))

    def find_refusal(self, scope: Scope) -> Refusal | None:
        """Return why a request is refused; None if it is not."""
        return self._check_origin(scope) or self._check_token(scope) or _check_size(scope)

    def _check_origin(self, scope: Scope) -> Refusal | None:
        hosts = [f"{name}:{self.port}".encode() for name in _NAMES]
        given = _values(scope, b"host")
        if len(given) != 1 or given[0] not in hosts:
            return Refusal(403, f"this is not the address that is served, {_NAMES[0]}:{self.port}")
        if any(origin != b"http://" + given[0] for origin in _values(scope, b"origin")):
            return Refusal(403, "pages of other origins may not ask")
        return None

    def _check_token(self, scope: Scope) -> Refusal | None:
        if secrets.compare_digest(_first_part(scope), self.token.encode()):
            return None
        return Refusal(403, "open the whole address that 'clineval app' printed: it has a token")

    def _redeem(self, scope: Scope) -> bool:
        """Tell whether the request has a ticket, which is then used up."""
        if self._check_origin(scope):
            return False
        given = _first_part(scope)
        used = {t for t in self.tickets if secrets.compare_digest(given, t.encode())}
        self.tickets.difference_update(used)
        return bool(used)


def _check_size(scope: Scope) -> Refusal | None:
    if _values(scope, b"transfer-encoding"):
        return Refusal(411, "a request must say how large it is")
    if any(not size.isdigit() or int(size) > LARGEST for size in _values(scope, b"content-length")):
        return Refusal(
            413,
            f"more than {LARGEST // 1_000_000} MB at once: upload less, or choose the files from "
            "the folder that 'clineval app' is started with",
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
    """Send responses without leave for other origins to read them, and with our own headers."""

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
