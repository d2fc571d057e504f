"""Anafora's folders as documents of mentions and relations, for ``clineval convert``."""

from __future__ import annotations

FORMATS: dict[str, object] = {}
