"""Docs from files and to files, and the corpus reader ``spacy_clin.Corpus.v1`` for training."""

# no annotations as strings here: spaCy 3.7 reads the types of registered functions

import os
import random
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin, Span
from spacy.training import Example
from spacy.util import filter_spans
from spacy.vocab import Vocab

from clineval.challenge import check_name
from clineval.errors import InputError, shown, warn
from clineval.mentions.mention import Document
from clineval.paths import find_limit, is_directory, name_path, read_bytes, write_file
from spacy_clin import guards
from spacy_clin.attrs import as_items, tell
from spacy_clin.guards import PREDICTIONS, REFERENCES, describe, get_document_name, name_documents
from spacy_clin.kinds import DEFAULT, find_annotation, texts_of
from spacy_clin.mentions import get_mentions, get_relations, set_mentions
from spacy_clin.presets import ReaderConfig
from spacy_clin.scoring import open_side
from spacy_clin.settings import CODE, KEY, LABELS, MENTIONS, SPANS

DOCBIN = ".spacy"
ENTITIES = ("none", "envelopes", "fragments")
GIVEN = ("nothing", "spans", "spans+codes")


def read_docs(  # noqa: PLR0913 - files have their ways
    path: str | os.PathLike[str],
    make_doc: Callable[[str], Doc],
    challenge: str = DEFAULT,
    *,
    text: Any = None,
    format: str | None = None,  # noqa: A002 - what everyone calls it
    entities: str | None = None,
    side: str = REFERENCES,
) -> Iterator[Doc]:
    """Read gold or predicted documents with their annotation as :func:`set_mentions` writes it.

    Args:
        path: a ``.spacy`` file or a directory of such; or files in a format of the challenge, or
            for challenges of mentions brat's (a directory of ``.ann`` and ``.txt``) or JSON Lines.
        make_doc: makes a Doc of a text, such as ``nlp.make_doc``. Docs of a DocBin get its
            vocabulary.
        challenge: the module whose annotation is read.
        text: directory of the notes, or name to text, where the format does not hold them.
        format: the format, where the names of the files do not tell it.
        entities: what to put into ``doc.ents``, where a model is to be trained: nothing; for each
            mention ``envelopes``, from its first character to its last; or its ``fragments``. Of
            overlapping ones the longest stays. None: envelopes, and of a DocBin what is there.
        side: ``references`` or ``predictions``: which to read of files that hold both.

    Raises:
        InputError: names the file and line, or the document.
    """
    source, annotation = _as_path(path), find_annotation(challenge)
    if format == "spacy" or (format is None and _is_docbin(source)):
        docs = read_docbin(source, make_doc("").vocab)
    else:
        docs = annotation.make_docs(list(annotation.parse(source, format, side)), make_doc, text)
        entities = entities or "envelopes"
    known: dict[str, str] = {}
    for doc in docs:
        if entities is not None:
            set_entities(doc, entities, annotation.view.group)
        _share_strings(doc, annotation.view.group, known)
        yield doc


def _as_path(given: Any) -> Path:
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a path, got {shown(given)}")
    return Path(given)


def _share_strings(doc: Doc, key: str, known: dict[str, str]) -> None:
    """Keep equal values of slots once, which files make anew for every mention.

    A corpus takes less memory, and its scores less time.
    """
    group = doc.spans.data.get(key)
    for record in () if group is None else tell(group, MENTIONS).values():
        for name, value in record.items():
            if isinstance(value, str):
                record[name] = known.setdefault(value, value)


def read_docbin(path: Path, vocab: Vocab) -> Iterator[Doc]:
    """The Docs of a ``.spacy`` file, or of all in a directory in the order of their names."""
    files = sorted(path.rglob(f"*{DOCBIN}")) if is_directory(path) else [path]
    for file in files:
        content = read_bytes(file)
        try:
            _check_size(content)
            for doc in DocBin().from_bytes(content).get_docs(vocab):
                _read_strings(doc)
                yield doc
        except InputError as error:
            raise guards.placed(error, name_path(file)) from None
        except Exception:  # noqa: BLE001 - what spaCy raises depends on the bytes
            raise InputError("not a DocBin, or a damaged one", where=name_path(file)) from None


