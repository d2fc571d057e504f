"""Read and write documents in all formats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from clineval.base.arrays import expect_all
from clineval.base.errors import InputError, called
from clineval.base.files import Source, as_path, find_path, name_path
from clineval.base.progress import track
from clineval.evaluation.lost_parts import warn_of_loss, warn_of_marks
from clineval.formats.brat import documents as brat
from clineval.formats.by_name import find_format, list_formats
from clineval.formats.conll import documents as conll
from clineval.formats.conll.documents import AS_FOUND
from clineval.formats.conll.lines import Tagging
from clineval.formats.conll.options import as_tagging
from clineval.formats.delimited.pipe import SLOTS
from clineval.formats.given.texts import find_texts
from clineval.formats.stored import read_stored
from clineval.formats.writing import check_values
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.mention import Document, Mention
from clineval.kinds.mentions.objects import to_documents
from clineval.results.challenge import Challenge
from clineval.results.options import check_name
from clineval.results.registry import find_challenge
from clineval.results.slots import ANY, Slot, find_slot

__all__ = ["find_format", "list_formats", "name_labels", "read", "read_documents", "write"]


def read(
    path: Source,
    module: str,
    *,
    texts: object = None,
    format: str | None = None,  # noqa: A002 - as in write
    config: str = "default",
    **options: object,
) -> list[Any]:
    """Read documents, for training or inspection.

    Args:
        path: a file or a directory, in any format that ``clineval convert`` or the metric reads.
        module: the metric. It determines the slots or labels, and may have its own format.
        texts: the notes, as in :func:`~clineval.formats.given.texts.find_texts`, if the files do
            not contain them. The files of i2b2/VA 2010 need them, because they count tokens.
        format: the format. By default, the names of the files determine it; if they do not, it is
            the metric's own format.
        config: the configuration of the metric.
        options: the metric's own options.

    Returns:
        Documents of mentions, with their texts if known; or records, codes and classes, as dicts
        like in JSON Lines. :func:`write` writes them, and the metric scores them.

    Raises:
        InputError: the metric does not score mentions or documents, or the files have problems.

    Examples:
        >>> from clineval.results.registry import find_challenge
        >>> corpus = find_challenge("semeval15_task14").task.corpora
        >>> documents = read(corpus / "gold", "semeval15_task14", texts=corpus / "text")
        >>> mention = documents[0].mentions[0]
        >>> mention.spans, mention.cui, documents[0].text[79:98]
        (((79, 98),), 'C0013404', 'Shortness of breath')
    """
    challenge = find_challenge(module)
    check_name("config", config, challenge.task.configs)
    kind, listed = challenge.kind_of(config), challenge.document_form(config, options=options)
    if listed:
        source = find_path(path) or Path(path)
        return [listed.as_dict(document) for document in listed.list_files(source)]
    kind.check("read", f"{module}, {config}, does not score mentions that systems predict")
    place = find_path(path) or Path(path)
    known = format
    if known is None:
        with suppress(InputError):  # the names of the files do not determine it
            known = find_format(place)
    if known == "conll":
        setup = challenge.setup(config, "spec", options)
        tagging = as_tagging(setup) if "tag_column" in setup.options else AS_FOUND
        return read_documents(place, known, challenge, texts, tagging)
    if known is not None:
        return read_documents(place, known, challenge, texts)
    setup = challenge.setup(config, "spec", options)
    side, _ = setup.steps.read(read_stored(place, "references", setup), [], setup)
    if not isinstance(side, Side):
        find_format(place)  # raises an error about the format
    return with_texts(to_documents(side, kind.slots(config)), texts)


def with_texts(documents: list[Document], texts: object, where: str = "texts") -> list[Document]:
    """Return the documents with the notes, if any are given."""
    if texts is None:
        return documents
    found = find_texts([document.id or "" for document in documents], texts, where)
    return [
        document if text is None else replace(document, text=text)
        for document, text in zip(documents, found, strict=True)
    ]


def write(
    documents: Iterable[Document | Mapping[str, object]],
    path: str | Path,
    format: str = "",  # noqa: A002
    module: str | None = None,
    config: str = "default",
) -> None:
    r"""Write documents.

    Args:
        documents: documents from :func:`read`. Each needs an id; ``brat`` also needs the texts.
        path: a directory, or a file for ``jsonl`` and ``parquet``.
        format: the format of documents of mentions: ``pipe``, ``pipe3``, ``clef``, ``brat``,
            ``conll``, ``xml``, ``con``, ``jsonl`` or ``parquet``.
        module: the metric whose slots are written to brat; by default the slots of ``pipe``.
            Records, codes and classes need it; the name of the file determines their format.
        config: the configuration of the metric.

    Raises:
        InputError: an unknown format, or a document that the format cannot represent.

    Examples:
        >>> from tempfile import TemporaryDirectory
        >>> from clineval import Mention
        >>> document = Document("note-1", [Mention([(3, 8)], "C0013604")])
        >>> with TemporaryDirectory() as folder:
        ...     write([document], f"{folder}/gold.jsonl", "jsonl")
        ...     print(read(f"{folder}/gold.jsonl", "semeval15_task14"))
        [Document(id='note-1', 1 mention)]
    """
    challenge = None if module is None else find_challenge(module)
    listed = challenge and challenge.document_form(config)
    if listed:
        opened = [listed.open_document(of, f"document {at}") for at, of in enumerate(documents)]
        listed.write(opened, as_path(path))
        return
    mentions = expect_all(Document, documents, "documents to write")
    write_documents(mentions, as_path(path), format, challenge)


def read_documents(
    path: Path,
    format: str,  # noqa: A002
    challenge: Challenge | None = None,
    texts: object = None,
    tagging: Tagging = AS_FOUND,
) -> list[Document]:
    """Read documents of mentions.

    Args:
        path: a file or a directory.
        format: the format.
        challenge: the challenge whose slots the mentions have; by default the slots of ``pipe``.
        texts: the notes, as in :func:`read`.
        tagging: how to read words with tags.

    Raises:
        InputError: an unknown format, or a problem in the files, with file and line.
    """
    check_name("format", format, list_formats())
    slots, types = _slots_of(challenge)
    if format == "conll":
        tagged = conll.read_documents(path, tagging)
        found = [_retype(each, "label", types if challenge else "label") for each in tagged]
    elif challenge is None or format != "brat":
        found = list(list_formats()[format].read(path, texts))
    else:
        coded = any(slot.kind == "code" for slot in slots)
        events, noted = _lines_of(challenge)
        known = _add_class(slots, types)
        typed = brat.read_documents(path, known, events=events, noted=noted)
        of = "type" if known is slots else types
        found = [_retype(each, of, types) if coded else _label(each, of, types) for each in typed]
    return with_texts(_with_words(found, slots), texts)


def warn_of_notes(path: Path, format: str, challenge: Challenge | None) -> None:  # noqa: A002
    """Warn about content of brat's files that documents cannot represent, before conversion."""
    if format == "brat":
        brat.warn_of_notes(path, _lines_of(challenge)[1])


