"""Score Docs and Examples, and convert Docs to input of the evaluate modules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from spacy.tokens import Doc
from spacy.training import Example

from clineval.base.errors import InputError, called, warn
from clineval.evaluation.counting import count
from clineval.evaluation.evaluate import make_setup
from clineval.results.scores import Score
from spacy_clin.annotation import USUAL, Annotation, Seen, Side, as_docs, check_names, copy_of
from spacy_clin.guards import PREDICTIONS, REFERENCES, describe, get_document_name
from spacy_clin.kinds import DEFAULT, find_annotation
from spacy_clin.presets import ReaderConfig

_OF_WORDS = (
    ". A Doc made from words alone has a blank after each word: use the same words on both sides, "
    "or pass 'spaces' to Doc"
)


def score_docs(  # noqa: PLR0913 - one argument for each setting that affects scores
    golds: Iterable[object],
    preds: Iterable[object],
    challenge: str = DEFAULT,
    *,
    gold: ReaderConfig = USUAL[REFERENCES],
    pred: ReaderConfig = USUAL[PREDICTIONS],
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Score:
    """Score documents of any origin, without copying or changing them.

    The gold documents come first, whereas :func:`clineval.score` takes the predictions first. Both
    accept keywords: ``score_docs(golds=..., preds=...)`` and
    ``score(module, predictions=..., references=...)``.

    Args:
        golds: the gold documents.
        preds: the predicted documents of the same texts, in the same order.
        challenge: the metric, such as ``semeval15_task14``.
        gold: the place of the gold annotation: a preset, settings of a
            :class:`~spacy_clin.Reader`, or a reader.
        pred: the place of the predicted annotation; ``auto``: the challenge's span group if a Doc
            contains it, otherwise entities if they are set.
        config: the part of the challenge.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
        options: the challenge's own options, and ``dataset`` as in :func:`clineval.score`. Texts
            that an option needs come from the documents.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.signature``, ``score.per_document``.

    Raises:
        InputError: the sides differ in their texts, number or names of documents, or annotation
            cannot be read.

    Docs made from words alone, such as those that ``spacy convert`` makes from CoNLL and IOB files,
    are scored if both sides have the same words. ``text:words`` in the signature then means that
    offsets count characters of the words joined with blanks, and not of the notes.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> nlp = spacy.blank("en")
        >>> gold, pred = nlp("No fever."), nlp("No fever.")
        >>> group = set_mentions(gold, [{"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}])
        >>> pred.ents = [pred.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> score = score_docs([gold], [pred], config="task1")
        >>> score["strict_f1"]
        1.0
    """
    references, predictions = as_docs(golds, REFERENCES), as_docs(preds, PREDICTIONS)
    annotation = find_annotation(challenge)
    setup = make_setup(annotation.challenge, config, protocol, **options)
    annotation.judge(config)
    names = check_pairs(references, predictions)
    sides = {
        side: Side(docs, names, annotation.choose(given, side, docs), side, config)
        for side, given, docs in ((REFERENCES, gold, references), (PREDICTIONS, pred, predictions))
    }
    predicted, seen_predicted = annotation.read_side(sides[PREDICTIONS])
    gold_side, seen_gold = annotation.read_side(sides[REFERENCES])
    if seen_predicted.missing:
        warn(
            f"predictions: the getter does not read {', '.join(seen_predicted.missing)}, so these "
            "slots have their defaults in all predictions. See: python -m spacy clin presets"
        )
    seen = {REFERENCES: seen_gold, PREDICTIONS: seen_predicted}
    _compare_relations(seen)
    _compare_codes(annotation, seen, sides)
    for option in annotation.challenge.options:
        wanted = option.when is None or setup[option.when[0]] == option.when[1]
        if option.holds_texts and wanted and option.name not in options:
            options[option.name] = [doc.text for doc in references]
    counts = count(challenge, predicted, gold_side, config=config, protocol=protocol, **options)
    if any(map(_of_words, (*references, *predictions))):
        counts = replace(counts, settings={**counts.settings, "text": "words"})
    if len(counts) == len(names):
        counts = replace(counts, documents=tuple(names))
    return counts.score()


def score_examples(examples: Iterable[Example], challenge: str = DEFAULT, **settings: Any) -> Score:
    """Score the predictions in Examples.

    Args:
        examples: Examples with the gold annotation in ``reference`` and the predictions in
            ``predicted``.
        challenge: the metric, such as ``semeval15_task14``.
        settings: the other arguments of :func:`score_docs`.

    Returns:
        The scores, as for :func:`score_docs`.

    Raises:
        InputError: as for :func:`score_docs`.

    Examples:
        >>> import spacy
        >>> from spacy.training import Example
        >>> from spacy_clin import set_mentions
        >>> nlp = spacy.blank("en")
        >>> example = Example(nlp("No fever."), nlp("No fever."))
        >>> for doc in (example.reference, example.predicted):
        ...     group = set_mentions(doc, [{"spans": [[3, 8]], "cui": "C0015967"}])
        >>> score_examples([example], config="task1")["strict_f1"]
        1.0
    """
    pairs = [(example.reference, example.predicted) for example in examples]
    golds, preds = zip(*pairs, strict=True) if pairs else ((), ())
    return score_docs(golds, preds, challenge, **settings)


def check_pairs(golds: Sequence[Doc], preds: Sequence[Doc]) -> list[str]:
    """Return the names of the documents; reject sides that differ in number, names or texts."""
    if len(golds) != len(preds):
        raise InputError(
            f"expected as many predicted documents as gold ones, got {len(preds)} and {len(golds)}",
            remedy="Pass one predicted document for each gold document, in the same order",
        )
    names = []
    for at, pair in enumerate(zip(golds, preds, strict=True)):
        check_text(*pair, at)
        left, right = map(get_document_name, pair)
        check_name(left, right, at)
        names.append(left or right or str(at))
    check_names(names, "")
    return names


def check_name(gold: str, pred: str, at: int) -> None:
    """Reject two documents with different names; a document may have none."""
    if gold and pred and gold.removesuffix(".txt") != pred.removesuffix(".txt"):
        raise InputError(
            f"the gold document is {called(gold)}, the predicted one {called(pred)}",  # may be text
            where=f"document {at}",
            remedy="Pass both sides in the same order",
        )


def check_text(gold: Doc, pred: Doc, at: int) -> None:
    """Reject two documents with different texts."""
    if not _are_alike(gold, pred):
        one, other = gold.text, pred.text
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            differing = next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
            raise InputError(
                f"the gold text and the predicted text differ from offset {differing} on "
                f"(lengths: {len(one)} and {len(other)} characters)",
                where=describe(gold, at),
                remedy="Offsets are comparable only in the same text: run the pipeline on "
                "gold.text, and pass documents in the same order"
                + _OF_WORDS
                * any(map(_of_words, (gold, pred))),
            )


def _of_words(doc: object) -> bool:
    """Return whether a Doc was made from words alone, so that its text differs from the note."""
    return isinstance(doc, Doc) and doc.has_unknown_spaces and len(doc) > 1


def _are_alike(*docs: Doc) -> bool:
    """Return whether all tokens, and the blanks between them, are the same.

    This is six times as fast as comparing the texts.
    """
    if not all(isinstance(doc, Doc) for doc in docs) or len(set(map(len, docs))) > 1:
        return False
    one, other = (doc.to_array(["ORTH", "SPACY"]) for doc in docs)
    one[-1:, 1] = other[-1:, 1]  # a blank at the end does not change offsets
    return bool(one.tobytes() == other.tobytes())


def _compare_relations(seen: Mapping[str, Seen]) -> None:
    """Warn if only one side has relations."""
    lacking = [side for side, found in seen.items() if found.mentions and not found.related]
    if len(lacking) == 1 and any(found.related for found in seen.values()):
        warn(
            f"{lacking[0]}: no document has relations, in the span group or in doc._.relations, "
            "although the other side has some. Set their place, such as relations = '_.links', or "
            "score a configuration without relations"
        )


def _compare_codes(
    annotation: Annotation, seen: Mapping[str, Seen], sides: Mapping[str, Side]
) -> None:
    """Warn if codes are scored and only one side has any."""
    slots = annotation.view.slots(sides[PREDICTIONS].config)
    scored = any(slot.kind == "code" and slot.default is None for slot in slots)
    lacking = [side for side, found in seen.items() if found.mentions and not found.coded]
    if not scored or len(lacking) != 1 or not any(found.coded for found in seen.values()):
        return
    docs = [doc for doc in sides[lacking[0]].docs if isinstance(doc, Doc)]
    ids = any(entity.ent_id_ for doc in docs for entity in doc.ents)
    hint = "To use the ids of entities, set attributes = {'cui': 'ent_id_'}" if ids else (
        "Set the place of the codes, such as attributes = {'cui': 'label_'}, or score a "
        "configuration without codes"
    )  # fmt: skip
    warn(
        f"{lacking[0]}: no mention has a code, although this configuration scores codes and the "
        f"other side has some. {hint}"
    )


def to_inputs(  # noqa: PLR0913 - one argument for each setting
    docs: Iterable[object],
    challenge: str = DEFAULT,
    *,
    getter: ReaderConfig | None = None,
    config: str = "default",
    names: Sequence[str] | None = None,
    side: str = PREDICTIONS,
) -> Any:
    """Convert Docs to predictions or references of a challenge's evaluate module.

    Args:
        docs: the documents; they are neither copied nor changed.
        challenge: the module, such as ``semeval15_task14``.
        getter: the place of the annotation, with the defaults of :func:`score_docs` for the two
            sides.
        config: the module's configuration.
        names: the documents' names; None for the names that they have, or their positions.
        side: ``predictions`` or ``references``.

    Returns:
        A list with one item for each document; for ``clefehealth13_task2``, lines in the lab's
        format, which pair acronyms by document and span.

    Raises:
        InputError: annotation cannot be read; the message names the document.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> doc = spacy.blank("en")("No fever.")
        >>> group = set_mentions(doc, [{"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}])
        >>> to_inputs([doc])
        [[{'spans': [[3, 8]], 'cui': 'C0015967', 'negation': 'yes'}]]
    """
    annotation = find_annotation(challenge)
    opened = annotation.open_side(docs, getter, names=names, side=side, config=config)
    # copy, so that changes to the inputs never reach the Doc
    return copy_of(annotation.read(opened))
