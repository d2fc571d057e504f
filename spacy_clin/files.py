"""Docs from files and to files, and the corpus reader ``spacy_clin.Corpus.v1`` for training."""

# do not turn annotations into strings: spaCy 3.7 reads the types of registered functions

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from clineval.base.errors import InputError, warn
from clineval.base.files import as_path
from clineval.formats.given.texts import find_texts
from clineval.kinds.mentions.mention import Document
from clineval.results.options import check_name
from spacy_clin import guards
from spacy_clin.annotation import Annotation, Files, Parsed, Side
from spacy_clin.docbins import DOCBIN, is_docbin, read_docbin, write_docbin
from spacy_clin.entities import ENTITIES, set_entities, warn_of_entities, with_entities
from spacy_clin.guards import PREDICTIONS, REFERENCES, describe, get_document_name, name_documents
from spacy_clin.kinds import DEFAULT, find_annotation
from spacy_clin.mentions import get_mentions, get_relations, set_mentions
from spacy_clin.presets import CLIN, ReaderConfig
from spacy_clin.settings import CODE, KEY, LABELS, MENTIONS, SPANS

GIVEN = ("nothing", "spans", "spans+codes")


def read_docs(  # noqa: PLR0913 - files differ in many ways
    path: str | os.PathLike[str],
    make_doc: Callable[[str], Doc],
    challenge: str = DEFAULT,
    *,
    text: str | os.PathLike[str] | Mapping[str, str] | None = None,
    format: str | None = None,  # noqa: A002 - the usual name
    entities: str | None = None,
    side: str = REFERENCES,
) -> Iterator[Doc]:
    """Read gold or predicted documents, with annotation in the form of :func:`set_mentions`.

    Args:
        path: a ``.spacy`` file or a directory of such files; or files in a format of the
            challenge. Challenges with mentions also accept brat (a directory of ``.ann`` and
            ``.txt`` files) and JSON Lines.
        make_doc: makes a Doc from a text, such as ``nlp.make_doc``. Docs of a DocBin get the
            vocabulary of these Docs.
        challenge: the module whose annotation is read.
        text: directory of the notes, or a dict of name to text, if the format lacks the texts.
        format: the format, if the names of the files do not identify it.
        entities: the content of ``doc.ents``, for training a model. ``none``: nothing;
            ``envelopes``: each mention from its first to its last character; ``fragments``: each
            fragment. If entities overlap, the longest stays. None: envelopes, unless a DocBin
            has entities, even an empty list; these are kept.
        side: ``references`` or ``predictions``: the side to read from files that hold both.

    Yields:
        Docs with the challenge's span group, in the order of the files.

    Raises:
        InputError: input is invalid; the message names the file and line, or the document.

    Examples:
        >>> import spacy
        >>> from tempfile import TemporaryDirectory
        >>> nlp = spacy.blank("en")
        >>> gold = nlp("No fever.")
        >>> group = set_mentions(gold, [{"spans": [[3, 8]], "cui": "C0015967"}])
        >>> with TemporaryDirectory() as folder:
        ...     write_docs([gold], f"{folder}/gold.jsonl", names=["note-1"])
        ...     [doc] = read_docs(f"{folder}/gold.jsonl", nlp.make_doc, text={"note-1": gold.text})
        >>> doc.ents
        (fever,)
    """
    source, annotation = as_path(path), find_annotation(challenge)
    if format == "spacy" or (format is None and is_docbin(source)):
        docs = read_docbin(source, make_doc("").vocab)
    else:
        docs = _make_docs(annotation, Files(source, format, side, text), make_doc)
    known: dict[str, str] = {}
    for doc in docs:
        if annotation.has_spans and (entities or not doc.has_annotation("ENT_IOB")):
            set_entities(doc, entities or "envelopes", annotation.view.group)
        _share_strings(doc, annotation.view.group, known)
        yield doc


def _make_docs(
    annotation: Annotation, files: Files, make_doc: Callable[[str], Doc]
) -> Iterator[Doc]:
    parsed = list(annotation.parse(files))
    for (name, _, found), text in zip(parsed, _texts_of(parsed, files.texts), strict=True):
        doc = make_doc(text)
        annotation.write(doc, found, name)
        yield doc


def _texts_of(parsed: Sequence[Parsed], texts: object = None) -> list[str]:
    """Return the required text of each document: as parsed, or from a directory or mapping."""
    names = [name for name, *_ in parsed]
    known = [text for _, text, _ in parsed]
    found = known if texts is None else find_texts(names, texts, "text")
    for name, text in zip(names, found, strict=True):
        if text is None:
            raise InputError(
                "the text is missing, and a Doc needs it",
                where=guards.place_of_document(name),
                remedy="Pass the directory of the notes (text=, --text DIR)",
            )
    return list(map(str, found))