def find_format_of(path: Path, challenge: Challenge | None) -> str:
    """Find the format by the names of files, as :func:`find_format` does.

    Raises:
        InputError: the names do not determine it. The message names configs without mentions.
    """
    with suppress(InputError):
        return find_format(path)
    kind = challenge.kind if challenge else None
    if challenge and kind and not kind.in_columns:
        raise InputError(
            f"the {kind.items} of {challenge.name} are not mentions",
            where=name_path(path),
            remedy="Score them as they are"
            if "docs" in kind.lacks
            else "Write them to a .spacy file",
        )
    if challenge:
        others = [c for c in challenge.task.configs if not challenge.kind_of(c).in_columns]
        if others:
            raise InputError(
                "the names of the files do not belong to a format of mentions. The codes of "
                f"documents of {challenge.name}, {' and '.join(others)}, are not mentions",
                where=name_path(path),
                remedy="Score them as they are, or pass the format of mentions as --from",
            )
    return find_format(path)


def name_labels(documents: Sequence[Document]) -> Sequence[Document]:
    """Turn brat's types into labels if mentions have neither codes nor attributes.

    The documents are returned unchanged if a mention has a code, or if all types are the type of
    coded mentions.

    Raises:
        InputError: the mentions have attributes and no codes, so their metric is unknown.
    """
    mentions = [mention for document in documents for mention in document.mentions]
    types = {mention.slots.get("type", brat.TYPE) for mention in mentions}
    if types <= {brat.TYPE} or any(mention.cui is not None for mention in mentions):
        return documents
    if any(mention.slots.keys() - {"type"} for mention in mentions):
        raise InputError(
            "no mention has a code, so the types and attributes do not identify the metric",
            remedy="Pass --module NAME; 'clineval list' shows the metrics",
        )
    return [_label(document, "type", "label") for document in documents]