def _read_strings(doc: Doc) -> None:
    """Read what is looked up only when it is asked for: spans outside the text, absent strings."""
    for spans in (doc.ents, *doc.spans.values()):
        for span in spans:
            _ = span.label_, span.kb_id_, span.id_


def _check_size(content: bytes) -> None:
    """Refuse what is larger than a file may be, once it is unpacked."""
    unpacking = zlib.decompressobj()
    unpacking.decompress(content, find_limit())
    if unpacking.unconsumed_tail:
        problem = f"larger than {find_limit()} bytes when unpacked"
        raise InputError(problem, remedy="Raise CLINEVAL_MAX_BYTES")


def write_docbin(
    docs: Iterable[Doc], path: str | os.PathLike[str], *, user_data: bool = True
) -> None:
    """Write Docs to a ``.spacy`` file, with the values of extensions.

    Args:
        docs: the documents.
        path: the file.
        user_data: whether to write extensions too. What :func:`set_mentions` writes is kept
            either way.

    Raises:
        InputError: an extension holds what cannot be written; the message names it.
    """
    stored = DocBin(store_user_data=user_data)
    for doc in as_items(docs, "Docs"):
        if not isinstance(doc, Doc):
            raise InputError(f"expected a Doc, got {shown(doc)}")
        if user_data:
            guards.copied(doc, doc.to_bytes)
        stored.add(doc)
    write_file(_as_path(path), stored.to_bytes())


def write_docs(  # noqa: PLR0913 - files have their ways
    docs: Iterable[Any],
    path: str | os.PathLike[str],
    challenge: str = DEFAULT,
    *,
    getter: ReaderConfig | None = None,
    format: str | None = None,  # noqa: A002
    names: Sequence[str] | None = None,
    side: str = PREDICTIONS,
) -> None:
    """Write the annotation of Docs in a format of the challenge, for the command line.

    Args:
        docs: the documents.
        path: a directory, or a file where the format has one for all documents.
        challenge: the module.
        getter: where the annotation is, as in :func:`spacy_clin.to_inputs`.
        format: one of the challenge's formats; by default its own.
        names: the documents' names; None for those they have, or their positions.
        side: ``predictions`` or ``references``.
    """
    annotation = find_annotation(challenge)
    opened = open_side(annotation, docs, getter, names=names, side=side)
    annotation.write_files(opened, _as_path(path), format)


def set_entities(doc: Doc, entities: str, key: str) -> None:
    """Put mentions into ``doc.ents``; of overlapping ones the longest stays."""
    if entities == "none":
        doc.ents = ()
        return
    spans = list(doc.spans.get(key, ()))
    if entities == "envelopes":
        tied: dict[tuple[str, str], list[Span]] = {}
        for span in spans:
            tied.setdefault((span.id_, span.label_), []).append(span)
        spans = [_envelope(doc, fragments) for fragments in tied.values()]
    doc.ents = filter_spans(spans)


def _envelope(doc: Doc, spans: Sequence[Span]) -> Span:
    first, last = min(span.start for span in spans), max(span.end for span in spans)
    return Span(doc, first, last, spans[0].label, kb_id=spans[0].kb_id, span_id=spans[0].id)


def _is_docbin(path: Path) -> bool:
    return path.suffix == DOCBIN or (is_directory(path) and any(path.glob(f"*{DOCBIN}")))


def write_documents(
    documents: Sequence[Document], path: Path, language: str, entities: str
) -> None:
    """Write documents of mentions to a ``.spacy`` file, for ``clineval convert``."""
    make_doc = spacy.blank(language).make_doc
    texts = texts_of([(str(document.id), document.text, document) for document in documents])
    docs = []
    for document, note in zip(documents, texts, strict=True):
        doc = make_doc(note)
        set_mentions(
            doc, document.mentions, document=document.id, relations=document.relations or None
        )
        set_entities(doc, entities, KEY)
        docs.append(doc)
    write_docbin(docs, path)


