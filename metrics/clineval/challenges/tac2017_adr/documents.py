"""The XML of drug labels as documents, for ``clineval convert``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from clineval.base.errors import InputError, warn
from clineval.challenges.tac2017_adr.labels import FILES, LABEL, LabelFile
from clineval.challenges.tac2017_adr.sides import open_labels
from clineval.formats.by_name import Format
from clineval.formats.xml_elements import Element
from clineval.kinds.mentions.mention import Document, Mention, Relation


def read_documents(path: Path) -> list[Document]:
    """Read labels as documents; a warning counts their reactions, which are no mentions.

    Raises:
        InputError: a label is invalid; ``others`` of the error has all other problems.
    """
    labels = open_labels(path, LabelFile)
    warn(
        "{n} {reaction is|reactions are} left out, because documents contain mentions. Read "
        "them with the configuration reactions or codes",
        n=sum(len(label.elements["Reaction"]) for label in labels),
    )
    return [read_document(label) for label in labels]


def read_document(label: LabelFile) -> Document:
    """Read a label as a document; mentions keep their ids."""
    mentions = [label.locate(of, label.read_mention) for of in label.elements["Mention"]]
    ids = [of.attributes["id"] for of in label.elements["Mention"]]
    for row, element in enumerate(label.elements["Mention"]):
        label.register(element, row)

    def read_relation(element: Element) -> Relation:
        name, source, target = label.read_relation(element)
        return Relation(name, ids[source], ids[target])

    return Document(
        label.name,
        [
            Mention(spans, id=id_, slots={LABEL.name: type_}, coded=False)
            for id_, (type_, spans, _) in zip(ids, mentions, strict=True)
        ],
        label.parts.text,
        [label.locate(of, read_relation) for of in label.elements["Relation"]],
    )


def refuse_to_write(_documents: Sequence[Document], _path: Path) -> NoReturn:
    """Raise an ``InputError``, because the format can only be read."""
    raise InputError("the XML of drug labels can only be read", remedy="Write JSON Lines")


FORMATS = {
    "tac2017-adr": Format(
        "TAC 2017 ADR: XML of drug labels, which can only be read",
        lambda path, _: read_documents(path),
        refuse_to_write,
        ("slots", "relations"),
        files={FILES: b"<Label"},
    )
}
