"""The format of PubTator files, for ``clineval convert``."""

from __future__ import annotations

from clineval.formats import bioc
from clineval.formats.by_name import Format
from clineval.formats.pubtator.documents import read_documents, refuse_to_write

FORMATS = {
    "pubtator": Format(
        "PubTator, and BioC in XML or JSON, which can only be read",
        lambda path, _: read_documents(path),
        refuse_to_write,
        ("slots", "relations"),
        files={
            r"(?i)\.pubtator(\.txt)?$": b"",
            bioc.XML: bioc.SIGNS[bioc.XML],
            bioc.JSON: bioc.SIGNS[bioc.JSON],
        },
    )
}
