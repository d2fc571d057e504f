"""Documents of mentions from one format into another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clineval.arrays import expect_all
from clineval.challenge import Challenge, check_name
from clineval.errors import InputError, agree, shown, warn
from clineval.formats import brat, clef, jsonl, parquet, pipe
from clineval.formats import i2b2_lines_writing as i2b2_lines
from clineval.formats import i2b2_xml_documents as i2b2_xml
from clineval.formats.files import names_in
from clineval.formats.pipe import SLOTS
from clineval.inputs.texts import find_texts
from clineval.mentions.mention import Document, Mention
from clineval.mentions.objects import to_documents
from clineval.mentions.slots import Slot
from clineval.paths import Source, as_path, find_path, is_directory, name_path, read_bytes
from clineval.registry import find_challenge
from clineval.views import MentionView


@dataclass(frozen=True, slots=True)
class Format:
    """A format of documents of mentions.

    Args:
        title: what it is, in a line.
        read: reads a file or a directory.
        write: writes documents to a path.
        holds: what besides spans and codes or labels: ``slots``, ``cues``, the words that led to
            their values, or ``relations`` between mentions.
    """

    title: str
    read: Callable[[Path], Sequence[Document]]
    write: Callable[[Sequence[Document], Path], None]
    holds: tuple[str, ...] = ()


FORMATS: Mapping[str, Format] = {
    "pipe": Format(
        "SemEval-2015 Task 14: 19 columns",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS),
        ("slots", "cues"),
    ),
    "pipe3": Format(
        "SemEval-2015 Task 14: the 3 columns of Task 1",
        lambda path: pipe.read_documents(path, SLOTS),
        lambda documents, path: pipe.write_documents(documents, path, SLOTS, short=True),
    ),
    "clef": Format(
        "ShARe/CLEF eHealth 2013 Tasks 1 and 2, SemEval-2014 Task 7",
        clef.read_documents,
        clef.write_documents,
    ),
    "brat": Format(
        "brat's standoff: .ann and .txt",
        lambda path: brat.read_documents(path, SLOTS),
        lambda documents, path: brat.write_documents(documents, path, SLOTS),
        ("slots", "relations"),
    ),
    "xml": Format(
        "i2b2 2014's XML: a note's text and its labels, one file each",
        i2b2_xml.read_documents,
        i2b2_xml.write_documents,
    ),
    "con": Format(
        "i2b2/VA 2010: .con, .ast and .rel, which can only be written",
        i2b2_lines.refuse_to_read,
        i2b2_lines.write_documents,
        ("relations",),
    ),
    "jsonl": Format(
        "JSON Lines of documents",
        jsonl.read_documents,
        jsonl.write_documents,
        ("slots", "cues", "relations"),
    ),
    "parquet": Format(
        "Parquet: a row for each document",
        parquet.read_documents,
        parquet.write_documents,
        ("slots",),
    ),
}


def find_format(path: Path, otherwise: str | None = None) -> str:
    """The format that the names of files tell; that of ``.pipe`` files is ``otherwise``.

    Examples:
        >>> find_format(Path("notes.jsonl")), find_format(Path("a.ann"))
        ('jsonl', 'brat')
    """
    names = names_in(path) if is_directory(path) else [path.name]
    if any(name.endswith(".ann") for name in names):
        return "brat"
    if any(".pipe" in name for name in names):
        return otherwise or _look_into(path)
    if any(name.endswith(".jsonl") for name in names):
        return "jsonl"
    if any(name.endswith(parquet.SUFFIX) for name in names):
        return "parquet"
    if otherwise:
        return otherwise
    raise InputError(
        "the format cannot be told from the names of the files",
        where=name_path(path),
        remedy=f"Name it: --from {'|'.join(FORMATS)}",
    )


def _look_into(path: Path) -> str:
    """Which of the two formats that have ``.pipe`` files."""
    files = sorted(path.glob("*.pipe*")) if path.is_dir() else [path]
    for file in files:
        line = next((line for line in read_bytes(file).split(b"\n") if line.strip()), b"")
        if line:
            return "clef" if line.split(b"|")[1:2] == [b""] else "pipe"
    return "pipe"


def read(
    path: Source,
    module: str,
    *,
    texts: Any = None,
    format: str | None = None,  # noqa: A002 - as write has it
    config: str = "default",
    **options: Any,
) -> list[Document]:
    """Read documents of mentions, to train with or to look at.

    Args:
        path: a file or a directory, of any format that ``clineval convert`` or the metric reads.
        module: the metric, whose slots are read and whose own format may be read.
        texts: the notes, as in :func:`~clineval.inputs.texts.find_texts`, where the files do not
            hold them.
        format: the format; otherwise the names of the files tell it, and if they do not it is
            the metric's own.
        config: of the metric.
        options: the metric's own options.

    Returns:
        Documents with their texts, as far as they are known; :func:`write` writes them back.

    Raises:
        InputError: a metric of something else than mentions, or what is wrong in the files.

    Examples:
        >>> from clineval.registry import find_challenge
        >>> corpus = find_challenge("semeval15_task14").corpora
        >>> documents = read(corpus / "gold", "semeval15_task14", texts=corpus / "text")
        >>> mention = documents[0].mentions[0]
        >>> mention.spans, mention.cui, documents[0].text[79:98]
        (((79, 98),), 'C0013404', 'Shortness of breath')
    """
    challenge = find_challenge(module)
    if not isinstance(challenge.view, MentionView) or challenge.view.spans_given:
        raise InputError(f"{module} is no metric of mentions that systems find")
    place = find_path(path) or Path(path)
    known = _known_format(place) if format is None else format
    if known is not None:
        documents = read_documents(place, known)
    else:
        setup = challenge.setup(config, "spec", options)
        side, _ = challenge.read(place, [], setup)
        documents = to_documents(side, challenge.view.slots(config))
    if texts is None:
        return documents
    found = find_texts([document.id or "" for document in documents], texts, "texts")
    return [
        Document(document.id, document.mentions, document.text if text is None else text)
        for document, text in zip(documents, found, strict=True)
    ]


def _known_format(path: Path) -> str | None:
    """The format that names tell; None if they tell none."""
    try:
        return find_format(path)
    except InputError:
        return None


def write(documents: Iterable[Document], path: str | Path, format: str) -> None:  # noqa: A002
    r"""Write documents of mentions.

    Args:
        documents: each needs an id; ``brat`` needs their texts.
        path: a directory, or a file for ``jsonl`` and ``parquet``.
        format: ``pipe``, ``pipe3``, ``clef``, ``brat``, ``xml``, ``con``, ``jsonl`` or ``parquet``.

    Raises:
        InputError: no such format, or what it cannot hold.
    """
    write_documents(documents, as_path(path), format)


def read_documents(
    path: Path,
    format: str,  # noqa: A002
    challenge: Challenge | None = None,
) -> list[Document]:
    """Read documents.

    Mentions have the slots of a challenge, or those of the pipe format.

    Raises:
        InputError: no such format, or what is wrong in the files, with file and line.
    """
    check_name("format", format, FORMATS)
    slots, types = _slots_of(challenge)
    if challenge is None or format != "brat":
        return [_with_words(document, slots) for document in FORMATS[format].read(path)]
    coded = any(slot.kind == "code" for slot in slots)
    found = brat.read_documents(path, slots)
    return [_retype(document, "type", types, coded=coded) for document in found]


def name_labels(documents: Sequence[Document]) -> Sequence[Document]:
    """Types of brat as labels, where the files have nothing else: no code, no attribute.

    The same documents are returned if a mention has a code or a slot, or if no type is another one
    than that of coded mentions.
    """
    mentions = [mention for document in documents for mention in document.mentions]
    bare = all(m.cui is None and m.slots.keys() <= {"type"} for m in mentions)
    if not bare or all(m.slots.get("type", brat.TYPE) == brat.TYPE for m in mentions):
        return documents
    return [_retype(document, "type", "label", coded=False) for document in documents]


def write_documents(
    documents: Iterable[Document],
    path: Path,
    format: str,  # noqa: A002
    challenge: Challenge | None = None,
) -> None:
    """Write documents to a directory, or to a file where the format has one for all.

    The arguments are those of :func:`read_documents`.
    """
    check_name("format", format, FORMATS)
    slots, types = _slots_of(challenge)
    given = expect_all(Document, documents, "documents to write")
    known = [_with_words(document, slots) for document in given]
    if challenge is None and not any(m.coded for document in known for m in document.mentions):
        types = "label"
    _warn_of_loss(known, FORMATS[format], format, (*slots, types))
    if format == "brat":
        typed = [_retype(document, types, "type", coded=True) for document in known]
        brat.write_documents(typed, path, slots)
    else:
        FORMATS[format].write(known, path)


def _slots_of(challenge: Challenge | None) -> tuple[Sequence[Slot], str]:
    """The slots of mentions, and the name of the one that brat has as their type."""
    if challenge is None:
        return SLOTS, "type"
    if not isinstance(challenge.view, MentionView) or challenge.class_slot is None:
        raise InputError(f"{challenge.name} has no mentions to convert")
    slots, classes = challenge.view.slots("default"), challenge.class_slot.name
    if any(slot.name == classes and slot.kind == "code" for slot in slots):
        return slots, "type"
    return [slot for slot in slots if slot.name != classes], classes


def _with_words(document: Document, slots: Sequence[Slot]) -> Document:
    """The document with the slots' own words for true and false."""
    words = {slot.name: slot.word for slot in slots}
    mentions = []
    for mention in document.mentions:
        spelled = {n: words[n](v) if n in words else v for n, v in mention.slots.items()}
        mentions.append(mention if spelled == mention.slots else replace(mention, slots=spelled))
    return replace(document, mentions=tuple(mentions))


