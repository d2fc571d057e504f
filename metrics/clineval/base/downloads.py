"""Files of other hosts: HTTPS, resumed where the connection was cut, checked before they count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
from ssl import SSLCertVerificationError, SSLError
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from clineval.base.addresses import is_safe, name_url
from clineval.base.errors import InputError
from clineval.base.files import find_limit, make_directory, unwritable
from clineval.base.progress import Advance, metered
from clineval.base.signature import __version__

_CHUNK, _SECONDS, _TRIES = 1 << 16, 60, 5
_PARTIAL = 206
_CUT = (HTTPException, ConnectionError, TimeoutError, SSLError)
"""What ends a download before its end, and what asking again may mend."""
_REFUSED = (ConnectionRefusedError, SSLCertVerificationError)
"""Those of them that it does not mend."""


def download(url: str, target: Path, *, size: int | None = None, sha256: str = "") -> None:
    """Download a file; where the connection is cut, go on from there.

    Args:
        url: where it is, see :func:`~clineval.base.addresses.is_safe`.
        target: where it is written to; after an error there is nothing.
        size: its bytes; None if they are not known.
        sha256: likewise; empty if it is not known.

    Raises:
        InputError: nobody answers, the connection is cut again and again, something else comes
            than is known, or it cannot be written.
    """
    make_directory(target.parent)
    whole = False
    try:
        _fetch_all(url, target, size)
        _check(url, target, size, sha256)
        whole = True
    except OSError as error:
        raise unwritable(error, target) from None
    finally:
        if not whole:
            with suppress(OSError):
                target.unlink()


def _fetch_all(url: str, target: Path, size: int | None) -> None:
    """Fetch a file from where it was cut until it is whole."""
    with metered(size, name_url(url)) as advance:
        for _ in range(_TRIES):
            have = target.stat().st_size if target.is_file() else 0
            if have and have == size:
                return
            try:
                if _fetch(url, target, have, advance, find_limit() if size is None else size):
                    return
                reason = "it ended early"
            except _CUT as error:
                reason = type(error).__name__
    raise InputError(
        f"the connection was cut {_TRIES} times: {reason}",
        where=name_url(url),
        remedy="Nothing of it was kept; call it again",
    )


def _fetch(url: str, target: Path, have: int, advance: Advance, most: int) -> bool:
    """Append what comes to the file; return whether it is all that the host has."""
    with _ask(url, have) as (answer, whole):
        resumed = answer.status == _PARTIAL
        with target.open("ab" if resumed else "wb") as file:
            got = have if resumed else 0
            advance(got - have)  # back to the start where the host does not resume
            while chunk := answer.read(_CHUNK):
                got += len(chunk)
                if got > most:
                    raise InputError(f"larger than {most} bytes", where=name_url(url))
                _append(file, chunk)
                advance(len(chunk))
    return whole is None or got == whole + (have if resumed else 0)


def _append(file: IO[bytes], chunk: bytes) -> None:
    file.write(chunk)
    file.flush()  # what has come is kept where the next is cut


@contextmanager
def _ask(url: str, have: int) -> Iterator[tuple[HTTPResponse, int | None]]:
    """Ask for a file, without its first bytes; yield the answer and how many bytes it has."""
    headers = {"User-Agent": f"clineval/{__version__}", "Accept-Encoding": "identity"}
    if have:
        headers["Range"] = f"bytes={have}-"
    if not is_safe(url):
        raise InputError("expected an address that begins with https://", where=name_url(url))
    try:
        answer = build_opener(_SafeRedirects).open(Request(url, headers=headers), timeout=_SECONDS)
    except HTTPError as error:
        error.close()
        raise InputError(
            f"the host answers {error.code} {error.reason}", where=name_url(url)
        ) from None
    except URLError as error:
        if isinstance(error.reason, _CUT) and not isinstance(error.reason, _REFUSED):
            raise error.reason from None
        reason = getattr(error.reason, "strerror", None) or error.reason
        raise InputError(f"nobody answers: {reason}", where=name_url(url)) from None
    with answer:
        length = answer.headers.get("Content-Length", "")
        yield answer, int(length) if length.isdecimal() else None


class _SafeRedirects(HTTPRedirectHandler):
    """Follows to safe addresses only."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the request of the address to which the host sends us."""
        if not is_safe(newurl):
            fp.close()
            raise InputError(
                "the host sends us to an address without HTTPS", where=name_url(newurl)
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check(url: str, target: Path, size: int | None, sha256: str) -> None:
    """Refuse another file than is known."""
    found = target.stat().st_size
    if size is not None and found != size:
        raise InputError(f"expected {size} bytes, got {found}", where=name_url(url))
    if sha256:
        digest = _digest(target)
        if digest != sha256:
            problem = f"another file than is known: its SHA-256 begins with {digest[:12]}, not "
            raise InputError(f"{problem}{sha256[:12]}", where=name_url(url))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
