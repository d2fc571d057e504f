"""Download files over HTTPS, resume after an interruption, and check size and SHA-256."""

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
from clineval.base.version import __version__

_CHUNK, _SECONDS, _TRIES = 1 << 16, 60, 5
_PARTIAL = 206
_CUT = (HTTPException, ConnectionError, TimeoutError, SSLError)
"""Errors that interrupt a download; another request may succeed."""
_REFUSED = (ConnectionRefusedError, SSLCertVerificationError)
"""Errors among these that another request cannot solve."""


def download(
    url: str, target: Path, *, size: int | None = None, sha256: str = ""
) -> tuple[int, str]:
    """Download a file; resume if the connection is interrupted.

    Args:
        url: the address, see :func:`~clineval.base.addresses.is_safe`.
        target: the file to write; after an error it does not exist.
        size: the expected size in bytes; None if unknown.
        sha256: the expected SHA-256 in hex digits; empty if unknown.

    Returns:
        The size in bytes, and the SHA-256 in hex digits.

    Raises:
        InputError: the host does not answer, the connection is interrupted too often, the file
            is not the expected one, or it cannot be written.
    """
    make_directory(target.parent)
    whole = False
    try:
        _fetch_all(url, target, size)
        found = target.stat().st_size, _digest(target)
        _check(url, found, size, sha256)
        whole = True
    except OSError as error:
        raise unwritable(error, target) from None
    finally:
        if not whole:
            with suppress(OSError):
                target.unlink()
    return found


def _fetch_all(url: str, target: Path, size: int | None) -> None:
    """Fetch the rest of a file until it is complete; resume after each interruption."""
    with metered(size, name_url(url), size=True) as advance:
        for _ in range(_TRIES):
            have = target.stat().st_size if target.is_file() else 0
            if have and have == size:
                return
            try:
                if _fetch(url, target, have, advance, find_limit() if size is None else size):
                    return
                reason = "the file is incomplete"
            except _CUT as error:
                reason = type(error).__name__
    raise InputError(
        f"the connection was interrupted {_TRIES} times: {reason}",
        where=name_url(url),
        remedy="Nothing was kept. Try again",
    )


def _fetch(url: str, target: Path, have: int, advance: Advance, most: int) -> bool:
    """Append the answer to the file; return whether the file is complete."""
    with _ask(url, have) as (answer, whole):
        resumed = answer.status == _PARTIAL
        with target.open("ab" if resumed else "wb") as file:
            got = have if resumed else 0
            advance(got - have)  # back to the start if the host cannot resume
            while chunk := answer.read(_CHUNK):
                got += len(chunk)
                if got > most:
                    raise InputError(f"larger than {most} bytes", where=name_url(url))
                _append(file, chunk)
                advance(len(chunk))
    return whole is None or got == whole + (have if resumed else 0)


def _append(file: IO[bytes], chunk: bytes) -> None:
    file.write(chunk)
    file.flush()  # an interruption of the next chunk does not lose this one


@contextmanager
def _ask(url: str, have: int) -> Iterator[tuple[HTTPResponse, int | None]]:
    """Request a file without its first ``have`` bytes; yield the answer and its size in bytes."""
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
        raise InputError(f"the host does not answer: {reason}", where=name_url(url)) from None
    with answer:
        length = answer.headers.get("Content-Length", "")
        yield answer, int(length) if length.isdecimal() else None


class _SafeRedirects(HTTPRedirectHandler):
    """Follow redirects to safe addresses only."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the request for the address to which the host redirects."""
        if not is_safe(newurl):
            fp.close()
            raise InputError(
                "the host redirects to an address without HTTPS", where=name_url(newurl)
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _check(url: str, found: tuple[int, str], size: int | None, sha256: str) -> None:
    """Reject a file with another size or SHA-256 than expected."""
    found_size, digest = found
    if size is not None and found_size != size:
        raise InputError(f"expected {size} bytes, got {found_size}", where=name_url(url))
    if sha256 and digest != sha256:
        problem = f"not the expected file: its SHA-256 begins with {digest[:12]}, "
        raise InputError(f"{problem}not {sha256[:12]}", where=name_url(url))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