def write_documents(
    documents: Iterable[Document],
    path: Path,
    format: str,  # noqa: A002
    challenge: Challenge | None = None,
) -> None:
    """Write documents to a directory, or to a file if the format has one file for all.

    The arguments are those of :func:`read_documents`.
    """
    check_name("format", format, list_formats())
    slots, types = _slots_of(challenge)
    checked = expect_all(Document, documents, "documents to write")
    known = list(map(check_values, track(_with_words(checked, slots), "checking values")))
    _check_ends(known, challenge)
    if challenge is None and not any(m.coded for document in known for m in document.mentions):
        types = "label"
    target = list_formats()[format]
    if format == "brat" and _relates_concepts(challenge):
        target = replace(target, holds=("slots",))
    warn_of_loss(known, target, format, (*slots, types))
    if "equivalences" not in target.holds:
        warn_of_marks(known)
    if format == "brat":
        if "relations" not in target.holds:
            known = [replace(document, relations=()) for document in known]
        declared = _add_class(slots, types)
        of = "type" if declared is slots else types
        typed = [_retype(document, types, of) for document in track(known, "naming types")]
        events, noted = _lines_of(challenge)
        brat.write_documents(typed, path, declared, events=events, noted=noted)
    else:
        if format == "conll":
            known = [_retype(each, types, "label") for each in track(known, "naming types")]
        target.write(known, path)


def _check_ends(documents: Iterable[Document], challenge: Challenge | None) -> None:
    """Reject relations between values of a slot, if those of the challenge connect mentions."""
    docs = challenge.faces.docs if challenge else None
    if challenge is None or docs is None or docs.relations != "id":
        return
    for document in documents:
        ids = {mention.id for mention in document.mentions}
        if not ids.issuperset(end for of in document.relations for end in (of.source, of.target)):
            raise InputError(
                f"a relation connects no mentions, but concepts; {challenge.name} cannot score it",
                where=called(document.id or ""),
                remedy="Pass the metric of the corpus as --module",
            )


def _relates_concepts(challenge: Challenge | None) -> bool:
    """Return whether a challenge's relations connect values of a slot, not mentions."""
    docs = challenge.faces.docs if challenge else None
    return docs is not None and docs.relations not in ("", "id")


def _slots_of(challenge: Challenge | None) -> tuple[Sequence[Slot], str]:
    """Return the slots of mentions, and the name of the slot that is their type in brat."""
    if challenge is None:
        return SLOTS, "type"
    kind = challenge.kind
    problem = f"{challenge.name} does not score mentions, so there is nothing to convert"
    kind.check("convert", problem)
    if kind.class_slot is None:
        raise InputError(problem)
    slots, classes = kind.slots("default"), kind.class_slot.name
    if any(slot.name == classes and slot.kind == "code" for slot in slots):
        return slots, "type"
    others = [Slot(ANY, "free")] if kind.free else []
    return [*(slot for slot in slots if slot.name != classes), *others], classes


def _add_class(slots: Sequence[Slot], name: str) -> Sequence[Slot]:
    """Return the slots with that of classes, if another one is called ``type``."""
    if name != "label" or all(slot.name != "type" for slot in slots):
        return slots
    return [Slot(name, "label", required=True), *slots]


def _lines_of(challenge: Challenge | None) -> tuple[Sequence[str], str]:
    """Return the types that are triggers of events, and the slot that brat stores as a note."""
    return (challenge.kind.triggers, challenge.kind.noted) if challenge else ((), "")


def _with_words(documents: Sequence[Document], slots: Sequence[Slot]) -> list[Document]:
    """Return the documents with the slots' own words for true and false."""
    find = cache(partial(find_slot, slots))

    def spell(mention: Mention) -> Mention:
        spelled = {n: s.word(v) if (s := find(n)) else v for n, v in mention.slots.items()}
        return mention if spelled == mention.slots else replace(mention, slots=spelled)

    tracked = track(documents, "comparing values with slots")
    return [replace(each, mentions=tuple(map(spell, each.mentions))) for each in tracked]


def _label(document: Document, old: str, name: str) -> Document:
    """Return a document from brat with labels for types, and without ``.txt`` in its name."""
    mentions = tuple(replace(each, coded=each.cui is not None) for each in document.mentions)
    stem = None if document.id is None else document.id.removesuffix(".txt")
    return _retype(replace(document, id=stem, mentions=mentions), old, name)


def _retype(document: Document, old: str, new: str) -> Document:
    """Rename the slot with the type of a document's mentions."""
    mentions = [
        replace(each, slots={new if n == old else n: value for n, value in each.slots.items()})
        for each in document.mentions
    ]
    return replace(document, mentions=tuple(mentions))
