"""Scores of Docs and of Examples, and Docs as the input of the evaluate modules."""

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
    ". A Doc that was made from words alone has a blank behind each: give both sides the same "
    "words, or 'spaces' to Doc"
)


def score_docs(  # noqa: PLR0913 - one setting for each thing that scores depend on
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
    """Score documents of any origin, as they are: nothing is copied or changed.

    The gold documents come first; in :func:`clineval.score` the predictions do. Both take names:
    ``score_docs(golds=..., preds=...)``, ``score(module, predictions=..., references=...)``.

    Args:
        golds: the gold documents.
        preds: the predicted documents of the same texts, in the same order.
        challenge: the metric, such as ``semeval15_task14``.
        gold: where the gold annotation is: a preset, settings of a
            :class:`~spacy_clin.Reader`, or a reader.
        pred: where the predicted annotation is; ``auto``: in the challenge's span group if any
            Doc has it, otherwise in entities if they are set.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        options: the challenge's own; texts that it needs are those of the documents. And
            ``dataset``, as in :func:`clineval.score`.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.signature``, ``score.per_document``.

    Raises:
        InputError: other texts, numbers or names of documents, or annotation that cannot be read.

    Docs that were made from words alone, as ``spacy convert`` makes them of CoNLL and IOB files,
    are scored if both sides have the same words; ``text:words`` in the signature says that offsets
    are those of the words with blanks between them, and not of the notes.

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
            f"predictions: the getter reads no {', '.join(seen_predicted.missing)}, so these slots "
            "have their defaults in all predictions. See: python -m spacy clin presets"
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
    """Score what a pipeline predicted in Examples.

    Args:
        examples: with the gold annotation in ``reference``, what was predicted in ``predicted``.
        challenge: the metric, such as ``semeval15_task14``.
        settings: the others of :func:`score_docs`.

    Returns:
        The scores, as :func:`score_docs` gives them.

    Raises:
        InputError: as :func:`score_docs`.

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
    """Return the names of the documents; refuse sides with other numbers, names or texts."""
    if len(golds) != len(preds):
        raise InputError(
            f"expected as many predicted documents as gold ones, got {len(preds)} and {len(golds)}",
            remedy="Give them in the same order, one for one",
        )
    names = []
    for at, pair in enumerate(zip(golds, preds, strict=True)):
        _check_text(*pair, at)
        left, right = map(get_document_name, pair)
        # a note's name may be that of its text
        if left and right and left.removesuffix(".txt") != right.removesuffix(".txt"):
            raise InputError(
                f"the gold document is {called(left)}, the predicted one {called(right)}",
                where=f"document {at}",
                remedy="Give both sides in the same order",
            )
        names.append(left or right or str(at))
    check_names(names, "")
    return names


def _check_text(gold: Doc, pred: Doc, at: int) -> None:
    if not _are_alike(gold, pred):
        one, other = gold.text, pred.text
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            differing = next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
            raise InputError(
                f"the gold text and the predicted text differ from offset {differing} on, "
                f"of {len(one)} and {len(other)} characters",
                where=describe(gold, at),
                remedy="Offsets mean something only in the same text: run the pipeline on "
                "gold.text, and give documents in the same order"
                + _OF_WORDS
                * any(map(_of_words, (gold, pred))),
            )


def _of_words(doc: object) -> bool:
    """Tell whether a Doc was made from words alone, so that its text is not that of the note."""
    return isinstance(doc, Doc) and doc.has_unknown_spaces and len(doc) > 1


def _are_alike(*docs: Doc) -> bool:
    """Tell whether all tokens, and the blanks between them, which make up the text, are the same.

    Making two texts of tokens takes six times as long as this does.
    """
    if not all(isinstance(doc, Doc) for doc in docs) or len(set(map(len, docs))) > 1:
        return False
    one, other = (doc.to_array(["ORTH", "SPACY"]) for doc in docs)
    one[-1:, 1] = other[-1:, 1]  # a blank at the end moves nothing
    return bool(one.tobytes() == other.tobytes())


def _compare_relations(seen: Mapping[str, Seen]) -> None:
    """Warn if only one side has any relation."""
    lacking = [side for side, found in seen.items() if found.mentions and not found.related]
    if len(lacking) == 1 and any(found.related for found in seen.values()):
        warn(
            f"{lacking[0]}: no document has relations, in the span group or in doc._.relations; "
            "the other side has some: say where they are, such as relations = '_.links', or score "
            "a configuration without relations"
        )


def _compare_codes(
    annotation: Annotation, seen: Mapping[str, Seen], sides: Mapping[str, Side]
) -> None:
    """Warn if only one side has any code, where codes are scored."""
    slots = annotation.view.slots(sides[PREDICTIONS].config)
    scored = any(slot.kind == "code" and slot.default is None for slot in slots)
    lacking = [side for side, found in seen.items() if found.mentions and not found.coded]
    if not scored or len(lacking) != 1 or not any(found.coded for found in seen.values()):
        return
    docs = [doc for doc in sides[lacking[0]].docs if isinstance(doc, Doc)]
    ids = any(entity.ent_id_ for doc in docs for entity in doc.ents)
    hint = "entities have ids, which attributes = {'cui': 'ent_id_'} reads" if ids else (
        "say where codes are, such as attributes = {'cui': 'label_'}, or score a configuration "
        "without codes"
    )  # fmt: skip
    warn(
        f"{lacking[0]}: no mention has a code, and this configuration scores codes; the other side "
        f"has some: {hint}"
    )


def to_inputs(  # noqa: PLR0913 - one setting for each thing that is read
    docs: Iterable[object],
    challenge: str = DEFAULT,
    *,
    getter: ReaderConfig | None = None,
    config: str = "default",
    names: Sequence[str] | None = None,
    side: str = PREDICTIONS,
) -> Any:
    """Return what the evaluate module of a challenge takes as predictions or references.

    Args:
        docs: the documents; they are neither copied nor changed.
        challenge: the module, such as ``semeval15_task14``.
        getter: where the annotation is, as in :func:`score_docs`, which has the same defaults for
            the two sides.
        config: the module's configuration.
        names: the documents' names; None for those they have, or their positions.
        side: ``predictions`` or ``references``.

    Returns:
        A list with one item for each document; for ``clefehealth13_task2`` lines of the lab's
        format, which pair acronyms by document and span.

    Raises:
        InputError: names the document and what cannot be read.

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
    # what a Doc holds stays its own, whatever becomes of the inputs
    return copy_of(annotation.read(opened))