def _share_strings(doc: Doc, key: str, known: dict[str, str]) -> None:
    """Share equal values of slots between mentions; files create a new string for each mention.

    This saves memory, and time during scoring.
    """
    group = doc.spans.data.get(key)
    for record in () if group is None else guards.tell(group, MENTIONS).values():
        for name, value in record.items():
            if isinstance(value, str):
                record[name] = known.setdefault(value, value)


def write_docs(  # noqa: PLR0913 - files differ in many ways
    docs: Iterable[object],
    path: str | os.PathLike[str],
    challenge: str = DEFAULT,
    *,
    getter: ReaderConfig | None = None,
    format: str | None = None,  # noqa: A002
    names: Sequence[str] | None = None,
    side: str = PREDICTIONS,
    entities: str | None = None,
) -> None:
    """Write the annotation of Docs in a format of the challenge, for the command line.

    Args:
        docs: the documents.
        path: a directory; a file, if the format has one file for all documents; or a file that
            ends in ``.spacy``, for training.
        challenge: the module.
        getter: the place of the annotation, as in :func:`spacy_clin.to_inputs`.
        format: one of the challenge's formats, or ``spacy``. The default is the format of the
            path's suffix, or else the challenge's own.
        names: the documents' names; None for the names that they have, or their positions.
        side: ``predictions`` or ``references``.
        entities: the content of ``doc.ents`` in a ``.spacy`` file, as in :func:`read_docs`. spaCy's
            own reader and ``ner`` see only these. None: envelopes, unless a Doc has entities,
            even an empty list; these are kept.

    Raises:
        InputError: the format is unknown, or cannot hold the annotation.

    Examples:
        >>> import spacy
        >>> from tempfile import TemporaryDirectory
        >>> nlp = spacy.blank("en")
        >>> gold = nlp("No fever.")
        >>> group = set_mentions(gold, [{"spans": [[3, 8]], "cui": "C0015967"}])
        >>> with TemporaryDirectory() as folder:
        ...     write_docs([gold], f"{folder}/gold.spacy")
        ...     [doc] = read_docs(f"{folder}/gold.spacy", nlp.make_doc)
        >>> [(span.text, span.kb_id_) for span in doc.spans["clin"]]
        [('fever', 'C0015967')]
    """
    check_name("entities", entities or "none", ENTITIES)
    annotation = find_annotation(challenge)
    opened, target = annotation.open_side(docs, getter, names=names, side=side), as_path(path)
    if format == "spacy" or (format is None and target.suffix == DOCBIN):
        annotated = _annotated(opened, annotation)
        if annotation.has_spans:
            annotated = with_entities(annotated, entities, annotation.view.group)
        write_docbin(annotated, target)
    else:
        annotation.write_files(opened, Files(target, format))


def _annotated(side: Side, annotation: Annotation) -> Iterator[Doc]:
    """Yield Docs with the annotation in the span group: copies if it is elsewhere."""
    annotation.objects(side)  # raises errors for annotation that cannot be read
    own = side.reader == annotation.find_reader(CLIN, "")
    for at, (doc, name) in enumerate(zip(side.docs, side.names, strict=True)):
        if own and name in (get_document_name(doc), str(at)):
            yield doc
        else:
            kept = guards.copied(doc, doc.copy)
            annotation.keep(side.reader, kept, name)
            yield kept


def write_documents(
    documents: Sequence[Document], path: Path, language: str, entities: str
) -> None:
    """Write documents with mentions to a ``.spacy`` file, for ``clineval convert``."""
    make_doc = spacy.blank(language).make_doc
    texts = _texts_of([(str(document.id), document.text, document) for document in documents])
    docs, seen = [], Counter[str]()
    for document, note in zip(documents, texts, strict=True):
        doc = make_doc(note)
        group = set_mentions(
            doc, document.mentions, document=document.id, relations=document.relations or None
        )
        if document.language:
            group.attrs[guards.LANGUAGE] = document.language
        seen += set_entities(doc, entities, KEY)
        docs.append(doc)
    write_docbin(docs, path)
    warn_of_entities(seen, KEY)


def read_documents_of(path: Path, language: str) -> list[Document]:
    """Read documents with mentions from ``.spacy`` files, for ``clineval convert``."""
    docs = list(read_docbin(path, spacy.blank(language).vocab))
    lacking = [at for at, doc in enumerate(docs) if KEY not in doc.spans]
    guards.report_lacking(KEY, docs, lacking, REFERENCES)
    return [
        Document(
            name,
            get_mentions(doc).values(),
            doc.text,
            get_relations(doc),
            guards.get_language(doc),
        )
        for doc, name in zip(docs, name_documents(docs), strict=True)
    ]


