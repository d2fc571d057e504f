"""Files of other hosts: HTTPS, resumed where the connection was cut, checked before they count."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPMessage, HTTPResponse
from pathlib import Path
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
_CUT = (HTTPException, ConnectionError, TimeoutError)
"""What ends a download before its end, and what asking again may mend."""


def download(url: str, target: Path, *, size: int | None = None, sha256: str = "") -> None:
    """Download a file; where it was cut before, what is missing.

    Args:
        url: where it is, see :func:`~clineval.base.addresses.is_safe`.
        target: where it is written to; beside it, with the ending ``.part``, lies what came before
            the connection was cut, if size and SHA-256 are known, which tell whether it fits.
        size: its bytes; None if they are not known.
        sha256: likewise; empty if it is not known.

    Raises:
        InputError: nobody answers, something else comes than is known, or it cannot be written.
    """
    make_directory(target.parent)
    part = target.with_name(f"{target.name}.part")
    resumable = size is not None and bool(sha256)
    if not resumable:
        part.unlink(missing_ok=True)
    kept = False
    try:
        _fetch_all(url, part, size)
        _check(url, part, size, sha256)
        part.replace(target)
    except _CutError as error:
        kept = resumable
        remedy = "Call it again: it goes on from there" if kept else "Call it again"
        raise InputError(
            f"the connection was cut: {error}", where=name_url(url), remedy=remedy
        ) from None
    except OSError as error:
        raise unwritable(error, target) from None
    finally:
        if not kept:
            with suppress(OSError):
                part.unlink()


class _CutError(Exception):
    """The connection was cut, again and again."""


def _fetch_all(url: str, part: Path, size: int | None) -> None:
    """Fetch a file from where it was cut until it is whole."""
    with metered(size, name_url(url)) as advance:
        for attempt in range(_TRIES):
            have = part.stat().st_size if part.is_file() else 0
            if size is not None and have >= size and part.is_file():
                return
            try:
                if _fetch(url, part, have, advance, find_limit() if size is None else size):
                    return
                reason = "it ended early"
            except _CUT as error:
                reason = type(error).__name__
            if attempt == _TRIES - 1:
                raise _CutError(reason)


def _fetch(url: str, part: Path, have: int, advance: Advance, most: int) -> bool:
    """Append what comes to the part; return whether it is all that the host has."""
    with _ask(url, have) as (answer, whole):
        resumed = answer.status == _PARTIAL
        with part.open("ab" if resumed else "wb") as file:
            got = have if resumed else 0
            advance(got)
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
        if isinstance(error.reason, _CUT):
            raise error.reason from None
        raise InputError(f"nobody answers: {error.reason}", where=name_url(url)) from None
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


def _check(url: str, part: Path, size: int | None, sha256: str) -> None:
    """Refuse another file than is known."""
    found = part.stat().st_size
    if size is not None and found != size:
        raise InputError(f"expected {size} bytes, got {found}", where=name_url(url))
    if sha256:
        digest = _digest(part)
        if digest != sha256:
            problem = f"another file than is known: its SHA-256 begins with {digest[:12]}, not "
            raise InputError(f"{problem}{sha256[:12]}", where=name_url(url))


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
