"""Web addresses: which ones are safe to request, and how messages name them."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_safe(url: str) -> bool:
    """Return whether an address uses HTTPS or belongs to this computer.

    Examples:
        >>> is_safe("https://example.org/a.zip"), is_safe("http://example.org/a.zip")
        (True, False)
    """
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname == "127.0.0.1")


def name_url(url: str) -> str:
    """Return the host and path of an address, for messages.

    Examples:
        >>> name_url("https://example.org/files/a.zip?download=1")
        'example.org/files/a.zip'
    """
    parts = urlsplit(url)
    return f"{parts.hostname}{parts.path}"