def convert_files(  # noqa: PLR0913 - files differ in many ways
    sources: Iterable[Path],
    target: Path,
    challenge: str,
    *,
    text: Path | None = None,
    language: str = "en",
    entities: str | None = None,
    side: str = REFERENCES,
    formats: tuple[str | None, str | None] = (None, None),
) -> int:
    """Convert a challenge's files to a ``.spacy`` file, or back, for ``clineval convert``.

    ``formats`` are the formats of the sources and of the target; None: the names identify them.

    Returns:
        The number of documents.
    """
    make_doc = spacy.blank(language).make_doc
    docs = [
        doc
        for path in sources
        for doc in read_docs(
            path, make_doc, challenge, text=text, format=formats[0], entities=entities, side=side
        )
    ]
    if formats[1] == "spacy" or (formats[1] is None and target.suffix == DOCBIN):
        write_docbin(docs, target)
    else:
        write_docs(docs, target, challenge, getter="clin", format=formats[1], side=side)
    return len(docs)


def give_spans(reference: Doc, predicted: Doc, challenge: str, given: str) -> None:
    """Put gold mentions on a Doc, without the values to predict.

    The Doc gets their ids and fragments, and their types if types are not scored. With
    ``spans+codes`` it also gets codes or labels.
    """
    annotation, codes = find_annotation(challenge), given == "spans+codes"
    key, scored = annotation.view.group, annotation.challenge.kind.class_slot
    if key not in reference.spans:
        raise InputError(
            f"given={given!r} needs gold mentions in the span group {key!r}",
            where=describe(reference),
            remedy="Write them with spacy_clin.set_mentions",
        )
    labels = codes or scored is None or scored.name not in LABELS
    kept = (SPANS, *(LABELS if labels else ()), *((CODE,) if codes else ()))
    mentions = {
        id_: {CODE: None, **{n: v for n, v in mention.as_dict().items() if n in kept}}
        for id_, mention in get_mentions(reference, key=key).items()
    }
    set_mentions(predicted, mentions, key=key, document=get_document_name(reference))


def _make_predicted(reference: Doc, nlp: Language) -> Doc:
    """Make the Doc of a text; if a reference has no text, use its words, as spaCy does."""
    if not reference.has_unknown_spaces:
        return nlp.make_doc(reference.text)
    words = [token.text for token in reference]
    return Doc(nlp.vocab, words=words, spaces=[bool(token.whitespace_) for token in reference])


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
    """Read a corpus for training or evaluation; notes are never split, because splits lose spans.

    References hold the annotation. Predicted Docs hold the text.

    Args:
        path: ``.spacy`` files, or files in the challenge's own format, brat or JSON Lines.
        challenge: the module.
        text: directory of the notes, if the files lack the texts.
        format: the format, if the names of the files do not identify it.
        given: ``nothing``; ``spans`` also puts the gold mentions, without codes and slots, on the
            predicted side (Task 2a); ``spans+codes`` includes codes.
        entities: ``none``, ``envelopes`` or ``fragments``: the content of ``reference.ents``. None:
            envelopes, unless a DocBin has entities, even an empty list; these are kept.
        limit: the number of documents to read; 0 for all.
        shuffle: whether to shuffle the documents.

    Raises:
        InputError: a setting does not exist, or input is invalid; the message names the file and
            line, or the document.
    """
    check_name("given", given, GIVEN)
    check_name("entities", entities or "none", ENTITIES)
    annotation = find_annotation(challenge)
    key = annotation.view.group

    def read(nlp: Language) -> Iterator[Example]:
        docs = list(
            read_docs(path, nlp.make_doc, challenge, text=text, format=format, entities=entities)
        )
        if shuffle:
            random.shuffle(docs)
        kept = [doc for doc in docs if len(doc)]
        if annotation.has_spans and entities is None and not any(doc.ents for doc in kept):
            warn(
                "no document has entities, although {n} {has|have} mentions: components that learn "
                'from doc.ents learn nothing. Set entities = "envelopes", or "none" if this is '
                "intended",
                n=sum(len(doc.spans[key]) > 0 for doc in kept if key in doc.spans),
            )
        warn("{n} empty {document is|documents are} left out", n=len(docs) - len(kept))
        for reference in kept[: limit or None]:
            predicted = _make_predicted(reference, nlp)
            if given != "nothing":
                give_spans(reference, predicted, challenge, given)
            yield Example(predicted, reference)

    return read
