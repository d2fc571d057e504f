"""Write the XML of i2b2 2014: a note's text in CDATA, and its annotations as tags."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from clineval.base.errors import InputError

_NO_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
)
_END = "]]>"


def check_characters(text: str, where: str) -> None:
    """Reject characters that XML cannot represent, or would read as others.

    Raises:
        InputError: the text contains such a character; the message names its offset.
    """
    found = _NO_XML.search(text)
    if found:
        raise InputError(
            f"the character U+{ord(found[0]):04X} at offset {found.start()} cannot be written as "
            "XML, or would be read as another character",
            where=where,
            remedy="Replace it in the note by one blank or line feed, to keep all offsets",
        )


def format_tag(element: str, values: Mapping[str, object]) -> str:
    """Format a tag with attributes.

    Examples:
        >>> format_tag("CAD", {"id": "DOC0", "indicator": "mention"})
        '<CAD id="DOC0" indicator="mention" />'
    """
    cells = " ".join(f'{key}="{str(v).translate(_ESCAPES)}"' for key, v in values.items())
    return f"<{element} {cells} />"


def format_record(root: str, text: str | None, tags: Iterable[str], where: str) -> str:
    """Format a record: its text, if it is known, and the lines of its tags.

    Args:
        root: the name of the root element.
        text: the text of the note.
        tags: the formatted tags.
        where: the document, for messages.

    Raises:
        InputError: the text has characters that XML cannot represent.
    """
    check_characters(text or "", where)
    body = (text or "").replace(_END, "]]]]><![CDATA[>")
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8" ?>',
            f"<{root}>",
            *([] if text is None else [f"<TEXT><![CDATA[{body}]]></TEXT>"]),
            "<TAGS>",
            *tags,
            "</TAGS>",
            f"</{root}>",
            "",
        ]
    )