def read_documents_of(path: Path, language: str) -> list[Document]:
    """The documents of mentions of ``.spacy`` files, for ``clineval convert``."""
    docs = list(read_docbin(path, spacy.blank(language).vocab))
    lacking = [at for at, doc in enumerate(docs) if KEY not in doc.spans]
    guards.report_lacking(KEY, docs, lacking, REFERENCES)
    return [
        Document(name, get_mentions(doc).values(), doc.text, get_relations(doc))
        for doc, name in zip(docs, name_documents(docs), strict=True)
    ]


def convert_files(  # noqa: PLR0913 - files have their ways
    sources: Iterable[Path],
    target: Path,
    challenge: str,
    *,
    text: Path | None = None,
    language: str = "en",
    entities: str | None = None,
    side: str = REFERENCES,
) -> int:
    """A challenge's files as a ``.spacy`` file, or the other way round, for ``clineval convert``.

    Returns:
        The number of documents.
    """
    make_doc = spacy.blank(language).make_doc
    asked: dict[str, Any] = {"text": text, "entities": entities, "side": side}
    docs = [doc for path in sources for doc in read_docs(path, make_doc, challenge, **asked)]
    if target.suffix == DOCBIN:
        write_docbin(docs, target)
    else:
        write_docs(docs, target, challenge, getter="clin", side=side)
    return len(docs)


def give_spans(reference: Doc, predicted: Doc, challenge: str, given: str) -> None:
    """Put gold mentions on a Doc without what is to be predicted.

    It gets their ids and fragments, and their types if these are not what is scored; where
    ``spans+codes`` are given, codes or labels too.
    """
    annotation = find_annotation(challenge)
    key, scored = annotation.view.group, annotation.challenge.class_slot
    if key not in reference.spans:
        raise InputError(
            f"given={given!r} needs gold mentions in the span group {key!r}",
            where=describe(reference),
            remedy="Write them with spacy_clin.set_mentions",
        )
    labels = given == "spans+codes" or scored is None or scored.name not in LABELS
    kept = (SPANS, *(LABELS if labels else ()), *((CODE,) if given == "spans+codes" else ()))
    mentions = {
        id_: {CODE: None, **{n: v for n, v in mention.as_dict().items() if n in kept}}
        for id_, mention in get_mentions(reference, key=key).items()
    }
    set_mentions(predicted, mentions, key=key, document=get_document_name(reference))


def make_corpus(  # noqa: PLR0913 - the settings of the configuration
    path: str | Path,
    *,
    challenge: str = DEFAULT,
    text: str | Path | None = None,
    format: str | None = None,  # noqa: A002
    given: str = "nothing",
    entities: str | None = None,
    limit: int = 0,
    shuffle: bool = False,
) -> Callable[[Language], Iterator[Example]]:
    """Read a corpus for training or evaluation; notes are never cut up, which loses their spans.

    References hold the annotation, predicted Docs the text.

    Args:
        path: ``.spacy`` files, files of the challenge's own format, brat's or JSON Lines.
        challenge: the module.
        text: directory of the notes, where the files do not hold them.
        format: the format, where the names of the files do not tell it.
        given: ``nothing``; ``spans`` puts the gold mentions, without codes and slots, on the
            predicted side too (Task 2a); ``spans+codes`` with codes.
        entities: ``none``, ``envelopes`` or ``fragments``: what goes into ``reference.ents``.
        limit: read only so many documents; 0 for all.
        shuffle: whether to shuffle the documents.

    Raises:
        InputError: a setting that does not exist; of files it names the file and line, or the
            document.
    """
    check_name("given", given, GIVEN)
    check_name("entities", entities or "none", ENTITIES)
    find_annotation(challenge)
    asked: dict[str, Any] = {"text": text, "format": format, "entities": entities}

    def read(nlp: Language) -> Iterator[Example]:
        docs = list(read_docs(path, nlp.make_doc, challenge, **asked))
        if shuffle:
            random.shuffle(docs)
        kept = [doc for doc in docs if len(doc)]
        problem = "{n} {document is|documents are} empty and left out"
        warn(problem, n=len(docs) - len(kept))
        for reference in kept[: limit or None]:
            predicted = nlp.make_doc(reference.text)
            if given != "nothing":
                give_spans(reference, predicted, challenge, given)
            yield Example(predicted, reference)

    return read