def _retype(document: Document, old: str, new: str, *, coded: bool) -> Document:
    """The document with another name of the slot that says what type its mentions are."""
    mentions = [
        replace(
            each,
            slots={new if name == old else name: value for name, value in each.slots.items()},
            coded=coded and each.coded,
        )
        for each in document.mentions
    ]
    return replace(document, mentions=tuple(mentions))


def _warn_of_loss(
    documents: Sequence[Document], target: Format, name: str, slots: Iterable[Slot | str]
) -> None:
    """Say what of the mentions the format does not hold."""
    mentions = [mention for document in documents for mention in document.mentions]
    lost = {
        "slots": 0 if "slots" in target.holds else sum(map(_has_slots, mentions)),
        "cues": 0 if "cues" in target.holds else sum(bool(mention.cues) for mention in mentions),
    }
    known = {slot if isinstance(slot, str) else slot.name for slot in slots}
    if "slots" in target.holds and name not in ("jsonl", "parquet"):
        others = Counter(each for mention in mentions for each in mention.slots.keys() - known)
        lost |= {f"slot {shown(slot)}": times for slot, times in sorted(others.items())}
    parts = [
        f"{what} of {agree('{n} {mention|mentions}', number)}"
        for what, number in lost.items()
        if number
    ]
    related = sum(bool(document.relations) for document in documents)
    if related and "relations" not in target.holds:
        parts.append(agree("relations of {n} {document|documents}", related))
    if parts:
        warn(f"the format does not hold the {' and the '.join(parts)}")


def _has_slots(mention: Mention) -> bool:
    """Whether some slot is not at its default."""
    return any(
        slot.name in mention.slots and not brat.is_default(slot, mention.slots[slot.name])
        for slot in SLOTS
    )
