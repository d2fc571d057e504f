"""The XML of i2b2 2012 as documents of mentions and relations, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from clineval.base.errors import InputError, shown, warn
from clineval.base.progress import track
from clineval.challenges.i2b2_2012_temporal.tags import (
    EVENT,
    LABEL,
    NAMED,
    SECTIME,
    SLOTS,
    TIMEX3,
    TLINK,
    Note,
)
from clineval.formats.by_name import Format
from clineval.formats.files import read_text_files
from clineval.formats.i2b2_xml import FILES
from clineval.formats.i2b2_xml_writing import check_characters, format_record, format_tag
from clineval.formats.writing import check_plain, name_files, write_files
from clineval.kinds.mentions.mention import Document, Mention, Relation

_ROOT = "ClinicalNarrativeTemporalAnnotation"
_ORDER = {
    EVENT: ("modality", "polarity", "type"),
    TIMEX3: ("type", "value", "modifier"),
    SECTIME: (),
}
"""Entity to its slots in the order in which the program expects the attributes."""


def read_documents(path: Path, _texts: object = None) -> list[Document]:
    """Read a document from each file.

    Admission and Discharge are mentions of the first character that is no blank, because each
    mention needs a place.

    Raises:
        InputError: a file is invalid; the message names file and line.
    """
    read = [_read(Note.of(file)) for file in read_text_files(path, pattern=FILES, separator="<")]
    warn(
        "{n} {link has|links have} an end that is no entity of the note, and {is|are} left out",
        n=sum(lost for _, lost in read),
    )
    return [document for document, _ in read]


def _read(note: Note) -> tuple[Document, int]:
    """Return the document of a note, and the number of links that are left out."""
    mentions = {}
    for span, values in note.list_entities():
        names = (LABEL.name, *SLOTS.get(values[LABEL.name], ()))
        slots = {name: values[name] for name in names if values[name]}
        mentions[values["id"]] = Mention([span], slots=slots, id=values["id"], coded=False)
    links, text = note.list_links(), note.record.text or ""
    first = len(text) - len(text.lstrip())
    named = sorted({end for _, *ends in links for end in ends if end.upper() in NAMED})
    for end in named:
        if end not in mentions:
            slots = {LABEL.name: end.upper()}
            mentions[end] = Mention([(first, first + 1)], slots=slots, id=end, coded=False)
    kept = [link for link in links if link[0] and {*link[1:]} <= mentions.keys()]
    relations = [Relation(*link) for link in kept]
    document = Document(note.file.stem, mentions.values(), note.record.text, relations)
    return document, len(links) - len(kept)


def write_documents(documents: Sequence[Document], directory: Path) -> None:
    """Write one ``.xml`` file for each document, named after it, or nothing on an error."""
    names = name_files((document.id for document in documents), ".xml", without=".txt")
    texts = [format_document(document) for document in track(documents, "formatting")]
    write_files(directory, zip(names, texts, strict=True))


def format_document(document: Document) -> str:
    """Format a document as XML, with attributes in the order that the program expects.

    Raises:
        InputError: the text is missing, or a mention cannot be written.
    """
    where, text = document.place, document.text
    if text is None:
        remedy = "Pass the directory of the notes (--text DIR)"
        raise InputError("the text is missing; the format contains it", where=where, remedy=remedy)
    words: dict[str, str] = {}
    tags = [*_format_entities(document.mentions, text, where, words)]
    labels = {mention.id or "": mention.slots.get(LABEL.name) for mention in document.mentions}
    named = {id_: str(label).title() for id_, label in labels.items() if label in NAMED}
    links = [
        Relation(link.label, *(named.get(end, end) for end in (link.source, link.target)))
        for link in document.relations
    ]
    return format_record(_ROOT, text, [*tags, *_format_links(links, words)], where)


def _format_entities(
    mentions: Iterable[Mention], text: str, where: str, words: dict[str, str]
) -> Iterator[str]:
    """Yield the tags of mentions; add the words of each id to ``words``."""
    for number, mention in enumerate(mentions):
        label, place = mention.slots.get(LABEL.name), f"{where}, mention {number}"
        if label in NAMED:
            continue
        check_plain(mention, place)
        if label not in _ORDER:
            problem = f"label: expected one of {', '.join(_ORDER)}, got {shown(label)}"
            raise InputError(problem, where=place)
        [(start, end)] = mention.spans
        if end > len(text):
            problem = f"{start}-{end} is outside the text, which has {len(text)} characters"
            raise InputError(problem, where=place)
        label = str(label)
        id_ = mention.id or f"{label[0]}N{number}"
        words[id_] = " ".join(text[start:end].split())
        values = {"id": id_, "start": start, "end": end, "text": words[id_]}
        yield format_tag(label, {**values, **_list_attributes(mention, label, place)})


def _list_attributes(mention: Mention, label: str, where: str) -> Mapping[str, str]:
    names = SLOTS.get(label, {})
    values = {names[slot]: str(mention.slots.get(slot) or "") for slot in _ORDER[label]}
    for value in values.values():
        check_characters(value, where)
    return values


def _format_links(relations: Iterable[Relation], words: Mapping[str, str]) -> Iterator[str]:
    for number, link in enumerate(relations):
        values = {
            "id": f"TL{number}",
            "fromID": link.source,
            "fromText": words.get(link.source, link.source),
            "toID": link.target,
            "toText": words.get(link.target, link.target),
            "type": link.label,
        }
        yield format_tag(TLINK, values)


FORMATS = {
    "i2b2-2012": Format(
        "the XML of i2b2 2012: events, times and links",
        read_documents,
        write_documents,
        ("slots", "relations"),
        files={FILES: b"<ClinicalNarrativeTemporalAnnotation"},
    )
}
