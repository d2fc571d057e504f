"""Convert the XML of i2b2 2014 into documents of mentions, and back; see :mod:`i2b2_xml`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import Source
from clineval.base.progress import track
from clineval.formats.by_name import Format
from clineval.formats.files import read_text_files
from clineval.formats.i2b2_annotations import read_span
from clineval.formats.i2b2_xml import FILES, parse
from clineval.formats.i2b2_xml_writing import check_characters, format_record, format_tag
from clineval.formats.writing import check_plain, name_files, write_files
from clineval.kinds.mentions.mention import Document, Mention

LABEL = "label"
TYPES: Mapping[str, tuple[str, ...]] = {
    "NAME": ("PATIENT", "DOCTOR", "USERNAME"),
    "PROFESSION": ("PROFESSION",),
    "LOCATION": (
        *("ROOM", "DEPARTMENT", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY"),
        *("ZIP", "LOCATION-OTHER"),
    ),
    "AGE": ("AGE",),
    "DATE": ("DATE",),
    "CONTACT": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
    "ID": (
        *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE"),
        *("BIOID", "IDNUM"),
    ),
    "OTHER": ("OTHER",),
}
"""The types of each element."""
_ELEMENT_OF = {label: element for element, labels in TYPES.items() for label in labels}


def element_of(label: str) -> str:
    """Return the element for a type; OTHER for types that the format does not define.

    Examples:
        >>> element_of("Doctor"), element_of("DEPARTMENT"), element_of("PET")
        ('NAME', 'LOCATION', 'OTHER')
    """
    return _ELEMENT_OF.get(label.upper(), "OTHER")


def read_documents(source: Source) -> list[Document]:
    r"""Read documents as objects; a mention's label is its TYPE.

    Raises:
        InputError: names the file and the line.

    Examples:
        >>> note = '<a><TEXT>Ana, 61</TEXT><TAGS>' \
        ...        '<NAME id="P0" start="0" end="3" text="Ana" TYPE="PATIENT"/></TAGS></a>'
        >>> read_documents(note)[0].mentions[0].as_dict()
        {'id': 'P0', 'spans': [[0, 3]], 'label': 'PATIENT'}
    """
    documents = []
    for file in read_text_files(source, pattern=FILES, separator="<"):
        record = parse(file)
        text = record.text or ""
        mentions = []
        for tag in record.tags:
            span, _ = read_span(tag, f"{file.label}:{tag.line}", text)
            label, name = tag.attributes["TYPE"], tag.attributes.get("id") or None
            mentions.append(Mention([span], slots={LABEL: label}, id=name, coded=False))
        documents.append(Document(file.stem, mentions, text))
    return documents


def write_documents(documents: Iterable[Document], directory: Path) -> None:
    """Write one ``.xml`` file for each document, named after it, or nothing on an error."""
    known = list(documents)
    names = name_files((document.id for document in known), ".xml", without=".txt")
    texts = [format_document(document) for document in track(known, "formatting")]
    write_files(directory, zip(names, texts, strict=True))


def format_document(document: Document) -> str:
    """Format a document as XML: the text in CDATA, a tag for each mention.

    Raises:
        InputError: the text is missing, or has characters that XML cannot represent or would read
            as others; a mention has a code, no label or several fragments, or is outside the text;
            two mentions have the same id.

    Examples:
        >>> mention = Mention([(0, 3)], slots={"label": "PATIENT"}, coded=False)
        >>> print(format_document(Document("a", [mention], "Ana, 61")))
        <?xml version="1.0" encoding="UTF-8" ?>
        <deIdi2b2>
        <TEXT><![CDATA[Ana, 61]]></TEXT>
        <TAGS>
        <NAME id="P0" start="0" end="3" text="Ana" TYPE="PATIENT" comment="" />
        </TAGS>
        </deIdi2b2>
        <BLANKLINE>
    """
    where = document.place
    text = document.text
    if text is None:
        raise InputError(
            "the text is missing; the format contains it", where=where,
            remedy="Pass the directory of the notes (--text DIR)",
        )  # fmt: skip
    return format_record("deIdi2b2", text, _format_tags(document.mentions, text, where), where)


def _format_tags(mentions: Sequence[Mention], text: str, where: str) -> Iterator[str]:
    names = _name(mentions, where)
    for at, (mention, name) in enumerate(zip(mentions, names, strict=True)):
        place = f"{where}, mention {at}"
        label = mention.slots.get(LABEL)
        check_plain(mention, place)
        if not isinstance(label, str) or not label.strip() or not label.isprintable():
            raise InputError(f"label: expected a type, got {shown(label)}", where=place)
        [(start, end)] = mention.spans
        if end > len(text):
            raise InputError(
                f"fragment {start}-{end} is outside the text, which has {len(text)} characters",
                where=place,
            )
        check_characters(label, place)
        values = {
            "id": name, "start": start, "end": end, "text": text[start:end], "TYPE": label,
            "comment": "",
        }  # fmt: skip
        yield format_tag(element_of(label), values)


def _name(mentions: Sequence[Mention], where: str) -> list[str]:
    """Return the ids of tags: the mentions' own ids, and new ids for the rest."""
    taken = [mention.id for mention in mentions if mention.id]
    if len(set(taken)) < len(taken):
        raise InputError("two mentions have the same 'id'", where=where)
    for name in taken:
        if not name.isprintable():
            raise InputError(f"id: expected printable characters, got {shown(name)}", where=where)
    free = (f"P{n}" for n in range(len(mentions) + len(taken)) if f"P{n}" not in taken)
    return [mention.id or next(free) for mention in mentions]


FORMATS = {
    "xml": Format(
        "i2b2 2014's XML: a note's text and its labels, one file each",
        lambda path, _: read_documents(path),
        write_documents,
        files={r"(?i)\.xml$": b""},
    )
}
