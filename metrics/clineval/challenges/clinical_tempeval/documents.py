"""Anafora's folders as documents of mentions and relations, for ``clineval convert``."""

from __future__ import annotations

from clineval.challenges.clinical_tempeval.anafora_documents import AnaforaDocuments
from clineval.challenges.clinical_tempeval.files import TLINK, VALUES
from clineval.formats.by_name import Format

_ANAFORA = AnaforaDocuments(tuple(VALUES), TLINK)
FORMATS = {
    "anafora": Format(
        "Anafora's XML: a folder for each document",
        _ANAFORA.read,
        _ANAFORA.write,
        ("slots", "relations"),
        files={r"\.xml$": b"<annotations>"},
        in_folders=True,
    )
}
