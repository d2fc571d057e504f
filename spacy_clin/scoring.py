"""Scores of Docs and of Examples."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from spacy.tokens import Doc
from spacy.training import Example

from clineval.errors import InputError, InputWarning
from clineval.scores import Score
from clineval.scoring import count
from spacy_clin.documents import Documents
from spacy_clin.guards import check_names, check_pairs
from spacy_clin.integrations import Integration, MentionAnnotation, find_integration
from spacy_clin.mentions import get_document_name

if TYPE_CHECKING:
    from spacy_clin.presets import GetterConfig


def score_docs(  # noqa: PLR0913 - one setting for each thing that scores depend on
    golds: Iterable[Doc],
    preds: Iterable[Doc],
    challenge: str = "semeval15_task14",
    *,
    gold: GetterConfig = "clin",
    pred: GetterConfig = "clin",
    config: str = "default",
    protocol: str = "spec",
    **options: Any,
) -> Score:
    """Score documents of any origin, as they are: nothing is copied or changed.

    Args:
        golds: the gold documents.
        preds: the predicted documents of the same texts, in the same order.
        challenge: the metric, such as ``semeval15_task14``.
        gold: where the gold annotation is: a preset, or settings of a getter.
        pred: where the predicted annotation is.
        config: which part of the challenge.
        protocol: ``spec`` or ``official``.
        options: the challenge's own; texts that it needs are those of the documents.

    Returns:
        The scores; ``score["strict_f1"]``, ``score.signature``, ``score.per_document``.

    Raises:
        InputError: other texts, numbers or names of documents, or annotation that cannot be read.

    Examples:
        >>> import spacy
        >>> from spacy_clin import set_mentions
        >>> nlp = spacy.blank("en")
        >>> gold, pred = nlp("No fever."), nlp("No fever.")
        >>> group = set_mentions(gold, [{"spans": [[3, 8]], "cui": "C0015967", "negation": "yes"}])
        >>> pred.ents = [pred.char_span(3, 8, label="PROBLEM", kb_id="C0015967")]
        >>> score = score_docs([gold], [pred], pred={"mentions": "ents"}, config="task1")
        >>> score["strict_f1"]
        1.0
    """
    with _without_collection():
        return _score(list(golds), list(preds), challenge, gold, pred, config, protocol, options)


def _score(  # noqa: PLR0913, PLR0917
    references: list[Doc],
    predictions: list[Doc],
    challenge: str,
    gold: GetterConfig,
    pred: GetterConfig,
    config: str,
    protocol: str,
    options: dict[str, Any],
) -> Score:
    integration = find_integration(challenge)
    check_pairs(references, predictions)
    names = _join_names(references, predictions)
    check_names(names, "")
    getters = {"references": gold, "predictions": pred}
    found = {
        side: integration.annotation.find_getter(given, side) for side, given in getters.items()
    }
    _warn_of_defaults(found["predictions"], config, integration)
    inputs = {
        side: _read_side(integration, found[side], Documents(docs, names, side), config)
        for side, docs in (("predictions", predictions), ("references", references))
    }
    counts = count(
        challenge,
        **inputs,
        config=config,
        protocol=protocol,
        **_with_texts(integration, references, options),
    )
    if len(counts) == len(names):
        counts = replace(counts, documents=tuple(names))
    return counts.score()


def score_examples(
    examples: Iterable[Example], challenge: str = "semeval15_task14", **settings: Any
) -> Score:
    """Score what a pipeline predicted in Examples; the settings are those of :func:`score_docs`."""
    pairs = [(example.reference, example.predicted) for example in examples]
    golds, preds = zip(*pairs, strict=True) if pairs else ((), ())
    return score_docs(golds, preds, challenge, **settings)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Python's garbage collection visits all Docs again and again while dicts are made of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read_side(integration: Integration, getter: Any, documents: Documents, config: str) -> Any:
    """One side as the challenge's core takes it."""
    annotation = integration.annotation
    if isinstance(annotation, MentionAnnotation):
        return annotation.read_side(getter, documents, config)
    return annotation.read(getter, documents, config)


def _join_names(golds: Sequence[Doc], preds: Sequence[Doc]) -> list[str]:
    """The names of both sides, which must agree where both have one."""
    names = []
    for at, pair in enumerate(zip(golds, preds, strict=True)):
        left, right = map(get_document_name, pair)
        if left and right and left != right:
            raise InputError(
                f"the gold document is {left}, the predicted one {right}",
                where=f"document {at}",
                remedy="Give both sides in the same order",
            )
        names.append(left or right or str(at))
    return names


def _with_texts(
    integration: Integration, docs: Sequence[Doc], options: dict[str, Any]
) -> dict[str, Any]:
    """The options, with the documents' texts where the challenge looks at them."""
    name = integration.takes_texts
    if not name or name in options or (name == "texts" and options.get("overlap") != "word"):
        return options
    return {**options, name: [doc.text for doc in docs]}


def _warn_of_defaults(getter: Any, config: str, integration: Integration) -> None:
    """Say once which slots are not predicted at all."""
    annotation = integration.annotation
    if not isinstance(annotation, MentionAnnotation):
        return
    missing = getter.unmapped(annotation.find_scored(config))
    if missing:
        warnings.warn(
            f"predictions: the getter reads no {', '.join(missing)}, so these slots have their "
            "defaults in all predictions. See: python -m spacy clin presets",
            InputWarning,
            stacklevel=4,
        )
